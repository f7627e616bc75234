/* clusters.h - kernels with clusters, for sms.c and window.c; see clusters.c. */
#ifndef LENO_SIM_CLUSTERS_H
#define LENO_SIM_CLUSTERS_H

#include "sim/sms.h"

struct clusters;
struct run;

struct clusters *clusters_new(struct sms *g, struct err *err);
void clusters_free(struct clusters *c); /* c may be NULL */
/* A kernel with clusters starts, of whose blocks so many fit on an SM. -1 with err set: no
 * GPC can hold one of its clusters. */
int clusters_start(struct clusters *c, struct run *r, unsigned fit, struct err *err);
/* All SMs through the cycles before end. */
int clusters_run(struct clusters *c, struct run *r, uint64_t end, struct err *err);

#endif
