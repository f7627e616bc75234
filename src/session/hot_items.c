/* hot_items.c - counters of one or two runs joined and added up; see hot_items.h. */
#include "session/hot_items.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void hot_runs_free(struct hot_runs *r)
{
    for (unsigned s = 0; s < HOT_SIDES; s++)
        hot_profile_free(&r->profile[s]);
}

/* The kernel with this name in a run, after so many others of the name. */
static const struct hot_kernel *find_kernel(const struct hot_profile *p,
                                            const char *name, uint32_t nth)
{
    for (uint32_t k = 0; k < p->n; k++)
        if (!strcmp(p->kernel[k].name, name) && !nth--)
            return &p->kernel[k];
    return NULL;
}

/* How many kernels before this one have its name. */
static uint32_t count_before(const struct hot_profile *p, uint32_t at)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < at; k++)
        n += !strcmp(p->kernel[k].name, p->kernel[at].name);
    return n;
}

bool hot_pair_at(const struct hot_runs *r, uint32_t n, struct hot_pair *pair)
{
    const struct hot_profile *a = &r->profile[0], *b = &r->profile[1];

    *pair = (struct hot_pair){ 0 };
    if (n < a->n) {
        pair->side[0] = &a->kernel[n];
        pair->side[1] = find_kernel(b, a->kernel[n].name, count_before(a, n));
        return true;
    }
    n -= a->n;
    for (uint32_t k = 0; k < b->n; k++) {
        if (find_kernel(a, b->kernel[k].name, count_before(b, k)) || n--)
            continue;
        pair->side[1] = &b->kernel[k];
        return true;
    }
    return false;
}

const struct hot_kernel *hot_pair_any(const struct hot_pair *pair)
{
    return pair->side[0] ? pair->side[0] : pair->side[1];
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Does an instruction belong to the item at this level? */
static bool is_part(const struct hot_item *i, const struct hot_place *p, uint64_t pc,
                    enum hot_level level)
{
    switch (level) {
    case HOT_BY_LINE:
        return i->place->line == p->line && is_same_text(i->place->file, p->file);
    case HOT_BY_FUNCTION:
        return is_same_text(i->place->function, p->function);
    default:
        return i->pc == pc;
    }
}

static struct hot_item *add_item(struct hot_items *items, const struct hot_item *item)
{
    struct hot_item *all = grow_zeros(items->at, &items->cap, items->n, sizeof *all);

    if (!all)
        err_memory_exit("counters per instruction");
    items->at = all;
    all[items->n] = *item;
    return &all[items->n++];
}

static int compare_items(const void *a, const void *b)
{
    const struct hot_item *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* The instruction among those of the other side: no two rows of a side have the same PC. */
static struct hot_item *find_inst(struct hot_items *items, uint64_t pc)
{
    struct hot_item key = { .pc = pc };

    return items->n_sorted
               ? bsearch(&key, items->at, items->n_sorted, sizeof key, compare_items)
               : NULL;
}

/* The item that a row goes to, made if it is new. (perf: neighbours are most often of the
 * same item, so the last ones are looked at first.) */
static struct hot_item *find_item(struct hot_items *items, const struct hot_place *p,
                                  uint64_t pc, enum hot_level level)
{
    struct hot_item *inst = level == HOT_BY_INST ? find_inst(items, pc) : NULL;

    if (inst)
        return inst;
    for (uint32_t n = level == HOT_BY_INST ? 0 : items->n; n--;)
        if (is_part(&items->at[n], p, pc, level)) {
            struct hot_item *i = &items->at[n];

            i->place = pc < i->pc ? p : i->place;
            i->pc = pc < i->pc ? pc : i->pc;
            return i;
        }
    return add_item(items, &(struct hot_item){ .pc = pc, .place = p, .loop = p->loop });
}

static struct hot_item *find_loop(struct hot_items *items, uint32_t loop)
{
    for (uint32_t n = 0; n < items->n; n++)
        if (items->at[n].loop == loop)
            return &items->at[n];
    return NULL;
}

/* Counts for a loop and those around it; pcs are in order, so the first is the header's
 * or, of an entry below it, the lowest that ran. */
static void add_to_loops(struct hot_items *items, const struct hot_kernel *k,
                         uint32_t row, unsigned side)
{
    const struct hot_place *p = &k->place[row];

    for (uint32_t l = p->loop; l != NO_LOOP; l = k->loops.loop[l].parent) {
        struct hot_item *i = find_loop(items, l);

        if (!i)
            i = add_item(items, &(struct hot_item){ .pc = k->loops.loop[l].header,
                                                    .place = p,
                                                    .loop = l });
        hot_add_all(&i->row[side], &k->table.row[row]);
    }
}

static void sort_items(struct hot_items *items)
{
    if (items->n)
        qsort(items->at, items->n, sizeof *items->at, compare_items);
    items->n_sorted = items->n;
}

static void add_side(struct hot_items *items, const struct hot_kernel *k, unsigned side,
                     enum hot_level level)
{
    if (level == HOT_BY_INST)
        sort_items(items);
    for (uint32_t n = 1; n < k->index.n; n++) {
        const struct hot_place *p = &k->place[n];

        if (level == HOT_BY_LOOP)
            add_to_loops(items, k, n, side);
        else if (level != HOT_BY_LINE || p->file)
            hot_add_all(&find_item(items, p, k->index.key[n].pc, level)->row[side],
                        &k->table.row[n]);
    }
}

void hot_items_make(struct hot_items *items, const struct hot_pair *pair,
                    enum hot_level level)
{
    *items = (struct hot_items){ 0 };
    for (unsigned s = 0; s < HOT_SIDES; s++)
        if (pair->side[s])
            add_side(items, pair->side[s], s, level);
    sort_items(items);
}

void hot_items_free(struct hot_items *items)
{
    free(items->at);
    *items = (struct hot_items){ 0 };
}

struct hot_row hot_pair_none(const struct hot_pair *pair, unsigned side)
{
    return pair->side[side] ? pair->side[side]->table.row[HOT_NONE]
                            : (struct hot_row){ 0 };
}

struct hot_row hot_pair_sum(const struct hot_pair *pair, unsigned side)
{
    struct hot_row sum = { 0 };

    for (uint32_t n = 0; pair->side[side] && n < pair->side[side]->index.n; n++)
        hot_add_all(&sum, &pair->side[side]->table.row[n]);
    return sum;
}

uint64_t hot_slots(const struct hot_row *r)
{
    return hot_lost(r) + r->slot[STALL_issued];
}
