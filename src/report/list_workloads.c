/* list_workloads.c - the workloads as a table.
 *
 * Registers and static shared memory are read from the cubin for the GPU's architecture;
 * shapes of blocks and numbers of instructions from workloads/facts.txt. Shape, registers and
 * occupancy are those of the kernel that executes most at size small. Occupancy counts the
 * blocks that an SM holds, or that there are for each SM if that is less.
 */
#include "report/list_workloads.h"

#include <inttypes.h>
#include <string.h>

#include "base/document.h"
#include "base/file.h"
#include "core/sm.h"
#include "frontend/sass/load/cubin.h"
#include "report/sheet.h"
#include "session/kind.h"
#include "session/workload_facts.h"
#include "session/workloads.h"

enum { MAX_CUBIN = 64 << 20 };

/* One row. */
struct listed {
    const struct workload *workload;
    const struct launch_shape *kernel; /* NULL: no facts */
    unsigned registers, shared;        /* of that kernel; shared in bytes, all of it */
    double occupancy;                  /* %; 0: not known */
    uint64_t insts[N_WORKLOAD_SIZE];   /* 0: not known */
};

static double occupancy_of(const struct machine *m, const struct listed *l)
{
    const struct launch_shape *s = l->kernel;
    struct kernel k = { .threads = s->block[0] * s->block[1] * s->block[2],
                        .registers = l->registers,
                        .shared = l->shared };
    uint64_t fit = sm_blocks_that_fit(&m->core, m->lsu.shared.kb * 1024, &k);
    uint64_t each = (s->blocks + m->gpu.sms - 1) / m->gpu.sms;
    uint64_t warps = (fit < each ? fit : each) * kernel_warps(&k);

    return 100 * (double)warps / m->core.warps;
}

static int read_kernel(struct listed *l, const char *folder, const struct machine *m,
                       struct err *err)
{
    const struct cubin_kernel *k;
    struct buf path = { 0 };
    struct cubin cubin;
    struct file file;
    int failed;

    buf_printf(&path, "%s/%s/%s.cubin", folder, l->workload->name,
               sass_arch_name((enum sass_arch)m->gpu.arch));
    failed = file_read(buf_text(&path), MAX_CUBIN, &file, err);
    if (!failed) {
        failed = cubin_parse(&cubin, buf_text(&path), file.data, file.size, err);
        k = failed ? NULL : cubin_find_kernel(&cubin, l->kernel->kernel);
        if (k) {
            l->registers = k->n_regs;
            l->shared = k->shared + l->kernel->shared;
            l->occupancy = occupancy_of(m, l);
        }
        if (!failed)
            cubin_free(&cubin);
        file_free(&file);
    }
    buf_free(&path);
    return failed;
}

static int make_row(struct listed *l, const struct workload *w,
                    const struct workload_facts *facts, const char *folder,
                    const struct machine *m, struct err *err)
{
    *l = (struct listed){ .workload = w };
    for (int size = 0; size < N_WORKLOAD_SIZE; size++)
        l->insts[size] = workload_facts_insts(facts, w->name, (enum workload_size)size);
    l->kernel = workload_facts_kernel(facts, w->name, SIZE_SMALL);
    if (!l->kernel || !workload_has_code(w, (enum sass_arch)m->gpu.arch))
        return 0;
    return read_kernel(l, folder, m, err);
}

/* "16x16", without the dimensions of 1 at its end. */
static void put_block(const struct launch_shape *s, struct buf *out)
{
    int n = s->block[2] > 1 ? 3 : s->block[1] > 1 ? 2 : 1;

    for (int i = 0; i < n; i++)
        buf_printf(out, "%s%u", i ? "x" : "", s->block[i]);
}

static void put_insts(struct sheet *t, uint64_t n)
{
    if (!n)
        sheet_cell(t, "-");
    else if (n < 1000000)
        sheet_cell(t, "%.0f k", (double)n / 1e3);
    else
        sheet_cell(t, "%.1f M", (double)n / 1e6);
}

static void put_row(struct sheet *t, const struct listed *l)
{
    const struct workload *w = l->workload;
    struct buf block = { 0 }, archs = { 0 };

    if (l->kernel)
        put_block(l->kernel, &block);
    sheet_cell(t, "%s", w->name);
    sheet_cell(t, "%s", w->suite ? w->suite : "-");
    sheet_cell(t, "%s", w->papers ? w->papers : "-");
    sheet_cell(t, "%s", l->kernel ? buf_text(&block) : "-");
    if (l->registers)
        sheet_cell(t, "%u", l->registers);
    else
        sheet_cell(t, "-");
    if (l->occupancy > 0)
        sheet_cell(t, "%.0f", l->occupancy);
    else
        sheet_cell(t, "-");
    for (int size = 0; size < N_WORKLOAD_SIZE; size++)
        put_insts(t, l->insts[size]);
    workload_put_archs(w, &archs);
    sheet_cell(t, archs.len ? "%s (%s)" : "%s", w->summary, buf_text(&archs));
    buf_free(&archs);
    buf_free(&block);
}

static void put_papers(const struct workload *w, struct buf *out)
{
    const char *at = w->papers ? w->papers : "";
    const char *before = "";

    buf_puts(out, ", \"papers\": [");
    while (*at) {
        size_t n = strcspn(at, " ");

        buf_printf(out, "%s\"%.*s\"", before, (int)n, at);
        before = ", ";
        at += n + strspn(at + n, " ");
    }
    buf_putc(out, ']');
}

static void put_archs(const struct workload *w, struct buf *out)
{
    const char *before = "";

    buf_puts(out, ", \"archs\": [");
    for (int a = 0; a < N_SASS_ARCH; a++) {
        if (!workload_has_code(w, (enum sass_arch)a))
            continue;
        buf_printf(out, "%s\"%s\"", before, sass_arch_name((enum sass_arch)a));
        before = ", ";
    }
    buf_putc(out, ']');
}

static void put_json(const struct listed *l, const char *gpu, struct buf *out)
{
    static const char *const insts[] = { "tiny_insts", "small_insts", "paper_insts" };
    const struct workload *w = l->workload;
    struct buf block = { 0 };

    buf_puts(out, out->len ? ",\n {\"name\": " : "{\"name\": ");
    json_string(out, w->name);
    document_text(out, "core", "sm");
    document_text(out, "summary", w->summary);
    document_text(out, "suite", w->suite);
    document_text(out, "theirs", w->theirs ? w->theirs : w->name);
    put_papers(w, out);
    put_archs(w, out);
    for (int size = 0; size < N_WORKLOAD_SIZE; size++)
        document_text(out, workload_size_name((enum workload_size)size),
                      w->sizes[size]);
    for (int size = 0; size < N_WORKLOAD_SIZE; size++)
        if (l->insts[size])
            document_number(out, insts[size], l->insts[size]);
    if (l->kernel) {
        put_block(l->kernel, &block);
        document_text(out, "kernel", l->kernel->kernel);
        document_text(out, "block", buf_text(&block));
        document_number(out, "registers", l->registers);
        document_number(out, "shared", l->shared);
        document_text(out, "gpu", gpu);
        buf_puts(out, ", \"occupancy\": ");
        json_double(out, l->occupancy);
    }
    buf_putc(out, '}');
    buf_free(&block);
}

static void begin_table(struct sheet *t)
{
    static const struct {
        const char *head;
        bool is_left;
    } columns[] = { { "name", true },       { "suite", true },
                    { "papers", true },     { "block", false },
                    { "registers", false }, { "occupancy:%", false },
                    { "tiny", false },      { "small", false },
                    { "paper", false },     { "", true } };

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        sheet_column(t, columns[i].head, columns[i].is_left);
}

static void put_vortex(struct buf *out, bool json)
{
    if (!json)
        buf_puts(out, "\nfor Vortex, sizes tiny and small:");
    for (size_t i = 0; workload_vortex_at(i); i++) {
        if (!json) {
            buf_printf(out, "%s%s", i % 10 ? " " : "\n  ", workload_vortex_at(i));
            continue;
        }
        buf_puts(out, ",\n {\"name\": ");
        json_string(out, workload_vortex_at(i));
        document_text(out, "core", "vortex");
        buf_putc(out, '}');
    }
    buf_puts(out, json ? "" : "\n");
}

static int put_all(const struct list_job *job, const struct workload_facts *facts,
                   const char *folder, const struct machine *m, struct buf *out,
                   struct err *err)
{
    bool json = job->format == LIST_JSON;
    struct sheet t = { 0 };
    const struct workload *w;
    int failed = 0;

    begin_table(&t);
    for (size_t i = 0; !failed && (w = workload_at(i)); i++) {
        struct listed l;

        failed = make_row(&l, w, facts, folder, m, err);
        if (json)
            put_json(&l, m->name, out);
        else
            put_row(&t, &l);
    }
    if (!json) {
        sheet_text(&t, out);
        buf_printf(
            out,
            "\nWarp instructions by size, on sm_75 or the first architecture that is named. "
            "Block, registers\nand occupancy: of the kernel that executes most at size "
            "small, on %s;\n-: it has no code for that (--gpu h200: all have).\n",
            m->name);
    }
    put_vortex(out, json);
    sheet_free(&t);
    return failed;
}

int list_workloads(const struct list_job *job, struct buf *out, struct err *err)
{
    struct machine *m = machine_new(job->gpu, NULL, err);
    struct workload_facts facts = { 0 };
    struct buf folder = { 0 };
    int failed = m ? 0 : -1;

    if (m && session_kind(m) != &session_kind_sm)
        failed = err_set(err, "--gpu %s: expected a GPU with SMs", job->gpu);
    if (!failed)
        failed = workload_folder(job->folder, &folder, err) ||
                 workload_facts_read(&facts, buf_text(&folder), err) ||
                 put_all(job, &facts, buf_text(&folder), m, out, err);
    workload_facts_free(&facts);
    buf_free(&folder);
    machine_free(m);
    return failed ? -1 : 0;
}
