/* list.h - what there is to choose from: workloads, GPUs, schemes, parameters, statistics,
 * architectures and opcodes. */
#ifndef LENO_REPORT_LIST_H
#define LENO_REPORT_LIST_H

#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

/* LIST_PAGE: the page of docs/ for the kinds that have one; text for the others. */
enum list_format { LIST_TEXT, LIST_JSON, LIST_PAGE };

struct list_job {
    const char *kind; /* "workloads" */
    enum list_format format;
    const char *gpu;    /* workloads: whose registers and occupancy; a GPU with SMs */
    const char *folder; /* of the workloads; NULL: the default */
};

/* Prints a list; an unknown kind is an error that names them all. */
int list_print(const struct list_job *job, FILE *out, struct err *err);

#endif
