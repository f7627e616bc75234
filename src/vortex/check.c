/* check.c - registers and memory as program order has them, against what the pipeline
 * does.
 *
 * Every write has a version, every source knows the version it must find: in the register
 * file when it is read there, or as its producer's when it takes the result on its way.
 * A result may be kept from the register file only if a younger one is written there with
 * at least its lanes; a reader may take a result only if all of its lanes are in it. So a
 * renaming scheme that does not merge lanes is found out. Memory operations of a warp may
 * not pass an older one that a lane of theirs must see, nor a fence.
 */
#include "vortex/state.h"

static void note_order(struct vx_core *k, struct vx_warp *w, struct uop *u)
{
    vx_flight(k, u)->order_next = NO_UOP;
    if (w->order_first == NO_UOP)
        w->order_first = u->id;
    else
        k->flight[w->order_last].order_next = u->id;
    w->order_last = u->id;
}

void vx_check_fetched(struct vx_core *k, struct uop *u)
{
    struct vx_warp *w = &k->warp[u->warp];
    struct vx_flight *f = vx_flight(k, u);

    for (unsigned n = 0; n < f->n_src; n++)
        f->expects[n] = w->reg[f->src[n]].newest;
    if (f->rd)
        f->version = w->reg[f->rd].newest = ++w->versions;
    if (f->ex == VX_LSU)
        note_order(k, w, u);
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

void vx_check_read(struct vx_core *k, const struct uop *u, unsigned n)
{
    const struct vx_flight *f = vx_flight(k, u);
    const struct vx_reg *r = &k->warp[u->warp].reg[f->src[n]];

    if (r->held != f->expects[n])
        violation(k, u, f->src[n], "the register file holds another write");
    else if (r->missed & u->dyn.mask)
        violation(k, u, f->src[n], "lanes of it were never written");
}

void vx_check_caught(struct vx_core *k, const struct uop *u, unsigned n,
                     const struct uop *producer)
{
    const struct vx_flight *f = vx_flight(k, u);

    if (k->flight[producer->id].version != f->expects[n])
        violation(k, u, f->src[n], "takes the result of another write");
    else if (u->dyn.mask & ~producer->dyn.mask)
        violation(k, u, f->src[n], "takes a result without some of its lanes");
}

void vx_check_written(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);
    struct vx_reg *r = &k->warp[u->warp].reg[f->rd];

    if (!f->rd)
        return;
    if (f->version <= r->held)
        violation(k, u, f->rd, "written after a younger write");
    else if (r->missed & ~u->dyn.mask)
        violation(k, u, f->rd, "lanes of older writes are lost");
    r->held = f->version;
    r->lanes = u->dyn.mask;
    r->missed = 0;
}

void vx_check_missed(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);
    struct vx_reg *r = &k->warp[u->warp].reg[f->rd];

    if (f->version > r->held)
        r->missed |= u->dyn.mask;
    else if (u->dyn.mask & ~r->lanes)
        violation(k, u, f->rd, "lanes of it are lost: a younger write is narrower");
}

/* May the younger one not pass the older? */
static bool conflict(const struct uop *a, const struct uop *b)
{
    if (a->dyn.inst->class == CLASS_fence || b->dyn.inst->class == CLASS_fence)
        return true;
    if (a->dyn.inst->class == CLASS_load && b->dyn.inst->class == CLASS_load)
        return false;
    for (uint32_t m = a->dyn.mask & b->dyn.mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (a->dyn.addr[l] < b->dyn.addr[l] + b->dyn.inst->bytes &&
            b->dyn.addr[l] < a->dyn.addr[l] + a->dyn.inst->bytes)
            return true;
    }
    return false;
}

void vx_check_performed(struct vx_core *k, struct uop *u)
{
    struct vx_warp *w = &k->warp[u->warp];
    uop_id before = NO_UOP;

    for (uop_id id = w->order_first; id != u->id; id = k->flight[id].order_next) {
        const struct uop *older = &k->pool[id];

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
        before = id;
    }
    if (before == NO_UOP)
        w->order_first = vx_flight(k, u)->order_next;
    else
        k->flight[before].order_next = vx_flight(k, u)->order_next;
    if (w->order_last == u->id)
        w->order_last = before;
}
