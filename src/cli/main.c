/* main.c - leno: the first argument names a subcommand, which does the rest. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/pages.h"
#include "base/revision.h"
#include "cli/cli.h"

#define COMMAND(name) extern const struct command command_##name;
#include "commands.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands.def"
#undef COMMAND
    NULL
};

const struct command *command_at(size_t i)
{
    return commands[i];
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++) {
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    }
    return NULL;
}

static const char *next_command(const void *from, size_t i)
{
    (void)from;
    return commands[i] ? commands[i]->name : NULL;
}

static int run_subcommand(struct console *console, const struct command *c, int argc,
                          char **argv, struct err *err)
{
    void *values = calloc(1, c->values_size ? c->values_size : 1);
    struct operands operands;
    int failed;

    if (!values)
        return err_memory(err, "the options");
    if (c->defaults)
        memcpy(values, c->defaults, c->values_size);
    failed = options_parse(c, argc, argv, values, &operands, err);
    if (!failed && operands.wants_help)
        options_help(console->out, c);
    else if (!failed)
        failed = c->run(console, values, &operands, err);
    free(values);
    return failed;
}

static int unknown_command(const char *name)
{
    struct buf b = { 0 };

    suggest_word(&b, name, next_command, NULL);
    fprintf(stderr, "leno: no command '%s'%s; see leno --help\n", name, buf_text(&b));
    buf_free(&b);
    return ERR_INPUT;
}

int main(int argc, char **argv)
{
    struct console console = { stdout, stderr, isatty(STDERR_FILENO) };
    struct err err = { 0 };
    const struct command *c;
    int code = 0;

    pages_use_big();
    if (argc < 2) {
        commands_help(stderr);
        return ERR_INPUT;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("leno " LENO_VERSION ", revision %s\n", revision_text());
    } else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        commands_help(stdout);
    } else if (!(c = command_find(argv[1]))) {
        return unknown_command(argv[1]);
    } else if (run_subcommand(&console, c, argc - 2, argv + 2, &err)) {
        fflush(stdout); /* earlier output first */
        fprintf(stderr, "leno %s: %s\n", c->name, err.text);
        code = err.code ? err_exit(&err) : ERR_INPUT;
    }
    if (fflush(stdout) || ferror(stdout)) {
        fputs("leno: standard output could not be written\n", stderr);
        return ERR_INPUT;
    }
    interrupt_obey();
    return code;
}
