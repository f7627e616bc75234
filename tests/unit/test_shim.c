/* test_shim.c - the runtime behind leno exec, linked into the test: registration,
 * launches, errors, layouts of every edition; the options, the reading of programs, and
 * what becomes of launches. Run from the root of the repository.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "frontend/sass/load/fatbin.h"
#include "json_check.h"
#include "session/exec.h"
#include "session/exec_options.h"
#include "session/executable.h"
#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

#define CUBIN            "tests/data/driver/sm_75.cubin"
#define OK(call)         assert_int_equal(call, cudaSuccess)
#define GIVES(err, call) assert_int_equal(call, err)

/* A program's fat binary around the test's cubin, and the wrapper it registers. */
struct wrapper {
    uint32_t magic, version;
    const void *container, *more;
};

struct rig {
    struct exec_options options;
    struct exec_session *session;
    struct buf fat;
    struct wrapper wrapper;
    void **handle;
    char stub_shared, stub_bounded, stub_mixed, stub_none; /* addresses of kernels */
    char host_table[16], host_counter[4];
    char stats[64];
};

static struct buf make_fat(void)
{
    struct file cubin;
    struct buf b = { 0 };
    uint64_t head[8] = { 0 };

    assert_int_equal(file_read(CUBIN, 1 << 20, &cubin, NULL), 0);
    head[0] = 2 | 0x101 << 16 | (uint64_t)64 << 32;
    head[1] = cubin.size;
    head[3] = (uint64_t)75 << 32;
    buf_add(&b, "\x50\xed\x55\xba\1\0\x10\0", 8);
    buf_add(&b, &(uint64_t){ cubin.size + sizeof head }, 8);
    buf_add(&b, head, sizeof head);
    buf_add(&b, cubin.data, cubin.size);
    file_free(&cubin);
    return b;
}

static int setup(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    struct err err = { 0 };

    snprintf(r->stats, sizeof r->stats, "/tmp/leno-test-%ld.json", (long)getpid());
    r->options.stats = r->stats;
    r->session = exec_session_new(&r->options, "test", -1, &err);
    if (!r->session)
        fail_msg("%s", err.text);
    driver_make_current(exec_session_driver(r->session));
    r->fat = make_fat();
    r->wrapper = (struct wrapper){ FATBIN_WRAPPER_MAGIC, 1, r->fat.data, NULL };
    r->handle = __cudaRegisterFatBinary(&r->wrapper);
    __cudaRegisterFunction(r->handle, &r->stub_shared, NULL, "shared", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterFunction(r->handle, &r->stub_bounded, NULL, "bounded", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterFunction(r->handle, &r->stub_mixed, NULL, "mixed", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterFunction(r->handle, &r->stub_none, NULL, "no_such", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterVar(r->handle, r->host_table, NULL, "table", 0, 16, 1, 0);
    __cudaRegisterVar(r->handle, r->host_counter, NULL, "counter", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(r->handle);
    cudaGetLastError();
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct rig *r = *state;

    cudaDeviceReset();
    __cudaUnregisterFatBinary(r->handle);
    assert_int_equal(exec_session_finish(r->session, NULL), 0);
    unlink(r->stats);
    buf_free(&r->fat);
    free(r);
    return 0;
}

static void kernels_run_by_the_address_of_their_stub(void **state)
{
    struct rig *r = *state;
    int *d, h[64], values[4] = { 10, 20, 30, 40 }, counter = 5;
    dim3 one = { 1, 1, 1 }, block = { 64, 1, 1 }, grid;
    void *args[] = { &d };
    size_t shared;
    cudaStream_t stream;
    cudaKernel_t kernel;

    OK(cudaMalloc((void **)&d, sizeof h));
    OK(cudaMemcpyToSymbol(r->host_table, values, sizeof values, 0,
                          cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(r->host_counter, &counter, 4, 0, cudaMemcpyHostToDevice));
    /* as code of CUDA 13 does it */
    assert_int_equal(__cudaPushCallConfiguration(one, block, 0, NULL), 0);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    GIVES(cudaErrorMissingConfiguration,
          __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    OK(__cudaGetKernel(&kernel, &r->stub_bounded));
    OK(__cudaLaunchKernel(kernel, grid, block, args, shared, stream));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        assert_int_equal(h[i], values[i & 3] + 5);
    /* as that of CUDA 11 does */
    OK(cudaMemset(d, 0, sizeof h));
    OK(cudaLaunchKernel(&r->stub_bounded, one, block, args, 0, NULL));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    assert_int_equal(h[3], 45);
    OK(cudaFree(d));
}

static void launches_that_cannot_be_have_the_runtimes_errors(void **state)
{
    struct rig *r = *state;
    dim3 one = { 1, 1, 1 }, none = { 0, 1, 1 }, large = { 2048, 1, 1 };
    dim3 beyond = { 65, 1, 1 };
    int *d;
    void *args[] = { &d };

    OK(cudaMalloc((void **)&d, 4096));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&r->stub_bounded, none, one, args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&r->stub_bounded, one, large, args, 0, NULL));
    GIVES(cudaErrorInvalidValue,
          cudaLaunchKernel(&r->stub_bounded, one, beyond, args, 0, NULL));
    GIVES(cudaErrorInvalidValue,
          cudaLaunchKernel(&r->stub_shared, one, one, args, 1 << 20, NULL));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(&r->stub_none, one, one, args, 0, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaLaunchKernel(r, one, one, args, 0, NULL));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaLaunchKernel(&r->stub_bounded, one, one, args, 0, (cudaStream_t)r));
    GIVES(cudaErrorInvalidResourceHandle, cudaPeekAtLastError());
    GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
}

static void a_kernels_failure_stays_until_the_device_is_reset(void **state)
{
    struct rig *r = *state;
    dim3 one = { 1, 1, 1 };
    int *d = (int *)16, *good;
    void *args[] = { &d };

    OK(cudaMalloc((void **)&good, 64));
    OK(cudaLaunchKernel(&r->stub_bounded, one, one, args, 0, NULL)); /* it went well */
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaMalloc((void **)&good, 64));
    GIVES(cudaErrorIllegalAddress,
          cudaLaunchKernel(&r->stub_bounded, one, one, args, 0, NULL));
    GIVES(cudaErrorIllegalAddress, cudaPeekAtLastError());
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    OK(cudaGetLastError());
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    OK(cudaDeviceReset());
    cudaGetLastError();
    OK(cudaMalloc((void **)&good, 4096));
    d = good;
    OK(cudaLaunchKernel(&r->stub_bounded, one, one, args, 0, NULL)); /* loaded again */
    OK(cudaDeviceSynchronize());
}

static void symbols_have_ends(void **state)
{
    struct rig *r = *state;
    int h[4];
    size_t size;
    void *at;

    OK(cudaMemcpyFromSymbol(h, r->host_table, 8, 8, cudaMemcpyDeviceToHost));
    assert_int_equal(h[1], 4);
    OK(cudaGetSymbolSize(&size, r->host_table));
    assert_int_equal(size, 16);
    OK(cudaGetSymbolAddress(&at, r->host_counter));
    OK(cudaMemcpy(h, at, 4, cudaMemcpyDeviceToHost));
    assert_int_equal(h[0], 7);
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyFromSymbol(h, r->host_table, 8, 9, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyFromSymbol(h, r->host_table, 8, SIZE_MAX, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidSymbol,
          cudaMemcpyFromSymbol(h, r, 4, 0, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyFromSymbol(h, r->host_table, 4, 0, cudaMemcpyHostToDevice));
}

static void what_is_not_offered_is_refused(void **state)
{
    cudaError_t cudaDestroyExternalMemory(void), cudaDestroyExternalSemaphore(void);

    (void)state;
    GIVES(cudaErrorNotSupported, cudaDestroyExternalMemory());
    GIVES(cudaErrorNotSupported, cudaGetLastError());
    GIVES(cudaErrorNotSupported, cudaDestroyExternalSemaphore());
}

static void properties_are_laid_out_for_every_edition(void **state)
{
    unsigned char p[2048];
    int sms;

    (void)state;
    assert_int_equal(properties_offset(13, NULL), 1008);
    assert_int_equal(properties_offset(13, "multiProcessorCount"), 384);
    assert_int_equal(properties_offset(13, "clusterLaunch"), 748);
    assert_int_equal(properties_offset(12, NULL), 1032);
    assert_int_equal(properties_offset(12, "multiProcessorCount"), 388);
    assert_int_equal(properties_offset(11, NULL), 728);
    assert_int_equal(properties_offset(13, "clockRate"), SIZE_MAX);
    for (int edition = 11; edition <= 13; edition++) {
        size_t size = properties_offset(edition, NULL);

        memset(p, 0xab, sizeof p);
        runtime_begin();
        assert_int_equal(properties_fill(p, edition), CUDA_SUCCESS);
        runtime_unlock();
        assert_string_equal((char *)p, "Leno rtx2060s");
        memcpy(&sms, p + properties_offset(edition, "multiProcessorCount"), sizeof sms);
        assert_int_equal(sms, 34);
        for (size_t i = size; i < sizeof p; i++)
            assert_int_equal(p[i], 0xab);
    }
}

static void options_come_back_as_they_went(void **state)
{
    struct exec_options o = { .machine = { .gpu = "h200",
                                           .set = { { "a=1", "b.c=x y" }, 2 },
                                           .sms = 4 },
                              .choice = { .first = 3, .last = UINT64_MAX },
                              .functional = 1,
                              .stop_on_fault = 1,
                              .stats = "/tmp/a file" },
                        back;
    struct buf text = { 0 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(exec_options_write(&o, &text, &err), 0);
    assert_int_equal(exec_options_read(&back, text.data, &err), 0);
    assert_string_equal(back.machine.gpu, "h200");
    assert_null(back.machine.scheme);
    assert_int_equal(back.machine.set.n, 2);
    assert_string_equal(back.machine.set.at[1], "b.c=x y");
    assert_int_equal(back.machine.sms, 4);
    assert_int_equal(back.choice.first, 3);
    assert_true(back.choice.last == UINT64_MAX);
    assert_int_equal(back.functional, 1);
    assert_int_equal(back.stop_on_fault, 1);
    assert_int_equal(back.stop_on_unsupported, 0);
    assert_int_equal(back.quiet, 0);
    assert_string_equal(back.stats, "/tmp/a file");
    buf_free(&text);
    o.stats = "two\nlines";
    assert_int_equal(exec_options_write(&o, &text, &err), -1);
    buf_free(&text);
}

static void bad_options_are_refused(void **state)
{
    static const char *const bad[] = { "sms four", "sms -1", "nothing 1", "gpu",
                                       "sms 99999999999999999999" };
    static const char *const ranges[] = { "", "0", "3-2", "a", "1-x", "-3", "1-2-3" };
    struct exec_options o;
    struct err err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];

        snprintf(text, sizeof text, "%s\n", bad[i]);
        assert_int_equal(exec_options_read(&o, text, &err), -1);
        assert_non_null(strstr(err.text, EXEC_VARIABLE));
    }
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        assert_int_equal(choice_read_range(&o.choice, ranges[i], &err), -1);
    assert_int_equal(choice_read_range(&o.choice, "7", &err), 0);
    assert_true(o.choice.first == 7 && o.choice.last == 7);
    assert_int_equal(choice_read_range(&o.choice, "2-9", &err), 0);
    assert_true(o.choice.first == 2 && o.choice.last == 9);
    assert_int_equal(choice_read_range(&o.choice, "2-", &err), 0);
    assert_true(o.choice.last == UINT64_MAX);
}

static void count_function(void *to, const char *name, uint64_t value, uint64_t size)
{
    (void)value;
    (void)size;
    *(unsigned *)to += !strcmp(name, "main");
}

static void programs_are_read_and_damaged_ones_survived(void **state)
{
    char path[64];
    struct executable p;
    struct file self;
    unsigned n = 0;

    (void)state;
    snprintf(path, sizeof path, "/tmp/leno-test-%ld.elf", (long)getpid());
    assert_int_equal(executable_read(&p, "/proc/self/exe", NULL), 0);
    assert_true(p.is_elf && p.is_host && !p.is_stripped);
    assert_string_equal(p.cudart, "");
    assert_true(p.has_own_runtime); /* the test has ours inside */
    executable_functions(&p, count_function, &n);
    assert_int_equal(n, 1);
    executable_free(&p);
    assert_int_equal(executable_read(&p, "tests/exec/run.sh", NULL), 0);
    assert_false(p.is_elf);
    executable_free(&p);
    assert_int_equal(executable_read(&p, "no/such/file", NULL), -1);

    assert_int_equal(file_read("/proc/self/exe", 1 << 30, &self, NULL), 0);
    for (unsigned i = 0; i < 64; i++) { /* every byte of the header, then the middle */
        self.data[i + 4 < 64 ? i + 4 : 0] ^= 0xff;
        assert_int_equal(
            file_write(path, self.data, i % 2 ? self.size / 2 : 4096, NULL), 0);
        assert_int_equal(executable_read(&p, path, NULL), 0);
        executable_functions(&p, count_function, &n);
        executable_free(&p);
        self.data[i + 4 < 64 ? i + 4 : 0] ^= 0xff;
    }
    unlink(path);
    file_free(&self);
}

/* A document, which says what ran on what. */
static void check_line(const char *line, unsigned n)
{
    static const char *const parts[] = {
        "\"schema\": \"leno.launch/1\"",
        "\"program\": \"test\", \"arguments\": []",
        "\"gpu\": \"rtx2060s\", \"gpu_arch\": \"sm_75\"",
        "\"scheme\": \"inorder\", \"skip\": null",
        "\"code_arch\": \"sm_75\"",
        "\"kernel\": \"bounded\"",
        "\"ok\": true, \"exit_code\": 0",
        "\"gpu.cycles\": "
    };
    char number[32];

    assert_true(json_is_valid(line));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(line, parts[i]))
            fail_msg("%s is not in %s", parts[i], line);
    snprintf(number, sizeof number, "\"launch\": %u,", n);
    assert_non_null(strstr(line, number));
}

static void every_launch_has_a_line(void **state)
{
    struct rig *r = *state;
    dim3 one = { 1, 1, 1 }, block = { 32, 1, 1 };
    cudaEvent_t start, stop;
    struct file lines;
    float ms = 0;
    int *d;
    void *args[] = { &d };
    unsigned n = 0;

    OK(cudaMalloc((void **)&d, 4096));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventRecord(start, NULL));
    for (int i = 0; i < 3; i++)
        OK(cudaLaunchKernel(&r->stub_bounded, one, block, args, 0, NULL));
    OK(cudaEventRecord(stop, NULL));
    OK(cudaEventElapsedTime(&ms, start, stop));
    assert_true(ms > 0.001f && ms < 1);
    assert_int_equal(file_read(r->stats, 1 << 20, &lines, NULL), 0);
    lines.data[lines.size - 1] = '\0'; /* the last line's end */
    for (char *line = strtok((char *)lines.data, "\n"); line; line = strtok(NULL, "\n"))
        check_line(line, ++n);
    assert_int_equal(n, 3);
    file_free(&lines);
}

int main(void)
{
#define RIGGED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        RIGGED(kernels_run_by_the_address_of_their_stub),
        RIGGED(launches_that_cannot_be_have_the_runtimes_errors),
        RIGGED(a_kernels_failure_stays_until_the_device_is_reset),
        RIGGED(symbols_have_ends),
        RIGGED(what_is_not_offered_is_refused),
        RIGGED(properties_are_laid_out_for_every_edition),
        RIGGED(every_launch_has_a_line),
        cmocka_unit_test(options_come_back_as_they_went),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(programs_are_read_and_damaged_ones_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
