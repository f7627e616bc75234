/* kind.h - what the cores of a machine are, as a table of operations: SMs (kind_sm.c) or
 * Vortex cores (kind_vortex.c).
 *
 * A machine gets its kind when it is built, from the preset (gpu.core); a GPU has that
 * of its machine. No operation is NULL.
 */
#ifndef LENO_SIM_KIND_H
#define LENO_SIM_KIND_H

#include "sim/machine.h"

struct gpu;
struct gpu_result;
struct trace;

struct machine_kind {
    /* Parameters of a machine (machine.c). */
    void (*bind)(struct machine *m); /* lists those of its cores */
    int (*choose_scheme)(struct machine *m, const char *text, struct err *err);
    int (*slice)(struct machine *m, uint64_t cores, struct err *err); /* --sms */
    int (*check)(const struct machine *m, struct err *err);
    unsigned (*cores)(const struct machine *m);
    unsigned (*warps)(const struct machine *m); /* per core */
    const char *core_name;                      /* "SM", "core" */
    bool has_clock; /* its statistics can be read while a kernel runs (gpu_set_clock) */
    const char *arch; /* of the code it runs; NULL: gpu.arch says which */

    /* A GPU of such a machine (gpu.c). If build() fails it may leave a partial GPU,
     * which free() accepts. */
    size_t gpu_size; /* of the kind's own struct, in which a struct gpu is first */
    int (*build)(struct gpu *g, struct err *err);
    void (*free)(struct gpu *g);
    void (*set_trace)(struct gpu *g, struct trace *t);
    int (*set_hot)(struct gpu *g, struct err *err);
    int (*set_threads)(struct gpu *g, unsigned threads, struct err *err);
    int (*run)(struct gpu *g, struct kernel *k, struct err *err);
    uint64_t (*insts)(const struct gpu *g);
    uint64_t (*counter)(struct gpu *g, unsigned core, unsigned csr);
    void (*set_counter_class)(struct gpu *g, uint32_t counter_class);
    void (*result)(struct gpu_result *r, struct gpu *g); /* its statistics */
};
extern const struct machine_kind machine_kind_sm, machine_kind_vortex;

/* For the kinds' files: adds a group of parameters, with values of its own (bind_new) or
 * given ones. */
void machine_bind(struct machine *m, const struct param_group *g, void *values);
int machine_bind_new(struct machine *m, const struct param_group *g, void **values,
                     struct err *err);

#endif
