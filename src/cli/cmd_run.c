/* cmd_run.c - leno run: programs on a machine, cycle by cycle. */
#include <string.h>
#include <unistd.h>

#include "base/document.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/meter.h"
#include "cli/option_rows.h"
#include "session/machine_options.h"
#include "session/timed.h"
#include "sim/describe.h"

struct run_values {
    bool all, json, csv, dump;
    int arch, size;
    uint64_t seed, max_cycles, max_insts;
    const char *folder, *konata, *perfetto, *view;
    struct machine_options machine;
    struct vortex_program_inputs inputs;
};

struct batch {
    struct console *console;
    const struct run_values *values;
    struct machine *machine;
    const char *folder;
    struct trace *trace;
    bool has_head; /* of the CSV */
    size_t n_runs, n_done, n_failed;
    struct err first;
};

/* What took most of the issue slots, after issuing itself. */
static const char *largest_cause(const struct sm_stats *s, double *share)
{
    double slot[N_STALL] = { 0 };

    for (unsigned c = 0; c < N_STALL; c++)
        for (unsigned k = 0; k < MAX_SUBCORES; k++)
            slot[c] += (double)s->slot[k][c];
    return stall_name(stall_largest(slot, share));
}

static void print_numbers(FILE *out, const struct timed_run *r,
                          const struct gpu_result *result)
{
    const struct sm_stats *s = gpu_result_sm(result);
    double share, cycles = (double)gpu_cycle(r->gpu);
    const char *cause = largest_cause(s, &share);

    fprintf(out, " %12llu %12llu %8.3f %7.1f  %-11s %4.1f %% %9.2f %9.3f",
            (unsigned long long)gpu_cycle(r->gpu), (unsigned long long)s->warp_insts,
            cycles > 0 ? (double)s->warp_insts / cycles : 0,
            s->warp_slots ? 100.0 * (double)s->warp_cycles / (double)s->warp_slots : 0,
            cause, share,
            r->seconds > 0 ? 1e-6 * (double)s->warp_insts / r->seconds : 0,
            r->seconds > 0 ? 1e-6 * cycles / r->seconds : 0);
}

static void print_row(const struct batch *b, const struct timed_run *r,
                      const struct gpu_result *result, const struct err *err)
{
    FILE *out = b->console->out;

    if (b->n_done == 1)
        fprintf(out, "%-12s %12s %12s %8s %7s  %-18s %9s %9s  %s\n", "program",
                "cycles", "warp insts", "warp IPC", "occup %", "largest stall",
                "M inst/s", "M cyc/s", "result");
    fprintf(out, "%-12s", r->program);
    if (result)
        print_numbers(out, r, result);
    else
        fprintf(out, " %12s %12s %8s %7s  %-18s %9s %9s", "-", "-", "-", "-", "-", "-",
                "-");
    fprintf(out, "  %s\n",
            gpu_is_partial(err)                      ? "partial"
            : err->code                              ? "FAIL"
            : result && gpu_result_unchecked(result) ? "unchecked"
                                                     : "ok");
    fflush(out);
}

static void put_csv(struct batch *b, const struct timed_run *r,
                    const struct gpu_result *result, bool has, struct buf *out)
{
    if (!b->has_head) {
        buf_puts(out, "program,gpu,scheme,checked,");
        stat_csv_header(gpu_result_report(result), out);
        b->has_head = true;
    }
    if (!has)
        return;
    csv_field(out, r->program);
    buf_printf(out, ",%s,%s,%d,", b->machine->name, b->machine->scheme->name,
               !gpu_result_unchecked(result));
    stat_csv_row(gpu_result_report(result), out);
}

/* All runs are one document, however many there are. */
static void put_json(const struct batch *b, const struct timed_run *r,
                     const struct gpu_result *result, const struct err *err,
                     struct buf *out)
{
    if (b->n_done == 1) {
        document_begin(out, "run");
        buf_puts(out, ",\n\"runs\": [\n");
    } else {
        buf_putc(out, ',');
    }
    timed_json_seconds(r, result, err, out);
    if (b->n_done == b->n_runs)
        buf_puts(out, "]}\n");
}

/* Statistics that are not those of the whole run begin by saying so. */
static void put_text(const struct timed_run *r, const struct gpu_result *result,
                     const struct err *err, struct buf *out)
{
    if (gpu_is_partial(err))
        buf_printf(out, "PARTIAL: %s; the statistics are of the run up to there\n",
                   err->text);
    timed_text(r, result, out);
}

/* A run that failed has no numbers. */
static void print_result(struct batch *b, const struct timed_run *r,
                         const struct err *err)
{
    struct gpu_result *result = r->gpu ? gpu_result_new(r->gpu, NULL) : NULL;
    bool has = result && gpu_has_statistics(err);
    struct buf out = { 0 };

    if (b->values->json)
        put_json(b, r, has ? result : NULL, err, &out);
    else if (b->values->csv && result)
        put_csv(b, r, result, has, &out);
    else if (!b->values->csv && b->n_runs > 1)
        print_row(b, r, has ? result : NULL, err);
    else if (!b->values->csv && has)
        put_text(r, result, err, &out);
    fwrite(buf_text(&out), 1, out.len, b->console->out);
    fflush(b->console->out);
    buf_free(&out);
    gpu_result_free(result);
}

static void run_one(struct batch *b, const char *program)
{
    const struct run_values *v = b->values;
    struct timed_run r = { .machine = b->machine,
                           .program = program,
                           .size = (enum workload_size)v->size,
                           .seed = v->seed,
                           .arch = v->arch == OPTION_ARCH_GPU ? -1 : v->arch,
                           .folder = b->folder,
                           .printed = b->console->log,
                           .console = b->console,
                           .inputs = &v->inputs,
                           .trace = b->trace,
                           .limits = { .max_cycles = v->max_cycles } };
    struct meter meter;
    struct err err = { 0 };

    meter_start(&meter, b->console->shows_progress ? b->console->log : NULL,
                "[%zu/%zu] %s", b->n_done + 1, b->n_runs, program);
    meter.watch.max_insts = v->max_insts;
    r.limits.watch = &meter.watch;
    timed_run(&r, &err);
    b->n_done++;
    if (interrupt_signal())
        b->n_runs = b->n_done; /* the last one */
    meter_clear(&meter);
    print_result(b, &r, &err);
    if (err.code) {
        if (!b->n_failed++)
            b->first = err;
        if (r.gpu)
            fputs(gpu_report(r.gpu), b->console->log);
        if (b->n_runs > 1)
            fprintf(b->console->log, "leno run: %s: %s\n", program, err.text);
    }
    gpu_free(r.gpu);
    loops_free(&r.loops);
}

static int run_all(struct batch *b, const struct operands *ops, struct err *err)
{
    size_t n = (size_t)ops->n;

    if (b->values->all)
        for (n = 0; workload_name_at(b->machine, n); n++)
            ;
    b->n_runs = n;
    for (size_t i = 0; i < n && !interrupt_signal(); i++)
        run_one(b, b->values->all ? workload_name_at(b->machine, i) : ops->at[i]);
    if (interrupt_signal() && n > 1)
        return err_kind(err, ERR_LIMIT, "stopped by %s in run %zu of %zu",
                        interrupt_name(), b->n_done, n);
    if (!b->n_failed)
        return 0;
    if (b->n_runs == 1)
        return err_kind(err, b->first.code, "%s", b->first.text);
    return err_kind(err, b->first.code, "%zu of %zu failed", b->n_failed, b->n_runs);
}

/* Views the user asked for, chained. */
static int open_views(struct batch *b, struct err *err)
{
    const struct run_values *v = b->values;
    struct trace *t;

    if (v->konata) {
        t = trace_konata(v->konata, v->view, err);
        if (!t)
            return -1;
        t->next = b->trace;
        b->trace = t;
    }
    if (v->perfetto) {
        t = trace_perfetto(v->perfetto, v->view, err);
        if (!t)
            return -1;
        t->next = b->trace;
        b->trace = t;
    }
    return 0;
}

/* Neither may be the other, nor a recording that is run. */
static int check_views(const struct run_values *v, const struct operands *ops,
                       struct err *err)
{
    const struct file_named views[] = { { "--konata", v->konata },
                                        { "--perfetto", v->perfetto } };

    for (size_t i = 0; i < 2; i++)
        if (views[i].path && ops->n && !access(ops->at[0], F_OK) &&
            file_is_same(views[i].path, ops->at[0]))
            return err_set(err, "%s %s: that is the program; expected another file",
                           views[i].option, views[i].path);
    return file_out_check_all(views, 2, err);
}

static int check_values(const struct run_values *v, const struct operands *ops,
                        struct err *err)
{
    if (!v->dump && !ops->n == !v->all)
        return err_set(err, "name programs or say --all; see leno list workloads");
    if ((v->konata || v->perfetto) && (v->all || ops->n > 1))
        return err_set(err, "--konata and --perfetto: one program at a time");
    if (options_check_format(v->json, v->csv, err))
        return -1;
    return check_views(v, ops, err);
}

static int run_command(struct console *console, const void *values,
                       const struct operands *ops, struct err *err)
{
    const struct run_values *v = values;
    struct batch b = { .console = console, .values = v };
    struct buf folder = { 0 }, text = { 0 };
    int failed = -1;

    if (check_values(v, ops, err) ||
        !(b.machine = machine_from_options(&v->machine, err)))
        return -1;
    interrupt_watch(); /* before there are files to be removed */
    if (v->dump) {
        param_dump(b.machine->bind, b.machine->n_bind, &text);
        fwrite(buf_text(&text), 1, text.len, console->out);
        failed = 0;
    } else if (!workload_folder(v->folder, &folder, err) && !open_views(&b, err)) {
        b.folder = buf_text(&folder);
        failed = run_all(&b, ops, err);
        /* A signal leaves views as they were: their files have temporary names. */
        if (!interrupt_signal() && trace_finish(b.trace, failed ? NULL : err))
            failed = -1;
    }
    machine_free(b.machine);
    buf_free(&folder);
    buf_free(&text);
    return failed;
}

static void run_defaults(void *values)
{
    struct run_values *v = values;

    v->arch = OPTION_ARCH_GPU;
    v->size = SIZE_SMALL;
    v->seed = WORKLOAD_SEED;
}

#define AT(field) offsetof(struct run_values, field)
static const struct option options[] = {
    ROW_GPU(AT(machine.gpu), MACHINE_DEFAULT_GPU),
    ROW_SCHEME(AT(machine.scheme)),
    ROW_SET(AT(machine.set)),
    ROW_SMS(AT(machine.sms)),
    ROW_ALL(AT(all)),
    ROW_ARCH(AT(arch), option_archs_gpu, "the one for --gpu"),
    ROW_SIZE(AT(size), "small"),
    ROW_SEED(AT(seed)),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "program"),
    { "konata", OPTION_TEXT, "FILE", "write a pipeline log for Konata", AT(konata),
      NULL },
    { "perfetto", OPTION_TEXT, "FILE", "write pipeline events for ui.perfetto.dev",
      AT(perfetto), NULL },
    { "view", OPTION_TEXT, "WINDOW", "what to log: \"sm=0 warps=0-3 cycles=0-5000\"",
      AT(view), NULL },
    { "max-cycles", OPTION_COUNT, "N", "stop after N cycles, exit status 5",
      AT(max_cycles), NULL },
    { "max-insts", OPTION_COUNT, "N", "stop after about N warp instructions, the same",
      AT(max_insts), NULL },
    ROW_ARGS(AT(inputs.args)),
    ROW_LOAD(AT(inputs.load)),
    { "dump-config", OPTION_FLAG, NULL, "print the GPU's parameters and stop", AT(dump),
      NULL },
    ROW_WORKLOADS(AT(folder)),
};

static const char *const examples[] = {
    "leno run matrixmul",
    "leno run --all --size tiny --gpu h200",
    "leno run rbfs --scheme inorder --set inorder.entries=4 --json",
    "leno run nn --size tiny --konata nn.log --view \"sm=0 warps=0-3\"",
    "leno run sgemm --gpu vortex-4x4 --scheme loog",
    "leno run --gpu v100 --dump-config > my.ini",
    NULL
};

const struct command command_run = {
    .name = "run",
    .summary = "run programs with timing and print statistics",
    .operands = "[PROGRAM...]",
    .details =
        "A program is a workload's name or a recorded stream; on a Vortex machine one\n"
        "of its programs (leno list workloads), an ELF file or a .vxbin; of an ISA test\n"
        "(rv32ui-p-add and the like) it says passed or which test failed. Results are\n"
        "checked as leno emu does; every register read is checked against program\n"
        "order, and every issue slot is charged to one cause.\n",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct run_values),
    .defaults = run_defaults,
    .run = run_command,
};
