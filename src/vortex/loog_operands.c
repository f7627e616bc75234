/* loog_operands.c - LOOG on Vortex: how operands come to units, from the register file and
 * from results on their way.
 *
 * The register file has one port, which a unit has for all its operands. A result goes to
 * all units that wait for it at once, and to the register file if the RAT still names it.
 */
#include "vortex/loog.h"

static void is_there(struct loog *s, unsigned c, unsigned n)
{
    struct cu *u = &s->cu[c];

    u->from[n] = IS_THERE;
    u->n_wait--;
    s->completing |= (uint32_t)!u->n_wait << c;
    s->changed = true;
}

/* ---- from the register file ---- */

/* Those who write what a unit no longer has to read need not wait for it. */
static void release_war(struct loog *s, struct cu *u)
{
    for (uint32_t m = u->war; m; m &= m - 1) {
        struct cu *writer = &s->cu[__builtin_ctz(m)];

        if (u->reads >> writer->rd & 1)
            continue;
        u->war &= ~(m & -m);
        s->held &= ~only_if(!--writer->n_war, m & -m);
    }
}

/* An operand has come from the register file. */
static void is_read(struct loog *s, unsigned c, unsigned n)
{
    const struct vx_flight *f = &s->base.core->flight[s->cu[c].uop];
    struct cu *u = &s->cu[c];

    is_there(s, c, n);
    u->unread &= ~(1u << n);
    u->reads = 0;
    for (uint32_t m = u->unread; m; m &= m - 1)
        u->reads |= (uint64_t)1 << f->src[__builtin_ctz(m)];
    release_war(s, u);
}

/* The next operand of the port's unit. */
static void next_operand(struct loog *s)
{
    static const uint8_t first[8] = { 0, 1, 2, 1, 3, 1, 2, 1 }; /* bit, from 1 on */

    s->state = first[s->left];
    s->left &= s->left - 1;
}

void loog_give_port(struct loog *s, uint32_t wanting, uint64_t cycle)
{
    s->port = s->p.arbiter == ARBITER_ID ? (unsigned)__builtin_ctz(wanting)
                                         : loog_in_turn(wanting, s->last_read);
    s->last_read = s->port;
    s->left = s->cu[s->port].unread;
    next_operand(s);
    s->port_at = cycle + 2;
}

/* Who may ask for the port now: of those allocated in the last cycle the RAT has not heard
 * yet. */
static uint32_t asking(const struct loog *s)
{
    return s->wanting & ~only_if(s->came_at + 1 == s->base.core->cycle, s->came);
}

/* The port: a cycle to choose a unit, one for each operand, one to see that there are no
 * more. While an operand is read the choice does not know of it yet: only when another
 * unit comes first is the last cycle saved. Otherwise the next choice is made now, too. */
void loog_port_tick(struct loog *s)
{
    struct vx_core *k = s->base.core;
    uint32_t wanting = asking(s);
    unsigned c = s->port;

    k->progress = true;
    vx_check_read(k, &k->pool[s->cu[c].uop], s->state - 1);
    k->stats.rf_reads++;
    is_read(s, c, s->state - 1);
    next_operand(s);
    if (s->state)
        return;
    s->wanting &= ~(1u << c);
    loog_give_port(s, wanting, k->cycle);
    if (s->state)
        return;
    if (s->wanting)
        loog_give_port(s, s->wanting, k->cycle + 1);
    else
        s->port_at = VX_NEVER;
}

/* ---- results ---- */

/* A unit takes what it waits for of a result. */
static void take_result(struct loog *s, unsigned c, int16_t unit,
                        const struct uop *producer)
{
    struct vx_core *k = s->base.core;

    for (unsigned n = 0; n < 3; n++)
        if (s->cu[c].from[n] == unit) {
            vx_check_caught(k, &k->pool[s->cu[c].uop], n, producer);
            loog_stats_of(s)->caught++;
            is_there(s, c, n);
        }
}

static void free_unit(struct loog *s, unsigned unit)
{
    if (s->has_rrs)
        loog_free_entry(s, unit);
    else
        loog_free_cu(s, unit);
}

/* A register is renamed and a result goes out in one cycle: the register file is written
 * if the unit was named as the cycle began. */
static bool is_named(const struct loog *s, int16_t named, int16_t unit)
{
    return named == unit ||
           (s->renamed == unit && s->came_at + 1 == s->base.core->cycle);
}

/* A result goes to all who wait for it, and to the register file. Who is complete by that
 * is not dispatched in this cycle, which has still to come so far. */
void loog_written(struct vx_issue *base, struct uop *u)
{
    struct loog *s = (struct loog *)base;
    struct vx_core *k = base->core;
    unsigned rd = vx_flight(k, u)->rd;
    int16_t unit = s->unit_of[u->id], *named = &s->rat[u->warp][rd];
    struct holder *h = &s->holder[unit];

    if (!rd)
        return;
    for (uint32_t m = *loog_readers(s, unit); m; m &= m - 1)
        take_result(s, (unsigned)__builtin_ctz(m), unit, u);
    if (is_named(s, *named, unit)) {
        vx_check_written(k, u);
        k->stats.rf_writes++;
        if (*named == unit)
            *named = FROM_RF;
    } else {
        loog_stats_of(s)->skipped_writes++;
    }
    s->n_partial -= h->mask != k->full;
    free_unit(s, (unsigned)unit);
}
