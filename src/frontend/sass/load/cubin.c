/* cubin.c - reads a cubin: an ELF64 file for e_machine 190.
 *
 * Nothing in the file is believed: each table is checked against the size of the
 * file before it is read, each index against the table it points into. Two layouts
 * exist. Up to CUDA 12 the OSABI is 0x33 and the SM number is the low byte of
 * e_flags; CUDA 13 writes OSABI 0x41 and the SM number in bits 8..15.
 * Program headers, notes and debug sections are not looked at.
 */
#include "frontend/sass/load/cubin.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/sass/load/nvinfo.h"

enum {
    EHDR_SIZE = 64,
    SHDR_SIZE = 64,
    SYM_SIZE = 24,
    REL_SIZE = 16,
    RELA_SIZE = 24,
    MACHINE_CUDA = 190,
    OSABI_CUDA12 = 0x33,
    OSABI_CUDA13 = 0x41,
    SHT_PROGBITS = 1,
    SHT_SYMTAB = 2,
    SHT_STRTAB = 3,
    SHT_RELA = 4,
    SHT_NOBITS = 8,
    SHT_REL = 9,
    SHF_EXEC = 4,
    SHN_LORESERVE = 0xff00,
    SHN_ABS = 0xfff1,
    SHN_COMMON = 0xfff2,
    STT_OBJECT = 1,
    STT_FUNC = 2,
    STO_ENTRY = 0x10,
    EF_ACCELERATORS = 0x800, /* CUDA 12: sm_90a */
};

uint16_t cubin_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t cubin_u32(const uint8_t *p)
{
    return cubin_u16(p) | (uint32_t)cubin_u16(p + 2) << 16;
}

uint64_t cubin_u64(const uint8_t *p)
{
    return cubin_u32(p) | (uint64_t)cubin_u32(p + 4) << 32;
}

static bool fits_file(const struct cubin *c, uint64_t offset, uint64_t size)
{
    return offset <= c->size && size <= c->size - offset;
}

/* calloc that never gets 0 elements, so that NULL means no memory. */
static void *alloc_table(uint64_t n, size_t size)
{
    return calloc(n ? n : 1, size);
}

static int out_of_memory(struct err *err)
{
    return err_memory(err, "a cubin");
}

static int check_kind(const struct cubin *c, struct err *err)
{
    const uint8_t *p = c->image;

    if (c->size >= 4 && cubin_u32(p) == 0xba55ed50)
        return err_set(err, "offset 0x0: a fat binary, expected one cubin of it");
    if (c->size < 4 || memcmp(p, "\177ELF", 4) != 0)
        return err_set(err, "offset 0x0: not an ELF file, expected 7f 45 4c 46");
    if (c->size < EHDR_SIZE)
        return err_set(err, "offset 0x%zx: file ends inside the ELF header of %d bytes",
                       c->size, EHDR_SIZE);
    if (p[4] != 2)
        return err_set(err, "offset 0x4: ELF class %u, expected 2 (64-bit)", p[4]);
    if (p[5] != 1)
        return err_set(err,
                       "offset 0x5: ELF data encoding %u, expected 1 "
                       "(little-endian)",
                       p[5]);
    if (cubin_u16(p + 18) != MACHINE_CUDA)
        return err_set(err, "offset 0x12: ELF for machine %u, expected %d (CUDA)",
                       cubin_u16(p + 18), MACHINE_CUDA);
    return 0;
}

static int read_header(struct cubin *c, struct err *err)
{
    const uint8_t *p = c->image;
    uint32_t flags;
    int arch;

    if (check_kind(c, err))
        return -1;
    flags = cubin_u32(p + 48);
    if (p[7] == OSABI_CUDA13)
        c->sm = flags >> 8 & 0xff;
    else if (p[7] == OSABI_CUDA12)
        c->sm = flags & 0xff;
    else
        return err_set(err, "offset 0x7: ELF OSABI 0x%x, expected 0x%x or 0x%x", p[7],
                       OSABI_CUDA12, OSABI_CUDA13);
    arch = sass_arch_of(c->sm);
    if (arch < 0)
        return err_set(err,
                       "is sm_%u, expected one of sm_75, sm_80, sm_86, sm_87, sm_89, "
                       "sm_90",
                       c->sm);
    c->arch = (enum sass_arch)arch;
    c->type = cubin_u16(p + 16);
    c->is_specific = p[7] == OSABI_CUDA12 && flags & EF_ACCELERATORS;
    return 0;
}

static int read_section(struct cubin *c, uint32_t n, const uint8_t *p, struct err *err)
{
    struct cubin_section *s = &c->sections[n];

    s->type = cubin_u32(p + 4);
    s->flags = cubin_u64(p + 8);
    s->offset = cubin_u64(p + 24);
    s->size = cubin_u64(p + 32);
    s->link = cubin_u32(p + 40);
    s->info = cubin_u32(p + 44);
    s->align = cubin_u64(p + 48);
    s->name = "";
    if (n == 0)
        s->size = 0; /* holds the section count of a file with very many */
    if (n == 0 || s->type == SHT_NOBITS || s->size == 0)
        return 0;
    if (!fits_file(c, s->offset, s->size))
        return err_set(err, "offset 0x%llx: section %u runs past the end of the file",
                       (unsigned long long)s->offset, n);
    s->data = c->image + s->offset;
    return 0;
}

/* A string table ends in NUL, so that any offset inside it is a string. */
static int check_strings(const struct cubin *c, uint32_t n, struct err *err)
{
    const struct cubin_section *s;

    if (n == 0 || n >= c->n_sections || c->sections[n].type != SHT_STRTAB)
        return err_set(err, "section %u is not a string table", n);
    s = &c->sections[n];
    if (!s->data || s->data[s->size - 1] != 0)
        return err_set(err, "offset 0x%llx: string table %u does not end in NUL",
                       (unsigned long long)s->offset, n);
    return 0;
}

static int name_at(const struct cubin *c, uint32_t strings, uint32_t at,
                   const char **name, struct err *err)
{
    const struct cubin_section *s = &c->sections[strings];

    if (at >= s->size)
        return err_set(err, "offset 0x%llx: name at 0x%x is outside string table %u",
                       (unsigned long long)s->offset, at, strings);
    *name = (const char *)s->data + at;
    return 0;
}

static int name_sections(struct cubin *c, const uint8_t *headers, uint32_t strings,
                         struct err *err)
{
    if (check_strings(c, strings, err))
        return err_prefix(err, "section names");
    for (uint32_t i = 1; i < c->n_sections; i++) {
        struct cubin_section *s = &c->sections[i];

        if (name_at(c, strings, cubin_u32(headers + (size_t)i * SHDR_SIZE), &s->name,
                    err))
            return -1;
        s->is_text = s->type == SHT_PROGBITS && s->flags & SHF_EXEC &&
                     strncmp(s->name, ".text", 5) == 0;
        if (s->is_text && s->size % 16)
            return err_set(err,
                           "offset 0x%llx: %s has 0x%llx bytes, expected a multiple "
                           "of 16",
                           (unsigned long long)s->offset, s->name,
                           (unsigned long long)s->size);
    }
    return 0;
}

static int read_sections(struct cubin *c, struct err *err)
{
    uint64_t at = cubin_u64(c->image + 40);
    uint64_t n = cubin_u16(c->image + 60);
    uint32_t strings = cubin_u16(c->image + 62);
    const uint8_t *headers;

    if (cubin_u16(c->image + 58) != SHDR_SIZE)
        return err_set(err, "offset 0x3a: section headers of %u bytes, expected %d",
                       cubin_u16(c->image + 58), SHDR_SIZE);
    if (!fits_file(c, at, SHDR_SIZE))
        return err_set(err,
                       "offset 0x28: section headers at 0x%llx, past the end of "
                       "the file",
                       (unsigned long long)at);
    headers = c->image + at;
    /* Counts that need more than 16 bits are in the first header. */
    if (n == 0)
        n = cubin_u64(headers + 32);
    if (strings == 0xffff)
        strings = cubin_u32(headers + 40);
    if (n > UINT32_MAX || n == 0 || !fits_file(c, at, n * SHDR_SIZE))
        return err_set(err,
                       "offset 0x%llx: %llu section headers run past the end of "
                       "the file",
                       (unsigned long long)at, (unsigned long long)n);
    c->sections = alloc_table(n, sizeof *c->sections);
    if (!c->sections)
        return out_of_memory(err);
    c->n_sections = (uint32_t)n;
    for (uint32_t i = 0; i < n; i++)
        if (read_section(c, i, headers + (size_t)i * SHDR_SIZE, err))
            return -1;
    return name_sections(c, headers, strings, err);
}

/* Where a symbol claims to be must exist. */
static int check_symbol(const struct cubin *c, const struct cubin_symbol *s,
                        struct err *err)
{
    const struct cubin_section *sec;

    if (s->section == 0 || s->section == SHN_ABS || s->section == SHN_COMMON)
        return 0;
    if (s->section >= c->n_sections || s->section >= SHN_LORESERVE)
        return err_set(err, "symbol %s is in section %u of %u", s->name, s->section,
                       c->n_sections);
    if (s->type != STT_FUNC && s->type != STT_OBJECT)
        return 0;
    sec = &c->sections[s->section];
    if (s->value > sec->size ||
        ((s->type == STT_FUNC || sec->data) && s->size > sec->size - s->value))
        return err_set(err, "symbol %s, 0x%llx bytes at 0x%llx, runs past %s", s->name,
                       (unsigned long long)s->size, (unsigned long long)s->value,
                       sec->name);
    if (s->type == STT_FUNC && sec->is_text && s->value % 16)
        return err_set(err, "function %s is at 0x%llx of %s, expected a multiple of 16",
                       s->name, (unsigned long long)s->value, sec->name);
    return 0;
}

static int read_symbol(const struct cubin *c, uint32_t strings, const uint8_t *p,
                       struct cubin_symbol *s, struct err *err)
{
    if (name_at(c, strings, cubin_u32(p), &s->name, err))
        return -1;
    s->bind = p[4] >> 4;
    s->type = p[4] & 15;
    s->other = p[5];
    s->section = cubin_u16(p + 6);
    s->value = cubin_u64(p + 8);
    s->size = cubin_u64(p + 16);
    if (check_symbol(c, s, err))
        return -1;
    s->is_entry = s->type == STT_FUNC && s->other & STO_ENTRY && s->section &&
                  s->section < c->n_sections && c->sections[s->section].is_text;
    return 0;
}

static uint32_t find_type(const struct cubin *c, uint32_t type)
{
    for (uint32_t i = 1; i < c->n_sections; i++)
        if (c->sections[i].type == type)
            return i;
    return 0;
}

static int read_symbols(struct cubin *c, uint32_t symtab, struct err *err)
{
    const struct cubin_section *s = &c->sections[symtab];
    uint64_t n = s->size / SYM_SIZE;

    if (symtab == 0)
        return err_set(err, "has no symbol table");
    if (s->size % SYM_SIZE || n > UINT32_MAX)
        return err_set(err,
                       "offset 0x%llx: symbol table of 0x%llx bytes, expected a "
                       "multiple of %d",
                       (unsigned long long)s->offset, (unsigned long long)s->size,
                       SYM_SIZE);
    if (check_strings(c, s->link, err))
        return err_prefix(err, "symbol names");
    c->symbols = alloc_table(n, sizeof *c->symbols);
    if (!c->symbols)
        return out_of_memory(err);
    c->n_symbols = (uint32_t)n;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = (uint64_t)i * SYM_SIZE;

        if (read_symbol(c, s->link, s->data + at, &c->symbols[i], err))
            return err_prefix(err, "offset 0x%llx",
                              (unsigned long long)(s->offset + at));
    }
    return 0;
}

static uint64_t reloc_size(const struct cubin_section *s)
{
    return s->type == SHT_REL ? REL_SIZE : s->type == SHT_RELA ? RELA_SIZE : 0;
}

static int read_reloc(struct cubin *c, const struct cubin_section *s, const uint8_t *p,
                      struct err *err)
{
    struct cubin_reloc *r = &c->relocs[c->n_relocs++];

    r->target = s->info;
    r->offset = cubin_u64(p);
    r->type = cubin_u32(p + 8);
    r->symbol = cubin_u32(p + 12);
    r->has_addend = s->type == SHT_RELA;
    if (r->has_addend)
        r->addend = (int64_t)cubin_u64(p + 16);
    if (r->symbol >= c->n_symbols)
        return err_set(err, "relocation against symbol %u of %u", r->symbol,
                       c->n_symbols);
    if (r->offset >= c->sections[r->target].size)
        return err_set(err, "relocation of 0x%llx, past the end of %s",
                       (unsigned long long)r->offset, c->sections[r->target].name);
    return 0;
}

static int read_reloc_section(struct cubin *c, uint32_t n, struct err *err)
{
    const struct cubin_section *s = &c->sections[n];
    uint64_t step = reloc_size(s);

    if (s->info == 0 || s->info >= c->n_sections)
        return err_set(err, "%s patches section %u of %u", s->name, s->info,
                       c->n_sections);
    for (uint64_t at = 0; at < s->size; at += step)
        if (read_reloc(c, s, s->data + at, err))
            return err_prefix(err, "offset 0x%llx",
                              (unsigned long long)(s->offset + at));
    return 0;
}

static int read_relocs(struct cubin *c, struct err *err)
{
    uint64_t n = 0;

    for (uint32_t i = 1; i < c->n_sections; i++) {
        const struct cubin_section *s = &c->sections[i];
        uint64_t step = reloc_size(s);

        if (step && s->size % step)
            return err_set(err,
                           "offset 0x%llx: %s has 0x%llx bytes, expected a "
                           "multiple of %llu",
                           (unsigned long long)s->offset, s->name,
                           (unsigned long long)s->size, (unsigned long long)step);
        n += step ? s->size / step : 0;
        /* Sections may overlap; a sane file has fewer entries than bytes. */
        if (n > c->size)
            return err_set(err, "%s: relocation sections overlap", s->name);
    }
    c->relocs = alloc_table(n, sizeof *c->relocs);
    if (!c->relocs)
        return out_of_memory(err);
    for (uint32_t i = 1; i < c->n_sections; i++)
        if (reloc_size(&c->sections[i]) && read_reloc_section(c, i, err))
            return -1;
    return 0;
}

static int find_kernels(struct cubin *c, struct err *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_symbols; i++)
        n += c->symbols[i].is_entry;
    c->kernels = alloc_table(n, sizeof *c->kernels);
    if (!c->kernels)
        return out_of_memory(err);
    for (uint32_t i = 0; i < c->n_symbols; i++) {
        const struct cubin_symbol *s = &c->symbols[i];

        if (!s->is_entry)
            continue;
        c->kernels[c->n_kernels++] = (struct cubin_kernel){
            .name = s->name, .symbol = i, .text = s->section, .entry = s->value
        };
    }
    return 0;
}

int cubin_parse(struct cubin *c, const char *file, const void *image, size_t size,
                struct err *err)
{
    *c = (struct cubin){ .image = image, .size = size };
    if (read_header(c, err) || read_sections(c, err) ||
        read_symbols(c, find_type(c, SHT_SYMTAB), err) || read_relocs(c, err) ||
        find_kernels(c, err) || nvinfo_read(c, err)) {
        cubin_free(c);
        return err_prefix(err, "%s", file);
    }
    return 0;
}

void cubin_free(struct cubin *c)
{
    for (uint32_t i = 0; i < c->n_kernels; i++) {
        free(c->kernels[i].params);
        free(c->kernels[i].exits);
    }
    free(c->sections);
    free(c->symbols);
    free(c->relocs);
    free(c->kernels);
    *c = (struct cubin){ 0 };
}

const struct cubin_kernel *cubin_find_kernel(const struct cubin *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_kernels; i++)
        if (strcmp(c->kernels[i].name, name) == 0)
            return &c->kernels[i];
    return NULL;
}

uint32_t cubin_find_section(const struct cubin *c, const char *name)
{
    for (uint32_t i = 1; i < c->n_sections; i++)
        if (strcmp(c->sections[i].name, name) == 0)
            return i;
    return 0;
}
