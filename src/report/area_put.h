/* area_put.h - gates and area of a machine's scheme, block by block, with the paper's
 * figures beside them. */
#ifndef LENO_REPORT_AREA_PUT_H
#define LENO_REPORT_AREA_PUT_H

#include "sim/machine.h"

void area_put_text(const struct machine *m, struct buf *out);
/* A member of a JSON object: "area": an object, or null. */
void area_put_json(const struct machine *m, struct buf *out);

#endif
