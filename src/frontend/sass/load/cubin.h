/* cubin.h - a cubin file, checked and indexed.
 *
 * cubin_parse() looks at every length before it is used, so that all offsets and
 * indices kept here are good. It copies nothing: names and bytes point into the
 * image, which the caller keeps alive. What a kernel needs to be launched is in
 * struct cubin_kernel; what a listing needs is in the section and symbol tables.
 */
#ifndef LENO_SASS_CUBIN_H
#define LENO_SASS_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "frontend/sass/arch.h"

struct cubin_section {
    const char *name;
    uint32_t type;  /* SHT_* */
    uint64_t flags; /* SHF_* */
    uint32_t info, link;
    uint64_t align;
    uint64_t offset;     /* in the file */
    uint64_t size;       /* bytes; for NOBITS nothing is in the file */
    const uint8_t *data; /* NULL for NOBITS and empty sections */
    bool is_text;        /* .text.*, a whole number of 16-byte instructions */
};

struct cubin_symbol {
    const char *name;
    uint32_t section; /* index; 0 = undefined; 0xfff1, 0xfff2 as in ELF */
    uint64_t value, size;
    uint8_t type, bind, other; /* STT_*, STB_*, raw st_other */
    bool is_entry;             /* a kernel */
};

struct cubin_reloc {
    uint32_t target; /* section that is patched */
    uint64_t offset; /* in that section */
    uint32_t type;   /* R_CUDA_* number */
    uint32_t symbol; /* index in symbols */
    int64_t addend;  /* 0 without has_addend */
    bool has_addend; /* RELA; for REL the addend is in the place that is patched */
};

/* Bytes: the most that any architecture takes. */
#define CUBIN_MAX_PARAMS 32764u

struct cubin_param {
    uint32_t offset; /* from the parameter base */
    uint32_t size;
};

struct cubin_kernel {
    const char *name;
    uint32_t symbol;  /* index in symbols */
    uint32_t text;    /* section with its code */
    uint32_t nv_info; /* its .nv.info section, 0 = none */
    uint64_t entry;   /* offset of its first instruction in that section */
    uint32_t n_regs;  /* per thread */
    uint32_t stack;   /* bytes of local memory a thread needs (MIN_STACK_SIZE) */
    uint32_t frame;   /* FRAME_SIZE */
    uint32_t shared;  /* static shared memory, the reserved part of sm_90 included */
    uint32_t n_barriers;
    uint32_t param_base, param_size; /* in constant bank 0 */
    uint32_t n_params;
    struct cubin_param *params;              /* by ordinal */
    uint32_t constants[8];                   /* section index of bank n, 0 = none */
    uint32_t max_threads[3], req_threads[3]; /* 0 = not given */
    uint32_t cluster[3];                     /* 0 = not given */
    uint32_t n_exits;
    uint32_t *exits; /* offsets of EXIT instructions, as the file lists them */
};

struct cubin {
    enum sass_arch arch;
    unsigned sm;          /* 75, 80, 86, 87, 89, 90 */
    bool is_specific;     /* sm_90a: built for this SM alone */
    uint16_t type;        /* ET_EXEC, or ET_REL for an object not yet linked */
    const uint8_t *image; /* the caller's */
    size_t size;
    uint32_t n_sections, n_symbols, n_relocs, n_kernels;
    struct cubin_section *sections;
    struct cubin_symbol *symbols;
    struct cubin_reloc *relocs;
    struct cubin_kernel *kernels; /* in the order of their symbols */
};

/* file names the image in messages. On failure nothing is left allocated. */
int cubin_parse(struct cubin *c, const char *file, const void *image, size_t size,
                struct err *err);
void cubin_free(struct cubin *c);

const struct cubin_kernel *cubin_find_kernel(const struct cubin *c, const char *name);

/* Index of the section of that name, 0 if there is none. */
uint32_t cubin_find_section(const struct cubin *c, const char *name);

/* Little-endian values at any alignment. */
uint16_t cubin_u16(const uint8_t *p);
uint32_t cubin_u32(const uint8_t *p);
uint64_t cubin_u64(const uint8_t *p);

#endif
