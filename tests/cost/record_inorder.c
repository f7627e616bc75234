/* record_inorder.c - scheme `inorder.recorded`: inorder, with a window of it written to a
 * file (window.h). A cycle's line has, per warp, 1 if it makes an offer, or -, and the number
 * of instructions in its buffer. The scheme's own file is included, as in record_socgpu.c.
 */
#define scheme_inorder scheme_inorder_inside
#include "../../src/scheme/inorder.c"
#undef scheme_inorder
#include "window.h"

static void record_start(struct scheme *s, unsigned warp)
{
    inorder_warp_start(s, warp);
    window_start(s, warp);
}

static void record_written(struct scheme *s, struct uop *u)
{
    inorder_written_back(s, u);
    if (window_is_on(s, u->warp) && regset_any(&u->dyn.inst->writes))
        window_line("w %u %u\n", window_warp(s, u->warp), window_result(u->dyn.inst));
}

static void write_inst(const struct scheme *s, char kind, const struct uop *u)
{
    if (window_is_on(s, u->warp))
        window_line("%c %u 0 %llx\n", kind, window_warp(s, u->warp),
                    (unsigned long long)window_inst(u));
}

static void record_insert(struct scheme *s, struct uop *u)
{
    inorder_insert(s, u);
    write_inst(s, 'f', u);
}

static void record_issued(struct scheme *s, struct uop *u)
{
    write_inst(s, 'i', u);
    inorder_issued(s, u);
}

static void write_warp(struct scheme *s, unsigned warp)
{
    window_line(" %c %u", inorder_candidate(s, warp).hold == HOLD_nothing ? '1' : '-',
                board_of(s, warp)->n);
}

static void record_tick(struct scheme *s, uint64_t cycle)
{
    (void)cycle;
    window_tick(s, write_warp);
}

struct scheme_ops scheme_inorder_recorded;
__attribute__((constructor)) static void make_table(void)
{
    scheme_inorder_recorded =
        window_scheme(&scheme_inorder_inside, "inorder.recorded",
                      &(struct scheme_ops){ .warp_start = record_start,
                                            .written_back = record_written,
                                            .insert = record_insert,
                                            .issued = record_issued,
                                            .tick = record_tick });
}
