/* batch_json.c - what all cells of a batch have in common, as JSON. */
#include <string.h>

#include "base/document.h"
#include "frontend/sass/arch.h"
#include "session/batch.h"
#include "sim/describe.h"

void batch_note_machine(struct batch *b, size_t column, const struct machine *m,
                        const struct console *console)
{
    struct buf about = { 0 };

    machine_describe(m, &about);
    b->about[column] = about.data;
    if (b->arch < 0 || m->gpu.core == GPU_CORE_VORTEX || *b->warning)
        return;
    if (machine_warn_arch(m, sass_arch_name((enum sass_arch)b->arch), b->warning,
                          sizeof b->warning))
        fprintf(console->log, "leno: warning: %s\n", b->warning);
}

void batch_json(const struct batch *b, struct buf *out)
{
    struct buf lines = { 0 };

    for (size_t i = 0; i < b->set.n; i++)
        buf_printf(&lines, "%s\n", b->set.at[i]);
    document_text(out, "size", workload_size_name(b->size));
    document_number(out, "seed", b->seed);
    document_text(out, "code_arch",
                  b->arch < 0 ? NULL : sass_arch_name((enum sass_arch)b->arch));
    if (b->sms)
        document_number(out, "sms", b->sms);
    else
        document_text(out, "sms", NULL);
    document_settings(out, buf_text(&lines));
    document_warning(out, b->warning);
    buf_free(&lines);
}
