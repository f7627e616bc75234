/* revision.h - which source this is: results belong to it. */
#ifndef LENO_REPORT_REVISION_H
#define LENO_REPORT_REVISION_H

/* Twelve hexadecimal digits of a hash over Leno's source and the workloads', edits not
 * yet committed included. */
const char *revision(void);

#endif
