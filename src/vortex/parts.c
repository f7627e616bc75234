/* parts.c - the storage of issue stages: an instruction in the RTL's buffers, and the
 * baseline's buffers and scoreboard.
 *
 * Other pipeline registers, and the numbers that identify instructions in RTL simulation,
 * are not counted: every stage has them.
 */
#include "vortex/state.h"

struct part *vx_inst_parts(const struct vortex_config *c, const char *structure,
                           uint64_t n, struct part *at)
{
    *at++ = (struct part){ structure, "valid", n, 1 };
    *at++ = (struct part){ structure, "mask", n, c->core.threads };
    *at++ = (struct part){ structure, "pc", n, 32 };
    *at++ = (struct part){ structure, "instruction", n, 32 };
    return at;
}

/* A warp's buffer, its output register and the staging register are the entries of the
 * scheme that the stage hosts. */
struct part *vx_scoreboard_parts(const struct vortex_config *c, struct part *at)
{
    struct core_shape shape = { .n_warps = c->core.warps, .n_subcores = 1 };
    struct part hosted[MAX_PARTS] = { 0 };

    c->hosted.scheme->parts(c->hosted.params, &shape, hosted);
    at = vx_inst_parts(c, "instruction buffer", hosted[0].count, at);
    *at++ = (struct part){ "scoreboard", "in use", c->core.warps * VX_REGS, 1 };
    return at;
}
