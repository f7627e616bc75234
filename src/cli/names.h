/* names.h - what shells offer for an option's value or an operand, beside files. */
#ifndef LENO_CLI_NAMES_H
#define LENO_CLI_NAMES_H

#include "cli/cli.h"

/* Appends names with a space between them; none: nothing is appended. A choice's values, or
 * the GPUs or schemes that there are. */
void names_of_option(const struct option *o, struct buf *out);
/* By what the command says that it takes: workloads, schemes, papers, commands or words. */
void names_of_operands(const struct command *c, struct buf *out);

#endif
