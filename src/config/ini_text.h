/* ini_text.h - the lines of an ini text: [section], "name = value", comments from ';'
 * or '#' at the start of a line or after a space. */
#ifndef LENO_CONFIG_INI_TEXT_H
#define LENO_CONFIG_INI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct ini_line {
    unsigned number; /* from 1 */
    const char *section, *name,
        *value; /* section "" before the first; valid only inside take() */
};

struct ini_text {
    const char *name; /* for messages */
    const char *text;
    size_t size;
    /* -1 with err set ends the reading; the message names the place already. */
    int (*take)(void *to, const struct ini_line *l, struct err *err);
    void *to;
    bool refuses_empty; /* a section without a line is an error */
};

int ini_text_read(const struct ini_text *t, struct err *err);

/* Refuses the name of a line: err says where it is, the nearest name that there is and all of
 * them, then more. name_at as in base/suggest.h, without data. Returns -1. */
int ini_refuse_name(const char *file, const struct ini_line *l,
                    const char *(*name_at)(const void *from, size_t i),
                    const char *more, struct err *err);

#endif
