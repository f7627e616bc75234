/* machine.c - parameters of a machine: preset, then scheme, then settings, then checks. */
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/preset.h"
#include "frontend/riscv/machine.h"

static void bind(struct machine *m, const struct param_group *g, void *values)
{
    m->bind[m->n_bind++] = (struct param_binding){ g, values };
}

static void bind_vortex(struct machine *m)
{
    m->vortex.machine = m->name;
    bind(m, &vortex_param_group, &m->vortex.core);
    bind(m, &vxcache_param_group, &m->vortex.cache);
    bind(m, &vxmem_param_group, &m->vortex.memory);
}

static void bind_sm(struct machine *m)
{
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
        return err_memory(err, "the parameters of a GPU");
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

/* Issue stages of Vortex that are not schemes of core/scheme.h. */
static const struct vx_issue_ops *const stages[] = { &vx_issue_ghost, &vx_issue_loog,
                                                     &vx_issue_rrs };

const struct vx_issue_ops *vortex_stage_at(size_t i)
{
    return i < sizeof stages / sizeof *stages ? stages[i] : NULL;
}

/* A stage of its own, or a scheme in the scoreboard stage. */
static int choose_stage(struct machine *m, const char *name, struct err *err)
{
    struct vortex_config *v = &m->vortex;
    const char *plus = strchr(name, '+');

    if (plus)
        return err_kind(err, ERR_UNSUPPORTED,
                        "scheme %s cannot run on machine %s: a Vortex core has no "
                        "redundancy eliminators; leave out %s, or use an NVIDIA "
                        "machine, such as --gpu rtx2060s",
                        name, m->name, plus);
    v->issue = &vx_issue_scoreboard;
    for (size_t i = 0; vortex_stage_at(i); i++)
        if (!strcmp(vortex_stage_at(i)->name, name))
            v->issue = vortex_stage_at(i);
    if (v->issue == &vx_issue_scoreboard) {
        m->scheme = v->hosted.scheme = scheme_find(name, err);
        if (!m->scheme || bind_values(m, m->scheme->params, &m->scheme_params, err))
            return -1;
        v->hosted.params = m->scheme_params;
        return 0;
    }
    m->named = (struct scheme_ops){ .name = v->issue->name,
                                    .summary = v->issue->summary,
                                    .paper = v->issue->paper,
                                    .params = v->issue->params,
                                    .stats = v->issue->stats };
    m->scheme = &m->named;
    v->hosted.scheme = scheme_find("inorder", err);
    if (!v->hosted.scheme ||
        bind_values(m, m->scheme->params, &m->scheme_params, err) ||
        bind_values(m, v->hosted.scheme->params, &m->host_params, err))
        return -1;
    v->issue_params = m->scheme_params;
    v->hosted.params = m->host_params;
    return 0;
}

static bool is_bound(const struct machine *m, const struct param_group *g)
{
    for (size_t i = 0; i < m->n_bind; i++)
        if (m->bind[i].group == g)
            return true;
    return false;
}

/* Presets may set parameters of schemes, and of the other kind of core; those not chosen
 * go nowhere. */
static int bind_others(struct machine *m, void **spare, size_t *n, struct err *err)
{
    const struct param_group *groups[MAX_BINDINGS];
    size_t n_groups = machine_groups(groups, MAX_BINDINGS);

    for (size_t i = 0; i < n_groups; i++)
        if (!is_bound(m, groups[i]) && bind_values(m, groups[i], &spare[(*n)++], err))
            return -1;
    return 0;
}

static int build(struct machine *m, const char *gpu, const char *scheme,
                 struct err *err)
{
    static const char *const baselines[] = { "inorder", "control" };
    void *spare[MAX_BINDINGS] = { 0 };
    size_t n_own, n_spare = 0;
    int failed;

    /* What kind of core and which baseline is known only when the preset has been read:
     * read it twice. */
    bind(m, &gpu_param_group, &m->gpu);
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
    if (m->gpu.core == GPU_CORE_VORTEX) {
        bind_vortex(m);
        failed = choose_stage(m, scheme, err);
    } else {
        bind_sm(m);
        failed = choose_scheme(m, scheme, err);
    }
    if (failed)
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
    snprintf(m->name, sizeof m->name, "%s", gpu); /* for messages of build() */
    if (build(m, is_shape ? "vortex-4x4" : gpu, scheme, err) ||
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
    buf_printf(&m->settings, "%s\n", setting);
    return 0;
}

int machine_set(struct machine *m, const char *setting, struct err *err)
{
    return machine_set_from(m, setting, "--set", err);
}

int machine_slice(struct machine *m, uint64_t sms, struct err *err)
{
    unsigned long long n = sms;

    if (m->gpu.core == GPU_CORE_VORTEX)
        return err_set(err, "--sms %llu: %s has cores; --set vortex.cores=%llu", n,
                       m->name, n);
    if (!sms || sms > m->gpu.sms)
        return err_set(err, "--sms %llu: expected 1 to %u, which %s has", n, m->gpu.sms,
                       m->name);
    m->memory.dram.for_sms = m->gpu.sms;
    m->gpu.sms = (uint32_t)sms;
    return 0;
}

static int check_vortex(const struct vortex_config *c, struct err *err)
{
    const struct vortex_params *p = &c->core;
    uint32_t word = c->cache.word_bytes;

    if (word % 4 || word & (word - 1))
        return err_set(err, "vxcache.word_bytes = %u, expected 0, 4, 8, 16, 32 or 64",
                       word);
    if (p->threads & (p->threads - 1))
        return err_set(err, "vortex.threads = %u, expected a power of two", p->threads);
    if (p->local_bytes & (p->local_bytes - 1))
        return err_set(err, "vortex.local_bytes = %u, expected a power of two",
                       p->local_bytes);
    if (p->cores % p->socket)
        return err_set(err,
                       "vortex.cores = %u, expected a multiple of vortex.socket = %u",
                       p->cores, p->socket);
    return 0;
}

int machine_check(const struct machine *m, struct err *err)
{
    if (m->gpu.core == GPU_CORE_VORTEX)
        return check_vortex(&m->vortex, err);
    if (m->core.threads > m->core.warps * WARP_LANES)
        return err_set(err, "core.threads = %u, expected at most 32 x core.warps = %u",
                       m->core.threads, m->core.warps * WARP_LANES);
    if (m->core.warps % m->core.subcores)
        return err_set(err,
                       "core.warps = %u, expected a multiple of core.subcores = %u",
                       m->core.warps, m->core.subcores);
    if (m->core.warps > MAX_SUBCORE_WARPS * m->core.subcores)
        return err_set(err, "core.warps = %u, expected at most %u x core.subcores = %u",
                       m->core.warps, MAX_SUBCORE_WARPS,
                       MAX_SUBCORE_WARPS * m->core.subcores);
    /* Else warps of two SMs would have the same local memory. */
    if (m->lsu.lsu.warps < m->core.warps)
        return err_set(err, "lsu.warps = %u, expected at least core.warps = %u",
                       m->lsu.lsu.warps, m->core.warps);
    return 0;
}

size_t machine_groups(const struct param_group **groups, size_t max)
{
    struct machine m = { 0 };
    size_t n = 0;

    bind(&m, &gpu_param_group, &m.gpu);
    bind_sm(&m);
    bind_vortex(&m);
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
