/* describe.c - a machine as members of a JSON document. */
#include "sim/describe.h"

#include <stdio.h>
#include <string.h>

#include "base/document.h"
#include "frontend/sass/arch.h"
#include "sim/kind.h"

const char *machine_arch(const struct machine *m)
{
    return m->kind->arch ? m->kind->arch : sass_arch_name((enum sass_arch)m->gpu.arch);
}

unsigned machine_sms(const struct machine *m)
{
    return m->kind->cores(m);
}

unsigned machine_warps(const struct machine *m)
{
    return m->kind->warps(m);
}

const char *machine_core_name(const struct machine *m)
{
    return m->kind->core_name;
}

bool machine_warn_arch(const struct machine *m, const char *code, char *text,
                       size_t size)
{
    const char *own = machine_arch(m);

    if (m->kind->arch || !*code || !strcmp(code, own))
        return false;
    snprintf(text, size, "%s code on %s, a machine for %s: timing is that of %s", code,
             m->name, own, own);
    return true;
}

bool gpu_is_partial(const struct err *err)
{
    return err->code == ERR_LIMIT;
}

bool gpu_has_statistics(const struct err *err)
{
    return !err->code || gpu_is_partial(err);
}

void machine_describe(const struct machine *m, struct buf *out)
{
    document_text(out, "gpu", m->name);
    document_text(out, "gpu_arch", machine_arch(m));
    document_number(out, "sms", machine_sms(m));
    document_text(out, "scheme", m->scheme->name);
    document_text(out, "skip", m->skip ? m->skip->name : NULL);
    document_settings(out, buf_text(&m->settings));
}
