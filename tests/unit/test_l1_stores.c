/* test_l1_stores.c - which words that a thread has stored it finds in L1, against an H200:
 * tests/h200/stores.txt, made by tools/hw/stores.cu.
 *
 * A line of that file is STRIDE MODE OFFSET:WIDTH+CYCLES... | MASKS | MASKS | MASKS: stores
 * of one lane, each with the cycles to the next, repeated STRIDE bytes further on; then for
 * each of three readings the 8-byte words that missed, as bits, one number per line.
 */
#include <stdio.h>

#include "mem_rig.h"

enum {
    READ_DOWN = 2,
    READ_FIRST = 4,
    LAPS = 3,
    MOST_LINES = 17,
    RIG_STORE_WIDE = 5, /* a store of 16 bytes */
    RIG_STORE_8 = 6,
    /* Patterns that differ. In most of them a thread of the H200 stores for a while
     * faster than L1 accepts it, so that 11 to 16 cycles between two stores become
     * fewer. */
    MISFITS = 21,
};

struct pattern {
    unsigned stride, mode, n_lines;
    unsigned masks[LAPS][MOST_LINES];
};

static void make_rig(struct rig *r)
{
    struct l1_params *l1 = &r->lc.l1;

    rig_defaults(r, 1);
    l1->write = CACHE_WRITE_THROUGH;
    l1->allocate = CACHE_ALLOCATE_FILL;
    l1->store_fills = true;
    l1->store_cycles = 17;
    l1->store_join = 10;
    l1->miss_queue = 64;
    l1->banks = 1;
    l1->bank_bytes = LINE_BYTES;
    r->lc.lsu.coalesce = 1;
    r->lc.lsu.queue = 9;
    rig_build(r);
    r->inst[RIG_LOAD].bytes = 8;
    r->inst[RIG_STORE_WIDE] = r->inst[RIG_STORE_8] = r->inst[RIG_STORE];
    r->inst[RIG_STORE_WIDE].bytes = 16;
    r->inst[RIG_STORE_8].bytes = 8;
}

static void take_one_lane(struct rig *r, unsigned op, uint64_t at)
{
    struct uop *u = rig_uop(r, 0, (enum rig_op)op, SPACE_GLOBAL, at, 0);

    assert_non_null(u);
    u->dyn.mask = u->dyn.active = 1;
    rig_take(r, 0, u);
}

/* The stores of a pattern, from this address on. */
static void store_all(struct rig *r, const char *text, uint64_t base)
{
    unsigned offset, width, cycles;
    int used;

    while (sscanf(text, " %u:%u+%u%n", &offset, &width, &cycles, &used) == 3) {
        take_one_lane(r,
                      width == 16  ? RIG_STORE_WIDE
                      : width == 8 ? RIG_STORE_8
                                   : RIG_STORE,
                      base + offset);
        for (unsigned i = 0; i < cycles; i++)
            rig_step(r);
        text += used;
    }
    rig_drain(r, 4000);
}

static bool misses(struct rig *r, uint64_t at)
{
    uint64_t hits = lsu_stats(r->lsu[0])->l1_read_hits;

    take_one_lane(r, RIG_LOAD, at);
    rig_drain(r, 4000);
    return lsu_stats(r->lsu[0])->l1_read_hits == hits;
}

static unsigned read_line(struct rig *r, uint64_t line, bool down)
{
    unsigned mask = 0;

    for (unsigned k = 0; k < 16; k++) {
        unsigned w = down ? 15 - k : k;

        mask |= (unsigned)misses(r, line + 8 * w) << w;
    }
    return mask;
}

static void perform_pattern(struct pattern *p, const char *stores)
{
    unsigned bytes;
    struct rig r;

    p->n_lines = p->stride % LINE_BYTES ? MOST_LINES : p->stride / LINE_BYTES;
    bytes = p->n_lines * LINE_BYTES;
    make_rig(&r);
    for (unsigned at = 0; p->mode & READ_FIRST && at < bytes; at += 32)
        misses(&r, at);
    for (unsigned at = 0; at < bytes; at += p->stride)
        store_all(&r, stores, at);
    for (unsigned lap = 0; lap < LAPS; lap++)
        for (unsigned l = 0; l < p->n_lines; l++)
            p->masks[lap][l] = read_line(&r, l * LINE_BYTES, p->mode & READ_DOWN);
    rig_free(&r);
}

/* The same masks as in the text "| 1111 0000 | ..."? */
static bool is_as_measured(const struct pattern *p, const char *text)
{
    for (unsigned lap = 0; lap < LAPS; lap++) {
        text = strchr(text, '|') + 1;
        for (unsigned l = 0; l < p->n_lines; l++)
            if (strtoul(text, (char **)(uintptr_t)&text, 16) != p->masks[lap][l])
                return false;
    }
    return true;
}

static void words_are_found_as_on_an_h200(void **state)
{
    FILE *f = fopen("tests/h200/stores.txt", "r");
    unsigned n = 0, misfits = 0;
    char line[2048];

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        struct pattern p = { 0 };
        int used;

        if (sscanf(line, "%u %u%n", &p.stride, &p.mode, &used) != 2)
            continue;
        perform_pattern(&p, line + used);
        n++;
        if (!is_as_measured(&p, line)) {
            misfits++;
            print_message("%s", line);
        }
    }
    fclose(f);
    assert_true(n > 500);
    assert_int_equal(misfits, MISFITS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found_as_on_an_h200),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
