/* suite.c - suite files: programs, one section each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "config/ini_text.h"
#include "session/program.h"

struct suite {
    struct program_list *list;
    const struct launch_choice *choice; /* where a program has none of its own */
    const char *file;
    size_t begin;  /* the suite's first program in the list */
    unsigned line; /* at which the last one begins */
};

static int text_value(struct suite *s, void *to, const struct ini_line *l,
                      struct err *err)
{
    char **text = to;

    if (*text)
        return err_set(err, "%s:%u: a second %s", s->file, l->number, l->name);
    *text = strdup(l->value);
    return *text ? 0 : err_memory(err, "a suite");
}

static int number_value(struct suite *s, void *to, const struct ini_line *l,
                        struct err *err)
{
    uint64_t *number = to;
    char *end;

    errno = 0;
    *number = strtoull(l->value, &end, 10);
    if (!strchr("123456789", *l->value) || *end || errno)
        return err_set(err, "%s:%u: %s = %s: expected 1 or more", s->file, l->number,
                       l->name, l->value);
    return 0;
}

static int range_value(struct suite *s, void *to, const struct ini_line *l,
                       struct err *err)
{
    if (!choice_read_range(to, l->value, err))
        return 0;
    return err_prefix(err, "%s:%u: %s", s->file, l->number, l->name);
}

static int command_value(struct suite *s, void *to, const struct ini_line *l,
                         struct err *err)
{
    char ***argv = to;

    if (*argv)
        return err_set(err, "%s:%u: a second %s", s->file, l->number, l->name);
    *argv = command_split(l->value, err);
    return *argv ? 0 : err_prefix(err, "%s:%u: command", s->file, l->number);
}

/* A path, from the folder of the suite file. */
static int folder_value(struct suite *s, void *to, const struct ini_line *l,
                        struct err *err)
{
    const char *slash = strrchr(s->file, '/');
    struct buf path = { 0 };
    struct ini_line from_here = *l;
    int failed;

    if (slash && *l->value != '/')
        buf_add(&path, s->file, (size_t)(slash - s->file) + 1);
    buf_puts(&path, l->value);
    from_here.value = buf_text(&path);
    failed = text_value(s, to, &from_here, err);
    buf_free(&path);
    return failed;
}

/* A workload, or a file from the folder of the suite file. */
static int program_value(struct suite *s, void *to, const struct ini_line *l,
                         struct err *err)
{
    return (strchr(l->value, '.') ? folder_value : text_value)(s, to, l, err);
}

static const struct key {
    const char *name;
    int (*read)(struct suite *s, void *to, const struct ini_line *l, struct err *err);
    size_t offset;
} keys[] = {
#define AT(field) offsetof(struct program, field)
    { "program", program_value, AT(source) },
    { "command", command_value, AT(argv) },
    { "folder", folder_value, AT(folder) },
    { "inputs", text_value, AT(inputs) },
    { "paper", text_value, AT(paper) },
    { "timeout", number_value, AT(timeout) },
    { "kernels", range_value, AT(choice) },
    { "match", text_value, AT(match) },
    { "every", number_value, AT(choice.every) },
    { "first", number_value, AT(choice.first_of_each) },
    { "cap-cycles", number_value, AT(choice.cap_cycles) },
    { "cap-insts", number_value, AT(choice.cap_insts) },
#undef AT
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static const char *key_name(const void *from, size_t i)
{
    (void)from;
    return i < N_KEYS ? keys[i].name : NULL;
}

/* Launches are chosen by the program's own keys or, if it has none, by the command line;
 * the same for caps, which also come before a sample. */
static void complete_choice(struct launch_choice *c, const struct launch_choice *given)
{
    struct launch_choice own = *c;

    if (choice_takes_all(&own))
        *c = *given;
    c->cap_cycles = choice_has_cap(&own) ? own.cap_cycles : given->cap_cycles;
    c->cap_insts = choice_has_cap(&own) ? own.cap_insts : given->cap_insts;
    c->sample = choice_has_cap(&own) ? 0 : given->sample;
}

/* "suites" of suites/rodinia.ini; NULL: the current folder. */
static char *file_folder(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *folder =
        slash ? strndup(file, slash > file ? (size_t)(slash - file) : 1) : NULL;

    if (slash && !folder)
        err_memory_exit("a suite");
    return folder;
}

/* Something that it says and only commands have; NULL: nothing. */
static const char *command_key(const struct program *p)
{
    if (p->folder)
        return "folder";
    if (p->inputs)
        return "inputs";
    return p->timeout ? "timeout" : NULL;
}

/* A program must say what it is once it is complete. */
static int finish_program(const struct suite *s, struct err *err)
{
    struct program *p;
    const char *key;

    if (s->list->n == s->begin)
        return 0;
    p = &s->list->at[s->list->n - 1];
    if (!p->argv == !p->source)
        return err_set(
            err, "%s:%u: [%s] has %s; expected one: command = ./bfs graph.txt", s->file,
            s->line, p->name,
            p->argv ? "a command and a program" : "neither a command nor a program");
    key = command_key(p);
    if (key && !p->argv)
        return err_set(err, "%s:%u: [%s]: %s is for commands", s->file, s->line,
                       p->name, key);
    if (p->argv && !p->folder)
        p->folder = file_folder(s->file);
    p->choice.match = p->match;
    complete_choice(&p->choice, s->choice);
    return 0;
}

static int begin_program(struct suite *s, const struct ini_line *l, struct err *err)
{
    if (finish_program(s, err))
        return -1;
    for (size_t i = s->begin; i < s->list->n; i++) {
        if (!strcmp(s->list->at[i].name, l->section))
            return err_set(err, "%s:%u: a second [%s]", s->file, l->number, l->section);
    }
    program_list_add(s->list, l->section);
    free(s->list->at[s->list->n - 1].source);
    s->list->at[s->list->n - 1].source = NULL;
    s->line = l->number;
    return 0;
}

static bool is_in_last(const struct suite *s, const char *section)
{
    const struct program_list *l = s->list;

    return l->n > s->begin && !strcmp(l->at[l->n - 1].name, section);
}

static int take_line(void *to, const struct ini_line *l, struct err *err)
{
    struct suite *s = to;

    if (!*l->section)
        return err_set(err, "%s:%u: '%s' before the first [NAME] of a program", s->file,
                       l->number, l->name);
    if (!is_in_last(s, l->section) && begin_program(s, l, err))
        return -1;
    for (size_t i = 0; i < N_KEYS; i++) {
        if (!strcmp(keys[i].name, l->name))
            return keys[i].read(
                s, (char *)&s->list->at[s->list->n - 1] + keys[i].offset, l, err);
    }
    return ini_refuse_name(s->file, l, key_name, "", err);
}

int suite_read(struct program_list *l, const char *file, const char *text, size_t size,
               const struct launch_choice *choice, struct err *err)
{
    struct suite s = { .list = l, .choice = choice, .file = file, .begin = l->n };
    struct ini_text ini = { .name = file,
                            .text = text,
                            .size = size,
                            .take = take_line,
                            .to = &s,
                            .refuses_empty = true };

    if (ini_text_read(&ini, err) || finish_program(&s, err))
        return -1;
    return l->n > s.begin ? 0 : err_set(err, "%s: no program; expected [NAME]", file);
}
