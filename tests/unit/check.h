/* check.h - cmocka, with the headers that must come before it. */
#ifndef LENO_TESTS_CHECK_H
#define LENO_TESTS_CHECK_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
/* clang-format on */

/* Zeroed, and in lines of the host's cache, as structs want it that are kept so. */
static inline void *lines_alloc(size_t bytes)
{
    size_t n = (bytes + 63) / 64 * 64;
    void *p = aligned_alloc(64, n);

    assert_non_null(p);
    return memset(p, 0, n);
}

/* For tests over many inputs: 1 to take all of them, N to take every Nth (LENO_SAMPLE=N). */
static inline unsigned sample_step(void)
{
    const char *text = getenv("LENO_SAMPLE");
    unsigned long step = text ? strtoul(text, NULL, 10) : 1;

    assert_in_range(step, 1, 1000);
    return (unsigned)step;
}

/* For random inputs: how many of n. */
static inline unsigned sample_of(unsigned n)
{
    return (n - 1) / sample_step() + 1;
}

#endif
