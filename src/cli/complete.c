/* complete.c - manual pages and completions; see complete.h. */
#include "cli/complete.h"

#include <string.h>

#include "base/revision.h"
#include "cli/names.h"

/* Text of a manual page: no line begins with a control character, dashes are minus signs. */
static void put_roff(FILE *out, const char *text)
{
    bool begins = true;

    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        begins = *text == '\n';
    }
}

static void put_argument(FILE *out, const struct option *o)
{
    if (o->kind == OPTION_CHOICE)
        for (int i = 0; o->choices[i]; i++)
            fprintf(out, "%s%s", i ? "|" : "", o->choices[i]);
    else if (o->argument)
        fputs(o->argument, out);
}

static void put_man_options(FILE *out, const struct command *c)
{
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < c->n_options; i++) {
        const struct option *o = &c->options[i];

        fputs(".TP\n.B \\-\\-", out);
        put_roff(out, o->name);
        if (o->kind != OPTION_FLAG) {
            fputs(" \\fI", out);
            put_argument(out, o);
            fputs("\\fR", out);
        }
        fputc('\n', out);
        put_roff(out, o->help);
        fputc('\n', out);
    }
    fputs(".TP\n.B \\-\\-help\nprint a summary\n", out);
}

static void put_man_command(FILE *out, const struct command *c)
{
    fprintf(out, ".TH LENO-%s 1 \"\" \"Leno " LENO_VERSION "\"\n.SH NAME\nleno-%s \\- ",
            c->name, c->name);
    put_roff(out, c->summary);
    fprintf(out, "\n.SH SYNOPSIS\n.B leno %s\n", c->name);
    put_roff(out, c->operands ? c->operands : "");
    fputs(" [options]\n", out);
    if (c->details) {
        fputs(".SH DESCRIPTION\n", out);
        put_roff(out, c->details);
    }
    put_man_options(out, c);
    fputs(".SH EXAMPLES\n.nf\n", out);
    put_roff(out, c->examples);
    fputs(".fi\n.SH SEE ALSO\n.BR leno (1)\n", out);
}

static void put_man_all(FILE *out)
{
    const struct command *c;

    fputs(".TH LENO 1 \"\" \"Leno " LENO_VERSION "\"\n.SH NAME\n"
          "leno \\- runs the machine code of GPU programs without a GPU\n"
          ".SH SYNOPSIS\n.B leno\nCOMMAND [options]\n.SH COMMANDS\n",
          out);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(out, ".TP\n.BR leno-%s (1)\n", c->name);
        put_roff(out, c->summary);
        fputc('\n', out);
    }
    fputs(
        ".SH ENVIRONMENT\n.TP\n.B LENO_WORKLOADS\nfolder of the workloads' cubins\n"
        ".TP\n.B LENO_LIBRARIES\nfolder of the libraries behind leno exec\n"
        ".SH EXIT STATUS\n0 done, 1 usage or bad input, 2 unsupported instruction, 3 wrong "
        "result,\n4 deadlock, 5 limit reached or out of memory, 6 the program itself "
        "failed.\n",
        out);
}

/* Options and what they take, as words of a shell. */
static void put_bash_command(FILE *out, const struct command *c)
{
    struct buf names = { 0 };

    fprintf(out, "    %s)\n        case $before in\n", c->name);
    for (size_t i = 0; i < c->n_options; i++) {
        names.len = 0;
        names_of_option(&c->options[i], &names);
        if (names.len)
            fprintf(out, "        --%s) words=\"%s\" ;;\n", c->options[i].name,
                    buf_text(&names));
    }
    fputs("        *) words=\"--help", out);
    for (size_t i = 0; i < c->n_options; i++)
        fprintf(out, " --%s", c->options[i].name);
    names.len = 0;
    names_of_operands(c, &names);
    fprintf(out, "%s%s\" ;;\n        esac ;;\n", names.len ? " " : "",
            names.len ? buf_text(&names) : "");
    buf_free(&names);
}

static void put_bash(FILE *out)
{
    const struct command *c;

    fputs("# Completions of leno for bash; made by leno help --as bash.\n"
          "_leno() {\n    local word=${COMP_WORDS[COMP_CWORD]} before= words=\n"
          "    [ \"$COMP_CWORD\" -gt 1 ] && before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words=\"--help --version",
          out);
    for (size_t i = 0; (c = command_at(i)); i++)
        fprintf(out, " %s", c->name);
    fputs("\"\n    else\n    case ${COMP_WORDS[1]} in\n", out);
    for (size_t i = 0; (c = command_at(i)); i++)
        put_bash_command(out, c);
    fputs("    esac\n    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "}\ncomplete -o default -F _leno leno\n",
          out);
}

/* Within '...' of zsh and fish; zsh's specifications have brackets and colons of their
 * own. */
static void put_quoted(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
}

/* What follows an option or stands alone: one of the words, or also a file. */
static void put_zsh_value(FILE *out, const struct buf *names, bool is_file)
{
    const char *words = names->len ? buf_text(names) : "";

    if (names->len && !is_file)
        fprintf(out, "(%s)", words);
    else if (names->len)
        fprintf(out, "{compadd -- %s; _files}", words);
    else
        fputs("_files", out);
}

static void put_zsh_command(FILE *out, const struct command *c)
{
    struct buf names = { 0 };

    fprintf(out, "    %s) _arguments '--help[print a summary]'", c->name);
    for (size_t i = 0; i < c->n_options; i++) {
        const struct option *o = &c->options[i];

        fprintf(out, " \\\n        '--%s[", o->name);
        put_quoted(out, o->help);
        fputc(']', out);
        if (o->kind != OPTION_FLAG) {
            names.len = 0;
            names_of_option(o, &names);
            fputs(":value:", out);
            put_zsh_value(out, &names, o->kind != OPTION_CHOICE);
        }
        fputc('\'', out);
    }
    names.len = 0;
    names_of_operands(c, &names);
    fputs(" '*:file:", out);
    put_zsh_value(out, &names, true);
    fputs("' ;;\n", out);
    buf_free(&names);
}

static void put_zsh(FILE *out)
{
    const struct command *c;

    fputs("#compdef leno\n# made by leno help --as zsh\n_leno() {\n"
          "    if (( CURRENT == 2 )); then\n        local -a commands=(\n",
          out);
    for (size_t i = 0; (c = command_at(i)); i++) {
        fprintf(out, "            '%s:", c->name);
        put_quoted(out, c->summary);
        fputs("'\n", out);
    }
    fputs("        )\n        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (size_t i = 0; (c = command_at(i)); i++)
        put_zsh_command(out, c);
    fputs("    esac\n}\n_leno \"$@\"\n", out);
}

static void put_fish_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* Begins a line about what follows a command. */
static void put_fish_line(FILE *out, const struct command *c)
{
    fprintf(out, "complete -c leno -n '__fish_seen_subcommand_from %s'", c->name);
}

static void put_fish_names(FILE *out, const struct buf *names)
{
    if (names->len)
        fprintf(out, " -a '%s'", buf_text(names));
}

static void put_fish_command(FILE *out, const struct command *c)
{
    struct buf names = { 0 };

    fprintf(out, "complete -c leno -n __fish_use_subcommand -f -a %s -d '", c->name);
    put_fish_text(out, c->summary);
    fputs("'\n", out);
    for (size_t i = 0; i < c->n_options; i++) {
        const struct option *o = &c->options[i];

        put_fish_line(out, c);
        fprintf(out, " -l %s", o->name);
        if (o->kind != OPTION_FLAG)
            fputs(o->kind == OPTION_CHOICE ? " -x" : " -r", out);
        names.len = 0;
        names_of_option(o, &names);
        put_fish_names(out, &names);
        fputs(" -d '", out);
        put_fish_text(out, o->help);
        fputs("'\n", out);
    }
    names.len = 0;
    names_of_operands(c, &names);
    if (names.len) {
        put_fish_line(out, c);
        put_fish_names(out, &names);
        fputc('\n', out);
    }
    buf_free(&names);
}

static void put_fish(FILE *out)
{
    const struct command *c;

    fputs("# Completions of leno for fish; made by leno help --as fish.\n", out);
    for (size_t i = 0; (c = command_at(i)); i++)
        put_fish_command(out, c);
}

int help_put(FILE *out, enum help_form form, const char *command, struct err *err)
{
    const struct command *c = command ? command_find(command) : NULL;

    if (command && !c)
        return err_set(err, "no command '%s'; see leno --help", command);
    if (form == HELP_BASH)
        put_bash(out);
    else if (form == HELP_ZSH)
        put_zsh(out);
    else if (form == HELP_FISH)
        put_fish(out);
    else if (c)
        put_man_command(out, c);
    else
        put_man_all(out);
    return 0;
}
