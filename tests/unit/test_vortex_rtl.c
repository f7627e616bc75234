/* test_vortex_rtl.c - Vortex cores against measurements of their RTL: every row of the
 * tables in docs/validation.md, and that the page shows what is measured here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "micro.h"

static const char *const columns[N_RTL] = { "base", "LOOG", "RRS", "GhOST" };

static void chains_within_a_cycle(void **state)
{
    unsigned bad = 0;

    (void)state;
    assert_true(n_chains >= 25);
    for (size_t i = 0; i < n_chains; i++)
        for (unsigned s = 0; s < N_RTL; s++) {
            double ours = chain_measure(&chains[i], s);

            if (fabs(ours - chains[i].rtl[s]) <= 1)
                continue;
            print_error("%s, %s: RTL %.1f, here %.2f\n", chains[i].name, columns[s],
                        chains[i].rtl[s], ours);
            bad++;
        }
    assert_int_equal(bad, 0);
}

/* True, with a message, if a line is neither near enough nor what misfits.c has. */
static bool is_off(const struct micro_column *c, unsigned line, uint32_t ours)
{
    const struct misfit *m = misfit_find(c, line);
    bool fits = micro_fits(c->rtl[line], ours);

    if (m ? m->ours == ours && !fits : fits)
        return false;
    print_error("%s, %s, pass %u: RTL %u, here %u%s\n", c->title,
                c->program->rows[line / c->program->n_passes],
                line % c->program->n_passes, c->rtl[line], ours,
                !m     ? ""
                : fits ? ", which fits: no misfit any more"
                       : ", not what misfits.c says");
    return true;
}

static void micro_within_five_percent_or_listed(void **state)
{
    unsigned bad = 0;

    (void)state;
    for (size_t i = 0; i < n_micro_columns; i++) {
        uint32_t ours[MICRO_LINES];

        assert_int_equal(micro_measure(&micro_columns[i], ours), 0);
        for (unsigned n = 0; n < micro_lines(micro_columns[i].program); n++)
            bad += is_off(&micro_columns[i], n, ours[n]);
    }
    assert_int_equal(bad, 0);
}

static void page_shows_the_tables(void **state)
{
    static void (*const tables[])(struct buf * out) = { chain_table, micro_table };
    struct file page;
    struct err err = { 0 };
    unsigned missing = 0;

    (void)state;
    if (file_read("docs/validation.md", 1 << 20, &page, &err))
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < 2; i++) {
        struct buf want = { 0 };

        tables[i](&want);
        if (!memmem(page.data, page.size, want.data, want.len)) {
            print_error("docs/validation.md does not have this table:\n%s", want.data);
            missing++;
        }
        buf_free(&want);
    }
    file_free(&page);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_within_a_cycle),
        cmocka_unit_test(micro_within_five_percent_or_listed),
        cmocka_unit_test(page_shows_the_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
