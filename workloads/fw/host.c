/* host.c - fw: shortest paths between all pairs of nodes of a random directed graph.
 *
 * Integers, so the check, the same three loops on the CPU, is exact.
 */
#include <string.h>

#include "../workload.h"

enum { SIDE = 16, NO_EDGE = 999999, NO_STOP = -1 };

struct shape {
    int nodes, stops; /* stops: the first so many nodes, one launch each */
};

/* About eight edges leave a node. */
static void graph_make(struct rig *r, int *length, int n)
{
    struct rng rng = rng_start(r->env, 21);

    for (int from = 0; from < n; from++) {
        for (int to = 0; to < n; to++) {
            bool is_edge = rng_below(&rng, (uint32_t)n) < 8;
            int weight = 1 + (int)rng_below(&rng, 100);

            length[from * n + to] = from == to ? 0 : is_edge ? weight : NO_EDGE;
        }
    }
}

static void find_paths(int *length, int *over, const struct shape *s)
{
    int n = s->nodes;

    for (int stop = 0; stop < s->stops; stop++) {
        for (int from = 0; from < n; from++) {
            for (int to = 0; to < n; to++) {
                int detour = length[from * n + stop] + length[stop * n + to];

                if (detour < length[from * n + to]) {
                    length[from * n + to] = detour;
                    over[from * n + to] = stop;
                }
            }
        }
    }
}

static int fw_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 72, 10 },
        { 256, 32 },
        { 256, 256 },
    };
    const struct shape *s = &shapes[env->size];
    int n_nodes = s->nodes;
    size_t n = (size_t)n_nodes * (size_t)n_nodes, bytes = n * sizeof(int);
    unsigned blocks = div_up((unsigned)n_nodes, SIDE);
    struct launch l = { "fw_stop", { blocks, blocks }, { SIDE, SIDE }, 0 };
    struct rig r = rig_begin(env);
    int *length = rig_host(&r, n, sizeof *length),
        *over = rig_host(&r, n, sizeof *over);

    if (r.failed)
        return rig_end(&r);
    graph_make(&r, length, n_nodes);
    memset(over, NO_STOP, bytes);
    CUdeviceptr d_length = rig_upload(&r, length, bytes);
    CUdeviceptr d_over = rig_upload(&r, over, bytes);

    for (int stop = 0; stop < s->stops; stop++)
        rig_launch(&r, &l,
                   RIG_ARGS(RIG_ARG(d_length), RIG_ARG(d_over), RIG_ARG(n_nodes),
                            RIG_ARG(stop)));
    find_paths(length, over, s);
    rig_result(&r, "length", d_length, length, n);
    rig_result(&r, "over", d_over, over, n);
    return rig_end(&r);
}

const struct workload workload_fw = {
    .name = "fw",
    .summary = "shortest paths between all pairs of nodes, one launch per stop",
    .suite = "Pannotia",
    .theirs = "FW",
    .papers = "ghost darsie",
    .sizes = { "72 nodes, 10 stops", "256 nodes, 32 stops", "256 nodes" },
    .run = fw_run,
};
