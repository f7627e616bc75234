/* listing_distances.c - how far operands are from their producers, beside the listing. */
#include "frontend/sass/print/listing_distances.h"

#include <stdlib.h>

#include "frontend/sass/load/passes.h"

struct sass_inst *listing_mark(const struct labels *l, uint32_t section,
                               struct err *err)
{
    uint64_t n = l->cubin->sections[section].size / 16;
    struct sass_inst *inst = calloc(n + 1, sizeof *inst);

    if (!inst) {
        err_memory(err, "the distances of a listing");
        return NULL;
    }
    for (uint64_t k = 0; k < n; k++)
        labels_decode(l, section, k * 16, &inst[k]);
    if (!sass_mark(inst, n, l->base[section], err))
        return inst;
    free(inst);
    return NULL;
}

static void put_part(const struct inst *i, unsigned first, unsigned n, unsigned none,
                     struct buf *out)
{
    for (unsigned k = first; k < first + n; k++) {
        char name[REGID_NAME];

        regid_name(i->list.reg[k], name);
        buf_printf(out, " %s", name);
        if (i->distance[k] != none)
            buf_printf(out, "^%u", i->distance[k]);
    }
}

void listing_put_distances(const struct inst *i, struct buf *out)
{
    const struct reglist *l = &i->list;

    buf_puts(out, "//");
    put_part(i, 0, l->n_reads, 0, out);
    if (!l->n_writes)
        return;
    buf_puts(out, " ->");
    put_part(i, l->n_reads, l->n_writes, DISTANCE_FAR, out);
}
