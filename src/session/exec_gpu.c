/* exec_gpu.c - chooses a GPU by the fat binaries of a program.
 *
 * The GPU that most of the fat binaries have code for is taken; the first of equals in
 * the list below. A program has one fat binary per source file, usually all for the
 * same architectures.
 */
#include "session/exec_gpu.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include "frontend/sass/load/fatbin.h"
#include "session/exec_vendor.h"

/* By preference. Code for x.y also runs on a later x.z, so within a major architecture
 * the lowest comes first; architectures without a timing model come last. */
static const struct candidate {
    const char *name;
    unsigned sm;
    bool is_untimed;
} candidates[] = {
    { "rtx2060s", 75, false }, { "h200", 90, false },    { "rtx3070", 86, false },
    { "a100", 80, false },     { "rtx4090", 89, false }, { "b200", 100, false },
    { "rtx5090", 120, false }, { "rtx3070", 87, true },  { "rtx3070", 88, true },
    { "b200", 103, true },     { "b200", 110, true },    { "rtx5090", 121, true },
};

enum { N_CANDIDATES = sizeof candidates / sizeof *candidates };

struct votes {
    unsigned n[N_CANDIDATES];  /* fat binaries that it could run */
    unsigned sm[N_CANDIDATES]; /* the best code among them */
};

static void count_fatbin(void *to, const uint8_t *container, size_t size)
{
    struct votes *v = to;

    for (unsigned i = 0; i < N_CANDIDATES; i++) {
        unsigned sm = fatbin_code_for(container, size, candidates[i].sm);

        v->n[i] += sm != 0;
        if (sm > v->sm[i])
            v->sm[i] = sm;
    }
}

/* Hands the containers of a program to a function. */
struct fatbin_visit {
    executable_visit_section *visit;
    void *to;
};

/* The linker puts the containers of all object files one after the other, each aligned
 * to 8 bytes. */
static void visit_section(void *to, const uint8_t *at, size_t left)
{
    static const uint32_t magic = FATBIN_MAGIC;
    const struct fatbin_visit *f = to;

    while (left >= FATBIN_HEADER) {
        size_t size = memcmp(at, &magic, sizeof magic) ? 0 : fatbin_size(at), step = 8;

        if (size >= FATBIN_HEADER && size <= left) {
            f->visit(f->to, at, size);
            step = (size + 7) & ~(size_t)7;
        }
        if (step > left)
            return;
        at += step;
        left -= step;
    }
}

static void visit_fatbins(const struct executable *p, executable_visit_section *visit,
                          void *to)
{
    struct fatbin_visit f = { visit, to };

    executable_sections(p, ".nv_fatbin", visit_section, &f);
}

static void count_program(struct votes *v, const struct executable *p)
{
    visit_fatbins(p, count_fatbin, v);
}

static void set_gpu(struct exec_gpu *gpu, const struct candidate *c, unsigned code)
{
    *gpu = (struct exec_gpu){ c->name, code, c->is_untimed ? c->sm : 0 };
}

/* sm_87 code would run on an sm_89, but is for a GPU of which no times are known. */
static void choose_gpu(struct exec_gpu *gpu, const struct votes *v)
{
    unsigned best = 0;

    for (unsigned i = 1; i < N_CANDIDATES; i++)
        best = v->n[i] > v->n[best] ? i : best;
    for (unsigned i = 0; i < N_CANDIDATES; i++)
        if (candidates[i].is_untimed && candidates[i].sm == v->sm[best])
            best = i;
    *gpu = (struct exec_gpu){ 0 };
    if (v->n[best])
        set_gpu(gpu, &candidates[best], v->sm[best]);
}

void exec_gpu_of_name(struct exec_gpu *gpu, const char *name)
{
    char own[16];

    *gpu = (struct exec_gpu){ 0 };
    for (unsigned i = 0; i < N_CANDIDATES; i++) {
        snprintf(own, sizeof own, "sm_%u", candidates[i].sm);
        if (candidates[i].is_untimed && !strcmp(name, own))
            set_gpu(gpu, &candidates[i], candidates[i].sm);
    }
}

void exec_gpu_of_program(struct exec_gpu *gpu, const struct executable *p)
{
    struct votes v = { 0 };

    count_program(&v, p);
    choose_gpu(gpu, &v);
}

struct code_wanted {
    unsigned sm;
    bool is_there;
};

static void note_code(void *to, const uint8_t *container, size_t size)
{
    struct code_wanted *w = to;

    w->is_there = w->is_there || fatbin_code_for(container, size, w->sm);
}

bool exec_gpu_runs(const struct executable *p, unsigned sm)
{
    struct code_wanted wanted = { .sm = sm };

    visit_fatbins(p, note_code, &wanted);
    return wanted.is_there;
}

static int count_object(struct dl_phdr_info *info, size_t size, void *to)
{
    const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    struct executable p;

    (void)size;
    if (!exec_vendor_library(info->dlpi_name) && !executable_read(&p, path, NULL)) {
        count_program(to, &p);
        executable_free(&p);
    }
    return 0;
}

void exec_gpu_of_process(struct exec_gpu *gpu)
{
    struct votes v = { 0 };

    dl_iterate_phdr(count_object, &v);
    choose_gpu(gpu, &v);
}
