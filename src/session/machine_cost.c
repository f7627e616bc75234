/* machine_cost.c - the storage of a machine's scheme and eliminator. */
#include "session/machine_cost.h"

#include <string.h>

int machine_cost(const struct machine *m, struct cost *c, struct err *err)
{
    struct core_shape shape = { .n_warps = m->core.warps,
                                .n_subcores = m->core.subcores };

    if (m->gpu.core != GPU_CORE_VORTEX) {
        cost_of(c, m->scheme, m->scheme_params, &shape);
        if (m->skip)
            cost_add_skip(c, m->skip, m->skip_params, &shape);
        return 0;
    }
    if (m->vortex.issue == &vx_issue_scoreboard &&
        strcmp(m->scheme->name, "inorder") != 0)
        return err_kind(
            err, ERR_UNSUPPORTED,
            "%s on %s: its storage is known of an SM only, expected inorder, "
            "ghost, loog or loog.rrs",
            m->scheme->name, m->name);
    *c = (struct cost){ 0 };
    m->vortex.issue->parts(&m->vortex, c->part);
    cost_sum(c);
    return 0;
}
