/* sweep_batch.c - makes a batch of a sweep. */
#include "session/sweep_batch.h"

#include <string.h>

_Static_assert(sizeof((struct sweep *)0)->setting <= sizeof((struct text_list *)0)->at,
               "all that a file sets is set for all columns");
_Static_assert(WORKLOAD_SEED == 1, "what sweep_read() takes if the file has none");

static int read_size(const struct sweep *s, enum workload_size *size, struct err *err)
{
    *size = SIZE_SMALL;
    if (!s->size.n)
        return 0;
    for (unsigned n = SIZE_TINY; n <= SIZE_PAPER; n++)
        if (!strcmp(s->size.at[0], workload_size_name((enum workload_size)n))) {
            *size = (enum workload_size)n;
            return 0;
        }
    return err_set(err, "%s:%u: size = %s: expected tiny, small or paper", s->file,
                   s->size.line, s->size.at[0]);
}

int sweep_fill_batch(const struct sweep *s, struct batch *b, struct err *err)
{
    if (read_size(s, &b->size, err))
        return -1;
    b->column = s->column;
    b->n_columns = s->n_columns;
    b->seed = s->seed;
    b->sms = s->sms;
    b->arch = -1;
    for (; b->set.n < s->n_set; b->set.n++)
        b->set.at[b->set.n] = s->setting[b->set.n];
    return 0;
}
