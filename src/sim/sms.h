/* sms.h - a GPU of SMs and their memory; see kind_sm.c. */
#ifndef LENO_SIM_SMS_H
#define LENO_SIM_SMS_H

#include "sim/hot.h"
#include "sim/internal.h"

enum { SMS_WINDOW = 128 }; /* most cycles that an SM runs alone */

struct sms {
    struct gpu base; /* first */
    unsigned n_sms;
    struct sm **sm;
    uint64_t *takes; /* cycle in which an SM can take a block; UINT64_MAX: it cannot */
    unsigned first_sm; /* SM that comes first when several can take a block */
    struct memory *memory;
    struct crew *crew;     /* threads that run them; NULL: they run one after another */
    struct hot_counts hot; /* with base.hot */
    struct clusters *clusters; /* from the first kernel that has some on; else NULL */
    uint64_t
        settled; /* the cycle in which all stores of the last kernel were answered */
};

static inline struct sms *sms_of(struct gpu *g)
{
    return (struct sms *)g;
}

int sms_run(struct gpu *g, struct kernel *k, struct err *err);
uint64_t sms_insts(const struct gpu *g);
void sms_result(struct gpu_result *r, struct gpu *g); /* sms_result.c */

#endif
