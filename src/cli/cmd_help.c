/* cmd_help.c - leno help: all commands, or one. */
#include "cli/cli.h"

static const char *next_command(const void *from, size_t i)
{
    const struct command *c = command_at(i);

    (void)from;
    return c ? c->name : NULL;
}

static int help_run(struct console *console, const void *values,
                    const struct operands *ops, struct err *err)
{
    struct buf b = { 0 };

    (void)values;
    if (!ops->n) {
        commands_help(console->out);
        return 0;
    }
    for (int i = 0; i < ops->n; i++) {
        const struct command *c = command_find(ops->at[i]);

        if (!c) {
            suggest_word(&b, ops->at[i], next_command, NULL);
            err_set(err, "no command '%s'%s", ops->at[i], buf_text(&b));
            buf_free(&b);
            return -1;
        }
        options_help(console->out, c);
    }
    return 0;
}

const struct command command_help = {
    .name = "help",
    .summary = "explain the commands and their options",
    .operands = "[COMMAND...]",
    .examples = "  leno help\n"
                "  leno help emu\n",
    .run = help_run,
};
