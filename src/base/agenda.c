/* agenda.c - prints an agenda. */
#include "base/agenda.h"

void agenda_print(const struct agenda *a, const char *const *names, unsigned n,
                  struct buf *out)
{
    buf_puts(out, "  wakes:");
    for (unsigned k = 0; k < n; k++) {
        buf_printf(out, "%s %s", k ? ";" : "", names[k]);
        if (a->at[k] >= NEVER)
            buf_puts(out, " never");
        else
            buf_printf(out, " in cycle %llu", (unsigned long long)a->at[k]);
    }
    buf_putc(out, '\n');
}
