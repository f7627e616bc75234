/* machine.c - parameters of a machine: preset, then scheme, then settings, then checks. */
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/preset.h"
#include "frontend/riscv/machine.h"
#include "sim/kind.h"

static const struct machine_kind *const kinds[] = {
    [GPU_CORE_SM] = &machine_kind_sm,
    [GPU_CORE_VORTEX] = &machine_kind_vortex,
};

void machine_bind(struct machine *m, const struct param_group *g, void *values)
{
    m->bind[m->n_bind++] = (struct param_binding){ g, values };
}

int machine_bind_new(struct machine *m, const struct param_group *g, void **values,
                     struct err *err)
{
    if (!g)
        return 0;
    *values = calloc(1, g->size);
    if (!*values)
        return err_memory(err, "the parameters of a GPU");
    machine_bind(m, g, *values);
    return 0;
}

static bool is_bound(const struct machine *m, const struct param_group *g)
{
    for (size_t i = 0; i < m->n_bind; i++)
        if (m->bind[i].group == g)
            return true;
    return false;
}

/* Presets may set parameters of schemes, and of the other kind of core; parameters of
 * parts that were not chosen are dropped. */
static int bind_others(struct machine *m, void **spare, size_t *n, struct err *err)
{
    const struct param_group *groups[MAX_BINDINGS];
    size_t n_groups = machine_groups(groups, MAX_BINDINGS);

    for (size_t i = 0; i < n_groups; i++)
        if (!is_bound(m, groups[i]) &&
            machine_bind_new(m, groups[i], &spare[(*n)++], err))
            return -1;
    return 0;
}

static int machine_build(struct machine *m, const char *gpu, const char *scheme,
                         struct err *err)
{
    static const char *const baselines[] = { "inorder", "control" };
    void *spare[MAX_BINDINGS] = { 0 };
    size_t n_own, n_spare = 0;
    int failed;

    /* The kind of core and the baseline are known only once the preset has been read,
     * so it is read twice. */
    machine_bind(m, &gpu_param_group, &m->gpu);
    n_own = m->n_bind;
    failed = bind_others(m, spare, &n_spare, err);
    if (!failed) {
        param_defaults(m->bind, m->n_bind);
        failed = preset_read(m->bind, m->n_bind, gpu, err);
    }
    for (size_t i = 0; i < n_spare; i++) {
        free(spare[i]);
        spare[i] = NULL;
    }
    m->n_bind = n_own;
    n_spare = 0;
    if (failed)
        return -1;
    if (!scheme)
        scheme = baselines[m->gpu.baseline];
    m->kind = kinds[m->gpu.core];
    m->kind->bind(m);
    if (m->kind->choose_scheme(m, scheme, err))
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

/* "vortex-2x8", "vortex-4x4x2": shapes without a preset are vortex-4x4 in another one. */
static bool has_shape(const char *gpu, struct vortex_machine *shape)
{
    return !preset_find(gpu) && !vortex_shape(gpu, shape, NULL);
}

static int set_shape(struct machine *m, const char *gpu,
                     const struct vortex_machine *shape, struct err *err)
{
    const struct {
        const char *key;
        uint32_t value;
    } numbers[] = { { "vortex.warps", shape->n_warps },
                    { "vortex.threads", shape->n_threads },
                    { "vortex.cores", shape->n_cores } };
    char value[16];

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(value, sizeof value, "%u", numbers[i].value);
        if (param_set(m->bind, m->n_bind, numbers[i].key, value, gpu, err))
            return -1;
    }
    snprintf(m->name, sizeof m->name, "%s", gpu);
    return machine_check(m, err);
}

struct machine *machine_new(const char *gpu, const char *scheme, struct err *err)
{
    struct machine *m = calloc(1, sizeof *m);
    struct vortex_machine shape;
    bool is_shape = has_shape(gpu, &shape);

    if (!m) {
        err_memory(err, "the parameters of a GPU");
        return NULL;
    }
    snprintf(m->name, sizeof m->name, "%s", gpu); /* for messages of machine_build() */
    if (machine_build(m, is_shape ? "vortex-4x4" : gpu, scheme, err) ||
        (is_shape && set_shape(m, gpu, &shape, err))) {
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
    free(m->host_params);
    buf_free(&m->settings);
    free(m);
}

int machine_set_from(struct machine *m, const char *setting, const char *from,
                     struct err *err)
{
    const char *eq = strchr(setting, '=');
    char key[128];

    if (!eq || (size_t)(eq - setting) >= sizeof key)
        return err_set(err, "%s %s: expected key=value; see leno list params", from,
                       setting);
    snprintf(key, sizeof key, "%.*s", (int)(eq - setting), setting);
    if (param_set(m->bind, m->n_bind, key, eq + 1, from, err))
        return -1;
    if (kinds[m->gpu.core] != m->kind)
        return err_set(err,
                       "%s %s: the cores of %s cannot be changed; --gpu chooses them",
                       from, setting, m->name);
    buf_printf(&m->settings, "%s\n", setting);
    return 0;
}

int machine_set(struct machine *m, const char *setting, struct err *err)
{
    return machine_set_from(m, setting, "--set", err);
}

int machine_slice(struct machine *m, uint64_t sms, struct err *err)
{
    return m->kind->slice(m, sms, err);
}

int machine_check(const struct machine *m, struct err *err)
{
    return m->kind->check(m, err);
}

size_t machine_groups(const struct param_group **groups, size_t max)
{
    struct machine m = { 0 };
    size_t n = 0;

    machine_bind(&m, &gpu_param_group, &m.gpu);
    machine_kind_sm.bind(&m);
    machine_kind_vortex.bind(&m);
    for (size_t i = 0; i < m.n_bind && n < max; i++)
        groups[n++] = m.bind[i].group;
    for (size_t i = 0; scheme_at(i) && n < max; i++)
        if (scheme_at(i)->params)
            groups[n++] = scheme_at(i)->params;
    for (size_t i = 0; skip_at(i) && n < max; i++)
        if (skip_at(i)->params)
            groups[n++] = skip_at(i)->params;
    /* loog and loog.rrs have one table. */
    for (size_t i = 0; vortex_stage_at(i) && n < max; i++)
        if (groups[n - 1] != vortex_stage_at(i)->params)
            groups[n++] = vortex_stage_at(i)->params;
    return n;
}
