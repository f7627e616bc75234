/* leno.c - the interface of include/leno.h on top of session/timed.h. */
#include "leno.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/revision.h"
#include "session/jobs.h"
#include "session/machine_options.h"
#include "session/timed.h"
#include "session/workloads.h"

enum { MAX_SETTINGS = 64 };
static const char here; /* its address: where the library is */

struct leno {
    char *gpu, *scheme, *program, *folder;
    char *setting[MAX_SETTINGS];
    unsigned n_settings;
    uint64_t seed, sms, threads, max_cycles;
    enum workload_size size;
    struct {
        struct watch watch; /* first */
        leno_progress call;
        void *to;
    } progress;
    struct err err;
    bool has_run;
    struct machine *machine;
    struct timed_run run;
    struct gpu_result *result;
    struct buf folder_text, json, name;
};

int leno_interface(void)
{
    return LENO_INTERFACE;
}

const char *leno_version(void)
{
    return LENO_VERSION;
}

const char *leno_revision(void)
{
    return revision_text();
}

struct leno *leno_new(void)
{
    struct leno *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->size = SIZE_SMALL;
    l->seed = WORKLOAD_SEED;
    l->threads = 1;
    return l;
}

static void forget_run(struct leno *l)
{
    gpu_result_free(l->result);
    if (l->has_run)
        timed_run_free(&l->run);
    machine_free(l->machine);
    l->result = NULL;
    l->machine = NULL;
    l->has_run = false;
    buf_clear(&l->json);
    buf_clear(&l->folder_text);
}

void leno_free(struct leno *l)
{
    if (!l)
        return;
    forget_run(l);
    for (unsigned n = 0; n < l->n_settings; n++)
        free(l->setting[n]);
    free(l->gpu);
    free(l->scheme);
    free(l->program);
    free(l->folder);
    buf_free(&l->folder_text);
    buf_free(&l->json);
    buf_free(&l->name);
    free(l);
}

const char *leno_error(const struct leno *l)
{
    return l->err.text;
}

static int status_of(const struct leno *l)
{
    return l->err.code ? err_exit(&l->err) : 1;
}

static int keep_text(struct leno *l, char **to, const char *value)
{
    char *copy = strdup(value);

    if (!copy) {
        err_memory(&l->err, "a setting");
        return status_of(l);
    }
    free(*to);
    *to = copy;
    return 0;
}

static int keep_number(struct leno *l, uint64_t *to, const char *name,
                       const char *value)
{
    char *end;

    errno = 0;
    *to = strtoull(value, &end, 10);
    if (!errno && end != value && !*end && *value != '-')
        return 0;
    err_set(&l->err, "%s = %s: expected a number", name, value);
    return status_of(l);
}

static int keep_size(struct leno *l, const char *value)
{
    for (unsigned n = 0; n < N_WORKLOAD_SIZE; n++)
        if (!strcmp(workload_size_name((enum workload_size)n), value)) {
            l->size = (enum workload_size)n;
            return 0;
        }
    err_set(&l->err, "size = %s: expected tiny, small or paper", value);
    return status_of(l);
}

static int keep_setting(struct leno *l, const char *name, const char *value)
{
    struct buf text = { 0 };
    int failed = 0;

    if (l->n_settings == MAX_SETTINGS) {
        err_set(&l->err, "more than %d settings", MAX_SETTINGS);
        return status_of(l);
    }
    buf_printf(&text, "%s=%s", name, value);
    failed = keep_text(l, &l->setting[l->n_settings], buf_text(&text));
    l->n_settings += !failed;
    buf_free(&text);
    return failed;
}

int leno_set(struct leno *l, const char *name, const char *value)
{
    const struct {
        const char *name;
        char **text;
        uint64_t *number;
    } rows[] = { { "gpu", &l->gpu, NULL },
                 { "scheme", &l->scheme, NULL },
                 { "workloads", &l->folder, NULL },
                 { "seed", NULL, &l->seed },
                 { "sms", NULL, &l->sms },
                 { "threads", NULL, &l->threads },
                 { "max-cycles", NULL, &l->max_cycles } };

    l->err = (struct err){ 0 };
    if (!strcmp(name, "size"))
        return keep_size(l, value);
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        if (!strcmp(rows[n].name, name))
            return rows[n].text ? keep_text(l, rows[n].text, value)
                                : keep_number(l, rows[n].number, name, value);
    return keep_setting(l, name, value);
}

int leno_load(struct leno *l, const char *program)
{
    l->err = (struct err){ 0 };
    return keep_text(l, &l->program, program);
}

static int look(struct watch *w, const struct watch_state *s, struct err *err)
{
    struct leno *l = (struct leno *)((char *)w - offsetof(struct leno, progress));

    if (!l->progress.call(l->progress.to, s->kernel, s->cycles, s->warp_insts))
        return 0;
    return err_kind(err, ERR_LIMIT, "stopped by the caller");
}

void leno_on_progress(struct leno *l, leno_progress call, void *to)
{
    l->progress.call = call;
    l->progress.to = to;
    l->progress.watch.look = call ? look : NULL;
}

static struct machine *make_machine(struct leno *l)
{
    struct machine_options o = { .gpu = l->gpu, .scheme = l->scheme, .sms = l->sms };

    for (unsigned n = 0; n < l->n_settings; n++)
        o.set.at[o.set.n++] = l->setting[n];
    return machine_from_options(&o, &l->err);
}

/* The workloads: as set, as $LENO_WORKLOADS says, or beside the library, where make install
 * puts them or where the source tree has them. */
static int find_folder(struct leno *l)
{
    static const char *const places[] = { "../share/leno/workloads",
                                          "../../workloads" };
    Dl_info self;
    const char *slash;

    if (l->folder || getenv("LENO_WORKLOADS"))
        return workload_folder(l->folder, &l->folder_text, &l->err);
    if (!dladdr((const void *)&here, &self) || !(slash = strrchr(self.dli_fname, '/')))
        return err_set(&l->err, "the library cannot find itself; set \"workloads\"");
    for (unsigned n = 0; n < sizeof places / sizeof *places; n++) {
        buf_clear(&l->folder_text);
        buf_printf(&l->folder_text, "%.*s/%s", (int)(slash - self.dli_fname),
                   self.dli_fname, places[n]);
        if (!access(buf_text(&l->folder_text), F_OK))
            return 0;
    }
    return err_set(&l->err, "%s: no such folder; set \"workloads\"",
                   buf_text(&l->folder_text));
}

int leno_run(struct leno *l)
{
    int failed;

    forget_run(l);
    l->err = (struct err){ 0 };
    if (!l->program) {
        err_set(&l->err, "leno_load() comes before leno_run()");
        return status_of(l);
    }
    l->machine = make_machine(l);
    if (!l->machine)
        return status_of(l);
    if (workload_find(l->program, NULL) && find_folder(l))
        return status_of(l);
    l->run = (struct timed_run){ .machine = l->machine,
                                 .program = l->program,
                                 .name = l->program,
                                 .size = l->size,
                                 .seed = l->seed,
                                 .arch = -1,
                                 .folder = buf_text(&l->folder_text),
                                 .printed = stderr,
                                 .limits = { .max_cycles = l->max_cycles,
                                             .watch = &l->progress.watch },
                                 .threads = jobs_threads(l->threads, 1) };
    l->has_run = true;
    failed = timed_run(&l->run, &l->err);
    if (l->run.gpu)
        l->result = gpu_result_new(l->run.gpu, failed ? NULL : &l->err);
    return failed ? status_of(l) : 0;
}

static int no_result(struct leno *l)
{
    err_set(&l->err, "no run that has statistics");
    return status_of(l);
}

int leno_stat_at(struct leno *l, unsigned n, const char **name, double *value)
{
    const struct stat_report *r = l->result ? gpu_result_report(l->result) : NULL;

    if (!r)
        return no_result(l);
    for (size_t g = 0; g < r->n_groups; g++) {
        const struct stat_group *group = r->groups[g].group;

        if (n >= group->n_rows) {
            n -= (unsigned)group->n_rows;
            continue;
        }
        buf_clear(&l->name);
        buf_printf(&l->name, "%s.%s", group->prefix, group->rows[n].name);
        *name = buf_text(&l->name);
        *value = (double)*(const uint64_t *)((const char *)r->groups[g].values +
                                             group->rows[n].offset);
        return 0;
    }
    if (n >= r->n_formulas)
        return 1;
    *name = r->formulas[n].name;
    *value = stat_compute(r, &r->formulas[n]);
    return 0;
}

int leno_stat(struct leno *l, const char *name, double *value)
{
    const char *at;
    double x;

    if (!l->result)
        return no_result(l);
    for (unsigned n = 0; !leno_stat_at(l, n, &at, &x); n++)
        if (!strcmp(at, name)) {
            *value = x;
            return 0;
        }
    err_set(&l->err, "no statistic '%s'; see leno list stats", name);
    return status_of(l);
}

int leno_slot_at(struct leno *l, unsigned n, const char **cause, uint64_t *slots)
{
    if (!l->result)
        return no_result(l);
    if (n >= N_STALL)
        return 1;
    *cause = stall_name((enum stall)n);
    *slots = 0;
    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        *slots += gpu_result_sm(l->result)->slot[k][n];
    return 0;
}

const char *leno_json(struct leno *l)
{
    buf_clear(&l->json);
    if (l->has_run)
        timed_json(&l->run, l->result, &l->err, &l->json);
    return buf_text(&l->json);
}
