/* err.c - what went wrong, in words and as an exit code. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

int err_set(struct err *err, const char *format, ...)
{
    va_list args;

    if (!err)
        return -1;
    err->code = ERR_INPUT;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return -1;
}

int err_kind(struct err *err, enum err_code code, const char *format, ...)
{
    va_list args;

    if (!err)
        return -1;
    err->code = code;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return -1;
}

int err_prefix(struct err *err, const char *format, ...)
{
    char rest[sizeof err->text];
    va_list args;
    size_t n;

    if (!err)
        return -1;
    memcpy(rest, err->text, sizeof rest);
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    n = strlen(err->text);
    snprintf(err->text + n, sizeof err->text - n, ": %s", rest);
    return -1;
}

int err_suffix(struct err *err, const char *format, ...)
{
    va_list args;
    size_t n;

    if (!err)
        return -1;
    n = strlen(err->text);
    va_start(args, format);
    vsnprintf(err->text + n, sizeof err->text - n, format, args);
    va_end(args);
    return -1;
}

int err_memory(struct err *err, const char *what, ...)
{
    va_list args;
    int n;

    if (!err)
        return -1;
    err->code = ERR_MEMORY;
    n = snprintf(err->text, sizeof err->text, "out of memory for ");
    va_start(args, what);
    vsnprintf(err->text + n, sizeof err->text - (size_t)n, what, args);
    va_end(args);
    return -1;
}

void err_memory_exit(const char *what)
{
    struct err err;

    err_memory(&err, "%s", what);
    fprintf(stderr, "leno: %s\n", err.text);
    file_discard_temporaries();
    _exit(err_exit(&err)); /* a worker must not print what its parent has buffered */
}

int err_exit(const struct err *err)
{
    if (err->code == ERR_MEMORY)
        return ERR_LIMIT;
    return err->code > ERR_FAULT ? ERR_FAULT : (int)err->code;
}
