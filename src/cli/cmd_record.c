/* cmd_record.c - leno record: what a workload executes, written to files. */
#include "cli/option_rows.h"
#include "session/record.h"

struct record_values {
    int arch, size;
    uint64_t seed;
    const char *output, *traceg, *folder;
};

static const struct record_values defaults = { .arch = SM75,
                                               .size = SIZE_TINY,
                                               .seed = WORKLOAD_SEED };

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
};

static int record_command(struct console *console, const void *values,
                          const struct operands *ops, struct err *err)
{
    const struct record_values *v = values;

    if (ops->n != 1)
        return err_set(err, "expected one workload (see leno list workloads) or one "
                            "recording");
    if (!v->output == !v->traceg)
        return err_set(err, "expected either -o FILE.leno or --traceg DIR");
    return record_run(&(struct record_job){ .program = ops->at[0],
                                            .arch = (enum sass_arch)v->arch,
                                            .size = (enum workload_size)v->size,
                                            .seed = v->seed,
                                            .folder = v->folder,
                                            .output = v->output,
                                            .traceg = v->traceg },
                      console, err);
}

const struct command command_record = {
    COMMAND_NAMED(record),
    .summary = "run a workload and record what it executes",
    .operands = "WORKLOAD|RECORDING",
    .details =
        "Executes a workload functionally, checks its result, and records every\n"
        "instruction of every warp: as one .leno file, which is small and quick to\n"
        "replay, or as a folder of .traceg files that Accel-Sim reads (sm_75, sm_86).\n"
        "A recording of either kind can be turned into the other. Files appear only\n"
        "when everything went well. docs/formats.md describes them.\n",
    .examples = "  leno record vecadd -o vecadd.leno\n"
                "  leno record lud --arch sm_90 --size small --output lud.leno\n"
                "  leno record hotspot --arch sm_86 --traceg hotspot-traces\n"
                "  leno record vecadd.leno --traceg vecadd-traces\n"
                "  leno record traces/hotspot/kernelslist.g -o hotspot.leno\n",
    .defaults = &defaults,
};
