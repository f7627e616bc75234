/* check.c - checks what the pipeline does to registers and memory against program order.
 *
 * Every write has a version, and every lane of a source knows the version it must find: in
 * the register file when it is read there, or in its producer when the result is captured
 * in flight. No lane is written after a younger write. So if a renaming scheme does not
 * merge lanes, or keeps a result from the register file that is still needed, the next
 * reader finds the wrong version. A register whose lanes all have the same version stores
 * it once, and so does its reader; otherwise an instruction keeps a weighted sum of its
 * lanes' versions.
 *
 * A scheme that renames registers (scheme.renames) keeps every version apart. Then the
 * check is that the youngest older write in program order has been written when an
 * instruction reads it, or when it keeps some lanes of its destination.
 *
 * A memory operation may not pass an older one of its warp that touches the same byte, in
 * any lane, if one of the two writes, nor a fence; a barrier does not issue before older
 * memory operations.
 */
#include "vortex/check.h"

static const uint32_t mixed = ~0u; /* instead of a version: lanes differ */

/* ---- versions of lanes ---- */

/* Appends a memory operation to those of its warp. */
static void append_order(struct vx_warp *w, struct vx_flight *f, uop_id id,
                         bool is_memory)
{
    f->order_next = NO_UOP;
    *w->order_end = is_memory ? id : NO_UOP;
    w->order_end = is_memory ? &f->order_next : w->order_end;
}

static size_t register_place(unsigned warp, unsigned reg)
{
    return (size_t)warp * VX_REGS + reg;
}

/* Factor of a lane's version in a sum, so that differences of two lanes do not cancel. */
static uint32_t lane_weight(unsigned lane)
{
    return (lane + 1) * 0x9e3779b1u;
}

static uint32_t sum_weights(uint32_t mask)
{
    uint32_t sum = 0;

    for (; mask; mask &= mask - 1)
        sum += lane_weight((unsigned)__builtin_ctz(mask));
    return sum;
}

static uint32_t sum_versions(const struct vx_core *k, const struct vx_versions *v,
                             size_t place, uint32_t mask)
{
    const uint32_t *lane = &v->lane[place * k->p->threads];
    uint32_t sum = 0;

    if (v->all[place] != mixed)
        return v->all[place] * sum_weights(mask);
    for (; mask; mask &= mask - 1) {
        unsigned l = (unsigned)__builtin_ctz(mask);

        sum += lane[l] * lane_weight(l);
    }
    return sum;
}

/* Writes some lanes of a register; true: one of them had a younger version. */
static bool write_some_lanes(const struct vx_core *k, uint32_t *all, uint32_t *lane,
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

/* Writes lanes of a register; true: one of them had a younger version. */
static inline bool write_lanes(const struct vx_core *k, const struct vx_versions *v,
                               size_t place, uint32_t mask, uint32_t version)
{
    uint32_t *all = &v->all[place], old = *all;

    if (mask != k->full || old == mixed)
        return write_some_lanes(k, all, &v->lane[place * k->p->threads], mask, version);
    *all = version;
    return old > version;
}

/* ---- with renaming ---- */

static uint64_t version_bit(uint32_t version)
{
    return (uint64_t)1 << version % 64;
}

/* The word with the bit of a version that is not written (never so many are in flight). */
static uint64_t *unwritten_word(const struct vx_core *k, unsigned warp,
                                uint32_t version)
{
    return &k->check.unwritten[(size_t)warp * VX_VERSION_WORDS +
                               version / 64 % VX_VERSION_WORDS];
}

/* The version of a register that program order names; 0: it is written. */
static uint32_t awaited_version(const struct vx_core *k, size_t place)
{
    uint32_t newest = k->check.newest.all[place];

    return k->check.held.all[place] == newest ? 0 : newest;
}

static void name_versions(struct vx_core *k, const struct uop *u, struct vx_flight *f)
{
    size_t rd = register_place(u->warp, f->rd);

    for (unsigned n = 0; n < 3; n++)
        f->expects[n] = awaited_version(k, register_place(u->warp, f->src[n]));
    f->replaces = f->rd ? awaited_version(k, rd) : 0;
    if (!f->rd)
        return;
    f->version = ++k->warp[u->warp].versions;
    k->check.newest.all[rd] = f->version;
    *unwritten_word(k, u->warp, f->version) |= version_bit(f->version);
}

/* The instruction in flight that will write a version; with version 0, the youngest one
 * older than u that writes the register. */
static struct vx_party find_writer(const struct vx_core *k, const struct uop *u,
                                   unsigned reg, uint32_t version)
{
    const struct uop *found = NULL;

    for (const struct uop *o = k->pool; o < k->pool + k->uops.n; o++) {
        const struct vx_flight *f = &k->flight[o->id];

        if (o->stage == UOP_FREE || o->warp != u->warp || f->rd != reg ||
            o->dyn.seq >= u->dyn.seq || (version && f->version != version))
            continue;
        if (!found || o->dyn.seq > found->dyn.seq)
            found = o;
    }
    return found ? vx_party_of(found) : (struct vx_party){ 0 };
}

static char register_prefix(unsigned reg)
{
    return reg < 32 ? 'x' : 'f';
}

static void check_version_written(struct vx_core *k, const struct uop *u, unsigned reg,
                                  uint32_t version)
{
    struct vx_party writer;

    if (!version || !(*unwritten_word(k, u->warp, version) & version_bit(version)))
        return;
    writer = find_writer(k, u, reg, version);
    vx_report_violation(k, "RAW", u, &writer, "needs %c%u, still to be written by",
                        register_prefix(reg), reg % 32);
}

static void check_versions_written(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);

    for (unsigned n = 0; n < f->n_src; n++)
        check_version_written(k, u, f->src[n], f->expects[n]);
    if (u->partial)
        check_version_written(k, u, f->rd, f->replaces);
}

static void write_version(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);
    size_t place = register_place(u->warp, f->rd);

    *unwritten_word(k, u->warp, f->version) &= ~version_bit(f->version);
    if (k->check.newest.all[place] == f->version)
        k->check.held.all[place] = f->version;
}

/* ---- registers ---- */

void vx_check_fetched(struct vx_core *k, struct uop *u)
{
    struct vx_warp *w = &k->warp[u->warp];
    struct vx_flight *f = vx_flight(k, u);
    uint32_t *all = &k->check.newest.all[register_place(u->warp, 0)];
    bool is_mixed = false;

    append_order(w, f, u->id, f->ex == VX_LSU);
    if (k->check.renames) {
        name_versions(k, u, f);
        return;
    }
    for (unsigned n = 0; n < 3; n++) { /* x0, never written, after the last */
        f->expects[n] = all[f->src[n]];
        is_mixed |= f->expects[n] == mixed;
    }
    f->is_mixed = is_mixed;
    for (unsigned n = 0; is_mixed && n < 3; n++)
        f->expects[n] = sum_versions(k, &k->check.newest,
                                     register_place(u->warp, f->src[n]), u->dyn.mask);
    f->version = w->versions += f->rd != 0;
    write_lanes(k, &k->check.newest, register_place(u->warp, f->rd), u->dyn.mask,
                f->version);
    all[0] = 0;
}

/* The sum of the versions that the lanes of a source must find. */
static uint32_t sum_expected(const struct vx_core *k, const struct uop *u, unsigned n)
{
    const struct vx_flight *f = &k->flight[u->id];

    return f->is_mixed ? f->expects[n] : f->expects[n] * sum_weights(u->dyn.mask);
}

/* A source has the wrong version: read too late if a younger instruction has written it,
 * else too early. */
__attribute__((noinline)) static void report_wrong_read(struct vx_core *k,
                                                        const struct uop *u, unsigned n)
{
    unsigned reg = k->flight[u->id].src[n];
    struct vx_party other = k->check.writer[register_place(u->warp, reg)];

    if (other.seq > u->dyn.seq) {
        vx_report_violation(k, "WAR", u, &other,
                            "reads %c%u after it was overwritten by",
                            register_prefix(reg), reg % 32);
        return;
    }
    other = find_writer(k, u, reg, 0);
    vx_report_violation(k, "RAW", u, &other, "reads %c%u before it is written by%s",
                        register_prefix(reg), reg % 32,
                        other.inst ? ""
                                   : " its producer, which has kept it from the file");
}

/* One comparison suffices unless lanes differ; then sums over lanes are compared. */
void vx_check_read(struct vx_core *k, const struct uop *u, unsigned n)
{
    const struct vx_flight *f = vx_flight(k, u);
    size_t place = register_place(u->warp, f->src[n]);

    if (!((k->check.held.all[place] ^ f->expects[n]) | f->is_mixed))
        return;
    if (sum_versions(k, &k->check.held, place, u->dyn.mask) != sum_expected(k, u, n))
        report_wrong_read(k, u, n);
}

void vx_check_reads(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);
    const uint32_t *all = &k->check.held.all[register_place(u->warp, 0)];
    uint32_t differ = f->is_mixed;

    if (k->check.renames) {
        check_versions_written(k, u);
        return;
    }
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
    struct vx_party from;
    unsigned reg = f->src[n];

    if (!(lacks | f->is_mixed | (version ^ f->expects[n])))
        return;
    from = vx_party_of(producer);
    if (lacks)
        vx_report_violation(k, "RAW", u, &from,
                            "takes %c%u without some of its lanes from the result of",
                            register_prefix(reg), reg % 32);
    else if (version * sum_weights(u->dyn.mask) != sum_expected(k, u, n))
        vx_report_violation(
            k, "RAW", u, &from,
            "takes %c%u, which another instruction writes, from the result of",
            register_prefix(reg), reg % 32);
}

void vx_check_written(struct vx_core *k, const struct uop *u)
{
    const struct vx_flight *f = vx_flight(k, u);
    size_t place = register_place(u->warp, f->rd);
    struct vx_party *last = &k->check.writer[place];

    if (!f->rd)
        return;
    if (k->check.renames)
        write_version(k, u);
    else if (write_lanes(k, &k->check.held, place, u->dyn.mask, f->version))
        vx_report_violation(k, "WAW", u, last, "writes %c%u after it was written by",
                            register_prefix(f->rd), f->rd % 32);
    *last = (struct vx_party){ u->dyn.inst, u->dyn.seq, u->issued };
}

/* ---- memory ---- */

/* Do they touch the same byte? Local memory has its own range of one address space. */
static bool accesses_overlap(const struct dyn *a, const struct dyn *b)
{
    struct dyn other = *b;

    other.space = a->space;
    return dyn_overlap(a, &other);
}

/* Must they stay in program order? */
static bool uops_conflict(const struct uop *a, const struct uop *b)
{
    if (inst_orders_memory(a->dyn.inst) || inst_orders_memory(b->dyn.inst))
        return true;
    return inst_may_conflict(a->dyn.inst, b->dyn.inst) &&
           accesses_overlap(&a->dyn, &b->dyn);
}

void vx_check_performed(struct vx_core *k, struct uop *u)
{
    struct vx_warp *w = &k->warp[u->warp];
    struct vx_flight *f = vx_flight(k, u);
    uop_id *at = &w->order_first;

    for (; *at != u->id; at = &k->flight[*at].order_next)
        if (uops_conflict(&k->pool[*at], u)) {
            struct vx_party older = vx_party_of(&k->pool[*at]);

            vx_report_violation(k, "memory order", u, &older, "accesses memory before");
        }
    *at = f->order_next;
    w->order_end = w->order_end == &f->order_next ? at : w->order_end;
}

void vx_check_offer(struct vx_core *k, const struct uop *u, unsigned warp)
{
    const struct vx_warp *w = &k->warp[warp];

    if (!vx_flight(k, u)->in_window || u->warp != warp) {
        vx_report_violation(k, "window", u, NULL,
                            "is offered and not in the window of warp %u", warp);
        return;
    }
    if (k->issue->ops->bars_pass)
        return;
    for (uop_id id = w->order_first; id != NO_UOP; id = k->flight[id].order_next)
        if (k->pool[id].stage == UOP_WINDOW && k->pool[id].dyn.seq < u->dyn.seq) {
            struct vx_party older = vx_party_of(&k->pool[id]);

            vx_report_violation(k, "memory order", u, &older, "issues before");
        }
}
