/* test_riscv_load.c - ELF files and .vxbin: what is loaded, and what is refused. */
#include <elf.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "frontend/riscv/riscv.h"

/* A program of one segment with a symbol table, every field of which can be spoilt. */
struct program {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    Elf32_Shdr sections[3]; /* none, symbols, their names */
    Elf32_Sym symbols[2];
    char names[16];
    uint8_t bytes[8];
};

static struct program good(void)
{
    struct program p = {
        .header = { .e_type = ET_EXEC,
                    .e_machine = EM_RISCV,
                    .e_version = EV_CURRENT,
                    .e_entry = 0x80000004,
                    .e_phoff = offsetof(struct program, segment),
                    .e_phentsize = sizeof(Elf32_Phdr),
                    .e_phnum = 1,
                    .e_shoff = offsetof(struct program, sections),
                    .e_shentsize = sizeof(Elf32_Shdr),
                    .e_shnum = 3 },
        .segment = { .p_type = PT_LOAD,
                     .p_offset = offsetof(struct program, bytes),
                     .p_vaddr = 0x1000,
                     .p_paddr = 0x80000000,
                     .p_filesz = 8,
                     .p_memsz = 0x3010 },
        .sections = { [1] = { .sh_type = SHT_SYMTAB,
                              .sh_offset = offsetof(struct program, symbols),
                              .sh_size = sizeof p.symbols,
                              .sh_link = 2 },
                      [2] = { .sh_type = SHT_STRTAB,
                              .sh_offset = offsetof(struct program, names),
                              .sh_size = sizeof p.names } },
        .symbols = { { .st_name = 1, .st_value = 0x1234 },
                     { .st_name = 8, .st_value = 0x80001000 } },
        .names = "\0toxost\0tohost",
        .bytes = { 1, 2, 3, 4, 5, 6, 7, 8 },
    };

    memcpy(p.header.e_ident, ELFMAG, SELFMAG);
    p.header.e_ident[EI_CLASS] = ELFCLASS32;
    p.header.e_ident[EI_DATA] = ELFDATA2LSB;
    return p;
}

static int load(struct riscv_memory *m, const void *data, size_t size,
                struct riscv_image *image, struct err *err)
{
    return riscv_load(m, "it", data, size, image, err);
}

static void elf_files(void **state)
{
    struct riscv_memory *m = riscv_memory_new(NULL);
    struct program p = good();
    struct riscv_image image;
    struct err err = { 0 };
    uint8_t old[0x3011], bytes[0x3011];

    (void)state;
    memset(old, 0xee, sizeof old);
    assert_int_equal(riscv_memory_write(m, 0x80000000, old, sizeof old, &err), 0);
    assert_int_equal(load(NULL, &p, sizeof p, &image, &err), 0); /* only looks */
    assert_int_equal(riscv_memory_read(m, 0x80000000, bytes, sizeof bytes, &err), 0);
    assert_memory_equal(bytes, old, sizeof old);
    assert_int_equal(load(m, &p, sizeof p, &image, &err), 0);
    assert_int_equal(image.start, 0x80000004);
    assert_int_equal(image.low, 0x80000000);
    assert_int_equal(image.high, 0x80003010);
    assert_int_equal(image.tohost, 0x80001000);
    assert_int_equal(image.code_high, 0); /* nothing to execute */
    p.segment.p_flags = PF_X;
    assert_int_equal(load(m, &p, sizeof p, &image, &err), 0);
    assert_int_equal(image.code_low, 0x80000000);
    assert_int_equal(image.code_high, 0x80000008);
    assert_int_equal(riscv_memory_read(m, 0x80000000, bytes, sizeof bytes, &err), 0);
    assert_memory_equal(bytes, p.bytes, sizeof p.bytes);
    for (unsigned n = 8; n < 0x3010; n++)
        assert_int_equal(bytes[n], 0);
    assert_int_equal(bytes[0x3010], 0xee);
    riscv_memory_free(m);
}

/* A broken table of symbols is none: the program can still run. */
static void symbols_that_are_broken(void **state)
{
    struct program p;
    struct riscv_image image;

    (void)state;
#define SPOILT(change)                                           \
    p = good();                                                  \
    change;                                                      \
    assert_int_equal(load(NULL, &p, sizeof p, &image, NULL), 0); \
    assert_int_equal(image.tohost, 0)
    SPOILT(p.names[9] = 'x');
    SPOILT(p.header.e_shnum = 1);
    SPOILT(p.header.e_shoff = 0xffffffff);
    SPOILT(p.header.e_shentsize = 39);
    SPOILT(p.sections[1].sh_link = 3);
    SPOILT(p.sections[1].sh_type = SHT_NULL);
    SPOILT(p.sections[1].sh_offset = 0xfffffff0);
    SPOILT(p.sections[1].sh_size = 0xffffffff);
    SPOILT(p.sections[1].sh_size = sizeof(Elf32_Sym) * 2 - 1);
    SPOILT(p.sections[2].sh_size = 14);
    SPOILT(p.sections[2].sh_offset = sizeof p - 4);
    SPOILT(p.symbols[1].st_name = 0xffffffff);
}

static void files_that_are_refused(void **state)
{
    struct program p;
    struct riscv_image image;

    (void)state;
#define REFUSED(change, words)                                        \
    do {                                                              \
        struct err err = { 0 };                                       \
        p = good();                                                   \
        change;                                                       \
        assert_int_equal(load(NULL, &p, sizeof p, &image, &err), -1); \
        assert_int_equal(err.code, ERR_INPUT);                        \
        assert_non_null(strstr(err.text, "it: "));                    \
        assert_non_null(strstr(err.text, words));                     \
    } while (0)
    REFUSED(p.header.e_ident[EI_CLASS] = ELFCLASS64, "expected 32-bit");
    REFUSED(p.header.e_ident[EI_DATA] = ELFDATA2MSB, "expected 32-bit");
    REFUSED(p.header.e_machine = EM_ARM, "expected 243");
    REFUSED(p.header.e_type = ET_REL, "expected 2");
    REFUSED(p.header.e_phentsize = 31, "program headers");
    REFUSED(p.header.e_phoff = 0xffffffff, "program headers");
    REFUSED(p.header.e_phnum = 0xffff, "program headers");
    REFUSED(p.header.e_phnum = 0, "no segment");
    REFUSED(p.segment.p_type = PT_NOTE, "no segment");
    REFUSED(p.segment.p_memsz = 0, "no segment");
    REFUSED(p.segment.p_offset = 0xffffffff, "inside the file");
    REFUSED(p.segment.p_filesz = 9, "inside the file");
    REFUSED(p.segment.p_memsz = 7, "room");
    REFUSED(p.segment.p_paddr = 0xffffcff1, "room");
}

static void vxbin_files(void **state)
{
    struct riscv_memory *m = riscv_memory_new(NULL);
    struct {
        uint64_t low, high;
        uint8_t bytes[8];
    } f = { 0x80000000, 0x80000010, { 1, 2, 3, 4, 5, 6, 7, 8 } };
    uint8_t bytes[17], old[17];
    struct riscv_image image;
    struct err err = { 0 };

    (void)state;
    memset(old, 0xee, sizeof old);
    riscv_memory_write(m, 0x80000000, old, sizeof old, &err);
    assert_int_equal(load(m, &f, sizeof f, &image, &err), 0);
    assert_int_equal(image.start, 0x80000000);
    assert_int_equal(image.high, 0x80000010);
    assert_int_equal(image.code_high, 0x80000008);
    assert_int_equal(image.tohost, 0);
    riscv_memory_read(m, 0x80000000, bytes, sizeof bytes, &err);
    assert_memory_equal(bytes, f.bytes, 8);
    assert_memory_equal(bytes + 8, ((uint8_t[8]){ 0 }), 8);
    assert_int_equal(bytes[16], 0xee);
    f.high = 0x80000007; /* more bytes than room */
    assert_int_equal(load(m, &f, sizeof f, &image, &err), -1);
    assert_non_null(strstr(err.text, "neither an ELF file nor a .vxbin"));
    f.high = 0x100000000;
    assert_int_equal(load(m, &f, sizeof f, &image, &err), -1);
    f.high = 0x7fffffff;
    assert_int_equal(load(m, &f, sizeof f, &image, &err), -1);
    assert_int_equal(load(m, &f, 15, &image, &err), -1);
    assert_int_equal(load(m, ELFMAG, 4, &image, &err), -1);
    assert_int_equal(load(m, &f, 0, &image, &err), -1);
    riscv_memory_free(m);
}

/* Gigabytes of zeros cost nothing, and ranges end where the addresses do. */
static void memory(void **state)
{
    struct riscv_memory *m = riscv_memory_new(NULL);
    struct err err = { 0 };
    uint32_t word = 7;

    (void)state;
    assert_int_equal(riscv_memory_write(m, 0xfffffffc, &word, 4, &err), 0);
    assert_int_equal(riscv_memory_write(m, 0xfffffffd, &word, 4, &err), -1);
    assert_int_equal(riscv_memory_read(m, UINT64_MAX, &word, 4, &err), -1);
    assert_int_equal(riscv_memory_write(m, 5, &word, 4, &err), 0);
    assert_int_equal(riscv_memory_clear(m, 6, 0xfffffffa, &err), 0);
    assert_int_equal(riscv_memory_read(m, 0xfffffffc, &word, 4, &err), 0);
    assert_int_equal(word, 0);
    assert_int_equal(riscv_memory_read(m, 5, &word, 4, &err), 0);
    assert_int_equal(word, 7);
    assert_int_equal(riscv_memory_clear(m, 6, 0xfffffffb, &err), -1);
    riscv_memory_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elf_files),
        cmocka_unit_test(symbols_that_are_broken),
        cmocka_unit_test(files_that_are_refused),
        cmocka_unit_test(vxbin_files),
        cmocka_unit_test(memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
