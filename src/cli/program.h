/* program.h - programs for Vortex: an ELF file or a .vxbin, run without timing, or
 * listed. */
#ifndef LENO_CLI_PROGRAM_H
#define LENO_CLI_PROGRAM_H

#include "cli/cli.h"

struct program_options {
    const char *gpu;    /* vortex-WxT or vortex-WxTxC; NULL: vortex-4x4 */
    uint64_t max_insts; /* warp instructions; 0: no limit */
    bool json;
};

/* Whether an operand names a program rather than a workload: by its ending, because
 * there is such a file and it is one, or because it is a path. */
bool program_is_one(const char *operand);
bool program_is_riscv(
    const char *operand); /* the same, paths to other things excepted */

/* Its code as text, an instruction a line behind its address. */
int program_list(struct cli *cli, const char *path, bool hex, struct err *err);

/* Runs it, its console to cli->out; ERR_WRONG if its status is not 0. */
int program_run(struct cli *cli, const char *path, const struct program_options *o,
                struct err *err);

#endif
