/* batch.c - the common part of a batch's results: as JSON, and as a footer. */
#include "report/batch.h"

#include "base/document.h"
#include "frontend/sass/arch.h"
#include "report/metric.h"

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

void batch_footer(const struct batch *b, struct buf *out)
{
    size_t n = b->n_run - b->n_failed;
    struct grid g = batch_grid(b);

    grid_cycles_note(&g, out);
    buf_printf(out, "%zu run%s executed, %zu taken from the cache", n,
               n == 1 ? "" : "s", b->n_stored);
    if (b->n_shared)
        buf_printf(out, ", %zu shared with an equal configuration", b->n_shared);
    buf_putc(out, '.');
    if (b->n_unkept)
        buf_printf(out, " %zu result%s not kept:\n%s.\n", b->n_unkept,
                   b->n_unkept == 1 ? " was" : "s were", b->unkept.text);
    else if (!b->is_readonly)
        buf_printf(out,
                   " Results are cached in %s/" BATCH_FILE
                   ";\nrunning again computes only what is missing.\n",
                   b->out);
    else
        buf_putc(out, '\n');
}

void batch_print_slice(const struct batch *b, FILE *out)
{
    size_t n = b->n_run - b->n_failed;

    fprintf(out,
            "slice %llu/%llu, %zu points: %zu run%s executed, %zu taken from its file, "
            "%zu failed\n%s\n",
            (unsigned long long)b->shard.number, (unsigned long long)b->shard.n,
            b->n_distinct, n, n == 1 ? "" : "s", b->n_stored, b->n_failed, b->kept_in);
}
