/* jit.h - PTX compiled while a program runs: by ptxas, and by nvlink where several parts
 * are linked, both of the CUDA toolkit. Nothing else of it is needed.
 */
#ifndef LENO_DRIVER_JIT_H
#define LENO_DRIVER_JIT_H

#include "base/buf.h"
#include "base/file.h"
#include "driver/internal.h"

/* Text for the caller: what fits in its buffer, with a 0 at the end. */
struct jit_log {
    char *text; /* NULL: not wanted */
    size_t size, used;
    void **told; /* where the caller reads how much there is; may be NULL */
};

/* What the options of a call ask for. */
struct jit {
    unsigned max_registers; /* 0: no limit */
    unsigned target;        /* architecture; 0: the device's */
    int level;              /* of optimisation; -1: ptxas' own */
    bool has_debug, has_lines, is_verbose;
    struct jit_log info, error;
    void **seconds; /* takes the time spent, a float in milliseconds; may be NULL */
    double start;
};

void jit_init(struct jit *j);
/* Reads options into what is there already. */
CUresult jit_read_options(struct driver *d, struct jit *j, unsigned n,
                          const CUjit_option *options, void **values);
/* Writes what the options ask for: lengths of logs, time. */
void jit_finish(const struct jit *j);
/* The call's work is not seen by the caller: a copy without logs. */
struct jit jit_silent(const struct jit *j);

/* PTX, as text? */
bool jit_is_text(struct file image);
/* CUDA_ERROR_INVALID_IMAGE, with the vendor's line in the log. */
CUresult jit_not_recognised(struct driver *d, struct jit *j);
/* Adds to a log, without the end of the last line. */
void jit_log_add(struct jit_log *log, const char *text, size_t n);

/* Compiles PTX for the device. is_part: to be linked with others. *cubin is the caller's. */
CUresult jit_compile(struct driver *d, struct jit *j, struct file ptx, bool is_part,
                     struct file *cubin);
/* The code of a fat binary for the device, compiled from its PTX if it has no other. */
CUresult jit_take_fat(struct driver *d, struct jit *j, const char *name,
                      struct file image, bool is_part, struct file *cubin);

struct jit_part {
    char name[64]; /* a file name */
    struct file code;
};
/* Any number of parts, also none. */
CUresult jit_link(struct driver *d, struct jit *j, const struct jit_part *parts,
                  size_t n, struct file *cubin);

/* Compiled PTX, kept by its text and options. */
struct jit_kept {
    struct jit_kept *next;
    struct buf key;
    struct file cubin;
    struct buf log;
};
void jit_kept_free(struct jit_kept *k);

/* ---- module.c, function.c, library.c, link.c ---- */

/* A kernel of a library: loaded again where its context was destroyed meanwhile. */
struct kernel_handle {
    CUkernel handle;
    struct library *library;
    char *name;
};

/* Loads a cubin, a fat binary or PTX; name: in messages. */
CUresult module_load_image(struct driver *d, struct context *c, struct jit *j,
                           CUmodule *module, const char *name, struct file image);
/* The image at an address that a program gave, with the size that it says itself. */
struct file module_image_at(const void *image);
CUresult module_read_file(struct driver *d, const char *path, struct file *image);
CUresult module_function(struct driver *d, struct module *m, const char *name,
                         struct function **f);
CUresult module_variable(struct driver *d, struct module *m, const char *name,
                         CUdeviceptr *at, size_t *bytes);
/* The function that a handle of a function or of a library's kernel stands for. */
struct function *function_find(struct driver *d, CUfunction handle, CUresult *result);
struct function *library_function(struct driver *d, struct kernel_handle *k,
                                  CUresult *result);
void library_free_all(struct driver *d);
void link_free_all(struct driver *d);

#endif
