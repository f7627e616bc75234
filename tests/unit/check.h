/* check.h - cmocka, with the headers that must come before it. */
#ifndef LENO_TESTS_CHECK_H
#define LENO_TESTS_CHECK_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
