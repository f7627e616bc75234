/* vortex_program.h - programs for Vortex: an ELF file or a .vxbin, run without timing, or
 * listed. */
#ifndef LENO_SESSION_VORTEX_PROGRAM_H
#define LENO_SESSION_VORTEX_PROGRAM_H

#include "base/text_list.h"
#include "frontend/riscv/riscv.h"
#include "session/console.h"

/* Inputs that a host would give to a program. */
struct vortex_program_inputs {
    const char *args;      /* file of its arguments; NULL: none */
    struct text_list load; /* ADDRESS=FILE each: more contents of memory */
};

struct vortex_program_options {
    const char *gpu;    /* vortex-WxT or vortex-WxTxC; NULL: vortex-4x4 */
    uint64_t max_insts; /* warp instructions; 0: no limit */
    struct vortex_program_inputs inputs;
};

/* Whether an operand names a program rather than a workload: by its ending, because
 * there is such a file and it is one, or because it is a path. */
bool vortex_program_is_file(const char *operand);
bool vortex_program_is_riscv(
    const char *operand); /* the same, except for paths to other files */

/* A program and its inputs in a memory of their own, which the caller frees: fills in
 * memory, start, tohost and arguments. The arguments end at 0x80000000, where programs
 * begin. */
int vortex_program_load(const char *path, const struct vortex_program_inputs *in,
                        struct riscv_launch *l, struct err *err);

/* Prints a line of a program's console (to is a FILE) as Vortex's own simulators show it:
 * the number of the stream, then the line. */
void vortex_program_print(void *to, unsigned stream, const char *text, size_t n);

/* Prints its code, one instruction per line, after its address. */
int vortex_program_list(struct console *console, const char *path, bool hex,
                        struct err *err);

/* One run of a program without timing. */
struct vortex_program_run {
    const char *path;
    const struct vortex_program_options *options;
    struct watch *watch; /* may be NULL */

    /* Filled in by the run. */
    bool has_ended; /* by itself, with a status */
    struct riscv_result result;
    double seconds; /* of the host */
    struct err err; /* ERR_WRONG if its status is not 0 */
};

/* Runs it, its console to a file; 0 or -1 as err says. */
int vortex_program_run(struct vortex_program_run *r, FILE *console);
/* The name of the GPU that it ran on. */
const char *vortex_program_gpu(const struct vortex_program_run *r);

#endif
