/* suggest.c - the nearest valid name to a misspelt one, by the number of letters to
 * insert, delete, replace or swap with a neighbour.
 */
#include "base/suggest.h"

#include <string.h>

enum { LONGEST = 40 };

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    unsigned d[LONGEST + 1][LONGEST + 1];

    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (unsigned i = 0; i <= n; i++)
        d[i][0] = i;
    for (unsigned j = 0; j <= m; j++)
        d[0][j] = j;
    for (unsigned i = 1; i <= n; i++) {
        for (unsigned j = 1; j <= m; j++) {
            unsigned differs = a[i - 1] != b[j - 1];

            d[i][j] = least_of(least_of(d[i - 1][j] + 1, d[i][j - 1] + 1),
                               d[i - 1][j - 1] + differs);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least_of(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[n][m];
}

const char *suggest_from_list(const void *from, size_t i)
{
    const char *const *names = from;

    return names[i];
}

void suggest_word(struct buf *out, const char *word,
                  const char *(*next)(const void *from, size_t i), const void *from)
{
    unsigned limit = least_of(1 + (unsigned)strlen(word) / 3, 4);
    const char *name, *best = NULL;

    for (size_t i = 0; (name = next(from, i)); i++) {
        unsigned d = edit_distance(word, name);

        if (!strncmp(word, name, strlen(word)) && strlen(word) > 1)
            d = 1; /* a prefix counts as near */
        if (d <= limit && (!best || d < edit_distance(word, best)))
            best = name;
    }
    if (best)
        buf_printf(out, " (did you mean '%s'?)", best);
}
