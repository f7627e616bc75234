/* test_host.c - cores and memory of a host, from made-up /proc and /sys; the default number
 * of runs at a time.
 */
#include <stdio.h>
#include <string.h>

#include "base/program.h"
#include "check.h"
#include "session/jobs.h"
#include "session/shard.h"

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)

static int enter(void **state)
{
    struct scratch *s = calloc(1, sizeof *s);

    *state = s;
    return s ? scratch_open(s, NULL) : -1;
}

static int leave(void **state)
{
    scratch_close(*state);
    free(*state);
    return 0;
}

/* Writes a file of the host, with its folders. */
static void put(const struct scratch *s, const char *name, const char *text)
{
    struct buf path = { 0 };
    char *slash;

    buf_printf(&path, "%s/%s", s->path, name);
    slash = strrchr(path.data, '/');
    *slash = '\0';
    assert_int_equal(shard_make_folder(path.data, NULL), 0);
    *slash = '/';
    assert_int_equal(file_write(path.data, text, strlen(text), NULL), 0);
    buf_free(&path);
}

static struct host read_host(const struct scratch *s)
{
    return host_read(s->path);
}

static void nothing_is_no_limit(void **state)
{
    struct host h = read_host(*state);

    assert_int_equal(h.quota, 0);
    assert_true(h.memory == UINT64_MAX);
    assert_true(h.affinity >= 1);
    assert_int_equal(host_cores_of(&h), h.affinity);
    assert_int_equal(host_jobs(&h, MIB(512)), h.affinity);
}

static void unified_groups_limit(void **state)
{
    struct scratch *s = *state;
    struct host h;

    put(s, "proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    8000 kB\n");
    put(s, "proc/self/cgroup", "0::/a/b\n");
    put(s, "sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put(s, "sys/fs/cgroup/a/cpu.max", "250000 100000\n");
    put(s, "sys/fs/cgroup/cpu.max", "800000 100000\n");
    put(s, "sys/fs/cgroup/a/b/memory.max", "max\n");
    h = read_host(s);
    assert_int_equal(h.quota, 3); /* 2.5, rounded up, of the group above */
    assert_int_equal(h.memory, KIB(8000));
    put(s, "sys/fs/cgroup/a/memory.max", "4194304\n");
    put(s, "sys/fs/cgroup/a/memory.current", "3145728\n");
    h = read_host(s);
    assert_int_equal(h.memory, MIB(1));
    put(s, "sys/fs/cgroup/a/memory.stat", "anon 4096\ninactive_file 2097152\n");
    h = read_host(s);
    assert_int_equal(h.memory, MIB(3)); /* pages of files can be dropped */
    put(s, "sys/fs/cgroup/a/memory.current", "6291456\n");
    h = read_host(s);
    assert_int_equal(h.memory, 0); /* above its limit */
}

static void separate_groups_limit(void **state)
{
    struct scratch *s = *state;
    struct host h;

    put(s, "proc/self/cgroup",
        "9:memory:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/x\n");
    put(s, "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    put(s, "sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    put(s, "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    h = read_host(s);
    assert_int_equal(h.quota, 0);
    put(s, "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "100000\n");
    put(s, "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "8388608\n");
    put(s, "sys/fs/cgroup/memory/job/memory.usage_in_bytes", "5242880\n");
    put(s, "sys/fs/cgroup/memory/job/memory.stat",
        "inactive_file 1\ntotal_inactive_file 1048576\n");
    h = read_host(s);
    assert_int_equal(h.quota, 1);
    assert_int_equal(h.memory, MIB(4));
}

/* A container sees its own group as the root, and perhaps the host's path. */
static void containers_limit(void **state)
{
    struct scratch *s = *state;

    put(s, "proc/self/cgroup", "0::/docker/0123\n");
    put(s, "sys/fs/cgroup/cpu.max", "150000 100000\n");
    put(s, "sys/fs/cgroup/memory.max", "1048576\n");
    assert_int_equal(read_host(s).quota, 2);
    assert_int_equal(read_host(s).memory, MIB(1));
}

/* What the line says of the default, or "" for none; n runs are to be done. */
static void expect_jobs(const struct host *h, uint64_t asked, size_t n, size_t jobs,
                        const char *says)
{
    char text[256] = "";
    FILE *log = tmpfile();
    size_t length;

    assert_non_null(log);
    assert_int_equal(jobs_choose(h, asked, n, log), jobs);
    rewind(log);
    length = fread(text, 1, sizeof text - 1, log);
    text[length] = '\0';
    fclose(log);
    if (!*says)
        assert_string_equal(text, "");
    else if (!strstr(text, says))
        fail_msg("'%s' does not have '%s'", text, says);
}

static void jobs_fit_the_host(void **state)
{
    struct host h = { .affinity = 8, .memory = UINT64_MAX };

    (void)state;
    expect_jobs(&h, 0, 100, 8, "");
    expect_jobs(&h, 0, 3, 3, "");
    expect_jobs(&h, 0, 0, 1, "");
    expect_jobs(&h, 20, 100, 20, "");
    h.quota = 12;
    expect_jobs(&h, 0, 100, 8, "");
    h.quota = 2;
    expect_jobs(&h, 0, 100, 2, "2 runs at a time: the CPU quota is below the 8 cores");
    expect_jobs(&h, 0, 2, 2, "");
    h.quota = 0;
    h.memory = 3 * JOBS_RUN_BYTES + 1;
    expect_jobs(&h, 0, 100, 3, "3 runs at a time: 1.5 GiB of memory are available");
    h.memory = 1;
    expect_jobs(&h, 0, 100, 1, "1 run at a time: 0.0 GiB");
    expect_jobs(&h, 4, 100, 4, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_no_limit, enter, leave),
        cmocka_unit_test_setup_teardown(unified_groups_limit, enter, leave),
        cmocka_unit_test_setup_teardown(separate_groups_limit, enter, leave),
        cmocka_unit_test_setup_teardown(containers_limit, enter, leave),
        cmocka_unit_test(jobs_fit_the_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
