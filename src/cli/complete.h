/* complete.h - manual pages and completions for shells, made from the commands' tables. */
#ifndef LENO_CLI_COMPLETE_H
#define LENO_CLI_COMPLETE_H

#include "cli/cli.h"

enum help_form { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH };

/* command: the manual page of one command; NULL: of leno, or the completions of all. */
int help_put(FILE *out, enum help_form form, const char *command, struct err *err);

#endif
