/* machine.h - a whole machine as parameters: preset, scheme, settings.
 *
 * A machine is made from a preset by name (or a file), a scheme and settings; it is
 * complete, checked, and can be written out again (--dump-config). GPUs are built of it.
 */
#ifndef LENO_SIM_MACHINE_H
#define LENO_SIM_MACHINE_H

#include "analysis/unroll.h"
#include "base/buf.h"
#include "config/gpu.h"
#include "core/async.h"
#include "core/gpc.h"
#include "core/lsu/params.h"
#include "core/params.h"
#include "core/scheme.h"
#include "core/skip.h"
#include "mem/params.h"
#include "vortex/vortex.h"

enum { MAX_BINDINGS = 48 };

struct machine_kind;

struct machine {
    const struct machine_kind *kind; /* what its cores are (kind.h) */
    struct gpu_params gpu;
    struct core_params core;
    struct fetch_params fetch;
    struct regfile_params regfile;
    struct sched_params sched;
    struct class_params classes;
    struct async_params async;
    struct cluster_params cluster;
    struct lsu_config lsu;
    struct memory_params memory;
    struct unroll_params unroll;
    const struct scheme_ops *scheme;
    void *scheme_params;
    const struct skip_ops *skip;
    void *skip_params;
    /* gpu.core = vortex: of the above only gpu and the scheme are used, and these. */
    struct vortex_config vortex;
    struct scheme_ops named; /* a Vortex issue stage, described as a scheme */
    void *host_params;       /* of the scheme inside a stage that has one */
    struct param_binding bind[MAX_BINDINGS];
    size_t n_bind;
    char name[64];       /* of the preset or file */
    struct buf settings; /* what was set since: one line KEY=VALUE each, in order */
};

/* scheme: "NAME" or "NAME+SKIP"; NULL: inorder, or what the preset says. */
struct machine *machine_new(const char *gpu, const char *scheme, struct err *err);
void machine_free(struct machine *m);
/* "key=value"; from names its origin in messages: "--set" */
int machine_set(struct machine *m, const char *setting, struct err *err);
int machine_set_from(struct machine *m, const char *setting, const char *from,
                     struct err *err);
/* Fewer SMs, with the memory side in proportion. */
int machine_slice(struct machine *m, uint64_t sms, struct err *err);
/* Checks what single ranges cannot: sizes that must fit together. */
int machine_check(const struct machine *m, struct err *err);

/* Schemes and skippers by name; the nearest name is suggested. */
const struct scheme_ops *scheme_find(const char *name, struct err *err);
const struct scheme_ops *scheme_at(size_t i); /* NULL after the last */
/* The stages compiled together with the scheme, for a register file with collectors or
 * with ports, with counters per instruction or without; NULL: there are none. */
const struct sm_core *scheme_fused(const struct scheme_ops *ops, bool has_ports,
                                   bool is_hot);
const struct skip_ops *skip_find(const char *name, struct err *err);
const struct skip_ops *skip_at(size_t i);

/* Issue stages that only a Vortex core has, in addition to the schemes above. */
const struct vx_issue_ops *vortex_stage_at(size_t i); /* NULL after the last */

/* All groups of parameters, including those of schemes, for documentation. */
size_t machine_groups(const struct param_group **groups, size_t max);

/* All groups of statistics, including those of schemes, and the formulas over them. */
struct stat_report;
size_t machine_stats(const struct stat_group **groups, size_t max);
const struct stat_formula *machine_formulas(size_t *n);

#endif
