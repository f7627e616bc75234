/* misfits.c - rows that do not fit: their present values, and why. */
#include <stddef.h>

#include "rows.h"

const struct misfit misfits[] = { { NULL, NULL, 0, NULL } };
