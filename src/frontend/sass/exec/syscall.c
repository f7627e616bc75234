/* syscall.c - vprintf, malloc, free, __assertfail and cudaGraphSetConditional, run for one
 * lane after another.
 *
 * Arguments follow the calling convention: from R4 on, 64-bit values in aligned pairs.
 * The device heap is taken from device memory at its first use and lives as long as the
 * launch says: with its context, as on hardware, or with the grid.
 */
#include "frontend/sass/exec/syscall.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/heap.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/exec/printf.h"
#include "frontend/sass/exec/runtime.h"

static uint64_t read_argument(struct sass_warp *w, unsigned reg, unsigned lane)
{
    return (uint64_t)reg_row(w, reg + 1)[lane] << 32 | reg_row(w, reg)[lane];
}

static void put_result(struct sass_warp *w, unsigned lane, uint64_t v, bool is_64)
{
    reg_row(w, 4)[lane] = (uint32_t)v;
    if (is_64)
        reg_row(w, 5)[lane] = (uint32_t)(v >> 32);
}

static enum exec_result run_printf(struct sass_warp *w, const struct sass_inst *i,
                                   unsigned lane)
{
    const struct sass_launch *l = &w->block->grid->launch;
    struct printf_source from = { .w = w,
                                  .lane = lane,
                                  .format = read_argument(w, 4, lane),
                                  .args = read_argument(w, 6, lane) };
    struct buf out = { 0 };
    int n = from.format ? printf_format(&from, &out) : -1; /* NULL prints nothing */

    if (n < 0 && from.format) {
        buf_free(&out);
        return sass_fault(w, i, ERR_FAULT, "printf: bad address 0x%llx (lane %u)",
                          (unsigned long long)from.bad, lane);
    }
    if (l->print && out.len)
        l->print(l->print_to, out.data, out.len);
    buf_free(&out);
    put_result(w, lane, (uint64_t)(unsigned)n, false);
    return EXEC_NEXT;
}

/* The line that CUDA prints for a thread whose assertion failed. */
static void describe_assert(struct sass_warp *w, unsigned lane, struct buf *out)
{
    enum { MESSAGE = 4, SOURCE = 6, LINE = 8, FUNCTION = 10 };
    static const uint8_t regs[3] = { SOURCE, FUNCTION, MESSAGE };
    const uint32_t *block = w->block->id, *size = w->block->grid->launch.block;
    uint32_t thread = 32 * w->index + lane;
    char text[3][512];

    for (unsigned k = 0; k < 3; k++)
        printf_string(w, lane, read_argument(w, regs[k], lane), text[k],
                      sizeof text[k]);
    buf_printf(out,
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed",
               text[0], reg_row(w, LINE)[lane], text[1], block[0], block[1], block[2],
               thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1],
               text[2]);
}

/* Prints a line per lane; the first lane's is the fault's message too. */
static enum exec_result run_assert(struct sass_warp *w, const struct sass_inst *i,
                                   uint32_t mask)
{
    FILE *to = w->block->grid->launch.asserts;
    struct buf line = { 0 };
    enum exec_result result;

    for (uint32_t m = mask; m && to; m &= m - 1) {
        buf_clear(&line);
        describe_assert(w, (unsigned)__builtin_ctz(m), &line);
        fprintf(to, "%s.\n", buf_text(&line));
    }
    buf_clear(&line);
    describe_assert(w, (unsigned)__builtin_ctz(mask), &line);
    result = sass_fault(w, i, ERR_ASSERT, "%s", buf_text(&line));
    buf_free(&line);
    return result;
}

/* The handle is the address of the condition, a word of device memory. */
static enum exec_result run_condition(struct sass_warp *w, const struct sass_inst *i,
                                      unsigned lane)
{
    const struct space *s = w->block->grid->launch.space;
    uint64_t handle = read_argument(w, 4, lane);
    uint32_t value = reg_row(w, 6)[lane];

    if (!space_has(s, handle, sizeof value))
        return sass_fault(
            w, i, ERR_FAULT,
            "cudaGraphSetConditional: 0x%llx is not a condition (lane %u)",
            (unsigned long long)handle, lane);
    memcpy(s->bytes + (handle - s->base), &value, sizeof value);
    return EXEC_NEXT;
}

static enum exec_result run_lane(struct sass_warp *w, const struct sass_inst *i,
                                 unsigned number, unsigned lane)
{
    struct sass_grid *g = w->block->grid;
    uint64_t addr;

    switch (number) {
    case SYSCALL_VPRINTF:
        return run_printf(w, i, lane);
    case SYSCALL_MALLOC:
        if (heap_alloc(g, read_argument(w, 4, lane), &addr, w->block->err))
            return EXEC_ERROR;
        put_result(w, lane, addr, true);
        return EXEC_NEXT;
    case SYSCALL_FREE:
        if (heap_release(g, read_argument(w, 4, lane)))
            return EXEC_NEXT;
        return sass_fault(w, i, ERR_FAULT, "free: 0x%llx was not allocated (lane %u)",
                          (unsigned long long)read_argument(w, 4, lane), lane);
    case SYSCALL_SET_CONDITIONAL:
        return run_condition(w, i, lane);
    default:
        break;
    }
    if (number < N_SYSCALL)
        return runtime_call(w, i, number, lane);
    return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported system function %s",
                      sass_syscall_name(g->launch.module, number));
}

enum exec_result syscall_run(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask, unsigned number)
{
    memory_order(w);
    if (number == SYSCALL_ASSERTFAIL && mask)
        return run_assert(w, i, mask);
    for (uint32_t m = mask; m; m &= m - 1)
        if (run_lane(w, i, number, (unsigned)__builtin_ctz(m)) == EXEC_ERROR)
            return EXEC_ERROR;
    return EXEC_NEXT;
}
