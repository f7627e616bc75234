/* preset.h - the machines that come with the program: configs/NAME.ini, built in. */
#ifndef LENO_CONFIG_PRESET_H
#define LENO_CONFIG_PRESET_H

#include "config/param.h"

struct preset {
    const char *name;
    const char *summary; /* the first line of its file, a comment */
    const char *text;    /* the file, with a NUL after it */
    size_t size;
};

/* All presets, sorted by name; NULL after the last. */
const struct preset *preset_at(size_t i);
const struct preset *preset_find(const char *name); /* NULL: there is none */

/* Applies a preset, or an ini file if gpu ends with ".ini". Either may start from a
 * preset with a line "base = NAME". Other parameters stay as they are: call
 * param_defaults() before. */
int preset_read(const struct param_binding *b, size_t n, const char *gpu,
                struct err *err);

#endif
