/* kind.c - the kind of a machine, by its parameter gpu.core. */
#include "session/kind.h"

const struct session_kind *session_kind(const struct machine *m)
{
    static const struct session_kind *const kinds[] = {
        [GPU_CORE_SM] = &session_kind_sm,
        [GPU_CORE_VORTEX] = &session_kind_vortex,
    };

    return kinds[m->gpu.core];
}
