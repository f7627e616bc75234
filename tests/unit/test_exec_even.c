/* test_exec_even.c - loads and stores, even lanes or not, against what they mean
 * lane by lane.
 */
#include <stdio.h>

#include "exec_rig.h"
#include "frontend/sass/exec/view.h"

#define R ((struct rig *)*state)

enum { N_ROUNDS = 20000, PIECE = 512, APART = 768, REGION = 4 * APART };

static uint32_t draw(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* One access: where it starts, and what it should find and leave. */
struct access {
    bool is_shared, is_store;
    unsigned bytes, scale, bad_lane; /* WARP_LANES: none */
    uint32_t mask;
    uint64_t addr[WARP_LANES], first; /* of the region */
    uint8_t memory[REGION];
    bool is_written[REGION];
};

/* Global memory: pieces with a granule between them, and one that is not there. */
static bool is_there(const struct access *a, uint64_t offset)
{
    if (a->is_shared)
        return offset < RIG_SHARED;
    return offset < REGION && offset % APART < PIECE && offset / APART != 2;
}

static void make_addresses(struct access *a, uint64_t *s)
{
    static const int steps[] = { 4, 4, 4, 0, 8, -4, -8, 12, 32, 2 };
    int64_t stride = steps[draw(s) % 10] * (int64_t)a->bytes / 4;
    int64_t base = draw(s) % (REGION / 64) * 16, half = draw(s) % 32 * 16;
    unsigned shape = draw(s) % 8, odd = draw(s) % WARP_LANES;

    if (stride < 0)
        base += PIECE / 2;
    if (shape < 4)
        half = 16 * stride;
    LANES(l) {
        a->addr[l] = a->first + (uint64_t)(base + l % 16 * stride + l / 16 * half);
        if (shape == 7)
            a->addr[l] = a->first + draw(s) % (PIECE / 16) * 16;
    }
    if (shape == 6)
        a->addr[odd] += 16;
    if (a->scale)
        LANES(l)
            a->addr[l] &= ~(uint64_t)3;
}

static void make(struct rig *r, struct access *a, uint64_t *s)
{
    a->is_shared = draw(s) % 2;
    a->is_store = draw(s) % 2;
    a->bytes = 1u << draw(s) % 5;
    a->scale = a->is_shared && draw(s) % 3 == 0 ? 2 : 0;
    a->first = a->is_shared ? 0 : r->global;
    a->mask = draw(s) % 2 ? ALL_LANES : draw(s) << 1 ^ draw(s);
    if (draw(s) % 4 == 0)
        a->mask &= 0x7ffe7ffe;
    make_addresses(a, s);
    a->bad_lane = WARP_LANES;
    LANES(l)
        if (a->mask >> l & 1 && a->bad_lane == WARP_LANES &&
            (a->addr[l] % a->bytes || !is_there(a, a->addr[l] - a->first)))
            a->bad_lane = l;
}

static uint8_t *memory_of(struct rig *r, const struct access *a)
{
    return a->is_shared ? r->shared : r->space.bytes + (r->global - r->space.base);
}

/* Registers: R0:R1 the address less 16, R4 and up the data. */
static void prepare(struct rig *r, struct access *a, uint64_t *s)
{
    LANES(l) {
        uint64_t v = (a->addr[l] - 16) >> a->scale;

        row(r, 0)[l] = (uint32_t)v;
        row(r, 1)[l] = (uint32_t)(v >> 32);
    }
    for (unsigned k = 0; k < 4; k++)
        LANES(l)
            row(r, 4 + k)[l] = draw(s);
    for (unsigned k = 0; k < (a->is_shared ? RIG_SHARED : REGION); k++)
        if (is_there(a, k))
            memory_of(r, a)[k] = (uint8_t)draw(s);
    memcpy(a->memory, memory_of(r, a), a->is_shared ? RIG_SHARED : REGION);
    memset(a->is_written, 0, sizeof a->is_written);
}

/* What a lane should do, in memory or to the registers. */
static void model(struct rig *r, struct access *a, uint32_t (*regs)[WARP_LANES])
{
    unsigned n = a->bytes < 4 ? a->bytes : 4; /* of each register */

    for (unsigned k = 0; 4 * k < a->bytes; k++)
        LANES(l) {
            uint8_t *at = a->memory + (a->addr[l] - a->first) + 4 * k;

            if (!(a->mask >> l & 1))
                continue;
            if (a->is_store) {
                memcpy(at, &row(r, 4 + k)[l], n);
                memset(a->is_written + (at - a->memory), true, n);
            } else {
                regs[k][l] = 0;
                memcpy(&regs[k][l], at, n);
            }
        }
}

static struct sass_inst access_inst(const struct access *a)
{
    static const unsigned sizes[] = { 0, 2, 4, 5, 6 }; /* U8, U16, words */
    struct operand where = at(0, 16, a->is_shared ? 0 : OPD_WIDE);
    unsigned size = sizes[__builtin_ctz(a->bytes)];
    struct sass_inst i;

    where.scale = (uint8_t)a->scale;
    i = a->is_store ? inst(OP_STG, SLOTS(where, reg(4)), BITS(73, size))
                    : inst(OP_LDG, SLOTS(pt(), reg(4), where, pt()), BITS(73, size));
    i.base.space = a->is_shared ? SPACE_SHARED : SPACE_GLOBAL;
    i.base.memory = a->is_store ? INST_WRITES : INST_READS;
    return i;
}

/* With a view: the SM has written pieces of the region before, in the same window. */
static void write_before(struct rig *r, struct access *a, uint64_t *s)
{
    struct view *v = view_of_part(r->grid.views, r->grid.view);

    for (unsigned n = draw(s) % 4; n; n--) {
        uint32_t at = draw(s) % (REGION / 16) * 16;
        struct view_line *l;

        if (!is_there(a, at))
            continue;
        l = view_write(v, a->first + at, memory_of(r, a) + at);
        for (unsigned k = 0; k < 16; k++)
            a->memory[at + k] = l->data[(a->first + at) % VIEW_LINE + k] =
                (uint8_t)draw(s);
        view_mark_range(l, a->first + at, 16);
        memset(a->is_written + at, true, 16);
    }
}

/* What it wrote becomes visible, nothing was before, and bytes beside it stay as others
 * write them meanwhile. */
static void end_window(struct rig *r, struct access *a, const uint8_t *before)
{
    assert_memory_equal(memory_of(r, a), before, REGION);
    for (unsigned k = 0; k < REGION; k++)
        if (is_there(a, k) && !a->is_written[k])
            a->memory[k] = ++memory_of(r, a)[k];
    views_end_window(r->grid.views, 0);
}

static void check(struct rig *r, struct access *a)
{
    uint32_t regs[4][WARP_LANES];
    uint8_t before[REGION];
    bool has_view = r->grid.views && !a->is_shared;
    enum exec_result got;

    memcpy(before, memory_of(r, a), a->is_shared ? RIG_SHARED : REGION);
    for (unsigned k = 0; k < 4; k++)
        memcpy(regs[k], row(r, 4 + k), sizeof regs[k]);
    r->w.dyn = &r->dyn;
    r->dyn.mask = a->mask;
    got = run_inst(r, access_inst(a), a->mask);
    if (a->bad_lane < WARP_LANES) {
        char lane[16];

        if (has_view)
            views_end_window(r->grid.views, 0);

        snprintf(lane, sizeof lane, "(lane %u)", a->bad_lane);
        assert_int_equal(got, EXEC_ERROR);
        assert_non_null(strstr(r->err.text, lane));
        return;
    }
    assert_int_equal(got, EXEC_NEXT);
    model(r, a, regs);
    if (has_view)
        end_window(r, a, before);
    for (unsigned k = 0; k < 4; k++)
        assert_memory_equal(row(r, 4 + k), regs[k], sizeof regs[k]);
    assert_memory_equal(memory_of(r, a), a->memory, a->is_shared ? RIG_SHARED : REGION);
    LANES(l)
        if (a->mask >> l & 1)
            assert_int_equal(addresses_at(&r->dyn.addr, l), a->addr[l]);
}

static void bytes_come_and_go_lane_by_lane(void **state)
{
    uint64_t seed = 1, pieces[4];
    unsigned n_good = 0, n_even = 0;

    assert_int_equal(space_release(&R->space, R->global, &R->err), 0);
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(space_alloc(&R->space, PIECE, 256, &pieces[k], &R->err), 0);
    assert_int_equal(space_release(&R->space, pieces[2], &R->err), 0);
    R->global = pieces[0];
    assert_int_equal(pieces[3], R->global + 3 * APART);
    for (unsigned n = 0; n < N_ROUNDS; n++) {
        struct access a;

        make(R, &a, &seed);
        prepare(R, &a, &seed);
        if (R->grid.views && !a.is_shared)
            write_before(R, &a, &seed);
        check(R, &a);
        n_good += a.bad_lane == WARP_LANES;
        n_even += a.bad_lane == WARP_LANES && R->dyn.addr.stride != UNEVEN;
    }
    assert_in_range(n_good, N_ROUNDS / 4, N_ROUNDS);
    assert_in_range(n_even, n_good / 2, n_good - n_good / 20);
}

/* The same as an SM of a timed launch sees it. */
static void so_they_do_in_windows(void **state)
{
    static const struct kernel_turns always = { NULL, NULL };

    R->grid.views = views_new(2, &R->err);
    assert_non_null(R->grid.views);
    views_begin(R->grid.views, &always);
    R->grid.view = views_each(R->grid.views);
    view_begin_part(R->grid.views, 0, 0);
    bytes_come_and_go_lane_by_lane(state);
    views_free(R->grid.views);
    R->grid.views = NULL;
    R->grid.view = NULL;
}

/* Lower words that overflow come from 0 again, where nothing is, while the addresses that
 * the steps lead to exist. */
static void lower_words_overflow_alone(void **state)
{
    struct access a = { .bytes = 4, .mask = ALL_LANES };
    struct sass_inst i = access_inst(&a);
    uint64_t at;

    space_free_all(&R->space);
    assert_int_equal(space_init(&R->space, 0xfffff000, 1 << 20, &R->err), 0);
    assert_int_equal(space_alloc(&R->space, 1 << 16, 256, &at, &R->err), 0);
    assert_in_range(at, 0xfffff000, 0xffffffff);
    i.opd[LDG_ADDRESS].imm = 0;
    LANES(l)
        row(R, 0)[l] = 0xffffffa0 + 4 * l;
    fill(R, 1, 0);
    refuse(R, i, ERR_FAULT, "illegal address 0x0 (lane 24)");
    LANES(l)
        row(R, 1)[l] = l >= 24;
    assert_int_equal(run_inst(R, i, ALL_LANES), EXEC_NEXT);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_setup, rig_teardown)
        TEST(bytes_come_and_go_lane_by_lane),
        TEST(so_they_do_in_windows),
        TEST(lower_words_overflow_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
