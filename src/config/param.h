/* param.h - parameters as tables: one row makes the field, the key, its range, its help,
 * --dump-config and docs/params.md.
 *
 * A component lists its rows in a macro of three row kinds, which its header expands
 * into a struct and its source into a table:
 *
 *     #define L1_PARAMS(NUM, ENUM, BOOL)                              \
 *         NUM(lines, 512, 1, 65536, "line", "lines of the cache")     \
 *         ENUM(write, 0, "through|back", "what a store does")         \
 *         BOOL(sectored, true, "a line is filled by sectors")
 *     struct l1_params { L1_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL) };
 *
 *     #define PARAM_OF struct l1_params
 *     const struct param_group l1_param_group = PARAM_GROUP("l1", "...", L1_PARAMS);
 *     #undef PARAM_OF
 *
 * Keys are "prefix.name". All values are uint32_t (an ENUM's is the index of its
 * choice) or bool. Groups are bound to instances by whoever builds the machine (sim/).
 */
#ifndef LENO_CONFIG_PARAM_H
#define LENO_CONFIG_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum param_type { PARAM_TYPE_NUM, PARAM_TYPE_ENUM, PARAM_TYPE_BOOL };

struct param_desc {
    const char *name;
    enum param_type type;
    size_t offset;
    uint32_t def, min, max;
    const char *unit;    /* NUM: "" for a plain count */
    const char *choices; /* ENUM: "a|b|c" */
    const char *help;
};

struct param_group {
    const char *prefix, *help;
    const struct param_desc *rows;
    size_t n_rows, size; /* of the struct */
};

#define PARAM_NUM(name, def, min, max, unit, help) uint32_t name;
#define PARAM_ENUM(name, def, choices, help)       uint32_t name;
#define PARAM_BOOL(name, def, help)                bool name;

#define PARAM_ROW_NUM(name, def, min, max, unit, help) \
    { #name, PARAM_TYPE_NUM, offsetof(PARAM_OF, name), def, min, max, unit, "", help },
#define PARAM_ROW_ENUM(name, def, choices, help) \
    { #name, PARAM_TYPE_ENUM, offsetof(PARAM_OF, name), def, 0, 0, "", choices, help },
#define PARAM_ROW_BOOL(name, def, help) \
    { #name, PARAM_TYPE_BOOL, offsetof(PARAM_OF, name), def, 0, 1, "", "", help },

#define PARAM_ROWS(TABLE)                                    \
    (const struct param_desc[])                              \
    {                                                        \
        TABLE(PARAM_ROW_NUM, PARAM_ROW_ENUM, PARAM_ROW_BOOL) \
    }
#define PARAM_GROUP(prefix_, help_, TABLE)                              \
    {                                                                   \
        .prefix = prefix_, .help = help_, .rows = PARAM_ROWS(TABLE),    \
        .n_rows = sizeof PARAM_ROWS(TABLE) / sizeof(struct param_desc), \
        .size = sizeof(PARAM_OF)                                        \
    }

/* A group and the struct its rows are fields of. */
struct param_binding {
    const struct param_group *group;
    void *values;
};

/* Every field gets its default. */
void param_defaults(const struct param_binding *b, size_t n);

/* Sets key to value, or with value NULL a key of the form "key=value". An unknown key, a value of the wrong kind or out
 * of range is an error that names the nearest key or the range. where: "file:line" or
 * "--set", for the message. */
int param_set(const struct param_binding *b, size_t n, const char *key,
              const char *value, const char *where, struct err *err);

/* Reads an ini text: [prefix] sections, "name = value" lines, ';' and '#' comments. A
 * key before any section, or with a dot, is a whole one; a duplicate key is an error. A
 * line "base = PRESET" at the top is handed to base(), which reads that text first. A
 * comment may also follow a space at the end of a line. */
struct param_source {
    const char *name; /* for messages */
    const char *text;
    size_t size;
    int (*base)(void *to, const char *preset, struct err *err);
    void *to;
};
int param_read(const struct param_binding *b, size_t n, const struct param_source *s,
               struct err *err);

/* The value of a row as text, as param_set() reads it. */
void param_value(const struct param_desc *row, const void *values, struct buf *out);

void param_dump(const struct param_binding *b, size_t n, struct buf *out); /* ini */
void param_json(const struct param_binding *b, size_t n, struct buf *out); /* object */
void param_docs(const struct param_group *const *groups, size_t n, struct buf *out);

#endif
