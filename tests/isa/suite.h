/* suite.h - the instruction suite: a table of kernels, their inputs, what they must leave.
 *
 * Written against the CUDA driver interface alone, so that one source runs on a GPU
 * (where it records) and in the simulator (where it compares). A kernel that cannot
 * be loaded, launched or finished is one line of the report and stops nothing else.
 */
#ifndef ISA_SUITE_H
#define ISA_SUITE_H

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"

#define SUITE_NAME   48
#define SUITE_CHUNK  64 /* words under one short hash, to say where an output differs */
#define SUITE_FIRST  16 /* words that a record keeps in clear */
#define SUITE_MAX    512
#define SUITE_ARCH90 90

enum suite_kind {
    SUITE_KIND_BITS,
    SUITE_KIND_F32,
    SUITE_KIND_M32,
    SUITE_KIND_F64,
    SUITE_KIND_M64,
    SUITE_KIND_F16,
    SUITE_KIND_BF16,
    SUITE_KIND_T32, /* moderate finite numbers */
    SUITE_KIND_T16,
    SUITE_KIND_RAMP, /* 0, 1, 2... as floats, bytes, or shorts five apart */
    SUITE_KIND_BYTES,
    SUITE_KIND_SHORTS
};

struct suite_case {
    char module[SUITE_NAME], name[SUITE_NAME];
    uint32_t grid[3], block[3];
    uint32_t in_words, out_words, n, smem;
    uint32_t least_arch;  /* 0: any */
    uint32_t golden_arch; /* the record holds from this architecture on */
    uint32_t golden_last; /* and up to this one; 0: all */
    enum suite_kind kind;
    int want_error;
    struct suite_image image;
};

struct suite_table {
    struct suite_case cases[SUITE_MAX];
    uint32_t n;
};

/* What one output looked like. */
struct suite_record {
    char name[SUITE_NAME];
    uint32_t words, n_chunks;
    uint64_t hash;
    uint32_t first[SUITE_FIRST];
    uint32_t *chunks;
};

struct suite_records {
    struct suite_record *at;
    uint32_t n;
};

struct suite_options {
    const char *dir; /* cubins, vectors.bin, suite.tab, unpacked */
    const char *arch_name;
    uint32_t arch;
    const char *write, *only, *module, *dump;
    struct suite_records golden, expect; /* recorded on a GPU; computed on the CPU */
    const char *golden_path;
    int errors, fork, verbose, show;
    uint32_t seconds; /* a forked kernel may take */
    uint32_t first;   /* kernel of a table of forms to begin with */
};

struct suite_counts {
    uint32_t passed, wrong, failed, absent, unchecked;
};

/* table.c */
int suite_table_read(struct suite_table *t, const char *path);
void suite_input_fill(uint32_t *words, const struct suite_case *c);

/* record.c */
int suite_records_read(struct suite_records *r, const char *path);
void suite_records_free(struct suite_records *r);
const struct suite_record *suite_records_find(const struct suite_records *r,
                                              const char *name);
int suite_record_make(struct suite_record *r, const char *name, const uint32_t *out,
                      uint32_t words);
void suite_record_write(const struct suite_record *r, void *stream);
int suite_record_same(const struct suite_record *want, const struct suite_record *got,
                      char *text, size_t size);

/* device.c */
struct suite_launch {
    CUfunction f;
    uint32_t grid[3], block[3], smem, n;
    const void *in;
    size_t in_bytes;
    void *out;
    size_t out_bytes;
    const struct suite_image *image; /* NULL: no textures */
    const uint32_t *form;            /* 16 words: the parameters of a kernel of forms */
};

void *suite_file_read(const char *path, size_t *size);
int suite_device_open(const struct suite_options *o);
void suite_device_close(void);
CUresult suite_device_run(const struct suite_launch *l);
const char *suite_device_message(CUresult r);

/* texture.c */
struct suite_texture {
    const struct suite_image *image;
    CUarray array;
    CUdeviceptr memory;
    CUtexObject t, t2;
    CUsurfObject s;
};

CUresult suite_texture_make(struct suite_texture *x, const struct suite_image *m,
                            void *data);
/* Puts the image behind the output, if it says so. */
CUresult suite_texture_back(const struct suite_texture *x, void *out, size_t out_bytes);
void suite_texture_free(struct suite_texture *x);

/* vector.c */
int suite_vectors_run(const struct suite_options *o, struct suite_counts *counts);

/* form.c */
struct suite_forms {
    struct suite_form *at;
    uint32_t n;
};
int suite_forms_read(struct suite_forms *f, const char *path);
void suite_forms_free(struct suite_forms *f);
void suite_forms_run(const struct suite_options *o, struct suite_counts *counts);

/* suite.c: runs work(arg) in a child if asked to, else here. The value is work's own,
 * or -1 with text for a child that died or ran out of time. */
int suite_isolate(const struct suite_options *o, int (*work)(void *), void *arg,
                  const char *name);
void suite_count(struct suite_counts *c, int result);

enum suite_result {
    SUITE_PASS,
    SUITE_WRONG,
    SUITE_FAIL,
    SUITE_ABSENT,
    SUITE_UNCHECKED
};

#endif
