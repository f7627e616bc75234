/* test_cost.c - storage added up from parts: entries, structures, an SM. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cost/area.h"
#include "cost/cost.h"
#include "sim/machine.h"

static const struct core_shape shape = { .n_warps = 32, .n_subcores = 4 };

/* Two structures: one whose fields make up an entry, one of mixed counts. */
static void some_parts(const void *params, const struct core_shape *of, struct part *at)
{
    (void)params;
    *at++ = (struct part){ "buffer", "valid", of->n_warps * 8, 1 };
    *at++ = (struct part){ "buffer", "mask", of->n_warps * 8, 32 };
    *at++ = (struct part){ "table", "bank", of->n_warps * 2, 3 };
    *at++ = (struct part){ "table", "turn", of->n_subcores, 5 };
    *at++ = (struct part){ "table", "bank again", of->n_warps * 2, 1 };
}

static void full_parts(const void *params, const struct core_shape *of, struct part *at)
{
    (void)params, (void)of;
    for (unsigned n = 0; n < MAX_PARTS; n++)
        at[n] = (struct part){ "s", "f", 1, 1 };
}

static void parts_add_up(void **state)
{
    const struct scheme_ops ops = { .parts = some_parts };
    struct cost c;

    (void)state;
    cost_of(&c, &ops, NULL, &shape);
    assert_int_equal(c.n_parts, 5);
    assert_int_equal(c.n_structures, 2);
    assert_int_equal(c.structure[0].entry_bits, 33);
    assert_int_equal(c.structure[0].entries, 256);
    assert_int_equal(c.structure[0].bits, 256 * 33);
    assert_int_equal(c.structure[1].entry_bits, 0);
    assert_int_equal(c.structure[1].entries, 0);
    assert_int_equal(c.structure[1].bits, 64 * 4 + 4 * 5);
    assert_int_equal(c.bits, 256 * 33 + 64 * 4 + 4 * 5);
}

static void a_table_without_an_end_is_not_left(void **state)
{
    const struct scheme_ops ops = { .parts = full_parts };
    struct cost c;

    (void)state;
    cost_of(&c, &ops, NULL, &shape);
    assert_int_equal(c.bits, MAX_PARTS);
}

static void text_and_json_have_the_sums(void **state)
{
    const struct scheme_ops ops = { .parts = some_parts };
    struct buf b = { 0 };
    struct cost c;

    (void)state;
    cost_of(&c, &ops, NULL, &shape);
    cost_text(&c, "SM", &b);
    assert_non_null(
        strstr(b.data, "per entry              33        256         8448"));
    assert_non_null(strstr(b.data, "8724"));
    buf_clear(&b);
    cost_json(&c, &b);
    assert_non_null(strstr(b.data, "\"bits\": 8724, \"structures\": ["));
    assert_non_null(strstr(b.data, "\"entry_bits\": 33, \"entries\": 256"));
    assert_null(strstr(b.data, "\"entry_bits\": 0"));
    buf_free(&b);
}

/* Every scheme names its parts, ends its table, and has a size. */
static void every_scheme_has_a_size(void **state)
{
    struct err err = { 0 };

    (void)state;
    for (size_t i = 0; scheme_at(i); i++) {
        struct machine *m = machine_new("rtx2060s", scheme_at(i)->name, &err);
        struct cost c;

        assert_non_null(m);
        cost_of(&c, m->scheme, m->scheme_params, &shape);
        assert_in_range(c.n_parts, 1, MAX_PARTS - 1);
        for (unsigned n = 0; n < c.n_parts; n++) {
            assert_non_null(c.part[n].field);
            assert_true(c.part[n].count > 0 && c.part[n].bits > 0);
        }
        machine_free(m);
    }
}

/* LOOG on Vortex, 4 warps of 4 threads, as the thesis has it: 8 units, a stack of 12. */
static void vortex_stages_have_sizes(void **state)
{
    enum { INST = 1 + 4 + 32 + 32, WORDS = 4 * 32 };
    static const struct {
        const char *scheme;
        uint64_t bits;
    } rows[] = {
        { "inorder", 4 * 6 * INST + 4 * 64 },
        { "ghost", 8 * (INST + 2 + 16) + 8 * (1 + 2 + 6) + 4 * 6 * INST + 4 * 64 },
        { "loog", 8 * (INST + 2 + 20 + 1 + 3 + 3 + 3 * 3 + 3 * WORDS + 1 + WORDS) +
                      4 * 64 * (1 + 3) + 4 * 20 + WORDS + 5 * (INST + 2) },
        { "loog.rrs", 8 * (INST + 2 + 20 + 1 + 3 + 3 + 3 * 4 + 3 * WORDS + 4) +
                          12 * (1 + 1 + 4 + WORDS) + 4 * 64 * (1 + 4) + 4 * 20 + WORDS +
                          5 * (INST + 2) },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine *m = machine_new("vortex-4x4", rows[i].scheme, NULL);
        struct cost c = { 0 };

        assert_non_null(m);
        m->vortex.issue->parts(&m->vortex, c.part);
        cost_sum(&c);
        assert_int_equal(c.bits, rows[i].bits);
        machine_free(m);
    }
}

/* The blocks of hw/results.ini add up, per warp and per sub-core; flip-flops are those that
 * the papers name: GhOST's entries have 111 bits, SOCGPU's 138 and 7 cells. */
static void modules_add_up(void **state)
{
    static const struct {
        const char *scheme;
        unsigned copies, at_least;
    } rows[] = { { "ghost", 4, 32 * 8 * 111 },
                 { "socgpu", 32, 32 * 8 * (138 + 7) },
                 { "inorder", 32, 32 * (4 * 65 + 255) },
                 /* as its parts; instructions have 95 bits here, of the file 255 */
                 { "turbulence", 32, 32 * (8 * (1 + 95 + 5 + 32) + 32 + 5 + 255) } };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct machine *m = machine_new("rtx2060s-ghost", rows[k].scheme, NULL);
        struct area_sum sum = { 0 };
        const struct area_block *b;
        struct area a;

        assert_non_null(m);
        area_of(&a, m->scheme, m->scheme_params, &shape);
        assert_non_null(a.module);
        assert_int_equal(a.copies, rows[k].copies);
        for (size_t i = 0; (b = area_block_at(i)); i++)
            if (!strcmp(b->module, a.module->name)) {
                sum.flops += b->flops * b->count * a.copies;
                sum.gates += (b->cells - 96.0 * b->flops) / 24 * b->count * a.copies;
            }
        assert_true(sum.gates > 0 && fabs(a.sum.gates - sum.gates) < 1e-3);
        assert_true(fabs(a.sum.flops - sum.flops) < 1e-3);
        assert_true(fabs(a.sum.um2_45 - 0.798 * sum.gates - 4.522 * sum.flops) < 1e-3);
        assert_true(sum.flops >= rows[k].at_least);
        machine_free(m);
    }
}

/* No module, or one with other parameters: a reason in place of a figure. */
static void other_machines_have_no_area(void **state)
{
    static const struct core_shape wide = { .n_warps = 64, .n_subcores = 4 };
    struct machine *m = machine_new("rtx2060s-ghost", "ghost", NULL);
    struct area a;

    (void)state;
    area_of(&a, m->scheme, m->scheme_params, &wide);
    assert_null(a.module);
    assert_string_equal(a.why,
                        "module ghost_unit has 8 warps per sub-core, this machine 16");
    assert_int_equal(machine_set(m, "ghost.rar=on", NULL), 0);
    area_of(&a, m->scheme, m->scheme_params, &shape);
    assert_null(a.module);
    assert_string_equal(a.why, "module ghost_unit has ghost.rar=0, this machine 1");
    machine_free(m);
    m = machine_new("rtx2060s-ghost", "limit", NULL);
    area_of(&a, m->scheme, m->scheme_params, &shape);
    assert_null(a.module);
    assert_string_equal(a.why, "scheme limit has no module in hw/");
    machine_free(m);
}

/* An eliminator has a module per block and one per SM, or none. */
static void eliminators_have_areas(void **state)
{
    struct machine *m = machine_new("rtx2060s-ghost", "inorder+darsie", NULL);
    struct area a;

    (void)state;
    assert_true(area_of_skip(&a, m->skip, m->skip_params, &shape, 0));
    assert_string_equal(a.module->name, "darsie_block");
    assert_int_equal(a.copies, 32);
    assert_true(a.sum.flops >= 32 * (8 * 82 + 32 + 32 * 21));
    assert_true(area_of_skip(&a, m->skip, m->skip_params, &shape, 1));
    assert_string_equal(a.module->name, "darsie_coalescer");
    assert_int_equal(a.copies, 1);
    assert_false(area_of_skip(&a, m->skip, m->skip_params, &shape, 2));
    assert_int_equal(machine_set(m, "darsie.registers=16", NULL), 0);
    assert_true(area_of_skip(&a, m->skip, m->skip_params, &shape, 0));
    assert_null(a.module);
    assert_string_equal(a.why,
                        "module darsie_block has darsie.registers=32, this machine 16");
    machine_free(m);
    m = machine_new("rtx2060s-ghost", "inorder+uv", NULL);
    assert_true(area_of_skip(&a, m->skip, m->skip_params, &shape, 0));
    assert_null(a.module);
    assert_string_equal(a.why, "eliminator uv has no module in hw/");
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(a_table_without_an_end_is_not_left),
        cmocka_unit_test(text_and_json_have_the_sums),
        cmocka_unit_test(every_scheme_has_a_size),
        cmocka_unit_test(vortex_stages_have_sizes),
        cmocka_unit_test(modules_add_up),
        cmocka_unit_test(other_machines_have_no_area),
        cmocka_unit_test(eliminators_have_areas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
