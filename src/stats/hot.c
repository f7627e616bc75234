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

enum { FIRST_PLACES = 256, FIRST_ROWS = 64 };
static const char purpose[] = "counters per instruction";

/* Memory that is zero at first. */
static void *new_zeros(size_t n, size_t size)
{
    void *p = calloc(n, size);

    if (!p)
        err_memory_exit(purpose);
    return p;
}

void hot_reserve(struct hot_table *t, uint32_t n)
{
    uint32_t cap = n < FIRST_ROWS ? FIRST_ROWS : 2 * n;
    struct hot_row *row;

    if (n <= t->cap)
        return;
    row = aligned_alloc(HOT_LINE, cap * sizeof *row);
    if (!row)
        err_memory_exit(purpose);
    if (t->cap)
        memcpy(row, t->row, t->cap * sizeof *row);
    memset(row + t->cap, 0, (cap - t->cap) * sizeof *row);
    free(t->row);
    *t = (struct hot_table){ row, cap };
}

void hot_clear(struct hot_table *t)
{
    if (t->cap)
        memset(t->row, 0, t->cap * sizeof *t->row);
}

void hot_free(struct hot_table *t)
{
    free(t->row);
    *t = (struct hot_table){ 0 };
}

/* Places without numbers; at most half of them will be taken. */
static void set_places(struct hot_index *x, uint32_t n_places)
{
    free(x->place);
    x->mask = n_places - 1;
    x->place = new_zeros(n_places, sizeof *x->place);
}

static void put_number(struct hot_index *x, uint32_t number)
{
    uint64_t at = x->key[number].pc >> 3;

    while (x->place[at & x->mask])
        at++;
    x->place[at & x->mask] = number;
}

void hot_index_init(struct hot_index *x)
{
    *x = (struct hot_index){ .n = 1 };
    x->key = grow_zeros(NULL, &x->cap, 0, sizeof *x->key);
    if (!x->key)
        err_memory_exit(purpose);
    set_places(x, FIRST_PLACES);
    pthread_mutex_init(&x->lock, NULL);
}

void hot_index_free(struct hot_index *x)
{
    if (x->key)
        pthread_mutex_destroy(&x->lock);
    free(x->key);
    free(x->place);
    *x = (struct hot_index){ 0 };
}

void hot_index_clear(struct hot_index *x)
{
    memset(x->place, 0, ((size_t)x->mask + 1) * sizeof *x->place);
    x->n = 1;
}

static uint32_t find_number(const struct hot_index *x, uint64_t pc)
{
    uint64_t at = pc >> 3;

    while (x->place[at & x->mask] && x->key[x->place[at & x->mask]].pc != pc)
        at++;
    return x->place[at & x->mask];
}

static uint32_t new_number(struct hot_index *x, uint64_t pc, const struct inst *inst)
{
    struct hot_key *key = grow_zeros(x->key, &x->cap, x->n, sizeof *key);

    if (!key)
        err_memory_exit(purpose);
    x->key = key;
    key[x->n++] = (struct hot_key){ pc, inst };
    if (2 * x->n > x->mask) {
        set_places(x, 2 * (x->mask + 1));
        for (uint32_t k = 1; k + 1 < x->n; k++)
            put_number(x, k);
    }
    put_number(x, x->n - 1);
    return x->n - 1;
}

uint32_t hot_index_number(struct hot_index *x, uint64_t pc, const struct inst *inst)
{
    uint32_t number;

    pthread_mutex_lock(&x->lock);
    number = find_number(x, pc);
    if (!number)
        number = new_number(x, pc, inst);
    pthread_mutex_unlock(&x->lock);
    return number;
}

uint32_t hot_index_size(struct hot_index *x)
{
    uint32_t n;

    pthread_mutex_lock(&x->lock);
    n = x->n;
    pthread_mutex_unlock(&x->lock);
    return n;
}

static int compare_keys(const void *a, const void *b)
{
    const struct hot_number *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

uint32_t *hot_index_order(const struct hot_index *x)
{
    struct hot_number *by_pc = new_zeros(x->n, sizeof *by_pc);
    uint32_t *order = new_zeros(x->n, sizeof *order);

    for (uint32_t k = 1; k < x->n; k++)
        by_pc[k - 1] = (struct hot_number){ x->key[k].pc, k };
    qsort(by_pc, x->n - 1, sizeof *by_pc, compare_keys);
    for (uint32_t k = 0; k + 1 < x->n; k++)
        order[k] = by_pc[k].number;
    free(by_pc);
    return order;
}

static void set_known(struct hot_known *k, uint32_t n_places)
{
    *k = (struct hot_known){ .mask = n_places - 1,
                             .at = new_zeros(n_places, sizeof *k->at) };
}

void hot_known_init(struct hot_known *k)
{
    set_known(k, FIRST_PLACES);
}

void hot_known_free(struct hot_known *k)
{
    free(k->at);
    *k = (struct hot_known){ 0 };
}

void hot_known_clear(struct hot_known *k)
{
    memset(k->at, 0, ((size_t)k->mask + 1) * sizeof *k->at);
    k->n = 0;
}

static void put_known(struct hot_known *k, struct hot_number number)
{
    uint64_t at = number.pc >> 3;

    while (k->at[at & k->mask].number)
        at++;
    k->at[at & k->mask] = number;
    k->n++;
}

void hot_known_add(struct hot_known *k, uint64_t pc, uint32_t number)
{
    if (2 * (k->n + 1) > k->mask) {
        struct hot_known old = *k;

        set_known(k, 2 * (old.mask + 1));
        for (uint32_t n = 0; n <= old.mask; n++)
            if (old.at[n].number)
                put_known(k, old.at[n]);
        hot_known_free(&old);
    }
    put_known(k, (struct hot_number){ pc, number });
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
