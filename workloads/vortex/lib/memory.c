/* memory.c - what a compiler expects to find without a C library. */
#include <stddef.h>

void *memset(void *to, int value, size_t n);
void *memcpy(void *to, const void *from, size_t n);

void *memset(void *to, int value, size_t n)
{
    for (unsigned char *at = to; n; n--)
        *at++ = (unsigned char)value;
    return to;
}

void *memcpy(void *to, const void *from, size_t n)
{
    unsigned char *at = to;

    for (const unsigned char *source = from; n; n--)
        *at++ = *source++;
    return to;
}
