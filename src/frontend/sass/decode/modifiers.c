/* modifiers.c - the tables of modifiers.def. */
#include "frontend/sass/decode/modifiers.h"

#include <string.h>

#define MOD(name, width, ...) \
    static const char *const mod_##name[1 << (width)] = { __VA_ARGS__ };
#include "frontend/sass/decode/modifiers.def"
#undef MOD

static const struct mod_table mod_tables[] = {
#define MOD(name, width, ...) { #name, width, mod_##name },
#include "frontend/sass/decode/modifiers.def"
#undef MOD
};

const struct mod_table *modifier_table(const char *name, size_t len)
{
    for (size_t k = 0; k < sizeof mod_tables / sizeof *mod_tables; k++)
        if (!strncmp(mod_tables[k].name, name, len) && !mod_tables[k].name[len])
            return &mod_tables[k];
    return NULL;
}
