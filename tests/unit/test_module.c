/* test_module.c - cubins loaded into a device: addresses, relocated data and code,
 * constant banks, variables, and what cannot be loaded.
 */
/* cmocka.h needs the headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "frontend/sass/load/module.h"

#define DATA       "tests/data/cubin/"
#define SPACE_BASE 0x10000000ull
#define SYSCALL(n) (SASS_SYSCALL_BASE + ((uint64_t)(n) << SASS_SYSCALL_SHIFT))

static const unsigned sms[] = { 75, 86, 90 };

static struct file read_cubin(const char *kind, unsigned sm)
{
    struct file f;
    struct err err;
    char path[256];

    snprintf(path, sizeof path, DATA "%s.sm_%u.cubin", kind, sm);
    if (file_read(path, 1 << 20, &f, &err))
        fail_msg("%s", err.text);
    return f;
}

static void start(struct space *s)
{
    struct err err;

    if (space_init(s, SPACE_BASE, 1 << 24, &err))
        fail_msg("%s", err.text);
}

static void load(struct sass_module *m, struct space *s, const char *kind, unsigned sm)
{
    struct file f = read_cubin(kind, sm);
    struct err err;

    if (sass_module_load(m, s, SASS_CODE_BASE,
                         &(struct sass_image){ kind, f.data, f.size }, &err))
        fail_msg("%s", err.text);
    file_free(&f);
}

static uint64_t global64(const struct sass_module *m, uint64_t addr)
{
    const uint8_t *p = space_at(m->space, addr);

    if (!p)
        fail_msg("0x%llx is not mapped", (unsigned long long)addr);
    return cubin_u64(p);
}

static const struct sass_variable *variable(const struct sass_module *m,
                                            const char *name)
{
    const struct sass_variable *v = sass_module_variable(m, name);

    if (!v)
        fail_msg("no variable %s", name);
    return v;
}

/* Address of a function symbol. */
static uint64_t function(const struct sass_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->cubin.n_symbols; i++)
        if (strcmp(m->cubin.symbols[i].name, name) == 0 && m->cubin.symbols[i].section)
            return m->section_addr[m->cubin.symbols[i].section] +
                   m->cubin.symbols[i].value;
    fail_msg("no function %s", name);
    return 0;
}

static void test_kernels(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct space s;
        struct sass_module m;
        const struct sass_kernel *k;

        start(&s);
        load(&m, &s, "mixed", sms[i]);
        assert_int_equal(m.n_kernels, 4);
        k = sass_module_kernel(&m, "_Z2k1PfPKfi");
        assert_non_null(k);
        assert_int_equal(k->entry, k->text_base);
        assert_int_equal(k->entry % 128, 0);
        assert_in_range(k->entry, SASS_CODE_BASE, sass_module_end(&m) - 1);
        assert_int_equal(k->bank[0].size, (sms[i] == 90 ? 0x210 : 0x160) + 20);
        assert_int_equal(k->bank[3].size, 256);
        assert_ptr_equal(k->bank[3].data, m.bank3.data);
        assert_ptr_equal(k->bank[4].data, m.bank4.data);
        assert_null(k->bank[5].data);
        assert_null(sass_module_kernel(&m, "no"));
        k = sass_module_kernel(&m, "_Z2k2Pii");
        assert_int_equal(k->bank[2].size, 24);
        /* A jump table: offsets inside the section. */
        for (unsigned n = 0; n < 6; n++)
            assert_in_range(cubin_u32(k->bank[2].data + 4 * n), 0x100, 0x1000);
        sass_module_free(&m);
        assert_int_equal(s.used, 0);
        space_free_all(&s);
    }
}

/* Every listed EXIT is one, at the address the section was given. */
static void test_code(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct space s;
        struct sass_module m;

        start(&s);
        load(&m, &s, "mixed", sms[i]);
        for (uint32_t n = 0; n < m.n_kernels; n++) {
            const struct sass_kernel *k = &m.kernels[n];

            assert_true(k->info->n_exits > 0);
            for (uint32_t e = 0; e < k->info->n_exits; e++) {
                uint64_t pc = k->text_base + k->info->exits[e];
                const struct sass_inst *inst = sass_module_inst(&m, pc);

                assert_non_null(inst);
                assert_int_equal(inst->base.pc, pc);
                assert_int_equal(inst->base.op, OP_EXIT);
            }
        }
        assert_null(sass_module_inst(&m, m.code_base - 16));
        assert_null(sass_module_inst(&m, m.code_base + 8));
        assert_null(sass_module_inst(&m, m.code_base + 16 * m.n_code));
        sass_module_free(&m);
        space_free_all(&s);
    }
}

static void test_variables(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct space s;
        struct sass_module m;
        const struct sass_variable *v;
        float four[4];

        start(&s);
        load(&m, &s, "mixed", sms[i]);
        v = variable(&m, "gtab");
        assert_int_equal(v->size, 16);
        assert_false(v->is_constant);
        memcpy(four, space_at(&s, v->addr), sizeof four);
        for (unsigned n = 0; n < 4; n++)
            assert_true(four[n] == (float)(n + 1));
        v = variable(&m, "ctab");
        assert_true(v->is_constant);
        assert_int_equal(v->addr, 0);
        assert_int_equal(v->size, 256);
        assert_int_equal(global64(&m, variable(&m, "gcount")->addr) & UINT32_MAX, 0);
        assert_null(sass_module_variable(&m, "vprintf"));
        /* Bank 4 holds the addresses of variables and of what the machine provides. */
        assert_int_equal(cubin_u64(m.bank4.data), variable(&m, "gcount")->addr);
        assert_int_equal(cubin_u64(m.bank4.data + 8), variable(&m, "gtab")->addr);
        assert_int_equal(cubin_u64(m.bank4.data + 32), SYSCALL(SYSCALL_VPRINTF));
        assert_string_equal(space_at(&s, cubin_u64(m.bank4.data + 16)), "x %d\n");
        sass_module_free(&m);
        space_free_all(&s);
    }
}

/* Pointers in initialised data, with and without an addend. */
static void test_pointers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct space s;
        struct sass_module m;
        uint64_t arr, arri;

        start(&s);
        load(&m, &s, "data", sms[i]);
        arr = variable(&m, "arr")->addr;
        arri = variable(&m, "arri")->addr;
        assert_int_equal(global64(&m, variable(&m, "p1")->addr), arr + 12);
        assert_int_equal(global64(&m, variable(&m, "p2")->addr), arri + 8);
        assert_int_equal(global64(&m, variable(&m, "p2")->addr + 8), arr);
        assert_int_equal(global64(&m, variable(&m, "p2")->addr + 16), arri + 36);
        assert_int_equal(global64(&m, variable(&m, "p2")->addr + 24), 0);
        assert_int_equal(global64(&m, variable(&m, "q")->addr + 8), arr + 28);
        assert_int_equal(cubin_u64(m.bank3.data + variable(&m, "cq")->addr + 8),
                         arri + 4);
        assert_string_equal(space_at(&s, global64(&m, variable(&m, "msg")->addr + 8)),
                            "world");
        sass_module_free(&m);
        space_free_all(&s);
    }
}

/* The instruction that a relocation of this type and symbol patched. */
static struct word patched(const struct sass_module *m, uint32_t type, const char *name,
                           int64_t addend)
{
    for (uint32_t i = 0; i < m->cubin.n_relocs; i++) {
        const struct cubin_reloc *r = &m->cubin.relocs[i];

        if (r->type == type && r->addend == addend &&
            strcmp(m->cubin.symbols[r->symbol].name, name) == 0)
            return sass_module_inst(m, m->section_addr[r->target] + r->offset)->word;
    }
    fail_msg("no relocation %u against %s", type, name);
    return (struct word){ 0 };
}

static void check_address(const struct sass_module *m, const char *name, int64_t addend,
                          uint64_t expected)
{
    struct word lo = patched(m, 56, name, addend), hi = patched(m, 57, name, addend);

    assert_int_equal(word_bits(lo, 32, 32), expected & UINT32_MAX);
    assert_int_equal(word_bits(hi, 32, 32), expected >> 32);
}

static void check_call(const struct sass_module *m, const char *name, uint64_t expected)
{
    struct word w;
    uint64_t target;

    if (m->cubin.sm == 90) {
        w = patched(m, 75, name, 0);
        target = word_bits(w, 16, 8) | word_bits(w, 34, 47) << 8;
    } else {
        w = patched(m, 58, name, 0);
        target = word_bits(w, 34, 47);
    }
    assert_int_equal(target * 4, expected);
    assert_int_equal(word_bits(w, 0, 12), 0x943);
    /* Nothing beside the field was touched. */
    assert_int_equal(word_bits(w, 81, 24), 0x1e0);
}

static void test_linked(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct space s;
        struct sass_module m;
        uint64_t table, ret;

        start(&s);
        load(&m, &s, "linked", sms[i]);
        table = variable(&m, "table")->addr;
        assert_int_equal(global64(&m, table), function(&m, "_Z2f1i"));
        assert_int_equal(global64(&m, table + 8), function(&m, "_Z2f2i"));
        assert_int_equal(global64(&m, table + 16), function(&m, "_Z6ext_fni"));
        assert_int_equal(global64(&m, variable(&m, "pv")->addr),
                         variable(&m, "ext_var")->addr);
        assert_int_equal(cubin_u64(m.bank3.data + variable(&m, "cptr")->addr),
                         variable(&m, "ext_var")->addr);
        check_address(&m, "table", 0, table);
        check_address(&m, "big", 0, variable(&m, "big")->addr);
        ret = sms[i] == 75 ? 0x120 : sms[i] == 90 ? 0x1a0 : 0;
        if (ret)
            check_address(&m, "_Z2kaPii", (int64_t)ret, function(&m, "_Z2kaPii") + ret);
        check_call(&m, "_Z6ext_fni", function(&m, "_Z6ext_fni"));
        check_call(&m, "vprintf", SYSCALL(SYSCALL_VPRINTF));
        check_call(&m, "malloc", SYSCALL(SYSCALL_MALLOC));
        check_call(&m, "free", SYSCALL(SYSCALL_FREE));
        check_call(&m, "__assertfail", SYSCALL(SYSCALL_ASSERTFAIL));
        sass_module_free(&m);
        assert_int_equal(s.used, 0);
        space_free_all(&s);
    }
}

static void test_two_modules(void **state)
{
    struct space s;
    struct sass_module a, b;
    struct file f = read_cubin("data", 86);
    struct err err;

    (void)state;
    start(&s);
    load(&a, &s, "linked", 86);
    assert_int_equal(sass_module_load(&b, &s, sass_module_end(&a),
                                      &(struct sass_image){ "b", f.data, f.size },
                                      &err),
                     0);
    assert_int_equal(b.code_base % 128, 0);
    assert_true(b.code_base >= a.code_base + 16 * a.n_code);
    assert_null(sass_module_inst(&a, b.kernels[0].entry));
    assert_int_not_equal(a.globals, b.globals);
    sass_module_free(&a);
    assert_non_null(space_at(&s, variable(&b, "arr")->addr));
    sass_module_free(&b);
    assert_int_equal(s.used, 0);
    file_free(&f);
    space_free_all(&s);
}

static void test_place(void **state)
{
    struct space s;
    struct sass_module m;
    char text[128];
    uint64_t pc;

    (void)state;
    start(&s);
    load(&m, &s, "mixed", 90);
    pc = sass_module_kernel(&m, "_Z2k3PdPy")->entry;
    sass_module_place(&m, pc + 0x20, text, sizeof text);
    assert_string_equal(text, "_Z2k3PdPy+0x20");
    sass_module_place(&m, pc + 0xff0, text, sizeof text);
    assert_string_equal(text, "$__internal_1_$__cuda_sm20_div_u64+0x0");
    sass_module_place(&m, 0x1230, text, sizeof text);
    assert_string_equal(text, "0x1230");
    sass_module_place(&m, pc, text, 5);
    assert_string_equal(text, "_Z2k");
    sass_module_free(&m);
    space_free_all(&s);
}

static void expect(const struct file *f, const char *text)
{
    struct space s;
    struct sass_module m;
    struct err err = { 0 };

    start(&s);
    assert_int_equal(
        sass_module_load(&m, &s, SASS_CODE_BASE,
                         &(struct sass_image){ "x.cubin", f->data, f->size }, &err),
        -1);
    if (!strstr(err.text, text) || strncmp(err.text, "x.cubin: ", 9) != 0)
        fail_msg("message is \"%s\", expected \"%s\" in it", err.text, text);
    assert_int_equal(s.used, 0);
    space_free_all(&s);
}

static void test_object(void **state)
{
    struct file f = read_cubin("object", 75);

    (void)state;
    expect(&f, "is a relocatable object, expected a linked cubin");
    file_free(&f);
}

static void test_undefined(void **state)
{
    struct file f = read_cubin("mixed", 75);
    uint8_t *name = memmem(f.data, f.size, "\0vprintf", 9);

    (void)state;
    assert_non_null(name);
    name[1] = 'x';
    expect(&f, "function xprintf is not defined");
    expect(&f, ".nv.constant4+0x20: relocation 2 (R_CUDA_64) against xprintf");
    file_free(&f);
}

static void test_unknown_relocation(void **state)
{
    struct file f = read_cubin("mixed", 75);
    struct cubin c;
    struct err err;
    uint32_t section;

    (void)state;
    assert_int_equal(cubin_parse(&c, "x", f.data, f.size, &err), 0);
    section = cubin_find_section(&c, ".rel.nv.constant4");
    f.data[c.sections[section].offset + 8] = 200;
    expect(&f, ".nv.constant4+0x20: relocation 200 (unknown) against vprintf");
    f.data[c.sections[section].offset + 8] = 6;
    expect(&f, "R_CUDA_TEX_HEADER_INDEX");
    /* A field that runs past the end of the section. */
    f.data[c.sections[section].offset + 8] = 2;
    f.data[c.sections[section].offset] = 0x24;
    expect(&f, "R_CUDA_64 needs 8 bytes, 4 are left");
    cubin_free(&c);
    file_free(&f);
}

static void test_too_big(void **state)
{
    struct file f = read_cubin("mixed", 75);
    struct cubin c;
    struct err err;
    uint64_t at;

    (void)state;
    assert_int_equal(cubin_parse(&c, "x", f.data, f.size, &err), 0);
    at = cubin_u64(f.data + 40) + 64 * (uint64_t)cubin_find_section(&c, ".nv.global");
    f.data[at + 32 + 3] = 0x80; /* 2 GB */
    expect(&f, ".nv.global has 0x80000004 bytes, more than the device");
    f.data[at + 32 + 3] = 0;
    f.data[at + 48] = 3;
    expect(&f, "alignment 0x3, expected a power of two");
    cubin_free(&c);
    file_free(&f);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Damaged files load or are refused; either way nothing stays allocated. */
static void test_damaged(void **state)
{
    static const char *const kinds[] = { "data", "linked" };
    uint32_t seed = 99;
    struct space s;

    (void)state;
    start(&s);
    for (unsigned n = 0; n < 6; n++) {
        struct file f = read_cubin(kinds[n & 1], sms[n / 2]);
        uint8_t *copy = malloc(f.size);

        for (unsigned round = 0; round < 400; round++) {
            struct sass_module m;
            struct err err = { 0 };

            memcpy(copy, f.data, f.size);
            for (unsigned k = 0; k <= next_random(&seed) % 3; k++)
                copy[64 + next_random(&seed) % (f.size - 64)] =
                    (uint8_t)next_random(&seed);
            if (sass_module_load(&m, &s, SASS_CODE_BASE,
                                 &(struct sass_image){ "x", copy, f.size }, &err))
                assert_int_not_equal(err.text[0], 0);
            else
                sass_module_free(&m);
            assert_int_equal(s.used, 0);
        }
        free(copy);
        file_free(&f);
    }
    space_free_all(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),   cmocka_unit_test(test_code),
        cmocka_unit_test(test_variables), cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_linked),    cmocka_unit_test(test_two_modules),
        cmocka_unit_test(test_place),     cmocka_unit_test(test_object),
        cmocka_unit_test(test_undefined), cmocka_unit_test(test_unknown_relocation),
        cmocka_unit_test(test_too_big),   cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
