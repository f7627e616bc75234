/* test_converge.c - which lanes run together, as an H200 does it: kernels whose lanes part
 * in many ways execute as many instructions as were counted there, and the groups of random
 * programs run in the order that was logged there. Where we differ, the record says so, and
 * it must stay so until somebody looks at it. And lanes that wait for one another all come
 * to their end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "driver/cuda.h"
#include "driver/driver.h"
#include "frontend/sass/exec/converge.h"

#define TRY(call) assert_int_equal(call, 0)
#include "groups.h"

enum { LANES = 32, MOST_DIFFER = 19 };

struct bench {
    struct driver *driver;
    CUmodule module;
    CUdeviceptr leave, out, in;
};

static void bench_make(struct bench *b, enum sass_arch arch, const char *cubin)
{
    struct driver_config config = { .arch = arch };
    struct err err = { 0 };
    float in[LANES];
    CUcontext context;

    b->driver = driver_new(&config, &err);
    assert_non_null(b->driver);
    driver_make_current(b->driver);
    assert_int_equal(cuInit(0), 0);
    assert_int_equal(cuDevicePrimaryCtxRetain(&context, 0), 0);
    assert_int_equal(cuCtxSetCurrent(context), 0);
    assert_int_equal(cuModuleLoad(&b->module, cubin), 0);
    assert_int_equal(cuMemAlloc(&b->leave, sizeof(int) * LANES), 0);
    assert_int_equal(cuMemAlloc(&b->out, sizeof in), 0);
    assert_int_equal(cuMemAlloc(&b->in, sizeof in), 0);
    for (int l = 0; l < LANES; l++)
        in[l] = (float)l * 0.01f;
    assert_int_equal(cuMemcpyHtoD(b->in, in, sizeof in), 0);
}

/* Instructions that one warp of the kernel executes. */
static uint64_t count(struct bench *b, const char *kernel, const int *leave)
{
    uint64_t before = driver_totals(b->driver)->cost.warp_insts;
    int rounds = 1000;
    void *params[] = { &b->leave, &b->out, &b->in, &rounds };
    CUfunction f;

    assert_int_equal(cuModuleGetFunction(&f, b->module, kernel), 0);
    assert_int_equal(cuMemcpyHtoD(b->leave, leave, sizeof(int) * LANES), 0);
    assert_int_equal(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, params, NULL), 0);
    return driver_totals(b->driver)->cost.warp_insts - before;
}

/* A line of the record: what the hardware counted, what we count, when lanes leave. */
struct pattern {
    char kernel[32];
    unsigned long long hardware, ours;
    int leave[LANES];
};

static struct pattern read_pattern(const char *line)
{
    struct pattern p;
    int at, n;

    assert_int_equal(sscanf(line, "%31s %llu%n", p.kernel, &p.hardware, &at), 2);
    p.ours = p.hardware;
    if (line[at] == '/') {
        assert_int_equal(sscanf(line + at, "/%llu%n", &p.ours, &n), 1);
        assert_true(p.ours != p.hardware);
        at += n;
    }
    for (int l = 0; l < LANES; l++, at += n)
        assert_int_equal(sscanf(line + at, "%d%n", &p.leave[l], &n), 1);
    return p;
}

/* A record of what hardware counted. */
struct record {
    const char *name, *cubin;
    int least_lines, most_otherwise;
};

static void record_holds(const struct record *r)
{
    FILE *f = fopen(r->name, "r");
    char line[1024];
    int n_lines = 0, n_otherwise = 0;
    struct bench b;

    assert_non_null(f);
    bench_make(&b, SM90, r->cubin);
    while (fgets(line, sizeof line, f)) {
        struct pattern p;
        unsigned long long got;

        if (line[0] == '#')
            continue;
        p = read_pattern(line);
        got = count(&b, p.kernel, p.leave);
        if (got != p.ours)
            fail_msg("%llu instructions, expected %llu: %s", got, p.ours, line);
        n_lines++;
        n_otherwise += p.ours != p.hardware;
    }
    assert_true(n_lines >= r->least_lines && n_otherwise <= r->most_otherwise);
    fclose(f);
    driver_free(b.driver);
}

static void groups_run_as_on_hardware(void **state)
{
    (void)state;
    record_holds(&(struct record){ .name = "tests/data/converge/recorded.txt",
                                   .cubin = "tests/data/converge/sm_90.cubin",
                                   .least_lines = 1400,
                                   .most_otherwise = 28 });
}

static void recursion_runs_as_on_hardware(void **state)
{
    (void)state;
    record_holds(&(struct record){ .name = "tests/data/converge/recursion.txt",
                                   .cubin = "tests/data/converge/recursion.sm_90.cubin",
                                   .least_lines = 2279,
                                   .most_otherwise = 146 });
}

static bool groups_are_equal(const struct group_order *a, const struct group_order *b)
{
    return a->n == b->n && a->hash == b->hash && a->insts == b->insts;
}

/* "g0 1 53 9a7b1ee8 5126", and after a slash what we do where we differ. */
static struct group_order read_order(const char *line, int *kernel, int *seed,
                                     bool *differs)
{
    struct group_order hardware, ours;
    int n = sscanf(line, "g%d %d %u %" SCNx32 " %llu / %u %" SCNx32 " %llu", kernel,
                   seed, &hardware.n, &hardware.hash, &hardware.insts, &ours.n,
                   &ours.hash, &ours.insts);

    assert_true(n == 5 || n == 8);
    *differs = n == 8;
    if (*differs)
        assert_false(groups_are_equal(&ours, &hardware));
    return *differs ? ours : hardware;
}

static void groups_run_in_the_order_of_hardware(void **state)
{
    FILE *f = fopen("tests/data/converge/groups.txt", "r");
    int n_lines = 0, n_differ = 0;
    char line[256];
    struct bench b;
    struct groups g;

    (void)state;
    assert_non_null(f);
    bench_make(&b, SM90, "tests/data/converge/groups.sm_90.cubin");
    groups_init(&g, "tests/data/converge/groups.sm_90.cubin");
    while (fgets(line, sizeof line, f)) {
        struct group_order want, got;
        uint64_t before = driver_totals(b.driver)->cost.warp_insts;
        int kernel, seed;
        bool differs;

        if (line[0] == '#')
            continue;
        want = read_order(line, &kernel, &seed, &differs);
        got = groups_run(&g, kernel, seed);
        got.insts = driver_totals(b.driver)->cost.warp_insts - before;
        if (!groups_are_equal(&got, &want))
            fail_msg("%u %08x %llu instead of: %s", got.n, (unsigned)got.hash,
                     got.insts, line);
        n_lines++;
        n_differ += differs;
    }
    assert_true(n_lines == GROUP_KERNELS * GROUP_SEEDS && n_differ <= MOST_DIFFER);
    fclose(f);
    free(g.words);
    driver_free(b.driver);
}

static const char *const progress[] = {
    [SM75] = "tests/data/converge/progress.sm_75.cubin",
    [SM86] = "tests/data/converge/progress.sm_86.cubin",
    [SM90] = "tests/data/converge/progress.sm_90.cubin"
};

static void all_lanes_end(struct bench *b, const char *kernel)
{
    void *params[] = { &b->leave, &b->out };
    int out[LANES];
    CUfunction f;

    assert_int_equal(cuMemsetD32(b->leave, 0, LANES), 0);
    assert_int_equal(cuMemsetD32(b->out, 0, LANES), 0);
    assert_int_equal(cuModuleGetFunction(&f, b->module, kernel), 0);
    assert_int_equal(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, params, NULL), 0);
    assert_int_equal(cuMemcpyDtoH(out, b->out, sizeof out), 0);
    for (int l = 0; l < LANES; l++)
        assert_int_equal(out[l], 1);
}

static void lanes_get_their_turn(void **state)
{
    static const char *const kernels[] = { "lock", "chain", "starve", "starve_apart",
                                           "relay" };

    (void)state;
    for (int arch = SM75; arch <= SM90; arch++) {
        struct bench b;

        if (!progress[arch])
            continue;
        bench_make(&b, (enum sass_arch)arch, progress[arch]);
        for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
            all_lanes_end(&b, kernels[k]);
        driver_free(b.driver);
    }
}

/* Puts NOP where the compiler put YIELD. */
static unsigned drop_yields(struct file *f)
{
    static const uint64_t yield = 0x7946, nop = 0x7918;
    unsigned n = 0;

    for (size_t at = 0; at + 16 <= f->size; at += 8) {
        if (memcmp(f->data + at, &yield, sizeof yield) != 0)
            continue;
        memcpy(f->data + at, &nop, sizeof nop);
        n++;
    }
    return n;
}

/* Whoever spins has its turn taken away, also if it parts and meets all the time. */
static void spinning_needs_no_yield(void **state)
{
    (void)state;
    for (int arch = SM75; arch <= SM90; arch++) {
        struct bench b;
        struct file f;
        struct err err;

        if (!progress[arch])
            continue;
        bench_make(&b, (enum sass_arch)arch, progress[arch]);
        assert_int_equal(file_read(progress[arch], 1 << 20, &f, &err), 0);
        assert_true(drop_yields(&f) > 0);
        assert_int_equal(driver_module_load(&b.module, "x", f.data, f.size), 0);
        all_lanes_end(&b, "starve");
        all_lanes_end(&b, "starve_apart");
        driver_free(b.driver);
        file_free(&f);
    }
}

/* By hand: a restored barrier of lanes 0 to 7, where 0 to 3 wait; lanes 8 to 11 are
 * elsewhere. When 4 to 7 exit, those that wait come to the BSYNC once more, and pass. */
static void those_left_pass(void **state)
{
    enum { WAIT = 0xf, EXIT = 0xf0, OTHERS = 0xf00, SYNC = 0x100, PLACE = 0x200 };
    struct sass_warp w;

    (void)state;
    memset(&w, 0, sizeof w);
    w.exited = ~(uint32_t)(WAIT | EXIT | OTHERS);
    w.active = WAIT;
    w.parked = EXIT | OTHERS;
    w.seq = 9;
    for (unsigned l = 4; l < 12; l++) {
        w.lane_pc[l] = PLACE + 0x100 * (l / 4);
        w.lane_parked[l] = l < 8 ? 2 : 1;
    }
    converge_restore(&w, 0, WAIT | EXIT);
    assert_false(converge_sync(&w, WAIT, 0, SYNC + 16));
    w.active = 0;
    assert_true(converge_pick(&w) && w.active == EXIT);
    w.seq++;
    converge_exit(&w, EXIT, PLACE);
    assert_true(converge_pick(&w) && w.active == WAIT && w.pc == SYNC);
    assert_true(converge_sync(&w, WAIT, 0, SYNC + 16));
}

/* By hand: lanes 0 to 3 come to a BSYNC, lanes 4 to 7, which belong to its barrier, wait at a
 * WARPSYNC for all. Those at the BSYNC pass, at once or when all are blocked, and nothing of
 * the barrier is left for those who use its register next. */
static void those_gone_are_forgotten(void **state)
{
    enum { COME = 0xf, GONE = 0xf0, SYNC = 0x100, MEET = 0x200 };
    struct sass_warp w;

    (void)state;
    for (unsigned is_picked = 0; is_picked < 2; is_picked++) {
        memset(&w, 0, sizeof w);
        w.exited = ~(uint32_t)(COME | GONE);
        w.seq = 9;
        w.picked = is_picked ? 9 : 0;
        w.b[0] = COME | GONE;
        w.active = COME | GONE;
        converge_hold(&w, GONE, LANE_WARPSYNC, COME | GONE, MEET);
        assert_int_equal(converge_sync(&w, COME, 0, SYNC + 16), is_picked);
        if (!is_picked)
            assert_true(converge_pick(&w) && w.active == COME && w.pc == SYNC);
        assert_int_equal(w.b[0], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(groups_run_as_on_hardware),
                                        cmocka_unit_test(recursion_runs_as_on_hardware),
                                        cmocka_unit_test(
                                            groups_run_in_the_order_of_hardware),
                                        cmocka_unit_test(lanes_get_their_turn),
                                        cmocka_unit_test(spinning_needs_no_yield),
                                        cmocka_unit_test(those_left_pass),
                                        cmocka_unit_test(those_gone_are_forgotten) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
