/* counts.c - how often each instruction was executed. A module is known by its code
 * address, which the driver never reuses; names, places and texts are kept from the
 * first launch on, since the module may be gone when they are asked for.
 */
#include "session/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "frontend/sass/exec/exec.h"
#include "frontend/sass/load/polls.h"
#include "frontend/sass/print/disasm.h"

struct counted {
    uint64_t code_base, n_code;
    uint64_t *warps, *threads, *on;
    struct buf *places, *texts; /* of each instruction */
};

struct launched {
    char *name;
    size_t module;     /* index in modules */
    uint64_t first, n; /* instructions */
    uint8_t *polls;    /* of these */
    uint64_t launches;
};

struct inst_counts {
    struct counted *modules;
    struct launched *kernels;
    size_t n, n_kernels;
};

static void *alloc_zeroed(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p)
        err_memory_exit("counts");
    return p;
}

static void *grow_array(void *p, size_t n, size_t size)
{
    p = realloc(p, n * size);
    if (!p)
        err_memory_exit("counts");
    return p;
}

struct inst_counts *inst_counts_new(void)
{
    return alloc_zeroed(1, sizeof(struct inst_counts));
}

static void free_texts(struct buf *texts, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        buf_free(&texts[i]);
    free(texts);
}

void inst_counts_forget(struct inst_counts *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct counted *m = &c->modules[i];

        free_texts(m->places, m->n_code);
        free_texts(m->texts, m->n_code);
        free(m->warps);
        free(m->threads);
        free(m->on);
    }
    for (size_t i = 0; i < c->n_kernels; i++) {
        free(c->kernels[i].name);
        free(c->kernels[i].polls);
    }
    free(c->modules);
    free(c->kernels);
    *c = (struct inst_counts){ 0 };
}

void inst_counts_free(struct inst_counts *c)
{
    if (c)
        inst_counts_forget(c);
    free(c);
}

static void name_instruction(struct counted *to, const struct sass_module *m,
                             uint64_t i)
{
    const struct sass_inst *inst = &m->code[i];
    struct sass_labels labels = { .section_base = m->code_base };
    char place[256];

    sass_module_place(m, inst->base.pc, place, sizeof place);
    buf_puts(&to->places[i], place);
    if (inst->row)
        sass_print(&to->texts[i], inst, &labels);
}

static size_t find_module(struct inst_counts *c, const struct sass_module *m)
{
    struct counted *new;

    for (size_t i = 0; i < c->n; i++) {
        if (c->modules[i].code_base == m->code_base &&
            c->modules[i].n_code == m->n_code)
            return i;
    }
    c->modules = grow_array(c->modules, c->n + 1, sizeof *new);
    new = &c->modules[c->n];
    *new = (struct counted){ .code_base = m->code_base,
                             .n_code = m->n_code,
                             .warps = alloc_zeroed(m->n_code, sizeof *new->warps),
                             .threads = alloc_zeroed(m->n_code, sizeof *new->threads),
                             .on = alloc_zeroed(m->n_code, sizeof *new->on),
                             .places = alloc_zeroed(m->n_code, sizeof *new->places),
                             .texts = alloc_zeroed(m->n_code, sizeof *new->texts) };
    for (uint64_t i = 0; i < m->n_code; i++)
        name_instruction(new, m, i);
    return c->n++;
}

/* Instructions from a kernel's entry to the end of its section: functions that the
 * compiler put there are part of the kernel, as a profiler sees it. */
static uint64_t kernel_length(const struct sass_kernel *k)
{
    uint64_t end = k->text_base + k->n_code * 16;

    return end > k->entry ? (end - k->entry) / 16 : 0;
}

/* Where the kernel's section begins elsewhere than the kernel, its flow is not known. */
static uint8_t *find_polls(const struct sass_launch *l)
{
    uint32_t n;
    uint8_t *polls = sass_polls(l->module, l->kernel, &n, &(struct err){ 0 });

    if (!polls)
        err_memory_exit("counts");
    return polls;
}

static void count_launch(struct inst_counts *c, size_t module,
                         const struct sass_launch *l)
{
    const char *name = l->kernel->info->name;
    uint64_t first = (l->kernel->entry - l->module->code_base) / 16;
    struct launched *k;

    for (size_t i = 0; i < c->n_kernels; i++) {
        k = &c->kernels[i];
        if (k->module == module && k->first == first) {
            k->launches++;
            return;
        }
    }
    c->kernels = grow_array(c->kernels, c->n_kernels + 1, sizeof *k);
    k = &c->kernels[c->n_kernels++];
    *k = (struct launched){ .name = strdup(name),
                            .module = module,
                            .first = first,
                            .n = kernel_length(l->kernel),
                            .polls = find_polls(l),
                            .launches = 1 };
    if (!k->name)
        err_memory_exit("counts");
}

void inst_counts_attach(struct inst_counts *c, const struct sass_launch *l,
                        struct sass_run_stats *stats)
{
    size_t module = find_module(c, l->module);
    const struct counted *m = &c->modules[module];

    count_launch(c, module, l);
    stats->exec_counts = m->warps;
    stats->thread_counts = m->threads;
    stats->on_counts = m->on;
}

bool inst_counts_kernel(const struct inst_counts *c, size_t i, struct counted_kernel *k)
{
    const struct launched *from;
    const struct counted *m;

    if (i >= c->n_kernels)
        return false;
    from = &c->kernels[i];
    m = &c->modules[from->module];
    *k = (struct counted_kernel){ .name = from->name,
                                  .launches = from->launches,
                                  .n = from->n,
                                  .warps = m->warps + from->first,
                                  .threads = m->threads + from->first,
                                  .on = m->on + from->first,
                                  .texts = m->texts + from->first,
                                  .polls = from->polls };
    return true;
}

void inst_counts_title(struct buf *csv)
{
    buf_puts(csv, "workload,arch,place,instruction,warps,threads,on\n");
}

void inst_counts_write(const struct inst_counts *c, const char *workload,
                       const char *arch, struct buf *csv)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct counted *m = &c->modules[i];

        for (uint64_t k = 0; k < m->n_code; k++) {
            if (m->warps[k])
                buf_printf(csv, "%s,%s,\"%s\",\"%s\",%llu,%llu,%llu\n", workload, arch,
                           buf_text(&m->places[k]), buf_text(&m->texts[k]),
                           (unsigned long long)m->warps[k],
                           (unsigned long long)m->threads[k],
                           (unsigned long long)m->on[k]);
        }
    }
}
