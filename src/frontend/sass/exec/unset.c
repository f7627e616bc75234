/* unset.c - registers that a kernel may read before it has written them.
 *
 * Registers hold nothing in particular when a warp starts. Here they hold zero, so that a
 * program which reads one does the same in every run; those that nobody can read before
 * they are written need not be cleared. A lane's registers can be read by others as well,
 * while it does not take part itself.
 */
#include "frontend/sass/exec/unset.h"

#include <string.h>

#include "frontend/sass/load/flow.h"

/* Does it read registers of lanes that do not take part? */
static bool is_collective(const struct inst *i)
{
    switch (i->class) {
    case CLASS_shuffle:
    case CLASS_tensor:
    case CLASS_tensor_small:
    case CLASS_tensor_fp64:
        return true;
    default:
        return false;
    }
}

static void add_collective(const struct sass_flow *f, struct regset *unset)
{
    for (uint32_t n = 0; n < f->n; n++)
        if (is_collective(f->flow[n].inst))
            regset_join(unset, &f->flow[n].inst->reads);
}

static int find_unset(const struct sass_launch *l, struct regset *unset,
                      struct err *err)
{
    enum sass_flow_known known;
    struct flow *flow = NULL;
    struct sass_flow f;

    if (sass_flow_make(&f, l->module, l->kernel, &known, err))
        return -1;
    if (known == FLOW_IS_KNOWN)
        flow = flow_new(f.flow, f.n, err);
    if (flow) {
        *unset = flow->block[0].live_in;
        add_collective(&f, unset);
    }
    flow_free(flow);
    sass_flow_free(&f);
    return flow ? 0 : -1;
}

void sass_unset(const struct sass_launch *l, struct regset *unset)
{
    struct err ignored = { 0 };

    if (find_unset(l, unset, &ignored))
        memset(unset, 0xff, sizeof *unset);
}
