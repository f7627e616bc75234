/* check.c - the invariants of a run, from its notes and statistics. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* A redundancy eliminator took it out before the pipeline saw anything of it. */
static bool is_dropped(const struct rig_note *n)
{
    return !n->n_window && !n->n_issue && !n->n_retire;
}

/* The issue of the first instruction behind i that was not dropped; of none: never. */
static uint64_t issue_behind(const struct rig_warp *w, unsigned i)
{
    while (++i < w->n)
        if (!is_dropped(&w->note[i]))
            return w->note[i].issue;
    return UINT64_MAX;
}

/* All but as many as were dropped went through the pipeline once. */
static bool check_notes(const struct rig_run *r, uint64_t n_insts, struct buf *why)
{
    uint64_t left = n_insts - r->stats.skipped;

    for (unsigned w = 0; w < r->n_warps; w++)
        for (unsigned i = 0; i < r->warp[w].n; i++) {
            const struct rig_note *n = &r->warp[w].note[i];

            if (is_dropped(n))
                continue;
            left--;
            if (n->n_window != 1 || n->n_issue != 1 || n->n_retire != 1) {
                buf_printf(why,
                           "warp %u instruction %u: fetched %u, issued %u, retired %u "
                           "times",
                           w, i, n->n_window, n->n_issue, n->n_retire);
                return false;
            }
            if (!(n->window < n->issue && n->issue < n->write &&
                  n->write <= n->retire)) {
                buf_printf(why,
                           "warp %u instruction %u: window %llu issue %llu write "
                           "%llu retire %llu",
                           w, i, (unsigned long long)n->window,
                           (unsigned long long)n->issue, (unsigned long long)n->write,
                           (unsigned long long)n->retire);
                return false;
            }
        }
    if (left)
        buf_printf(why, "%lld instructions neither issued nor dropped",
                   (long long)left);
    return !left;
}

/* At most one issue per scheduler and cycle; two of the same warp where the SM says so. */
static bool check_ports(const struct rig_run *r, struct buf *why)
{
    uint64_t pairs = 0;

    for (unsigned i = 1; i < r->n_issue; i++)
        for (unsigned j = i; j-- > 0 && r->issue[j].cycle == r->issue[i].cycle;) {
            const struct rig_issue *a = &r->issue[i], *b = &r->issue[j];

            if (a->sm != b->sm || a->slot % r->n_subcores != b->slot % r->n_subcores)
                continue;
            /* Of one warp (sched.dual), or sync instructions of several (offer.first). */
            if (++pairs > r->stats.dual_issued) {
                buf_printf(why, "SM %u, scheduler %u issued twice in cycle %llu", a->sm,
                           a->slot % r->n_subcores, (unsigned long long)a->cycle);
                return false;
            }
        }
    return true;
}

static bool check_slots(const struct rig_run *r, uint64_t n_insts, struct buf *why)
{
    uint64_t sum = 0, idle = 0, issued = 0, left = n_insts - r->stats.skipped;

    for (unsigned k = 0; k < MAX_SUBCORES; k++) {
        for (unsigned c = 0; c < N_STALL; c++)
            sum += r->stats.slot[k][c];
        idle += r->stats.slot[k][STALL_idle];
        issued += r->stats.slot[k][STALL_issued];
    }
    if (sum != r->cycles * r->n_subcores * r->n_sms)
        buf_printf(why, "%llu slots, expected %llu", (unsigned long long)sum,
                   (unsigned long long)(r->cycles * r->n_subcores * r->n_sms));
    else if (issued + r->stats.dual_issued != left || r->stats.warp_insts != left ||
             r->stats.fetched != left)
        buf_printf(why,
                   "%llu slots issued, %llu instructions issued, %llu fetched, "
                   "expected %llu",
                   (unsigned long long)issued, (unsigned long long)r->stats.warp_insts,
                   (unsigned long long)r->stats.fetched, (unsigned long long)left);
    else if (sum - idle > r->stats.cycles * r->n_subcores)
        buf_printf(why, "%llu slots not idle, but SMs held blocks for %llu cycles",
                   (unsigned long long)(sum - idle),
                   (unsigned long long)r->stats.cycles);
    else
        return true;
    return false;
}

static bool has_kind(const struct inst *i, uint8_t class)
{
    return i && i->class == class;
}

/* The cycle in which the last warp of a block came to a barrier. */
static uint64_t last_arrival(const struct rig_run *r, const struct rig_warp *first,
                             unsigned barrier)
{
    uint64_t last = 0;

    for (unsigned w = 0; w < r->per_block; w++)
        for (unsigned i = 0; i < first[w].n; i++) {
            const struct rig_note *n = &first[w].note[i];

            if (n->arrives && n->barrier == barrier && n->issue > last)
                last = n->issue;
        }
    return last;
}

/* After a barrier nothing of a warp that waits there issues before the last has come.
 * Programs come to each barrier once. */
static bool check_barriers(const struct rig_run *r, unsigned block, struct buf *why)
{
    const struct rig_warp *first = &r->warp[block * r->per_block];

    for (unsigned w = 0; w < r->per_block; w++)
        for (unsigned i = 0; i + 1 < first[w].n; i++) {
            const struct rig_note *n = &first[w].note[i];

            if (!n->waits ||
                issue_behind(&first[w], i) >= last_arrival(r, first, n->barrier))
                continue;
            buf_printf(why,
                       "block %u warp %u passed barrier %u in cycle %llu, the "
                       "last arrived in cycle %llu",
                       block, w, n->barrier,
                       (unsigned long long)issue_behind(&first[w], i),
                       (unsigned long long)last_arrival(r, first, n->barrier));
            return false;
        }
    return true;
}

/* Behind a fence, and behind an atomic where those block, all older memory operations
 * (all older atomics) have been answered; not behind one that no lane executes. */
static bool check_fences(const struct rig_run *r, unsigned w, struct buf *why)
{
    const struct rig_warp *k = &r->warp[w];
    uint64_t answered = 0, atomics = 0;

    for (unsigned i = 0; i + 1 < k->n; i++) {
        const struct rig_note *n = &k->note[i];
        uint64_t next = issue_behind(k, i);

        if (has_kind(n->inst, CLASS_atomic))
            atomics = n->retire > atomics ? n->retire : atomics;
        if (has_kind(n->inst, CLASS_load) || has_kind(n->inst, CLASS_store) ||
            has_kind(n->inst, CLASS_atomic))
            answered = n->retire > answered ? n->retire : answered;
        if (n->is_empty)
            continue;
        if (has_kind(n->inst, CLASS_fence) && next < answered) {
            buf_printf(why, "warp %u instruction %u passed a fence", w, i + 1);
            return false;
        }
        if (has_kind(n->inst, CLASS_atomic) && r->atomic_blocks && next < atomics) {
            buf_printf(why, "warp %u instruction %u passed an atomic", w, i + 1);
            return false;
        }
    }
    return true;
}

bool check_run(const struct rig_run *r, const struct rig_kernel *k, uint64_t n_insts,
               struct buf *why)
{
    if (r->err.code) {
        buf_printf(why, "%s\n%s", r->err.text, buf_text(&r->report));
        return false;
    }
    if (k->n_open || k->n_opened != k->base.n_blocks) {
        buf_printf(why, "%u blocks still open, %llu were opened", k->n_open,
                   (unsigned long long)k->n_opened);
        return false;
    }
    if (!check_slots(r, n_insts, why) || !check_notes(r, n_insts, why) ||
        !check_ports(r, why))
        return false;
    for (unsigned b = 0; b < r->n_warps / r->per_block; b++)
        if (!check_barriers(r, b, why))
            return false;
    for (unsigned w = 0; w < r->n_warps; w++)
        if (!check_fences(r, w, why))
            return false;
    return true;
}

/* Registers whose value an instruction needs. */
static bool needs(const struct rig_note *n, unsigned reg)
{
    return regset_has(&n->inst->reads, reg) ||
           (n->is_partial && regset_has(&n->inst->writes, reg));
}

/* Does it find a register that is written in this cycle, or if it only writes it, write
 * after that? */
static bool is_in_time(const struct rig_run *r, const struct rig_note *n, unsigned reg,
                       uint64_t at, uint64_t written)
{
    if (!r->may_overlap)
        return at >= written;
    if (regset_has(&n->inst->reads, reg))
        return at + (reg == inst_late_source(n->inst) ? r->late_half : 0) >= written;
    return n->write > written;
}

bool check_flow(const struct rig_run *r, bool has_stations, struct buf *why)
{
    for (unsigned w = 0; w < r->n_warps; w++) {
        uint64_t written[N_REGID] = { 0 };

        for (unsigned i = 0; i < r->warp[w].n; i++) {
            const struct rig_note *n = &r->warp[w].note[i];
            uint64_t at = has_stations ? n->start - 1 : n->issue;

            /* Nobody has told what it would have written. An eliminator that renames has
             * that at hand, while what was there before may be under way. */
            if (is_dropped(n)) {
                memset(written, 0, sizeof written);
                continue;
            }
            for (unsigned reg = 0; reg < N_REGID; reg++)
                if (needs(n, reg) && !is_in_time(r, n, reg, at, written[reg])) {
                    buf_printf(why,
                               "warp %u instruction %u has its operands in cycle "
                               "%llu, register id %u of its is written in cycle %llu",
                               w, i, (unsigned long long)at, reg,
                               (unsigned long long)written[reg]);
                    return false;
                }
            for (unsigned reg = 0; reg < N_REGID; reg++)
                if (regset_has(&n->inst->writes, reg))
                    written[reg] = n->write;
        }
    }
    return true;
}

bool check_inorder(const struct rig_run *r, struct rig_kernel *k, struct buf *why)
{
    (void)k;
    for (unsigned w = 0; w < r->n_warps; w++) {
        uint64_t written[N_REGID] = { 0 }, last = 0;

        for (unsigned i = 0; i < r->warp[w].n; i++) {
            const struct rig_note *n = &r->warp[w].note[i];

            if (is_dropped(n))
                continue;
            if (r->stats.dual_issued ? n->issue < last : n->issue <= last) {
                buf_printf(why, "warp %u instruction %u issued out of order", w, i);
                return false;
            }
            last = n->issue;
            for (unsigned reg = 0; reg < N_REGID; reg++)
                if (regset_has(&n->inst->touches, reg) &&
                    !is_in_time(r, n, reg, n->issue, written[reg])) {
                    buf_printf(why,
                               "warp %u instruction %u issued in cycle %llu, register "
                               "id %u is written in cycle %llu",
                               w, i, (unsigned long long)n->issue, reg,
                               (unsigned long long)written[reg]);
                    return false;
                }
            for (unsigned reg = 0; reg < N_REGID; reg++)
                if (regset_has(&n->inst->writes, reg))
                    written[reg] = n->write;
        }
    }
    return true;
}

/* The first line that differs. */
static bool same_text(const char *a, const char *b, struct buf *why)
{
    while (*a || *b) {
        size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");

        if (n != m || memcmp(a, b, n)) {
            buf_printf(why, "%.*s, the other way %.*s", (int)n, a, (int)m, b);
            return false;
        }
        a += n + (a[n] != 0);
        b += m + (b[m] != 0);
    }
    return true;
}

static bool same_slots(const struct rig_run *a, const struct rig_run *b,
                       struct buf *why)
{
    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        for (unsigned c = 0; c < N_STALL; c++)
            if (a->stats.slot[k][c] != b->stats.slot[k][c]) {
                buf_printf(why, "scheduler %u, %s: %llu cycles, the other way %llu", k,
                           stall_name((enum stall)c),
                           (unsigned long long)a->stats.slot[k][c],
                           (unsigned long long)b->stats.slot[k][c]);
                return false;
            }
    return true;
}

bool check_same(const struct rig_run *a, const struct rig_run *b, struct buf *why)
{
    if (a->cycles != b->cycles || (!b->is_quiet && a->n_issue != b->n_issue)) {
        buf_printf(why, "%llu cycles and %u issues, the other way %llu and %u",
                   (unsigned long long)a->cycles, a->n_issue,
                   (unsigned long long)b->cycles, b->n_issue);
        return false;
    }
    for (unsigned i = 0; i < a->n_issue && !b->is_quiet; i++)
        if (memcmp(&a->issue[i], &b->issue[i], sizeof a->issue[i])) {
            buf_printf(why, "issue %u: cycle %llu warp %u, the other way %llu and %u",
                       i, (unsigned long long)a->issue[i].cycle, a->issue[i].slot,
                       (unsigned long long)b->issue[i].cycle, b->issue[i].slot);
            return false;
        }
    return same_text(buf_text(&a->json), buf_text(&b->json), why) &&
           same_slots(a, b, why);
}
