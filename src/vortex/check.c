/* check.c - registers and memory as program order has them, against what the pipeline
 * does.
 *
 * Every write has a version, every lane of a source knows the version it must find: in the
 * register file when it is read there, or as its producer's when it takes the result on
 * its way. No lane is written after a younger write. So a renaming scheme that does not
 * merge lanes, or keeps a result from the register file that somebody needs, is found out
 * by who reads it. A register whose lanes all have the same version has it once, and so
 * has who reads it; otherwise an instruction keeps the sum of its lanes' versions.
 * Memory operations of a warp may not pass an older one that a lane of theirs must see,
 * nor a fence.
 */
#include "vortex/state.h"

static const uint32_t mixed = ~0u; /* as the version of all lanes: each has its own */

/* A memory operation is the last of its warp's. */
static void note_order(struct vx_warp *w, struct vx_flight *f, uop_id id,
                       bool is_memory)
{
    f->order_next = NO_UOP;
    *w->order_end = is_memory ? id : NO_UOP;
    w->order_end = is_memory ? &f->order_next : w->order_end;
}

static size_t place_of(unsigned warp, unsigned reg)
{
    return (size_t)warp * VX_REGS + reg;
}

static uint32_t sum_of(const struct vx_core *k, const struct vx_versions *v,
                       size_t place, uint32_t mask)
{
    const uint32_t *lane = &v->lane[place * k->p->threads];
    uint32_t sum = 0;

    if (v->all[place] != mixed)
        return v->all[place] * vx_lanes(k, mask);
    for (; mask; mask &= mask - 1)
        sum += lane[__builtin_ctz(mask)];
    return sum;
}

/* Lanes of a register that are not all written; whether one had a younger version. */
static bool write_some(const struct vx_core *k, uint32_t *all, uint32_t *lane,
                       uint32_t mask, uint32_t version)
{
    bool is_late = false;

    for (unsigned l = 0; *all != mixed && l < k->p->threads; l++)
        lane[l] = *all;
    *all = mask == k->full ? version : mixed;
    for (; mask; mask &= mask - 1) {
        uint32_t *at = &lane[__builtin_ctz(mask)];

        is_late |= *at > version;
        *at = version;
    }
    return is_late;
}

/* Lanes are written; whether one of them had a younger version. */
static inline bool write_lanes(const struct vx_core *k, const struct vx_versions *v,
                               size_t place, uint32_t mask, uint32_t version)
{
    uint32_t *all = &v->all[place], old = *all;

    if (mask != k->full || old == mixed)
        return write_some(k, all, &v->lane[place * k->p->threads], mask, version);
    *all = version;
    return old > version;
}

void vx_check_fetched(struct vx_core *k, struct uop *u)
{
    struct vx_warp *w = &k->warp[u->warp];
    struct vx_flight *f = vx_flight(k, u);
    uint32_t *all = &k->newest.all[place_of(u->warp, 0)];
    bool is_mixed = false;

    for (unsigned n = 0; n < 3; n++) { /* x0, which nobody writes, behind the last */
        f->expects[n] = all[f->src[n]];
        is_mixed |= f->expects[n] == mixed;
    }
    f->is_mixed = is_mixed;
    for (unsigned n = 0; is_mixed && n < 3; n++)
        f->expects[n] =
            sum_of(k, &k->newest, place_of(u->warp, f->src[n]), u->dyn.mask);
    f->version = w->versions += f->rd != 0;
    write_lanes(k, &k->newest, place_of(u->warp, f->rd), u->dyn.mask, f->version);
    all[0] = 0;
    note_order(w, f, u->id, f->ex == VX_LSU);
}

static void violation(struct vx_core *k, const struct uop *u, unsigned reg,
                      const char *what)
{
    if (k->failed)
        return;
    k->failed = true;
    err_kind(
        k->err, ERR_WRONG,
        "issue stage %s broke the order of registers: core %u, cycle %llu, warp %u: "
        "instruction %llu at 0x%llx, %c%u: %s",
        k->issue->ops->name, k->index, (unsigned long long)k->cycle, u->warp,
        (unsigned long long)u->dyn.seq, (unsigned long long)u->dyn.inst->pc,
        reg < 32 ? 'x' : 'f', reg % 32, what);
}

/* The sum of the versions that the lanes of a source must find. */
static uint32_t sum_expected(const struct vx_core *k, const struct uop *u, unsigned n)
{
    const struct vx_flight *f = &k->flight[u->id];

    return f->is_mixed ? f->expects[n] : f->expects[n] * vx_lanes(k, u->dyn.mask);
}

/* One comparison, as if no register were mixed, and the lanes' sum where that does not do. */
void vx_check_read(struct vx_core *k, const struct uop *u, unsigned n)
{
    const struct vx_flight *f = vx_flight(k, u);
    size_t place = place_of(u->warp, f->src[n]);

    if (!((k->held.all[place] ^ f->expects[n]) | f->is_mixed))
        return;
    if (sum_of(k, &k->held, place, u->dyn.mask) != sum_expected(k, u, n))
        violation(k, u, f->src[n], "the register file holds another write");
}

void vx_check_reads(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);
    const uint32_t *all = &k->held.all[place_of(u->warp, 0)];
    uint32_t differ = f->is_mixed;

    for (unsigned n = 0; n < 3; n++)
        differ |= all[f->src[n]] ^ f->expects[n];
    for (unsigned n = 0; differ && n < f->n_src; n++)
        vx_check_read(k, u, n);
}

void vx_check_caught(struct vx_core *k, const struct uop *u, unsigned n,
                     const struct uop *producer)
{
    const struct vx_flight *f = vx_flight(k, u);
    uint32_t version = k->flight[producer->id].version;
    uint32_t lacks = u->dyn.mask & ~producer->dyn.mask;

    if (!(lacks | f->is_mixed | (version ^ f->expects[n])))
        return;
    if (lacks)
        violation(k, u, f->src[n], "takes a result without some of its lanes");
    else if (version * vx_lanes(k, u->dyn.mask) != sum_expected(k, u, n))
        violation(k, u, f->src[n], "takes the result of another write");
}

void vx_check_written(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);

    if (f->rd &&
        write_lanes(k, &k->held, place_of(u->warp, f->rd), u->dyn.mask, f->version))
        violation(k, u, f->rd, "written after a younger write");
}

/* May the younger one not pass the older? */
static bool conflict(const struct uop *a, const struct uop *b)
{
    if (a->dyn.inst->class == CLASS_fence || b->dyn.inst->class == CLASS_fence)
        return true;
    if (a->dyn.inst->class == CLASS_load && b->dyn.inst->class == CLASS_load)
        return false;
    for (uint32_t m = a->dyn.mask & b->dyn.mask; m; m &= m - 1) {
        uint64_t at = addresses_at(&a->dyn.addr, (unsigned)__builtin_ctz(m));
        uint64_t other = addresses_at(&b->dyn.addr, (unsigned)__builtin_ctz(m));

        if (at < other + b->dyn.inst->bytes && other < at + a->dyn.inst->bytes)
            return true;
    }
    return false;
}

void vx_check_performed(struct vx_core *k, struct uop *u)
{
    struct vx_warp *w = &k->warp[u->warp];
    struct vx_flight *f = vx_flight(k, u);
    uop_id *at = &w->order_first;

    for (; *at != u->id; at = &k->flight[*at].order_next) {
        const struct uop *older = &k->pool[*at];

        if (conflict(older, u) && !k->failed) {
            k->failed = true;
            err_kind(k->err, ERR_WRONG,
                     "issue stage %s broke the order of memory: core %u, cycle %llu, "
                     "warp %u: instruction %llu at 0x%llx passes instruction %llu at "
                     "0x%llx",
                     k->issue->ops->name, k->index, (unsigned long long)k->cycle,
                     u->warp, (unsigned long long)u->dyn.seq,
                     (unsigned long long)u->dyn.inst->pc,
                     (unsigned long long)older->dyn.seq,
                     (unsigned long long)older->dyn.inst->pc);
        }
    }
    *at = f->order_next;
    w->order_end = w->order_end == &f->order_next ? at : w->order_end;
}
