/* gen.c - random programs: dependences over all register spaces, partial masks, memory
 * of every space with addresses that overlap, branches, barriers, fences, atomics.
 *
 * A kernel has one to three programs of as many sections; every section but the last
 * ends at a barrier, which all warps reach; some kernels also have barriers of some warps
 * and ones where some only arrive. Jumps stay within a section. Control words are random,
 * or such that they keep all dependences.
 */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static unsigned below(struct gen *g, unsigned n)
{
    uint64_t z = (g->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ z >> 31) >> 33) % n;
}

static bool one_in(struct gen *g, unsigned n)
{
    return below(g, n) == 0;
}

/* A register of some space, of few, so that they meet often. */
static unsigned any_register(struct gen *g, unsigned *n)
{
    *n = 1;
    switch (below(g, 12)) {
    case 0:
        return REGID_UR + below(g, 3);
    case 1:
        return REGID_P + below(g, 3);
    case 2:
        return REGID_UP + below(g, 2);
    case 3:
        return REGID_B + below(g, 2);
    case 4:
        *n = 2;
        return REGID_R + 2 * below(g, 4);
    case 5:
        *n = 4;
        return REGID_R + 4 * below(g, 3);
    default:
        return REGID_R + below(g, 12);
    }
}

static void add_operands(struct gen *g, struct rig_op *o, bool has_dst)
{
    unsigned n, id;

    for (unsigned k = below(g, 4); k--;) {
        id = any_register(g, &n);
        rig_reads(o, id, n);
    }
    for (unsigned k = has_dst ? 1 + one_in(g, 6) : 0; k--;) {
        id = any_register(g, &n);
        rig_writes(o, id, n);
    }
}

static void add_address(struct gen *g, struct rig_op *o)
{
    static const unsigned steps[] = { 0, 4, 4, 4, 8, 16, 36, 128 };
    static const uint8_t sizes[] = { 1, 2, 4, 4, 4, 8, 16 };
    unsigned step = steps[below(g, 8)], size = sizes[below(g, 7)];

    o->inst.bytes = (uint8_t)size;
    o->lane = step / size * size;
    o->round = one_in(g, 2) ? 0 : 16u * (1 + below(g, 40));
    o->base = (uint64_t)16 * below(g, 12);
    if (o->inst.space == SPACE_GLOBAL)
        o->base += 0x100000 + (one_in(g, 4) ? 0x1000u * below(g, 64) : 0);
    else if (o->inst.space == SPACE_SHARED)
        o->round = 0;
    if (o->inst.space == SPACE_GLOBAL && one_in(g, 6))
        o->inst.flags |= INST_BYPASS_L1;
}

static void add_control(struct gen *g, struct rig_op *o)
{
    struct inst_control *c = &o->inst.control;

    c->stall = (uint8_t)below(g, 16);
    c->yield = one_in(g, 4);
    c->reuse = (uint8_t)(one_in(g, 2) ? below(g, 8) : 0);
    c->write_barrier = (uint8_t)(one_in(g, 3) ? below(g, 6) : 7);
    c->read_barrier = (uint8_t)(one_in(g, 3) ? below(g, 6) : 7);
    c->wait_mask = (uint8_t)(one_in(g, 3) ? below(g, 64) : 0);
}

static struct rig_op *add_kind(struct rig_code *c, const char *name)
{
    return rig_add_kind(c, rig_kind(name));
}

static uint32_t any_mask(struct gen *g)
{
    switch (below(g, 8)) {
    case 0:
        return 0;
    case 1:
        return 0xffffu << below(g, 16);
    case 2:
        return below(g, 1u << 31) * 2 + 1;
    default:
        return 0xffffffffu;
    }
}

/* For redundancy eliminators: some results are the same in all warps, some executions have
 * lanes off, some jumps are not every warp's. It takes nothing from the numbers that the
 * rest of a program is made of. */
static void add_redundancy(const struct gen *g, struct rig_op *o)
{
    uint64_t random = hash_mix(g->state);

    o->mark = (uint8_t)(random % N_REDUNDANCY);
    o->shape = (uint8_t)(random >> 8) % 3;
    if (random >> 16 & 1)
        o->takers = hash_mix(random);
    if (!(random >> 20 & 31))
        o->active = (uint32_t)(random >> 32) | 1;
}

static void add_random(struct gen *g, struct rig_code *c)
{
    static const char *const names[] = {
        "nop",  "iadd3", "iadd3", "ffma",   "ffma",   "ffma",   "imad", "fsel",
        "dfma", "hfma2", "mufu",  "i2f",    "hmma",   "uiadd3", "s2r",  "vote",
        "shfl", "ldg",   "ldg",   "ldg",    "lds",    "lds",    "ldl",  "stg",
        "stg",  "sts",   "stl",   "atomg",  "atoms",  "red",    "ldc",  "tex",
        "bra",  "bssy",  "bsync", "membar", "depbar", "suld",   "sust", "sured",
    };
    const char *name = names[below(g, sizeof names / sizeof *names)];
    struct rig_op *o = add_kind(c, name);

    o->mask = any_mask(g);
    add_operands(g, o, rig_kind(name)->has_dst);
    if (o->inst.space)
        add_address(g, o);
    if (o->inst.class == CLASS_load && one_in(g, 12))
        rig_make_copy(o);
    add_control(g, o);
    add_redundancy(g, o);
    if (o->inst.class == CLASS_misc) {
        o->inst.depbar = (uint8_t)below(g, 8);
        o->inst.depbar_max = (uint8_t)below(g, 3);
        o->inst.depbar_all = (uint8_t)(one_in(g, 3) ? below(g, 64) : 0);
    }
}

/* Jumps back a few times, or ahead sometimes or always. */
static void add_jumps(struct gen *g, struct rig_code *c, unsigned from)
{
    unsigned n = c->n - from;

    for (unsigned i = from; i < c->n; i++) {
        struct rig_op *o = &c->op[i];

        if (o->inst.class != CLASS_branch || one_in(g, 3))
            continue;
        if (one_in(g, 2)) {
            o->target = (int)(from + below(g, i - from + 1));
            o->times = 1 + below(g, 2);
        } else {
            o->target = (int)(i + 1 + below(g, from + n - i));
            o->times = one_in(g, 2) ? RIG_NEVER : 1;
        }
    }
}

/* A block of straight-line code that any warp may loop over. Nested loops multiply, so
 * there are few branches in a section. */
static void add_section(struct gen *g, struct rig_code *c)
{
    unsigned from = c->n, branches = 0;

    for (unsigned n = 3 + below(g, 20); n--;) {
        add_random(g, c);
        if (c->op[c->n - 1].inst.class == CLASS_branch && ++branches > 3)
            c->n--;
    }
    add_jumps(g, c, from);
}

/* Who meets at the end of a section. */
enum meeting {
    MEET_ALL,
    MEET_COUNTED, /* all, by their number */
    MEET_NEXT,    /* nobody: all wait at the next one */
    MEET_OWN,     /* warps with the same code */
    MEET_FIRST,   /* warps with the first code wait, the others only arrive */
    N_MEETINGS,
};

static void add_barrier(struct gen *g, struct rig_kernel *k, unsigned code,
                        unsigned section, enum meeting kind)
{
    struct rig_op *o = add_kind(&k->code[code], "bar");
    unsigned n_warps = k->base.threads / WARP_LANES, same = 0;

    for (unsigned w = 0; w < n_warps; w++)
        same += k->code_of[w] == code;
    o->barrier = (uint8_t)(section + (kind == MEET_OWN ? 4 + 4 * code : 0));
    add_control(g, o);
    if (kind == MEET_COUNTED || kind == MEET_FIRST)
        o->bar_warps = (uint16_t)n_warps;
    if (kind == MEET_OWN)
        o->bar_warps = (uint16_t)same;
    if (kind == MEET_NEXT)
        o->bar_kind = BAR_NONE;
    if (kind == MEET_FIRST && code)
        o->bar_kind = BAR_ARRIVE;
}

/* Control words that need no interlock: each instruction raises a barrier for its reads
 * and one for its writes; who depends on it waits for that one. Behind and before jumps
 * all barriers are waited for. */
static void compile(struct rig_code *c)
{
    bool is_target[4096] = { 0 };

    for (unsigned i = 0; i < c->n; i++)
        if (c->op[i].target >= 0)
            is_target[c->op[i].target] = true;
    for (unsigned i = 0; i < c->n; i++) {
        struct inst *now = &c->op[i].inst;
        struct inst_control *w = &now->control;
        bool joins = is_target[i] || now->class == CLASS_branch ||
                     (i && c->op[i - 1].inst.class == CLASS_branch);

        w->write_barrier = (uint8_t)(i % 3);
        w->read_barrier = (uint8_t)(3 + i % 3);
        w->wait_mask = joins ? 0x3f : 0;
        for (unsigned j = i; j-- > 0 && !joins;) {
            const struct inst *old = &c->op[j].inst;

            if (regset_meets(&old->writes, &now->reads) ||
                regset_meets(&old->writes, &now->writes))
                w->wait_mask |= (uint8_t)(1u << old->control.write_barrier);
            if (regset_meets(&old->reads, &now->writes))
                w->wait_mask |= (uint8_t)(1u << old->control.read_barrier);
            if (is_target[j] || old->class == CLASS_branch)
                break;
        }
    }
}

/* Half of the programs have operands named by distance over jumps, half of those with moves
 * inserted. It does not follow from the state, so that programs are what they were. */
static void convert(uint64_t seed, struct rig_code *c)
{
    const struct naming naming = { .kind = (enum naming_kind)(seed % 4),
                                   .max_distance = 2 + (unsigned)(seed / 4 % 15),
                                   .orders_writes = seed / 60 % 2 };

    rig_convert(c, &naming);
}

void gen_kernel(uint64_t seed, bool is_compiled, struct rig_kernel *k)
{
    struct gen g = { .state = seed * UINT64_C(0x2545f4914f6cdd1d) + 99,
                     .is_compiled = is_compiled };
    unsigned n_warps = 1 + below(&g, one_in(&g, 3) ? 12 : 5);
    unsigned n_sections = 1 + below(&g, 4);
    enum meeting kinds[4];

    memset(k, 0, sizeof *k);
    k->n_codes = 1 + below(&g, 3);
    k->base.n_blocks = 1 + below(&g, 6);
    k->base.threads = n_warps * WARP_LANES;
    k->base.registers = 16 + below(&g, 100);
    k->base.shared = 8192;
    k->has_no_exit = seed % 7 == 0;
    for (unsigned w = 0; w < 64; w++)
        k->code_of[w] = (uint8_t)below(&g, k->n_codes);
    for (unsigned s = 0; s < n_sections; s++)
        kinds[s] = below(&g, seed % 4 ? MEET_OWN : N_MEETINGS);
    for (unsigned n = 0; n < k->n_codes; n++) {
        struct rig_code *c = &k->code[n];

        for (unsigned s = 0; s < n_sections; s++) {
            add_section(&g, c);
            if (s + 1 < n_sections)
                add_barrier(&g, k, n, s, kinds[s]);
        }
        convert(seed + n, c);
        if (is_compiled)
            compile(c);
    }
    rig_finish(k);
}

/* Every warp goes on until it waits or ends; a barrier lets the others go on. */
static uint64_t drain(struct rig_kernel *k, uint64_t block)
{
    struct err err = { 0 };
    struct stream *s = k->base.ops->open(&k->base, block, &err);
    uint64_t n = 0, before = UINT64_MAX;

    while (n != before) {
        before = n;
        for (unsigned w = 0; w < s->n_warps; w++) {
            uint64_t list[WARP_LANES];
            struct dyn d = { .addr.list = list };

            while (stream_next(s, w, &d, &err) == STREAM_INST)
                n++;
        }
    }
    k->base.ops->close(&k->base, s);
    return n;
}

uint64_t gen_count(struct rig_kernel *k)
{
    uint64_t n = 0;

    for (uint64_t b = 0; b < k->base.n_blocks; b++)
        n += drain(k, b);
    k->n_opened = 0;
    return n;
}
