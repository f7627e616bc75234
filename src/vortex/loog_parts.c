/* loog_parts.c - the storage of LOOG on Vortex, as the RTL has it (vortex_coroni,
 * vortex_rrs): collector units with the data of their sources, the alias table, the
 * renaming stack, a number generator per warp, and one buffer for results in flight.
 */
#include "base/bits.h"
#include "vortex/loog.h"

enum { SOURCES = 3, WORD = 32 };

static struct part *unit_parts(const struct vortex_config *c, unsigned name,
                               struct part *at)
{
    static const char unit[] = "collector unit";
    const struct loog_params *p = c->issue_params;
    uint64_t n = p->cus;

    at = vx_inst_parts(c, unit, n, at);
    *at++ = (struct part){ unit, "warp", n, bits_for(c->core.warps) };
    *at++ = (struct part){ unit, "number", n, p->uuid_bits };
    *at++ = (struct part){ unit, "dispatched", n, 1 };
    *at++ = (struct part){ unit, "sources ready", n, SOURCES };
    *at++ = (struct part){ unit, "from the file", n, SOURCES };
    *at++ = (struct part){ unit, "source names", n, SOURCES * name };
    *at++ = (struct part){ unit, "source data", n, SOURCES * WORD * c->core.threads };
    return at;
}

/* Parts that do not depend on the renaming stack. */
static void stage_parts(const struct vortex_config *c, unsigned name, struct part *at)
{
    const struct loog_params *p = c->issue_params;
    uint64_t rows = c->core.warps * VX_REGS, entries = c->core.ibuffer + 1;

    if (p->ibuffer == IBUFFER_WARP)
        entries *= c->core.warps;
    *at++ = (struct part){ "RAT", "in the file", rows, 1 };
    *at++ = (struct part){ "RAT", "name", rows, name };
    *at++ = (struct part){ "number generator", "number", c->core.warps, p->uuid_bits };
    *at++ = (struct part){ "write-back buffer", "result", 1, WORD * c->core.threads };
    at = vx_inst_parts(c, "instruction buffer", entries, at);
    if (p->ibuffer == IBUFFER_SHARED)
        *at++ = (struct part){ "instruction buffer", "warp", entries,
                               bits_for(c->core.warps) };
}

void loog_parts(const struct vortex_config *c, struct part *at)
{
    const struct loog_params *p = c->issue_params;
    unsigned name = bits_for(p->cus);

    at = unit_parts(c, name, at);
    *at++ = (struct part){ "collector unit", "result valid", p->cus, 1 };
    *at++ = (struct part){ "collector unit", "result", p->cus, WORD * c->core.threads };
    stage_parts(c, name, at);
}

void loog_rrs_parts(const struct vortex_config *c, struct part *at)
{
    const struct loog_params *p = c->issue_params;
    uint64_t entries = p->cus * p->rrs_percent / 100;
    unsigned name = bits_for((unsigned)entries);

    at = unit_parts(c, name, at);
    *at++ = (struct part){ "collector unit", "result name", p->cus, name };
    *at++ = (struct part){ "RRS", "valid", entries, 1 };
    *at++ = (struct part){ "RRS", "result valid", entries, 1 };
    *at++ = (struct part){ "RRS", "mask", entries, c->core.threads };
    *at++ = (struct part){ "RRS", "result", entries, WORD * c->core.threads };
    stage_parts(c, name, at);
}
