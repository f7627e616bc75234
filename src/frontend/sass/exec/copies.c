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
    struct {
        uint32_t barrier, bytes;
    } report[MAX_CLUSTER];
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
    c->next = b->copies;
    b->copies = c;
}

bool copies_report(struct sass_block *b, uint32_t barrier, uint32_t bytes)
{
    struct sass_copy *c = b->copying;

    if (!c || c->n_reports == MAX_CLUSTER)
        return false;
    c->report[c->n_reports].barrier = barrier;
    c->report[c->n_reports++].bytes = bytes;
    c->base.bytes += bytes;
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

static int report(struct sass_block *b, struct sass_copy *c, struct err *err)
{
    struct sass_warp *w = &b->warps[c->base.warp];
    uint32_t n = c->n_reports;

    b->err = err;
    c->n_reports = 0;
    for (uint32_t k = 0; k < n; k++)
        if (async_complete(w, c->inst, c->report[k].barrier, c->report[k].bytes) ==
            EXEC_ERROR)
            return -1;
    return 0;
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
    int failed = report(b, own, err);

    while (*at != own)
        at = &(*at)->next;
    *at = own->next;
    free_copy(own);
    return failed;
}

void copies_report_all(struct sass_block *b, struct err *err)
{
    for (struct sass_copy *c = b->copies; c; c = c->next)
        report(b, c, err);
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
