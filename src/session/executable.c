/* executable.c - reads the parts of an ELF program that tell which CUDA libraries it needs.
 * The file is not trusted: every offset is checked before it is followed.
 */
#include "session/executable.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define MAX_PROGRAM ((size_t)2 << 30)

#if defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_X86_64 };
#endif

static bool fits_in_file(const struct executable *p, uint64_t at, uint64_t n)
{
    return n <= p->image.size && at <= p->image.size - n;
}

static bool section_at(const struct executable *p, unsigned i, Elf64_Shdr *s)
{
    Elf64_Ehdr head;
    uint64_t at;

    memcpy(&head, p->image.data, sizeof head);
    at = head.e_shoff + (uint64_t)i * sizeof *s;
    if (i >= head.e_shnum || head.e_shoff > p->image.size ||
        !fits_in_file(p, at, sizeof *s))
        return false;
    memcpy(s, p->image.data + at, sizeof *s);
    return s->sh_type == SHT_NOBITS || fits_in_file(p, s->sh_offset, s->sh_size);
}

/* The text at an offset of a section of texts; "" if there is none. */
static const char *text_at(const struct executable *p, unsigned strings, uint64_t at)
{
    const char *text;
    Elf64_Shdr s;

    if (!section_at(p, strings, &s) || s.sh_type != SHT_STRTAB || at >= s.sh_size)
        return "";
    text = (const char *)p->image.data + s.sh_offset + at;
    return memchr(text, '\0', s.sh_size - at) ? text : "";
}

static void take_needed(struct executable *p, const char *name)
{
    if (!strncmp(name, "libcudart.so", strlen("libcudart.so")))
        snprintf(p->cudart, sizeof p->cudart, "%s", name);
    if (!strcmp(name, "libcuda.so.1"))
        p->needs_cuda = true;
}

static void read_dynamic(struct executable *p, const Elf64_Shdr *s)
{
    Elf64_Dyn d;

    for (uint64_t at = 0; s->sh_size - at >= sizeof d; at += sizeof d) {
        memcpy(&d, p->image.data + s->sh_offset + at, sizeof d);
        if (d.d_tag == DT_NULL)
            return;
        if (d.d_tag == DT_NEEDED)
            take_needed(p, text_at(p, s->sh_link, d.d_un.d_val));
    }
}

void executable_functions(const struct executable *p,
                          void (*visit)(void *to, const char *name, uint64_t value,
                                        uint64_t size),
                          void *to)
{
    Elf64_Shdr s;
    Elf64_Sym symbol;

    for (unsigned i = 0; section_at(p, i, &s); i++) {
        if (s.sh_type != SHT_SYMTAB)
            continue;
        for (uint64_t at = 0; s.sh_size - at >= sizeof symbol; at += sizeof symbol) {
            memcpy(&symbol, p->image.data + s.sh_offset + at, sizeof symbol);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx)
                visit(to, text_at(p, s.sh_link, symbol.st_name), symbol.st_value,
                      symbol.st_size);
        }
    }
}

void executable_sections(const struct executable *p, const char *name,
                         executable_visit_section *visit, void *to)
{
    Elf64_Ehdr head;
    Elf64_Shdr s;

    if (!p->is_host)
        return;
    memcpy(&head, p->image.data, sizeof head);
    for (unsigned i = 0; section_at(p, i, &s); i++) {
        if (s.sh_type != SHT_NOBITS &&
            !strcmp(text_at(p, head.e_shstrndx, s.sh_name), name))
            visit(to, p->image.data + s.sh_offset, s.sh_size);
    }
}

/* Editions are recognised by calls that were added or removed. */
static void note_function(void *to, const char *name, uint64_t value, uint64_t size)
{
    struct executable *p = to;

    (void)value;
    (void)size;
    if (!strcmp(name, "__cudaRegisterFatBinary"))
        p->has_own_runtime = true;
    if (!strcmp(name, "cudaThreadSynchronize") && p->own_edition == 13)
        p->own_edition = 11;
    if (!strcmp(name, "cudaGetDeviceProperties_v2"))
        p->own_edition = 12;
}

static void read_sections(struct executable *p, const Elf64_Ehdr *head)
{
    Elf64_Shdr s;

    p->is_stripped = true;
    for (unsigned i = 0; section_at(p, i, &s); i++) {
        const char *name = text_at(p, head->e_shstrndx, s.sh_name);

        if (!strcmp(name, ".nv_fatbin") || !strcmp(name, ".nvFatBinSegment"))
            p->has_kernels = true;
        if (s.sh_type == SHT_SYMTAB)
            p->is_stripped = false;
        if (s.sh_type == SHT_DYNAMIC) {
            p->is_dynamic = true;
            read_dynamic(p, &s);
        }
    }
}

int executable_read(struct executable *p, const char *path, struct err *err)
{
    Elf64_Ehdr head;

    *p = (struct executable){ 0 };
    if (file_read(path, MAX_PROGRAM, &p->image, err))
        return -1;
    if (p->image.size < sizeof head || memcmp(p->image.data, ELFMAG, SELFMAG))
        return 0;
    memcpy(&head, p->image.data, sizeof head);
    p->is_elf = true;
    p->is_host = head.e_ident[EI_CLASS] == ELFCLASS64 &&
                 head.e_ident[EI_DATA] == ELFDATA2LSB && head.e_machine == MACHINE &&
                 head.e_shentsize == sizeof(Elf64_Shdr);
    if (!p->is_host)
        return 0;
    p->own_edition = 13;
    read_sections(p, &head);
    executable_functions(p, note_function, p);
    if (p->is_stripped && p->has_kernels && !*p->cudart && !p->needs_cuda)
        p->has_own_runtime = true;
    return 0;
}

bool executable_is_runtime_inside(const struct executable *p)
{
    return p->has_own_runtime && !*p->cudart;
}

int executable_check(const struct executable *p, const char *path, struct err *err)
{
    if (!p->is_elf)
        return 0; /* a script: what it starts finds the libraries */
    if (!p->is_host)
        return err_set(err, "%s: a program for another kind of machine", path);
    if (!executable_is_runtime_inside(p) || (p->is_dynamic && !p->is_stripped))
        return 0;
    return err_set(err,
                   "%s has CUDA's runtime linked into it, nvcc's default, and %s. Link "
                   "it again with the option -cudart shared (nvcc -cudart shared ...; "
                   "with CMake: set CUDA_RUNTIME_LIBRARY to Shared), or leave out %s",
                   path,
                   p->is_dynamic ? "no symbols to find it by" : "takes no libraries",
                   p->is_dynamic ? "strip and -s" : "-static");
}

void executable_free(struct executable *p)
{
    file_free(&p->image);
    *p = (struct executable){ 0 };
}
