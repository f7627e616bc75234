/* file.h - whole files in and out. */
#ifndef LENO_BASE_FILE_H
#define LENO_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct file {
    uint8_t *data;
    size_t size;
};

/* Reads a whole regular file of at most max bytes. */
int file_read(const char *path, size_t max, struct file *file, struct err *err);
void file_free(struct file *file);

/* Writes a file whole or not at all: to a temporary name beside it, then renamed. */
int file_write(const char *path, const void *data, size_t size, struct err *err);

#endif
