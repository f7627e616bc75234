/* list_workloads.h - the workloads as a table: where they are from, their shape, how large
 * they are.
 */
#ifndef LENO_REPORT_LIST_WORKLOADS_H
#define LENO_REPORT_LIST_WORKLOADS_H

#include "report/list.h"

/* Rows for people, or objects of a JSON list, each after a comma unless it is the first. */
int list_workloads(const struct list_job *job, struct buf *out, struct err *err);

#endif
