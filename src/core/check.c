/* check.c - every register read and every memory access is checked against program order.
 *
 * Each fetched instruction knows the version that each of its sources must have: a number
 * of its writer, rising by one with every instruction, of which 16 bits are kept. A
 * register of the timing model holds the version last written to it. Reading any other is
 * a RAW or WAR violation; writing over any but the version of the writer before in
 * program order is a WAW violation, and would lose the lanes that a partial write leaves
 * alone.
 * Memory operations of a warp are performed when the LSU takes them: none may do so
 * before an older one of its warp that it overlaps in some lane, if one of the two
 * writes, nor before an older fence or barrier.
 */
#include <stdio.h>

#include "core/stages.h"

/* The sum of the versions of a set: what is compared where a list would be too long. */
static uint16_t sum_of(const struct warp *w, const struct regset *set, bool newest)
{
    unsigned sum = 0;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = set->w[k]; m; m &= m - 1) {
            const struct reg_version *v =
                &w->reg[k * 64 + (unsigned)__builtin_ctzll(m)];

            sum += newest ? v->newest : v->held;
        }
    return (uint16_t)sum;
}

static void put_all(struct warp *w, const struct regset *set, uint16_t value,
                    bool newest)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = set->w[k]; m; m &= m - 1) {
            struct reg_version *v = &w->reg[k * 64 + (unsigned)__builtin_ctzll(m)];

            *(newest ? &v->newest : &v->held) = value;
        }
}

static void note_order(struct sm *s, struct warp *w, struct uop *u)
{
    u->next_order = NO_UOP;
    if (w->order_first == NO_UOP)
        w->order_first = u->id;
    else
        s->pool[w->order_last].next_order = u->id;
    w->order_last = u->id;
}

static bool is_ordered(const struct uop *u)
{
    switch (u->dyn.inst->class) {
    case CLASS_load:
    case CLASS_store:
    case CLASS_atomic:
    case CLASS_fence:
    case CLASS_barrier:
        return true;
    default:
        return false;
    }
}

void check_fetched(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->regs->list;
    unsigned n = l->n_reads, end = n + l->n_writes;

    u->version = (uint16_t)(w->first_version + u->dyn.seq + 1);
    u->partial = u->dyn.mask != 0xffffffffu;
    for (unsigned k = 0; k < n; k++)
        u->source[k] = w->reg[l->reg[k]].newest;
    for (unsigned k = n; k < end; k++) {
        u->source[k] = w->reg[l->reg[k]].newest;
        w->reg[l->reg[k]].newest = u->version;
    }
    if (!l->is_whole) {
        u->source[0] = sum_of(w, &u->regs->reads, true);
        put_all(w, &u->regs->writes, u->version, true);
    }
    if (is_ordered(u))
        note_order(s, w, u);
}

void check_dropped(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    uint16_t version = (uint16_t)(w->first_version + u->dyn.seq + 1);

    put_all(w, &u->regs->writes, version, true);
    put_all(w, &u->regs->writes, version, false);
}

static void reg_name(unsigned r, char name[16])
{
    static const struct {
        const char *prefix;
        unsigned first;
    } spaces[] = { { "B", REGID_B },
                   { "UP", REGID_UP },
                   { "P", REGID_P },
                   { "UR", REGID_UR },
                   { "R", REGID_R } };
    unsigned k = 0;

    while (r < spaces[k].first)
        k++;
    snprintf(name, 16, "%s%u", spaces[k].prefix, r - spaces[k].first);
}

/* The number of the instruction that made a version, going back from this one. */
static long long writer(const struct uop *u, uint16_t version)
{
    long long n = (long long)u->dyn.seq - (int16_t)(uint16_t)(u->version - version);

    return n < 0 ? -1 : n;
}

static int violation(const struct sm *s, const struct uop *u, unsigned r,
                     uint16_t expected, struct err *err)
{
    const struct warp *w = &s->warp[u->warp];
    char name[16];

    reg_name(r, name);
    return err_kind(
        err, ERR_WRONG,
        "scheme %s broke the order of registers: SM %u, cycle %llu, warp %u "
        "(block %llu, warp %u): instruction %llu at 0x%llx finds %s as written "
        "by instruction %lld, expected %lld",
        s->scheme->ops->name, s->index, (unsigned long long)s->cycle, u->warp,
        (unsigned long long)s->block[w->block].index, w->index,
        (unsigned long long)u->dyn.seq,
        (unsigned long long)(u->dyn.inst->pc - s->kernel->first_pc), name,
        writer(u, w->reg[r].held), writer(u, expected));
}

int check_issued(struct sm *s, const struct uop *u, struct err *err)
{
    const struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->regs->list;

    for (unsigned k = 0; k < l->n_reads; k++)
        if (w->reg[l->reg[k]].held != u->source[k])
            return violation(s, u, l->reg[k], u->source[k], err);
    if (!l->is_whole && sum_of(w, &u->regs->reads, false) != u->source[0])
        return violation(s, u, 0, u->source[0], err);
    return 0;
}

int check_forwarded(struct sm *s, const struct uop *u, unsigned reg, struct err *err)
{
    char name[16];

    if (reg == N_REGID)
        return 0;
    reg_name(reg, name);
    return err_kind(err, ERR_WRONG,
                    "scheme %s broke the order of registers: SM %u, cycle %llu, warp "
                    "%u: instruction %llu at 0x%llx reads %s before it is forwarded",
                    s->scheme->ops->name, s->index, (unsigned long long)s->cycle,
                    u->warp, (unsigned long long)u->dyn.seq,
                    (unsigned long long)(u->dyn.inst->pc - s->kernel->first_pc), name);
}

int check_written(struct sm *s, const struct uop *u, struct err *err)
{
    struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->regs->list;
    unsigned end = l->n_reads + l->n_writes;

    for (unsigned k = l->n_reads; k < end; k++) {
        struct reg_version *v = &w->reg[l->reg[k]];

        if (v->held != u->source[k])
            return violation(s, u, l->reg[k], u->source[k], err);
        v->held = u->version;
    }
    if (!l->is_whole)
        put_all(w, &u->regs->writes, u->version, false);
    return 0;
}

static bool writes_memory(const struct uop *u)
{
    return u->dyn.inst->class != CLASS_load;
}

static bool is_fence(const struct uop *u)
{
    return u->dyn.inst->class == CLASS_fence || u->dyn.inst->class == CLASS_barrier;
}

/* May the younger one not pass the older? Not if either is a fence or a barrier and the
 * older has not even been issued; else if some lane touches the same byte with both, and
 * writes it with one. */
static bool conflict(const struct uop *a, const struct uop *b)
{
    if (is_fence(a) || is_fence(b))
        return a->stage == UOP_WINDOW;
    if (a->dyn.space != b->dyn.space || !(writes_memory(a) || writes_memory(b)))
        return false;
    for (uint32_t m = a->dyn.mask & b->dyn.mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (a->dyn.addr[l] < b->dyn.addr[l] + b->dyn.inst->bytes &&
            b->dyn.addr[l] < a->dyn.addr[l] + a->dyn.inst->bytes)
            return true;
    }
    return false;
}

int check_performed(struct sm *s, struct uop *u, struct err *err)
{
    struct warp *w = &s->warp[u->warp];
    uop_id before = NO_UOP;

    for (uop_id id = w->order_first; id != u->id; id = s->pool[id].next_order) {
        const struct uop *older = &s->pool[id];

        if (conflict(older, u))
            return err_kind(
                err, ERR_WRONG,
                "scheme %s broke the order of memory: SM %u, cycle %llu, "
                "warp %u: instruction %llu at 0x%llx passes instruction "
                "%llu at 0x%llx",
                s->scheme->ops->name, s->index, (unsigned long long)s->cycle, u->warp,
                (unsigned long long)u->dyn.seq,
                (unsigned long long)(u->dyn.inst->pc - s->kernel->first_pc),
                (unsigned long long)older->dyn.seq,
                (unsigned long long)(older->dyn.inst->pc - s->kernel->first_pc));
        before = id;
    }
    if (before == NO_UOP)
        w->order_first = u->next_order;
    else
        s->pool[before].next_order = u->next_order;
    if (w->order_last == u->id)
        w->order_last = before;
    return 0;
}
