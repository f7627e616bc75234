/* kind_sm.c - programs for SMs: the driver hands a workload's kernels to a simulated GPU, or
 * a recorded stream is replayed on it.
 */
#include "base/seconds.h"
#include "frontend/replay/replay.h"
#include "session/kind.h"
#include "session/launch.h"
#include "session/recording.h"

static const char *program_at(size_t i)
{
    const struct workload *w = workload_at(i);

    return w ? w->name : NULL;
}

static bool has_code(const char *name, enum sass_arch arch)
{
    return workload_find_for(name, arch, NULL);
}

static int hash_program(const struct identity *id, uint64_t *hash, struct err *err)
{
    struct buf text = { 0 };
    int failed;

    if (!workload_find_for(id->program, id->arch, err))
        return -1;
    buf_printf(&text, "%s %s %llu", id->program, workload_size_name(id->size),
               (unsigned long long)id->seed);
    *hash = hash_bytes(*hash, text.data, text.len);
    buf_clear(&text);
    buf_printf(&text, "%s/%s/%s.cubin", id->folder, id->program,
               sass_arch_name(id->arch));
    failed = identity_hash_file(buf_text(&text), hash, err);
    buf_free(&text);
    return failed;
}

static enum sass_arch code_of(const struct timed_run *r)
{
    return r->arch < 0 ? (enum sass_arch)r->machine->gpu.arch : (enum sass_arch)r->arch;
}

static int find_program(struct timed_run *r, struct err *err)
{
    if (recording_is_file(r->program))
        return 0;
    if (vortex_program_is_file(r->program))
        return err_set(
            err,
            "%s is a program for Vortex, but %s is not a Vortex GPU; use --gpu vortex-4x4",
            r->program, r->machine->name);
    r->workload = workload_find_for(r->program, code_of(r), err);
    if (!r->workload)
        return -1;
    timed_note_arch(r, sass_arch_name(code_of(r)), sass_arch_name(code_of(r)));
    r->has_size = r->has_seed = true;
    return 0;
}

static void note_recorded(struct timed_run *r, unsigned sm)
{
    int family = sass_arch_of(sm);
    char arch[16] = "";

    if (sm)
        snprintf(arch, sizeof arch, "sm_%u", sm);
    timed_note_arch(r, arch,
                    family < 0 ? arch : sass_arch_name((enum sass_arch)family));
}

static int replay_kernel(struct timed_run *r, struct kernel *k, struct err *err)
{
    double start = cpu_seconds();
    int failed = gpu_run(r->gpu, k, err);

    r->seconds += cpu_seconds() - start;
    return failed;
}

/* The recording says how much there is in launches that are not replayed, but not in blocks,
 * so those that are replayed are whole. */
static int replay_sampled(struct timed_run *r, const struct replay *from,
                          struct kernel *k, struct err *err)
{
    struct sample_shape shape = { k->name, k->n_blocks, k->block, k->shared };
    uint64_t before = gpu_cycle(r->gpu);
    struct sample_launch l = { 0 };
    struct replay_counts counts;

    if (!replay_kernel_counts(from, k, &counts))
        return err_set(err,
                       "%s: --sample: the file does not say how many instructions a "
                       "kernel has, expected a recording of leno record",
                       r->program);
    l.warp_insts = counts.warp_insts;
    if (sample_takes_next(r->sample, &shape)) {
        if (replay_kernel(r, k, err))
            return -1;
        l.timed_insts = counts.warp_insts;
        l.cycles = (double)(gpu_cycle(r->gpu) - before);
    }
    sample_note(r->sample, &l);
    return 0;
}

static int replay_kernels(struct timed_run *r, struct replay *from, struct err *err)
{
    struct choice_count seen = { 0 };
    struct kernel *k;
    int more, failed = 0;

    while (!failed && (more = replay_next_kernel(from, &k, err)) > 0) {
        if (choice_takes_next(&r->choice, &seen, k->name))
            failed =
                r->sample ? replay_sampled(r, from, k, err) : replay_kernel(r, k, err);
        replay_kernel_free(from, k);
    }
    choice_count_free(&seen);
    return failed || more < 0 ? -1 : 0;
}

/* A recording has no code to convert: its operands are named as they were recorded. If
 * nothing was inserted, that is at least another way to name those of the same program. */
static int check_naming(struct timed_run *r, const struct naming *recorded,
                        struct err *err)
{
    static const char *const texts[] = {
        [NAMING_RUNS] = "the distances of runs",
        [NAMING_JOINS] = "the distances of joins",
        [NAMING_MOVES] = "inserted moves",
        [NAMING_RELAY] = "relays",
    };
    const struct scheme_ops *scheme = r->machine->scheme;
    enum naming_kind any =
        recorded->kind < NAMING_MOVES ? recorded->kind : NAMING_JOINS;
    struct naming naming = launch_naming(r->machine, any);

    if (naming_equals(&naming, recorded))
        return 0;
    if (naming.kind == NAMING_RELAY || recorded->kind > NAMING_JOINS)
        return err_kind(err, ERR_UNSUPPORTED,
                        "scheme %s: the recording has %s for distances of up to %u, "
                        "expected one made by leno record --scheme %s with the same "
                        "settings",
                        scheme->name, texts[recorded->kind], recorded->max_distance,
                        scheme->name);
    snprintf(r->warning, sizeof r->warning,
             "the recording has %s, as with %s.convert = %s; leno record --scheme %s "
             "makes one that replays like the program",
             texts[recorded->kind], scheme->name,
             recorded->kind == NAMING_RUNS ? "runs" : "joins", scheme->name);
    timed_warn(r);
    return 0;
}

static int run_recording(struct timed_run *r, struct err *err)
{
    struct replay_options options = { .rz_is_register = r->machine->core.hazard_rz };
    struct gpu_limits whole = r->limits;
    struct replay *from;
    int failed;

    whole.sample_goal = 0;
    gpu_set_limits(r->gpu, &whole);
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
    failed = check_naming(r, &replay_info(from)->naming, err) ||
             replay_kernels(r, from, err);
    replay_close(from);
    return failed ? -1 : 0;
}

static int run_workload(struct timed_run *r, struct err *err)
{
    struct workload_run run = {
        .workload = r->workload,
        .arch = code_of(r),
        .size = r->size,
        .seed = r->seed,
        .folder = r->folder,
        .printed = r->printed,
        .hook = { .mode = LAUNCH_TIMED,
                  .machine = r->machine,
                  .choice = &r->choice,
                  .sample = r->sample,
                  .is_sampled = r->sample,
                  .loops = &r->loops,
                  .gpu = r->gpu },
    };
    int failed = workload_run(&run, err);

    choice_count_free(&run.hook.seen);
    r->seconds = run.hook.seconds;
    r->digest = run.digest;
    return failed;
}

static int run_program(struct timed_run *r, struct err *err)
{
    return r->workload ? run_workload(r, err) : run_recording(r, err);
}

static struct core_shape shape_of(const struct machine *m)
{
    return (struct core_shape){ .n_warps = m->core.warps,
                                .n_subcores = m->core.subcores };
}

static void find_area(const struct machine *m, struct area *a)
{
    struct core_shape shape = shape_of(m);

    area_of(a, m->scheme, m->scheme_params, &shape);
}

static int find_cost(const struct machine *m, struct cost *c, struct err *err)
{
    struct core_shape shape = shape_of(m);

    (void)err;
    cost_of(c, m->scheme, m->scheme_params, &shape);
    if (m->skip)
        cost_add_skip(c, m->skip, m->skip_params, &shape);
    return 0;
}

/* Columns: in order; in order with as many entries as GhOST has (4 + 8), filled whenever
 * there is room, which separates the gain of buffering from that of reordering; the papers'
 * schemes as described there. */
const struct session_kind session_kind_sm = {
    .program_at = program_at,
    .has_code = has_code,
    .usual_at = workload_dozen_at,
    .hash_program = hash_program,
    .find_program = find_program,
    .run_program = run_program,
    .cost = find_cost,
    .area = find_area,
    .schemes = "inorder,inorder:entries=12:refill=room,ghost,socgpu,loog,turbulence,"
               "inorder+darsie",
    .remark =
        "\nIn order with 12 entries has the storage of ghost (4 + 8): any speed-up in this"
        "\ncolumn comes from buffering alone; what ghost adds to it comes from reordering.\n",
    .next =
        "\nNext: leno compare lud nn --schemes inorder,ghost:entries=16 --csv"
        "\n      leno reproduce ghost --figure 13   the paper's numbers next to ours"
        "\n      leno cost ghost                    the storage it needs"
        "\n      leno run lud --scheme ghost        all statistics of one run\n",
};
