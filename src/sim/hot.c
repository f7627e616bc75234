/* hot.c - counters per instruction, summed; see hot.h. */
#include "sim/hot.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static void free_places(struct hot_kernel *k)
{
    for (uint32_t n = 0; n < k->table.n; n++) {
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
    hot_init(&all[p->n].table);
    all[p->n].place =
        grow_zeros(NULL, &all[p->n].cap_places, 0, sizeof *all[p->n].place);
    if (!all[p->n].place)
        err_memory_exit("counters per instruction");
    all[p->n].place[HOT_NONE] =
        (struct hot_place){ .text = copy_text(""), .loop = NO_LOOP };
    return find_loops(&all[p->n++], k, err) ? NULL : &all[p->n - 1];
}

static struct hot_place find_place(struct hot_profile *p, const struct hot_kernel *to,
                                   const struct kernel *k, const struct hot_row *row)
{
    struct kernel_where where = { 0 };
    struct buf text = { 0 };
    struct hot_place place;

    if (k->ops->text)
        k->ops->text(k, row->inst, &text);
    if (k->ops->where)
        k->ops->where(k, row->inst, &where);
    if (where.why && !p->no_lines)
        p->no_lines = copy_text(where.why);
    place =
        (struct hot_place){ .text = copy_text(buf_text(&text)),
                            .function = copy_text(where.function),
                            .offset =
                                where.function ? where.offset : row->pc - k->first_pc,
                            .file = copy_text(where.file),
                            .line = where.line,
                            .loop = kernel_loop_of(&to->loops, row->pc - k->first_pc) };
    buf_free(&text);
    return place;
}

/* The row of the sum for an SM's row, made if it is new. */
static uint32_t find_row(struct hot_profile *p, struct hot_kernel *to,
                         const struct kernel *k, const struct hot_row *from)
{
    uint32_t n = to->table.n;
    uint32_t row = hot_find(&to->table, from->pc - k->first_pc, NULL);
    struct hot_place *place = to->place;

    if (row < n)
        return row;
    place = grow_zeros(place, &to->cap_places, row, sizeof *place);
    if (!place)
        err_memory_exit("counters per instruction");
    to->place = place;
    place[row] = find_place(p, to, k, from);
    return row;
}

int hot_profile_add(struct hot_profile *p, struct kernel *k, struct hot_table *t,
                    bool is_first, struct err *err)
{
    struct hot_kernel *to = find_kernel(p, k, err);

    if (!to)
        return -1;
    to->n_launches += is_first;
    hot_add_all(&to->table.row[HOT_NONE], &t->row[HOT_NONE]);
    for (uint32_t n = 1; n < t->n; n++) {
        uint32_t row = find_row(p, to, k, &t->row[n]);

        hot_add_all(&to->table.row[row], &t->row[n]);
    }
    hot_clear(t);
    return 0;
}

static struct hot_row sum_rows(const struct hot_profile *p)
{
    struct hot_row sum = { 0 };

    for (uint32_t k = 0; k < p->n; k++)
        for (uint32_t n = 0; n < p->kernel[k].table.n; n++)
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
