/* test_alloc.c - while a kernel is timed, nothing is allocated: what it needs is there when
 * its first window ends.
 *
 * The heap's functions are replaced here, for the whole program, by counting ones.
 */
#include <malloc.h>

#include "replay_rig.h"
#include "sim/gpu.h"

static struct {
    bool is_on;
    unsigned long n;
} calls;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
enum { CAN_COUNT = true };

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

void *malloc(size_t n)
{
    calls.n += calls.is_on;
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    calls.n += calls.is_on;
    return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    calls.n += calls.is_on;
    return __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
    calls.n += calls.is_on;
    return __libc_memalign(align, n);
}
#else
enum { CAN_COUNT = false };
#endif

/* A kernel whose windows are counted. */
struct counted {
    struct kernel_ops ops, real;
    unsigned windows;
    unsigned long n; /* calls from the end of its first window to that of its last */
};

static struct counted *counted_of(struct kernel *k)
{
    return (struct counted *)(uintptr_t)k->ops;
}

static void count_window(struct kernel *k, uint64_t last)
{
    struct counted *c = counted_of(k);

    c->real.end_window(k, last);
    if (!c->windows++)
        calls.n = 0;
    calls.is_on = true;
    c->n = calls.n;
}

struct timed {
    struct gpu *gpu;
    unsigned windows;
    unsigned long n;
};

static int run_timed(void *to, const struct sass_launch *l, struct driver_cost *cost,
                     struct err *err)
{
    struct timed *t = to;
    struct kernel *k = sass_kernel_new(l, err);
    struct counted c = { 0 };
    int failed;

    assert_non_null(k);
    c.ops = c.real = *k->ops;
    c.ops.end_window = count_window;
    k->ops = &c.ops;
    failed = gpu_run(t->gpu, k, err);
    calls.is_on = false;
    k->ops = &c.real;
    t->windows += c.windows;
    t->n += c.n;
    *cost = (struct driver_cost){ 0 };
    sass_kernel_free(k);
    return failed;
}

static void runs_without(const char *name, const char *gpu, const char *scheme)
{
    struct err err = { 0 };
    struct machine *m = machine_new(gpu, scheme, &err);
    struct timed t = { .gpu = m ? gpu_new(m, &err) : NULL };

    assert_non_null(t.gpu);
    for (unsigned i = 0; i < N_WORKLOADS; i++)
        if (!strcmp(all_workloads[i]->name, name))
            run_workload(all_workloads[i], SM75, run_timed, &t);
    assert_true(t.windows > 10);
    if (t.n)
        fail_msg("%s, %s, %s: %lu allocations in %u windows", name, gpu, scheme, t.n,
                 t.windows);
    gpu_free(t.gpu);
    machine_free(m);
}

static void windows_allocate_nothing(void **state)
{
    static const char *const names[] = { "hotspot", "rbfs",      "histogram", "vecadd",
                                         "scan",    "reduction", "lud",       "nn" };
    static const char *const schemes[] = { "inorder", "ghost", "loog" };

    (void)state;
    if (!CAN_COUNT)
        skip();
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned k = 0; k < sizeof schemes / sizeof *schemes; k++)
            runs_without(names[i], "rtx2060s", schemes[k]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_allocate_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
