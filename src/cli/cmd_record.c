/* cmd_record.c - leno record: recordings of programs, as files. */
#include "cli/option_rows.h"
#include "session/machine_options.h"
#include "session/record.h"

struct record_values {
    int arch, size;
    uint64_t seed, jobs;
    bool fresh;
    const char *output, *traceg, *folder, *out;
    struct machine_options machine;
    struct program_values programs;
};

static const struct record_values defaults = { .arch = SM75,
                                               .size = SIZE_TINY,
                                               .seed = WORKLOAD_SEED,
                                               .machine.gpu = MACHINE_DEFAULT_GPU,
                                               .out = "leno-out" };

#define AT(field) offsetof(struct record_values, field)
static const struct option options[] = {
    { "output", OPTION_TEXT, "FILE", "write the recording to FILE.leno; also -o",
      AT(output), NULL },
    { "traceg", OPTION_TEXT, "DIR", "write a folder of traces for Accel-Sim instead",
      AT(traceg), NULL },
    ROW_ARCH(AT(arch), option_archs, "sm_75"),
    ROW_SIZE(AT(size), "tiny"),
    ROW_SEED(AT(seed)),
    ROW_WORKLOADS(AT(folder)),
    { "gpu", OPTION_TEXT, "NAME|FILE.ini",
      "commands: the GPU that they see (default: " MACHINE_DEFAULT_GPU ")",
      AT(machine.gpu), NULL },
    ROW_SCHEME(AT(machine.scheme)),
    ROW_SET(AT(machine.set)),
    ROW_JOBS(AT(jobs)),
    ROW_OUT(AT(out)),
    ROW_FRESH(AT(fresh)),
    ROWS_PROGRAMS(programs),
};

static int record_programs(struct console *console, const struct record_values *v,
                           const struct machine *m, const struct program_list *programs,
                           struct err *err)
{
    const struct program *first = &programs->at[0];
    struct record_job job = { .program = first->source,
                              .choice = &first->choice,
                              .machine = m,
                              .arch = (enum sass_arch)v->arch,
                              .size = (enum workload_size)v->size,
                              .seed = v->seed,
                              .folder = v->folder,
                              .output = v->output,
                              .traceg = v->traceg };

    if (programs->n > 1 || v->programs.suite)
        return record_run_all(&job, programs, console, err);
    if (first->why)
        return err_kind(err, (enum err_code)first->exit_code, "%s", first->why);
    return record_run(&job, console, err);
}

static int check_machine(const struct record_values *v, const struct machine *m,
                         struct err *err)
{
    if (m->unroll.factor > 1)
        return err_set(
            err,
            "unroll.factor = %u: loops are unrolled for the machine that runs "
            "them, expected 1",
            m->unroll.factor);
    if (v->traceg && m->scheme->naming)
        return err_set(err,
                       "--scheme %s and --traceg cannot be combined: traces have no "
                       "distances",
                       m->scheme->name);
    return machine_check(m, err);
}

static int record_command(struct console *console, const void *values,
                          const struct operands *ops, struct err *err)
{
    const struct record_values *v = values;
    struct prepare_job prepare = { .arch = v->arch,
                                   .gpu = v->machine.gpu,
                                   .out = v->out,
                                   .jobs = v->jobs,
                                   .fresh = v->fresh };
    struct program_list programs = { 0 };
    struct machine *m;
    int failed;

    if (!ops->n && !v->programs.suite)
        return err_set(err,
                       "expected a workload (see leno list workloads), a recording, "
                       "--suite FILE.ini or -- COMMAND");
    if (!v->output == !v->traceg)
        return err_set(err, "expected either -o FILE.leno or --traceg DIR");
    if (options_refuse_cap(&v->programs,
                           "a recording has whole launches, which are capped when "
                           "they are replayed",
                           err))
        return -1;
    m = machine_from_options(&v->machine, err);
    if (!m)
        return -1;
    failed = check_machine(v, m, err) ||
             options_programs(&prepare, &v->programs, ops, err) ||
             prepare_programs(&programs, &prepare, m, console, err) ||
             record_programs(console, v, m, &programs, err);
    program_list_free(&programs);
    machine_free(m);
    return failed ? -1 : 0;
}

const struct command command_record = {
    COMMAND_NAMED(record),
    .summary = "run a program and record what it executes",
    .operands = "[PROGRAM...] [-- COMMAND...]",
    .details =
        "Executes a workload functionally, checks its result, and records every\n"
        "instruction of every warp: as one .leno file, which is small and quick to\n"
        "replay, or as a folder of .traceg files that Accel-Sim reads (sm_75, sm_86).\n"
        "A recording of either kind can be turned into the other. Files appear only\n"
        "when everything went well. docs/formats.md describes them.\n"
        "A command after -- is a CUDA program, executed as by leno compare. Of several\n"
        "programs, or of a suite (docs/programs.md), -o and --traceg name a folder, which\n"
        "has NAME.leno, or a folder NAME, of each. --kernels, --match, --every and --first\n"
        "choose the launches to keep.\n"
        "With --scheme turbulence the program is recorded as that scheme converts it, with\n"
        "the instructions that it inserts; such a file replays under that scheme with the\n"
        "same settings only. Without, a file replays under all schemes.\n",
    .examples =
        "  leno record vecadd -o vecadd.leno\n"
        "  leno record lud --arch sm_90 --size small --output lud.leno\n"
        "  leno record hotspot --arch sm_86 --traceg hotspot-traces\n"
        "  leno record vecadd.leno --traceg vecadd-traces\n"
        "  leno record matrixmul --scheme turbulence --set turbulence.isa=relay -o m.leno\n"
        "  leno record traces/hotspot/kernelslist.g -o hotspot.leno\n"
        "  leno record --first 3 -o bfs.leno -- ./bfs graph65536.txt\n"
        "  leno record --suite rodinia.ini -o recordings\n",
    .defaults = &defaults,
};
