/* list.h - what there is to choose from: workloads, GPUs, schemes, parameters, statistics,
 * architectures and opcodes. */
#ifndef LENO_REPORT_LIST_H
#define LENO_REPORT_LIST_H

#include <stdio.h>

#include "base/err.h"

/* LIST_PAGE: the page of docs/ for the kinds that have one; text for the others. */
enum list_format { LIST_TEXT, LIST_JSON, LIST_PAGE };

/* Prints the list of this name; an unknown name is an error that lists them all. */
int list_print(const char *name, enum list_format format, FILE *out, struct err *err);

#endif
