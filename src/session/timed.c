/* timed.c - one run with timing: the driver hands its kernels to a simulated GPU, or a
 * recorded stream is replayed on it, or a program for Vortex runs on a Vortex GPU.
 */
#include "session/timed.h"

#include <string.h>

#include "base/seconds.h"
#include "frontend/replay/replay.h"
#include "frontend/riscv/riscv.h"
#include "frontend/sass/arch.h"
#include "session/recording.h"
#include "sim/describe.h"

/* Notes what code runs, and warns if its family (sm_80 is of sm_86's) is not the
 * machine's. */
static void note_arch(struct timed_run *r, const char *arch, const char *family)
{
    snprintf(r->code_arch, sizeof r->code_arch, "%s", arch);
    if (machine_warn_arch(r->machine, family, r->warning, sizeof r->warning) &&
        r->console)
        fprintf(r->console->log, "%sleno: warning: %s: %s\n",
                r->console->shows_progress ? "\r\033[K" : "", r->program, r->warning);
}

static void note_recorded(struct timed_run *r, unsigned sm)
{
    int family = sass_arch_of(sm);
    char arch[16] = "";

    if (sm)
        snprintf(arch, sizeof arch, "sm_%u", sm);
    note_arch(r, arch, family < 0 ? arch : sass_arch_name((enum sass_arch)family));
}

static int replay_kernels(struct timed_run *r, struct replay *from, struct err *err)
{
    struct kernel *k;
    int more, failed = 0;

    while (!failed && (more = replay_next_kernel(from, &k, err)) > 0) {
        double start = cpu_seconds();

        failed = gpu_run(r->gpu, k, err);
        r->seconds += cpu_seconds() - start;
        replay_kernel_free(from, k);
    }
    return failed || more < 0 ? -1 : 0;
}

static int run_recording(struct timed_run *r, struct err *err)
{
    struct replay_options options = { .rz_is_register = r->machine->core.hazard_rz };
    struct replay *from;
    int failed;

    if (r->machine->unroll.factor > 1)
        return err_set(
            err,
            "unroll.factor = %u: a recording has no code to unroll, expected "
            "1 or a workload",
            r->machine->unroll.factor);
    from = replay_open(r->program, &options, err);
    if (!from)
        return -1;
    note_recorded(r, replay_info(from)->sm);
    failed = replay_kernels(r, from, err);
    replay_close(from);
    return failed;
}

static enum sass_arch code_of(const struct timed_run *r)
{
    return r->arch < 0 ? (enum sass_arch)r->machine->gpu.arch : (enum sass_arch)r->arch;
}

static int run_workload(struct timed_run *r, const struct workload *w, struct err *err)
{
    struct workload_run run = {
        .workload = w,
        .arch = code_of(r),
        .size = r->size,
        .seed = r->seed,
        .folder = r->folder,
        .printed = r->printed,
        .hook = { .mode = LAUNCH_TIMED,
                  .machine = r->machine,
                  .loops = &r->loops,
                  .gpu = r->gpu },
    };
    int failed = workload_run(&run, err);

    r->seconds = run.hook.seconds;
    r->digest = run.digest;
    return failed;
}

/* As Vortex's own simulators show it: which of the streams, then the line. */
static void print_line(void *to, unsigned stream, const char *text, size_t n)
{
    fprintf(to, "#%u: %.*s%s", stream, (int)n, text,
            n && text[n - 1] == '\n' ? "" : "\n");
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

static int run_program(struct timed_run *r, const char *path, struct err *err)
{
    const struct vortex_params *p = &r->machine->vortex.core;
    struct riscv_launch l = { .name = r->program,
                              .n_cores = p->cores,
                              .n_warps = p->warps,
                              .n_threads = p->threads,
                              .local_bytes = p->local_bytes,
                              .print = r->printed ? print_line : NULL,
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

/* A program for Vortex: a file, or the name of a program in workloads/vortex. */
static int run_vortex(struct timed_run *r, struct err *err)
{
    struct buf path = { 0 };
    int failed = 0;

    note_arch(r, "rv32", "rv32");
    if (vortex_program_is_file(r->program))
        buf_puts(&path, r->program);
    else
        failed = workload_vortex(r->folder, r->program, r->size, &path, err);
    if (!failed)
        failed = run_program(r, buf_text(&path), err);
    buf_free(&path);
    return failed;
}

static int run_by_kind(struct timed_run *r, const struct workload *w, struct err *err)
{
    if (r->machine->gpu.core == GPU_CORE_VORTEX)
        return run_vortex(r, err);
    return w ? run_workload(r, w, err) : run_recording(r, err);
}

/* Checks that the machine can run the program; *w is its workload, or NULL if it is none. */
static int find_program(const struct timed_run *r, const struct workload **w,
                        struct err *err)
{
    bool is_vortex = r->machine->gpu.core == GPU_CORE_VORTEX;
    struct buf path = { 0 };
    int failed = 0;

    *w = NULL;
    if (is_vortex && !vortex_program_is_file(r->program)) {
        failed = workload_vortex(r->folder, r->program, r->size, &path, err);
        buf_free(&path);
    }
    if (is_vortex || recording_is_file(r->program))
        return failed;
    if (vortex_program_is_file(r->program))
        return err_set(
            err,
            "%s is a program for Vortex, but %s is not a Vortex GPU; use --gpu vortex-4x4",
            r->program, r->machine->name);
    *w = workload_find(r->program, err);
    return *w ? 0 : -1;
}

int timed_run(struct timed_run *r, struct err *err)
{
    const struct workload *w;

    if (find_program(r, &w, err))
        return -1;
    if (w)
        note_arch(r, sass_arch_name(code_of(r)), sass_arch_name(code_of(r)));
    r->has_seed = w != NULL;
    r->has_size =
        w || !(recording_is_file(r->program) || vortex_program_is_file(r->program));
    r->gpu = gpu_new(r->machine, err);
    if (!r->gpu)
        return -1;
    gpu_set_trace(r->gpu, r->trace);
    gpu_set_limits(r->gpu, &r->limits);
    return run_by_kind(r, w, err);
}

void timed_run_free(struct timed_run *r)
{
    gpu_free(r->gpu);
    loops_free(&r->loops);
}
