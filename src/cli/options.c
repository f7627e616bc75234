/* options.c - command lines, from tables: parsing and --help. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_rows.h"
#include "session/sample.h"

#define ARCHS "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"
const char *const option_sizes[] = { "tiny", "small", "paper", NULL };
const char *const option_archs[] = { ARCHS, NULL };
const char *const option_archs_gpu[] = { ARCHS, "gpu", NULL };
const char *const option_archs_all[] = { ARCHS, "all", NULL };
#undef ARCHS

static const char *next_option(const void *from, size_t i)
{
    const struct command *c = from;

    if (i == c->n_options)
        return "help";
    return i < c->n_options ? c->options[i].name : NULL;
}

static const struct option *find_option(const struct command *c, const char *name,
                                        size_t n)
{
    for (size_t i = 0; i < c->n_options; i++) {
        if (strlen(c->options[i].name) == n && !memcmp(c->options[i].name, name, n))
            return &c->options[i];
    }
    return NULL;
}

static int set_number(void *to, const struct option *o, const char *text,
                      struct err *err)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 0);
    if (errno || end == text || *end || *text == '-')
        return err_set(err, "--%s %s: expected a number", o->name, text);
    if (!value && o->kind == OPTION_COUNT)
        return err_set(err,
                       "--%s 0: expected 1 or more; leave the option out for the "
                       "default",
                       o->name);
    *(uint64_t *)to = value;
    return 0;
}

static void put_choices(struct buf *b, const struct option *o)
{
    for (int i = 0; o->choices[i]; i++)
        buf_printf(b, "%s%s", i ? "|" : "", o->choices[i]);
}

static int set_choice(void *to, const struct option *o, const char *text,
                      struct err *err)
{
    struct buf b = { 0 };

    for (int i = 0; o->choices[i]; i++) {
        if (!strcmp(o->choices[i], text)) {
            *(int *)to = i;
            return 0;
        }
    }
    buf_printf(&b, "--%s %s: expected ", o->name, text);
    put_choices(&b, o);
    suggest_word(&b, text, suggest_from_list, o->choices);
    err_set(err, "%s", buf_text(&b));
    buf_free(&b);
    return -1;
}

static int add_text(struct text_list *list, const struct option *o, const char *text,
                    struct err *err)
{
    if (list->n == sizeof list->at / sizeof *list->at)
        return err_set(err, "--%s: given more than %zu times", o->name, list->n);
    list->at[list->n++] = text;
    return 0;
}

static int set_value(void *values, const struct option *o, const char *text,
                     struct err *err)
{
    void *to = (char *)values + o->offset;

    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)to = true;
        return 0;
    case OPTION_TEXT:
    case OPTION_MAYBE:
        *(const char **)to = text;
        return 0;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        return set_number(to, o, text, err);
    case OPTION_CHOICE:
        return set_choice(to, o, text, err);
    case OPTION_LIST:
        return add_text(to, o, text, err);
    }
    return -1;
}

static int no_value(const struct option *o, struct err *err)
{
    struct buf b = { 0 };

    if (o->kind == OPTION_CHOICE)
        put_choices(&b, o);
    else
        buf_puts(&b, o->argument);
    err_set(err, "--%s: expected %s after it", o->name, buf_text(&b));
    buf_free(&b);
    return -1;
}

static int unknown_option(const struct command *c, const char *arg, const char *name,
                          struct err *err)
{
    struct buf b = { 0 };
    char bare[64];

    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, "="), name);
    buf_printf(&b, "no option %s", arg);
    suggest_word(&b, bare, next_option, c);
    buf_printf(&b, "; see leno %s --help", c->name);
    err_set(err, "%s", buf_text(&b));
    buf_free(&b);
    return -1;
}

/* One option; *i is moved on if its value is the next argument. */
static int parse_option(const struct command *c, int argc, char **argv, int *i,
                        void *values, struct err *err)
{
    const char *arg = argv[*i], *name = arg + 2, *equals;
    const struct option *o;

    if (!strcmp(arg, "-o")) /* the only short form, since everybody types it */
        name = find_option(c, "output", 6) ? "output" : "out";
    else if (arg[1] != '-')
        return unknown_option(c, arg, arg + 1, err);
    equals = strchr(name, '=');
    o = find_option(c, name, equals ? (size_t)(equals - name) : strlen(name));
    if (!o)
        return unknown_option(c, arg, name, err);
    if (o->kind == OPTION_FLAG) {
        if (equals)
            return err_set(err, "--%s takes no value", o->name);
        return set_value(values, o, NULL, err);
    }
    if (equals)
        return set_value(values, o, equals + 1, err);
    if (o->kind == OPTION_MAYBE)
        return set_value(values, o, "", err);
    if (*i + 1 >= argc)
        return no_value(o, err);
    return set_value(values, o, argv[++*i], err);
}

int options_parse(const struct command *c, int argc, char **argv, void *values,
                  struct operands *operands, struct err *err)
{
    bool are_over = false;

    *operands = (struct operands){ .at = argv };
    for (int i = 0; i < argc; i++) {
        char *arg = argv[i];

        if (are_over || arg[0] != '-' || !arg[1]) {
            if (!c->operands)
                return err_set(err, "'%s': leno %s takes options only", arg, c->name);
            operands->n_named += !are_over;
            argv[operands->n++] = arg;
        } else if (!strcmp(arg, "--")) {
            are_over = true;
        } else if (!strcmp(arg, "--help") || !strcmp(arg, "-h")) {
            operands->wants_help = true;
            return 0;
        } else if (parse_option(c, argc, argv, &i, values, err)) {
            return -1;
        }
    }
    return 0;
}

int options_check_format(bool json, bool csv, struct err *err)
{
    return json && csv ? err_set(err, "--json and --csv cannot be combined") : 0;
}

int options_shard(struct shard *shard, const char *text, bool prints, struct err *err)
{
    if (text && prints)
        return err_set(err,
                       "--shard writes results to a file; expected no --json, --csv "
                       "or --report with it");
    return text ? shard_read(shard, text, err) : 0;
}

int options_choice(struct launch_choice *c, const struct program_values *v,
                   struct err *err)
{
    *c = (struct launch_choice){ .match = v->match,
                                 .every = v->every,
                                 .first_of_each = v->first,
                                 .cap_cycles = v->cap_cycles,
                                 .cap_insts = v->cap_insts };
    if (sample_read_goal(v->sample, v->sample_goal, &c->sample, err))
        return -1;
    if (c->sample && choice_has_cap(c))
        return err_set(err,
                       "--sample and --cap-%s cannot be combined: capped launches "
                       "say nothing about whole ones",
                       c->cap_cycles ? "cycles" : "insts");
    return 0;
}

int options_refuse_cap(const struct program_values *v, const char *why, struct err *err)
{
    if (v->sample)
        return err_set(err, "--sample: %s", why);
    if (!v->cap_cycles && !v->cap_insts)
        return 0;
    return err_set(err, "--cap-%s: %s, so there is nothing to cap",
                   v->cap_cycles ? "cycles" : "insts", why);
}

int options_programs(struct prepare_job *job, const struct program_values *v,
                     const struct operands *ops, struct err *err)
{
    struct program_request *r = &job->request;

    r->named = (const char *const *)ops->at;
    r->n_named = (size_t)ops->n_named;
    r->suite = v->suite;
    ops->at[ops->n] = NULL;
    r->command = ops->n > ops->n_named ? ops->at + ops->n_named : NULL;
    if (options_choice(&r->choice, v, err))
        return -1;
    job->libraries = v->libraries;
    if (v->kernels && choice_read_range(&r->choice, v->kernels, err))
        return err_prefix(err, "--kernels");
    return 0;
}

bool options_are_one(const struct program_values *v, const struct operands *ops)
{
    int commands = ops->n > ops->n_named;

    return !v->suite && ops->n_named + commands == 1;
}

int options_check_all(const struct prepare_job *job, struct err *err)
{
    const struct program_request *r = &job->request;

    if (job->all && (r->n_named || r->command || r->suite))
        return err_set(err, "--all is for every workload; expected it or programs");
    return 0;
}

/* " --name value" */
static void put_word(struct buf *out, const struct option *o, const char *value)
{
    buf_printf(out, " --%s", o->name);
    if (value) {
        buf_putc(out, ' ');
        buf_shell_word(out, value);
    }
}

static void put_number(struct buf *out, const struct option *o, uint64_t value)
{
    buf_printf(out, " --%s %llu", o->name, (unsigned long long)value);
}

/* An option whose value is not the default. */
static void put_option(struct buf *out, const struct option *o, const void *value,
                       const void *preset)
{
    const char *const *text = value, *const *other = preset;
    const struct text_list *list = value;

    switch (o->kind) {
    case OPTION_FLAG:
        if (*(const bool *)value)
            put_word(out, o, NULL);
        return;
    case OPTION_TEXT:
        if (*text && (!*other || strcmp(*text, *other)))
            put_word(out, o, *text);
        return;
    case OPTION_MAYBE:
        if (*text)
            buf_printf(out, **text ? " --%s=" : " --%s", o->name);
        if (*text && **text)
            buf_shell_word(out, *text);
        return;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        if (*(const uint64_t *)value != *(const uint64_t *)preset)
            put_number(out, o, *(const uint64_t *)value);
        return;
    case OPTION_CHOICE:
        if (*(const int *)value != *(const int *)preset)
            put_word(out, o, o->choices[*(const int *)value]);
        return;
    case OPTION_LIST:
        for (size_t i = 0; i < list->n; i++)
            put_word(out, o, list->at[i]);
        return;
    }
}

void options_put(const struct command *c, const void *values,
                 const char *const *without, struct buf *out)
{
    for (size_t i = 0; i < c->n_options; i++) {
        const struct option *o = &c->options[i];
        size_t n = 0;

        while (without[n] && strcmp(without[n], o->name))
            n++;
        if (!without[n])
            put_option(out, o, (const char *)values + o->offset,
                       (const char *)c->defaults + o->offset);
    }
}

void operands_put_command(const struct operands *ops, struct buf *out)
{
    for (int i = ops->n_named; i < ops->n; i++) {
        buf_puts(out, i == ops->n_named ? " -- " : " ");
        buf_shell_word(out, ops->at[i]);
    }
}

static void option_help(FILE *out, const struct option *o)
{
    struct buf left = { 0 };

    buf_printf(&left, "--%s", o->name);
    if (o->kind == OPTION_CHOICE) {
        buf_putc(&left, ' ');
        put_choices(&left, o);
    } else if (o->kind == OPTION_MAYBE) {
        buf_printf(&left, "[=%s]", o->argument);
    } else if (o->kind != OPTION_FLAG) {
        buf_printf(&left, " %s", o->argument);
    }
    if (left.len > 26)
        fprintf(out, "  %s\n  %26s  %s\n", buf_text(&left), "", o->help);
    else
        fprintf(out, "  %-26s  %s\n", buf_text(&left), o->help);
    buf_free(&left);
}

void options_help(FILE *out, const struct command *c)
{
    fprintf(out, "usage: leno %s%s%s%s\n%s\n", c->name, c->operands ? " " : "",
            c->operands ? c->operands : "", c->n_options ? " [options]" : "",
            c->summary);
    if (c->details)
        fprintf(out, "\n%s", c->details);
    fputs("\noptions\n", out);
    for (size_t i = 0; i < c->n_options; i++)
        option_help(out, &c->options[i]);
    fprintf(out, "  %-26s  %s\n", "--help", "print this text");
    fprintf(out, "\nexamples\n%s", c->examples);
}

void commands_help(FILE *out)
{
    const struct command *c;

    fputs("usage: leno COMMAND [options]\n"
          "Leno runs the machine code of GPU programs without a GPU.\n"
          "\ncommands\n",
          out);
    for (size_t i = 0; (c = command_at(i)); i++)
        fprintf(out, "  %-9s  %s\n", c->name, c->summary);
    fputs("\nleno COMMAND --help describes a command, with examples; leno --version.\n"
          "Exit status: 0 done, 1 usage or bad input, 2 unsupported instruction,\n"
          "3 wrong result, 4 deadlock, 5 limit reached or out of memory,\n"
          "6 the program itself failed.\n",
          out);
}
