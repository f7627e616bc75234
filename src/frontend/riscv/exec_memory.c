/* exec_memory.c - loads, stores, atomics, fences.
 *
 * Lanes access memory one after another, the lowest first: if two store to one address,
 * the higher lane's value stays. Addresses need no alignment, except those of atomics.
 */
#include "frontend/riscv/state.h"

/* Local memory ends the address space, and nothing is below I/O: a program without
 * arguments that asked for them and accesses this range is using them. */
static int take_special(const struct riscv_warp *w, const struct riscv_inst *i,
                        struct dyn *dyn, struct err *err)
{
    bool is_local = true, is_low = false;

    for (uint32_t m = w->mask; m; m &= m - 1) {
        uint32_t addr = (uint32_t)dyn->addr.list[__builtin_ctz(m)];

        is_local &= addr - RISCV_LOCAL < w->core->local_bytes;
        is_low |= addr < RISCV_IO_BASE;
    }
    dyn->space = is_local ? SPACE_SHARED : SPACE_GLOBAL;
    if (!is_low || !w->core->lacks_arguments)
        return 0;
    return err_set(
        err,
        "core %u, warp %u: %s at 0x%llx reads the program's arguments, but none "
        "were given (--args FILE)",
        w->core->index, w->index, riscv_op_name(i->inst.op),
        (unsigned long long)i->inst.pc);
}

/* Addresses of all lanes into the dyn, as a list: warps are narrow, and the handlers
 * need them one by one. Also sets the space of the active lanes. */
static int take_addresses(const struct riscv_warp *w, const struct riscv_inst *i,
                          struct dyn *dyn, struct err *err)
{
    const uint32_t *base = w->r[i->rs1], imm = i->imm;
    uint64_t *list = addresses_list(&dyn->addr);
    uint32_t special = 0;

    for (size_t first = 0; first < w->n_lanes; first += TOGETHER)
        for (size_t l = first; l < first + TOGETHER; l++) {
            uint32_t addr = base[l] + imm;

            list[l] = addr;
            special |= addr - RISCV_LOCAL < RISCV_IO_BASE - RISCV_LOCAL;
        }
    dyn->space = SPACE_GLOBAL;
    return special ? take_special(w, i, dyn, err) : 0;
}

/* LOAD(id, type in memory): extended to 32 bits as the type says. */
#define LOAD(id, type)                                                        \
    HANDLER(id)                                                               \
    {                                                                         \
        struct riscv_places at = riscv_places(w->core);                       \
        uint32_t *d = w->r[i->rd];                                            \
                                                                              \
        if (take_addresses(w, i, dyn, err))                                   \
            return -1;                                                        \
        for (uint32_t m = w->mask; m; m &= m - 1) {                           \
            unsigned l = (unsigned)__builtin_ctz(m);                          \
            type v;                                                           \
                                                                              \
            memcpy(&v, riscv_at(&at, (uint32_t)dyn->addr.list[l]), sizeof v); \
            d[l] = (uint32_t)v;                                               \
        }                                                                     \
        return 0;                                                             \
    }

#define STORE(id, type)                                                   \
    HANDLER(id)                                                           \
    {                                                                     \
        const uint32_t *from = w->r[i->rs2];                              \
                                                                          \
        if (take_addresses(w, i, dyn, err))                               \
            return -1;                                                    \
        for (uint32_t m = w->mask; m; m &= m - 1) {                       \
            unsigned l = (unsigned)__builtin_ctz(m);                      \
            uint32_t addr = (uint32_t)dyn->addr.list[l];                  \
            type v = (type)from[l];                                       \
                                                                          \
            memcpy(riscv_bytes(w->core, addr), &v, sizeof v);             \
            if ((addr < RISCV_IO_END || w->core->launched->is_watched) && \
                riscv_stored(w, addr, v, sizeof v, err))                  \
                return -1;                                                \
        }                                                                 \
        return 0;                                                         \
    }

LOAD(lb, int8_t)
LOAD(lh, int16_t)
LOAD(lw, uint32_t)
LOAD(lbu, uint8_t)
LOAD(lhu, uint16_t)
LOAD(flw, uint32_t)
STORE(sb, uint8_t)
STORE(sh, uint16_t)
STORE(sw, uint32_t)
STORE(fsw, uint32_t)

static void put_on_console(struct riscv_launched *l, unsigned stream, char c)
{
    struct buf *line = &l->console[stream];

    buf_putc(line, c);
    if (c != '\n' && line->len < 4096)
        return;
    if (l->launch.print)
        l->launch.print(l->launch.print_to, stream, line->data, line->len);
    buf_clear(line);
}

/* A store ends lanes' reservations of its one or two words. */
static void end_reservations(struct riscv_warp *w, uint32_t addr, unsigned n)
{
    uint32_t first = addr & ~3u, last = (addr + n - 1) & ~3u;

    for (uint32_t m = w->reserved; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (w->reservation[l] == first || w->reservation[l] == last)
            w->reserved &= ~(1u << l);
    }
}

int riscv_stored(struct riscv_warp *w, uint32_t addr, uint32_t value, unsigned n,
                 struct err *err)
{
    struct riscv_launched *l = w->core->launched;

    for (unsigned k = 0; k < n; k++)
        if (addr + k - RISCV_CONSOLE < RISCV_CONSOLES)
            put_on_console(l, addr + k - RISCV_CONSOLE, (char)(value >> 8 * k));
    if (!l->is_watched)
        return 0;
    for (unsigned c = 0; c < l->launch.n_cores; c++)
        for (unsigned k = 0; l->core[c] && k < l->launch.n_warps; k++)
            end_reservations(&l->core[c]->warp[k], addr, n);
    if (l->launch.tohost && addr == l->launch.tohost)
        return riscv_tell_host(w, value, err);
    return 0;
}

static int report_misaligned(const struct riscv_inst *i, unsigned lane, uint32_t addr,
                             struct err *err)
{
    return err_kind(err, ERR_MISALIGNED,
                    "%s at 0x%llx: lane %u's address 0x%x, expected a multiple of 4",
                    riscv_op_name(i->inst.op), (unsigned long long)i->inst.pc, lane,
                    addr);
}

/* The value that an atomic stores; a is in memory, b is the operand. */
static uint32_t combine_words(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case RISCV_amoadd_w:
        return a + b;
    case RISCV_amoxor_w:
        return a ^ b;
    case RISCV_amoand_w:
        return a & b;
    case RISCV_amoor_w:
        return a | b;
    case RISCV_amomin_w:
        return (int32_t)a < (int32_t)b ? a : b;
    case RISCV_amomax_w:
        return (int32_t)a > (int32_t)b ? a : b;
    case RISCV_amominu_w:
        return a < b ? a : b;
    case RISCV_amomaxu_w:
        return a > b ? a : b;
    default: /* swap and sc */
        return b;
    }
}

/* One lane: its rd becomes the old value, for sc 0 where it stored, else 1. */
static int atomic_lane(struct riscv_warp *w, const struct riscv_inst *i, unsigned l,
                       uint32_t addr, struct err *err)
{
    uint32_t old, value = w->r[i->rs2][l], bit = 1u << l;
    bool holds = w->reserved & bit && w->reservation[l] == addr;

    memcpy(&old, riscv_bytes(w->core, addr), sizeof old);
    if (i->inst.op == RISCV_lr_w) {
        w->reserved |= bit;
        w->reservation[l] = addr;
        w->core->launched->is_watched = true;
        w->r[i->rd][l] = old;
        return 0;
    }
    w->r[i->rd][l] = i->inst.op == RISCV_sc_w ? !holds : old;
    if (i->inst.op == RISCV_sc_w) {
        w->reserved &= ~bit;
        if (!holds)
            return 0;
    }
    value = combine_words(i->inst.op, old, value);
    memcpy(riscv_bytes(w->core, addr), &value, sizeof value);
    if (addr < RISCV_IO_END || w->core->launched->is_watched)
        return riscv_stored(w, addr, value, sizeof value, err);
    return 0;
}

static int run_atomic(struct riscv_warp *w, const struct riscv_inst *i, struct dyn *dyn,
                      struct err *err)
{
    if (take_addresses(w, i, dyn, err))
        return -1;
    for (uint32_t m = w->mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t addr = (uint32_t)dyn->addr.list[l];

        if (addr & 3)
            return report_misaligned(i, l, addr, err);
        if (atomic_lane(w, i, l, addr, err))
            return -1;
    }
    return 0;
}

#define ATOMIC(id)                         \
    HANDLER(id)                            \
    {                                      \
        return run_atomic(w, i, dyn, err); \
    }

ATOMIC(lr_w)
ATOMIC(sc_w)
ATOMIC(amoswap_w)
ATOMIC(amoadd_w)
ATOMIC(amoxor_w)
ATOMIC(amoand_w)
ATOMIC(amoor_w)
ATOMIC(amomin_w)
ATOMIC(amomax_w)
ATOMIC(amominu_w)
ATOMIC(amomaxu_w)

/* Memory accesses are in order already. */
HANDLER(fence)
{
    return 0;
}

HANDLER(fence_i)
{
    riscv_code_refresh(w->core->launched->memory);
    return 0;
}
