/* pace.c - marks per wave of blocks, and the rate between them. */
#include "sim/pace.h"

#include <math.h>

#include "base/invariant.h"
#include "stats/student.h"

/* Cycles and warp instructions from mark to mark. */
struct rate {
    unsigned first, n;  /* of the marks between which it is taken */
    double x, y;        /* instructions and cycles, on average */
    double waves;       /* to come, of as many blocks as these have on average */
    double least, most; /* instructions */
    double scatter;     /* variance of cycles about the rate */
    double drift;       /* between the two halves, cycles per instruction */
    double memory;      /* what misses may add, as a share of the cycles */
};

static double cycles_between(const struct pace *p, unsigned a, unsigned b)
{
    return (double)(p->mark[b].cycle - p->mark[a].cycle);
}

static double insts_between(const struct pace *p, unsigned a, unsigned b)
{
    return (double)(p->mark[b].insts - p->mark[a].insts);
}

static double per_inst(const struct pace *p, unsigned a, unsigned b)
{
    double insts = insts_between(p, a, b);

    return insts > 0 ? cycles_between(p, a, b) / insts : 0;
}

/* The first mark at which all of L2 has been brought in by this launch; n_marks: none. */
static unsigned find_turnover(const struct pace *p)
{
    unsigned k = 0;

    while (k < p->n_marks && p->mark[k].filled - p->mark[0].filled < p->sectors)
        k++;
    return k;
}

/* Waves that are like the one before say less than independent ones: how much more the mean
 * scatters, by the covariance of neighbours. */
static double inflation(double covariance, double variance)
{
    double alike = variance > 0 ? fmin(fmax(covariance / variance, 0), 0.8) : 0;

    return (1 + alike) / (1 - alike);
}

/* out: blocks to come. */
static void measure_waves(const struct pace *p, struct rate *r, double out)
{
    unsigned last = r->first + r->n, middle = r->first + r->n / 2;
    double before = 0, next_to = 0;

    r->x = insts_between(p, r->first, last) / r->n;
    r->y = cycles_between(p, r->first, last) / r->n;
    r->waves = out * r->n / (double)(p->mark[last].blocks - p->mark[r->first].blocks);
    r->least = r->most = r->x;
    r->scatter = 0;
    for (unsigned k = r->first; k < last; k++) {
        double x = insts_between(p, k, k + 1);
        double from = cycles_between(p, k, k + 1) - (r->x > 0 ? r->y / r->x * x : r->y);

        r->scatter += from * from / (r->n - 1);
        next_to += from * before / (r->n - 1);
        before = from;
        r->least = fmin(r->least, x);
        r->most = fmax(r->most, x);
    }
    r->scatter *= inflation(next_to, r->scatter);
    r->drift = fabs(per_inst(p, middle, last) - per_inst(p, r->first, middle));
}

static double later_misses(const struct pace *p, const struct rate *r,
                           unsigned turnover)
{
    const struct pace_mark *a = &p->mark[r->first], *b = &p->mark[r->first + r->n];
    double filled = (double)(b->filled - a->filled) / r->n;
    double lines = (double)p->sectors / p->line; /* each sector may need one */

    if (turnover <= r->first || (double)b->filled + filled * r->waves <= lines)
        return 0;
    if (b->ticks == a->ticks)
        return 0;
    return fmax((double)(b->bus - a->bus), filled * r->n * p->sector_ticks) /
           (double)(b->ticks - a->ticks);
}

/* The rate so far, for so many blocks to come; false: too few waves. */
static bool find_rate(const struct pace *p, struct rate *r, uint64_t out)
{
    unsigned last = p->n_marks - 1, turnover = find_turnover(p);

    r->first = last / 2 > 1 ? last / 2 : 1;
    if (turnover > r->first && turnover + PACE_WAVES <= last)
        r->first = turnover;
    if (last < r->first + PACE_WAVES)
        return false;
    r->n = last - r->first;
    measure_waves(p, r, (double)out);
    r->memory = later_misses(p, r, turnover);
    return r->x > 0;
}

/* Of so many waves that are like those before; one more for the tail. */
static double half_width(const struct rate *r, double waves)
{
    double scatter =
        student_t(r->n - 1) * sqrt(r->scatter * (waves + 1 + waves * waves / r->n));
    double drift = r->drift * r->x * waves, memory = r->memory * r->y * waves;

    return scatter + drift + memory;
}

/* Marks are whole waves apart. */
static unsigned first_step(const struct pace *p)
{
    return (unsigned)((PACE_BLOCKS + p->wave - 1) / p->wave);
}

void pace_begin(struct pace *p, const struct pace_mark *start)
{
    p->mark[0] = p->now = *start;
    p->n_marks = 1;
    p->n_held = 0;
    p->step = first_step(p);
    p->timed = p->blocks;
}

bool pace_is_cut(const struct pace *p)
{
    return p->timed < p->blocks;
}

static bool is_long(const struct pace *p)
{
    return p->blocks >= PACE_LEAST * first_step(p) * p->wave;
}

bool pace_is_unstable(const struct pace *p)
{
    return !pace_is_cut(p) && is_long(p);
}

bool pace_is_due(const struct pace *p, uint64_t blocks)
{
    return !pace_is_cut(p) && is_long(p) &&
           blocks - p->mark[p->n_marks - 1].blocks >= p->step * p->wave;
}

/* Every second mark is dropped. */
static void halve_marks(struct pace *p)
{
    for (unsigned k = 1; 2 * k < p->n_marks; k++)
        p->mark[k] = p->mark[2 * k];
    p->n_marks = (p->n_marks + 1) / 2;
    p->step *= 2;
}

/* Whole waves are left out. */
static void decide(struct pace *p, uint64_t started)
{
    uint64_t left = p->blocks - started, out = left - left % p->wave;
    double cycle = (double)p->mark[p->n_marks - 1].cycle;
    struct rate r;

    if (out < p->blocks / 3 || !find_rate(p, &r, out))
        return;
    if (r.waves > PACE_MOST * r.n ||
        half_width(&r, r.waves) > p->goal * (cycle + r.waves * r.y))
        p->n_held = 0;
    else if (++p->n_held == PACE_HELD)
        p->timed = p->blocks - out;
}

void pace_note(struct pace *p, const struct pace_mark *mark, uint64_t started)
{
    INVARIANT(started <= p->blocks && !pace_is_cut(p));
    if (p->n_marks == PACE_MARKS)
        halve_marks(p);
    p->mark[p->n_marks++] = *mark;
    decide(p, started);
}

/* Cycles from one instruction of a warp to its next, when the GPU is full. */
static double cycles_per_turn(const struct pace *p, const struct rate *r)
{
    return r->y / r->x * (double)p->wave * p->warps;
}

/* Work outside of what was seen is taken as in proportion to instructions, too, but half of
 * it is uncertain. */
struct pace_rest pace_predict(const struct pace *p, uint64_t insts, uint64_t longer)
{
    struct pace_rest rest = { 0 };
    struct rate r;
    double x, beyond;

    if (!pace_is_cut(p) || !find_rate(p, &r, p->blocks - p->timed))
        return rest;
    x = (double)insts / r.waves;
    beyond = fabs(x - fmin(fmax(x, r.least), r.most)) * r.waves * r.y / r.x;
    rest.cycles = r.y / r.x * (double)insts;
    rest.half_width = half_width(&r, (double)insts / r.x) + beyond / 2 +
                      (double)longer * cycles_per_turn(p, &r);
    return rest;
}
