/* check.c - checks every register read and every memory access against program order.
 *
 * Versions. Each fetched instruction knows the version that each of its sources must
 * have: the number of its writer, which grows by one with every instruction; 16 bits of
 * it are kept. A register of the timing model holds the version last written to it.
 * Reading any other is a RAW or WAR violation; overwriting any but the version of the
 * previous writer in program order is a WAW violation, and would lose the lanes that a
 * partial write leaves unchanged.
 *
 * When they are named. Versions are named in program order, but not before they are
 * needed: when an instruction issues, after those before it. An instruction that issues
 * in program order, as most do, is named and checked at once: its sources must hold the
 * newest versions. Most warps need no versions: as long as instructions issue in program
 * order, and only when all registers they name are written, each finds the right values.
 * For such a warp only the set of registers with a pending write is kept, until an
 * instruction breaks that rule; then the instructions in flight are named, as they would
 * have been (go_by_version()).
 *
 * Renaming. A scheme that renames registers (scheme->renames) keeps every version
 * separately, and so does an eliminator that renames the results of dropped
 * instructions: a source, or a destination whose old value some lanes keep, need only
 * have its version written. With reservation stations (scheme.h) the versions held are
 * those of the register file, to which the scheme need not write every result; at issue
 * it tells where it takes each source from, and the source must be there.
 *
 * Memory. Memory operations of a warp are performed when the LSU takes them. None may be
 * performed before an older one of its warp that touches the same byte in any lane, if
 * one of the two writes, nor before an older fence or barrier, nor across an operation on a
 * barrier in shared memory: after a wait for a phase they see what copies and other warps have
 * written, before an arrival others may still need what they read.
 */
#include "base/invariant.h"
#include "core/stages.h"

/* The sum of the versions of a set: compared where a list would be too long. */
static uint16_t sum_versions(const struct warp *w, const struct regset *set,
                             bool newest)
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

static void set_versions(struct warp *w, const struct regset *set, uint16_t value,
                         bool newest)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = set->w[k]; m; m &= m - 1) {
            struct reg_version *v = &w->reg[k * 64 + (unsigned)__builtin_ctzll(m)];

            *(newest ? &v->newest : &v->held) = value;
        }
}

static void check_note_order(struct sm *s, struct warp *w, struct uop *u)
{
    INVARIANT((w->order_first == NO_UOP) == (w->order_last == NO_UOP));
    u->next_order = NO_UOP;
    if (w->order_first == NO_UOP)
        w->order_first = u->id;
    else
        s->pool[w->order_last].next_order = u->id;
    w->order_last = u->id;
}

/* With renaming: does a version of its warp have a pending write? */
static bool is_version_pending(const struct sm *s, const struct uop *u,
                               uint16_t version)
{
    return check_version_bits(&s->check, u->warp, version)->pending &
           bit64(version % 64);
}

static void set_bit(uint64_t *word, uint64_t bit, bool value)
{
    *word = value ? *word | bit : *word & ~bit;
}

/* Marks its version as pending, and by what kind of unit. */
static void mark_version_pending(struct sm *s, const struct uop *u)
{
    struct version_bits *v = check_version_bits(&s->check, u->warp, u->version);
    uint64_t bit = bit64(u->version % 64);
    enum late_result late = dyn_late(&u->dyn);

    v->pending |= bit;
    set_bit(&v->far, bit, late == LATE_FAR);
    set_bit(&v->near, bit, late == LATE_NEAR);
}

/* With renaming: a source is named by its version while that is pending, afterwards by
 * the reader's own: with 16 bits an old version cannot be told from one in flight. */
static void name_renamed_sources(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->dyn.inst->list;
    unsigned n = l->n_reads, end = n + l->n_writes;

    for (unsigned k = 0; k < end; k++) {
        const struct reg_version *v = &w->reg[l->reg[k]];

        u->source[k] = v->held == v->newest ? u->version : v->newest;
    }
    for (unsigned k = n; k < end; k++)
        w->reg[l->reg[k]].newest = u->version;
    if (!l->is_whole)
        set_versions(w, &u->dyn.inst->writes, u->version, true);
    mark_version_pending(s, u);
    w->by_version = true;
    w->n_named = u->dyn.seq + 1;
}

/* Where an instruction keeps the versions that it replaces. */
static uint16_t *check_replaced(struct uop *u)
{
    const struct reglist *l = &u->dyn.inst->list;

    return l->is_short ? u->replaces : u->source + l->n_reads;
}

static void record_sources(struct warp *w, struct uop *u)
{
    const struct reglist *l = &u->dyn.inst->list;
    unsigned n = l->n_reads, end = n + l->n_writes;
    uint16_t *replaced = check_replaced(u);

    for (unsigned k = 0; k < n; k++)
        u->source[k] = w->reg[l->reg[k]].newest;
    for (unsigned k = n; k < end; k++) {
        *replaced++ = w->reg[l->reg[k]].newest;
        w->reg[l->reg[k]].newest = u->version;
    }
    if (!l->is_whole) {
        u->source[0] = sum_versions(w, &u->dyn.inst->reads, true);
        set_versions(w, &u->dyn.inst->writes, u->version, true);
    }
    w->n_named = u->dyn.seq + 1;
}

/* The warp's instructions that have issued and not retired. */
static unsigned count_issued(const struct sm *s, const struct warp *w)
{
    unsigned n = w->in_flight;

    for (uop_id id = w->window.oldest; id != NO_UOP; id = s->pool[id].younger)
        n--;
    return n;
}

/* From now on versions count. Registers written so far need not be told apart: all of
 * them get a version before those of the warp. No two instructions in flight write the
 * same register, so the order in which they are named does not matter. */
static void go_by_version(struct sm *s, struct warp *w)
{
    uint64_t n_issued = w->n_named;
    unsigned left;

    if (w->by_version)
        return;
    w->by_version = true;
    for (unsigned r = 0; r < N_REGID; r++)
        w->reg[r] = (struct reg_version){ w->first_version, w->first_version };
    left = count_issued(s, w);
    for (struct uop *u = s->pool; left && u < sm_uops_end(s); u++) {
        if (u->stage <= UOP_WINDOW || &s->warp[u->warp] != w)
            continue;
        left--;
        if (uop_is_in_flight(u) && u->dyn.seq < n_issued)
            record_sources(w, u);
    }
    INVARIANT(!left);
    w->n_named = n_issued;
}

/* Names the sources of an instruction and of all before it, unless already done. */
static void name_sources_up_to(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    struct uop *first = u;

    go_by_version(s, w);
    if (u->dyn.seq < w->n_named)
        return;
    while (first->older != NO_UOP && s->pool[first->older].dyn.seq >= w->n_named)
        first = &s->pool[first->older];
    while (first->dyn.seq < u->dyn.seq) {
        record_sources(w, first);
        if (first->younger == NO_UOP) /* it has left the window as the youngest */
            break;
        first = &s->pool[first->younger];
    }
    record_sources(w, u);
}

void check_fetched(struct sm *s, struct warp *w, struct uop *u)
{
    u->version = (uint16_t)(w->first_version + u->dyn.seq + 1);
    u->partial = u->dyn.mask != 0xffffffffu;
    if (has_names(s))
        name_renamed_sources(s, u);
    else if (has_view(s))
        name_sources_up_to(s, u); /* views show them from issue on */
    if (u->dyn.inst->memory)
        check_note_order(s, w, u);
}

void check_dropped(struct sm *s, struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    uint16_t version = (uint16_t)(w->first_version + u->dyn.seq + 1);

    go_by_version(s, w);
    if (!has_names(s) && w->window.youngest != NO_UOP)
        name_sources_up_to(s, &s->pool[w->window.youngest]);
    set_versions(w, &u->dyn.inst->writes, version, true);
    set_versions(w, &u->dyn.inst->writes, version, false);
    w->n_named = u->dyn.seq + 1;
}

/* The number of the instruction that made a version of a register, going back from this
 * one. Writers from before the warp left program order are searched among its last
 * issued instructions. */
static uint64_t find_writer(const struct sm *s, const struct uop *u, unsigned r,
                            uint16_t version)
{
    long long n = (long long)u->dyn.seq - (int16_t)(uint16_t)(u->version - version);

    if (n < 0 || version == s->warp[u->warp].first_version)
        return violation_last_writer(s, u, r);
    return (uint64_t)n;
}

/* Reports a read of the wrong version: an older one, because the writer has not written
 * yet, or a younger one, because another instruction wrote too early. */
__attribute__((noinline)) static int report_wrong_read(const struct sm *s,
                                                       const struct uop *u, unsigned r,
                                                       uint16_t expected,
                                                       struct err *err)
{
    uint16_t held = s->warp[u->warp].reg[r].held;
    bool is_late = (int16_t)(uint16_t)(held - expected) > 0;
    struct violation v = { .kind = is_late ? "WAR" : "RAW",
                           .u = u,
                           .at_issue = !has_stations(s) };
    char name[REGID_NAME];

    regid_name(r, name);
    v.other = find_writer(s, u, r, is_late ? held : expected);
    v.rest = is_late ? "" : " has written it";
    return violation_report(s, &v, err, "reads %s %s", name,
                            is_late ? "after it was overwritten by" : "before");
}

/* Reports a write before an older instruction's. */
__attribute__((noinline)) static int report_wrong_write(const struct sm *s,
                                                        const struct uop *u, unsigned r,
                                                        uint16_t expected,
                                                        struct err *err)
{
    struct violation v = { "WAW", u, find_writer(s, u, r, expected), "", false };
    char name[REGID_NAME];

    regid_name(r, name);
    return violation_report(s, &v, err, "writes %s before", name);
}

/* Reports an instruction with too many registers for a list: which of them is wrong is
 * not known. */
static int report_wrong_sum(const struct sm *s, const struct uop *u, struct err *err)
{
    struct violation v = { "RAW", u, VIOLATION_NOBODY, "", !has_stations(s) };

    return violation_report(
        s, &v, err,
        "reads a register last written by an instruction that is not its producer "
        "in program order");
}

static int report_early_read(const struct sm *s, const struct uop *u, unsigned r,
                             uint64_t producer, struct err *err)
{
    struct violation v = { "RAW", u, producer, " has written it", !has_stations(s) };
    char name[REGID_NAME] = "a register"; /* too many to be told apart */

    if (r < N_REGID)
        regid_name(r, name);
    return violation_report(s, &v, err, "reads %s before", name);
}

static int report_wrong_capture(const struct sm *s, const struct uop *u, unsigned k,
                                struct err *err)
{
    unsigned r = u->dyn.inst->list.reg[k];
    struct violation v = { "RAW", u, find_writer(s, u, r, u->source[k]), "", true };
    const struct uop *from = &s->pool[s->scheme->capture[u->id].from[k]];
    char name[REGID_NAME];

    regid_name(r, name);
    return violation_report(s, &v, err,
                            "captures %s from #%llu; in program order its producer is",
                            name, (unsigned long long)from->dyn.seq);
}

/* An older instruction of the warp that has yet to write a register that this one reads; NULL:
 * none. */
static const struct uop *find_pending_writer(const struct sm *s, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    for (unsigned k = 0; k < s->n_pool; k++) {
        const struct uop *o = &s->pool[k];

        if (uop_is_in_flight(o) && o->warp == u->warp && o->dyn.seq < u->dyn.seq &&
            (regset_meets(&o->dyn.inst->writes, &i->reads) ||
             (u->partial && regset_meets(&o->dyn.inst->writes, &i->writes))))
            return o;
    }
    return NULL;
}

/* With ports: a source that is read late, or whose lanes stay while others are written
 * after it. */
static bool source_is_in_time(const struct sm *s, const struct uop *u, unsigned k)
{
    const struct reglist *l = &u->dyn.inst->list;

    if (!has_ports(s))
        return false;
    return k < l->n_reads ? ports_reads_in_time(s, u, l->reg[k], u->source[k])
                          : ports_lands_after(s, u, u->source[k]);
}

/* With renaming: every version that it needs must be written. Of one with too many registers for
 * a list the versions are not known: no older write to them may be pending. */
static int check_renamed_sources(const struct sm *s, const struct uop *u,
                                 struct err *err)
{
    const struct reglist *l = &u->dyn.inst->list;
    unsigned n = l->n_reads + (u->partial ? l->n_writes : 0u);

    for (unsigned k = 0; k < n; k++) {
        uint16_t v = u->source[k];

        if (v != u->version && is_version_pending(s, u, v) &&
            !source_is_in_time(s, u, k))
            return report_early_read(s, u, l->reg[k], find_writer(s, u, l->reg[k], v),
                                     err);
    }
    if (!l->is_whole) {
        const struct uop *o = find_pending_writer(s, u);

        return o ? report_early_read(s, u, N_REGID, o->dyn.seq, err) : 0;
    }
    return 0;
}

static int check_sources(struct sm *s, struct uop *u, struct err *err)
{
    const struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->dyn.inst->list;

    name_sources_up_to(s, u);
    for (unsigned k = 0; k < l->n_reads; k++)
        if (w->reg[l->reg[k]].held != u->source[k] && !source_is_in_time(s, u, k))
            return report_wrong_read(s, u, l->reg[k], u->source[k], err);
    if (!l->is_whole && sum_versions(w, &u->dyn.inst->reads, false) != u->source[0])
        return report_wrong_sum(s, u, err);
    return 0;
}

/* An instruction in program order with few results, the common case, is named and
 * checked in one pass; check_sources() handles the others and reports violations. */
int check_version(struct sm *s, struct warp *w, struct uop *u, struct err *err)
{
    const struct reglist *l = &u->dyn.inst->list;
    const uint16_t *reg = l->reg, *written = reg + l->n_reads;
    uint16_t *replaced = u->replaces;

    if (has_names(s))
        return check_renamed_sources(s, u, err);
    if (!w->by_version || u->dyn.seq != w->n_named || !l->is_short)
        return check_sources(s, u, err);
    for (; reg < written; reg++)
        if (w->reg[*reg].held != w->reg[*reg].newest)
            return check_sources(s, u, err);
    for (written += l->n_writes; reg < written; reg++) {
        *replaced++ = w->reg[*reg].newest;
        w->reg[*reg].newest = u->version;
    }
    w->n_named++;
    return 0;
}

int check_forwarded(struct sm *s, const struct uop *u, unsigned reg, struct err *err)
{
    struct violation v = { "RAW", u, VIOLATION_NOBODY, " is forwarded to it", true };
    char name[REGID_NAME];

    if (reg == N_REGID)
        return 0;
    regid_name(reg, name);
    v.other = violation_last_writer(s, u, reg);
    return violation_report(s, &v, err, "reads %s before the result of", name);
}

/* With renaming a register holds its newest version once that is written. */
static inline void hold_if_newest(struct reg_version *v, uint16_t version)
{
    v->held = v->newest == version ? version : v->held;
}

/* With stations registers hold a version only where check_filed() is told so. */
static void write_renamed_versions(struct sm *s, const struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    const struct inst *i = u->dyn.inst;
    const uint16_t *written = i->list.reg + i->list.n_reads;

    check_version_bits(&s->check, u->warp, u->version)->pending &=
        ~bit64(u->version % 64);
    if (has_stations(s))
        return;
    for (unsigned k = 0; k < i->list.n_writes; k++)
        hold_if_newest(&w->reg[written[k]], u->version);
    for (unsigned r = 0; !i->list.is_whole && r < N_REGID; r++)
        if (regset_has(&i->writes, r))
            hold_if_newest(&w->reg[r], u->version);
}

/* Each register must hold the version that this instruction replaces. */
static int write_listed_versions(const struct sm *s, struct warp *w,
                                 const struct uop *u, const uint16_t *replaced,
                                 struct err *err)
{
    const struct reglist *l = &u->dyn.inst->list;
    const uint16_t *written = l->reg + l->n_reads;

    for (unsigned k = 0; k < l->n_writes; k++) {
        struct reg_version *v = &w->reg[written[k]];

        if (v->held != replaced[k])
            return report_wrong_write(s, u, written[k], replaced[k], err);
        v->held = u->version;
    }
    return 0;
}

__attribute__((noinline)) static int write_version(struct sm *s, struct warp *w,
                                                   struct uop *u, struct err *err)
{
    if (has_names(s))
        write_renamed_versions(s, u);
    else if (u->dyn.inst->list.is_whole)
        return write_listed_versions(s, w, u, check_replaced(u), err);
    else
        set_versions(w, &u->dyn.inst->writes, u->version, false);
    return 0;
}

int check_written(struct sm *s, struct warp *w, struct uop *u, struct err *err)
{
    if (w->by_version)
        return write_version(s, w, u, err);
    return 0;
}

/* A captured source must be the pending result of the instruction it is captured
 * from. */
static bool is_captured_right(const struct sm *s, const struct uop *u, unsigned k)
{
    uint16_t v = u->source[k];
    const struct uop *from = &s->pool[s->scheme->capture[u->id].from[k]];

    return from->warp == u->warp && from->version == v && v != u->version &&
           is_version_pending(s, u, v);
}

int check_captured(struct sm *s, const struct uop *u, struct err *err)
{
    const struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->dyn.inst->list;
    const uop_id *from = s->scheme->capture[u->id].from;
    unsigned n = l->n_reads + (u->partial ? l->n_writes : 0u);

    for (unsigned k = 0; k < n; k++) {
        unsigned r = l->reg[k];
        bool is_there = u->source[k] == u->version || w->reg[r].held == u->source[k];

        if (from[k] == NO_UOP && !is_there)
            return report_wrong_read(s, u, r, u->source[k], err);
        if (from[k] != NO_UOP && !is_captured_right(s, u, k))
            return report_wrong_capture(s, u, k, err);
    }
    return 0;
}

void check_filed(struct sm *s, const struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->dyn.inst->list;

    if (!l->is_whole)
        set_versions(w, &u->dyn.inst->writes, u->version, false);
    for (unsigned k = 0; k < l->n_writes; k++)
        if (s->scheme->capture[u->id].kept >> k & 1)
            w->reg[l->reg[l->n_reads + k]].held = u->version;
}

static bool orders_memory(const struct inst *i)
{
    return inst_orders_memory(i) || inst_is_on_mbarrier(i);
}

/* True if the younger instruction must not pass the older one. If either is a fence or
 * a barrier, of whatever kind, it must not while the older one has not issued or waits in
 * a station; otherwise if both touch the same byte and one writes. Lanes see each other's
 * stores after reconvergence, so the lanes do not matter. */
static bool check_must_order(const struct sm *s, const struct uop *a,
                             const struct uop *b)
{
    if (orders_memory(a->dyn.inst) || orders_memory(b->dyn.inst))
        return a->stage == UOP_WINDOW || (has_stations(s) && a->stage <= UOP_STATION);
    return dyn_conflict(&a->dyn, &b->dyn);
}

static int report_memory_order(const struct sm *s, const struct uop *u,
                               const struct uop *older, struct err *err)
{
    struct violation v = { "memory order", u, older->dyn.seq, "",
                           check_is_performed_in(s, u, PERFORMED_AT_ISSUE) };

    return violation_report(s, &v, err, "accesses memory before");
}

int check_performed(struct sm *s, struct uop *u, struct err *err)
{
    struct warp *w = &s->warp[u->warp];
    uop_id before = NO_UOP;

    for (uop_id id = w->order_first; id != u->id; id = s->pool[id].next_order) {
        const struct uop *older = &s->pool[id];

        if (check_must_order(s, older, u))
            return report_memory_order(s, u, older, err);
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
