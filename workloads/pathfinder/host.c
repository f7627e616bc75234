/* host.c - pathfinder: cheapest path to each cell of the last row. */
#include "../workload.h"

enum { THREADS = 256 };

struct shape {
    unsigned cols, rows;
    int height; /* rows a launch */
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void walk(const struct shape *s, const int *wall, int *cost, int *next)
{
    for (unsigned row = 1; row < s->rows; row++) {
        for (unsigned x = 0; x < s->cols; x++) {
            int best = cost[x];

            if (x > 0)
                best = least(best, cost[x - 1]);
            if (x + 1 < s->cols)
                best = least(best, cost[x + 1]);
            next[x] = best + wall[row * s->cols + x];
        }
        for (unsigned x = 0; x < s->cols; x++)
            cost[x] = next[x];
    }
}

/* Returns the buffer that holds the last row. */
static CUdeviceptr walk_on_device(struct rig *r, const struct shape *s, const int *wall)
{
    size_t bytes = s->cols * sizeof *wall;
    int cols = (int)s->cols, halo = s->height;
    struct launch l = { .kernel = "pathfinder",
                        .grid = { div_up(s->cols, THREADS - 2 * (unsigned)halo) },
                        .block = { THREADS } };
    CUdeviceptr d_wall = rig_upload(r, wall, s->rows * bytes);
    CUdeviceptr from = rig_upload(r, wall, bytes), to = rig_alloc(r, bytes);

    for (unsigned row = 1; row < s->rows; row += (unsigned)s->height) {
        int steps = least(s->height, (int)(s->rows - row));
        CUdeviceptr rows = d_wall + row * bytes, swap = from;

        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(rows), RIG_ARG(from), RIG_ARG(to), RIG_ARG(cols),
                            RIG_ARG(steps), RIG_ARG(halo)));
        from = to;
        to = swap;
    }
    return from;
}

static int pathfinder_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 1000, 21, 10 },
        { 30000, 61, 20 },
        { 100000, 100, 20 },
    };
    const struct shape *s = &shapes[env->size];
    size_t n = (size_t)s->cols * s->rows;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 7);
    int *wall = rig_host(&r, n, sizeof *wall);
    int *cost = rig_host(&r, s->cols, sizeof *cost);
    int *next = rig_host(&r, s->cols, sizeof *next);

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < n; i++)
        wall[i] = (int)rng_below(&rng, 10);
    for (unsigned x = 0; x < s->cols; x++)
        cost[x] = wall[x];
    CUdeviceptr last = walk_on_device(&r, s, wall);
    walk(s, wall, cost, next);
    rig_result(&r, "cost", last, cost, s->cols);
    return rig_end(&r);
}

const struct workload workload_pathfinder = {
    .name = "pathfinder",
    .summary = "cheapest path down a grid, ghost zones",
    .suite = "Rodinia",
    .papers = "socgpu darsie",
    .sizes = { "1000x21, 10 rows a launch", "30000x61, 20 rows a launch",
               "100000x100, 20 rows a launch" },
    .run = pathfinder_run,
};
