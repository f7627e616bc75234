/* program.h - programs for Vortex: an ELF file or a .vxbin, run without timing, or
 * listed. */
#ifndef LENO_CLI_PROGRAM_H
#define LENO_CLI_PROGRAM_H

#include "cli/cli.h"

/* What a host would hand to a program. */
struct program_inputs {
    const char *args;      /* file of its arguments; NULL: none */
    struct text_list load; /* ADDRESS=FILE each: what memory holds beside */
};

struct program_options {
    const char *gpu;    /* vortex-WxT or vortex-WxTxC; NULL: vortex-4x4 */
    uint64_t max_insts; /* warp instructions; 0: no limit */
    bool json;
    struct program_inputs inputs;
};

/* Whether an operand names a program rather than a workload: by its ending, because
 * there is such a file and it is one, or because it is a path. */
bool program_is_one(const char *operand);
bool program_is_riscv(
    const char *operand); /* the same, paths to other things excepted */

/* A program and its inputs in a memory of their own, which the caller frees: fills in
 * memory, start, tohost and arguments. The arguments end at 0x80000000, where programs
 * begin. */
struct riscv_launch;
int program_load(const char *path, const struct program_inputs *in,
                 struct riscv_launch *l, struct err *err);

/* Its code as text, an instruction a line behind its address. */
int program_list(struct cli *cli, const char *path, bool hex, struct err *err);

/* Runs it, its console to cli->out; ERR_WRONG if its status is not 0. */
int program_run(struct cli *cli, const char *path, const struct program_options *o,
                struct err *err);

#endif
