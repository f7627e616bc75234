/* cmd_help.c - leno help: all commands, or one. */
#include "cli/complete.h"

static const char *next_command(const void *from, size_t i)
{
    const struct command *c = command_at(i);

    (void)from;
    return c ? c->name : NULL;
}

struct help_values {
    int as;
};

/* In the order of enum help_form. */
static const char *const forms[] = { "text", "man", "bash", "zsh", "fish", NULL };

#define AT(field) offsetof(struct help_values, field)
static const struct option options[] = {
    { "as", OPTION_CHOICE, NULL,
      "a manual page, or a shell's completions (default: text)", AT(as), forms },
};

static int help_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct help_values *v = values;
    struct buf b = { 0 };

    if (v->as != HELP_TEXT) {
        if (ops->n > (v->as == HELP_MAN))
            return err_set(err, "--as %s: expected %s", forms[v->as],
                           v->as == HELP_MAN ? "at most one command" : "no command");
        return help_put(console->out, (enum help_form)v->as, ops->n ? ops->at[0] : NULL,
                        err);
    }
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
    COMMAND_NAMED(help),
    .summary = "explain the commands and their options",
    .operands = "[COMMAND...]",
    .examples = "  leno help\n"
                "  leno help emu\n"
                "  leno help --as man run | man -l -\n"
                "  leno help --as bash > leno.bash\n",
};
