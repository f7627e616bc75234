/* race_report.c - which instructions race, by kernel, place and text, which are kept from
 * the launch in which they were found: the module may be gone when they are asked for.
 */
#include "session/race_report.h"

#include <stdlib.h>

#include "frontend/sass/exec/sanitize.h"
#include "frontend/sass/print/disasm.h"
#include "isa/races.h"
#include "session/demangle.h"

struct race_report {
    struct races *races;
    bool sanitizes;
    struct shadow shadow;
    struct sanitizer sanitizer;
    struct buf *found; /* texts of its findings, without their numbers */
    size_t n_found;
    struct buf *texts; /* of the pairs found so far, without their numbers */
    size_t n;
    uint64_t launches, skipped; /* skipped: clusters, which are not looked at */
};

struct race_report *race_report_new(bool sanitizes)
{
    struct race_report *r = calloc(1, sizeof *r);

    if (!r)
        err_memory_exit("races");
    r->races = races_new();
    r->sanitizes = sanitizes;
    r->sanitizer.shadow = &r->shadow;
    return r;
}

struct shadow *race_report_new_memory(struct race_report *r)
{
    if (!r || !r->sanitizes)
        return NULL;
    shadow_free_all(&r->shadow);
    return &r->shadow;
}

void race_report_free(struct race_report *r)
{
    if (!r)
        return;
    for (size_t k = 0; k < r->n; k++)
        buf_free(&r->texts[k]);
    free(r->texts);
    for (size_t k = 0; k < r->n_found; k++)
        buf_free(&r->found[k]);
    free(r->found);
    sanitizer_free(&r->sanitizer);
    shadow_free_all(&r->shadow);
    races_free(r->races);
    free(r);
}

enum { MOST_NAME = 100 }; /* characters of a kernel's */

static void put_block(uint64_t block, const uint32_t *grid, struct buf *out)
{
    buf_printf(out, "(%llu,%llu,%llu)", (unsigned long long)(block % grid[0]),
               (unsigned long long)(block / grid[0] % grid[1]),
               (unsigned long long)(block / grid[0] / grid[1]));
}

/* "at 0x120 (a.cu:7) `STS [R2], R3` by thread 33 of block (0,0,0)" */
static void put_place(const struct race_side *s, const struct sass_launch *l,
                      struct buf *out)
{
    const struct sass_module *m = l->module;
    uint64_t index = (s->pc - m->code_base) / 16;
    struct sass_labels labels = { .section_base = m->code_base };
    char place[512];

    sass_module_place_line(m, s->pc, place, sizeof place);
    buf_printf(out, "at %s", place);
    if (index < m->n_code && m->code[index].row) {
        buf_puts(out, " `");
        sass_print(out, &m->code[index], &labels);
        buf_puts(out, "`");
    }
    buf_printf(out, " by thread %u of block ", s->thread);
    put_block(s->block, l->grid, out);
}

static void put_side(const struct race_side *s, const struct sass_launch *l,
                     struct buf *out)
{
    buf_puts(out, s->writes ? "write " : "read ");
    put_place(s, l, out);
}

static void put_race(const struct race *f, const struct sass_launch *l, struct buf *out)
{
    buf_printf(out, "race in %s memory at 0x%llx, kernel ",
               f->is_shared ? "shared" : "global", (unsigned long long)f->addr);
    demangle_put(out, l->kernel->info->name, MOST_NAME);
    buf_puts(out, ": ");
    put_side(&f->side[0], l, out);
    buf_puts(out, ", then ");
    put_side(&f->side[1], l, out);
}

/* Texts of the pairs that were found in the last launch. */
static void name_races(struct race_report *r, const struct sass_launch *l)
{
    size_t n = races_found(r->races);

    if (n == r->n)
        return;
    r->texts = realloc(r->texts, n * sizeof *r->texts);
    if (!r->texts)
        err_memory_exit("races");
    for (; r->n < n; r->n++) {
        r->texts[r->n] = (struct buf){ 0 };
        put_race(races_at(r->races, r->n), l, &r->texts[r->n]);
    }
}

/* "1 byte", "8 bytes" */
static void put_bytes(uint64_t n, struct buf *out)
{
    buf_printf(out, "%llu byte%s", (unsigned long long)n, n == 1 ? "" : "s");
}

static void put_freed(const struct shadow_block *b, struct buf *out)
{
    if (b->kind != SHADOW_HEAP && !b->freed_after)
        buf_puts(out, ", which was freed before the first launch");
    else
        buf_printf(out, ", which was freed %s launch %llu",
                   b->kind == SHADOW_HEAP ? "in" : "after",
                   (unsigned long long)b->freed_after);
}

static void put_allocation(const struct finding *f, struct buf *out)
{
    static const char *const names[] = { [SHADOW_DEVICE] = "an allocation",
                                         [SHADOW_HOST] = "an allocation",
                                         [SHADOW_HEAP] = "a kernel's allocation",
                                         [SHADOW_VARIABLES] = "a module's variables" };
    const struct shadow_block *b = &f->block;
    bool is_past = f->addr >= b->start + b->size;

    if (!b->size)
        return; /* there is none before it */

    buf_puts(out, ", ");
    put_bytes(f->addr - b->start - (is_past ? b->size : 0), out);
    buf_printf(out, " %s %s of ", is_past ? "past the end of" : "into", names[b->kind]);
    put_bytes(b->size, out);
    buf_printf(out, " at 0x%llx", (unsigned long long)b->start);
    if (f->kind == FINDING_FREED)
        put_freed(b, out);
}

/* Only loads and atomics read: what writes to memory that was never written is an atomic. */
static const char *access_of(const struct finding *f)
{
    if (!f->side[0].writes)
        return "read";
    return f->kind == FINDING_UNSET || f->kind == FINDING_UNSET_SHARED ? "atomic"
                                                                       : "write";
}

static void put_finding(const struct finding *f, const struct sass_launch *l,
                        struct buf *out)
{
    static const char *const names[] = {
        [FINDING_FREED] = "use after free",
        [FINDING_PADDING] = "overrun of an allocation",
        [FINDING_OUTSIDE] = "access outside of allocations",
        [FINDING_OUTSIDE_SHARED] = "access outside of shared memory",
        [FINDING_OUTSIDE_LOCAL] = "access outside of local memory",
        [FINDING_UNSET] = "uninitialised global memory",
        [FINDING_UNSET_SHARED] = "uninitialised shared memory",
        [FINDING_BARRIER] = "divergent barrier",
    };

    buf_printf(out, "%s, kernel ", names[f->kind]);
    demangle_put(out, l->kernel->info->name, MOST_NAME);
    if (f->kind == FINDING_BARRIER) {
        buf_puts(out, ": __syncthreads() ");
        put_place(&f->side[0], l, out);
        buf_puts(out, ", and in its stead ");
        put_place(&f->side[1], l, out);
        return;
    }
    buf_printf(out, ": %s of ", access_of(f));
    put_bytes(f->bytes, out);
    buf_printf(out, " at 0x%llx ", (unsigned long long)f->addr);
    put_place(&f->side[0], l, out);
    put_allocation(f, out);
}

/* Texts of the findings of the last launch. */
static void name_findings(struct race_report *r, const struct sass_launch *l)
{
    size_t n = r->sanitizer.n;

    if (n == r->n_found)
        return;
    r->found = realloc(r->found, n * sizeof *r->found);
    if (!r->found)
        err_memory_exit("findings");
    for (; r->n_found < n; r->n_found++) {
        r->found[r->n_found] = (struct buf){ 0 };
        put_finding(&r->sanitizer.at[r->n_found], l, &r->found[r->n_found]);
    }
}

int race_report_run(struct race_report *r, const struct sass_launch *l,
                    struct sass_run_stats *stats, struct err *err)
{
    struct sass_launch looked_at = *l;
    int failed;

    looked_at.races = r->races;
    looked_at.sanitizer = r->sanitizes ? &r->sanitizer : NULL;
    r->shadow.launches = ++r->launches;
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > 1) {
        r->skipped++;
        sanitize_lose(&r->sanitizer);
    }
    races_begin(r->races);
    failed = sass_run(&looked_at, stats, err);
    name_races(r, l);
    name_findings(r, l);
    return failed;
}

static void put_line(const char *text, uint64_t times, struct buf *out)
{
    buf_printf(out, "leno: %s: %llu time%s\n", text, (unsigned long long)times,
               times > 1 ? "s" : "");
}

void race_report_put(const struct race_report *r, struct buf *out)
{
    const char *launches = r->launches == 1 ? "" : "es";
    const char *name = r->sanitizes ? "sanitize" : "races";

    for (size_t k = 0; k < r->n_found; k++)
        put_line(buf_text(&r->found[k]), r->sanitizer.at[k].times, out);
    for (size_t k = 0; k < r->n; k++)
        put_line(buf_text(&r->texts[k]), races_at(r->races, k)->times, out);
    if (r->sanitizes)
        buf_printf(out, "leno: sanitize: %zu finding%s in %llu launch%s\n",
                   r->n_found + r->n, r->n_found + r->n == 1 ? "" : "s",
                   (unsigned long long)r->launches, launches);
    else
        buf_printf(out, "leno: races: %zu pair%s of instructions in %llu launch%s\n",
                   r->n, r->n == 1 ? "" : "s", (unsigned long long)r->launches,
                   launches);
    if (r->skipped)
        buf_printf(out, "leno: %s: not looked at: %llu launches with clusters\n", name,
                   (unsigned long long)r->skipped);
}
