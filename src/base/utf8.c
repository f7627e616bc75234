/* utf8.c - characters of UTF-8, by table 3-7 of the Unicode standard. */
#include "base/utf8.h"

#include <stddef.h>

/* By the first byte: how long, and what the second may be. Further ones are 80 to bf. */
static const struct {
    unsigned char first, last, length, low, high;
} rows[] = {
    { 0x01, 0x7f, 1, 0, 0 },       { 0xc2, 0xdf, 2, 0x80, 0xbf },
    { 0xe0, 0xe0, 3, 0xa0, 0xbf }, { 0xe1, 0xec, 3, 0x80, 0xbf },
    { 0xed, 0xed, 3, 0x80, 0x9f }, { 0xee, 0xef, 3, 0x80, 0xbf },
    { 0xf0, 0xf0, 4, 0x90, 0xbf }, { 0xf1, 0xf3, 4, 0x80, 0xbf },
    { 0xf4, 0xf4, 4, 0x80, 0x8f },
};

unsigned utf8_length(const char *text)
{
    const unsigned char *b = (const unsigned char *)text;
    size_t i = 0;

    while (i < sizeof rows / sizeof *rows && (*b < rows[i].first || *b > rows[i].last))
        i++;
    if (i == sizeof rows / sizeof *rows)
        return 0;
    if (rows[i].length > 1 && (b[1] < rows[i].low || b[1] > rows[i].high))
        return 0;
    for (unsigned n = 2; n < rows[i].length; n++)
        if (b[n] < 0x80 || b[n] > 0xbf)
            return 0;
    return rows[i].length;
}
