/* energy.c - the energy of runs on a machine. */
#include "session/energy.h"

#include "base/json.h"
#include "frontend/sass/arch.h"

/* By architecture; other ones have none of their own. */
static const char *const profiles[N_SASS_ARCH] = { [SM75] = "12nm", [SM90] = "h200" };

const char *energy_profile_of(const struct machine *m)
{
    return m->gpu.core == GPU_CORE_SM ? profiles[m->gpu.arch] : NULL;
}

static int find_profile(const struct machine *m, const char *profile,
                        struct energy_params *p, struct err *err)
{
    if (m->gpu.core != GPU_CORE_SM)
        return err_set(err, "--energy: %s has no SMs; expected a GPU that has",
                       m->name);
    if (!profile)
        profile = energy_profile_of(m);
    if (!profile)
        return err_set(err,
                       "--energy: %s has no energies of its own; name some, as in "
                       "--energy=12nm",
                       m->name);
    return energy_profile_read(profile, p, err);
}

int energy_check(const struct machine *m, const char *profile, struct err *err)
{
    struct energy_params p;

    return find_profile(m, profile, &p, err);
}

static void find_tables(const struct machine *m, struct energy_tables *t)
{
    const struct core_shape shape = { .n_warps = m->core.warps,
                                      .n_subcores = m->core.subcores };
    struct cost c;

    *t = (struct energy_tables){ 0 };
    cost_of(&c, m->scheme, m->scheme_params, &shape);
    t->scheme = energy_table(&c, m->core.warps);
    if (m->skip) {
        cost_add_skip(&c, m->skip, m->skip_params, &shape);
        t->skip = energy_table(&c, m->core.warps);
        t->skip.entry -= t->scheme.entry;
        t->skip.searched -= t->scheme.searched;
        t->skip.indexed -= t->scheme.indexed;
    }
}

int energy_of_accesses(double joules[N_ENERGY_ACCESS], const struct machine *m,
                       const char *profile, struct err *err)
{
    struct energy_params params;
    struct energy_tables tables;

    if (find_profile(m, profile, &params, err))
        return -1;
    find_tables(m, &tables);
    for (unsigned a = 0; a < N_ENERGY_ACCESS; a++)
        joules[a] = energy_of_access(&params, &tables, a);
    return 0;
}

int energy_of_run(struct energy *e, const struct machine *m, const char *profile,
                  const struct stat_report *stats, struct err *err)
{
    struct energy_params params;
    struct energy_input in = { .params = &params,
                               .stats = stats,
                               .core_clock = 1e3 * m->memory.dram.core_clock,
                               .n_sms = m->gpu.sms };
    uint64_t cycles = 0, kernels = 0;

    if (find_profile(m, profile, &params, err))
        return -1;
    find_tables(m, &in.tables);
    stat_find(stats, "gpu.cycles", &cycles);
    stat_find(stats, "gpu.kernels", &kernels);
    in.cycles = (double)cycles - (double)kernels * m->gpu.launch_cycles;
    return energy_compute(e, &in, err);
}

void energy_put_member(const struct machine *m, const char *profile,
                       const struct stat_report *stats, struct buf *out)
{
    struct energy e;

    if (!profile && !energy_profile_of(m))
        return;
    if (energy_of_run(&e, m, profile, stats, NULL))
        return;
    buf_puts(out, ",\n \"energy\": {\"profile\": ");
    json_string(out, profile ? profile : energy_profile_of(m));
    buf_puts(out, ", ");
    energy_json(&e, out);
    buf_puts(out, "}");
}
