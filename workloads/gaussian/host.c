/* host.c - gaussian: elimination of a diagonally dominant system, and its solution.
 *
 * The check repeats fan1 and fan2 operation by operation: exact. If every column was
 * eliminated, the solution is found from the last row upwards and put into the system,
 * which it must fulfil to rounding. */
#include <math.h>
#include <string.h>

#include "../workload.h"

enum { FAN1_THREADS = 512, FAN2_SIDE = 4 };

struct shape {
    int n, columns; /* columns: so many are eliminated */
};

struct system {
    int n;
    float *matrix, *right, *factor;
};

static void eliminate(const struct system *s, int columns)
{
    int n = s->n;

    for (int column = 0; column < columns; column++) {
        const float *from = s->matrix + column * n;

        for (int row = column + 1; row < n; row++) {
            float *to = s->matrix + row * n, times = to[column] / from[column];

            s->factor[row * n + column] = times;
            for (int at = column; at < n; at++)
                to[at] = fmaf(-times, from[at], to[at]);
            s->right[row] = fmaf(-times, s->right[column], s->right[row]);
        }
    }
}

static void eliminate_on_device(struct rig *r, const CUdeviceptr d[3],
                                const struct shape *shape)
{
    int n = shape->n;
    unsigned side = div_up((unsigned)n, FAN2_SIDE);
    struct launch fan1 = {
        "fan1", { div_up((unsigned)n, FAN1_THREADS) }, { FAN1_THREADS }, 0
    };
    struct launch fan2 = { "fan2", { side, side }, { FAN2_SIDE, FAN2_SIDE }, 0 };

    for (int column = 0; column < shape->columns; column++) {
        rig_launch(r, &fan1,
                   RIG_ARGS(RIG_ARG(d[2]), RIG_ARG(d[0]), RIG_ARG(n), RIG_ARG(column)));
        rig_launch(r, &fan2,
                   RIG_ARGS(RIG_ARG(d[2]), RIG_ARG(d[0]), RIG_ARG(d[1]), RIG_ARG(n),
                            RIG_ARG(column)));
    }
}

/* Solves the triangle and puts the solution into the system as it was. Bound: n
 * roundings of 2^-24 on sums whose magnitudes stay below 2 n. */
static void check_solution(struct rig *r, const struct system *s,
                           const struct system *start, double *x)
{
    int n = s->n;
    double bound = 4.0 * n * n * 0x1p-24;

    for (int row = n - 1; row >= 0; row--) {
        x[row] = (double)s->right[row];
        for (int at = row + 1; at < n; at++)
            x[row] -= (double)s->matrix[row * n + at] * x[at];
        x[row] /= (double)s->matrix[row * n + row];
    }
    for (int row = 0; row < n; row++) {
        double sum = 0.0;

        for (int at = 0; at < n; at++)
            sum += (double)start->matrix[row * n + at] * x[at];
        if (!(fabs(sum - (double)start->right[row]) <= bound))
            rig_fail(r, "row %d of the solution gives %g, expected %g", row, sum,
                     (double)start->right[row]);
    }
}

static void system_alloc(struct rig *r, struct system *s, int n)
{
    s->n = n;
    s->matrix = rig_host(r, (size_t)(n * n), sizeof *s->matrix);
    s->factor = rig_host(r, (size_t)(n * n), sizeof *s->factor);
    s->right = rig_host(r, (size_t)n, sizeof *s->right);
}

/* Elements fall off with the distance from the diagonal. */
static void system_make(struct system *s, struct rng *rng)
{
    for (int row = 0; row < s->n; row++) {
        for (int at = 0; at < s->n; at++) {
            int far = row > at ? row - at : at - row;
            float v = rng_unit(rng) / (float)(far + 1);

            s->matrix[row * s->n + at] = far ? v : 10.0f + v;
        }
        s->right[row] = rng_unit(rng);
    }
}

static int gaussian_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = { { 40, 8 },
                                                          { 80, 79 },
                                                          { 80, 79 } };
    const struct shape *shape = &shapes[env->size];
    size_t n = (size_t)shape->n, bytes = n * n * sizeof(float);
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 104);
    struct system start, s;
    double *x = rig_host(&r, n, sizeof *x);

    system_alloc(&r, &start, shape->n);
    system_alloc(&r, &s, shape->n);
    if (r.failed)
        return rig_end(&r);
    system_make(&start, &rng);
    memcpy(s.matrix, start.matrix, bytes);
    memcpy(s.right, start.right, n * sizeof *s.right);
    const CUdeviceptr d[3] = { rig_upload(&r, s.matrix, bytes),
                               rig_upload(&r, s.right, n * sizeof *s.right),
                               rig_upload(&r, s.factor, bytes) };

    eliminate_on_device(&r, d, shape);
    eliminate(&s, shape->columns);
    rig_result(&r, "matrix", d[0], s.matrix, n * n);
    rig_result(&r, "right", d[1], s.right, n);
    rig_result(&r, "factor", d[2], s.factor, n * n);
    if (shape->columns == shape->n - 1)
        check_solution(&r, &s, &start, x);
    return rig_end(&r);
}

const struct workload workload_gaussian = {
    .name = "gaussian",
    .summary = "Gaussian elimination, a column per pair of launches",
    .suite = "Rodinia",
    .papers = "ghost socgpu",
    .sizes = { "40x40, 8 columns", "80x80", "80x80" },
    .run = gaussian_run,
};
