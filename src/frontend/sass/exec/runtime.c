/* runtime.c - calls of the device runtime: launches by kernels, queries.
 *
 * A program with launches in kernels is linked with libcudadevrt, whose functions call
 * these after a few instructions of their own. Arguments follow the calling convention,
 * as in syscall.c; the driver does the work (struct sass_runtime). A call that answers
 * through a pointer has it in R4:R5 and returns an error in R4.
 */
#include "frontend/sass/exec/runtime.h"

#include <string.h>

#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/memory.h"

enum { MAX_ARGUMENTS = 4, FIRST = 4 };

/* Where the arguments of a query are, and the bytes that it answers. */
struct query {
    uint8_t answer;            /* bytes; 0: none, there is no pointer */
    uint8_t at[MAX_ARGUMENTS]; /* registers; 0: no more */
};

static const struct query queries[N_SYSCALL] = {
    [SYSCALL_STREAM_CREATE] = { 8, { 6 } },
    [SYSCALL_STREAM_DESTROY] = { 0, { 4 } },
    [SYSCALL_STREAM_WAIT_EVENT] = { 0, { 4, 6, 8 } },
    [SYSCALL_EVENT_CREATE] = { 8, { 6 } },
    [SYSCALL_EVENT_RECORD] = { 0, { 4, 6 } },
    [SYSCALL_EVENT_DESTROY] = { 0, { 4 } },
    [SYSCALL_GET_DEVICE] = { 4, { 0 } },
    [SYSCALL_GET_DEVICE_COUNT] = { 4, { 0 } },
    [SYSCALL_DEVICE_GET_ATTRIBUTE] = { 4, { 6, 7 } },
    [SYSCALL_GET_LIMIT] = { 8, { 6 } },
    [SYSCALL_GET_CACHE_CONFIG] = { 4, { 0 } },
    [SYSCALL_FUNC_GET_ATTRIBUTE] = { 4, { 6, 8 } },
    [SYSCALL_MAX_ACTIVE_BLOCKS] = { 4, { 6, 8, 10, 12 } },
};

static uint32_t read_word(struct sass_warp *w, unsigned reg, unsigned lane)
{
    return reg_row(w, reg)[lane];
}

static uint64_t read_pair(struct sass_warp *w, unsigned reg, unsigned lane)
{
    return (uint64_t)read_word(w, reg + 1, lane) << 32 | read_word(w, reg, lane);
}

/* The driver's place of a lane's last error; NULL with the block's error set. */
static uint32_t *last_error_of(struct sass_warp *w, unsigned lane)
{
    const struct sass_launch *l = &w->block->grid->launch;
    const uint32_t *at = w->block->id, *grid = l->grid;
    uint64_t block = at[0] + grid[0] * (at[1] + (uint64_t)grid[1] * at[2]);
    uint32_t *error =
        l->runtime->last_error(l->runtime->to, block * 1024 + 32 * w->index + lane);

    if (!error)
        err_memory(w->block->err, "the last error of a thread");
    return error;
}

/* GetParameterBufferV2(kernel, grid, block, shared): 0 with the last error set if such a
 * grid cannot be launched. */
static enum exec_result run_prepare(struct sass_warp *w, unsigned lane)
{
    enum { KERNEL = 4, GRID = 6, BLOCK = 9, SHARED = 12, INVALID_CONFIGURATION = 9 };
    const struct sass_runtime *r = w->block->grid->launch.runtime;
    struct sass_child child = { .kernel = read_pair(w, KERNEL, lane),
                                .dynamic_shared = read_word(w, SHARED, lane) };
    uint32_t *error = last_error_of(w, lane);
    uint64_t params;

    if (!error)
        return EXEC_ERROR;
    for (unsigned k = 0; k < 3; k++) {
        child.grid[k] = read_word(w, GRID + k, lane);
        child.block[k] = read_word(w, BLOCK + k, lane);
    }
    params = r->prepare(r->to, &child);
    if (!params)
        *error = INVALID_CONFIGURATION;
    reg_row(w, FIRST)[lane] = (uint32_t)params;
    reg_row(w, FIRST + 1)[lane] = (uint32_t)(params >> 32);
    return EXEC_NEXT;
}

/* The last error, or the one that is set, which is returned as well. */
static enum exec_result run_last_error(struct sass_warp *w, unsigned lane, bool is_set)
{
    uint32_t *error = last_error_of(w, lane);

    if (!error)
        return EXEC_ERROR;
    if (is_set)
        *error = read_word(w, FIRST, lane);
    reg_row(w, FIRST)[lane] = *error;
    return EXEC_NEXT;
}

static enum exec_result run_query(struct sass_warp *w, const struct sass_inst *i,
                                  unsigned number, unsigned lane)
{
    const struct sass_runtime *r = w->block->grid->launch.runtime;
    const struct query *q = &queries[number];
    uint64_t arguments[MAX_ARGUMENTS] = { 0 }, value = 0;
    uint64_t to = read_pair(w, FIRST, lane);
    enum sass_answer answer;
    uint8_t *place;

    for (unsigned k = 0; k < MAX_ARGUMENTS && q->at[k]; k++)
        arguments[k] = read_pair(w, q->at[k], lane);
    answer = r->query(r->to, number, arguments, &value);
    if (!answer && q->answer) {
        place = memory_lane(w, lane, to, q->answer, true);
        if (!place)
            return sass_fault(w, i, ERR_FAULT, "device runtime: bad address 0x%llx",
                              (unsigned long long)to);
        memcpy(place, &value, q->answer);
    }
    reg_row(w, FIRST)[lane] = answer;
    return EXEC_NEXT;
}

enum exec_result runtime_call(struct sass_warp *w, const struct sass_inst *i,
                              unsigned number, unsigned lane)
{
    const struct sass_runtime *r = w->block->grid->launch.runtime;

    if (!r)
        return sass_fault(w, i, ERR_UNSUPPORTED,
                          "a launch by a kernel: there is no driver to take it");
    switch (number) {
    case SYSCALL_GET_PARAMETER_BUFFER:
        return run_prepare(w, lane);
    case SYSCALL_LAUNCH_DEVICE:
        reg_row(w, FIRST)[lane] =
            r->launch(r->to, read_pair(w, FIRST, lane), read_pair(w, FIRST + 2, lane));
        return EXEC_NEXT;
    case SYSCALL_GET_LAST_ERROR:
    case SYSCALL_SET_LAST_ERROR:
        return run_last_error(w, lane, number == SYSCALL_SET_LAST_ERROR);
    default:
        return run_query(w, i, number, lane);
    }
}
