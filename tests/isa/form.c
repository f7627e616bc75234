/* form.c - thousands of PTX forms with their operand variants, twelve a kernel.
 *
 * tools/isa/forms.py makes the modules: thread t reads its operands at in + 4096 t + 64
 * slot and writes results at the same place of out. A record is one hash per form over
 * all threads, so the line "form TABLE KERNEL hash..." says which form differs; a form
 * that the architecture lacks leaves zeros and is not compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#define FORM_SLOTS   12
#define FORM_THREADS 32
#define FORM_STRIDE  1024 /* words between the threads' data */
#define FORM_WORDS   (FORM_THREADS * FORM_STRIDE)

struct suite_form {
    char table[8];
    uint32_t kernel, hash[FORM_SLOTS];
};

struct form_work {
    const struct suite_options *o;
    const char *table;
    uint32_t kernel;
    CUmodule module;
    const struct suite_forms *golden;
    const uint32_t *in;
    FILE *write;
};

static const uint32_t form_params[16] = {
    0x40490fdb, 0x3ff80000, 0x3c004200, 0, 0x00000011, 0x40080000, 0, 0,
    0xbf000000, 0xc0340000, 0,          0, 0x0000000d, 0x3fe00000, 0, 0,
};

/* Threads 0..15 get integers of several sizes, the others floats of several widths. */
static void form_input(uint32_t *in)
{
    static const uint32_t special[] = { 0,          1,          0xffffffff, 0x80000000,
                                        0x7fffffff, 0x80000001, 31,         32 };
    struct suite_case c = { .in_words = FORM_STRIDE };
    for (uint32_t t = 0; t < FORM_THREADS; t++) {
        uint32_t *w = in + t * FORM_STRIDE;
        c.kind = t < 16   ? SUITE_KIND_BITS
                 : t < 20 ? SUITE_KIND_F32
                 : t < 22 ? SUITE_KIND_M32
                 : t < 26 ? SUITE_KIND_F64
                 : t < 28 ? SUITE_KIND_M64
                 : t < 30 ? SUITE_KIND_F16
                          : SUITE_KIND_BF16;
        snprintf(c.name, sizeof c.name, "form%u", t);
        suite_input_fill(w, &c);
        for (uint32_t i = 0; i < FORM_STRIDE && t >= 8 && t < 16; i++)
            w[i] = t < 12   ? w[i] >> (w[(i + 7) % FORM_STRIDE] & 31)
                   : t < 14 ? w[i] & 63
                            : special[w[i] & 7];
    }
}

static uint32_t form_hash(const uint32_t *out, uint32_t slot)
{
    uint64_t h = 0xcbf29ce484222325ull;
    uint32_t any = 0;
    for (uint32_t t = 0; t < FORM_THREADS; t++)
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t v = out[t * FORM_STRIDE + slot * 16 + i];
            h = (h ^ v) * 0x100000001b3ull;
            h ^= h >> 29;
            any |= v;
        }
    return any ? (uint32_t)h | 1 : 0;
}

static const struct suite_form *form_find(const struct form_work *w)
{
    for (uint32_t i = 0; i < w->golden->n; i++)
        if (w->golden->at[i].kernel == w->kernel &&
            !strcmp(w->golden->at[i].table, w->table))
            return &w->golden->at[i];
    return NULL;
}

/* The PTX behind a hash, where unpack.sh could list it. */
static void form_text(const struct form_work *w, uint32_t slot, char *text, size_t size)
{
    char path[512], line[512], key[32];
    snprintf(path, sizeof path, "%s/form-%s.list", w->o->dir, w->table);
    int n = snprintf(key, sizeof key, "%u.%u ", w->kernel, slot);
    snprintf(text, size, "?");
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, key, (size_t)n)) {
            line[strcspn(line, "\n")] = 0;
            snprintf(text, size, "%s", line + n);
            break;
        }
    if (f)
        fclose(f);
}

static void form_dump(const struct form_work *w, const uint32_t *out)
{
    char path[512];
    if (!w->o->dump)
        return;
    snprintf(path, sizeof path, "%s/form-%s.%u.bin", w->o->dump, w->table, w->kernel);
    FILE *f = fopen(path, "wb");
    for (uint32_t t = 0; f && t < FORM_THREADS; t++)
        fwrite(out + t * FORM_STRIDE, 4, FORM_SLOTS * 16, f);
    if (f)
        fclose(f);
}

static int form_judge(const struct form_work *w, const uint32_t *out)
{
    const struct suite_form *golden = form_find(w);
    int wrong = 0;
    if (w->write)
        fprintf(w->write, "form %s %u", w->table, w->kernel);
    for (uint32_t s = 0; s < FORM_SLOTS; s++) {
        uint32_t h = form_hash(out, s);
        char text[256];
        if (w->write)
            fprintf(w->write, " %x", h);
        if (!golden || !h || !golden->hash[s] || h == golden->hash[s])
            continue;
        form_text(w, s, text, sizeof text);
        if (strstr(text, "gp setp")) /* no rule for the other lanes */
            continue;
        printf("WRONG form %s %u.%u: %s\n", w->table, w->kernel, s, text);
        wrong = 1;
    }
    if (w->write)
        fprintf(w->write, "\n");
    form_dump(w, out);
    return wrong ? SUITE_WRONG : golden ? SUITE_PASS : SUITE_UNCHECKED;
}

static int form_work(void *arg)
{
    const struct form_work *w = arg;
    char name[16];
    struct suite_launch l = { .grid = { 1, 1, 1 }, .block = { FORM_THREADS, 1, 1 } };
    snprintf(name, sizeof name, "k%u", w->kernel);
    CUresult r = cuModuleGetFunction(&l.f, w->module, name);
    if (r == CUDA_ERROR_NOT_FOUND)
        return SUITE_ABSENT;
    uint32_t *out = calloc(FORM_WORDS, 4);
    if (!out)
        return SUITE_FAIL;
    l.in = w->in;
    l.out = out;
    l.in_bytes = l.out_bytes = FORM_WORDS * 4;
    l.form = form_params;
    if (!r)
        r = suite_device_run(&l);
    int result = SUITE_FAIL;
    if (r)
        printf("FAIL form %s %u: %s\n", w->table, w->kernel, suite_device_message(r));
    else
        result = form_judge(w, out);
    free(out);
    return result;
}

int suite_forms_read(struct suite_forms *f, const char *path)
{
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file)) {
        struct suite_form one = { .kernel = 0 };
        int at = 0, n = 0;
        if (sscanf(line, "form %7s %u%n", one.table, &one.kernel, &at) != 2)
            continue;
        for (int s = 0; s < FORM_SLOTS; s++, at += n)
            if (sscanf(line + at, "%x%n", &one.hash[s], &n) != 1)
                break;
        struct suite_form *more = realloc(f->at, (f->n + 1) * sizeof *more);
        if (!more)
            break;
        f->at = more;
        f->at[f->n++] = one;
    }
    fclose(file);
    return 0;
}

void suite_forms_free(struct suite_forms *f)
{
    free(f->at);
    f->at = NULL;
    f->n = 0;
}

/* Kernels of a table are numbered with gaps where an architecture refused all of one. */
static void form_table(struct form_work *w, struct suite_counts *counts)
{
    char path[512];
    size_t size;
    uint32_t missing = 0;
    snprintf(path, sizeof path, "%s/form-%s.%s.cubin", w->o->dir, w->table,
             w->o->arch_name);
    void *code = suite_file_read(path, &size);
    CUresult r = code ? cuModuleLoadData(&w->module, code) : CUDA_ERROR_FILE_NOT_FOUND;
    if (r)
        printf("FAIL module form-%s: %s\n", w->table, suite_device_message(r));
    for (w->kernel = w->o->first; !r && missing < 32; w->kernel++) {
        int result = suite_isolate(w->o, form_work, w, path);
        missing = result == SUITE_ABSENT ? missing + 1 : 0;
        if (result != SUITE_ABSENT)
            suite_count(counts, result);
        /* The failure ruined the context that all kernels of this process share. */
        if (result == SUITE_FAIL && !w->o->fork)
            break;
    }
    free(code);
}

void suite_forms_run(const struct suite_options *o, struct suite_counts *counts)
{
    static const char *const tables[] = { "int", "fp", "half", "memrun", "warprun" };
    struct suite_forms golden = { 0 };
    struct form_work w = { .o = o, .golden = &golden };
    uint32_t *in = calloc(FORM_WORDS, 4);
    if (!in)
        return;
    form_input(in);
    w.in = in;
    if (o->golden_path)
        suite_forms_read(&golden, o->golden_path);
    if (o->write)
        w.write = fopen(o->write, "a");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char module[16];
        w.table = tables[i];
        snprintf(module, sizeof module, "form-%s", w.table);
        if (!o->module || !strcmp(o->module, module))
            form_table(&w, counts);
    }
    if (w.write)
        fclose(w.write);
    suite_forms_free(&golden);
    free(in);
}
