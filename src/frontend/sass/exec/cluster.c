/* cluster.c - thread block clusters: who belongs together, their barrier, and each
 * other's shared memory.
 *
 * A cluster's blocks are neighbours in the grid; the rank counts x first. The barrier is
 * complete when every live lane of every block has arrived; blocks that have not started
 * are missing, blocks that have ended are not. A block without a cluster is one of its
 * own, with rank 0.
 *
 * Not modelled: hardware keeps no shared memory of a block that has ended either, so an
 * access to it is a fault here as well.
 */
#include "frontend/sass/exec/cluster.h"

#include <stdlib.h>

#include "frontend/sass/exec/converge.h"

struct sass_cluster {
    struct sass_cluster *next;
    uint64_t index;
    uint32_t n_come;                        /* blocks that have started */
    struct sass_block *blocks[MAX_CLUSTER]; /* by rank; NULL: not here */
};

void cluster_size(const struct sass_launch *l, uint32_t *size)
{
    for (unsigned k = 0; k < 3; k++)
        size[k] = l->cluster[k] ? l->cluster[k] : 1;
}

uint64_t cluster_block(const struct sass_grid *g, uint64_t k, uint32_t rank)
{
    const uint32_t *grid = g->launch.grid;
    uint32_t size[3];
    uint64_t at[3];

    cluster_size(&g->launch, size);
    at[0] = k % (grid[0] / size[0]) * size[0] + rank % size[0];
    k /= grid[0] / size[0];
    at[1] = k % (grid[1] / size[1]) * size[1] + rank / size[0] % size[1];
    at[2] = k / (grid[1] / size[1]) * size[2] + rank / size[0] / size[1];
    return (at[2] * grid[1] + at[1]) * grid[0] + at[0];
}

static uint64_t cluster_of(const struct sass_block *b, uint32_t *rank)
{
    const uint32_t *grid = b->grid->launch.grid;
    uint32_t size[3];

    cluster_size(&b->grid->launch, size);
    *rank = (b->id[2] % size[2] * size[1] + b->id[1] % size[1]) * size[0] +
            b->id[0] % size[0];
    return ((uint64_t)(b->id[2] / size[2]) * (grid[1] / size[1]) + b->id[1] / size[1]) *
               (grid[0] / size[0]) +
           b->id[0] / size[0];
}

int cluster_join(struct sass_block *b, struct err *err)
{
    struct sass_grid *g = b->grid;
    struct sass_cluster *c = g->clusters;
    uint64_t index;

    if (g->cluster_size < 2)
        return 0;
    index = cluster_of(b, &b->rank);
    while (c && c->index != index)
        c = c->next;
    if (!c) {
        c = calloc(1, sizeof *c);
        if (!c)
            return err_memory(err, "a cluster");
        c->index = index;
        c->next = g->clusters;
        g->clusters = c;
    }
    c->blocks[b->rank] = b;
    c->n_come++;
    b->cluster = c;
    return 0;
}

static void remove_cluster(struct sass_grid *g, const struct sass_cluster *c)
{
    struct sass_cluster **at = &g->clusters;

    while (*at && *at != c)
        at = &(*at)->next;
    if (*at) {
        struct sass_cluster *gone = *at;

        *at = gone->next;
        free(gone);
    }
}

void cluster_free_all(struct sass_grid *g)
{
    while (g->clusters)
        remove_cluster(g, g->clusters);
}

void cluster_leave(struct sass_block *b)
{
    struct sass_cluster *c = b->cluster;
    bool is_last;

    if (!c)
        return;
    c->blocks[b->rank] = NULL;
    is_last = c->n_come == b->grid->cluster_size;
    for (unsigned k = 0; k < MAX_CLUSTER; k++)
        is_last = is_last && !c->blocks[k];
    if (is_last)
        remove_cluster(b->grid, c);
}

uint8_t *cluster_shared(const struct sass_block *b, uint32_t addr, uint64_t bytes)
{
    uint32_t rank = addr >> RANK_SHIFT, offset = addr & ((1u << RANK_SHIFT) - 1);

    if (rank != b->rank)
        b = b->cluster && rank < MAX_CLUSTER ? b->cluster->blocks[rank] : NULL;
    if (!b || offset >= b->shared_size || b->shared_size - offset < bytes)
        return NULL;
    return b->shared + offset;
}

static bool has_arrived(const struct sass_block *b)
{
    return (b->cluster_warps | b->done_warps) == b->all_warps;
}

static bool is_complete(const struct sass_block *b)
{
    const struct sass_cluster *c = b->cluster;

    if (!has_arrived(b))
        return false;
    if (!c)
        return true;
    if (c->n_come < b->grid->cluster_size)
        return false;
    for (unsigned k = 0; k < MAX_CLUSTER; k++)
        if (c->blocks[k] && !has_arrived(c->blocks[k]))
            return false;
    return true;
}

/* Starts the next phase in one block and lets its waiting lanes go on. */
static void open_block(struct sass_block *b)
{
    b->cluster_warps = 0;
    b->n_opened++;
    for (unsigned k = 0; k < b->n_warps; k++) {
        struct sass_warp *w = &b->warps[k];
        uint32_t lanes = 0;

        w->cluster_lanes = 0;
        for (uint32_t m = w->waiting; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);

            if (w->lane_state[l] == LANE_BARRIER && w->lane_wait[l] == CLUSTER_BARRIER)
                lanes |= 1u << l;
        }
        if (lanes)
            converge_release(w, lanes);
    }
}

static void cluster_check(struct sass_warp *w)
{
    struct sass_block *b = w->block;

    if (w->cluster_lanes && !(~w->exited & ~w->cluster_lanes))
        b->cluster_warps |= 1u << w->index;
    if (!is_complete(b))
        return;
    if (!b->cluster)
        open_block(b);
    for (unsigned k = 0; b->cluster && k < MAX_CLUSTER; k++)
        if (b->cluster->blocks[k])
            open_block(b->cluster->blocks[k]);
}

void cluster_arrive(struct sass_warp *w, uint32_t mask)
{
    w->cluster_lanes |= mask;
    cluster_check(w);
}

bool cluster_wait(struct sass_warp *w, uint32_t mask, uint64_t next_pc)
{
    mask &= w->cluster_lanes;
    if (!mask)
        return false;
    converge_wait(w, mask, LANE_BARRIER, CLUSTER_BARRIER, next_pc, next_pc);
    return true;
}

void cluster_exit(struct sass_warp *w)
{
    cluster_check(w);
}
