/* cmd_view.c - leno view: a warp's way through the pipeline, as a page for a browser. */
#include "base/document.h"
#include "base/file.h"
#include "cli/timed_setup.h"
#include "session/jobs.h"
#include "session/machine_options.h"
#include "session/page_template.h"
#include "session/view_data.h"

enum { VIEW_SIDES = 2 };

struct view_values {
    int arch, size;
    uint64_t seed;
    const char *folder, *out, *output, *kernel, *block, *warp, *cycles;
    struct machine_options machine;
    struct program_values programs;
};

static const struct view_values defaults = { .arch = OPTION_ARCH_GPU,
                                             .size = SIZE_TINY,
                                             .seed = WORKLOAD_SEED,
                                             .out = "leno-out",
                                             .kernel = "1",
                                             .block = "0",
                                             .warp = "0",
                                             .cycles = "0-",
                                             .machine = { .scheme = "inorder,ghost" } };

#define AT(field) offsetof(struct view_values, field)
static const struct option options[] = {
    ROW_GPU(AT(machine.gpu), MACHINE_DEFAULT_GPU),
    ROW_SCHEME(AT(machine.scheme)),
    ROW_SET(AT(machine.set)),
    ROW_SMS(AT(machine.sms)),
    ROW_ARCH(AT(arch), option_archs_gpu, "the one for --gpu"),
    ROW_SIZE(AT(size), "tiny"),
    ROW_SEED(AT(seed)),
    { "kernel", OPTION_TEXT, "K",
      "which launch: its number, from 1, or a name as for --match (default: 1)",
      AT(kernel), NULL },
    { "block", OPTION_TEXT, "B", "which block of the grid (default: 0)", AT(block),
      NULL },
    { "warp", OPTION_TEXT, "W", "which warps of the block, as 0 or 0-3 (default: 0)",
      AT(warp), NULL },
    { "cycles", OPTION_TEXT, "A-B",
      "instructions in flight in these cycles of the kernel (default: all)", AT(cycles),
      NULL },
    { "output", OPTION_TEXT, "FILE.html", "write the page to FILE.html; also -o",
      AT(output), NULL },
    ROW_WORKLOADS(AT(folder)),
    ROW_OUT(AT(out)),
    ROWS_PROGRAMS(programs),
};

/* The warps and cycles of the command line, in the words of --view (trace/trace.h). */
static int choose(const struct view_values *v, struct view_choice *to, struct err *err)
{
    struct trace window = { 0 };
    struct buf words = { 0 };
    int failed;

    buf_printf(&words, "blocks=%s warps=%s cycles=%s", v->block, v->warp, v->cycles);
    failed = trace_window(&window, buf_text(&words), err);
    buf_free(&words);
    if (failed)
        return -1;
    if (window.blocks.n != 1 ||
        window.blocks.range[0].first != window.blocks.range[0].last)
        return err_set(err, "--block %s: expected one block", v->block);
    *to = (struct view_choice){ .kernel = v->kernel,
                                .block = window.blocks.range[0].first,
                                .warps = window.warps,
                                .cycles = window.cycles };
    return 0;
}

struct view_job {
    struct console *console;
    const struct view_values *v;
    const struct operands *ops;
    struct buf *json;
};

static int run_program(void *to, struct timed_series *s, struct err *err)
{
    struct timed_run r;
    struct err outcome;
    int failed;

    (void)to;
    timed_series_start(s);
    while (timed_series_next(s, &r, &outcome))
        timed_run_free(&r);
    failed = series_judge(&s->runs, err);
    trace_finish(s->each.trace, failed ? NULL : err);
    return failed;
}

static int prepare_and_run(const struct view_job *j, const struct machine *m,
                           struct view_data *data, struct err *err)
{
    const struct view_values *v = j->v;
    struct timed_setup setup = { .console = j->console,
                                 .machine = &v->machine,
                                 .programs = &v->programs,
                                 .ops = j->ops,
                                 .out = v->out,
                                 .folder = v->folder,
                                 .arch = v->arch,
                                 .size = v->size,
                                 .seed = v->seed,
                                 .each = { .machine = m,
                                           .trace = view_data_trace(data),
                                           .threads = jobs_threads(1, 1) },
                                 .run = run_program };

    return timed_setup_run(&setup, err);
}

static int check_data(const struct view_values *v, struct view_data *data,
                      struct err *err)
{
    if (!view_data_found(data))
        return err_set(err, "--kernel %s: there was no such launch", v->kernel);
    if (!view_data_count(data))
        return err_set(err,
                       "block %s, warp %s, cycles %s: no instruction was in flight",
                       v->block, v->warp, v->cycles);
    return 0;
}

/* One scheme: runs the program and appends what it did to the list of sides. */
static int add_side(void *to, const char *scheme, unsigned side, struct err *err)
{
    struct view_job *j = to;
    struct machine_options machine = j->v->machine;
    struct view_choice choice;
    struct view_data *data = NULL;
    struct machine *m;
    int failed = -1;

    machine.scheme = scheme;
    m = machine_from_options(&machine, err);
    if (m && !choose(j->v, &choice, err))
        data = view_data_new(&choice, err);
    if (data)
        failed = prepare_and_run(j, m, data, err) || check_data(j->v, data, err);
    if (!failed) {
        buf_puts(j->json, side ? ",\n{\"scheme\":" : "{\"scheme\":");
        json_string(j->json, scheme ? scheme : m->scheme->name);
        buf_putc(j->json, ',');
        view_data_json(data, j->json);
        buf_putc(j->json, '}');
    }
    view_data_free(data);
    machine_free(m);
    return failed ? -1 : 0;
}

static int view_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct view_values *v = values;
    const char *gpu = v->machine.gpu ? v->machine.gpu : MACHINE_DEFAULT_GPU;
    const struct file_named output = { "--output", v->output };
    struct buf json = { 0 }, page = { 0 };
    struct view_job job = { console, v, ops, &json };
    const struct scheme_list schemes = { v->machine.scheme, VIEW_SIDES, "--scheme",
                                         add_side, &job };
    int failed;

    if (!options_are_one(&v->programs, ops))
        return err_set(err, "name one program; see leno list workloads");
    if (!v->output)
        return err_set(err, "expected -o FILE.html");
    if (file_out_check_all(&output, 1, err))
        return -1;
    document_begin(&json, "view");
    document_text(&json, "program", ops->at[0]);
    document_text(&json, "gpu", gpu);
    buf_puts(&json, ", \"sides\": [\n");
    failed = timed_each_scheme(&schemes, err);
    buf_puts(&json, "]}\n");
    if (!failed) {
        page_fill(PAGE_VIEW, &json, &page);
        failed = file_write(v->output, page.data, page.len, err);
    }
    buf_free(&json);
    buf_free(&page);
    return failed;
}

const struct command command_view = {
    COMMAND_NAMED(view),
    .summary = "draw a warp's instructions in the pipeline, as a page for a browser",
    .operands = "PROGRAM [-- COMMAND...]",
    .details =
        "Writes one HTML file that loads nothing: instructions as rows, cycles as columns,\n"
        "stages in colour, arrows from producers to consumers; two schemes one above the\n"
        "other with the same instructions in the same rows (--scheme A,B; default:\n"
        "inorder,ghost). The page zooms and pans with\n"
        "mouse and keyboard, finds instructions by PC or text, and says on hovering why an\n"
        "instruction waited (docs/pipeline-view.md). At most 50,000 instructions per scheme\n"
        "are kept.\n",
    .examples =
        "  leno view hotspot -o hotspot.html\n"
        "  leno view matrixmul --scheme inorder,loog --warp 0-3 --cycles 0-2000 -o m.html\n"
        "  leno view rbfs --kernel 3 --block 2 --gpu h200 --scheme control -o b.html\n",
    .defaults = &defaults,
};
