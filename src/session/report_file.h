/* report_file.h - the file of a report, checked before all runs. */
#ifndef LENO_SESSION_REPORT_FILE_H
#define LENO_SESSION_REPORT_FILE_H

#include "base/err.h"

/* Can a report be written there? NULL: there is none. It may go to the folder of results,
 * out, which is made. */
int report_file_check(const char *report, const char *out, struct err *err);

#endif
