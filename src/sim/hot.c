/* hot.c - counters per instruction, summed; see hot.h. */
#include "sim/hot.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static void free_places(struct hot_kernel *k)
{
    for (uint32_t n = 0; n < k->index.n; n++) {
        free(k->place[n].text);
        free(k->place[n].function);
        free(k->place[n].file);
    }
    free(k->place);
}

void hot_profile_free(struct hot_profile *p)
{
    for (uint32_t n = 0; n < p->n; n++) {
        struct hot_kernel *k = &p->kernel[n];

        if (k->place)
            free_places(k);
        hot_index_free(&k->index);
        hot_free(&k->table);
        free(k->loops.innermost);
        free(k->loops.loop);
        free(k->no_loops);
        free(k->name);
    }
    free(p->kernel);
    free(p->no_lines);
    *p = (struct hot_profile){ 0 };
}

static char *copy_text(const char *text)
{
    char *copy = text ? strdup(text) : NULL;

    if (text && !copy)
        err_memory_exit("counters per instruction");
    return copy;
}

/* PCs count from the kernel's first, so that they are the same in every run. */
static void rebase_loops(struct kernel_loops *l, uint64_t first_pc)
{
    l->base -= first_pc;
    for (uint32_t n = 0; n < l->n; n++) {
        l->loop[n].header -= first_pc;
        l->loop[n].last -= first_pc;
    }
}

static int find_loops(struct hot_kernel *to, const struct kernel *k, struct err *err)
{
    struct err why = { 0 };

    if (k->ops->loops && !k->ops->loops(k, &to->loops, &why)) {
        rebase_loops(&to->loops, k->first_pc);
        return 0;
    }
    if (why.code == ERR_MEMORY) {
        *err = why;
        return -1;
    }
    to->no_loops = copy_text(why.code ? why.text : "traces have no control flow");
    return 0;
}

static struct hot_kernel *find_kernel(struct hot_profile *p, const struct kernel *k,
                                      struct err *err)
{
    struct hot_kernel *all;

    for (uint32_t n = 0; n < p->n; n++)
        if (p->kernel[n].first_pc == k->first_pc && !strcmp(p->kernel[n].name, k->name))
            return &p->kernel[n];
    all = grow_zeros(p->kernel, &p->cap, p->n, sizeof *all);
    if (!all) {
        err_memory(err, "counters per instruction");
        return NULL;
    }
    p->kernel = all;
    all[p->n] =
        (struct hot_kernel){ .name = copy_text(k->name), .first_pc = k->first_pc };
    hot_index_init(&all[p->n].index);
    hot_reserve(&all[p->n].table, 1);
    all[p->n].place =
        grow_zeros(NULL, &all[p->n].cap_places, 0, sizeof *all[p->n].place);
    if (!all[p->n].place)
        err_memory_exit("counters per instruction");
    all[p->n].place[HOT_NONE] =
        (struct hot_place){ .text = copy_text(""), .loop = NO_LOOP };
    return find_loops(&all[p->n++], k, err) ? NULL : &all[p->n - 1];
}

static struct hot_place find_place(struct hot_profile *p, const struct hot_kernel *to,
                                   const struct kernel *k, const struct hot_key *key)
{
    struct kernel_where where = { 0 };
    struct buf text = { 0 };
    struct hot_place place;

    if (k->ops->text)
        k->ops->text(k, key->inst, &text);
    if (k->ops->where)
        k->ops->where(k, key->inst, &where);
    if (where.why && !p->no_lines)
        p->no_lines = copy_text(where.why);
    place =
        (struct hot_place){ .text = copy_text(buf_text(&text)),
                            .function = copy_text(where.function),
                            .offset =
                                where.function ? where.offset : key->pc - k->first_pc,
                            .file = copy_text(where.file),
                            .line = where.line,
                            .loop = kernel_loop_of(&to->loops, key->pc - k->first_pc) };
    buf_free(&text);
    return place;
}

/* The number that an instruction has in the sum, given if it is new. */
static uint32_t find_number(struct hot_profile *p, struct hot_kernel *to,
                            const struct kernel *k, const struct hot_key *key)
{
    uint32_t n = to->index.n;
    uint32_t number = hot_index_number(&to->index, key->pc - k->first_pc, NULL);
    struct hot_place *place = to->place;

    if (number < n)
        return number;
    hot_reserve(&to->table, number + 1);
    place = grow_zeros(place, &to->cap_places, number, sizeof *place);
    if (!place)
        err_memory_exit("counters per instruction");
    to->place = place;
    place[number] = find_place(p, to, k, key);
    return number;
}

int hot_counts_init(struct hot_counts *c, unsigned n_threads, struct err *err)
{
    hot_index_init(&c->index);
    hot_reserve(&c->memory, 1);
    c->thread = calloc(n_threads, sizeof *c->thread);
    c->n_threads = c->thread ? n_threads : 0;
    return c->thread ? 0 : err_memory(err, "counters per instruction");
}

void hot_counts_free(struct hot_counts *c)
{
    for (unsigned n = 0; n < c->n_threads; n++)
        hot_free(&c->thread[n]);
    free(c->thread);
    hot_free(&c->memory);
    hot_index_free(&c->index);
}

static void add_row(struct hot_row *to, const struct hot_table *t, uint32_t number)
{
    if (number < t->cap)
        hot_add_all(to, &t->row[number]);
}

/* Adds what everybody has counted for a number. */
static void add_counts(struct hot_row *to, const struct hot_counts *c, uint32_t number)
{
    add_row(to, &c->memory, number);
    for (unsigned n = 0; n < c->n_threads; n++)
        add_row(to, &c->thread[n], number);
}

static void clear_counts(struct hot_counts *c)
{
    hot_index_clear(&c->index);
    hot_clear(&c->memory);
    for (unsigned n = 0; n < c->n_threads; n++)
        hot_clear(&c->thread[n]);
}

int hot_profile_add(struct hot_profile *p, struct kernel *k, struct hot_counts *c,
                    struct err *err)
{
    struct hot_kernel *to = find_kernel(p, k, err);
    uint32_t *order;

    if (!to)
        return -1;
    to->n_launches++;
    add_counts(&to->table.row[HOT_NONE], c, HOT_NONE);
    order = hot_index_order(&c->index);
    for (uint32_t n = 0; n + 1 < c->index.n; n++) {
        uint32_t number = find_number(p, to, k, &c->index.key[order[n]]);

        add_counts(&to->table.row[number], c, order[n]);
    }
    free(order);
    clear_counts(c);
    return 0;
}

static struct hot_row sum_rows(const struct hot_profile *p)
{
    struct hot_row sum = { 0 };

    for (uint32_t k = 0; k < p->n; k++)
        for (uint32_t n = 0; n < p->kernel[k].index.n; n++)
            hot_add_all(&sum, &p->kernel[k].table.row[n]);
    return sum;
}

void hot_profile_begin(struct hot_profile *p)
{
    p->before = sum_rows(p);
}

static int report_difference(const char *name, uint64_t sum, uint64_t stat,
                             struct err *err)
{
    return err_kind(err, ERR_WRONG,
                    "--hot: %s: %llu over all instructions, expected %llu as in the "
                    "statistics",
                    name, (unsigned long long)sum, (unsigned long long)stat);
}

int hot_profile_check(const struct hot_profile *p, const struct gpu_result *r,
                      struct err *err)
{
    const struct sm_stats *s = gpu_result_sm(r);
    struct hot_row sum = sum_rows(p);
    uint64_t value;

    for (unsigned k = 0; k < N_HOT; k++)
        if (*hot_columns[k].sum &&
            stat_find(gpu_result_report(r), hot_columns[k].sum, &value) &&
            sum.count[k] - p->before.count[k] != value)
            return report_difference(hot_columns[k].sum,
                                     sum.count[k] - p->before.count[k], value, err);
    for (unsigned c = 0; c < N_STALL; c++) {
        value = 0;
        for (unsigned k = 0; k < MAX_SUBCORES; k++)
            value += s->slot[k][c];
        if (sum.slot[c] - p->before.slot[c] != value)
            return report_difference(stall_name((enum stall)c),
                                     sum.slot[c] - p->before.slot[c], value, err);
    }
    return 0;
}
