/* file.c - whole files in and out. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

int file_write(const char *path, const void *data, size_t size, struct err *err)
{
    char temporary[4096];
    int n = snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
    FILE *f;

    if (n < 0 || (size_t)n >= sizeof temporary)
        return err_set(err, "%s: path too long", path);
    f = fopen(temporary, "wb");
    if (!f)
        return err_set(err, "%s: %s", temporary, strerror(errno));
    if (fwrite(data, 1, size, f) != size || fflush(f) || fsync(fileno(f))) {
        fclose(f);
        unlink(temporary);
        return err_set(err, "%s: %s", temporary, strerror(errno));
    }
    fclose(f);
    if (rename(temporary, path)) {
        unlink(temporary);
        return err_set(err, "%s: %s", path, strerror(errno));
    }
    return 0;
}
