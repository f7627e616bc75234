/* exec.c - a block as a stream: its warps' instructions, executed as they are taken.
 *
 * Not modelled functionally: asynchronous completion. Copies (LDGSTS) and barriers on
 * scoreboards complete at once, so DEPBAR and the like have nothing to wait for. In timed
 * runs the bytes of bulk copies are counted on barriers when the pipeline says so, and
 * barriers in shared memory change when their instructions issue.
 */
#include "frontend/sass/exec/exec.h"

#include <string.h>

#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/step.h"
#include "frontend/sass/exec/value.h"
#include "frontend/sass/print/disasm.h"

/* repeats: lanes for which the execution is not counted by instruction. */
static void count_executed(const struct sass_grid *g, const struct dyn *d,
                           uint32_t repeats)
{
    const struct sass_inst *i = (const struct sass_inst *)d->inst;
    struct sass_run_stats *s = g->stats;

    s->warp_insts++;
    s->thread_insts += (uint32_t)__builtin_popcount(d->active);
    sass_count_inst(s, (uint64_t)(i - g->launch.module->code), d->active & ~repeats,
                    d->mask & ~repeats);
}

/* Tensor memory and the products that work on it, from sm_100 to sm_110. */
static bool is_fifth_generation(const struct sass_inst *i)
{
    switch (i->row ? i->base.op : N_SASS_OP) {
    case OP_UTCMMA:
    case OP_UTCCP:
    case OP_UTCSHIFT:
    case OP_UTCBAR:
    case OP_UTCATOMSWS:
    case OP_UTCATOMSWS_FIND:
    case OP_UVIRTCOUNT:
    case OP_LDTM:
    case OP_LDTM_STAT:
    case OP_STTM:
        return true;
    default:
        return false;
    }
}

/* "UTCHMMA (fifth-generation tensor core) is not supported" */
static enum exec_result refuse_fifth_generation(struct sass_warp *w,
                                                const struct sass_inst *i)
{
    struct sass_inst bare = *i; /* without its guard */
    struct buf text = { 0 };
    enum exec_result failed;

    bare.guard = PRED_PT;
    bare.guard_not = false;
    sass_print(&text, &bare, NULL);
    failed = sass_fault(w, i, ERR_UNSUPPORTED,
                        "%.*s (fifth-generation tensor core) is not supported",
                        (int)strcspn(buf_text(&text), ". "), buf_text(&text));
    buf_free(&text);
    return failed;
}

/* What a GPU makes of a jump to where there is no code: it finds no instruction in the
 * rest of its code's pages, and no page elsewhere. */
static enum err_code judge_jump(const struct sass_module *m, uint64_t pc)
{
    enum { PAGE_BITS = 21 };
    uint64_t last = m->code_base + m->n_code * 16 - 1;

    if (pc % 16)
        return ERR_PC;
    if (pc >> PAGE_BITS < m->code_base >> PAGE_BITS ||
        pc >> PAGE_BITS > last >> PAGE_BITS)
        return ERR_FAULT;
    return ERR_ILLEGAL;
}

enum exec_result sass_cannot_run(struct sass_warp *w, const struct sass_inst *i)
{
    const struct sass_launch *l = &w->block->grid->launch;

    if (is_fifth_generation(i))
        return refuse_fifth_generation(w, i);
    if (i < l->module->code + l->module->n_code)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported instruction");
    err_kind(w->block->err, judge_jump(l->module, w->pc),
             "kernel %s: jump to 0x%llx, which is not code of its module",
             l->kernel->info->name, (unsigned long long)w->pc);
    return EXEC_ERROR;
}

static enum stream_status block_run(struct stream *s, unsigned warp,
                                    struct dyn *const *dyn, unsigned *n,
                                    struct err *err)
{
    struct sass_block *b = (struct sass_block *)s;
    struct sass_warp *w = &b->warps[warp];
    const struct sass_inst *i = sass_find_next(w);
    struct dyn *const *end = dyn + *n, *const *at = dyn;
    uint64_t *time = s->is_timed ? &b->steps : &b->grid->time;

    *n = 0;
    if (!i)
        return w->exited == ALL_LANES ? STREAM_END : STREAM_WAIT;
    b->err = err;
    while (at < end) {
        struct dyn *d = w->dyn = *at++;
        uint32_t mask = sass_guard_mask(w, i);
        enum exec_result r;

        sass_fill_dyn(d, w, i, mask);
        r = sass_step(w, i++, mask, time);
        if (s->wants_values && r != EXEC_ERROR)
            sass_value(w, d);
        if (r == EXEC_NEXT) {
            d->next_pc = w->pc += 16;
            continue;
        }
        if (r == EXEC_ERROR)
            return STREAM_ERROR;
        i = sass_find_next(w);
        d->next_pc = i ? w->pc : 0;
        if (!i || dyn_waits(d) || d->inst->flags & (INST_TIME | INST_PHASE) ||
            w->repeats & w->active)
            break;
    }
    w->dyn = NULL;
    *n = (unsigned)(at - dyn);
    return STREAM_INST;
}

static enum stream_status block_next(struct stream *s, unsigned warp, struct dyn *dyn,
                                     struct err *err)
{
    static const uint8_t turns[] = { [TURN_GOES_ON] = STREAM_GOES_ON,
                                     [TURN_ENDS_NOW] = STREAM_TURN,
                                     [TURN_ENDS_NEAR] = STREAM_NEAR,
                                     [TURN_ENDS_FAR] = STREAM_FAR };
    struct sass_warp *w = &((struct sass_block *)s)->warps[warp];
    enum stream_status status;
    unsigned n = 1;

    w->slept = false;
    status = s->ops->run(s, warp, &dyn, &n, err);
    if (status == STREAM_INST)
        s->turn = w->slept ? STREAM_SLEPT
                           : turns[((const struct sass_inst *)dyn->inst)->turn];
    return status;
}

/* The instruction read an old time when it was executed, and nothing since then; it reads
 * the time again. */
static void block_tell_time(struct stream *s, unsigned warp, uint64_t seq,
                            uint64_t cycle, uint64_t ns)
{
    struct sass_block *b = (struct sass_block *)s;
    struct sass_warp *w = &b->warps[warp];
    const struct sass_inst *i = w->late;

    (void)seq;
    b->told = (struct sass_time){ cycle, ns };
    if (i)
        i->run(w, i, sass_guard_mask(w, i));
    w->late = NULL;
}

/* The operation on a barrier was executed without effect, and nothing since then. */
static int block_try_phase(struct stream *s, unsigned warp, bool gives_up,
                           struct err *err)
{
    struct sass_block *b = (struct sass_block *)s;
    struct sass_warp *w = &b->warps[warp];
    const struct sass_inst *i = w->late;
    enum exec_result r;

    if (!i)
        return 1;
    b->err = err;
    b->phase = gives_up ? PHASE_LAST : PHASE_TRY;
    b->phase_waits = false;
    r = i->run(w, i, sass_guard_mask(w, i));
    b->phase = PHASE_EARLY;
    if (r == EXEC_ERROR)
        return -1;
    if (!b->phase_waits)
        w->late = NULL;
    return !b->phase_waits;
}

#define TIMED_OPS                                               \
    .tell_time = block_tell_time, .try_phase = block_try_phase, \
    .take_copy = copies_take, .tell_copy = copies_tell, .end_copy = copies_end
static const struct stream_ops block_ops = { .next = block_next,
                                             .run = block_run,
                                             TIMED_OPS };

/* For who counts executions. */
static enum stream_status block_run_counted(struct stream *s, unsigned warp,
                                            struct dyn *const *dyn, unsigned *n,
                                            struct err *err)
{
    const struct sass_block *b = (struct sass_block *)s;
    uint32_t repeats = b->warps[warp].repeats;
    enum stream_status status = block_run(s, warp, dyn, n, err);

    for (unsigned k = 0; k < *n; k++, repeats = 0) /* a repeated one is the first */
        count_executed(b->grid, dyn[k], repeats);
    return status;
}

struct stream *sass_block_stream(struct sass_block *b)
{
    static const struct stream_ops counted_ops = { .next = block_next,
                                                   .run = block_run_counted,
                                                   TIMED_OPS };

    b->stream.ops = b->grid->stats ? &counted_ops : &block_ops;
    b->stream.n_warps = b->n_warps;
    return &b->stream;
}

void sass_block_cut(struct sass_block *b)
{
    static const struct stream_ops ops = { .next = stream_next_none, TIMED_OPS };
    struct err ignored = { 0 }; /* addresses were checked when it was executed */

    for (unsigned k = 0; k < b->n_warps; k++)
        if (b->warps[k].late && b->warps[k].late->base.flags & INST_PHASE)
            block_try_phase(&b->stream, k, true, &ignored);
    copies_report_all(b, &ignored);
    b->stream.ops = &ops;
}
