/* stall.c - the names of the causes to which a scheduler's cycles are charged. */
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

enum stall stall_largest(const double slot[N_STALL], double *share)
{
    unsigned which = STALL_idle;
    double all = 0, best = 0;

    for (unsigned c = 0; c < N_STALL; c++) {
        all += slot[c];
        if (c != STALL_issued && c != STALL_idle && slot[c] > best) {
            best = slot[c];
            which = c;
        }
    }
    *share = all > 0 ? 100 * best / all : 0;
    return (enum stall)which;
}

void stall_json(const uint64_t slot[][N_STALL], unsigned n, struct buf *out)
{
    buf_putc(out, '[');
    for (unsigned k = 0; k < n; k++) {
        buf_puts(out, k ? ",\n    {" : "\n    {");
        for (unsigned c = 0; c < N_STALL; c++)
            buf_printf(out, "%s\"%s\": %llu", c ? ", " : "", stall_name((enum stall)c),
                       (unsigned long long)slot[k][c]);
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
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
