/* stall.c - the names of what a scheduler's cycle can go to. */
#include "stats/stall.h"

const char *stall_name(enum stall s)
{
    static const char *const names[] = {
#define CAUSE(name, ghost, nsight, help) #name,
        STALL_CAUSES(CAUSE)
#undef CAUSE
    };

    return (unsigned)s < N_STALL ? names[s] : "?";
}

void stall_docs(struct buf *out)
{
    static const char *const rows[][4] = {
#define CAUSE(name, ghost, nsight, help) { #name, ghost, nsight, help },
        STALL_CAUSES(CAUSE)
#undef CAUSE
    };

    buf_puts(out, "| cause | GhOST artifact | Nsight Compute | meaning |\n"
                  "| --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < N_STALL; i++)
        buf_printf(out, "| `%s` | %s | %s | %s |\n", rows[i][0], rows[i][1], rows[i][2],
                   rows[i][3]);
}
