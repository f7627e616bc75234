/* cli.h - subcommands: their tables of options, and how they are run.
 *
 * Each subcommand is one file, cmd_NAME.c, that defines command_NAME; the makefile
 * makes the list of them. Its options are a table, from which come parsing, --help
 * and the suggestion after a misspelling. A command writes results to out and
 * messages to log, and returns 0 or -1 with err set, whose code is the exit status.
 */
#ifndef LENO_CLI_CLI_H
#define LENO_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/suggest.h"
#include "base/text_list.h"
#include "session/console.h"

enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char *, NULL if not given */
    OPTION_MAYBE,  /* the same, "" without a value, which follows "=" */
    OPTION_NUMBER, /* uint64_t */
    OPTION_COUNT,  /* uint64_t, at least 1; 0: not given */
    OPTION_CHOICE, /* int: index into choices */
    OPTION_LIST    /* struct text_list: may be given many times */
};

struct option {
    const char *name; /* without the dashes */
    enum option_kind kind;
    const char *argument;       /* what stands for the value in --help */
    const char *help;           /* ends with the default, if there is one */
    size_t offset;              /* of the value in the command's values */
    const char *const *choices; /* OPTION_CHOICE: ends with NULL */
};

struct operands {
    char **at;
    int n;
    int n_named;     /* of these, before "--"; what follows is a command line */
    bool wants_help; /* --help was given: the rest does not matter */
};

struct command {
    const char *name;
    const char *summary;  /* one line */
    const char *operands; /* "[WORKLOAD...]"; NULL: it takes none */
    const char *details;  /* lines for --help, or NULL */
    const char *examples; /* command lines for --help */
    const struct option *options;
    size_t n_options;
    size_t values_size;   /* of the struct that holds the options' values */
    const void *defaults; /* such a struct; NULL: all zero */
    int (*run)(struct console *console, const void *values,
               const struct operands *operands, struct err *err);
};

/* The members of command_ID that follow from its name: its file defines struct ID_values,
 * the table options and ID_command(). */
#define COMMAND_NAMED(id)                                                           \
    .name = #id, .options = options, .n_options = sizeof options / sizeof *options, \
    .values_size = sizeof(struct id##_values), .run = id##_command

/* All commands, sorted by name; NULL after the last. */
const struct command *command_at(size_t i);
const struct command *command_find(const char *name);

/* Parses argv[0..argc) in place; operands are moved to its front. */
int options_parse(const struct command *c, int argc, char **argv, void *values,
                  struct operands *operands, struct err *err);
/* The options that are not as by default, each after a space, as a shell reads them; without:
 * names of those to leave out, NULL after the last. The command has defaults. */
void options_put(const struct command *c, const void *values,
                 const char *const *without, struct buf *out);
/* " -- " and the command after it, which comes last; nothing if there is none. */
void operands_put_command(const struct operands *ops, struct buf *out);
void options_help(FILE *out, const struct command *c);
void commands_help(FILE *out);

#endif
