/* blocks.c - open blocks of a replayed kernel: each warp decodes its own pieces. */
#include "frontend/replay/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "frontend/replay/phases.h"

static enum stream_status replay_damaged(const struct replayed_block *b, unsigned warp,
                                         struct err *err)
{
    err_set(err, "%s: kernel %s, block %llu, warp %u: instruction %llu is damaged",
            b->of->file, b->of->base.name, (unsigned long long)b->number, warp,
            (unsigned long long)b->warps[warp].d.s.seq);
    return STREAM_ERROR;
}

/* Room for the last names of every warp. */
static int begin_values(struct replayed_block *b, struct err *err)
{
    unsigned n = b->stream.n_warps;
    size_t n_insts = (size_t)b->of->table.n + 1;
    struct value_last *last = calloc(n * n_insts, sizeof *last);

    b->values = calloc(n, sizeof *b->values);
    if (!last || !b->values) {
        free(last);
        return err_memory(err, "the values of a block");
    }
    for (unsigned w = 0; w < n; w++) {
        struct value_decoder *d = &b->values[w].d;

        value_begin(&d->s, &b->of->base, b->number);
        d->s.last = last + w * n_insts;
        d->apart = hash_mix(b->number * n + w + 1);
    }
    return 0;
}

static void end_values(struct replayed_block *b)
{
    for (unsigned w = 0; w < b->stream.n_warps && b->values; w++)
        if (b->values[w].page)
            b->of->release(b->of, b->values[w].page);
    if (b->values)
        free(b->values->d.s.last);
    free(b->values);
}

/* Fills in the values of instructions from the warp's current piece. */
static int fill_values(struct replayed_block *b, unsigned warp, struct dyn *const *dyn,
                       unsigned n, struct err *err)
{
    struct replayed_values *v;

    if (!b->values && begin_values(b, err))
        return -1;
    v = &b->values[warp];
    if (v->piece != b->warps[warp].piece && b->of->follow(b, warp, err))
        return -1;
    for (unsigned k = 0; k < n; k++) {
        uint32_t number = table_find(&b->of->table, dyn[k]->inst->pc);

        if (!value_get(&v->d, b->of->kinds[number], number, dyn[k])) {
            replay_damaged(b, warp, err);
            return -1;
        }
    }
    return 0;
}

/* As stream_ops.run, but what was recorded. */
static enum stream_status replay_recorded(struct stream *s, unsigned warp,
                                          struct dyn *const *dyn, unsigned *n,
                                          struct err *err)
{
    struct replayed_block *b = (struct replayed_block *)s;
    enum decode_status status;
    unsigned limit = *n;

    *n = 0;
    for (;;) {
        unsigned made = limit - *n;
        int more;

        status = decode_run(&b->warps[warp].d, &b->of->table, dyn + *n, &made);
        if (s->wants_values && made && b->of->kinds &&
            fill_values(b, warp, dyn + *n, made, err))
            return STREAM_ERROR;
        *n += made;
        if (status != DECODE_MORE)
            break;
        more = b->of->next_piece(b, warp, err);
        if (more < 0)
            return STREAM_ERROR;
        if (!more)
            return replay_damaged(b, warp, err);
    }
    if (status == DECODE_BAD)
        return replay_damaged(b, warp, err);
    if (b->warps[warp].d.async.is_there && phases_begin(b, warp, dyn[*n - 1]))
        return replay_damaged(b, warp, err);
    return *n ? STREAM_INST : STREAM_END;
}

/* Passes over instructions in whose place the warp has executed others. */
static enum stream_status replay_skip(struct replayed_block *b, unsigned warp,
                                      struct dyn *const *dyn, struct err *err)
{
    enum stream_status status = STREAM_INST;

    for (uint32_t left = phases_skip(b, warp); left && status == STREAM_INST; left--) {
        unsigned one = 1;

        status = replay_recorded(&b->stream, warp, dyn, &one, err);
        b->warps[warp].d.s.seq--;
    }
    return status;
}

static enum stream_status replay_run(struct stream *s, unsigned warp,
                                     struct dyn *const *dyn, unsigned *n,
                                     struct err *err)
{
    struct replayed_block *b = (struct replayed_block *)s;
    enum stream_status status = STREAM_INST;

    if (b->async && phases_play(b, warp, dyn, n))
        return STREAM_INST;
    if (b->async)
        status = replay_skip(b, warp, dyn, err);
    return status == STREAM_INST ? replay_recorded(s, warp, dyn, n, err) : status;
}

static enum stream_status replay_next(struct stream *s, unsigned warp, struct dyn *dyn,
                                      struct err *err)
{
    unsigned n = 1;

    return replay_run(s, warp, &dyn, &n, err);
}

static const struct stream_ops ops = { .next = replay_next, .run = replay_run };
static const struct stream_ops async_ops = { .next = replay_next,
                                             .run = replay_run,
                                             .try_phase = phases_try,
                                             .take_copy = phases_take_copy,
                                             .tell_copy = phases_tell_copy,
                                             .end_copy = phases_end_copy };

struct replayed_block *replayed_open(struct replayed *r, uint64_t block,
                                     struct err *err)
{
    unsigned n = kernel_warps(&r->base);
    struct replayed_block *b;
    size_t size;

    if (block >= r->base.n_blocks) {
        err_set(err, "%s: kernel %s: block %llu, expected below %llu", r->file,
                r->base.name, (unsigned long long)block,
                (unsigned long long)r->base.n_blocks);
        return NULL;
    }
    size = sizeof *b + n * sizeof(struct replayed_warp);
    b = aligned_alloc(_Alignof(struct replayed_block), size);
    if (!b) {
        err_memory(err, "a block");
        return NULL;
    }
    memset(b, 0, size);
    b->stream = (struct stream){ .ops = r->has_async ? &async_ops : &ops,
                                 .n_warps = n,
                                 .is_recorded = true };
    b->of = r;
    b->number = block;
    for (unsigned k = 0; k < n; k++)
        decode_begin(&b->warps[k].d);
    b->next = r->open;
    b->link = &r->open;
    if (b->next)
        b->next->link = &b->next;
    r->open = b;
    r->next = block + 1 > r->next ? block + 1 : r->next;
    return b;
}

static void close_block(struct replayed_block *b)
{
    for (unsigned k = 0; k < b->stream.n_warps; k++)
        if (b->warps[k].page)
            b->of->release(b->of, b->warps[k].page);
    end_values(b);
    phases_free(b);
    *b->link = b->next;
    if (b->next)
        b->next->link = b->link;
    free(b);
}

void replayed_close(struct kernel *k, struct stream *s)
{
    (void)k;
    close_block((struct replayed_block *)s);
}

void replayed_text(const struct kernel *k, const struct inst *i, struct buf *out)
{
    const struct replayed *r = (const struct replayed *)k;
    uint32_t n = table_find(&r->table, i->pc);

    if (n != TABLE_NONE && r->table.text[n])
        buf_puts(out, r->table.text[n]);
}

void replayed_where(const struct kernel *k, const struct inst *i,
                    struct kernel_where *w)
{
    const struct replayed *r = (const struct replayed *)k;
    uint32_t n = table_find(&r->table, i->pc);

    if (n != TABLE_NONE)
        places_find(&r->places, n, w);
}

void replayed_cut(struct kernel *k)
{
    static const struct stream_ops cut_ops = { .next = stream_next_none,
                                               .try_phase = phases_try_cut,
                                               .take_copy = phases_take_copy,
                                               .tell_copy = phases_tell_copy,
                                               .end_copy = phases_end_copy };
    struct replayed *r = (struct replayed *)k;

    k->n_blocks = r->next;
    for (struct replayed_block *b = r->open; b; b = b->next)
        b->stream.ops = &cut_ops;
}

void replayed_free(struct replayed *r)
{
    while (r->open)
        close_block(r->open);
    table_free(&r->table);
    places_free(&r->places);
    polls_free(&r->polls);
    free((void *)(uintptr_t)r->base.name);
    r->base.name = NULL;
}

int replayed_shape(struct replayed *r, struct err *err)
{
    struct kernel *k = &r->base;
    uint64_t blocks = 1, threads = 1, cluster = 1;

    for (unsigned i = 0; i < 3; i++) {
        if (!k->grid[i] || !k->block[i] || k->block[i] > 1024 || !k->cluster_shape[i] ||
            k->cluster_shape[i] > 16 || k->grid[i] % k->cluster_shape[i])
            return err_set(err, "%s: kernel %s: grid, block or cluster has no size",
                           r->file, k->name);
        if (blocks > UINT64_MAX / k->grid[i])
            return err_set(err, "%s: kernel %s: grid too large", r->file, k->name);
        blocks *= k->grid[i];
        threads *= k->block[i];
        cluster *= k->cluster_shape[i];
    }
    if (threads > 2048 || cluster > 16)
        return err_set(err,
                       "%s: kernel %s: blocks of %llu threads, clusters of %llu "
                       "blocks, expected at most 2048 and 16",
                       r->file, k->name, (unsigned long long)threads,
                       (unsigned long long)cluster);
    k->n_blocks = blocks;
    k->threads = (uint32_t)threads;
    k->cluster = (uint32_t)cluster;
    return 0;
}
