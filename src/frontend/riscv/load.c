/* load.c - programs: ELF files for RV32, and Vortex's .vxbin.
 *
 * An ELF file's segments go to their physical addresses, as a loader of bare-metal
 * programs puts them. A .vxbin is two 64-bit addresses, of the first byte and of the
 * one after the last, and the bytes; what is not in the file is zero. Everything in a
 * file is checked before it is used. Not read: relocations (programs are linked to
 * where they run), sections other than the symbol table.
 */
#include <elf.h>
#include <string.h>

#include "frontend/riscv/riscv.h"

struct source {
    const char *name;
    const uint8_t *data;
    size_t size;
};

static bool is_inside(const struct source *s, uint64_t offset, uint64_t n)
{
    return offset <= s->size && n <= s->size - offset;
}

static int check_header(const struct source *s, const Elf32_Ehdr *h, struct err *err)
{
    if (h->e_ident[EI_CLASS] != ELFCLASS32 || h->e_ident[EI_DATA] != ELFDATA2LSB)
        return err_set(err, "%s: ELF class %u, data %u, expected 32-bit little-endian",
                       s->name, h->e_ident[EI_CLASS], h->e_ident[EI_DATA]);
    if (h->e_machine != EM_RISCV)
        return err_set(err, "%s: ELF machine %u, expected %u (RISC-V)", s->name,
                       h->e_machine, (unsigned)EM_RISCV);
    if (h->e_type != ET_EXEC)
        return err_set(err, "%s: ELF type %u, expected %u, a linked program", s->name,
                       h->e_type, (unsigned)ET_EXEC);
    if (h->e_phentsize != sizeof(Elf32_Phdr) ||
        !is_inside(s, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf32_Phdr)))
        return err_set(err,
                       "%s: %u program headers of %u bytes at offset 0x%x, "
                       "expected %zu bytes each, inside the file of %zu",
                       s->name, h->e_phnum, h->e_phentsize, h->e_phoff,
                       sizeof(Elf32_Phdr), s->size);
    return 0;
}

static void widen_range(uint32_t *low, uint32_t *high, uint32_t first, uint32_t end)
{
    *low = first < *low ? first : *low;
    *high = end > *high ? end : *high;
}

static int load_segment(struct riscv_memory *m, const struct source *s, unsigned n,
                        const Elf32_Phdr *p, struct riscv_image *image, struct err *err)
{
    uint64_t end = (uint64_t)p->p_paddr + p->p_memsz;

    if (!is_inside(s, p->p_offset, p->p_filesz))
        return err_set(err,
                       "%s: segment %u: %u bytes at offset 0x%x, expected them "
                       "inside the file of %zu",
                       s->name, n, p->p_filesz, p->p_offset, s->size);
    if (p->p_filesz > p->p_memsz || end > UINT32_MAX)
        return err_set(err,
                       "%s: segment %u: %u bytes of the file for %u at 0x%x, "
                       "expected no more than it has room for, below 0xffffffff",
                       s->name, n, p->p_filesz, p->p_memsz, p->p_paddr);
    widen_range(&image->low, &image->high, p->p_paddr, (uint32_t)end);
    if (p->p_flags & PF_X)
        widen_range(&image->code_low, &image->code_high, p->p_paddr,
                    p->p_paddr + p->p_filesz);
    if (!m)
        return 0;
    if (riscv_memory_write(m, p->p_paddr, s->data + p->p_offset, p->p_filesz, err))
        return -1;
    return riscv_memory_clear(m, (uint64_t)p->p_paddr + p->p_filesz,
                              p->p_memsz - p->p_filesz, err);
}

/* The value of a symbol; 0 if there is none, or no whole table of them. */
static uint32_t find_symbol(const struct source *s, const Elf32_Shdr *table,
                            const Elf32_Shdr *names, const char *name)
{
    size_t length = strlen(name) + 1;

    if (!is_inside(s, table->sh_offset, table->sh_size) ||
        !is_inside(s, names->sh_offset, names->sh_size))
        return 0;
    for (uint32_t at = 0; table->sh_size - at >= sizeof(Elf32_Sym);
         at += (uint32_t)sizeof(Elf32_Sym)) {
        Elf32_Sym symbol;

        memcpy(&symbol, s->data + table->sh_offset + at, sizeof symbol);
        if (symbol.st_name < names->sh_size &&
            names->sh_size - symbol.st_name >= length &&
            !memcmp(s->data + names->sh_offset + symbol.st_name, name, length))
            return symbol.st_value;
    }
    return 0;
}

static bool read_section(const struct source *s, const Elf32_Ehdr *h, unsigned n,
                         Elf32_Shdr *to)
{
    uint64_t at = h->e_shoff + (uint64_t)n * sizeof *to;

    if (n >= h->e_shnum || h->e_shentsize != sizeof *to ||
        !is_inside(s, at, sizeof *to))
        return false;
    memcpy(to, s->data + at, sizeof *to);
    return true;
}

static uint32_t find_tohost(const struct source *s, const Elf32_Ehdr *h)
{
    Elf32_Shdr table, names;

    for (unsigned n = 0; read_section(s, h, n, &table); n++)
        if (table.sh_type == SHT_SYMTAB && read_section(s, h, table.sh_link, &names))
            return find_symbol(s, &table, &names, "tohost");
    return 0;
}

static int load_elf(struct riscv_memory *m, const struct source *s,
                    struct riscv_image *image, struct err *err)
{
    Elf32_Ehdr h;
    Elf32_Phdr p;

    if (s->size < sizeof h)
        return err_set(err, "%s: %zu bytes, expected an ELF header of %zu", s->name,
                       s->size, sizeof h);
    memcpy(&h, s->data, sizeof h);
    if (check_header(s, &h, err))
        return -1;
    *image = (struct riscv_image){ .start = h.e_entry,
                                   .low = UINT32_MAX,
                                   .code_low = UINT32_MAX };
    for (unsigned n = 0; n < h.e_phnum; n++) {
        memcpy(&p, s->data + h.e_phoff + n * sizeof p, sizeof p);
        if (p.p_type == PT_LOAD && p.p_memsz && load_segment(m, s, n, &p, image, err))
            return -1;
    }
    if (image->low > image->high)
        return err_set(err, "%s: no segment to load", s->name);
    image->tohost = find_tohost(s, &h);
    return 0;
}

static int load_vxbin(struct riscv_memory *m, const struct source *s,
                      struct riscv_image *image, struct err *err)
{
    uint64_t range[2], n;

    if (s->size < sizeof range)
        return err_set(err, "%s: %zu bytes, expected an ELF file or a .vxbin", s->name,
                       s->size);
    memcpy(range, s->data, sizeof range);
    n = s->size - sizeof range;
    if (range[0] >= range[1] || range[1] > UINT32_MAX || n > range[1] - range[0])
        return err_set(err,
                       "%s: neither an ELF file nor a .vxbin: %llu bytes for "
                       "addresses 0x%llx to 0x%llx",
                       s->name, (unsigned long long)n, (unsigned long long)range[0],
                       (unsigned long long)range[1]);
    *image = (struct riscv_image){ .start = (uint32_t)range[0],
                                   .low = (uint32_t)range[0],
                                   .high = (uint32_t)range[1],
                                   .code_low = (uint32_t)range[0],
                                   .code_high = (uint32_t)(range[0] + n) };
    if (!m)
        return 0;
    if (riscv_memory_write(m, range[0], s->data + sizeof range, n, err))
        return -1;
    return riscv_memory_clear(m, range[0] + n, range[1] - range[0] - n, err);
}

int riscv_load(struct riscv_memory *m, const char *name, const uint8_t *data,
               size_t size, struct riscv_image *image, struct err *err)
{
    struct source s = { name, data, size };

    if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
        return load_elf(m, &s, image, err);
    return load_vxbin(m, &s, image, err);
}
