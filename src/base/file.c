/* file.c - whole files in. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int file_read(const char *path, size_t max, struct file *file, struct err *err)
{
    struct stat st;
    FILE *f = fopen(path, "rb");

    *file = (struct file){ 0 };
    if (!f)
        return err_set(err, "%s: %s", path, strerror(errno));
    if (fstat(fileno(f), &st) || !S_ISREG(st.st_mode)) {
        fclose(f);
        return err_set(err, "%s: not a regular file", path);
    }
    if ((uint64_t)st.st_size > max) {
        fclose(f);
        return err_set(err, "%s: %lld bytes, expected at most %zu", path,
                       (long long)st.st_size, max);
    }
    file->size = (size_t)st.st_size;
    file->data = malloc(file->size ? file->size : 1);
    if (!file->data) {
        fclose(f);
        return err_memory(err, "%s", path);
    }
    if (fread(file->data, 1, file->size, f) != file->size) {
        fclose(f);
        file_free(file);
        return err_set(err, "%s: could not be read whole", path);
    }
    fclose(f);
    return 0;
}

void file_free(struct file *file)
{
    free(file->data);
    *file = (struct file){ 0 };
}
