/* host.c - lavamd: forces between random particles of neighbouring boxes.
 *
 * The check goes through pairs in the kernel's order, with another exp(): results may
 * differ in the last places. */
#include <math.h>

#include "../reference.h"
#include "../workload.h"

enum { THREADS = 128, PARTICLES = 100, MAX_NEAR = 26 };

/* 2700 pairs at most, each off by about 1e-15 and worth less than 2: the sum of their
 * magnitudes is below 3000, and its error below this share of it. */
static const double bound = 3000.0 * 1e-14;

struct quad {
    double v, x, y, z;
};

struct box {
    int first, n_near, near[MAX_NEAR];
};

struct space {
    int side[3];
    int n_boxes;
    size_t n; /* particles */
    struct box *boxes;
    struct quad *place;
    double *charge;
};

static int box_number(const struct space *s, const int at[3])
{
    return (at[2] * s->side[1] + at[1]) * s->side[0] + at[0];
}

/* Lists the boxes around the one at (x, y, z) that exist. */
static void box_make(const struct space *s, const int at[3])
{
    int number = box_number(s, at);
    struct box *box = &s->boxes[number];

    box->first = number * PARTICLES;
    for (int i = 0; i < 27; i++) {
        const int to[3] = { at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1,
                            at[2] + i / 9 - 1 };
        bool inside = true;

        for (int d = 0; d < 3; d++)
            inside = inside && to[d] >= 0 && to[d] < s->side[d];
        if (inside && box_number(s, to) != number)
            box->near[box->n_near++] = box_number(s, to);
    }
}

static void space_make(struct rig *r, struct space *s)
{
    struct rng rng = rng_start(r->env, 102);

    s->n_boxes = s->side[0] * s->side[1] * s->side[2];
    s->n = (size_t)s->n_boxes * PARTICLES;
    s->boxes = rig_host(r, (size_t)s->n_boxes, sizeof *s->boxes);
    s->place = rig_host(r, s->n, sizeof *s->place);
    s->charge = rig_host(r, s->n, sizeof *s->charge);
    for (int i = 0; i < s->n_boxes && !r->failed; i++) {
        const int at[3] = { i % s->side[0], i / s->side[0] % s->side[1],
                            i / s->side[0] / s->side[1] };

        box_make(s, at);
        for (int j = i * PARTICLES; j < (i + 1) * PARTICLES; j++) {
            struct quad *p = &s->place[j];

            p->x = at[0] + (double)rng_unit(&rng);
            p->y = at[1] + (double)rng_unit(&rng);
            p->z = at[2] + (double)rng_unit(&rng);
            p->v = 0.5 * fma(p->x, p->x, fma(p->y, p->y, p->z * p->z));
            s->charge[j] = 0.1 + 0.9 * (double)rng_unit(&rng);
        }
    }
}

static void add_pair(struct quad a, struct quad b, double charge, double sharpness,
                     struct quad *sum)
{
    double dot = fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
    double v = reference_exp(-(sharpness * (a.v + b.v - dot)));
    double slope = 2.0 * v;

    sum->v = fma(charge, v, sum->v);
    sum->x = fma(charge, slope * (a.x - b.x), sum->x);
    sum->y = fma(charge, slope * (a.y - b.y), sum->y);
    sum->z = fma(charge, slope * (a.z - b.z), sum->z);
}

static struct quad force_on(const struct space *s, const struct box *box, int particle,
                            double sharpness)
{
    struct quad sum = { 0 };

    for (int k = 0; k <= box->n_near; k++) {
        int from = k == 0 ? box->first : s->boxes[box->near[k - 1]].first;

        for (int j = from; j < from + PARTICLES; j++)
            add_pair(s->place[particle], s->place[j], s->charge[j], sharpness, &sum);
    }
    return sum;
}

static void check_force(struct rig *r, const double *got, const struct quad *want,
                        size_t i)
{
    const double expected[4] = { want->v, want->x, want->y, want->z };

    for (int d = 0; d < 4; d++)
        if (!(fabs(got[d] - expected[d]) <= bound))
            rig_fail(r, "force[%zu].%c is %.17g, expected %.17g", i, "vxyz"[d], got[d],
                     expected[d]);
}

static int lavamd_run(struct workload_env *env)
{
    static const int sides[N_WORKLOAD_SIZE][3] = { { 2, 1, 1 },
                                                   { 2, 2, 2 },
                                                   { 3, 3, 3 } };
    const int *side = sides[env->size];
    const double alpha = 0.5, sharpness = 2.0 * alpha * alpha;
    struct rig r = rig_begin(env);
    struct space s = { .side = { side[0], side[1], side[2] } };

    space_make(&r, &s);
    double *got = rig_host(&r, s.n, sizeof(struct quad));
    if (r.failed)
        return rig_end(&r);
    struct launch l = { "lavamd", { (unsigned)s.n_boxes }, { THREADS }, 0 };
    CUdeviceptr boxes = rig_upload(&r, s.boxes, (size_t)s.n_boxes * sizeof *s.boxes);
    CUdeviceptr place = rig_upload(&r, s.place, s.n * sizeof *s.place);
    CUdeviceptr charge = rig_upload(&r, s.charge, s.n * sizeof *s.charge);
    CUdeviceptr force = rig_upload(&r, got, s.n * sizeof(struct quad)); /* zeros */

    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(boxes), RIG_ARG(place), RIG_ARG(charge), RIG_ARG(force),
                        RIG_ARG(sharpness)));
    rig_download(&r, got, force, s.n * sizeof(struct quad));
    rig_output(&r, "force", got, NULL, s.n * sizeof(struct quad) / sizeof(uint32_t));
    for (size_t i = 0; i < s.n && !r.failed; i++) {
        struct quad want = force_on(&s, &s.boxes[i / PARTICLES], (int)i, sharpness);

        check_force(&r, got + 4 * i, &want, i);
    }
    return rig_end(&r);
}

const struct workload workload_lavamd = {
    .name = "lavamd",
    .summary = "forces between particles of neighbouring boxes, in double",
    .suite = "Rodinia",
    .theirs = "lavaMD",
    .papers = "ghost",
    .sizes = { "2x1x1 boxes", "2x2x2 boxes", "3x3x3 boxes" },
    .run = lavamd_run,
};
