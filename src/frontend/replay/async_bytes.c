/* async_bytes.c - what an instruction does asynchronously, as bytes: a byte (kind, tensor map,
 * gave up); where the map is, if that is known; the blocks it reports to; operations on
 * barriers; runs of global memory, those that are evenly spaced together.
 */
#include "frontend/replay/async_bytes.h"

#include <stdlib.h>

enum { KIND_MASK = 15, IS_TENSOR = 16, HAS_MAP = 64, HAS_PARAM = 128 };
enum { OP_MASK = 7, OP_DROPS = 8, OP_PARITY = 16, OP_BITS = 32 };
enum { MAX_REGISTERS = 256 };

static void put_op(const struct barrier_op *o, uint32_t last, struct buf *out)
{
    bool is_change = o->kind == BARRIER_CHANGE, is_wait = o->kind == BARRIER_WAIT;

    put_fixed(out,
              o->kind | (is_change && o->change.drops ? OP_DROPS : 0u) |
                  (is_wait && o->parity ? OP_PARITY : 0u),
              1);
    put_signed(out, (int64_t)o->barrier - last);
    put_varint(out, o->times);
    if (o->kind == BARRIER_SET)
        put_fixed(out, o->word, 8);
    if (!is_change)
        return;
    put_varint(out, o->change.arrivals);
    put_signed(out, o->change.bytes);
}

/* How many runs from the first on have its length and are as far apart as the first two. */
static uint32_t count_even(const struct copy_run *r, uint32_t left)
{
    uint32_t n = left > 1 && r[1].bytes == r->bytes ? 2 : 1;

    while (n > 1 && n < left && r[n].bytes == r->bytes &&
           r[n].addr - r[n - 1].addr == r[1].addr - r->addr)
        n++;
    return n;
}

static void put_runs(const struct copy *c, struct buf *out)
{
    uint64_t last = 0;

    put_varint(out, c->n_runs);
    for (uint32_t k = 0, n; k < c->n_runs; k += n) {
        const struct copy_run *r = &c->run[k];

        n = count_even(r, c->n_runs - k);
        put_varint(out, n);
        put_signed(out, (int64_t)(r->addr - last));
        put_varint(out, r->bytes);
        if (n > 1)
            put_signed(out, (int64_t)(r[1].addr - r->addr));
        last = r->addr;
    }
}

void async_put(const struct copy *c, struct buf *out)
{
    uint32_t last = 0;

    if (!c)
        return;
    put_fixed(out,
              c->kind | (c->is_tensor ? IS_TENSOR : 0u) |
                  (c->gave_up ? ASYNC_GAVE_UP : 0u) | (c->map ? HAS_MAP : 0u) |
                  (c->has_param ? HAS_PARAM : 0u),
              1);
    if (c->map)
        put_varint(out, c->map);
    put_varint(out, c->to);
    put_varint(out, c->n_ops);
    for (uint32_t k = 0; k < c->n_ops; k++) {
        put_op(&c->op[k], last, out);
        last = c->op[k].barrier;
    }
    put_runs(c, out);
}

static uint64_t read_fixed64(struct reader *r)
{
    const uint8_t *p = read_bytes(r, 8);

    return p ? get_fixed(p, 8) : 0;
}

static unsigned read_byte_below(struct reader *r, unsigned limit)
{
    const uint8_t *p = read_bytes(r, 1);

    if (p && *p < limit)
        return *p;
    r->is_short = true;
    return 0;
}

/* A barrier must be in the shared memory of one of the blocks. */
static bool is_place(const struct barrier_op *o, uint32_t cluster)
{
    const uint32_t offsets = (1u << BARRIER_RANK) - 1;

    if (o->kind == REGISTERS_GIVE || o->kind == REGISTERS_TAKE)
        return o->barrier <= MAX_REGISTERS;
    return o->barrier >> BARRIER_RANK < cluster &&
           (o->barrier & offsets) < ASYNC_MAX_SHARED && o->barrier % 8 == 0;
}

static void get_op(struct reader *r, uint32_t last, uint32_t cluster,
                   struct barrier_op *o)
{
    unsigned first = read_byte_below(r, OP_BITS);

    o->kind = first & OP_MASK;
    o->barrier = last + (uint32_t)zigzag_decode(read_varint(r));
    o->times = (uint16_t)read_below(r, WARP_LANES + 1);
    if (o->kind >= N_BARRIER_OP || !is_place(o, cluster))
        r->is_short = true;
    switch ((enum barrier_op_kind)o->kind) {
    case BARRIER_CHANGE:
        o->change.drops = first & OP_DROPS;
        o->change.arrivals = (uint32_t)read_varint(r);
        o->change.bytes = (int32_t)zigzag_decode(read_varint(r));
        break;
    case BARRIER_SET:
        o->word = read_fixed64(r);
        break;
    default:
        o->parity = first & OP_PARITY;
    }
}

static void get_ops(struct reader *r, uint32_t cluster, struct copy *c)
{
    uint32_t last = 0;

    c->n_ops = (uint32_t)read_below(r, WARP_LANES + 1);
    c->op = calloc(c->n_ops + 1u, sizeof *c->op);
    if (!c->op)
        err_memory_exit("a copy");
    for (uint32_t k = 0; k < c->n_ops && !r->is_short; k++) {
        get_op(r, last, cluster, &c->op[k]);
        last = c->op[k].barrier;
        if (c->kind != COPY_PHASE && c->op[k].kind != BARRIER_CHANGE)
            r->is_short = true;
    }
}

static void get_runs(struct reader *r, struct copy *c)
{
    uint64_t last = 0;

    c->n_runs = (uint32_t)read_below(r, ASYNC_MAX_RUNS + 1);
    c->run = calloc(c->n_runs + 1u, sizeof *c->run);
    if (!c->run)
        err_memory_exit("a copy");
    for (uint32_t k = 0; k < c->n_runs && !r->is_short;) {
        uint64_t n = read_varint(r);
        uint64_t addr = last + (uint64_t)zigzag_decode(read_varint(r)), step = 0;
        uint32_t bytes = (uint32_t)read_below(r, ASYNC_MAX_RUN_BYTES + 1);

        if (n > 1)
            step = (uint64_t)zigzag_decode(read_varint(r));
        if (!n || n > c->n_runs - k)
            r->is_short = true;
        last = addr;
        for (; n && k < c->n_runs; n--, addr += step)
            c->run[k++] = (struct copy_run){ addr, bytes };
    }
}

/* Operations on barriers are of INST_PHASE, all else of INST_COPIES. */
static bool fits(const struct copy *c, const struct inst *i, uint32_t cluster)
{
    unsigned flag = c->kind == COPY_PHASE ? INST_PHASE : INST_COPIES;

    return c->kind < N_COPY_KIND && i->flags & flag && !(c->to >> cluster);
}

static uint32_t count_bytes(const struct copy *c)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < c->n_ops; k++)
        if (c->op[k].kind == BARRIER_CHANGE && c->op[k].change.bytes < 0)
            n -= (uint32_t)c->op[k].change.bytes;
    return n;
}

bool async_get(struct reader *r, const struct inst *i, uint32_t cluster, struct copy *c)
{
    unsigned first = read_byte_below(r, 256);

    *c = (struct copy){ .kind = first & KIND_MASK,
                        .is_tensor = first & IS_TENSOR,
                        .has_param = first & HAS_PARAM,
                        .gave_up = first & ASYNC_GAVE_UP };
    if (first & HAS_MAP)
        c->map = read_varint(r);
    c->to = (uint16_t)read_below(r, 1 << 16);
    get_ops(r, cluster, c);
    get_runs(r, c);
    c->bytes = count_bytes(c);
    if (!r->is_short && r->p == r->end && fits(c, i, cluster))
        return true;
    async_release(c);
    return false;
}

void async_release(struct copy *c)
{
    free(c->op);
    free(c->run);
    c->op = NULL;
    c->run = NULL;
}
