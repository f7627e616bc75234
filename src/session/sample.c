/* sample.c - launches sampled by group, and a regression per group. */
#include "session/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "session/choice.h"
#include "stats/student.h"

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
    double own_width;              /* half-widths of launches that were cut, summed */
    bool is_outside;               /* the last launch was far outside that range */
};

struct sample {
    double goal;
    struct group *groups, *now; /* now: of the launch that sample_note() is for */
    unsigned n_groups;
    double timed_x;
    uint64_t cut, unstable;
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

static double half_width(const struct group *g, const struct prediction *p)
{
    double own = g->n_timed ? g->own_width * (double)g->n / (double)g->n_timed : 0;

    return hypot(student_t(p->freedom) * sqrt(p->variance), own);
}

struct sample_estimate sample_estimate(const struct sample *s)
{
    struct sample_estimate e = { .groups = s->n_groups,
                                 .cut = s->cut,
                                 .unstable = s->unstable };
    double squares = 0, insts = 0, width;

    for (unsigned k = 0; k < s->n_groups; k++) {
        const struct group *g = &s->groups[k];
        struct prediction p = predict_rest(g);

        e.cycles += p.cycles + (double)g->n_timed * g->mean_y;
        width = half_width(g, &p);
        squares += width * width;
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

    return half_width(g, &p) <= s->goal * sqrt(own * sample_estimate(s).cycles);
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

bool sample_takes_next(struct sample *s, const struct sample_shape *shape)
{
    uint64_t key = hash_bytes(HASH_START, shape->kernel, strlen(shape->kernel));
    int magnitude = ilogb((double)shape->blocks);

    key = hash_bytes(key, &magnitude, sizeof magnitude);
    key = hash_bytes(key, shape->block, 3 * sizeof *shape->block);
    key = hash_bytes(key, &shape->shared, sizeof shape->shared);
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

void sample_note(struct sample *s, const struct sample_launch *l)
{
    struct group *g = s->now;
    double x = (double)l->warp_insts;

    g->n++;
    g->sum_x += x;
    if (l->cycles > 0) {
        note_timed(g, x, l->cycles);
        g->own_width += l->half_width;
        s->timed_x += (double)l->timed_insts;
        s->cut += l->is_cut;
        s->unstable += l->is_unstable;
    }
    g->is_outside = x < g->least_x / 2 || x > g->most_x * 2;
}

struct sample *sample_of_choice(const struct launch_choice *c)
{
    return c->sample ? sample_new((unsigned)c->sample) : NULL;
}

int sample_read_goal(bool is_on, uint64_t goal, uint64_t *percent, struct err *err)
{
    *percent = is_on ? goal ? goal : SAMPLE_GOAL : 0;
    if (goal && !is_on)
        return err_set(err, "--sample-goal: expected --sample too");
    if (goal > 50)
        return err_set(err, "--sample-goal %llu: expected 1 to 50, in %%",
                       (unsigned long long)goal);
    return 0;
}

static double percent(double a, double b)
{
    return b > 0 ? 100 * a / b : 0;
}

void sample_put(const struct sample_estimate *e, struct buf *out)
{
    buf_printf(out,
               "estimate of all launches: %.0f cycles +- %.0f (95 %%: %.2f %%), from "
               "%llu of %llu launches in %u group%s, %.1f %% of the warp instructions",
               e->cycles, e->half_width, percent(e->half_width, e->cycles),
               (unsigned long long)e->timed, (unsigned long long)e->launches, e->groups,
               e->groups == 1 ? "" : "s", 100 * e->timed_insts);
    if (e->cut)
        buf_printf(out, "; %llu launch%s cut when the rate was stable",
                   (unsigned long long)e->cut, e->cut == 1 ? "" : "es");
    if (e->unstable)
        buf_printf(out, "; %llu timed whole: rate not stable",
                   (unsigned long long)e->unstable);
    buf_putc(out, '\n');
}

void sample_json(const struct sample_estimate *e, struct buf *out)
{
    buf_printf(out,
               "{\"cycles\": %.0f, \"half_width\": %.0f, \"launches\": %llu, "
               "\"timed\": %llu, \"cut\": %llu, \"unstable\": %llu, \"groups\": %u, "
               "\"timed_share\": %.6f, \"whole\": %s}",
               e->cycles, e->half_width, (unsigned long long)e->launches,
               (unsigned long long)e->timed, (unsigned long long)e->cut,
               (unsigned long long)e->unstable, e->groups, e->timed_insts,
               sample_is_whole(e) ? "true" : "false");
}
