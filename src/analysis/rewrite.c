/* rewrite.c - a program with instructions inserted. */
#include "analysis/rewrite.h"

#include <stdlib.h>
#include <string.h>

int insertions_add(struct insertions *s, struct insertion i)
{
    if (s->n == s->size) {
        size_t size = s->size ? 2 * s->size : 16;
        struct insertion *at = realloc(s->at, size * sizeof *at);

        if (!at)
            return -1;
        s->at = at;
        s->size = size;
    }
    s->at[s->n++] = i;
    return 0;
}

void insertions_free(struct insertions *s)
{
    free(s->at);
    *s = (struct insertions){ .n = 0 };
}

static bool comes_first(const struct insertion *a, const struct insertion *b)
{
    return a->place != b->place ? a->place < b->place : a->is_skipped && !b->is_skipped;
}

/* Plans grow at one place at a time, so they are nearly sorted. */
void insertions_sort(struct insertions *s)
{
    for (size_t k = 1; k < s->n; k++) {
        struct insertion i = s->at[k];
        size_t at = k;

        for (; at && comes_first(&i, &s->at[at - 1]); at--)
            s->at[at] = s->at[at - 1];
        s->at[at] = i;
    }
}

bool loop_can_align(const struct code_line *code, size_t n, const struct code_loop *l)
{
    const struct code_line *above = &code[l->first - 1];

    if (!l->first || code[l->first].is_entry || !code[l->last].keeps_together ||
        above->stops || (above->inst->flags & INST_CONTROL && !above->keeps_together))
        return false;
    for (size_t i = 0; i < n; i++)
        if (i != l->last && code[i].target == (int64_t)l->first)
            return false;
    return true;
}

static struct inst inserted_inst(unsigned reg)
{
    struct inst i = { .class = CLASS_none };

    if (reg != NO_REG) {
        bool is_uniform = (reg >= REGID_UR && reg < REGID_P) || reg >= REGID_UP;

        i.class = is_uniform ? CLASS_uniform : CLASS_int;
        regset_add(&i.reads, reg);
        regset_add(&i.writes, reg);
    }
    inst_index(&i);
    return i;
}

static void put_inserted(struct rewritten *r, size_t place, unsigned reg)
{
    r->inst[r->n] = inserted_inst(reg);
    r->line[r->n] = (struct code_line){ .target = CODE_NONE };
    r->origin[r->n] = (uint32_t)place;
    r->is_inserted[r->n++] = true;
}

static bool allocate(struct rewritten *r, size_t n_old, size_t n)
{
    r->line = calloc(n + 1, sizeof *r->line);
    r->inst = calloc(n + 1, sizeof *r->inst);
    r->origin = calloc(n + 1, sizeof *r->origin);
    r->is_inserted = calloc(n + 1, sizeof *r->is_inserted);
    r->is_target = calloc(n + 1, sizeof *r->is_target);
    r->at = calloc(n_old + 1, sizeof *r->at);
    return r->line && r->inst && r->origin && r->is_inserted && r->is_target && r->at;
}

/* Jumps lead to the first inserted instruction that they do not skip. */
static void link_jumps(struct rewritten *r, size_t n, const uint32_t *lands)
{
    for (size_t i = 0; i < r->n; i++) {
        struct code_line *line = &r->line[i];

        line->inst = &r->inst[i];
        if (line->is_entry)
            r->is_target[i] = true;
        if (line->target < 0 || (size_t)line->target >= n)
            continue;
        line->target = lands[line->target];
        r->is_target[line->target] = true;
    }
}

int rewrite_make(struct rewritten *r, const struct code_line *code, size_t n,
                 const struct insertions *plan, struct err *err)
{
    uint32_t *lands = calloc(n + 1, sizeof *lands);
    const struct insertion *next = plan->at, *end = plan->at + plan->n;

    *r = (struct rewritten){ .n = 0 };
    if (!lands || !allocate(r, n, n + plan->n)) {
        free(lands);
        rewrite_free(r);
        return err_memory(err, "a rewritten kernel");
    }
    for (size_t i = 0; i < n; i++) {
        for (; next < end && next->place == i && next->is_skipped; next++)
            put_inserted(r, i ? i - 1 : 0, next->reg);
        lands[i] = (uint32_t)r->n;
        for (; next < end && next->place == i; next++)
            put_inserted(r, i, next->reg);
        r->at[i] = (uint32_t)r->n;
        r->inst[r->n] = *code[i].inst;
        r->line[r->n] = code[i];
        r->origin[r->n++] = (uint32_t)i;
    }
    link_jumps(r, n, lands);
    free(lands);
    return 0;
}

void rewrite_free(struct rewritten *r)
{
    free(r->line);
    free(r->inst);
    free(r->origin);
    free(r->is_inserted);
    free(r->is_target);
    free(r->at);
    *r = (struct rewritten){ .n = 0 };
}
