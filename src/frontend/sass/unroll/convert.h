/* convert.h - a kernel whose operands are named by distance, as a launch that runs in the
 * place of the given one (analysis/hybrid.h).
 *
 * The kernel's section is written anew after the module, with instructions inserted.
 * Addresses of code in registers (return addresses) still name the old places; the
 * executor finds the new ones (sass_module_moved()).
 */
#ifndef LENO_SASS_CONVERT_H
#define LENO_SASS_CONVERT_H

#include "analysis/hybrid.h"
#include "frontend/sass/exec/exec.h"

struct sass_converted {
    struct sass_launch launch; /* to be run; valid as long as this */
    struct sass_module module; /* only its code is its own */
    struct sass_kernel kernel;
    uint64_t *moved;
    uint64_t n_inserted;
};

/* A kernel whose flow is not known stays as it is, or is refused if all its operands should
 * have distances. 0, or -1 with err set. */
int sass_convert(struct sass_converted *c, const struct sass_launch *l,
                 const struct naming *naming, struct err *err);
void sass_converted_free(struct sass_converted *c);

#endif
