/* command_split.c - a command line as words. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "session/program.h"

/* Adds the next word to out and moves *at past it. -1: a quote is not closed. */
static int read_word(const char **at, struct buf *out, struct err *err)
{
    char quote = '\0';

    for (; **at && (quote || !strchr(" \t", **at)); ++*at) {
        char c = **at;

        if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? '\0' : c;
        else if (c == '\\' && quote != '\'' && (*at)[1])
            buf_putc(out, *++*at);
        else
            buf_putc(out, c);
    }
    return quote ? err_set(err, "expected another %c to close the first", quote) : 0;
}

static void append_word(char ***argv, size_t n, const char *word)
{
    char **grown = realloc(*argv, (n + 2) * sizeof *grown);

    if (!grown || !(grown[n] = strdup(word)))
        err_memory_exit("a command");
    grown[n + 1] = NULL;
    *argv = grown;
}

char **command_split(const char *text, struct err *err)
{
    char **argv = NULL;
    size_t n = 0;

    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        struct buf word = { 0 };
        int failed = read_word(&text, &word, err);

        if (!failed)
            append_word(&argv, n++, buf_text(&word));
        buf_free(&word);
        if (failed) {
            command_free(argv);
            return NULL;
        }
    }
    if (n && **argv)
        return argv;
    command_free(argv);
    err_set(err, "expected a program and its arguments");
    return NULL;
}
