/* provenance.h - what a recording was made from, in a file beside it: a line with the
 * revision of Leno, then the hash and the path of every file that the program consists of
 * or read.
 */
#ifndef LENO_SESSION_PROVENANCE_H
#define LENO_SESSION_PROVENANCE_H

#include <stdbool.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"

/* Is everything as the file says? If not, why says what is different; "" where there is no
 * such file. */
bool provenance_holds(const char *path, struct buf *why);

/* Writes the file for the paths of a list, one per line, in which some may be there more
 * than once. Left out: files in the folder without (Leno's own libraries), those that are
 * gone, and those changed since the start, which the program wrote itself. */
int provenance_write(const char *path, const char *list, const char *without,
                     const struct timespec *start, struct err *err);

#endif
