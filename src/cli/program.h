/* program.h - leno emu on a program for Vortex: an ELF file or a .vxbin. */
#ifndef LENO_CLI_PROGRAM_H
#define LENO_CLI_PROGRAM_H

#include "cli/cli.h"

struct program_options {
    const char *gpu;    /* vortex-WxT or vortex-WxTxC; NULL: vortex-4x4 */
    uint64_t max_insts; /* warp instructions; 0: no limit */
    bool json;
};

/* Whether an operand names a program rather than a workload: by its ending, or because
 * it is a path. */
bool program_is_one(const char *operand);

/* Runs it, its console to cli->out; ERR_WRONG if its status is not 0. */
int program_run(struct cli *cli, const char *path, const struct program_options *o,
                struct err *err);

#endif
