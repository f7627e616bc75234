/* test_hopper.c - mbarriers, bulk copies, clusters, warpgroup products.
 *
 * What recorded kernels show is tested by the instruction suite; here are the rules they
 * do not reach, and what must be refused.
 */
#include "exec_rig.h"
#include "frontend/sass/decode/decode.h"
#include "frontend/sass/decode/operand.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/tensormap.h"
#include "frontend/sass/math/gmma.h"
#include "isa/mbarrier.h"

#define R ((struct rig *)*state)

static uint64_t shared64(struct rig *r, unsigned offset)
{
    uint64_t v;

    memcpy(&v, r->shared + offset, sizeof v);
    return v;
}

static void put_shared(struct rig *r, unsigned offset, uint64_t v)
{
    memcpy(r->shared + offset, &v, sizeof v);
}

static struct mbarrier_change arrive(uint32_t n)
{
    return (struct mbarrier_change){ .arrivals = n };
}

static struct mbarrier_change bytes(int32_t n)
{
    return (struct mbarrier_change){ .bytes = n };
}

/* As compiled code makes the word and takes the count out of it. */
static void word_is_the_compilers(void **state)
{
    uint64_t w = mbarrier_first(32), f = 0x100000 - 32;

    (void)state;
    assert_true(w == (f << 43 | f << 1));
    w = mbarrier_update(w, arrive(3));
    assert_int_equal(0x100000 - (w >> 43 & 0xfffff), 29);
    assert_int_equal(w >> 63, 0);
    w = mbarrier_update(w, arrive(29));
    assert_true(w == ((uint64_t)1 << 63 | f << 43 | f << 1));
    assert_true(mbarrier_is_over(w, false));
    assert_false(mbarrier_is_over(w, true));
}

static void bytes_hold_the_phase(void **state)
{
    uint64_t w = mbarrier_first(2);

    (void)state;
    w = mbarrier_update(w, (struct mbarrier_change){ .arrivals = 1, .bytes = 100 });
    w = mbarrier_update(w, arrive(1));
    assert_false(mbarrier_is_over(w, false));
    w = mbarrier_update(w, bytes(-60));
    assert_false(mbarrier_is_over(w, false));
    w = mbarrier_update(w, bytes(-40));
    assert_true(mbarrier_is_over(w, false));
    /* bytes may come before they are expected */
    w = mbarrier_update(w, bytes(-16));
    w = mbarrier_update(w, arrive(1));
    w = mbarrier_update(w, (struct mbarrier_change){ .arrivals = 1, .bytes = 16 });
    assert_true(mbarrier_is_over(w, true));
    assert_true(w == mbarrier_first(2));
}

static void drop_counts_in_later_phases(void **state)
{
    uint64_t w = mbarrier_first(3);

    (void)state;
    w = mbarrier_update(w, (struct mbarrier_change){ .arrivals = 1, .drops = true });
    w = mbarrier_update(w, arrive(1));
    assert_false(mbarrier_is_over(w, false));
    w = mbarrier_update(w, arrive(1));
    assert_true(mbarrier_is_over(w, false));
    w = mbarrier_update(w, arrive(2));
    assert_true(mbarrier_is_over(w, true));
}

/* sm_86: 2^30 - n below, 2^31 - n above; each phase adds up to the parity bit. */
static void old_word_counts_up(void **state)
{
    uint64_t first = (uint64_t)(0x80000000u - 3) << 32 | (0x40000000u - 3), w = first;

    (void)state;
    for (unsigned phase = 0; phase < 4; phase++) {
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(w >> 63, phase & 1);
            w = mbarrier_arrive_old(w);
        }
        assert_int_equal(w >> 63, !(phase & 1));
    }
    assert_true(w == first);
    w = mbarrier_arrive_old((uint64_t)0x7fffffff << 32 | 0x40000000u); /* all dropped */
    assert_true(w == ((uint64_t)0x80000000u << 32 | 0x40000000u));
}

static void set_ur64(struct rig *r, unsigned n, uint64_t v)
{
    set_uniform(&r->w, n, (uint32_t)v);
    set_uniform(&r->w, n + 1, (uint32_t)(v >> 32));
}

static struct operand uaddr(unsigned n)
{
    return (struct operand){
        .kind = OPD_ADDR, .reg = REG_RZ, .ureg = (uint8_t)n, .flags = OPD_HAS_UREG
    };
}

enum { A1T0 = 1, A0T1 = 2, A0TX = 4, ART0 = 5, TMASK = 73, OPTOUT = 75 };

static void lanes_arrive_together(void **state)
{
    set_ur64(R, 4, mbarrier_first(40));
    set_uniform(&R->w, 6, 0x40);
    RUN(R, OP_SYNCS_EXCH, SLOTS(ureg(UREG_URZ), uaddr(6), ureg(4)), PLAIN);
    assert_true(shared64(R, 0x40) == mbarrier_first(40));
    fill(R, 8, 7);
    RUN(R, OP_SYNCS_ARRIVE, SLOTS(reg(8), uaddr(6), rz()), BITS(84, A1T0));
    assert_int_equal(row(R, 8)[31], 7); /* the token's low half is left as it was */
    assert_int_equal(row(R, 9)[31], mbarrier_first(40) >> 32);
    assert_true(shared64(R, 0x40) == mbarrier_update(mbarrier_first(40), arrive(32)));
    /* two barriers, by lane; the low word tells who went together */
    put_shared(R, 0x48, mbarrier_first(100));
    LANES(l)
        row(R, 0)[l] = 0x40 + 8 * (l & 1);
    fill(R, 1, 2);
    put_shared(R, 0x40, mbarrier_first(100));
    RUN(R, OP_SYNCS_ARRIVE, SLOTS(reg(8), at(0, 0, 0), reg(1)),
        BITS(84, ART0, TMASK, 1));
    assert_int_equal(row(R, 8)[5], 0xaaaaaaaa);
    assert_int_equal(row(R, 9)[5], mbarrier_first(100) >> 32);
    assert_true(shared64(R, 0x48) == mbarrier_update(mbarrier_first(100), arrive(32)));
}

static void check_tells_the_phase(void **state)
{
    put_shared(R, 0x40, mbarrier_first(1));
    set_uniform(&R->w, 6, 0x40);
    RUN(R, OP_SYNCS_CHECK, SLOTS(pred(0), uaddr(6), rz()), PLAIN);
    assert_int_equal(R->w.p[0], 0);
    assert_false(R->w.slept);
    RUN(R, OP_SYNCS_CHECK, SLOTS(pred(0), uaddr(6), rz()), BITS(72, 1));
    assert_true(R->w.slept);
    R->w.slept = false;
    fill(R, 0, 0x80000000u);
    RUN(R, OP_SYNCS_CHECK, SLOTS(pred(0), uaddr(6), reg(0)), BITS(72, 1));
    assert_int_equal(R->w.p[0], ALL_LANES);
    assert_false(R->w.slept);
}

static void copies_arrive(void **state)
{
    uint64_t first = mbarrier_first(64);

    put_shared(R, 0x40, first);
    set_uniform(&R->w, 6, 0x40);
    RUN(R, OP_ARRIVES, SLOTS(uaddr(6)), BITS(70, 1));
    assert_true(shared64(R, 0x40) == mbarrier_update(first, arrive(32)));
    put_shared(R, 0x40, first);
    RUN(R, OP_SYNCS_ARRIVE, SLOTS(rz(), uaddr(6), rz()), BITS(84, A0T1));
    assert_true(shared64(R, 0x40) == mbarrier_update(first, bytes(32)));
    RUN(R, OP_ARRIVES, SLOTS(uaddr(6)), BITS(70, 2));
    assert_true(shared64(R, 0x40) == first);
    /* sm_86 */
    R->grid.arch = SM86;
    put_shared(R, 0x40, (uint64_t)(0x80000000u - 40) << 32 | (0x40000000u - 40));
    RUN(R, OP_ARRIVES, SLOTS(uaddr(6)), PLAIN);
    assert_int_equal(shared64(R, 0x40) >> 32, 0x80000000u - 8);
}

static void bad_barriers_are_faults(void **state)
{
    set_uniform(&R->w, 6, 0x44);
    refuse(R, inst(OP_SYNCS_ARRIVE, SLOTS(rz(), uaddr(6), rz()), BITS(84, A1T0)),
           ERR_FAULT, "misaligned address 0x44");
    set_uniform(&R->w, 6, RIG_SHARED);
    refuse(R, inst(OP_SYNCS_CHECK, SLOTS(pred(0), uaddr(6), rz()), PLAIN), ERR_FAULT,
           "illegal address 0x400");
    set_uniform(&R->w, 6, 1 << RANK_SHIFT); /* there is no other block */
    refuse(R, inst(OP_SYNCS_EXCH, SLOTS(ureg(4), uaddr(6), ureg(4)), PLAIN), ERR_FAULT,
           "illegal address 0x1000000");
    refuse(R, inst(OP_SYNCS_ARRIVE, SLOTS(rz(), uaddr(6), rz()), BITS(84, 6)),
           ERR_UNSUPPORTED, "arrival");
}

static uint8_t *global(struct rig *r)
{
    return space_at(&r->space, r->global);
}

enum { TO_SHARED = 73, FROM_SHARED = 74, MULTICAST = 75 };

/* Across granules of global memory, both ways; the barrier hears of the bytes. */
static void bulk_copies(void **state)
{
    for (unsigned k = 0; k < 1024; k++)
        global(R)[k] = (uint8_t)(k * 7 + k / 256);
    put_shared(R, 0x10, mbarrier_update(mbarrier_first(1), bytes(528)));
    set_ur64(R, 4, (uint64_t)0x10 << 32 | 0x100);
    set_ur64(R, 6, R->global + 0xf0);
    set_uniform(&R->w, 8, 528 / 16);
    RUN(R, OP_UBLKCP, SLOTS(ureg(4), ureg(6), ureg(8)), BITS(TO_SHARED, 1));
    assert_memory_equal(R->shared + 0x100, global(R) + 0xf0, 528);
    assert_int_equal(R->shared[0x100 + 528], 0);
    assert_true(shared64(R, 0x10) == mbarrier_first(1));
    set_uniform(&R->w, 4, 0x100);
    set_ur64(R, 6, R->global + 0x800);
    RUN(R, OP_UBLKCP, SLOTS(ureg(6), ureg(4), ureg(8)), BITS(FROM_SHARED, 1));
    assert_memory_equal(global(R) + 0x800, global(R) + 0xf0, 528);
}

static void bad_bulk_copies_are_refused(void **state)
{
    set_ur64(R, 4, (uint64_t)0x10 << 32 | 0x100);
    set_ur64(R, 6, R->global + 8);
    set_uniform(&R->w, 8, 1);
    refuse(R, inst(OP_UBLKCP, SLOTS(ureg(4), ureg(6), ureg(8)), BITS(TO_SHARED, 1)),
           ERR_FAULT, "misaligned address");
    set_ur64(R, 6, R->global);
    set_uniform(&R->w, 8, RIG_SHARED / 16);
    refuse(R, inst(OP_UBLKCP, SLOTS(ureg(4), ureg(6), ureg(8)), BITS(TO_SHARED, 1)),
           ERR_FAULT, "illegal address");
    set_uniform(&R->w, 8, 1 | 2 << 16);
    refuse(R,
           inst(OP_UBLKCP, SLOTS(ureg(4), ureg(6), ureg(8)),
                BITS(TO_SHARED, 1, MULTICAST, 1)),
           ERR_FAULT, "illegal address 0x1000100");
    refuse(R, inst(OP_UBLKCP, SLOTS(ureg(4), ureg(6), ureg(8)), PLAIN), ERR_UNSUPPORTED,
           "bulk copy");
}

static void bulk_reduces(void **state)
{
    enum { OPERATION = 87, TYPE = 81, MIN = 1, S64 = 3, F32 = 5, NO_TYPE = 6 };
    int64_t a[2] = { -5, 7 }, b[2] = { 3, -9 }, want[2] = { -5, -9 };
    float x[4] = { 1, 2, 3, 4 }, y[4] = { .5f, .25f, -3, 1e30f },
          sum[4] = { 1.5f, 2.25f, 0, 1e30f };

    memcpy(R->shared + 0x40, a, sizeof a);
    memcpy(global(R), b, sizeof b);
    set_ur64(R, 4, 0x40);
    set_ur64(R, 6, R->global);
    set_uniform(&R->w, 8, 1);
    RUN(R, OP_UBLKRED, SLOTS(ureg(6), ureg(4), ureg(8)),
        BITS(FROM_SHARED, 1, OPERATION, MIN, TYPE, S64));
    assert_memory_equal(global(R), want, sizeof want);
    memcpy(R->shared + 0x40, x, sizeof x);
    memcpy(global(R), y, sizeof y);
    RUN(R, OP_UBLKRED, SLOTS(ureg(6), ureg(4), ureg(8)),
        BITS(FROM_SHARED, 1, TYPE, F32));
    assert_memory_equal(global(R), sum, sizeof sum);
    refuse(R,
           inst(OP_UBLKRED, SLOTS(ureg(6), ureg(4), ureg(8)),
                BITS(FROM_SHARED, 1, TYPE, NO_TYPE)),
           ERR_UNSUPPORTED, "bulk reduction");
}

static void stores_report(void **state)
{
    put_shared(R, 0x10, mbarrier_update(mbarrier_first(1), bytes(32 * 8)));
    LANES(l)
        row(R, 0)[l] = 0x40 + 8 * l;
    fill(R, 1, 0x10);
    fill64(R, 2, 0x123456789abcdef0u);
    RUN(R, OP_STAS, SLOTS(at(0, 8, OPD_WIDE), reg(2)), BITS(73, 5));
    assert_true(shared64(R, 0x48 + 8 * 31) == 0x123456789abcdef0u);
    assert_true(shared64(R, 0x10) == mbarrier_first(1));
    /* all lanes add to one word */
    put_shared(R, 0x10, mbarrier_update(mbarrier_first(1), bytes(32 * 4)));
    fill(R, 0, 0x40);
    fill(R, 2, 3);
    put_shared(R, 0x40, 4);
    RUN(R, OP_REDAS, SLOTS(at(0, 0, OPD_WIDE), reg(2)), PLAIN);
    assert_true(shared64(R, 0x40) == 100);
    assert_true(shared64(R, 0x10) == mbarrier_first(1));
    refuse(R, inst(OP_STAS, SLOTS(at(0, 0, OPD_WIDE), reg(2)), BITS(73, 2)),
           ERR_UNSUPPORTED, "access size");
}

/* Every block of the grid once, a cluster's together, by rank. */
static void clusters_cover_the_grid(void **state)
{
    uint8_t seen[6 * 4 * 6] = { 0 };

    memcpy(R->grid.launch.grid, (uint32_t[]){ 6, 4, 6 }, 12);
    memcpy(R->grid.launch.cluster, (uint32_t[]){ 3, 1, 2 }, 12);
    for (unsigned k = 0; k < 24; k++)
        for (unsigned rank = 0; rank < 6; rank++)
            seen[cluster_block(&R->grid, k, rank)]++;
    for (unsigned k = 0; k < sizeof seen; k++)
        assert_int_equal(seen[k], 1);
    assert_int_equal(cluster_block(&R->grid, 1, 0), 3);
    assert_int_equal(cluster_block(&R->grid, 1, 4), 24 + 4);
}

/* A second block of a cluster of two, with one warp. */
static void second_block(struct rig *r, struct sass_block *b, struct sass_warp *w,
                         uint8_t *shared)
{
    memcpy(r->grid.launch.cluster, (uint32_t[]){ 2, 1, 1 }, 12);
    memcpy(r->grid.launch.grid, (uint32_t[]){ 4, 4, 3 }, 12);
    r->grid.cluster_size = 2;
    r->block.id[0] = 2;
    r->block.n_warps = 1;
    r->block.all_warps = 1;
    *b = r->block;
    *w = (struct sass_warp){ .block = b, .active = ALL_LANES };
    b->id[0] = 3;
    b->shared = shared;
    b->warps = w;
    assert_int_equal(cluster_join(&r->block, &r->err), 0);
    assert_int_equal(cluster_join(b, &r->err), 0);
}

static void blocks_reach_each_other(void **state)
{
    uint8_t shared[RIG_SHARED] = { 0 };
    struct sass_block b;
    struct sass_warp w;

    second_block(R, &b, &w, shared);
    assert_int_equal(R->block.rank, 0);
    assert_int_equal(b.rank, 1);
    assert_ptr_equal(cluster_shared(&R->block, 1u << RANK_SHIFT | 0x20, 4),
                     shared + 0x20);
    assert_ptr_equal(cluster_shared(&b, 0x20, 4), R->shared + 0x20);
    assert_null(cluster_shared(&b, 0x3fe, 4));
    assert_null(cluster_shared(&b, 2u << RANK_SHIFT, 4));
    assert_null(cluster_shared(&b, 200u << RANK_SHIFT, 4));
    /* generic addresses carry the rank, addresses of shared memory do not need it */
    fill64(R, 0, SHARED_WINDOW | 1u << RANK_SHIFT | 0x30);
    fill(R, 2, 77);
    struct sass_inst i = inst(OP_ST, SLOTS(at(0, 0, OPD_WIDE), reg(2)), BITS(73, 4));
    i.base.space = SPACE_GENERIC;
    assert_int_equal(run_inst(R, i, 1), EXEC_NEXT);
    assert_int_equal(shared[0x30], 77);
    cluster_leave(&b);
    assert_null(cluster_shared(&R->block, 1u << RANK_SHIFT | 0x20, 4));
    cluster_leave(&R->block);
    assert_null(R->grid.clusters);
}

/* Arrival of both, then an exit instead of an arrival. */
static void cluster_waits_for_all(void **state)
{
    uint8_t shared[RIG_SHARED] = { 0 };
    struct sass_block b;
    struct sass_warp w;

    second_block(R, &b, &w, shared);
    cluster_arrive(&R->w, 0xffff);
    cluster_arrive(&R->w, 0xffff0000);
    assert_true(cluster_wait(&R->w, ALL_LANES, 16));
    assert_int_equal(R->w.active, 0);
    cluster_arrive(&w, ALL_LANES);
    assert_int_equal(R->w.parked, ALL_LANES);
    assert_false(cluster_wait(&w, ALL_LANES, 16));
    cluster_arrive(&w, ALL_LANES);
    assert_true(cluster_wait(&w, ALL_LANES, 16));
    R->w.exited = ALL_LANES;
    R->block.done_warps = 1;
    cluster_exit(&R->w);
    assert_int_equal(w.waiting, 0);
    cluster_leave(&b);
    cluster_leave(&R->block);
}

static void moves_to_uniform_mark_the_rest(void **state)
{
    LANES(l) {
        row(R, 0)[l] = l < 8 ? 5 : 6;
        row(R, 1)[l] = l & 1;
    }
    RUN(R, OP_R2UR, SLOTS(pred(0), ureg(4), reg(0)), PLAIN);
    assert_int_equal(sass_uniform(&R->w, 4), 5);
    assert_int_equal(R->w.p[0], 0xffffff00);
    RUN(R, OP_R2UR, SLOTS(pred(0), ureg(5), reg(1)), BITS(84, 1));
    assert_int_equal(sass_uniform(&R->w, 5), 0);
    assert_int_equal(R->w.p[0], 0xffffffaa);
}

static void adds_pairs(void **state)
{
    set_ur64(R, 4, 0x1ffffffff);
    set_ur64(R, 6, 0x10);
    struct operand upt = { .kind = OPD_UPRED, .reg = PRED_PT };

    RUN(R, OP_UIADD3_64,
        SLOTS(ureg(8), upt, upt, ureg(4), NEG(ureg(6)), ureg(UREG_URZ)), PLAIN);
    assert_int_equal(sass_uniform(&R->w, 8), 0xffffffef);
    assert_int_equal(sass_uniform(&R->w, 9), 1);
    RUN(R, OP_UIADD3_64, SLOTS(ureg(8), upt, upt, ureg(4), imm(1), ureg(UREG_URZ)),
        PLAIN);
    assert_int_equal(sass_uniform(&R->w, 8), 0);
    assert_int_equal(sass_uniform(&R->w, 9), 2);
}

static void registers_for_a_while(void **state)
{
    fill(R, 0, 11);
    fill(R, 1, 22);
    struct operand rpc = { 0 };

    RUN(R, OP_RPCMOV_TO, SLOTS(rpc, reg(0)), BITS(31, 1));
    RUN(R, OP_RPCMOV_TO, SLOTS(rpc, reg(1)), PLAIN);
    RUN(R, OP_RPCMOV_FROM, SLOTS(reg(2), rpc), BITS(31, 1));
    RUN(R, OP_RPCMOV_FROM, SLOTS(reg(3), rpc), PLAIN);
    assert_int_equal(row(R, 2)[3], 11);
    assert_int_equal(row(R, 3)[3], 22);
}

/* One element of a product of 8-bit floats whose 32 factors are given. */
static uint32_t f8_product(struct gmma_op op, const uint8_t *a, const uint8_t *b,
                           uint32_t c0)
{
    static struct mma_elements e;
    uint32_t c[128] = { c0 };

    memset(&e, 0, sizeof e);
    for (unsigned k = 0; k < 32; k++) {
        e.a[k] = a[k];
        e.b[8 * k] = b[k];
    }
    gmma_tile(&op, &e, c);
    return c[0];
}

static uint32_t f32_bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

static void multiplies_bytes_of_floats(void **state)
{
    const struct gmma_op e4 = { .a = GMMA_E4M3, .b = GMMA_E4M3 };
    const struct gmma_op e5 = { .a = GMMA_E5M2, .b = GMMA_E5M2 };
    struct gmma_op half = { .a = GMMA_E4M3, .b = GMMA_E5M2, .f16_acc = true };
    uint8_t a[32] = { 0x38, 0x01, 0xb8 }, b[32] = { 0x40, 0x38, 0x38 };

    (void)state;
    /* 1 * 2 + 2^-9 * 1 - 1 * 1 */
    assert_int_equal(f8_product(e4, a, b, 0), f32_bits(1 + 0x1p-9f));
    /* 13 bits below the largest exponent: 2^-13 counts beside 1, 2^-14 does not */
    memset(a, 0, sizeof a);
    a[0] = b[0] = 0x38;
    assert_int_equal(f8_product(e4, a, b, f32_bits(0x1p-13f)), f32_bits(1 + 0x1p-13f));
    assert_int_equal(f8_product(e4, a, b, f32_bits(0x1.8p-14f)), f32_bits(1));
    /* nor does the result keep more: 61 + 2^-9 */
    memset(b, 0x38, sizeof b);
    memset(a, 0x40, sizeof a);
    a[0] = 0x38;
    a[1] = 0x01;
    assert_int_equal(f8_product(e4, a, b, 0), f32_bits(61));
    /* largest numbers are numbers in one format, infinite in the other */
    memset(a, 0, sizeof a);
    a[0] = 0x7e;
    assert_int_equal(f8_product(e4, a, b, 0), f32_bits(448));
    a[0] = 0x7f;
    assert_int_equal(f8_product(e4, a, b, 0), 0x7fffffff);
    a[0] = 0xfc;
    b[0] = 0x3c;
    assert_int_equal(f8_product(e5, a, b, 0), 0xff800000u);
    a[1] = 0x7c;
    b[1] = 0x3c;
    assert_int_equal(f8_product(e5, a, b, 0), 0x7fffffff);
    b[1] = a[0] = 0;
    assert_int_equal(f8_product(e5, a, b, 0), 0x7fffffff); /* infinity times zero */
    /* f16: 1 * 1 + 2^-11 + a bit rounds up, 1 + 2^-11 to even */
    memset(a, 0, sizeof a);
    a[0] = 0x38;
    assert_int_equal(f8_product(half, a, b, 0x1000), 0x3c00);
    assert_int_equal(f8_product(half, a, b, 0x1400), 0x3c01);
}

static void multiplies_bits_and_bytes(void **state)
{
    struct mma_elements e;
    struct gmma_op bits = { .a = GMMA_B1, .b = GMMA_B1 };
    struct gmma_op sat = { .a = GMMA_U8, .b = GMMA_S8, .sat = true };
    uint32_t c[128];

    (void)state;
    memset(&e, 0xff, sizeof e);
    memset(c, 0, sizeof c);
    gmma_tile(&bits, &e, c);
    assert_int_equal(c[127], 256);
    for (unsigned k = 0; k < 16 * 32; k++)
        e.a[k] = 255;
    for (unsigned k = 0; k < 32 * 8; k++)
        e.b[k] = 0x80;
    c[0] = 0x80000000u;
    c[1] = 5;
    gmma_tile(&sat, &e, c);
    assert_int_equal(c[0], 0x80000000u);
    assert_int_equal(c[1], (uint32_t)(5 - 32 * 255 * 128));
}

/* Where the manual puts element (column n, k) of B, 16 bits each. */
static unsigned b_place(bool k_major, unsigned width, unsigned n, unsigned k)
{
    unsigned at, pitch = width ? width : 16;

    if (k_major)
        at = n * pitch + (width ? 2 * k : k / 8 * 128 + k % 8 * 2);
    else
        at = 2 * n + k % 8 * pitch + k / 8 * 8 * pitch;
    return width ? at ^ (at / 128 % (width / 16)) * 16 : at;
}

static void run_layout(struct rig *r, bool k_major, unsigned width, unsigned code)
{
    /* distance between the halves of k: leading or stride, by the layout */
    uint64_t far = k_major && !width ? 128 : 8 * (width ? width : 16);
    uint64_t leading = k_major || !width ? far : 0x3ff0, stride = width ? far : 0x3ff0;
    struct operand d = reg(24);
    struct operand with_c = { .kind = OPD_UPRED, .reg = PRED_PT };

    memset(r->shared, 0xff, sizeof r->shared);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned k = 0; k < 16; k++) {
            uint16_t h = (uint16_t)(0x4000 + 16 * k + 100 * n);

            memcpy(r->shared + b_place(k_major, width, n, k), &h, sizeof h);
        }
    LANES(l) /* row g of A is one at k = g, the rows below are zero */
        for (unsigned q = 0; q < 4; q++)
            row(r, 32 + q)[l] =
                q == 0 && l / 4 / 2 == l % 4 ? 0x3c00u << 16 * (l / 4 % 2) : 0;
    set_ur64(r, 6, leading / 16 << 16 | stride / 16 << 32 | (uint64_t)code << 62);
    fill(r, 24, 0);
    RUN(r, OP_HGMMA, SLOTS(d, reg(32), ureg(4), rz(), with_c),
        BITS(75, 1, 62, !k_major));
}

static void layouts_name_the_same_matrix(void **state)
{
    static const uint8_t codes[4] = { 0, 3, 2, 1 };

    for (unsigned w = 0; w < 4; w++)
        for (unsigned k_major = 0; k_major < 2; k_major++) {
            unsigned width = w ? 16u << w : 0;

            if (!k_major && width == 128)
                continue; /* more memory than there is */
            run_layout(R, k_major, width, codes[w]);
            LANES(l)
                for (unsigned q = 0; q < 2; q++) {
                    unsigned k = l / 4, n = 2 * (l % 4) + q;
                    float want = 2 + (float)(16 * k + 100 * n) / 512;

                    assert_int_equal(row(R, 24 + q)[l], f32_bits(want));
                }
        }
}

static void bad_products_are_refused(void **state)
{
    struct operand with_c = { .kind = OPD_UPRED, .reg = PRED_PT };
    const struct operand *slots = SLOTS(reg(24), reg(32), ureg(4), rz(), with_c);

    set_ur64(R, 6, (uint64_t)1 << 49);
    refuse(R, inst(OP_HGMMA, slots, BITS(75, 1)), ERR_UNSUPPORTED, "base offset");
    set_ur64(R, 6, 0x3fff);
    refuse(R, inst(OP_HGMMA, slots, BITS(75, 1)), ERR_FAULT, "matrix B");
    refuse(R, inst(OP_HGMMA, slots, BITS(75, 1, 73, 1)), ERR_UNSUPPORTED,
           "shape or type");
    refuse(R, inst(OP_QGMMA, slots, BITS(75, 1, 62, 1)), ERR_UNSUPPORTED,
           "transposition");
    assert_int_equal(run_inst(R, inst(OP_HGMMA, slots, BITS(75, 1)), 0xff), EXEC_ERROR);
    assert_non_null(strstr(R->err.text, "part of a warp"));
    refuse(R,
           inst(OP_HGMMA, SLOTS(reg(200), reg(32), ureg(4), rz(), with_c),
                BITS(75, 1, 53, 31)),
           ERR_UNSUPPORTED, "shape or type");
}

/* Words of ptxas 13.0 for 16, 24 and 256 columns. */
static void integer_products_count_in_threes(void **state)
{
    static const struct {
        uint64_t low;
        unsigned columns;
    } words[] = { { 0x00600000041879f1, 16 },
                  { 0x00c00000041879f1, 24 },
                  { 0x06600000041879f1, 256 } };

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        struct word w = { words[k].low, 0x000fe2000c0410ff };
        struct sass_inst i;

        assert_true(sass_decode(&i, SM90, w, 0));
        assert_int_equal(i.base.op, OP_IGMMA);
        assert_int_equal(operand_gmma_columns(&i), words[k].columns);
    }
}

/* As an H200's driver encodes an image with corners. */
static void maps_are_the_drivers(void **state)
{
    static const uint64_t want[TENSOR_WORDS / 2] = {
        0x7f1234567080, 0x40000e331,       0xfc00000024, 0,     0x80000001f,
        0x100000006,    0xf00024800000000, 0x17feffffff, 0x300, 0x400
    };
    const struct tensor_map m = { .base = 0x7f1234567080,
                                  .rank = 4,
                                  .type = TENSOR_F16,
                                  .swizzle = 3,
                                  .fills_nan = true,
                                  .is_im2col = true,
                                  .size = { 32, 9, 7, 2 },
                                  .stride = { 64, 576, 4032 },
                                  .box = { 16 },
                                  .step = { 1, 2, 2, 2 },
                                  .lower = { -1, -1 },
                                  .upper = { -1, -2 },
                                  .pixels = 24 };
    uint32_t words[TENSOR_WORDS];
    struct tensor_map back;

    (void)state;
    tensor_map_pack(&m, words);
    assert_memory_equal(words, want, sizeof want);
    assert_true(tensor_map_unpack(words, &back));
    assert_int_equal(back.upper[1], -2);
    assert_int_equal(back.pixels, 24);
    assert_true(back.stride[2] == 4032);
    words[2] |= 7u << 4; /* 8 dimensions */
    assert_false(tensor_map_unpack(words, &back));
}

/* A block of warps with registers. */
enum { POOL_WARPS = 3 };
static void fill_pool(struct rig *r, struct sass_warp *w, const uint32_t *n)
{
    r->block.warps = w;
    r->block.all_warps = (1u << POOL_WARPS) - 1;
    for (unsigned k = 0; k < POOL_WARPS; k++) {
        w[k] = r->w;
        w[k].index = k;
        w[k].n_registers = n[k];
        w[k].wants_registers = 0;
    }
}

static struct sass_inst maxreg(unsigned how, unsigned n)
{
    const struct operand up0 = { .kind = OPD_UPRED, .reg = 0 };

    return inst(OP_USETMAXREG, SLOTS(up0, imm(n)), BITS(72, how, 74, 1));
}

static void give(struct sass_warp *w, unsigned n)
{
    struct sass_inst i = maxreg(MAXREG_DEALLOC, n);

    assert_int_equal(sass_handlers[OP_USETMAXREG](w, &i, ALL_LANES), EXEC_NEXT);
}

static bool get(struct sass_warp *w, unsigned n)
{
    struct sass_inst i = maxreg(MAXREG_TRY_ALLOC, n);

    assert_int_equal(sass_handlers[OP_USETMAXREG](w, &i, ALL_LANES), EXEC_NEXT);
    assert_int_equal(w->slept, !w->up[0]);
    w->slept = false;
    return w->up[0];
}

static void registers_come_from_others(void **state)
{
    struct sass_warp w[POOL_WARPS];

    fill_pool(R, w, (uint32_t[]){ 168, 168, 168 });
    assert_false(get(&w[1], 232));
    give(&w[0], 40); /* 128 registers, enough for two */
    assert_true(get(&w[1], 232));
    assert_true(get(&w[1], 232)); /* has them */
    assert_int_equal(R->block.free_registers, 64);
    assert_false(get(&w[2], 240));
    give(&w[1], 224);
    assert_true(get(&w[2], 240));
    assert_int_equal(R->block.free_registers, 0);
    give(&w[2], 248); /* has fewer */
    assert_int_equal(R->block.free_registers, 0);
    assert_true(get(&w[2], 200)); /* has more, and keeps them */
    assert_int_equal(w[2].n_registers, 240);
}

static void registers_that_never_come(void **state)
{
    struct sass_inst i = maxreg(MAXREG_TRY_ALLOC, 240);
    struct sass_warp w[POOL_WARPS];

    fill_pool(R, w, (uint32_t[]){ 168, 168, 168 });
    assert_false(get(&w[1], 240));
    assert_false(get(&w[2], 232)); /* the first may still give some */
    R->block.done_warps = 1;
    R->w = w[1];
    refuse(R, i, ERR_DEADLOCK, "needs 72 more registers per thread, its block has 0");
    R->block.done_warps = 0;
    give(&w[0], 104); /* enough for the third, which may give some then */
    R->block.done_warps = 1;
    assert_false(get(&w[1], 240));
    assert_true(get(&w[2], 232));
    R->block.done_warps = 5;
    refuse(R, i, ERR_DEADLOCK, "no warp can give back enough");
    refuse(R, maxreg(0, 240), ERR_UNSUPPORTED, "way to get registers");
}

static void who_needs_least_may_give_later(void **state)
{
    struct sass_warp w[POOL_WARPS];

    fill_pool(R, w, (uint32_t[]){ 168, 168, 168 });
    assert_false(get(&w[1], 232));
    give(&w[0], 104);
    R->block.done_warps = 1;
    assert_false(get(&w[2], 240));
    assert_true(get(&w[1], 232));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_setup, rig_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(word_is_the_compilers),
        TEST(bytes_hold_the_phase),
        TEST(drop_counts_in_later_phases),
        TEST(old_word_counts_up),
        TEST(lanes_arrive_together),
        TEST(check_tells_the_phase),
        TEST(copies_arrive),
        TEST(bad_barriers_are_faults),
        TEST(bulk_copies),
        TEST(bad_bulk_copies_are_refused),
        TEST(bulk_reduces),
        TEST(stores_report),
        TEST(clusters_cover_the_grid),
        TEST(blocks_reach_each_other),
        TEST(cluster_waits_for_all),
        TEST(moves_to_uniform_mark_the_rest),
        TEST(adds_pairs),
        TEST(registers_for_a_while),
        TEST(multiplies_bytes_of_floats),
        TEST(multiplies_bits_and_bytes),
        TEST(layouts_name_the_same_matrix),
        TEST(bad_products_are_refused),
        TEST(integer_products_count_in_threes),
        TEST(maps_are_the_drivers),
        TEST(registers_come_from_others),
        TEST(registers_that_never_come),
        TEST(who_needs_least_may_give_later),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
