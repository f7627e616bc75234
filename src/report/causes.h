/* causes.h - the stall reasons that a chart shows: the largest by name, the rest together. */
#ifndef LENO_REPORT_CAUSES_H
#define LENO_REPORT_CAUSES_H

#include "report/metric.h"

enum { CAUSES_SHOWN = 8 };

/* The parts of a bar of issue slots, from below: issued, up to CAUSES_SHOWN causes, the other
 * causes, no warp. */
struct cause_part {
    const char *label;
    const char *color;
    uint32_t causes; /* as bits: enum stall */
};
struct cause_parts {
    struct cause_part at[CAUSES_SHOWN + 3];
    unsigned n;
};

/* Those with the largest share of the slots of all runs, idle ones left out. */
void causes_choose(const struct grid *g, struct cause_parts *parts);
/* Slots of a run that belong to a part. */
double cause_slots(const struct cause_part *part, const struct facts *f);
/* The part that stands for slots without a warp. */
bool cause_is_idle(const struct cause_part *part);

/* As an array of {"label", "color", "causes": ["memory", ...]}. */
void causes_json(const struct cause_parts *parts, struct buf *out);

#endif
