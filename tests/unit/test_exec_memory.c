/* test_exec_memory.c - handlers of memory: loads, stores, constants, atomics, matrices in
 * shared memory, and the functions the machine provides.
 */
#include <stdio.h>

#include "base/buf.h"
#include "exec_rig.h"
#include "frontend/sass/exec/syscall.h"
#include "frontend/sass/load/module.h"

#define R ((struct rig *)*state)

enum { U8, S8, U16, S16, W32, W64, W128 };

static struct sass_inst memory_inst(enum sass_op op, enum inst_space space,
                                    const struct operand *slots, const unsigned *bits)
{
    struct sass_inst i = inst(op, slots, bits);

    i.base.space = (uint8_t)space;
    return i;
}

#define MEM(r, op, space, slots, bits)                                            \
    assert_int_equal(run_inst(r, memory_inst(op, space, slots, bits), ALL_LANES), \
                     EXEC_NEXT)

static uint8_t *global(struct rig *r, uint64_t offset)
{
    return r->space.bytes + (r->global - r->space.base) + offset;
}

static uint32_t word_at(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* R0:R1 is the address of a global array, plus stride bytes a lane. */
static void point(struct rig *r, uint64_t base, uint32_t stride)
{
    LANES(l) {
        uint64_t a = base + (uint64_t)stride * l;

        row(r, 0)[l] = (uint32_t)a;
        row(r, 1)[l] = (uint32_t)(a >> 32);
    }
}

static void loads_all_sizes(void **state)
{
    for (unsigned k = 0; k < 1024; k++)
        global(R, k)[0] = (uint8_t)(k * 7 + 0x80);
    point(R, R->global, 16);
    for (unsigned size = U8; size <= W128; size++) {
        static const uint32_t lane3[] = { 0xd0, 0xffffffd0, 0xd7d0, 0xffffd7d0,
                                          0xe5ded7d0 };

        MEM(R, OP_LDG, SPACE_GLOBAL, SLOTS(pt(), reg(4), at(0, 0, OPD_WIDE), pt()),
            BITS(73, size));
        assert_int_equal(row(R, 4)[3], lane3[size < W32 ? size : W32]);
    }
    assert_int_equal(row(R, 7)[3], 0x39322b24);
    /* all lanes in a row, across a granule */
    point(R, R->global + 0xe0, 4);
    MEM(R, OP_LDG, SPACE_GLOBAL, SLOTS(pt(), reg(4), at(0, 4, OPD_WIDE), pt()),
        BITS(73, W32));
    LANES(l)
        assert_int_equal(row(R, 4)[l], word_at(global(R, 0xe4 + 4 * l)));
    /* the destination may hold the address */
    MEM(R, OP_LDG, SPACE_GLOBAL, SLOTS(pt(), reg(0), at(0, 0, OPD_WIDE), pt()),
        BITS(73, W32));
    assert_int_equal(row(R, 0)[31], word_at(global(R, 0xe0 + 124)));
}

static void stores_under_a_mask(void **state)
{
    LANES(l)
        row(R, 4)[l] = 0xabcd0000 | l;
    point(R, R->global, 4);
    assert_int_equal(
        run_inst(R,
                 memory_inst(OP_STG, SPACE_GLOBAL, SLOTS(at(0, 0, OPD_WIDE), reg(4)),
                             BITS(73, W32)),
                 0x5),
        EXEC_NEXT);
    assert_int_equal(word_at(global(R, 0)), 0xabcd0000);
    assert_int_equal(word_at(global(R, 4)), 0);
    assert_int_equal(word_at(global(R, 8)), 0xabcd0002);
    MEM(R, OP_STG, SPACE_GLOBAL, SLOTS(at(0, 1, OPD_WIDE), reg(4)), BITS(73, U8));
    assert_int_equal(word_at(global(R, 12)), 0x00000300);
    MEM(R, OP_STG, SPACE_GLOBAL, SLOTS(at(0, 0, OPD_WIDE), rz()), BITS(73, W32));
    assert_int_equal(word_at(global(R, 12)), 0);
}

static void refuses_bad_addresses(void **state)
{
    char lane[64];

    point(R, R->global + 2, 4);
    snprintf(lane, sizeof lane, "misaligned address 0x%llx (lane 0)",
             (unsigned long long)R->global + 2);
    refuse(R,
           memory_inst(OP_LDG, SPACE_GLOBAL,
                       SLOTS(pt(), reg(4), at(0, 0, OPD_WIDE), pt()), BITS(73, W32)),
           ERR_MISALIGNED, lane);
    point(R, R->global, RIG_GLOBAL / 16);
    refuse(R,
           memory_inst(OP_STG, SPACE_GLOBAL, SLOTS(at(0, 0, OPD_WIDE), reg(4)),
                       BITS(73, W64)),
           ERR_FAULT, "(lane 16)");
    refuse(R,
           memory_inst(OP_LDS, SPACE_SHARED,
                       SLOTS(reg(4), at(REG_RZ, RIG_SHARED - 8, 0)), BITS(73, W128)),
           ERR_MISALIGNED, "address 0x3f8");
    refuse(R,
           memory_inst(OP_LDS, SPACE_SHARED, SLOTS(reg(4), at(REG_RZ, RIG_SHARED, 0)),
                       BITS(73, W32)),
           ERR_FAULT, "illegal address 0x400 (lane 0)");
    refuse(R,
           memory_inst(OP_LDL, SPACE_LOCAL, SLOTS(reg(4), at(REG_RZ, -4, 0)),
                       BITS(73, W32)),
           ERR_FAULT, "illegal address");
    refuse(R,
           memory_inst(OP_LDG, SPACE_GLOBAL,
                       SLOTS(pt(), reg(4), at(0, 0, OPD_WIDE), pred(0)), BITS(73, W32)),
           ERR_UNSUPPORTED, "predicate of a load");
}

static void reads_shared_memory(void **state)
{
    for (unsigned k = 0; k < RIG_SHARED / 4; k++)
        memcpy(R->shared + 4 * k, &(uint32_t){ 1000 + k }, 4);
    LANES(l) {
        row(R, 0)[l] = l * 4;
        row(R, 2)[l] = (31 - l) * 16 | 0x00000000;
    }
    MEM(R, OP_LDS, SPACE_SHARED, SLOTS(reg(4), at(0, 64, 0)), BITS(73, W32));
    assert_int_equal(row(R, 4)[5], 1021);
    MEM(R, OP_LDS, SPACE_SHARED, SLOTS(reg(4), at(REG_RZ, 12, 0)), BITS(73, W32));
    assert_int_equal(row(R, 4)[31], 1003);
    MEM(R, OP_LDS, SPACE_SHARED, SLOTS(reg(4), at(2, 0, 0)), BITS(73, W128));
    assert_int_equal(row(R, 7)[30], 1007);
    fill(R, 3, 0x01000000 - 4); /* a negative index and a rank of 0 in the cluster */
    set_uniform(&R->w, 4, 8);
    struct operand far = at(3, 0, OPD_HAS_UREG);

    far.ureg = 4;
    R->w.dyn = &R->dyn;
    MEM(R, OP_LDS, SPACE_SHARED, SLOTS(reg(4), far), BITS(73, W32));
    assert_int_equal(row(R, 4)[0], 1001);
    assert_int_equal(addresses_at(&R->dyn.addr, 7), 4);
    R->w.dyn = NULL;
    far = at(0, 0, 0);
    far.scale = 2;
    MEM(R, OP_STS, SPACE_SHARED, SLOTS(far, reg(0)), BITS(73, W32));
    assert_int_equal(word_at(R->shared + 16 * 9), 36);
    assert_int_equal(word_at(R->shared + 16 * 9 + 4), 1037);
}

/* Generic addresses: lanes in global, shared and local memory at once. */
static void resolves_generic_addresses(void **state)
{
    uint64_t a[3] = { R->global + 8, SHARED_WINDOW + 16, LOCAL_WINDOW + 24 };

    LANES(l) {
        row(R, 0)[l] = (uint32_t)a[l % 3];
        row(R, 1)[l] = (uint32_t)(a[l % 3] >> 32);
        row(R, 4)[l] = 500 + l;
    }
    MEM(R, OP_ST, SPACE_GENERIC, SLOTS(at(0, 0, OPD_WIDE), reg(4)), BITS(73, W32));
    assert_int_equal(word_at(global(R, 8)), 530);
    assert_int_equal(word_at(R->shared + 16), 531);
    MEM(R, OP_LDL, SPACE_LOCAL, SLOTS(reg(5), at(REG_RZ, 24, 0)), BITS(73, W32));
    assert_int_equal(row(R, 5)[2], 502);
    assert_int_equal(row(R, 5)[3], 0); /* each lane has its own */
    MEM(R, OP_LD, SPACE_GENERIC, SLOTS(reg(5), at(0, 0, OPD_WIDE), pt()),
        BITS(73, W32));
    assert_int_equal(row(R, 5)[0], 530);
    assert_int_equal(row(R, 5)[1], 531);
    assert_int_equal(row(R, 5)[5], 505);
    RUN(R, OP_QSPC, SLOTS(pred(0), rz(), at(0, 0, OPD_WIDE)), BITS(73, 2));
    assert_int_equal(R->w.p[0], 0x92492492);
    RUN(R, OP_QSPC, SLOTS(pred(0), rz(), at(0, 0, OPD_WIDE)), BITS(72, 1));
    assert_int_equal(R->w.p[0], 0x49249249);
}

static void reads_constants(void **state)
{
    struct operand c = { .kind = OPD_CONST, .imm = 16 };

    for (unsigned k = 0; k < sizeof R->bank; k++)
        R->bank[k] = (uint8_t)(k ^ 0x80);
    RUN(R, OP_LDC, SLOTS(reg(2), c), BITS(73, W64));
    assert_true(pair(R, 2, 4) == 0x9796959493929190u);
    c.flags = OPD_INDEXED;
    c.reg = 0;
    LANES(l)
        row(R, 0)[l] = l;
    RUN(R, OP_LDC, SLOTS(reg(2), c), BITS(73, S8));
    assert_int_equal(row(R, 2)[3], 0xffffff93);
    refuse(R, inst(OP_LDC, SLOTS(reg(2), c), BITS(73, W32)), ERR_MISALIGNED,
           "misaligned constant 0x11 (lane 1)");
    refuse(R, inst(OP_LDC, SLOTS(reg(2), c), BITS(73, W32, 78, 1)), ERR_UNSUPPORTED,
           "constant addressing");
    c.flags = OPD_UINDEXED;
    c.reg = 3;
    set_uniform(&R->w, 3, 4);
    RUN(R, OP_ULDC_INDEXED, SLOTS(ureg(5), c), BITS(73, W32));
    assert_int_equal(sass_uniform(&R->w, 5), 0x97969594);
    c.imm = sizeof R->bank - 4;
    RUN(R, OP_ULDC_INDEXED, SLOTS(ureg(5), c), BITS(73, W32));
    assert_int_equal(sass_uniform(&R->w, 5), 0); /* beyond the bank */
}

static void copies_to_shared_memory(void **state)
{
    for (unsigned k = 0; k < 1024; k++)
        global(R, k)[0] = (uint8_t)(k + 1);
    memset(R->shared, 0xee, RIG_SHARED);
    point(R, R->global, 16);
    LANES(l)
        row(R, 2)[l] = 16 * l;
    row(R, 0)[5] += 4; /* source of 12 bytes */
    R->w.p[0] = ~(1u << 6);
    MEM(R, OP_LDGSTS, SPACE_GLOBAL, SLOTS(at(2, 0, 0), at(0, 0, OPD_WIDE), pred(0)),
        BITS(73, W128));
    assert_memory_equal(R->shared, global(R, 0), 5 * 16 + 12);
    assert_int_equal(word_at(R->shared + 5 * 16 + 12), 0);
    assert_int_equal(word_at(R->shared + 6 * 16), 0);
    assert_memory_equal(R->shared + 7 * 16, global(R, 7 * 16), 16);
}

/* All lanes at one place: each sees what the lanes below left. */
static void adds_in_order(void **state)
{
    point(R, R->global, 0);
    LANES(l)
        row(R, 4)[l] = l + 1;
    MEM(R, OP_ATOMG, SPACE_GLOBAL, SLOTS(pred(0), reg(5), at(0, 0, OPD_WIDE), reg(4)),
        PLAIN);
    assert_int_equal(row(R, 5)[0], 0);
    assert_int_equal(row(R, 5)[31], 31 * 32 / 2);
    assert_int_equal(word_at(global(R, 0)), 32 * 33 / 2);
    assert_int_equal(R->w.p[0], ALL_LANES);
    fill(R, 4, 20);
    MEM(R, OP_ATOMG, SPACE_GLOBAL, SLOTS(pt(), reg(5), at(0, 0, OPD_WIDE), reg(4)),
        BITS(87, 3)); /* INC wraps beyond 20 */
    assert_int_equal(row(R, 5)[1], 0);
    assert_int_equal(row(R, 5)[21], 20);
    assert_int_equal(row(R, 5)[22], 0);
    MEM(R, OP_ATOMG, SPACE_GLOBAL, SLOTS(pt(), reg(5), at(0, 0, OPD_WIDE), reg(4)),
        BITS(87, 4)); /* DEC */
    assert_int_equal(row(R, 5)[0], 10);
    assert_int_equal(row(R, 5)[11], 20);
    fill(R, 4, (uint32_t)-7);
    MEM(R, OP_REDG, SPACE_GLOBAL, SLOTS(at(0, 0, OPD_WIDE), reg(4)),
        BITS(87, 1, 73, 1)); /* MIN.S32 */
    assert_int_equal(word_at(global(R, 0)), (uint32_t)-7);
    R->grid.arch = SM86;
    fill64(R, 6, 0xc000000000000000u);
    MEM(R, OP_RED, SPACE_GLOBAL, SLOTS(at(0, 8, OPD_WIDE), reg(6)), BITS(73, 6));
    assert_int_equal(word_at(global(R, 12)), 0xc0500000); /* F64: 32 times -2 */
    refuse(R,
           memory_inst(OP_ATOMG, SPACE_GLOBAL,
                       SLOTS(pt(), reg(5), at(0, 0, OPD_WIDE), reg(4)), BITS(87, 9)),
           ERR_UNSUPPORTED, "atomic operation");
}

static void adds_floating_point(void **state)
{
    point(R, R->global, 16);
    fill(R, 4, 0x00000001); /* a denormal: global sums flush */
    fill(R, 5, 0x3f800000);
    memcpy(global(R, 4), &(uint32_t){ 0x40000000 }, 4);
    MEM(R, OP_ATOMG_F, SPACE_GLOBAL, SLOTS(pt(), reg(6), at(0, 0, OPD_WIDE), reg(4)),
        BITS(73, 10)); /* two f32 */
    assert_int_equal(word_at(global(R, 0)), 0);
    assert_int_equal(word_at(global(R, 4)), 0x40400000);
    assert_int_equal(row(R, 7)[0], 0x40000000);
    MEM(R, OP_REDG_F, SPACE_GLOBAL, SLOTS(at(0, 0, OPD_WIDE), reg(5)), BITS(73, 3));
    assert_int_equal(word_at(global(R, 0)), 0x3f800000); /* bf16x2 */
    refuse(R,
           memory_inst(OP_ATOMG_F, SPACE_GLOBAL,
                       SLOTS(pt(), reg(6), at(0, 0, OPD_WIDE), reg(4)), BITS(73, 7)),
           ERR_UNSUPPORTED, "atomic operation");
}

/* Shared memory cannot do a 64-bit sum by itself: the predicate says so. */
static void reports_what_shared_memory_cannot(void **state)
{
    LANES(l) {
        uint64_t a = l & 1 ? SHARED_WINDOW + 8 * l : R->global + 8 * l;

        row(R, 0)[l] = (uint32_t)a;
        row(R, 1)[l] = (uint32_t)(a >> 32);
    }
    fill64(R, 4, 3);
    fill64(R, 6, 9);
    MEM(R, OP_ATOM, SPACE_GENERIC, SLOTS(pred(0), reg(6), at(0, 0, OPD_WIDE), reg(4)),
        BITS(73, 2));
    assert_int_equal(R->w.p[0], 0x55555555);
    assert_int_equal(word_at(global(R, 16)), 3);
    assert_int_equal(word_at(R->shared + 8), 0);
    assert_int_equal(row(R, 6)[0], 0);
    assert_int_equal(row(R, 6)[1], 9);
    MEM(R, OP_ATOM, SPACE_GENERIC, SLOTS(pred(0), reg(6), at(0, 0, OPD_WIDE), reg(4)),
        PLAIN); /* 32 bits it can */
    assert_int_equal(R->w.p[0], ALL_LANES);
    assert_int_equal(word_at(R->shared + 8), 3);
}

static void compares_and_swaps(void **state)
{
    point(R, R->global, 0);
    LANES(l) {
        row(R, 4)[l] = l;
        row(R, 5)[l] = l + 1;
    }
    MEM(R, OP_ATOMG_CAS, SPACE_GLOBAL,
        SLOTS(pt(), reg(6), at(0, 0, OPD_WIDE), reg(4), reg(5)), PLAIN);
    assert_int_equal(word_at(global(R, 0)), 32);
    assert_int_equal(row(R, 6)[31], 31);
    memset(R->shared, 0, 16);
    fill64(R, 4, 0);
    fill64(R, 8, 0x100000001);
    MEM(R, OP_ATOMS_CAS, SPACE_SHARED, SLOTS(reg(6), at(REG_RZ, 8, 0), reg(4), reg(8)),
        BITS(73, 2, 87, 3)); /* CAST.SPIN.64 */
    assert_true(pair(R, 6, 0) == 1);
    assert_true(pair(R, 6, 1) == 0);
    assert_int_equal(word_at(R->shared + 12), 1);
    MEM(R, OP_ATOMS_POPC, SPACE_SHARED, SLOTS(rz(), at(REG_RZ, 0, 0)), BITS(87, 11));
    assert_int_equal(word_at(R->shared), 32);
    refuse(R,
           memory_inst(OP_ATOMS_POPC, SPACE_SHARED, SLOTS(rz(), at(REG_RZ, 0, 0)),
                       BITS(87, 12)),
           ERR_UNSUPPORTED, "atomic operation");
}

static void moves_matrices(void **state)
{
    for (unsigned k = 0; k < 512; k++)
        memcpy(R->shared + 2 * k, &(uint16_t){ (uint16_t)k }, 2);
    LANES(l)
        row(R, 0)[l] = 16 * l;
    MEM(R, OP_LDSM, SPACE_SHARED, SLOTS(reg(4), at(0, 0, 0)), BITS(72, 2));
    /* lane 4g + t, register r: row g of matrix r, halves 2t, 2t + 1 */
    assert_int_equal(row(R, 6)[13], (128 + 24 + 2) | (128 + 24 + 3) << 16);
    MEM(R, OP_LDSM, SPACE_SHARED, SLOTS(reg(8), at(0, 0, 0)), BITS(72, 2, 78, 1));
    assert_int_equal(row(R, 10)[13], (128 + 16 + 3) | (128 + 24 + 3) << 16);
    memset(R->shared, 0, RIG_SHARED);
    MEM(R, OP_STSM, SPACE_SHARED, SLOTS(at(0, 0, 0), reg(8)), BITS(72, 2, 78, 1));
    for (unsigned k = 0; k < 256; k++)
        assert_int_equal(R->shared[2 * k] | R->shared[2 * k + 1] << 8, k);
    fill(R, 0, RIG_SHARED); /* only the first eight lanes' addresses count */
    for (unsigned l = 0; l < 8; l++)
        row(R, 0)[l] = 16 * l;
    MEM(R, OP_LDSM, SPACE_SHARED, SLOTS(reg(4), at(0, 0, 0)), PLAIN);
    refuse(R,
           memory_inst(OP_LDSM, SPACE_SHARED, SLOTS(reg(4), at(0, 0, 0)), BITS(79, 1)),
           ERR_UNSUPPORTED, "matrix load");
}

static void collect(void *to, const char *text, size_t n)
{
    buf_add(to, text, n);
}

static void put_string(struct rig *r, uint64_t offset, const char *text)
{
    memcpy(global(r, offset), text, strlen(text) + 1);
}

static void prints(void **state)
{
    struct sass_inst call = inst(OP_NOP, SLOTS({ 0 }), PLAIN);
    struct buf out = { 0 };
    uint8_t *args = global(R, 512);
    uint64_t text = R->global + 256;
    double pi = 3.25;

    R->grid.launch.print = collect;
    R->grid.launch.print_to = &out;
    put_string(R, 0, "%d|%5u|%-4x|%lld|%s|%c|%f|%5.1e|%%|%p|%*d|%zu;");
    put_string(R, 256, "word");
    memcpy(args, &(int32_t){ -3 }, 4);
    memcpy(args + 4, &(uint32_t){ 42 }, 4);
    memcpy(args + 8, &(uint32_t){ 0xab }, 4);
    memcpy(args + 16, &(int64_t){ -5000000000 }, 8);
    memcpy(args + 24, &text, 8);
    memcpy(args + 32, &(int32_t){ 'z' }, 4);
    memcpy(args + 40, &pi, 8);
    memcpy(args + 48, &pi, 8);
    memcpy(args + 56, &(uint64_t){ 0x1234 }, 8);
    memcpy(args + 64, &(int32_t){ 4 }, 4);
    memcpy(args + 68, &(int32_t){ 7 }, 4);
    memcpy(args + 72, &(uint64_t){ 99 }, 8);
    fill64(R, 4, R->global);
    fill64(R, 6, R->global + 512);
    assert_int_equal(syscall_run(&R->w, &call, 0x3, SYSCALL_VPRINTF), EXEC_NEXT);
    assert_string_equal(
        buf_text(&out),
        "-3|   42|ab  |-5000000000|word|z|3.250000|3.2e+00|%|0x1234|   7|%zu;"
        "-3|   42|ab  |-5000000000|word|z|3.250000|3.2e+00|%|0x1234|   7|%zu;");
    assert_int_equal(row(R, 4)[1], 11);
    assert_int_equal(row(R, 4)[2], (uint32_t)R->global); /* not a lane of the call */
    fill64(R, 6, 0x99);
    fill64(R, 4, R->global);
    assert_int_equal(syscall_run(&R->w, &call, 1, SYSCALL_VPRINTF), EXEC_ERROR);
    assert_int_equal(R->err.code, ERR_FAULT);
    buf_free(&out);
}

static uint64_t allocate(struct rig *r, uint64_t bytes)
{
    static const struct sass_inst call = { .guard = PRED_PT };

    fill64(r, 4, bytes);
    assert_int_equal(syscall_run(&r->w, &call, 1, SYSCALL_MALLOC), EXEC_NEXT);
    return pair(r, 4, 0);
}

static enum exec_result release(struct rig *r, uint64_t addr)
{
    struct sass_inst call = inst(OP_NOP, SLOTS({ 0 }), PLAIN);

    fill64(r, 4, addr);
    return syscall_run(&r->w, &call, 1, SYSCALL_FREE);
}

static void allocates(void **state)
{
    uint64_t a, b, c;

    R->grid.launch.heap_bytes = 4096;
    a = allocate(R, 100);
    b = allocate(R, 1000);
    assert_true(a && b && a != b && !(a & 15) && !(b & 15));
    assert_true(b >= a + 100 || a >= b + 1000);
    assert_true(allocate(R, 4000) == 0); /* full */
    assert_int_equal(release(R, a), EXEC_NEXT);
    c = allocate(R, 50);
    assert_true(c == a);
    assert_int_equal(release(R, 0), EXEC_NEXT);
    assert_int_equal(release(R, b), EXEC_NEXT);
    assert_int_equal(release(R, c), EXEC_NEXT);
    assert_true(allocate(R, 1100) == a); /* neighbours were joined */
    assert_int_equal(release(R, b), EXEC_ERROR);
    assert_non_null(strstr(R->err.text, "was not allocated"));
    memset(R->space.bytes + (R->grid.heap - R->space.base), 0xff, 64);
    assert_true(allocate(R, 16) == 0); /* spoilt by the kernel: no crash */
}

static void asserts(void **state)
{
    struct sass_inst call = inst(OP_NOP, SLOTS({ 0 }), PLAIN);

    put_string(R, 0, "x > 0");
    put_string(R, 64, "file.cu");
    put_string(R, 128, "kernel(int)");
    fill64(R, 4, R->global);
    fill64(R, 6, R->global + 64);
    fill(R, 8, 17);
    fill64(R, 10, R->global + 128);
    assert_int_equal(syscall_run(&R->w, &call, 3u << 13, SYSCALL_ASSERTFAIL),
                     EXEC_ERROR);
    assert_int_equal(R->err.code, ERR_ASSERT);
    assert_non_null(strstr(R->err.text,
                           "file.cu:17: kernel(int): block: [1,2,0], thread: "
                           "[5,1,0] Assertion `x > 0` failed"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_setup, rig_teardown)
        TEST(loads_all_sizes),
        TEST(stores_under_a_mask),
        TEST(refuses_bad_addresses),
        TEST(reads_shared_memory),
        TEST(resolves_generic_addresses),
        TEST(reads_constants),
        TEST(copies_to_shared_memory),
        TEST(adds_in_order),
        TEST(adds_floating_point),
        TEST(reports_what_shared_memory_cannot),
        TEST(compares_and_swaps),
        TEST(moves_matrices),
        TEST(prints),
        TEST(allocates),
        TEST(asserts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
