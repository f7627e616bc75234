/* program.c - lists of programs. */
#include "session/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "session/recording.h"
#include "session/vortex_program.h"
#include "session/workloads.h"

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

/* "NAME=PROGRAM" */
static int add_as(struct program_list *l, const char *text, struct err *err)
{
    const char *equals = strchr(text, '='), *what = equals ? equals + 1 : "";
    struct program *p;

    if (!*what || equals == text)
        return err_set(err,
                       "'%s': expected NAME=PROGRAM, as in BFS=bfs.leno or "
                       "BFS=\"./bfs graph.txt\"",
                       text);
    p = append_program(l);
    p->name = strndup(text, (size_t)(equals - text));
    if (!p->name)
        err_memory_exit("the programs");
    p->paper = copy_text(p->name);
    if (recording_is_file(what) || workload_find(what, NULL) ||
        vortex_program_is_riscv(what))
        p->source = copy_text(what);
    else
        p->argv = command_split(what, err);
    return p->source || p->argv ? 0 : err_prefix(err, "--program %s", p->name);
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
    for (size_t i = 0; i < from->as.n; i++)
        if (add_as(l, from->as.at[i], err))
            return -1;
    for (size_t i = 0; i < l->n; i++)
        l->at[i].choice = from->choice;
    return from->suite ? add_suite(l, from, err) : 0;
}

static bool is_by_name(const struct program *p)
{
    return p->source && !recording_is_file(p->source) &&
           !vortex_program_is_file(p->source);
}

int programs_folder(const struct program *p, size_t n, const char *given,
                    struct buf *folder, struct err *err)
{
    bool is_needed = given;

    for (size_t i = 0; i < n; i++)
        is_needed |= is_by_name(&p[i]);
    return is_needed ? workload_folder(given, folder, err) : 0;
}

void command_free(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

void program_free(struct program *p)
{
    free(p->name);
    free(p->paper);
    free(p->source);
    free(p->why);
    command_free(p->argv);
    free(p->folder);
    free(p->inputs);
    free(p->match);
}

void program_list_free(struct program_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        program_free(&l->at[i]);
    free(l->at);
    *l = (struct program_list){ 0 };
}
