/* place.c - where a code address of a module is: section, function, source line. */
#include <stdio.h>
#include <string.h>

#include "frontend/sass/load/module.h"

enum { STT_FUNC = 2 }; /* as in ELF */

/* The section that a code address is in; 0: none. */
static uint32_t find_text(const struct sass_module *m, uint64_t pc)
{
    for (uint32_t i = 0; i < m->cubin.n_sections; i++)
        if (m->cubin.sections[i].is_text &&
            pc - m->section_addr[i] < m->cubin.sections[i].size)
            return i;
    return 0;
}

const char *sass_module_function(const struct sass_module *m, uint64_t pc,
                                 uint64_t *offset)
{
    const struct cubin *c = &m->cubin;
    const struct cubin_symbol *best = NULL;
    uint32_t section = find_text(m, pc);

    for (uint32_t i = 0; i < c->n_symbols && section; i++) {
        const struct cubin_symbol *s = &c->symbols[i];

        if (s->type == STT_FUNC && s->section == section &&
            s->value <= pc - m->section_addr[section] &&
            (!best || s->value > best->value))
            best = s;
    }
    if (best)
        *offset = pc - m->section_addr[section] - best->value;
    return best ? best->name : NULL;
}

void sass_module_place(const struct sass_module *m, uint64_t pc, char *text,
                       size_t size)
{
    uint64_t offset;
    const char *function = sass_module_function(m, pc, &offset);

    if (function)
        snprintf(text, size, "%s+0x%llx", function, (unsigned long long)offset);
    else
        snprintf(text, size, "0x%llx", (unsigned long long)pc);
}

const struct sass_line *sass_module_line(const struct sass_module *m, uint64_t pc,
                                         const char **file)
{
    uint32_t section = find_text(m, pc);
    const struct sass_line *line =
        section ? sass_lines_find(&m->lines, section, pc - m->section_addr[section])
                : NULL;

    if (line)
        *file = m->lines.name[line->file];
    return line;
}

void sass_module_place_line(const struct sass_module *m, uint64_t pc, char *text,
                            size_t size)
{
    const char *file;
    const struct sass_line *line = sass_module_line(m, pc, &file);
    size_t n;

    sass_module_place(m, pc, text, size);
    n = strlen(text);
    if (line)
        snprintf(text + n, size - n, " (%s:%u)", file, line->line);
}
