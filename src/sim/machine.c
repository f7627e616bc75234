/* machine.c - parameters of a machine: preset, then scheme, then settings, then checks. */
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/preset.h"

static void bind(struct machine *m, const struct param_group *g, void *values)
{
    m->bind[m->n_bind++] = (struct param_binding){ g, values };
}

static void bind_all(struct machine *m)
{
    bind(m, &gpu_param_group, &m->gpu);
    bind(m, &core_param_group, &m->core);
    bind(m, &fetch_param_group, &m->fetch);
    bind(m, &regfile_param_group, &m->regfile);
    bind(m, &sched_param_group, &m->sched);
    bind(m, &class_param_group, &m->classes);
    bind(m, &lsu_param_group, &m->lsu.lsu);
    bind(m, &l1_param_group, &m->lsu.l1);
    bind(m, &shared_param_group, &m->lsu.shared);
    bind(m, &const_param_group, &m->lsu.constant);
    bind(m, &icnt_param_group, &m->memory.icnt);
    bind(m, &l2_param_group, &m->memory.l2);
    bind(m, &dram_param_group, &m->memory.dram);
    bind(m, &tlb_param_group, &m->memory.tlb);
    bind(m, &unroll_param_group, &m->unroll);
}

static int bind_values(struct machine *m, const struct param_group *g, void **values,
                       struct err *err)
{
    if (!g)
        return 0;
    *values = calloc(1, g->size);
    if (!*values)
        return err_kind(err, ERR_LIMIT, "out of memory");
    bind(m, g, *values);
    return 0;
}

/* "ghost", "ghost+darsie". */
static int choose_scheme(struct machine *m, const char *text, struct err *err)
{
    const char *plus = strchr(text, '+');
    char name[64];
    size_t n = plus ? (size_t)(plus - text) : strlen(text);

    snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), text);
    m->scheme = scheme_find(name, err);
    if (!m->scheme || bind_values(m, m->scheme->params, &m->scheme_params, err))
        return -1;
    if (!plus)
        return 0;
    m->skip = skip_find(plus + 1, err);
    if (!m->skip)
        return -1;
    return bind_values(m, m->skip->params, &m->skip_params, err);
}

/* Presets may set parameters of schemes; those of schemes not chosen go nowhere. */
static int bind_others(struct machine *m, void **spare, size_t *n, struct err *err)
{
    for (size_t i = 0; scheme_at(i); i++) {
        const struct scheme_ops *o = scheme_at(i);

        if (o != m->scheme && o->params &&
            bind_values(m, o->params, &spare[(*n)++], err))
            return -1;
    }
    return 0;
}

static int build(struct machine *m, const char *gpu, const char *scheme,
                 struct err *err)
{
    static const char *const baselines[] = { "inorder", "control" };
    void *spare[MAX_BINDINGS] = { 0 };
    size_t n_own, n_spare = 0;
    int failed;

    bind_all(m);
    /* The baseline is known only when the preset has been read: read it twice. */
    param_defaults(m->bind, m->n_bind);
    n_own = m->n_bind;
    failed = bind_others(m, spare, &n_spare, err) ||
             preset_read(m->bind, m->n_bind, gpu, err);
    for (size_t i = 0; i < n_spare; i++) {
        free(spare[i]);
        spare[i] = NULL;
    }
    m->n_bind = n_own;
    n_spare = 0;
    if (failed || choose_scheme(m, scheme ? scheme : baselines[m->gpu.baseline], err))
        return -1;
    n_own = m->n_bind;
    failed = bind_others(m, spare, &n_spare, err);
    if (!failed) {
        param_defaults(m->bind, m->n_bind);
        failed = preset_read(m->bind, m->n_bind, gpu, err);
    }
    for (size_t i = 0; i < n_spare; i++)
        free(spare[i]);
    m->n_bind = n_own;
    snprintf(m->name, sizeof m->name, "%s", gpu);
    return failed ? -1 : 0;
}

struct machine *machine_new(const char *gpu, const char *scheme, struct err *err)
{
    struct machine *m = calloc(1, sizeof *m);

    if (!m) {
        err_kind(err, ERR_LIMIT, "out of memory");
        return NULL;
    }
    if (build(m, gpu, scheme, err)) {
        machine_free(m);
        return NULL;
    }
    return m;
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    free(m->scheme_params);
    free(m->skip_params);
    free(m);
}

int machine_set(struct machine *m, const char *setting, struct err *err)
{
    const char *eq = strchr(setting, '=');
    char key[128];

    if (!eq || (size_t)(eq - setting) >= sizeof key)
        return err_set(err, "--set %s: expected key=value; see leno list params",
                       setting);
    snprintf(key, sizeof key, "%.*s", (int)(eq - setting), setting);
    return param_set(m->bind, m->n_bind, key, eq + 1, "--set", err);
}

int machine_slice(struct machine *m, uint32_t sms, struct err *err)
{
    if (!sms || sms > m->gpu.sms)
        return err_set(err, "--sms %u: expected 1 to %u, which %s has", sms, m->gpu.sms,
                       m->name);
    m->memory.dram.for_sms = m->gpu.sms;
    m->gpu.sms = sms;
    return 0;
}

int machine_check(const struct machine *m, struct err *err)
{
    if (m->core.threads > m->core.warps * WARP_LANES)
        return err_set(err, "core.threads = %u, expected at most 32 x core.warps = %u",
                       m->core.threads, m->core.warps * WARP_LANES);
    if (m->core.warps % m->core.subcores)
        return err_set(err,
                       "core.warps = %u, expected a multiple of core.subcores = %u",
                       m->core.warps, m->core.subcores);
    return 0;
}

size_t machine_groups(const struct param_group **groups, size_t max)
{
    struct machine m = { 0 };
    size_t n = 0;

    bind_all(&m);
    for (size_t i = 0; i < m.n_bind && n < max; i++)
        groups[n++] = m.bind[i].group;
    for (size_t i = 0; scheme_at(i) && n < max; i++)
        if (scheme_at(i)->params)
            groups[n++] = scheme_at(i)->params;
    for (size_t i = 0; skip_at(i) && n < max; i++)
        if (skip_at(i)->params)
            groups[n++] = skip_at(i)->params;
    return n;
}
