/* info.h - what a cubin or a recording contains, as text or JSON. */
#ifndef LENO_REPORT_INFO_H
#define LENO_REPORT_INFO_H

#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

/* Prints to out; or, if json is not NULL, appends an object to it. 0, or -1 with err set. */
int info_put_file(const char *path, FILE *out, struct buf *json, struct err *err);

#endif
