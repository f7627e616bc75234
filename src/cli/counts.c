/* counts.c - how often each instruction was executed. A module is known by its code
 * address, which the driver never gives out twice; places and texts are kept from
 * the first launch on, since the module may be gone when the rows are written.
 */
#include <stdlib.h>

#include "cli/emu.h"
#include "frontend/sass/exec.h"

struct counted {
    uint64_t code_base, n_code;
    uint64_t *warps, *lanes;
    struct buf *rows; /* place and text of each instruction, as CSV fields */
};

struct emu_counts {
    struct counted *modules;
    size_t n;
};

static void *no_memory(void)
{
    fputs("leno: out of memory\n", stderr);
    abort();
}

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    return p ? p : no_memory();
}

struct emu_counts *emu_counts_new(void)
{
    return zeroed(1, sizeof(struct emu_counts));
}

static void forget(struct emu_counts *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct counted *m = &c->modules[i];

        for (uint64_t k = 0; k < m->n_code; k++)
            buf_free(&m->rows[k]);
        free(m->rows);
        free(m->warps);
        free(m->lanes);
    }
    free(c->modules);
    *c = (struct emu_counts){ 0 };
}

void emu_counts_free(struct emu_counts *c)
{
    if (c)
        forget(c);
    free(c);
}

static void add_row(struct buf *row, const struct sass_module *m, uint64_t i)
{
    const struct sass_inst *inst = &m->code[i];
    struct sass_labels labels = { .section_base = m->code_base };
    char place[256];

    sass_module_place(m, inst->base.pc, place, sizeof place);
    buf_printf(row, "\"%s\",\"", place);
    if (inst->row)
        sass_print(row, inst, &labels);
    buf_puts(row, "\"");
}

static struct counted *find(struct emu_counts *c, const struct sass_module *m)
{
    struct counted *new;

    for (size_t i = 0; i < c->n; i++) {
        if (c->modules[i].code_base == m->code_base)
            return &c->modules[i];
    }
    new = realloc(c->modules, (c->n + 1) * sizeof *new);
    c->modules = new ? new : no_memory();
    new = &c->modules[c->n++];
    *new = (struct counted){ .code_base = m->code_base,
                             .n_code = m->n_code,
                             .warps = zeroed(m->n_code, sizeof *new->warps),
                             .lanes = zeroed(m->n_code, sizeof *new->lanes),
                             .rows = zeroed(m->n_code, sizeof *new->rows) };
    for (uint64_t i = 0; i < m->n_code; i++)
        add_row(&new->rows[i], m, i);
    return new;
}

void emu_counts_attach(struct emu_counts *c, const struct sass_module *m,
                       struct sass_run_stats *stats)
{
    struct counted *counted = find(c, m);

    stats->exec_counts = counted->warps;
    stats->thread_counts = counted->lanes;
}

void emu_counts_write(struct emu_counts *c, const char *workload, const char *arch,
                      struct buf *csv)
{
    if (!csv->len)
        buf_puts(csv, "workload,arch,place,instruction,warps,lanes\n");
    for (size_t i = 0; i < c->n; i++) {
        const struct counted *m = &c->modules[i];

        for (uint64_t k = 0; k < m->n_code; k++) {
            if (m->warps[k])
                buf_printf(csv, "%s,%s,%s,%llu,%llu\n", workload, arch,
                           buf_text(&m->rows[k]), (unsigned long long)m->warps[k],
                           (unsigned long long)m->lanes[k]);
        }
    }
    forget(c);
}
