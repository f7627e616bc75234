/* names.c - lists of names for completions; see names.h. */
#include "cli/names.h"

#include <string.h>

#include "config/preset.h"
#include "report/paper.h"
#include "session/workloads.h"
#include "sim/machine.h"

static void add_name(struct buf *out, const char *name)
{
    buf_printf(out, "%s%s", out->len ? " " : "", name);
}

static void add_gpus(struct buf *out)
{
    for (size_t i = 0; preset_at(i); i++)
        add_name(out, preset_at(i)->name);
}

static void add_schemes(struct buf *out)
{
    for (size_t i = 0; scheme_at(i); i++)
        add_name(out, scheme_at(i)->name);
}

static void add_workloads(struct buf *out)
{
    for (size_t i = 0; workload_at(i); i++)
        add_name(out, workload_at(i)->name);
}

static void add_papers(struct buf *out)
{
    for (size_t i = 0; paper_at(i); i++)
        add_name(out, paper_at(i)->name);
    add_name(out, "all");
}

static void add_commands(struct buf *out)
{
    for (size_t i = 0; command_at(i); i++)
        add_name(out, command_at(i)->name);
}

void names_of_option(const struct option *o, struct buf *out)
{
    static const struct {
        const char *option;
        void (*add)(struct buf *out);
    } lists[] = { { "gpu", add_gpus },
                  { "scheme", add_schemes },
                  { "schemes", add_schemes } };

    for (size_t k = 0; o->kind == OPTION_CHOICE && o->choices[k]; k++)
        add_name(out, o->choices[k]);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!strcmp(o->name, lists[k].option))
            lists[k].add(out);
}

/* Words that the operands' text is made of: workloads|gpus|... */
static void add_words(const char *text, struct buf *out)
{
    for (; *text; text += *text == '|') {
        size_t n = strcspn(text, "|");

        buf_printf(out, "%s%.*s", out->len ? " " : "", (int)n, text);
        text += n;
    }
}

void names_of_operands(const struct command *c, struct buf *out)
{
    static const struct {
        const char *operand;
        void (*add)(struct buf *out);
    } lists[] = { { "PROGRAM", add_workloads },
                  { "WORKLOAD", add_workloads },
                  { "SCHEME", add_schemes },
                  { "PAPER", add_papers },
                  { "COMMAND", add_commands } };
    const char *text = c->operands ? c->operands : "";

    if (*text >= 'a' && *text <= 'z')
        add_words(text, out);
    text += *text == '[';
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!strncmp(text, lists[k].operand, strlen(lists[k].operand)))
            lists[k].add(out);
}
