/* workload_run.c - runs a workload: makes a driver, loads the cubin, calls the host and
 * hashes its results. Only the time inside kernels is measured.
 */
#include "session/workload_run.h"

#include <string.h>

#include "base/file.h"
#include "session/hw_record.h"
#include "session/race_report.h"

enum { MAX_CUBIN = 64 << 20 };

static void print_to_file(void *to, const char *text, size_t n)
{
    fwrite(text, 1, n, to);
}

/* The environment is the first member: the callback gets a pointer to it. */
struct env {
    struct workload_env base;
    struct workload_run *run;
};

static void add_output(struct workload_env *base, const char *name, const void *bytes,
                       size_t n)
{
    struct workload_run *run = ((struct env *)base)->run;
    const uint8_t *b = bytes;
    uint64_t h = run->digest;

    for (const char *c = name; *c; c++)
        h = (h ^ (uint8_t)*c) * 0x100000001b3u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * 0x100000001b3u;
    run->digest = h;
    if (run->n_outputs < WORKLOAD_MAX_OUTPUTS) {
        struct workload_output *o = &run->outputs[run->n_outputs];

        snprintf(o->name, sizeof o->name, "%s", name);
        o->bytes = n;
        o->hash = hw_record_hash(bytes, n);
    }
    run->n_outputs++;
}

/* The message of a failed call, with what the driver knows about it. */
static int api_error(const struct driver *d, const char *what, struct err *err)
{
    const struct err *last = driver_last_error(d);

    return err_kind(err, last->code ? last->code : ERR_INPUT, "%s: %s", what,
                    last->text);
}

static int run_host(struct driver *d, struct env *env, struct err *err)
{
    const struct workload *w = env->run->workload;
    const struct err *last = driver_last_error(d);

    if (!w->run(&env->base))
        return 0;
    if (env->base.is_out_of_memory)
        return err_kind(err, ERR_MEMORY, "%s", env->base.message);
    if (last->code == ERR_NONE)
        return err_kind(err, ERR_WRONG, "%s", env->base.message);
    if (last->code == ERR_LIMIT)
        return err_kind(err, ERR_LIMIT, "%s", last->text);
    return err_kind(err, last->code, "%s: %s", env->base.message, last->text);
}

static int run_on(struct driver *d, struct workload_run *run, const char *path,
                  const struct file *cubin, struct err *err)
{
    struct env env = {
        .base = { .size = run->size, .seed = run->seed, .output = add_output },
        .run = run
    };
    CUcontext context;

    driver_make_current(d);
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
        return api_error(d, "starting the device", err);
    if (driver_module_load(&env.base.module, path, cubin->data, cubin->size))
        return api_error(d, run->workload->name, err);
    return run_host(d, &env, err);
}

int workload_run(struct workload_run *run, struct err *err)
{
    struct driver_config config = { .arch = run->arch,
                                    .launch = launch_hook_run,
                                    .launch_to = &run->hook,
                                    .shadow = race_report_new_memory(run->hook.races),
                                    .print = run->printed ? print_to_file : NULL,
                                    .print_to = run->printed };
    struct buf path = { 0 };
    struct file cubin = { 0 };
    struct driver *d = NULL;
    int failed;

    run->digest = 0xcbf29ce484222325u;
    run->hook.seconds = 0;
    run->n_outputs = 0;
    run->totals = (struct driver_totals){ 0 };
    buf_printf(&path, "%s/%s/%s.cubin", run->folder, run->workload->name,
               sass_arch_name(run->arch));
    failed = file_read(buf_text(&path), MAX_CUBIN, &cubin, err);
    if (!failed) {
        run->cubin_bytes = cubin.size;
        run->cubin_hash = hw_record_hash(cubin.data, cubin.size);
        failed = (d = driver_new(&config, err)) ? 0 : -1;
    }
    if (!failed)
        failed = run_on(d, run, buf_text(&path), &cubin, err);
    if (d)
        run->totals = *driver_totals(d);
    driver_free(d);
    file_free(&cubin);
    buf_free(&path);
    return failed;
}
