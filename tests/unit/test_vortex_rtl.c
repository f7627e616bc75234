/* test_vortex_rtl.c - Vortex cores against measurements of their RTL: every row of the
 * tables in docs/validation.md, and that the page shows what is measured here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "tables.h"

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

/* Rows that are not met must not be met by more than is said of them either. */
static unsigned compare(const char *name, const char *column, double rtl, double ours,
                        double apart)
{
    double off = rtl > 0 ? fabs(ours / rtl - 1) : 0;
    double most = apart > 0 ? apart : .05;

    if (off <= most && (apart <= 0 || off > .05))
        return 0;
    print_error("%s, %s: RTL %.3f, here %.3f, %.1f %% apart, expected %.0f at most%s\n",
                name, column, rtl, ours, 100 * off, 100 * most,
                off <= .05 ? " and more than 5: take it off the list" : "");
    return 1;
}

static void throughputs_within_five_percent_or_listed(void **state)
{
    unsigned bad = 0;

    (void)state;
    for (size_t i = 0; i < n_throughputs; i++) {
        const struct throughput *t = &throughputs[i];

        for (unsigned s = 0; s < N_RTL; s++)
            bad += compare(t->name, columns[s], t->rtl[s], throughput_measure(t, s, 4),
                           t->apart[s]);
        for (unsigned s = 0; s < 2; s++)
            bad += compare(t->name, columns[s], t->wide[s],
                           throughput_measure(t, s, 16), t->wide_apart[s]);
    }
    assert_int_equal(bad, 0);
}

static void page_shows_the_tables(void **state)
{
    static void (*const tables[])(struct buf * out) = { chain_table, throughput_table };
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
        cmocka_unit_test(throughputs_within_five_percent_or_listed),
        cmocka_unit_test(page_shows_the_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
