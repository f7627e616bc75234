/* executable.h - what a program's file says about the CUDA libraries it uses. */
#ifndef LENO_SESSION_EXECUTABLE_H
#define LENO_SESSION_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"

/* Names the program whose own runtime is to be replaced (cudart/redirect.c). */
#define EXECUTABLE_REDIRECT "LENO_REDIRECT"

struct executable {
    struct file image;
    bool is_elf;          /* else a script, or something of another kind */
    bool is_host;         /* for this machine, 64 bits */
    bool has_kernels;     /* a section of fat binaries */
    bool is_dynamic;      /* libraries are loaded into it */
    bool is_stripped;     /* no symbol table */
    int own_edition;      /* of that runtime: 11, 12, 13 */
    bool has_own_runtime; /* CUDA's runtime is linked into it */
    char cudart[32];      /* "libcudart.so.13" if that is what it needs, else "" */
    bool needs_cuda;      /* libcuda.so.1 */
};

/* Reads and checks the file. */
int executable_read(struct executable *p, const char *path, struct err *err);
void executable_free(struct executable *p);

/* CUDA's runtime is in the program and not beside it: it has to be replaced. */
bool executable_is_runtime_inside(const struct executable *p);
/* Refuses programs that would fail later with a less helpful message. */
int executable_check(const struct executable *p, const char *path, struct err *err);

/* Calls visit for every function of the program's symbol table. */
void executable_functions(const struct executable *p,
                          void (*visit)(void *to, const char *name, uint64_t value,
                                        uint64_t size),
                          void *to);

/* Calls visit for every section of that name. */
typedef void executable_visit_section(void *to, const uint8_t *data, size_t size);
void executable_sections(const struct executable *p, const char *name,
                         executable_visit_section *visit, void *to);

#endif
