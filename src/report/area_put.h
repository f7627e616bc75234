/* area_put.h - gates and area of a machine's scheme, block by block, with the paper's
 * figures beside them. */
#ifndef LENO_REPORT_AREA_PUT_H
#define LENO_REPORT_AREA_PUT_H

#include "sim/machine.h"

/* um2 at 45 nm of the scheme's module; NAN: it has none for these parameters. */
double area_per_subcore(const struct machine *m);
/* The same in % of the chip, less the module of another scheme (NULL: nothing less). */
double area_share(const struct machine *m, const char *less);

void area_put_text(const struct machine *m, struct buf *out);
/* Members of a JSON object: "area": an object, or null; "eliminator_area": objects. */
void area_put_json(const struct machine *m, struct buf *out);

#endif
