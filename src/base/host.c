/* host.c - reads the CPU affinity, cgroups and /proc/meminfo. */
#include "base/host.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Files of one version of cgroups: where a controller's folders are, and what is in them. */
struct layout {
    const char *cpu, *memory; /* folders, below the root */
    const char *limit, *usage, *droppable;
};

static const struct layout layouts[] = {
    { "/sys/fs/cgroup", "/sys/fs/cgroup", "memory.max", "memory.current",
      "inactive_file" },
    { "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/memory", "memory.limit_in_bytes",
      "memory.usage_in_bytes", "total_inactive_file" },
};
enum { UNIFIED, SEPARATE };

/* Opens root + folder + group + "/" + name; NULL if it is not there. */
static FILE *open_file(const char *root, const char *folder, const char *group,
                       const char *name)
{
    struct buf path = { 0 };
    FILE *f;

    buf_printf(&path, "%s%s%s/%s", root, folder, group, name);
    f = fopen(buf_text(&path), "r");
    buf_free(&path);
    return f;
}

/* The first number of a file; false for "max", -1 or no file. */
static bool read_number(const char *root, const char *folder, const char *group,
                        const char *name, uint64_t *number)
{
    FILE *f = open_file(root, folder, group, name);
    char text[32] = "";
    bool found = f && fscanf(f, "%31s", text) == 1 && strspn(text, "0123456789");

    if (found)
        *number = strtoull(text, NULL, 10);
    if (f)
        fclose(f);
    return found;
}

/* The number after a key, "key 123" or "key: 123", one per line. */
static bool find_number(FILE *f, const char *key, uint64_t *number)
{
    char line[256];
    size_t n = strlen(key);
    bool found = false;

    while (f && !found && fgets(line, sizeof line, f))
        found = !strncmp(line, key, n) && strchr(": \t", line[n]) &&
                sscanf(line + n + 1, "%" SCNu64, number) == 1;
    if (f)
        fclose(f);
    return found;
}

static void lower_quota(struct host *h, uint64_t quota, uint64_t period)
{
    uint64_t cores = period ? quota / period + (quota % period != 0) : 0;

    if (cores && (!h->quota || cores < h->quota))
        h->quota = (size_t)cores;
}

/* Version 2: "max 100000" or "150000 100000". */
static void read_cpu_max(struct host *h, const char *root, const char *folder,
                         const char *group)
{
    FILE *f = open_file(root, folder, group, "cpu.max");
    uint64_t quota, period;

    if (f && fscanf(f, "%" SCNu64 " %" SCNu64, &quota, &period) == 2)
        lower_quota(h, quota, period);
    if (f)
        fclose(f);
}

static void read_cpu(struct host *h, const char *root, const char *folder,
                     const char *group)
{
    uint64_t quota, period;

    read_cpu_max(h, root, folder, group);
    if (read_number(root, folder, group, "cpu.cfs_quota_us", &quota) &&
        read_number(root, folder, group, "cpu.cfs_period_us", &period))
        lower_quota(h, quota, period);
}

static void read_memory(struct host *h, const char *root, const struct layout *l,
                        const char *group)
{
    uint64_t limit, usage = 0, droppable = 0;

    if (!read_number(root, l->memory, group, l->limit, &limit))
        return;
    read_number(root, l->memory, group, l->usage, &usage);
    find_number(open_file(root, l->memory, group, "memory.stat"), l->droppable,
                &droppable);
    usage = usage > droppable ? usage - droppable : 0;
    limit = limit > usage ? limit - usage : 0;
    if (limit < h->memory)
        h->memory = limit;
}

/* Has a list "cpu,cpuacct" this controller? */
static bool has_controller(const char *list, size_t n, const char *name)
{
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(list + at, ",:");

        if (length == strlen(name) && !memcmp(list + at, name, length))
            return true;
        at += length + 1;
    }
    return false;
}

/* A line of /proc/self/cgroup, "4:cpu,cpuacct:/a/b" or "0::/a/b": the group and those above
 * it. In a container the path may be the host's: what is not there is passed over, and the
 * last one, the root of what is mounted, is the container's own. */
static void read_group(struct host *h, const char *root, char *line)
{
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    bool is_unified = group == list + 1;
    const struct layout *l = &layouts[is_unified ? UNIFIED : SEPARATE];
    size_t n;

    if (!group)
        return;
    n = (size_t)(group++ - ++list);
    group[strcspn(group, "\n")] = '\0';
    for (;;) {
        char *slash = strrchr(group, '/');

        if (slash && !slash[1])
            *slash = '\0';
        if (is_unified || has_controller(list, n, "cpu"))
            read_cpu(h, root, l->cpu, group);
        if (is_unified || has_controller(list, n, "memory"))
            read_memory(h, root, l, group);
        if (!*group || !(slash = strrchr(group, '/')))
            return;
        *slash = '\0';
    }
}

static void read_groups(struct host *h, const char *root)
{
    FILE *f = open_file(root, "/proc/self", "", "cgroup");
    char *line = NULL;
    size_t size = 0;

    while (f && getline(&line, &size, f) > 0)
        read_group(h, root, line);
    free(line);
    if (f)
        fclose(f);
}

struct host host_read(const char *root)
{
    struct host h = { .affinity = 1, .memory = UINT64_MAX };
    uint64_t kib;
    cpu_set_t set;

    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0)
        h.affinity = (size_t)CPU_COUNT(&set);
    if (find_number(open_file(root, "/proc", "", "meminfo"), "MemAvailable", &kib))
        h.memory = kib << 10;
    read_groups(&h, root);
    return h;
}

size_t host_cores_of(const struct host *h)
{
    return h->quota && h->quota < h->affinity ? h->quota : h->affinity;
}

size_t host_cores(void)
{
    struct host h = host_read("");

    return host_cores_of(&h);
}

size_t host_jobs(const struct host *h, uint64_t bytes_each)
{
    uint64_t cores = host_cores_of(h), fit = h->memory / bytes_each;

    if (fit < cores)
        return fit ? (size_t)fit : 1;
    return (size_t)cores;
}
