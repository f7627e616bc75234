/* cmd_emu.c - leno emu: workloads run functionally, their results checked. */
#include "base/file.h"
#include "cli/option_rows.h"
#include "report/emu.h"

struct emu_values {
    bool all, json, redundancy, races, sanitize;
    int arch, size;
    uint64_t seed;
    const char *counts, *launches, *folder, *reference;
    struct vortex_program_options program;
};

static const struct emu_values defaults = { .arch = SM90,
                                            .size = SIZE_SMALL,
                                            .seed = WORKLOAD_SEED };

#define AT(field) offsetof(struct emu_values, field)
static const struct option options[] = {
    ROW_ALL(AT(all)),
    ROW_ARCH(AT(arch), option_archs_all, "sm_90"),
    ROW_SIZE(AT(size), "small"),
    ROW_SEED(AT(seed)),
    ROW_JSON(AT(json)),
    { "counts", OPTION_TEXT, "FILE",
      "write how often each instruction was executed (CSV)", AT(counts), NULL },
    { "launches", OPTION_TEXT, "FILE",
      "write kernels with their launches, blocks and warp instructions (CSV)",
      AT(launches), NULL },
    { "reference", OPTION_TEXT, "DIR",
      "compare with what a GPU executed (tests/golden/hw)", AT(reference), NULL },
    { "races", OPTION_FLAG, NULL, "report data races", AT(races), NULL },
    { "sanitize", OPTION_FLAG, NULL,
      "report races, overruns, uninitialised reads and divergent barriers",
      AT(sanitize), NULL },
    { "redundancy", OPTION_FLAG, NULL,
      "count instructions that warps execute alike (a limit study)", AT(redundancy),
      NULL },
    { "max-insts", OPTION_COUNT, "N", "stop after N warp instructions, exit status 5",
      AT(program.max_insts), NULL },
    ROW_WORKLOADS(AT(folder)),
    { "gpu", OPTION_TEXT, "NAME",
      "Vortex programs: warps x threads (default: vortex-4x4)", AT(program.gpu), NULL },
    ROW_ARGS(AT(program.inputs.args)),
    ROW_LOAD(AT(program.inputs.load)),
};

_Static_assert((int)OPTION_ARCH_ALL == (int)EMU_ALL_ARCHS,
               "the choice after the architectures");

static int check_values(const struct emu_values *v, const struct operands *ops,
                        struct err *err)
{
    const struct file_named files[] = { { "--counts", v->counts },
                                        { "--launches", v->launches } };

    if (!ops->n == !v->all)
        return err_set(err, "name workloads or say --all; see leno list workloads");
    if (v->reference && v->arch != SM90 && v->arch != OPTION_ARCH_ALL)
        return err_set(err, "--reference: recorded for sm_90; use --arch sm_90 or all");
    if (v->reference && v->seed != WORKLOAD_SEED)
        return err_set(err, "--reference: recorded with --seed %d", WORKLOAD_SEED);
    if (v->redundancy && (v->counts || v->reference || v->races || v->sanitize))
        return err_set(err, "--redundancy: not with --counts, --races or --reference");
    return file_out_check_all(files, 2, err);
}

/* Programs for Vortex: all of them, also after one that fails. */
static int run_vortex(struct console *console, const struct emu_values *v,
                      const struct operands *ops, struct err *err)
{
    struct vortex_series s = { .path = (const char *const *)ops->at,
                               .n = (size_t)ops->n,
                               .options = &v->program,
                               .printed = v->json ? console->log : console->out,
                               .console = console };
    struct vortex_program_run r;

    if (vortex_series_start(&s, err))
        return -1;
    while (vortex_series_next(&s, &r))
        emu_print_vortex(console, v->json, &s, &r);
    return series_judge(&s.runs, err);
}

static int run_workloads(struct console *console, const struct emu_values *v,
                         struct emu_series *s, struct err *err)
{
    struct emu_result r;
    struct err outcome;
    int failed = emu_series_start(s, err);

    while (!failed && emu_series_next(s, &r, &outcome))
        emu_print(console, v->json, s, &r, &outcome);
    return emu_series_end(s, failed, err);
}

static int emu_command(struct console *console, const void *values,
                       const struct operands *ops, struct err *err)
{
    const struct emu_values *v = values;
    struct buf folder = { 0 };
    struct emu_series s = { .workload = v->all ? NULL : (const char *const *)ops->at,
                            .n_workloads = (size_t)ops->n,
                            .arch = v->arch,
                            .size = (enum workload_size)v->size,
                            .seed = v->seed,
                            .max_insts = v->program.max_insts,
                            .counts = v->counts,
                            .launches = v->launches,
                            .recorded = v->reference,
                            .differences = v->json ? console->log : console->out,
                            .is_study = v->redundancy,
                            .finds_races = v->races,
                            .sanitizes = v->sanitize,
                            .console = console };
    int failed;

    if (ops->n && !v->all && vortex_program_is_file(ops->at[0]))
        return run_vortex(console, v, ops, err);
    if (check_values(v, ops, err))
        return -1;
    failed = workload_folder(v->folder, &folder, err);
    s.folder = buf_text(&folder);
    if (!failed)
        failed = run_workloads(console, v, &s, err);
    buf_free(&folder);
    return failed;
}

const struct command command_emu = {
    COMMAND_NAMED(emu),
    .summary = "run workloads functionally and check their results",
    .operands = "[WORKLOAD...|FILE...]",
    .details =
        "Executes the SASS of each workload, without timing, and compares its results\n"
        "with the same computation on the CPU. M insts/s: millions of warp instructions\n"
        "per second of host time inside kernels.\n"
        "With --reference, sm_90 runs are also compared with the record of a\n"
        "GPU: outputs, and at size tiny the executions of every instruction.\n"
        "With --redundancy, the table has the share of instructions whose operands are\n"
        "the same in all warps of the grid, in all of a block (uniform, affine or\n"
        "unstructured), or in all lanes of a warp.\n"
        "A FILE (.elf, .vxbin, or a path) is a program for Vortex: it is run, its\n"
        "console printed with the number of each stream, and its status checked.\n"
        "An ISA test (rv32ui-p-add and the like) says passed or which test failed.\n",
    .examples = "  leno emu vecadd\n"
                "  leno emu --all --size tiny --arch all\n"
                "  leno emu reduction --json\n"
                "  leno emu hotspot --size tiny --counts hotspot.csv\n"
                "  leno emu lud --launches lud.csv\n"
                "  leno emu --all --size tiny --reference tests/golden/hw\n"
                "  leno emu --all --redundancy\n"
                "  leno emu workloads/vortex/small/sgemm.elf --gpu vortex-8x8\n",
    .defaults = &defaults,
};
