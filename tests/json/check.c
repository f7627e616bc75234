/* check.c - whether a file is JSON, and a document of Leno's what docs/formats.md says.
 *
 * The tables of that page are the schema: below a heading that is a name in backquotes, a
 * row is a member, its type and its meaning. A member with a question mark may be missing;
 * one that is in no table is an error. Types are
 *     text, number, count (a whole number, not negative), yes/no, anything
 *     TYPE or null, the name of another table; list of any of those, object of them
 * usage: check [-l] FORMATS.md FILE      -l: a document on each line
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"

enum { MAX_FILE = 256 << 20, MAX_DEPTH = 64, MAX_ROWS = 512, MAX_SEEN = 512 };

struct row {
    const char *table, *member, *type; /* member NULL: the table itself */
    bool is_optional;
};

struct checker {
    struct row row[MAX_ROWS];
    size_t n_rows;
    const char *file;
    const char *start, *at; /* of the JSON text */
    char path[1024];
    unsigned depth;
};

__attribute__((format(printf, 2, 3), noreturn)) static void
wrong(const struct checker *c, const char *format, ...)
{
    unsigned line = 1;
    va_list args;

    for (const char *p = c->start; p < c->at; p++)
        line += *p == '\n';
    fprintf(stderr, "%s:%u: %s: ", c->file, line, *c->path ? c->path : "document");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* ---- the page ---- */

/* The text between the first two backquotes, cut out; NULL if there is none. */
static char *quoted(char *text, char **rest)
{
    char *from = strchr(text, '`'), *to = from ? strchr(from + 1, '`') : NULL;

    if (!to)
        return NULL;
    *to = '\0';
    *rest = to + 1;
    return from + 1;
}

static char *trimmed(char *text)
{
    char *end;

    text += strspn(text, " ");
    end = text + strlen(text);
    while (end > text && end[-1] == ' ')
        *--end = '\0';
    return text;
}

static void add_row(struct checker *c, struct row row)
{
    if (c->n_rows == MAX_ROWS)
        wrong(c, "more than %d rows in the tables", MAX_ROWS);
    c->row[c->n_rows++] = row;
}

/* A row of a table: | `member`? | type | ... */
static void read_row(struct checker *c, const char *table, char *line)
{
    char *rest, *member = quoted(line, &rest), *type, *end;
    bool is_optional;

    if (!member)
        return;
    is_optional = *rest == '?';
    type = strchr(rest, '|');
    end = type ? strchr(type + 1, '|') : NULL;
    if (!end)
        return;
    *end = '\0';
    add_row(c, (struct row){ table, member, trimmed(type + 1), is_optional });
}

static void read_page(struct checker *c, char *text)
{
    const char *table = NULL;
    char *rest, *end;

    for (char *line = text; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (*line == '#') {
            table = strncmp(line, "#### `", 6) ? NULL : quoted(line, &rest);
            if (table)
                add_row(c, (struct row){ .table = table });
        } else if (table && *line == '|') {
            read_row(c, table, line);
        }
    }
}

static bool has_table(const struct checker *c, const char *name)
{
    for (size_t i = 0; i < c->n_rows; i++)
        if (!c->row[i].member && !strcmp(c->row[i].table, name))
            return true;
    return false;
}

static const struct row *find_row(const struct checker *c, const char *table,
                                  const char *member)
{
    for (size_t i = 0; i < c->n_rows; i++)
        if (c->row[i].member && !strcmp(c->row[i].table, table) &&
            !strcmp(c->row[i].member, member))
            return &c->row[i];
    return NULL;
}

/* ---- JSON ---- */

static void skip_space(struct checker *c)
{
    c->at += strspn(c->at, " \t\r\n");
}

static bool takes(struct checker *c, char what)
{
    skip_space(c);
    if (*c->at != what)
        return false;
    c->at++;
    return true;
}

static void expect(struct checker *c, char what)
{
    if (!takes(c, what))
        wrong(c, "expected '%c', not '%.20s'", what, c->at);
}

/* A string; its text as it stands, up to size. */
static void check_string(struct checker *c, char *text, size_t size)
{
    const char *from;

    expect(c, '"');
    from = c->at;
    while (*c->at != '"') {
        unsigned n = utf8_length(c->at);

        if (!n || (unsigned char)*c->at < ' ')
            wrong(c, "a byte that may not be in a string: 0x%02x",
                  (unsigned char)*c->at);
        if (*c->at == '\\' && !strchr("\"\\/bfnrtu", c->at[1]))
            wrong(c, "'\\%c' in a string", c->at[1]);
        if (*c->at == '\\' && c->at[1] == 'u' &&
            strspn(c->at + 2, "0123456789abcdefABCDEF") < 4)
            wrong(c, "expected four digits after \\u");
        c->at += *c->at == '\\' ? 2 : n;
    }
    if (text)
        snprintf(text, size, "%.*s", (int)(c->at - from), from);
    c->at++;
}

static void check_number(struct checker *c, bool is_count)
{
    size_t n;

    skip_space(c);
    c->at += !is_count && *c->at == '-';
    n = strspn(c->at, "0123456789");
    if (!n || (*c->at == '0' && n > 1))
        wrong(c, "expected a %s, not '%.20s'", is_count ? "count" : "number", c->at);
    c->at += n;
    if (!is_count && *c->at == '.') {
        n = strspn(c->at + 1, "0123456789");
        c->at += n ? 1 + n : 0;
    }
    if (!is_count && (*c->at == 'e' || *c->at == 'E')) {
        c->at += 1 + (c->at[1] == '+' || c->at[1] == '-');
        n = strspn(c->at, "0123456789");
        c->at += n;
    }
    if (!n || isalnum((unsigned char)*c->at) || *c->at == '.')
        wrong(c, "expected a %s", is_count ? "count" : "number");
}

static bool takes_word(struct checker *c, const char *word)
{
    size_t n = strlen(word);

    skip_space(c);
    if (strncmp(c->at, word, n) != 0)
        return false;
    c->at += n;
    return true;
}

static void check_type(struct checker *c, const char *type);

static void check_list(struct checker *c, const char *type)
{
    size_t length = strlen(c->path), n = 0;

    expect(c, '[');
    if (takes(c, ']'))
        return;
    do {
        snprintf(c->path + length, sizeof c->path - length, "[%zu]", n++);
        check_type(c, type);
    } while (takes(c, ','));
    c->path[length] = '\0';
    expect(c, ']');
}

/* Each member once, with a name of the table, or with any if there is none. */
static void check_members(struct checker *c, const char *table, const char *type,
                          char (*seen)[64])
{
    size_t length = strlen(c->path), n = 0;

    do {
        const struct row *row;

        if (n == MAX_SEEN)
            wrong(c, "more than %d members", MAX_SEEN);
        check_string(c, seen[n], sizeof *seen);
        snprintf(c->path + length, sizeof c->path - length, ".%s", seen[n]);
        for (size_t i = 0; i < n; i++)
            if (!strcmp(seen[i], seen[n]))
                wrong(c, "is there twice");
        row = table ? find_row(c, table, seen[n]) : NULL;
        if (table && !row)
            wrong(c, "no such member in the table of '%s'", table);
        expect(c, ':');
        check_type(c, row ? row->type : type);
        n++;
    } while (takes(c, ','));
    c->path[length] = '\0';
    expect(c, '}');
    *seen[n] = '\0';
}

static void check_object(struct checker *c, const char *table, const char *type)
{
    char(*seen)[64] = calloc(MAX_SEEN + 1, sizeof *seen);

    expect(c, '{');
    if (!seen)
        wrong(c, "out of memory");
    if (!takes(c, '}'))
        check_members(c, table, type, seen);
    for (size_t i = 0; table && i < c->n_rows; i++) {
        size_t k = 0;

        if (strcmp(c->row[i].table, table) != 0 || !c->row[i].member ||
            c->row[i].is_optional)
            continue;
        while (*seen[k] && strcmp(seen[k], c->row[i].member) != 0)
            k++;
        if (!*seen[k])
            wrong(c, "member '%s' is missing", c->row[i].member);
    }
    free(seen);
}

static void check_any(struct checker *c)
{
    skip_space(c);
    if (*c->at == '{')
        check_object(c, NULL, "anything");
    else if (*c->at == '[')
        check_list(c, "anything");
    else if (*c->at == '"')
        check_string(c, NULL, 0);
    else if (!takes_word(c, "true") && !takes_word(c, "false") &&
             !takes_word(c, "null"))
        check_number(c, false);
}

static void check_plain(struct checker *c, const char *type)
{
    if (!strcmp(type, "text"))
        check_string(c, NULL, 0);
    else if (!strcmp(type, "number") || !strcmp(type, "count"))
        check_number(c, *type == 'c');
    else if (!strcmp(type, "anything"))
        check_any(c);
    else if (!strncmp(type, "list of ", 8))
        check_list(c, type + 8);
    else if (!strncmp(type, "object of ", 10))
        check_object(c, NULL, type + 10);
    else if (has_table(c, type))
        check_object(c, type, NULL);
    else if (strcmp(type, "yes/no") != 0)
        wrong(c, "the page has no type '%s'", type);
    else if (!takes_word(c, "true") && !takes_word(c, "false"))
        wrong(c, "expected true or false, not '%.20s'", c->at);
}

static void check_type(struct checker *c, const char *type)
{
    bool is_of = !strncmp(type, "list of ", 8) || !strncmp(type, "object of ", 10);
    const char *null = is_of ? NULL : strstr(type, " or null");
    char name[64];

    if (++c->depth > MAX_DEPTH)
        wrong(c, "nested too deep");
    if (!null || !takes_word(c, "null")) {
        snprintf(name, sizeof name, "%.*s",
                 null ? (int)(null - type) : (int)strlen(type), type);
        check_plain(c, name);
    }
    c->depth--;
}

/* The schema that a document names; "" if it is none of Leno's. */
static void find_schema(struct checker *c, char *name, size_t size)
{
    const char *at = strstr(c->at, "\"schema\": \"leno.");

    *name = '\0';
    if (at && at - c->at < 200)
        snprintf(name, size, "%.*s", (int)strcspn(at + 11, "\""), at + 11);
}

static void check_document(struct checker *c)
{
    char schema[64];

    find_schema(c, schema, sizeof schema);
    if (!*schema)
        check_any(c);
    else if (has_table(c, schema))
        check_object(c, schema, NULL);
    else
        wrong(c, "the page has no schema '%s'", schema);
    skip_space(c);
}

static char *read_text(const char *path)
{
    struct file f;
    struct err err;
    char *text;

    if (file_read(path, MAX_FILE, &f, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    text = calloc(1, f.size + 1);
    if (!text || memchr(f.data, '\0', f.size)) {
        fprintf(stderr, "%s: a zero byte\n", path);
        exit(1);
    }
    memcpy(text, f.data, f.size);
    file_free(&f);
    return text;
}

int main(int argc, char **argv)
{
    bool is_lines = argc > 1 && !strcmp(argv[1], "-l");
    struct checker *c = calloc(1, sizeof *c);
    char *page, *text;

    argv += is_lines;
    if (argc - is_lines != 3 || !c) {
        fputs("usage: check [-l] FORMATS.md FILE\n", stderr);
        return 1;
    }
    page = read_text(argv[1]);
    c->file = argv[1];
    read_page(c, page);
    text = read_text(argv[2]);
    c->file = argv[2];
    c->start = c->at = text;
    do
        check_document(c);
    while (is_lines && *c->at);
    if (*c->at)
        wrong(c, "something follows it: '%.20s'", c->at);
    free(text);
    free(page);
    free(c);
    return 0;
}
