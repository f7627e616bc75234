/* check.c - every register read and every memory access is checked against program order.
 *
 * Each fetched instruction knows the version (sequence number + 1 of the writer) that
 * each of its sources must have. A register of the timing model holds the version last
 * written to it. Reading any other version is a RAW or WAR violation, writing over a
 * younger one a WAW violation, whatever scheme let it happen. An instruction that leaves
 * lanes of its destination alone must find the previous writer's version there.
 * Memory operations of a warp are performed when the LSU takes them: none may do so
 * before an older one of its warp that it overlaps in some lane, if one of the two
 * writes, nor before an older fence or barrier.
 */
#include <stdio.h>

#include "core/state.h"

/* How many members of the set are smaller than r: the place of r in source[]. */
static unsigned rank_of(const struct regset *set, unsigned r)
{
    unsigned n = 0;

    for (unsigned k = 0; k < r >> 6; k++)
        n += (unsigned)__builtin_popcountll(set->w[k]);
    return n + (unsigned)__builtin_popcountll(set->w[r >> 6] & (bit64(r & 63) - 1));
}

#define EACH_REG(r, set)                           \
    for (unsigned k_ = 0; k_ < N_REGID / 64; k_++) \
        for (uint64_t m_ = (set)->w[k_], r = 0;    \
             m_ && (r = k_ * 64 + (unsigned)__builtin_ctzll(m_), 1); m_ &= m_ - 1)

static void note_source(struct uop *u, uint32_t version)
{
    if (u->n_sources < MAX_CHECKED)
        u->source[u->n_sources] = version;
    else
        u->source_rest += version;
    u->n_sources++;
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

    u->version = (uint32_t)u->dyn.seq + 1;
    u->partial = u->dyn.mask != 0xffffffffu;
    u->n_sources = 0;
    u->source_rest = 0;
    EACH_REG(r, u->reads)
    note_source(u, w->newest[r]);
    EACH_REG(r, u->writes)
    {
        if (u->partial)
            note_source(u, w->newest[r]);
        w->newest[r] = u->version;
    }
    if (is_ordered(u))
        note_order(s, w, u);
}

static void reg_name(unsigned r, char name[8])
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
    snprintf(name, 8, "%s%u", spaces[k].prefix, r - spaces[k].first);
}

static int violation(const struct sm *s, const struct uop *u, unsigned r,
                     uint32_t expected, struct err *err)
{
    const struct warp *w = &s->warp[u->warp];
    char name[8];

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
        (long long)w->version[r] - 1, (long long)expected - 1);
}

int check_operand(struct sm *s, const struct uop *u, unsigned reg, unsigned n,
                  struct err *err)
{
    const struct warp *w = &s->warp[u->warp];

    for (unsigned r = reg; r < reg + n && r < REGID_UR; r++) {
        unsigned at;

        if (!regset_has(u->reads, r))
            continue;
        at = rank_of(u->reads, r);
        if (at < MAX_CHECKED && w->version[r] != u->source[at])
            return violation(s, u, r, u->source[at], err);
    }
    return 0;
}

/* Sources from register `from` on, in order; those beyond source[] by their sum. */
static int check_from(struct sm *s, const struct uop *u, unsigned from, struct err *err)
{
    const struct warp *w = &s->warp[u->warp];
    unsigned at = 0;
    uint32_t rest = 0;

    EACH_REG(r, u->reads)
    {
        if (at >= MAX_CHECKED)
            rest += w->version[r];
        else if (r >= from && w->version[r] != u->source[at])
            return violation(s, u, (unsigned)r, u->source[at], err);
        at++;
    }
    if (at > MAX_CHECKED && !u->partial && rest != u->source_rest)
        return violation(s, u, 0, 0, err);
    return 0;
}

int check_others(struct sm *s, const struct uop *u, struct err *err)
{
    return check_from(s, u, REGID_UR, err);
}

int check_all(struct sm *s, const struct uop *u, struct err *err)
{
    return check_from(s, u, 0, err);
}

int check_written(struct sm *s, const struct uop *u, struct err *err)
{
    struct warp *w = &s->warp[u->warp];
    unsigned at = rank_of(u->reads, N_REGID - 1) + regset_has(u->reads, N_REGID - 1);

    EACH_REG(r, u->writes)
    {
        if (u->partial && at < MAX_CHECKED && w->version[r] != u->source[at])
            return violation(s, u, (unsigned)r, u->source[at], err);
        if ((int32_t)(u->version - w->version[r]) <= 0)
            return violation(s, u, (unsigned)r, u->version, err);
        w->version[r] = u->version;
        at++;
    }
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
