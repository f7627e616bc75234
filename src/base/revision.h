/* revision.h - the revision of this Leno. */
#ifndef LENO_BASE_REVISION_H
#define LENO_BASE_REVISION_H

#define LENO_VERSION "0.1"

/* Twelve hexadecimal digits of a hash over the source of Leno and the workloads,
 * including uncommitted edits. */
const char *revision_text(void);

#endif
