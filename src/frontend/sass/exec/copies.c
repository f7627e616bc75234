/* copies.c - bulk and tensor copies of a timed run, from their execution to the time that
 * the pipeline gives for their end.
 *
 * The bytes are moved when the instruction is executed: a program that reads them before
 * the copy's barrier says so, or changes what is copied meanwhile, is wrong. Only what the
 * barriers are told comes later.
 */
#include <stdlib.h>

#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/grid.h"

struct sass_copy {
    struct copy base; /* first */
    struct sass_copy *next;
    const struct sass_inst *inst;
    uint32_t room; /* for runs */
    bool is_taken;
    struct barrier_op
        op[WARP_LANES]; /* lanes name no more barriers than there are lanes */
};

int copies_begin(struct sass_warp *w, const struct sass_inst *i, enum copy_kind kind)
{
    struct sass_block *b = w->block;
    struct sass_copy *c;

    if (!b->stream.is_timed && !b->stream.wants_async)
        return 0;
    c = calloc(1, sizeof *c);
    if (!c)
        return err_memory(b->err, "a copy");
    c->base =
        (struct copy){ .kind = (uint8_t)kind,
                       .is_tensor = i->base.op != OP_UBLKCP && i->base.op != OP_UBLKRED,
                       .warp = (uint16_t)w->index,
                       .seq = w->seq - 1 };
    c->base.op = c->op;
    c->inst = i;
    b->copying = c;
    return 0;
}

int copies_add_run(struct sass_block *b, uint64_t addr, uint32_t bytes)
{
    struct sass_copy *c = b->copying;
    struct copy_run *more;

    if (!c)
        return 0;
    if (c->base.n_runs == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        more = realloc(c->base.run, c->room * sizeof *more);
        if (!more)
            return err_memory(b->err, "a copy");
        c->base.run = more;
    }
    c->base.run[c->base.n_runs++] = (struct copy_run){ addr, bytes };
    return 0;
}

void copies_name_map(struct sass_block *b, uint64_t addr)
{
    if (!b->copying)
        return;
    b->copying->base.map = addr;
    b->copying->base.has_param = sass_params_at(b->grid, addr) != NULL;
}

void copies_finish(struct sass_block *b)
{
    struct sass_copy *c = b->copying;

    if (!c)
        return;
    b->copying = NULL;
    if (c->base.to == 1u << b->rank && c->base.kind != COPY_SENT)
        c->base.to = 0;
    c->next = b->copies;
    b->copies = c;
}

/* Several reports to one barrier become one. */
bool copies_report(struct sass_block *b, uint32_t barrier,
                   struct mbarrier_change change)
{
    struct sass_copy *c = b->copying;
    struct barrier_op *r;
    uint32_t n = 0;

    if (!c)
        return false;
    while (n < c->base.n_ops && c->op[n].barrier != barrier)
        n++;
    r = &c->op[n];
    if (n == c->base.n_ops) {
        *r = (struct barrier_op){ .barrier = barrier, .times = 1 };
        c->base.n_ops++;
    }
    r->change.arrivals += change.arrivals;
    r->change.bytes += change.bytes;
    r->change.drops |= change.drops;
    c->base.bytes += change.bytes < 0 ? (uint32_t)-change.bytes : 0;
    c->base.to |= (uint16_t)(1u << (barrier >> RANK_SHIFT));
    return b->stream.is_timed;
}

static bool is_same_op(const struct barrier_op *a, const struct barrier_op *b)
{
    if (a->barrier != b->barrier || a->kind != b->kind)
        return false;
    switch ((enum barrier_op_kind)a->kind) {
    case BARRIER_CHANGE:
        return a->change.arrivals == b->change.arrivals &&
               a->change.bytes == b->change.bytes && a->change.drops == b->change.drops;
    case BARRIER_WAIT:
        return a->parity == b->parity;
    default:
        return false;
    }
}

void copies_note_op(struct sass_block *b, struct barrier_op op)
{
    struct copy *c = &b->copying->base;
    struct barrier_op *last = c->n_ops ? &c->op[c->n_ops - 1] : NULL;

    if (last && is_same_op(last, &op)) {
        last->times++;
        return;
    }
    op.times = 1;
    c->op[c->n_ops++] = op;
}

void copies_give_up(struct sass_block *b, bool gives_up)
{
    b->copying->base.gave_up = gives_up;
}

struct copy *copies_take(struct stream *s, unsigned warp, uint64_t seq)
{
    struct sass_copy *c = ((struct sass_block *)s)->copies;

    while (c && (c->is_taken || c->base.warp != warp || c->base.seq != seq))
        c = c->next;
    if (!c)
        return NULL;
    c->is_taken = true;
    return &c->base;
}

/* Tells the barriers in shared memory of these blocks, by rank, as bits. */
static int report(struct sass_block *b, struct sass_copy *c, uint32_t ranks,
                  struct err *err)
{
    struct sass_warp *w = &b->warps[c->base.warp];
    uint32_t n = c->base.n_ops;

    b->err = err;
    c->base.n_ops = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct barrier_op r = c->op[k];

        if (!(ranks >> (r.barrier >> RANK_SHIFT) & 1))
            c->op[c->base.n_ops++] = r;
        else if (async_change(w, c->inst, r.barrier, r.change) == EXEC_ERROR)
            return -1;
    }
    return 0;
}

int copies_tell(struct stream *s, struct copy *c, unsigned rank, struct err *err)
{
    return report((struct sass_block *)s, (struct sass_copy *)c, 1u << rank, err);
}

static void free_copy(struct sass_copy *c)
{
    free(c->base.run);
    free(c);
}

int copies_end(struct stream *s, struct copy *c, struct err *err)
{
    struct sass_block *b = (struct sass_block *)s;
    struct sass_copy *own = (struct sass_copy *)c, **at = &b->copies;
    int failed = b->stream.is_timed ? report(b, own, UINT32_MAX, err) : 0;

    while (*at != own)
        at = &(*at)->next;
    *at = own->next;
    free_copy(own);
    return failed;
}

void copies_report_all(struct sass_block *b, struct err *err)
{
    for (struct sass_copy *c = b->copies; c; c = c->next)
        report(b, c, UINT32_MAX, err);
}

void copies_free(struct sass_block *b)
{
    while (b->copies) {
        struct sass_copy *c = b->copies;

        b->copies = c->next;
        free_copy(c);
    }
    if (b->copying)
        free_copy(b->copying);
    b->copying = NULL;
}
