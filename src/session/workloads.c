/* workloads.c - the workloads linked into the program, and where their files are. */
#include "session/workloads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suggest.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads.def"
#undef WORKLOAD

static const struct workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads.def"
#undef WORKLOAD
    NULL
};

static const char *const vortex_programs[] = {
#define PROGRAM(name) #name,
#include "vortex_programs.def"
#undef PROGRAM
    NULL
};

const struct workload *workload_at(size_t i)
{
    return workloads[i];
}

const char *workload_dozen_at(size_t i)
{
    static const char *const dozen[] = {
        "backprop",   "histogram", "hotspot",   "lud",  "mandelbrot", "matrixmul", "nn",
        "pathfinder", "rbfs",      "reduction", "scan", "vecadd",     NULL
    };

    return dozen[i];
}

static const char *next_program(const void *from, size_t i)
{
    (void)from;
    return vortex_programs[i];
}

static const char *next_name(const void *from, size_t i)
{
    (void)from;
    return workloads[i] ? workloads[i]->name : NULL;
}

const struct workload *workload_find(const char *name, struct err *err)
{
    struct buf b = { 0 };

    for (size_t i = 0; workloads[i]; i++) {
        if (!strcmp(workloads[i]->name, name))
            return workloads[i];
    }
    suggest_word(&b, name, next_name, NULL);
    err_set(err, "no workload '%s'%s; see leno list workloads", name, buf_text(&b));
    buf_free(&b);
    return NULL;
}

bool workload_has_code(const struct workload *w, enum sass_arch arch)
{
    unsigned sm = sass_arch_number(arch);

    return !w->sm[1] || (sm >= w->sm[0] && sm <= w->sm[1]);
}

void workload_put_archs(const struct workload *w, struct buf *out)
{
    if (w->sm[1])
        buf_printf(out, "sm_%u", w->sm[0]);
    if (w->sm[1] != w->sm[0])
        buf_printf(out, " to sm_%u", w->sm[1]);
}

const struct workload *workload_find_for(const char *name, enum sass_arch arch,
                                         struct err *err)
{
    const struct workload *w = workload_find(name, err);
    struct buf archs = { 0 };

    if (!w || workload_has_code(w, arch))
        return w;
    workload_put_archs(w, &archs);
    err_set(err,
            "%s has no code for %s, only for %s; use --arch sm_%u, or such a GPU (leno "
            "list gpus)",
            name, sass_arch_name(arch), buf_text(&archs), w->sm[0]);
    buf_free(&archs);
    return NULL;
}

const char *workload_size_name(enum workload_size size)
{
    static const char *const names[] = { "tiny", "small", "paper" };

    return names[size];
}

const char *workload_vortex_at(size_t i)
{
    return vortex_programs[i];
}

int workload_vortex(const char *folder, const char *name, enum workload_size size,
                    struct buf *path, struct err *err)
{
    struct buf near = { 0 };
    size_t i = 0;

    while (vortex_programs[i] && strcmp(vortex_programs[i], name) != 0)
        i++;
    if (vortex_programs[i] && size != SIZE_PAPER) {
        buf_printf(path, "%s/vortex/%s/%s.elf", folder, workload_size_name(size), name);
        return 0;
    }
    if (vortex_programs[i])
        return err_set(err, "%s: programs for Vortex have sizes tiny and small", name);
    suggest_word(&near, name, next_program, NULL);
    err_set(err,
            "no program for Vortex named '%s'%s; expected one of %s/vortex, or a file "
            "that ends with .elf or .vxbin",
            name, buf_text(&near), folder);
    buf_free(&near);
    return -1;
}

/* The folder of the program's file, without the last slash. */
static int program_folder(struct buf *folder, struct err *err)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (n <= 0)
        return err_set(err, "the program cannot find itself; use --workloads DIR");
    path[n] = '\0';
    slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    buf_puts(folder, path);
    return 0;
}

/* Beside the folder of the program, as in the source tree, or where make install puts them
 * (libleno: leno is in bin). */
static void find_beside(struct buf *folder)
{
    static const char *const places[] = { "/../share/leno/workloads", "/../workloads" };
    size_t n = folder->len;

    for (unsigned k = 0; k < sizeof places / sizeof *places; k++) {
        folder->len = n;
        buf_puts(folder, places[k]);
        if (!access(buf_text(folder), F_OK))
            return;
    }
}

int workload_folder(const char *given, struct buf *folder, struct err *err)
{
    struct stat st;

    if (!given)
        given = getenv("LENO_WORKLOADS");
    if (given && *given) {
        buf_puts(folder, given);
    } else {
        if (program_folder(folder, err))
            return -1;
        find_beside(folder);
    }
    if (stat(buf_text(folder), &st) || !S_ISDIR(st.st_mode))
        return err_set(err, "%s: no such folder; --workloads DIR names another",
                       buf_text(folder));
    return 0;
}
