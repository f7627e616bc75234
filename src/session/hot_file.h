/* hot_file.h - where time went, written to a file whose name says how. */
#ifndef LENO_SESSION_HOT_FILE_H
#define LENO_SESSION_HOT_FILE_H

#include "session/hot_put.h"

enum { HOT_TOP = 20 }; /* rows of a table of text */

/* Is the ending one of .csv, .json, .html and .txt? */
int hot_file_check(const char *path, struct err *err);
int hot_file_write(const struct hot_runs *r, const char *path, uint32_t top,
                   struct err *err);

#endif
