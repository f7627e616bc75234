/* narrow.h - instructions without the hazards that a machine ignores. */
#ifndef LENO_CORE_NARROW_H
#define LENO_CORE_NARROW_H

#include "base/err.h"
#include "core/params.h"
#include "core/uop.h"

struct narrow;

bool narrow_is_needed(const struct core_params *p); /* is any hazard switched off? */
struct narrow *narrow_new(const struct core_params *p, unsigned n_uops,
                          struct err *err);
void narrow_free(struct narrow *n);
void narrow_forget(struct narrow *n); /* a kernel starts and nothing is in flight */

/* The instruction as this machine sees it, until its uop retires. */
const struct inst *narrow_inst(struct narrow *n, const struct inst *i, uop_id user);

#endif
