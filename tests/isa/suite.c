/* suite.c - runs every kernel of the table and every recorded instruction form.
 *
 * usage: suite DIR [--arch sm_90] [--golden FILE] [--expect FILE] [--write FILE]
 *              [--only NAME] [--module NAME] [--errors] [--fork]
 *              [--seconds N] [--first N] [--dump DIR] [--show] [-v]
 *
 * On a GPU --write records; in the simulator --golden and --expect compare. --errors
 * runs only the kernels that must fail, each of which ruins its context: one process
 * each on a GPU (--only). --fork gives every kernel a process of its own, which a GPU's
 * driver cannot do. Exit status 1 if anything was wrong or failed.
 */
#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct suite_work {
    const struct suite_options *o;
    const struct suite_case *c;
    CUmodule module;
    CUresult loaded;
    FILE *golden;
};

/* A hang ends after so many seconds: of CPU time, which other work on the host does not
 * count towards; where a real GPU is waited for, of any. */
static void limit_time(uint32_t seconds)
{
#ifdef SUITE_LENO
    setrlimit(RLIMIT_CPU, &(struct rlimit){ seconds, seconds + 1 });
#else
    alarm(seconds);
#endif
}

int suite_isolate(const struct suite_options *o, int (*work)(void *), void *arg,
                  const char *name)
{
    int status = 0;
    if (!o->fork)
        return work(arg);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return SUITE_FAIL;
    if (child == 0) {
        limit_time(o->seconds);
        int result = work(arg);
        fflush(NULL);
        _exit(result);
    }
    if (waitpid(child, &status, 0) < 0)
        return SUITE_FAIL;
    if (WIFEXITED(status) && WEXITSTATUS(status) <= SUITE_UNCHECKED)
        return WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        printf("FAIL %s: %s\n", name,
               WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU
                   ? "took too long"
                   : strsignal(WTERMSIG(status)));
    else
        printf("FAIL %s: exit %d\n", name, WEXITSTATUS(status));
    return SUITE_FAIL;
}

void suite_count(struct suite_counts *c, int result)
{
    switch (result) {
    case SUITE_PASS:
        c->passed++;
        break;
    case SUITE_WRONG:
        c->wrong++;
        break;
    case SUITE_ABSENT:
        c->absent++;
        break;
    case SUITE_UNCHECKED:
        c->unchecked++;
        break;
    default:
        c->failed++;
        break;
    }
}

static void suite_dump(const struct suite_work *w, const uint32_t *out)
{
    char path[512];
    if (!w->o->dump)
        return;
    snprintf(path, sizeof path, "%s/%s.bin", w->o->dump, w->c->name);
    FILE *f = fopen(path, "wb");
    if (!f)
        return;
    fwrite(out, 4, w->c->out_words, f);
    fclose(f);
}

/* Compares with what there is to compare with. */
static int suite_judge(const struct suite_work *w, const struct suite_record *got)
{
    char text[512];
    const struct suite_record *golden = NULL, *expect;
    if (w->o->arch >= w->c->golden_arch &&
        (!w->c->golden_last || w->o->arch <= w->c->golden_last))
        golden = suite_records_find(&w->o->golden, w->c->name);
    expect = suite_records_find(&w->o->expect, w->c->name);
    if (golden && !suite_record_same(golden, got, text, sizeof text)) {
        printf("WRONG %s (recorded): %s\n", w->c->name, text);
        return SUITE_WRONG;
    }
    if (expect && !suite_record_same(expect, got, text, sizeof text)) {
        printf("WRONG %s (computed): %s\n", w->c->name, text);
        return SUITE_WRONG;
    }
    return golden || expect ? SUITE_PASS : SUITE_UNCHECKED;
}

static int suite_finish(const struct suite_work *w, const uint32_t *out, CUresult r)
{
    struct suite_record got;
    if (w->c->want_error) {
        if (r && w->o->verbose)
            printf("error as wanted: %s: %s\n", w->c->name, suite_device_message(r));
        if (!r)
            printf("WRONG %s: finished, but must fail\n", w->c->name);
        if (w->golden)
            fprintf(w->golden, "# %s: %s\n", w->c->name,
                    r ? suite_device_message(r) : "no error");
        return r ? SUITE_PASS : SUITE_WRONG;
    }
    if (r) {
        printf("FAIL %s: %s\n", w->c->name, suite_device_message(r));
        if (w->golden)
            fprintf(w->golden, "# %s: %s\n", w->c->name, suite_device_message(r));
        return SUITE_FAIL;
    }
    if (suite_record_make(&got, w->c->name, out, w->c->out_words))
        return SUITE_FAIL;
    if (w->golden)
        suite_record_write(&got, w->golden);
    if (w->o->show)
        suite_record_write(&got, stdout);
    suite_dump(w, out);
    int result = suite_judge(w, &got);
    free(got.chunks);
    return result;
}

static int suite_work(void *arg)
{
    struct suite_work *w = arg;
    const struct suite_case *c = w->c;
    struct suite_launch l = { .smem = c->smem, .n = c->n };
    CUresult r = w->loaded;
    uint32_t *in = calloc(c->in_words + 1u, 4), *out = calloc(c->out_words, 4);
    int result = SUITE_FAIL;
    if (in && out) {
        memcpy(l.grid, c->grid, sizeof l.grid);
        memcpy(l.block, c->block, sizeof l.block);
        suite_input_fill(in, c);
        l.image = c->image.kind ? &c->image : NULL;
        l.in = in;
        l.in_bytes = (size_t)c->in_words * 4;
        l.out = out;
        l.out_bytes = (size_t)c->out_words * 4;
        if (!r)
            r = cuModuleGetFunction(&l.f, w->module, c->name);
        if (!r)
            r = suite_device_run(&l);
        result = suite_finish(w, out, r);
    }
    free(in);
    free(out);
    return result;
}

/* The sm_90a module holds what only that variant may use. */
static void suite_load(struct suite_work *w, char *module)
{
    char path[512];
    size_t size;
    if (!strcmp(module, w->c->module))
        return;
    snprintf(module, SUITE_NAME, "%s", w->c->module);
    snprintf(path, sizeof path, "%s/%s.%s%s.cubin", w->o->dir, module, w->o->arch_name,
             strstr(module, "gmma") ? "a" : "");
    void *code = suite_file_read(path, &size);
    w->loaded = code ? cuModuleLoadData(&w->module, code) : CUDA_ERROR_FILE_NOT_FOUND;
    if (w->loaded)
        printf("FAIL module %s: %s\n", module, suite_device_message(w->loaded));
    free(code);
}

static void suite_features(const struct suite_options *o, struct suite_counts *counts,
                           const struct suite_table *t)
{
    char module[SUITE_NAME] = "";
    struct suite_work w = { .o = o };
    if (o->write)
        w.golden = fopen(o->write, "a");
    if (o->write && !w.golden)
        perror(o->write);
    for (uint32_t i = 0; i < t->n; i++) {
        w.c = &t->cases[i];
        if (w.c->least_arch > o->arch ||
            (strstr(w.c->module, "gmma") && o->arch != SUITE_ARCH90))
            continue;
        if (o->only ? strcmp(o->only, w.c->name) != 0 : w.c->want_error != o->errors)
            continue;
        if (o->module && strcmp(o->module, w.c->module))
            continue;
        suite_load(&w, module);
        int result = suite_isolate(o, suite_work, &w, w.c->name);
        if (o->verbose && result == SUITE_UNCHECKED)
            printf("unchecked %s\n", w.c->name);
        suite_count(counts, result);
        if (w.golden)
            fflush(w.golden);
    }
    if (w.golden)
        fclose(w.golden);
}

static int suite_option(struct suite_options *o, const char *name, const char *value)
{
    if (!strcmp(name, "--arch") && value && strlen(value) >= 5) {
        o->arch_name = value;
        o->arch = (uint32_t)strtoul(value + 3, NULL, 10);
    } else if (!strcmp(name, "--golden") && value) {
        o->golden_path = value;
        return suite_records_read(&o->golden, value) ? -1 : 1;
    } else if (!strcmp(name, "--expect") && value) {
        return suite_records_read(&o->expect, value) ? -1 : 1;
    } else if (!strcmp(name, "--write") && value)
        o->write = value;
    else if (!strcmp(name, "--only") && value)
        o->only = value;
    else if (!strcmp(name, "--dump") && value)
        o->dump = value;
    else if (!strcmp(name, "--module") && value)
        o->module = value;
    else if (!strcmp(name, "--seconds") && value)
        o->seconds = (uint32_t)strtoul(value, NULL, 10);
    else if (!strcmp(name, "--first") && value)
        o->first = (uint32_t)strtoul(value, NULL, 10);
    else if (!strcmp(name, "--errors"))
        return o->errors = 1, 0;
    else if (!strcmp(name, "--fork"))
        return o->fork = 1, 0;
    else if (!strcmp(name, "--show"))
        return o->show = 1, 0;
    else if (!strcmp(name, "-v"))
        return o->verbose = 1, 0;
    else
        return -1;
    return 1;
}

static int suite_options_read(struct suite_options *o, int argc, char **argv)
{
    *o = (struct suite_options){ .arch_name = "sm_90",
                                 .arch = SUITE_ARCH90,
                                 .seconds = 60 };
    if (argc < 2)
        return -1;
    o->dir = argv[1];
    for (int i = 2; i < argc; i++) {
        int used = suite_option(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
        if (used < 0) {
            fprintf(stderr, "suite: %s: unknown option or unreadable file\n", argv[i]);
            return -1;
        }
        i += used;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct suite_table table;
    struct suite_options o;
    struct suite_counts c = { 0 };
    char path[512];
    if (suite_options_read(&o, argc, argv))
        return 2;
    snprintf(path, sizeof path, "%s/suite.tab", o.dir);
    if (suite_table_read(&table, path) || suite_device_open(&o))
        return 2;
    suite_features(&o, &c, &table);
    if (!o.errors && (!o.module || !strcmp(o.module, "vec")))
        suite_vectors_run(&o, &c);
    if (!o.errors && !o.only)
        suite_forms_run(&o, &c);
    printf("%s: %u passed, %u wrong, %u failed, %u absent, %u without expectation\n",
           o.arch_name, c.passed, c.wrong, c.failed, c.absent, c.unchecked);
    suite_records_free(&o.golden);
    suite_records_free(&o.expect);
    suite_device_close();
    return c.wrong || c.failed;
}
