/* repeats.c - executions of instructions, grouped with equal executions by other warps.
 *
 * A table has a line for each static instruction, and there an entry for its first,
 * second and every further execution in a warp. There is a table for each running
 * block, whose redundant entries are counted when it ends, and one for the grid.
 */
#include "analysis/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"

enum { MAX_CODE = 1 << 20 }; /* static instructions */

/* An execution by several warps. */
struct entry {
    uint64_t digest;
    uint32_t n; /* warps */
    uint8_t shape;
    bool differs;
};

struct line {
    struct entry *at;
    uint32_t n;
};

struct table {
    struct line *line;
    uint32_t n;
};

/* The contents of a warp's registers, and how often it has executed each
 * instruction. */
struct warp {
    uint32_t lanes; /* that it began with */
    uint32_t *times;
    uint32_t n_times;
    uint64_t digest[N_REGID];
    uint8_t shape[N_REGID];
};

struct repeats_block {
    struct table table;
    unsigned n_warps;
    struct warp warp[];
};

struct repeats {
    const struct kernel *kernel;
    uint64_t n_warps;
    struct table grid;
    struct repeats_counts counts; /* all but grid */
};

static int no_memory(struct err *err)
{
    return err_memory(err, "the repeated instructions");
}

struct repeats *repeats_new(const struct kernel *k, struct err *err)
{
    struct repeats *r = calloc(1, sizeof *r);

    if (!r) {
        no_memory(err);
        return NULL;
    }
    r->kernel = k;
    r->n_warps = k->n_blocks * kernel_warps(k);
    return r;
}

static void table_free(struct table *t)
{
    for (uint32_t k = 0; k < t->n; k++)
        free(t->line[k].at);
    free(t->line);
}

void repeats_free(struct repeats *r)
{
    if (r)
        table_free(&r->grid);
    free(r);
}

struct repeats_block *repeats_open(struct repeats *r, unsigned n_warps, struct err *err)
{
    struct repeats_block *b = calloc(1, sizeof *b + n_warps * sizeof *b->warp);

    (void)r;
    if (!b) {
        no_memory(err);
        return NULL;
    }
    b->n_warps = n_warps;
    return b;
}

void repeats_drop(struct repeats_block *b)
{
    for (unsigned k = 0; k < b->n_warps; k++)
        free(b->warp[k].times);
    table_free(&b->table);
    free(b);
}

/* The count of the warp's executions of an instruction, this one included. NULL: no
 * memory. */
static uint32_t *times_at(struct warp *w, uint32_t place)
{
    uint32_t *times = grow_zeros(w->times, &w->n_times, place, sizeof *times);

    if (!times)
        return NULL;
    w->times = times;
    return &times[place];
}

static struct entry *entry_at(struct table *t, uint32_t place, uint32_t time)
{
    struct line *l = grow_zeros(t->line, &t->n, place, sizeof *l);
    struct entry *at;

    if (!l)
        return NULL;
    t->line = l;
    l += place;
    at = grow_zeros(l->at, &l->n, time, sizeof *at);
    if (!at)
        return NULL;
    l->at = at;
    return &at[time];
}

/* A value for the instruction's sources. An instruction without source registers reads
 * constants or, as its result shows, a special register. */
static struct value sources_of(const struct warp *w, const struct dyn *d)
{
    struct value v = { .digest = d->mask, .shape = VALUE_UNIFORM };
    bool has_any = false;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = d->inst->reads.w[k]; m; m &= m - 1) {
            unsigned reg = k * 64 + (unsigned)__builtin_ctzll(m);

            v.digest = hash_mix(v.digest ^ w->digest[reg]);
            if (w->shape[reg] > v.shape)
                v.shape = w->shape[reg];
            has_any = true;
        }
    if (!has_any)
        v.shape = d->value.shape;
    return v;
}

/* A write by some lanes keeps the register's value in the others. */
static void write_registers(struct warp *w, const struct dyn *d)
{
    bool is_whole = d->mask == w->lanes;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = d->inst->writes.w[k]; m; m &= m - 1) {
            unsigned reg = k * 64 + (unsigned)__builtin_ctzll(m);
            uint64_t kept = is_whole ? 0 : hash_mix(w->digest[reg] ^ d->mask);

            w->digest[reg] = hash_mix(d->value.digest + reg) + kept;
            w->shape[reg] = is_whole ? d->value.shape : VALUE_OTHER;
        }
}

static int count_instance(struct table *t, uint32_t place, uint32_t time,
                          const struct value *v, struct err *err)
{
    struct entry *e = entry_at(t, place, time);

    if (!e)
        return no_memory(err);
    if (!e->n++) {
        e->digest = v->digest;
        e->shape = v->shape;
    }
    e->differs = e->differs || e->digest != v->digest;
    return 0;
}

/* Counts an execution that may be redundant. */
static int count_execution(struct repeats *r, struct table *block, struct warp *w,
                           uint32_t place, const struct dyn *d, struct err *err)
{
    struct value v = sources_of(w, d);
    uint32_t *times = times_at(w, place);

    if (!times)
        return no_memory(err);
    v.digest = hash_mix(v.digest ^ d->value.digest);
    r->counts.warp += v.shape == VALUE_UNIFORM;
    if (count_instance(block, place, *times, &v, err) ||
        count_instance(&r->grid, place, *times, &v, err))
        return -1;
    ++*times;
    return 0;
}

int repeats_note(struct repeats *r, struct repeats_block *b, unsigned warp,
                 const struct dyn *d, struct err *err)
{
    struct warp *w = &b->warp[warp];
    uint64_t place = (d->inst->pc - r->kernel->first_pc) / d->inst->length;

    if (place >= MAX_CODE)
        return err_kind(err, ERR_LIMIT,
                        "kernel %s: an instruction at 0x%llx, 0x%llx after its first; "
                        "expected at most %d instructions",
                        r->kernel->name, (unsigned long long)d->inst->pc,
                        (unsigned long long)(d->inst->pc - r->kernel->first_pc),
                        MAX_CODE);
    if (!w->lanes)
        w->lanes = d->active;
    r->counts.insts++;
    r->counts.thread_insts += (unsigned)__builtin_popcount(d->active);
    if (inst_computes(d->inst) && d->active == w->lanes &&
        count_execution(r, &b->table, w, (uint32_t)place, d, err))
        return -1;
    write_registers(w, d);
    return 0;
}

/* The entries that all warps have in common. Fills shapes unless it is NULL. */
static uint64_t count_same(const struct table *t, uint64_t n_warps, uint64_t *shapes)
{
    uint64_t n = 0;

    for (uint32_t k = 0; k < t->n; k++)
        for (uint32_t i = 0; i < t->line[k].n; i++) {
            const struct entry *e = &t->line[k].at[i];

            if (e->differs || e->n != n_warps)
                continue;
            n += n_warps;
            if (shapes)
                shapes[e->shape] += n_warps;
        }
    return n;
}

void repeats_close(struct repeats *r, struct repeats_block *b)
{
    uint64_t shapes[VALUE_OTHER + 1] = { 0 };
    struct repeats_counts *c = &r->counts;

    c->block += count_same(&b->table, b->n_warps, shapes);
    c->uniform += shapes[VALUE_UNIFORM];
    c->affine += shapes[VALUE_AFFINE];
    c->unstructured += shapes[VALUE_OTHER];
    repeats_drop(b);
}

void repeats_add(const struct repeats *r, struct repeats_counts *to)
{
    const struct repeats_counts *c = &r->counts;

    to->insts += c->insts;
    to->thread_insts += c->thread_insts;
    to->warp += c->warp;
    to->block += c->block;
    to->grid += count_same(&r->grid, r->n_warps, NULL);
    to->uniform += c->uniform;
    to->affine += c->affine;
    to->unstructured += c->unstructured;
}
