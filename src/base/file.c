/* file.c - whole files in. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *file_open(const char *path, uint64_t *size, struct err *err)
{
    /* O_NONBLOCK: a FIFO that nobody writes to is not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    FILE *f;

    if (fd < 0) {
        err_set(err, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
        err_set(err, "%s: not a regular file", path);
        close(fd);
        return NULL;
    }
    *size = (uint64_t)st.st_size;
    f = fdopen(fd, "rb");
    if (!f) {
        err_memory(err, "%s", path);
        close(fd);
    }
    return f;
}

int file_read(const char *path, size_t max, struct file *file, struct err *err)
{
    uint64_t size;
    FILE *f = file_open(path, &size, err);

    *file = (struct file){ 0 };
    if (!f)
        return -1;
    if (size > max) {
        fclose(f);
        return err_set(err, "%s: %llu bytes, expected at most %zu", path,
                       (unsigned long long)size, max);
    }
    file->size = (size_t)size;
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
