/* race_report.c - which instructions race, by kernel, place and text, which are kept from
 * the launch in which they were found: the module may be gone when they are asked for.
 */
#include "session/race_report.h"

#include <stdlib.h>

#include "frontend/sass/print/disasm.h"
#include "isa/races.h"
#include "session/demangle.h"

struct race_report {
    struct races *races;
    struct buf *texts; /* of the pairs found so far, without their numbers */
    size_t n;
    uint64_t launches, skipped; /* skipped: clusters, which are not looked at */
};

struct race_report *race_report_new(void)
{
    struct race_report *r = calloc(1, sizeof *r);

    if (!r)
        err_memory_exit("races");
    r->races = races_new();
    return r;
}

void race_report_free(struct race_report *r)
{
    if (!r)
        return;
    for (size_t k = 0; k < r->n; k++)
        buf_free(&r->texts[k]);
    free(r->texts);
    races_free(r->races);
    free(r);
}

static void put_block(uint64_t block, const uint32_t *grid, struct buf *out)
{
    buf_printf(out, "(%llu,%llu,%llu)", (unsigned long long)(block % grid[0]),
               (unsigned long long)(block / grid[0] % grid[1]),
               (unsigned long long)(block / grid[0] / grid[1]));
}

/* "write at 0x120 `STS [R2], R3` by thread 33 of block (0,0,0)" */
static void put_side(const struct race_side *s, const struct sass_launch *l,
                     struct buf *out)
{
    const struct sass_module *m = l->module;
    uint64_t index = (s->pc - m->code_base) / 16;
    struct sass_labels labels = { .section_base = m->code_base };
    char place[512];

    sass_module_place_line(m, s->pc, place, sizeof place);
    buf_printf(out, "%s at %s", s->writes ? "write" : "read", place);
    if (index < m->n_code && m->code[index].row) {
        buf_puts(out, " `");
        sass_print(out, &m->code[index], &labels);
        buf_puts(out, "`");
    }
    buf_printf(out, " by thread %u of block ", s->thread);
    put_block(s->block, l->grid, out);
}

static void put_race(const struct race *f, const struct sass_launch *l, struct buf *out)
{
    enum { MOST_NAME = 100 };

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

int race_report_run(struct race_report *r, const struct sass_launch *l,
                    struct sass_run_stats *stats, struct err *err)
{
    struct sass_launch looked_at = *l;
    int failed;

    looked_at.races = r->races;
    r->launches++;
    r->skipped += l->cluster[0] * l->cluster[1] * l->cluster[2] > 1;
    races_begin(r->races);
    failed = sass_run(&looked_at, stats, err);
    name_races(r, l);
    return failed;
}

void race_report_put(const struct race_report *r, struct buf *out)
{
    for (size_t k = 0; k < r->n; k++)
        buf_printf(out, "leno: %s: %llu time%s\n", buf_text(&r->texts[k]),
                   (unsigned long long)races_at(r->races, k)->times,
                   races_at(r->races, k)->times > 1 ? "s" : "");
    buf_printf(out, "leno: races: %zu pair%s of instructions in %llu launch%s\n", r->n,
               r->n == 1 ? "" : "s", (unsigned long long)r->launches,
               r->launches == 1 ? "" : "es");
    if (r->skipped)
        buf_printf(out, "leno: races: not looked for in %llu launches with clusters\n",
                   (unsigned long long)r->skipped);
}
