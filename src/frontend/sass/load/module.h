/* module.h - a cubin loaded into a device: placed, relocated, decoded.
 *
 * Every text section gets a place in one code range, so that a program counter is an
 * absolute code address and code[(pc - code_base) / 16] is the instruction there.
 * Global variables live in device memory; constant banks are host copies with
 * relocations applied (bank 3 may be written through the driver afterwards).
 * Undefined functions (vprintf, malloc, free, __assertfail) get addresses of their
 * own, which the executor traps.
 */
#ifndef LENO_SASS_MODULE_H
#define LENO_SASS_MODULE_H

#include "base/err.h"
#include "base/space.h"
#include "frontend/sass/decode/decode.h"
#include "frontend/sass/load/cubin.h"
#include "frontend/sass/load/lines.h"

#define SASS_CODE_BASE 0x7f0000000000ull /* of the first module of a device */

/* Functions the program calls and the machine provides. */
enum sass_syscall {
    SYSCALL_VPRINTF,
    SYSCALL_MALLOC,
    SYSCALL_FREE,
    SYSCALL_ASSERTFAIL,
    /* What the device runtime (libcudadevrt) needs: launches by kernels, and queries. */
    SYSCALL_GET_PARAMETER_BUFFER,
    SYSCALL_LAUNCH_DEVICE,
    SYSCALL_GET_LAST_ERROR,
    SYSCALL_SET_LAST_ERROR,
    SYSCALL_STREAM_CREATE,
    SYSCALL_STREAM_DESTROY,
    SYSCALL_STREAM_WAIT_EVENT,
    SYSCALL_EVENT_CREATE,
    SYSCALL_EVENT_RECORD,
    SYSCALL_EVENT_DESTROY,
    SYSCALL_GET_DEVICE,
    SYSCALL_GET_DEVICE_COUNT,
    SYSCALL_DEVICE_GET_ATTRIBUTE,
    SYSCALL_GET_LIMIT,
    SYSCALL_GET_CACHE_CONFIG,
    SYSCALL_FUNC_GET_ATTRIBUTE,
    SYSCALL_MAX_ACTIVE_BLOCKS,
    SYSCALL_SET_CONDITIONAL,
    N_SYSCALL /* others of the vendor's: this and the number of their symbol in the cubin;
                 refused by name when they are called */
};
/* Address of syscall n, below SASS_CODE_BASE; calls to it are trapped. */
#define SASS_SYSCALL_BASE  0x7e0000000000ull
#define SASS_SYSCALL_SHIFT 8

static inline bool sass_is_syscall(uint64_t addr)
{
    return addr >= SASS_SYSCALL_BASE && addr < SASS_CODE_BASE;
}

static inline unsigned sass_syscall_number(uint64_t addr)
{
    return (unsigned)((addr - SASS_SYSCALL_BASE) >> SASS_SYSCALL_SHIFT);
}

struct sass_bank {
    uint8_t *data;
    uint32_t size;
};

struct sass_variable {
    const char *name;
    uint64_t addr; /* device address; for a constant, offset in bank 3 */
    uint64_t size;
    bool is_constant;
};

struct sass_kernel {
    const struct cubin_kernel *info;
    uint64_t entry;     /* absolute code address */
    uint64_t text_base; /* absolute address of its text section */
    uint64_t n_code;    /* instructions of that section */
    uint32_t n_regs;
    struct sass_bank bank[8]; /* 0 is a zeroed image of the right size: a template;
                                  3 and 4 are the module's, shared by its kernels */
};

struct sass_module {
    struct cubin cubin;
    struct sass_lines lines; /* of the source */
    uint8_t *image;          /* the module's own copy of the file, relocated */
    enum sass_arch arch;
    struct space *space;        /* device memory it lives in */
    uint64_t code_base;         /* of this module */
    uint64_t n_code;            /* instructions */
    struct sass_inst *code;     /* decoded; rows NULL where the word is not known */
    struct sass_spread *spread; /* scalars that it names; see spread.h */
    uint32_t n_regs;            /* one more than the highest register any of it names */
    uint32_t n_uregs;           /* the same of uniform registers */
    bool allocates;             /* it calls malloc(), or launches kernels itself */
    uint32_t n_bregs;           /* the same of barrier registers */
    bool reads_rpc;             /* any of it reads the return address register */
    uint64_t *section_addr; /* per section: code or device address, 0 = not placed */
    struct sass_bank bank3, bank4;
    uint32_t n_kernels;
    struct sass_kernel *kernels; /* parallel to cubin.kernels */
    uint32_t n_variables;
    struct sass_variable *variables;
    bool reads_window;  /* some of it reads the address of bank 3 */
    uint64_t constants; /* device copy of bank 3, 0 unless the code knows its address */
    /* A kernel whose code was rewritten elsewhere: where each instruction of its section is
     * now. Addresses in registers keep naming the old places. */
    const uint64_t *moved; /* NULL: none was */
    uint64_t moved_base, n_moved;
    uint64_t globals; /* device address of the module's allocation, 0 = none */
};

/* A cubin in memory; file names it in messages. */
struct sass_image {
    const char *file;
    const void *data;
    size_t size;
};

/* The image is copied. code_base is chosen by the caller, 128-byte aligned. */
int sass_module_load(struct sass_module *m, struct space *space, uint64_t code_base,
                     const struct sass_image *image, struct err *err);
void sass_module_free(struct sass_module *m);

/* The instruction at a code address of this module, NULL outside of it. */
static inline const struct sass_inst *sass_module_inst(const struct sass_module *m,
                                                       uint64_t pc)
{
    uint64_t n = (pc - m->code_base) / 16;

    return n < m->n_code && pc % 16 == 0 ? &m->code[n] : NULL;
}

/* Where the instruction that registers know by this address is. */
static inline uint64_t sass_module_moved(const struct sass_module *m, uint64_t pc)
{
    uint64_t n = (pc - m->moved_base) / 16;

    return m->moved && n < m->n_moved ? m->moved[n] : pc;
}

/* First code address after the module: where the next one may go. */
static inline uint64_t sass_module_end(const struct sass_module *m)
{
    return m->code_base + (m->n_code * 16 + 127) / 128 * 128;
}

const struct sass_kernel *sass_module_kernel(const struct sass_module *m,
                                             const char *name);
const struct sass_variable *sass_module_variable(const struct sass_module *m,
                                                 const char *name);

/* The name of a system function of the vendor's that is not in enum sass_syscall. */
const char *sass_syscall_name(const struct sass_module *m, unsigned number);

/* "kernel+0x120" for a code address: the nearest function symbol before it. */
void sass_module_place(const struct sass_module *m, uint64_t pc, char *text,
                       size_t size);

/* The function that a code address is in, and its place in it; NULL: none. */
const char *sass_module_function(const struct sass_module *m, uint64_t pc,
                                 uint64_t *offset);

/* The source line of a code address, and the name of its file; NULL: not known. */
const struct sass_line *sass_module_line(const struct sass_module *m, uint64_t pc,
                                         const char **file);

/* sass_module_place() and, where it is known, the source line: "kernel+0x120 (a.cu:12)" */
void sass_module_place_line(const struct sass_module *m, uint64_t pc, char *text,
                            size_t size);

#endif
