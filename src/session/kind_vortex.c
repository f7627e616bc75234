/* kind_vortex.c - programs for Vortex cores: an ELF file or a .vxbin, or the name of a
 * program in workloads/vortex.
 */
#include <string.h>

#include "base/seconds.h"
#include "frontend/riscv/riscv.h"
#include "session/kind.h"

/* Their code has one architecture. */
static bool has_code(const char *name, enum sass_arch arch)
{
    (void)name;
    (void)arch;
    return true;
}

static int hash_program(const struct identity *id, uint64_t *hash, struct err *err)
{
    struct buf path = { 0 };
    int failed = workload_vortex(id->folder, id->program, id->size, &path, err);

    if (!failed)
        failed = identity_hash_file(buf_text(&path), hash, err);
    buf_free(&path);
    return failed;
}

/* The file of the run's program. */
static int find_file(const struct timed_run *r, struct buf *path, struct err *err)
{
    if (!vortex_program_is_file(r->program))
        return workload_vortex(r->folder, r->program, r->size, path, err);
    buf_puts(path, r->program);
    return 0;
}

static int find_program(struct timed_run *r, struct err *err)
{
    struct buf path = { 0 };
    int failed;

    if (choice_has_cap(&r->choice))
        return err_set(err,
                       "--cap-%s: a program on a Vortex core is timed as a whole; "
                       "--max-cycles ends it early",
                       r->choice.cap_cycles ? "cycles" : "insts");
    if (r->choice.sample)
        return err_set(err, "--sample: a program on a Vortex core is timed as a whole; "
                            "--max-cycles ends it early");
    failed = find_file(r, &path, err);
    buf_free(&path);
    r->has_size = !failed && !vortex_program_is_file(r->program);
    return failed;
}

static int run_loaded(struct timed_run *r, const struct riscv_launch *l,
                      struct err *err)
{
    struct kernel *k = riscv_kernel_new(l, err);
    struct riscv_result result;
    double start = cpu_seconds();
    int failed;

    if (!k)
        return -1;
    failed = gpu_run(r->gpu, k, err);
    r->seconds = cpu_seconds() - start;
    if (!failed) {
        riscv_kernel_result(k, &result);
        failed = riscv_verdict(&result, r->program, err);
        if (!failed && result.is_test && r->printed)
            fprintf(r->printed, "%s: passed\n", r->program);
    }
    riscv_kernel_free(k);
    return failed;
}

static int run_file(struct timed_run *r, const char *path, struct err *err)
{
    const struct vortex_params *p = &r->machine->vortex.core;
    struct riscv_launch l = { .name = r->program,
                              .n_cores = p->cores,
                              .n_warps = p->warps,
                              .n_threads = p->threads,
                              .local_bytes = p->local_bytes,
                              .print = r->printed ? vortex_program_print : NULL,
                              .print_to = r->printed,
                              .counter = gpu_counter,
                              .counter_from = r->gpu };
    static const struct vortex_program_inputs none;
    int failed;

    if (vortex_program_load(path, r->inputs ? r->inputs : &none, &l, err))
        return -1;
    failed = run_loaded(r, &l, err);
    riscv_memory_free(l.memory);
    return failed ? -1 : 0;
}

static int run_program(struct timed_run *r, struct err *err)
{
    struct buf path = { 0 };
    int failed;

    timed_note_arch(r, "rv32", "rv32");
    if (r->choice.sample)
        return err_set(err, "--sample: a program on a Vortex core is timed as a whole; "
                            "--max-cycles ends it early");
    failed = find_file(r, &path, err);
    if (!failed)
        failed = run_file(r, buf_text(&path), err);
    buf_free(&path);
    return failed;
}

/* An issue stage knows its own storage; of the schemes that take the scoreboard's place,
 * only the baseline's is known. */
static int find_cost(const struct machine *m, struct cost *c, struct err *err)
{
    if (m->vortex.issue == &vx_issue_scoreboard &&
        strcmp(m->scheme->name, "inorder") != 0)
        return err_kind(err, ERR_UNSUPPORTED,
                        "%s on %s: its storage is known only on an SM, expected "
                        "inorder, ghost, loog or loog.rrs",
                        m->scheme->name, m->name);
    *c = (struct cost){ 0 };
    m->vortex.issue->parts(&m->vortex, c->part);
    cost_sum(c);
    return 0;
}

/* Columns: the schemes of the LOOG thesis, and GhOST. */
const struct session_kind session_kind_vortex = {
    .program_at = workload_vortex_at,
    .has_code = has_code,
    .usual_at = workload_vortex_at,
    .hash_program = hash_program,
    .find_program = find_program,
    .run_program = run_program,
    .cost = find_cost,
    .schemes = "inorder,loog,loog.rrs,ghost",
    .remark = "",
    .next =
        "\nNext: leno compare sort sgemm --gpu vortex-8x8 --schemes inorder,loog:cus=16 --csv"
        "\n      leno cost loog --gpu vortex-4x4                the storage it needs"
        "\n      leno run sort --gpu vortex-4x4 --scheme loog   all statistics of one run\n",
};
