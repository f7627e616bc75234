/* revision.h - which Leno this is. */
#ifndef LENO_BASE_REVISION_H
#define LENO_BASE_REVISION_H

#define LENO_VERSION "0.1"

/* Twelve hexadecimal digits of a hash over Leno's source and the workloads', edits not
 * yet committed included. */
const char *revision_text(void);

#endif
