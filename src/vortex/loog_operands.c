/* loog_operands.c - LOOG on Vortex: operands of units, from the register file and from
 * results in flight.
 *
 * The register file has one port, which a unit keeps for all its operands. A result is
 * broadcast to all units that wait for it, and written to the register file if the RAT
 * still names it.
 */
#include "vortex/check.h"
#include "vortex/loog.h"

static void operand_arrived(struct loog *s, unsigned c, unsigned n)
{
    struct cu *u = &s->cu[c];

    u->from[n] = IS_THERE;
    u->n_wait--;
    s->completing |= (uint32_t)!u->n_wait << c;
    s->cause = N_STALL;
}

/* ---- from the register file ---- */

/* A unit has read a register: units that waited for that may write it. */
static void release_war(struct loog *s, unsigned c, struct loog_users *of)
{
    of->readers &= ~(1u << c);
    for (uint32_t m = of->writers; m; m &= m - 1) {
        struct cu *writer = &s->cu[__builtin_ctz(m)];
        uint32_t is_free;

        writer->war &= ~(1u << c);
        is_free = only_if(!writer->war, m & -m);
        of->writers &= ~is_free;
        s->held &= ~is_free;
    }
}

/* An operand has come from the register file. */
static void operand_read(struct loog *s, unsigned c, unsigned n)
{
    const uint8_t *src = s->base.core->flight[s->cu[c].uop].src;
    struct cu *u = &s->cu[c];
    unsigned others = 0; /* operands from the same register */

    operand_arrived(s, c, n);
    u->unread &= ~(1u << n);
    for (unsigned i = 0; i < 3; i++)
        others |= (unsigned)(src[i] == src[n]) << i;
    if (!(others & u->unread))
        release_war(s, c, &s->users[u->warp][src[n]]);
}

/* The next unit to have the port. */
static unsigned choose_reader(const struct loog *s, uint32_t wanting)
{
    return s->p.arbiter == ARBITER_ID ? (unsigned)__builtin_ctz(wanting)
                                      : vx_next_in_turn(wanting, s->port);
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
    s->port = choose_reader(s, wanting);
    s->left = s->cu[s->port].unread;
    next_operand(s);
    s->port_at = cycle + 2;
}

/* Units that may ask for the port now; one allocated in the last cycle has not looked up
 * the RAT yet. */
static uint32_t units_asking(const struct loog *s)
{
    return s->wanting & ~only_if(s->came_at + 1 == s->base.core->cycle, s->came);
}

/* The port passes to the next unit. The choice is made while the last operand is still
 * being read: if another unit comes first, the cycle is saved that sees that no operands
 * are left. */
static void pass_port(struct loog *s, uint32_t wanting)
{
    unsigned next = choose_reader(s, wanting);
    bool is_late = next == s->port;

    s->wanting &= ~(1u << s->port);
    if (is_late & !s->wanting)
        s->port_at = NEVER;
    else
        loog_give_port(s, is_late ? s->wanting : 1u << next,
                       s->base.core->cycle + is_late);
}

/* The port takes one cycle to choose a unit, one for each operand, and one to see that no
 * operands are left. */
void loog_port_tick(struct loog *s)
{
    struct vx_core *k = s->base.core;
    uint32_t wanting = units_asking(s);

    k->progress = true;
    vx_check_read(k, &k->pool[s->cu[s->port].uop], s->state - 1);
    k->stats.rf_reads++;
    operand_read(s, s->port, s->state - 1);
    next_operand(s);
    if (!s->state)
        pass_port(s, wanting);
}

/* ---- results ---- */

/* A unit captures the operands that it waits for from a result. */
static void take_result(struct loog *s, unsigned c, int16_t unit,
                        const struct uop *producer)
{
    struct vx_core *k = s->base.core;

    for (unsigned n = 0; n < 3; n++)
        if (s->cu[c].from[n] == unit) {
            vx_check_caught(k, &k->pool[s->cu[c].uop], n, producer);
            loog_stats_of(s)->caught++;
            operand_arrived(s, c, n);
        }
}

static void free_result(struct loog *s, unsigned unit)
{
    if (s->has_rrs)
        loog_free_entry(s, unit);
    else
        loog_free_cu(s, unit);
}

/* The RAT names the unit, or did so at the start of a cycle that renames the register: the
 * register file is written. */
static bool is_named(const struct loog *s, int16_t named, int16_t unit)
{
    return named == unit ||
           (s->renamed == unit && s->came_at + 1 == s->base.core->cycle);
}

/* A result goes to all units that wait for it, and to the register file. Units that it
 * completes are not dispatched in this cycle. */
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
    free_result(s, (unsigned)unit);
}
