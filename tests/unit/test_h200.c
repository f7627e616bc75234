/* test_h200.c - the h200 machine against the measurements of an H200, row by row.
 *
 * --table [PART] prints rows as Markdown (docs/h200.md).
 */
#include <math.h>
#include <string.h>

#include "../h200/rows.h"
#include "check.h"

static void judge(const struct report *r)
{
    unsigned bad = 0;

    for (size_t k = 0; k < r->n; k++) {
        const struct row *row = &r->row[k];
        const struct misfit *m = misfit_of(row);
        bool good =
            m ? fabs(row->ours - m->ours) < 0.006 * fabs(m->ours) && !row_fits(row)
              : row_fits(row);

        if (good)
            continue;
        print_error("%s: %s: measured %.4g, here %.4g%s\n", row->section, row->name,
                    row->measured, row->ours,
                    !m              ? ""
                    : row_fits(row) ? ", which fits: no misfit any more"
                                    : ", not what misfits.c says");
        bad++;
    }
    assert_int_equal(bad, 0);
}

static void run_part(void (*part)(struct report *r))
{
    struct report r = { 0 };

    part(&r);
    judge(&r);
    report_free(&r);
}

#define PART(name)                 \
    static void name(void **state) \
    {                              \
        (void)state;               \
        run_part(rows_##name);     \
    }
PART(pipes)
PART(banks)
PART(fixed)
PART(latency)
PART(control)
PART(memory)
PART(bandwidth)
PART(scheduler)
PART(fetch)
PART(compiled)
PART(async)

/* Every scheme runs asynchronous work or refuses it by name; sleeping changes nothing. */
static void async_schemes(void **state)
{
    (void)state;
    assert_int_equal(async_count_wrong(), 0);
}

static const struct {
    const char *name;
    void (*part)(struct report *r);
} parts[] = {
    { "pipes", rows_pipes },     { "banks", rows_banks },
    { "fixed", rows_fixed },     { "latency", rows_latency },
    { "control", rows_control }, { "scheduler", rows_scheduler },
    { "memory", rows_memory },   { "bandwidth", rows_bandwidth },
    { "fetch", rows_fetch },     { "compiled", rows_compiled },
    { "async", rows_async },
};

/* All parts, or one. */
static int print_table(const char *only)
{
    struct report r = { 0 };

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (!only || !strcmp(only, parts[k].name))
            parts[k].part(&r);
    report_print(&r, stdout);
    report_free(&r);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipes),     cmocka_unit_test(banks),
        cmocka_unit_test(fixed),     cmocka_unit_test(latency),
        cmocka_unit_test(control),   cmocka_unit_test(memory),
        cmocka_unit_test(bandwidth), cmocka_unit_test(scheduler),
        cmocka_unit_test(fetch),     cmocka_unit_test(compiled),
        cmocka_unit_test(async),     cmocka_unit_test(async_schemes),
    };

    if (argc > 1 && !strcmp(argv[1], "--table"))
        return print_table(argc > 2 ? argv[2] : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
