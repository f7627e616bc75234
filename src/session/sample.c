/* sample.c - launches sampled by group, and a regression per group. */
#include "session/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "frontend/sass/exec/exec.h"

/* Of a group that is not known well enough one launch in OFTEN is timed, of one that is,
 * one in SELDOM. */
enum { FIRST = 4, OFTEN = 4, SELDOM = 32 };

/* Warp instructions are x, cycles y. */
struct group {
    uint64_t key;
    uint64_t n, n_timed;
    double sum_x;                  /* of all launches */
    double mean_x, mean_y;         /* of timed launches */
    double sum_xx, sum_xy, sum_yy; /* their products, about the means */
    double least_x, most_x;        /* the range of timed launches */
    bool is_outside;               /* the last launch was far outside that range */
};

struct sample {
    double goal;
    struct group *groups, *now; /* now: of the launch that sample_note() is for */
    unsigned n_groups;
    double timed_x;
};

struct prediction {
    double cycles, variance;
    unsigned freedom; /* degrees */
};

struct sample *sample_new(unsigned goal)
{
    struct sample *s = calloc(1, sizeof *s);

    if (!s)
        err_memory_exit("the sample of launches");
    s->goal = goal / 100.0;
    return s;
}

void sample_free(struct sample *s)
{
    if (s)
        free(s->groups);
    free(s);
}

static struct group *find_group(struct sample *s, uint64_t key)
{
    struct group *g;

    for (unsigned k = 0; k < s->n_groups; k++)
        if (s->groups[k].key == key)
            return &s->groups[k];
    g = realloc(s->groups, (s->n_groups + 1) * sizeof *g);
    if (!g)
        err_memory_exit("the sample of launches");
    s->groups = g;
    g += s->n_groups++;
    *g = (struct group){ .key = key };
    return g;
}

/* Of launches that were not timed. */
static struct prediction predict_rest(const struct group *g)
{
    double rest = (double)(g->n - g->n_timed), n = (double)g->n_timed;
    double slope = g->sum_xx > 0 ? g->sum_xy / g->sum_xx : 0, away, scatter;
    struct prediction p = { .freedom = (unsigned)g->n_timed - 1 - (g->sum_xx > 0) };

    if (g->n == g->n_timed)
        return (struct prediction){ .freedom = UINT32_MAX };
    away = (g->sum_x - n * g->mean_x) / rest - g->mean_x;
    scatter = fmax(g->sum_yy - slope * g->sum_xy, 0) / p.freedom;
    p.cycles = rest * (g->mean_y + slope * away);
    p.variance = scatter * (rest + rest * rest / n);
    if (g->sum_xx > 0)
        p.variance += scatter * rest * rest * away * away / g->sum_xx;
    return p;
}

/* Student's t: 97.5 % lie below it. */
static double student_t(unsigned freedom)
{
    static const double t[] = { 0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                                2.365, 2.306,  2.262, 2.228, 2.201, 2.179, 2.160,
                                2.145, 2.131,  2.120, 2.110, 2.101, 2.093, 2.086 };

    if (freedom < sizeof t / sizeof *t)
        return t[freedom];
    return 1.96 + 2.5 / freedom;
}

static double half_width(const struct prediction *p)
{
    return student_t(p->freedom) * sqrt(p->variance);
}

struct sample_estimate sample_estimate(const struct sample *s)
{
    struct sample_estimate e = { .groups = s->n_groups };
    double squares = 0, insts = 0;

    for (unsigned k = 0; k < s->n_groups; k++) {
        const struct group *g = &s->groups[k];
        struct prediction p = predict_rest(g);

        e.cycles += p.cycles + (double)g->n_timed * g->mean_y;
        squares += half_width(&p) * half_width(&p);
        insts += g->sum_x;
        e.launches += g->n;
        e.timed += g->n_timed;
    }
    e.half_width = sqrt(squares);
    e.timed_insts = insts > 0 ? s->timed_x / insts : 1;
    return e;
}

/* Half-widths add up as squares: if each is within the goal times the root of its own and
 * of all cycles, the whole is within the goal. */
static bool is_known(const struct sample *s, const struct group *g)
{
    struct prediction p = predict_rest(g);
    double own = p.cycles + (double)g->n_timed * g->mean_y;

    return half_width(&p) <= s->goal * sqrt(own * sample_estimate(s).cycles);
}

bool sample_takes_key(struct sample *s, uint64_t key)
{
    struct group *g = s->now = find_group(s, key);
    /* A launch whose number is the same in all runs, and follows no period. */
    uint64_t draw = hash_mix(hash_bytes(key, &g->n, sizeof g->n));

    if (g->n_timed < FIRST || g->is_outside)
        return true;
    return !(draw % (is_known(s, g) ? SELDOM : OFTEN));
}

bool sample_takes_next(struct sample *s, const struct sass_launch *l)
{
    const char *name = l->kernel->info->name;
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    uint64_t key = hash_bytes(HASH_START, name, strlen(name));
    int magnitude = ilogb((double)blocks);

    key = hash_bytes(key, &magnitude, sizeof magnitude);
    key = hash_bytes(key, l->block, sizeof l->block);
    key = hash_bytes(key, &l->dynamic_shared, sizeof l->dynamic_shared);
    return sample_takes_key(s, key);
}

static void note_timed(struct group *g, double x, double y)
{
    double from_x = x - g->mean_x, from_y = y - g->mean_y, n = (double)++g->n_timed;

    g->mean_x += from_x / n;
    g->mean_y += from_y / n;
    g->sum_xx += from_x * (x - g->mean_x);
    g->sum_xy += from_x * (y - g->mean_y);
    g->sum_yy += from_y * (y - g->mean_y);
    g->least_x = n > 1 ? fmin(g->least_x, x) : x;
    g->most_x = fmax(g->most_x, x);
}

void sample_note(struct sample *s, uint64_t warp_insts, uint64_t cycles)
{
    struct group *g = s->now;
    double x = (double)warp_insts;

    g->n++;
    g->sum_x += x;
    if (cycles) {
        note_timed(g, x, (double)cycles);
        s->timed_x += x;
    }
    g->is_outside = x < g->least_x / 2 || x > g->most_x * 2;
}

void sample_put(const struct sample *s, struct buf *out)
{
    struct sample_estimate e = sample_estimate(s);

    buf_printf(
        out,
        "leno: estimate of all launches: %.0f cycles +- %.0f (95 %%: %.2f %%), from "
        "%llu of %llu launches in %u group%s, %.1f %% of the warp instructions\n",
        e.cycles, e.half_width, e.cycles > 0 ? 100 * e.half_width / e.cycles : 0,
        (unsigned long long)e.timed, (unsigned long long)e.launches, e.groups,
        e.groups == 1 ? "" : "s", 100 * e.timed_insts);
}
