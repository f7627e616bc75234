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

struct sass_copy {
    struct copy base; /* first */
    struct sass_copy *next;
    const struct sass_inst *inst;
    uint32_t room; /* for runs */
    uint32_t n_reports;
    bool is_taken;
    struct copy_report {
        uint32_t barrier;
        struct mbarrier_change change;
    } report[WARP_LANES];
};

int copies_begin(struct sass_warp *w, const struct sass_inst *i, enum copy_kind kind)
{
    struct sass_block *b = w->block;
    struct sass_copy *c;

    if (!b->stream.is_timed)
        return 0;
    c = calloc(1, sizeof *c);
    if (!c)
        return err_memory(b->err, "a copy");
    c->base =
        (struct copy){ .kind = (uint8_t)kind,
                       .is_tensor = i->base.op != OP_UBLKCP && i->base.op != OP_UBLKRED,
                       .warp = (uint16_t)w->index,
                       .seq = w->seq - 1 };
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

/* The lanes of an instruction name at most as many barriers as there are lanes. */
bool copies_report(struct sass_block *b, uint32_t barrier,
                   struct mbarrier_change change)
{
    struct sass_copy *c = b->copying;
    struct copy_report *r;
    uint32_t n = 0;

    if (!c)
        return false;
    while (n < c->n_reports && c->report[n].barrier != barrier)
        n++;
    r = &c->report[n];
    if (n == c->n_reports) {
        *r = (struct copy_report){ .barrier = barrier };
        c->n_reports++;
    }
    r->change.arrivals += change.arrivals;
    r->change.bytes += change.bytes;
    r->change.drops |= change.drops;
    c->base.bytes += change.bytes < 0 ? (uint32_t)-change.bytes : 0;
    c->base.to |= (uint16_t)(1u << (barrier >> RANK_SHIFT));
    return true;
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
    uint32_t n = c->n_reports;

    b->err = err;
    c->n_reports = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct copy_report r = c->report[k];

        if (!(ranks >> (r.barrier >> RANK_SHIFT) & 1))
            c->report[c->n_reports++] = r;
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
    int failed = report(b, own, UINT32_MAX, err);

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
