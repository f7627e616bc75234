/* test_converge.c - which lanes run together, as an H200 does it: kernels whose lanes leave
 * a loop one group after another execute as many instructions as were counted there.
 */
#include <stdio.h>

#include "check.h"
#include "driver/cuda.h"
#include "driver/driver.h"

enum { LANES = 32, LEAST_LINES = 400 };

struct bench {
    struct driver *driver;
    CUmodule module;
    CUdeviceptr leave, out, in;
};

static void bench_make(struct bench *b)
{
    struct driver_config config = { .arch = SM90 };
    struct err err = { 0 };
    float in[LANES];
    CUcontext context;

    b->driver = driver_new(&config, &err);
    assert_non_null(b->driver);
    driver_make_current(b->driver);
    assert_int_equal(cuInit(0), 0);
    assert_int_equal(cuDevicePrimaryCtxRetain(&context, 0), 0);
    assert_int_equal(cuCtxSetCurrent(context), 0);
    assert_int_equal(cuModuleLoad(&b->module, "tests/data/converge/sm_90.cubin"), 0);
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

static void groups_run_as_on_hardware(void **state)
{
    FILE *f = fopen("tests/data/converge/recorded.txt", "r");
    char line[1024], kernel[32];
    int n_lines = 0;
    struct bench b;

    (void)state;
    assert_non_null(f);
    bench_make(&b);
    while (fgets(line, sizeof line, f)) {
        int leave[LANES], at, n;
        unsigned long long want, got;

        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%31s %llu%n", kernel, &want, &at), 2);
        for (int l = 0; l < LANES; l++, at += n)
            assert_int_equal(sscanf(line + at, "%d%n", &leave[l], &n), 1);
        got = count(&b, kernel, leave);
        if (got != want)
            fail_msg("%llu instructions, hardware %llu: %s", got, want, line);
        n_lines++;
    }
    assert_true(n_lines >= LEAST_LINES);
    fclose(f);
    driver_free(b.driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(groups_run_as_on_hardware) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
