/* record_socgpu.c - scheme `socgpu.recorded`: socgpu, with a window of it written to a file
 * (window.h). More lines:
 *   c W ENTRY                        an instruction leaves its entry
 *   t then per warp OFFER VALID ISSUED ROWS   the entry offered, or -; masks; the matrix
 *   i W ENTRY INST PC NEXT
 *   f W ENTRY INST PC NEXT
 * The scheme's own file is included: its buffers are nobody else's to see.
 */
#define scheme_socgpu scheme_socgpu_inside
#include "../../src/scheme/socgpu.c"
#undef scheme_socgpu
#include "window.h"

static void record_start(struct scheme *s, unsigned warp)
{
    socgpu_warp_start(s, warp);
    window_start(s, warp);
}

static void record_leave(struct scheme *s, struct uop *u)
{
    if (window_is_on(s, u->warp) && u->tag != NOWHERE)
        window_line("c %u %u\n", window_warp(s, u->warp), (unsigned)u->tag);
    socgpu_leave_buffer(s, u);
}

static void record_checked(struct scheme *s, struct uop *u)
{
    if (u->dyn.inst->list.is_whole && !u->dyn.inst->list.n_writes)
        record_leave(s, u);
}

static void write_inst(const struct scheme *s, char kind, const struct uop *u)
{
    uint32_t pc = (uint32_t)u->dyn.inst->pc;

    if (window_is_on(s, u->warp))
        window_line("%c %u %u %llx %x %x\n", kind, window_warp(s, u->warp),
                    (unsigned)u->tag, (unsigned long long)window_inst(u), pc,
                    pc + u->dyn.inst->length);
}

static void record_insert(struct scheme *s, struct uop *u)
{
    socgpu_insert(s, u);
    write_inst(s, 'f', u);
}

static void record_issued(struct scheme *s, struct uop *u)
{
    write_inst(s, 'i', u);
    socgpu_issued(s, u);
}

static void write_warp(struct scheme *s, unsigned warp)
{
    const struct buffer *b = buffer_of(s, warp);
    struct offer o = socgpu_candidate(s, warp);
    uint64_t rows = 0;

    for (uint64_t m = b->valid & ~b->issued; m; m &= m - 1)
        rows |= b->row[first_of(m)] << first_of(m) * params_of(s)->entries;
    if (o.hold == HOLD_nothing)
        window_line(" %u", (unsigned)s->pool[o.uop].tag);
    else
        window_line(" -");
    window_line(" %llx %llx %llx", (unsigned long long)b->valid,
                (unsigned long long)b->issued, (unsigned long long)rows);
}

static void record_tick(struct scheme *s, uint64_t cycle)
{
    (void)cycle;
    window_tick(s, write_warp);
}

struct scheme_ops scheme_socgpu_recorded;
__attribute__((constructor)) static void make_table(void)
{
    scheme_socgpu_recorded =
        window_scheme(&scheme_socgpu_inside, "socgpu.recorded",
                      &(struct scheme_ops){ .warp_start = record_start,
                                            .written_back = record_leave,
                                            .checked = record_checked,
                                            .insert = record_insert,
                                            .issued = record_issued,
                                            .tick = record_tick });
}
