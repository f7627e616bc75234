/* machine_options.c - makes the machine that options describe. */
#include "session/machine_options.h"

struct machine *machine_from_options(const struct machine_options *o, struct err *err)
{
    struct machine *m =
        machine_new(o->gpu ? o->gpu : MACHINE_DEFAULT_GPU, o->scheme, err);
    int failed = !m;

    for (size_t i = 0; !failed && i < o->set.n; i++)
        failed = machine_set(m, o->set.at[i], err);
    if (!failed && o->sms)
        failed = machine_slice(m, o->sms, err);
    if (!failed)
        return m;
    machine_free(m);
    return NULL;
}
