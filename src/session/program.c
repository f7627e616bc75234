/* program.c - lists of programs. */
#include "session/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_SUITE = 1 << 20 };

static char *copy_text(const char *text)
{
    char *copy = text ? strdup(text) : NULL;

    if (text && !copy)
        err_memory_exit("the programs");
    return copy;
}

/* A new program at the end; valid until the next one. */
static struct program *append_program(struct program_list *l)
{
    struct program *p = realloc(l->at, (l->n + 1) * sizeof *p);

    if (!p)
        err_memory_exit("the programs");
    l->at = p;
    p += l->n++;
    *p = (struct program){ 0 };
    return p;
}

void program_list_add(struct program_list *l, const char *name)
{
    struct program *p = append_program(l);

    p->name = copy_text(name);
    p->source = copy_text(name);
}

/* A command is named after its program's file. */
static void add_command(struct program_list *l, char *const *argv)
{
    const char *slash = strrchr(argv[0], '/');
    struct program *p = append_program(l);
    size_t n = 0;

    p->name = copy_text(slash ? slash + 1 : argv[0]);
    while (argv[n])
        n++;
    p->argv = calloc(n + 1, sizeof *p->argv);
    if (!p->argv)
        err_memory_exit("a command");
    for (size_t i = 0; i < n; i++)
        p->argv[i] = copy_text(argv[i]);
}

static int add_suite(struct program_list *l, const struct program_request *from,
                     struct err *err)
{
    struct file file;
    int failed;

    if (file_read(from->suite, MAX_SUITE, &file, err))
        return err_prefix(err, "--suite");
    failed = suite_read(l, from->suite, (const char *)file.data, file.size,
                        &from->choice, err);
    file_free(&file);
    return failed;
}

int program_list_read(struct program_list *l, const struct program_request *from,
                      struct err *err)
{
    for (size_t i = 0; i < from->n_named; i++)
        program_list_add(l, from->named[i]);
    if (from->command)
        add_command(l, from->command);
    for (size_t i = 0; i < l->n; i++)
        l->at[i].choice = from->choice;
    return from->suite ? add_suite(l, from, err) : 0;
}

void command_free(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

void program_list_free(struct program_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        struct program *p = &l->at[i];

        free(p->name);
        free(p->source);
        free(p->why);
        command_free(p->argv);
        free(p->folder);
        free(p->inputs);
        free(p->match);
    }
    free(l->at);
    *l = (struct program_list){ 0 };
}
