/* exec_options.c - the options of leno exec as text and back, from one table. */
#include "session/exec_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, NUMBER, LIST };

static const struct row {
    const char *name;
    enum kind kind;
    size_t offset;
} rows[] = {
#define AT(field) offsetof(struct exec_options, field)
    { "gpu", TEXT, AT(machine.gpu) },
    { "scheme", TEXT, AT(machine.scheme) },
    { "set", LIST, AT(machine.set) },
    { "sms", NUMBER, AT(machine.sms) },
    { "max-cycles", NUMBER, AT(max_cycles) },
    { "max-insts", NUMBER, AT(max_insts) },
    { "threads", NUMBER, AT(threads) },
    { "cap-cycles", NUMBER, AT(choice.cap_cycles) },
    { "cap-insts", NUMBER, AT(choice.cap_insts) },
    { "first", NUMBER, AT(choice.first) },
    { "last", NUMBER, AT(choice.last) },
    { "match", TEXT, AT(choice.match) },
    { "every", NUMBER, AT(choice.every) },
    { "first-of-each", NUMBER, AT(choice.first_of_each) },
    { "sample", NUMBER, AT(choice.sample) },
    { "functional", NUMBER, AT(functional) },
    { "stop-on-unsupported", NUMBER, AT(stop_on_unsupported) },
    { "stop-on-fault", NUMBER, AT(stop_on_fault) },
    { "strict", NUMBER, AT(strict) },
    { "races", NUMBER, AT(races) },
    { "sanitize", NUMBER, AT(sanitize) },
    { "quiet", NUMBER, AT(quiet) },
    { "stats", TEXT, AT(stats) },
    { "resume", NUMBER, AT(resume) },
    { "counts", TEXT, AT(counts) },
    { "hot", NUMBER, AT(hot) },
    { "top", NUMBER, AT(top) },
    { "hot-file", TEXT, AT(hot_file) },
    { "series", NUMBER, AT(series) },
    { "series-out", TEXT, AT(series_out) },
    { "record", TEXT, AT(record) },
#undef AT
};

static int put_text(const char *name, const char *value, struct buf *out,
                    struct err *err)
{
    if (!value)
        return 0;
    if (strchr(value, '\n'))
        return err_set(err, "--%s: expected one line", name);
    buf_printf(out, "%s %s\n", name, value);
    return 0;
}

int exec_options_write(const struct exec_options *o, struct buf *out, struct err *err)
{
    const struct text_list *set = &o->machine.set;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const void *at = (const char *)o + rows[i].offset;
        int failed = 0;

        if (rows[i].kind == NUMBER && *(const uint64_t *)at)
            buf_printf(out, "%s %llu\n", rows[i].name,
                       (unsigned long long)*(const uint64_t *)at);
        if (rows[i].kind == TEXT)
            failed = put_text(rows[i].name, *(const char *const *)at, out, err);
        for (size_t k = 0; rows[i].kind == LIST && !failed && k < set->n; k++)
            failed = put_text(rows[i].name, set->at[k], out, err);
        if (failed)
            return -1;
    }
    return 0;
}

static int read_number(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno || end == text || *end || *text == '-' ? -1 : 0;
}

static int read_value(struct exec_options *o, const struct row *row, const char *value,
                      struct err *err)
{
    struct text_list *set = &o->machine.set;
    void *at = (char *)o + row->offset;

    switch (row->kind) {
    case TEXT:
        *(const char **)at = value;
        return 0;
    case NUMBER:
        if (!read_number(value, at))
            return 0;
        return err_set(err, EXEC_VARIABLE ": %s: expected a number, not '%s'",
                       row->name, value);
    case LIST:
        if (set->n == sizeof set->at / sizeof *set->at)
            return err_set(err, EXEC_VARIABLE ": more than %zu settings", set->n);
        set->at[set->n++] = value;
        return 0;
    }
    return -1;
}

static int read_line(struct exec_options *o, char *line, struct err *err)
{
    char *space = strchr(line, ' ');

    if (!space)
        return err_set(err, EXEC_VARIABLE ": expected NAME VALUE, not '%s'", line);
    *space = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strcmp(rows[i].name, line))
            return read_value(o, &rows[i], space + 1, err);
    }
    return err_set(err, EXEC_VARIABLE ": there is no option '%s'", line);
}

int exec_options_read(struct exec_options *o, char *text, struct err *err)
{
    char *rest;

    *o = (struct exec_options){ 0 };
    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        if (read_line(o, line, err))
            return -1;
    }
    return 0;
}
