/* hot.c - tables of counters per instruction; see hot.h. */
#include "stats/hot.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/grow.h"

const struct hot_column hot_columns[N_HOT] = {
#define COUNT(name, column, sum, unit, help) { column, sum, unit, help },
    HOT_COUNTS(COUNT)
#undef COUNT
};

enum { FIRST_PLACES = 256 };
static const char purpose[] = "counters per instruction";

void hot_init(struct hot_table *t)
{
    *t = (struct hot_table){ .mask = FIRST_PLACES - 1 };
    t->row = grow_zeros(NULL, &t->cap, 0, sizeof *t->row);
    t->place = calloc(FIRST_PLACES, sizeof *t->place);
    if (!t->row || !t->place)
        err_memory_exit(purpose);
    t->n = 1;
}

void hot_free(struct hot_table *t)
{
    free(t->row);
    free(t->place);
    *t = (struct hot_table){ 0 };
}

void hot_clear(struct hot_table *t)
{
    memset(t->place, 0, ((size_t)t->mask + 1) * sizeof *t->place);
    memset(t->row, 0, t->n * sizeof *t->row);
    t->n = 1;
}

static void put_row(struct hot_table *t, uint32_t row)
{
    uint64_t at = t->row[row].pc >> 3;

    while (t->place[at & t->mask])
        at++;
    t->place[at & t->mask] = row;
}

/* Rows but the last are in their places; at most half of these are taken. */
static void grow_places(struct hot_table *t)
{
    free(t->place);
    t->mask = 2 * t->mask + 1;
    t->place = calloc((size_t)t->mask + 1, sizeof *t->place);
    if (!t->place)
        err_memory_exit(purpose);
    for (uint32_t row = 1; row + 1 < t->n; row++)
        put_row(t, row);
}

uint32_t hot_new_row(struct hot_table *t, uint64_t pc, const struct inst *inst)
{
    struct hot_row *row = grow_zeros(t->row, &t->cap, t->n, sizeof *row);

    if (!row)
        err_memory_exit(purpose);
    t->row = row;
    row[t->n].pc = pc;
    row[t->n].inst = inst;
    t->n++;
    if (2 * t->n > t->mask)
        grow_places(t);
    put_row(t, t->n - 1);
    return t->n - 1;
}

void hot_add_all(struct hot_row *to, const struct hot_row *from)
{
    for (unsigned k = 0; k < N_HOT; k++)
        to->count[k] += from->count[k];
    for (unsigned c = 0; c < N_STALL; c++)
        to->slot[c] += from->slot[c];
}

uint64_t hot_lost(const struct hot_row *r)
{
    uint64_t sum = 0;

    for (unsigned c = 0; c < N_STALL; c++)
        sum += c == STALL_issued ? 0 : r->slot[c];
    return sum;
}

enum stall hot_largest(const struct hot_row *r)
{
    enum stall best = STALL_issued;
    uint64_t most = 0;

    for (unsigned c = 0; c < N_STALL; c++)
        if (c != STALL_issued && r->slot[c] > most) {
            most = r->slot[c];
            best = (enum stall)c;
        }
    return best;
}
