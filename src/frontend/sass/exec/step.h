/* step.h - the step: one instruction of one warp, for who executes many of them. */
#ifndef LENO_SASS_STEP_H
#define LENO_SASS_STEP_H

#include "frontend/sass/exec/converge.h"
#include "frontend/sass/exec/state.h"

/* An instruction without a handler ends the run. */
enum exec_result sass_cannot_run(struct sass_warp *w, const struct sass_inst *i);

/* Lanes for which an instruction is executed. Without a guard it is PT, which always
 * holds. */
static inline uint32_t sass_guard_mask(const struct sass_warp *w,
                                       const struct sass_inst *i)
{
    return w->active & (w->guards[i->guard_at] ^ i->guard_flip);
}

/* Counts an execution where somebody wants the counts of each instruction. They are those
 * of a GPU's profiler, which does not see that a BSYNC or WARPSYNC is repeated. */
static inline void sass_count_inst(struct sass_run_stats *s, uint64_t index,
                                   uint32_t active, uint32_t on)
{
    if (s->exec_counts && active)
        s->exec_counts[index]++;
    if (s->thread_counts)
        s->thread_counts[index] += (uint32_t)__builtin_popcount(active);
    if (s->on_counts)
        s->on_counts[index] += (uint32_t)__builtin_popcount(on);
}

/* What is known of an instruction before it is executed. */
static inline void sass_fill_dyn(struct dyn *d, const struct sass_warp *w,
                                 const struct sass_inst *i, uint32_t mask)
{
    d->inst = &i->base;
    d->seq = w->seq;
    d->active = w->active;
    d->mask = mask;
    d->space = i->base.space;
    d->bar_kind = BAR_NONE;
}

/* Executes an instruction for the lanes of a mask. */
static inline __attribute__((always_inline)) enum exec_result
sass_step(struct sass_warp *w, const struct sass_inst *i, uint32_t mask, uint64_t *time)
{
    if (!i->run)
        return sass_cannot_run(w, i);
    w->seq++;
    ++*time;
    return i->run(w, i, mask);
}

/* The number of the instruction at an offset in the code; far too large, the odd bits
 * being the highest then, if the offset is not a multiple of 16. */
static inline uint64_t sass_index_of(uint64_t offset)
{
    return offset >> 4 | offset << 60;
}

/* The instruction at w->pc; the one after all others, which cannot be executed, if there
 * is none. */
static inline const struct sass_inst *sass_inst_at(const struct sass_warp *w)
{
    const struct sass_module *m = w->block->grid->launch.module;
    uint64_t index = sass_index_of(w->pc - m->code_base);

    return &m->code[index < m->n_code ? index : m->n_code];
}

/* What a warp that has jumped executes next; NULL: nothing for now. */
static inline const struct sass_inst *sass_find_next(struct sass_warp *w)
{
    return converge_pick(w) ? sass_inst_at(w) : NULL;
}

#endif
