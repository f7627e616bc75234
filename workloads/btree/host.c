/* host.c - btree: queries for keys and for ranges of keys in a B+ tree.
 *
 * The tree is built level by level from sorted keys, its nodes filled to between a half
 * and all, as insertions would leave them. Some queries ask for keys that are not there.
 * The check searches the sorted keys. */
#include <limits.h>
#include <string.h>

#include "../workload.h"

enum { ORDER = 256, ABSENT = -1 };

struct node {
    int to[ORDER + 1];
    int keys[ORDER + 1];
    int n_keys;
};

struct shape {
    unsigned n_keys, n_finds, n_ranges, range;
};

struct tree {
    int *keys, *values; /* of the records, in order */
    struct node *nodes;
    unsigned n_nodes, max_nodes;
    int root, levels; /* levels: to go down from the root until a leaf */
};

/* As the kernel knows them. */
struct ends {
    CUdeviceptr now, next, now_last, next_last;
};

/* Adds nodes over n children, each known by its smallest key, and leaves the nodes'
 * own smallest keys and numbers in their place. Returns how many. */
static unsigned add_level(struct tree *t, struct rng *rng, int *smallest, int *child,
                          unsigned n, bool is_leaf)
{
    unsigned n_new = 0;

    for (unsigned i = 0; i < n; n_new++) {
        unsigned room = ORDER / 2 + rng_below(rng, ORDER / 2), rest = n - i;
        struct node *node = &t->nodes[t->n_nodes];

        node->n_keys = (int)(rest < room ? rest : room);
        for (int k = 0; k <= ORDER; k++) {
            bool used = k < node->n_keys;

            node->keys[k] = used ? smallest[i + (unsigned)k] : INT_MAX;
            node->to[k] = used ? child[i + (unsigned)k] : 0;
        }
        smallest[n_new] = node->keys[0];
        if (!is_leaf && n_new == 0)
            node->keys[0] = INT_MIN;
        i += (unsigned)node->n_keys;
        child[n_new] = (int)t->n_nodes++;
    }
    return n_new;
}

static void tree_make(struct rig *r, struct tree *t, struct rng *rng, unsigned n)
{
    int *smallest = rig_host(r, n, sizeof *smallest),
        *child = rig_host(r, n, sizeof *child);
    unsigned n_level = n;

    t->keys = rig_host(r, n, sizeof *t->keys);
    t->values = rig_host(r, n, sizeof *t->values);
    t->max_nodes = div_up(n, ORDER / 2 - 1) + 8; /* with all levels half full */
    t->nodes = rig_host(r, t->max_nodes, sizeof *t->nodes);
    if (r->failed)
        return;
    for (unsigned i = 0; i < n; i++) {
        smallest[i] = t->keys[i] = (int)(i * 3 + rng_below(rng, 3));
        t->values[i] = (int)(rng_next(rng) >> 33);
        child[i] = (int)i;
    }
    n_level = add_level(t, rng, smallest, child, n_level, true);
    for (t->levels = 0; n_level > 1; t->levels++)
        n_level = add_level(t, rng, smallest, child, n_level, false);
    t->root = (int)t->n_nodes - 1;
}

/* The record of a key, or ABSENT. */
static int record_of(const struct tree *t, unsigned n, int key)
{
    unsigned low = 0, high = n;

    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;

        if (t->keys[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return t->keys[low] == key ? (int)low : ABSENT;
}

/* A query's key: that of a record, or in one case of eight one that may not exist. */
static int pick_key(const struct tree *t, struct rng *rng, unsigned record)
{
    return t->keys[record] + (rng_below(rng, 8) == 0 ? 1 : 0);
}

/* Device memory with n times the same number. */
static CUdeviceptr filled(struct rig *r, int value, unsigned n)
{
    CUdeviceptr at = rig_alloc(r, n * sizeof value);

    rig_fill(r, at, (uint32_t)value, n);
    return at;
}

static void find_keys(struct rig *r, struct tree *t, struct rng *rng,
                      const struct shape *s, CUdeviceptr nodes)
{
    unsigned n = s->n_finds;
    int *keys = rig_host(r, n, sizeof *keys), *want = rig_host(r, n, sizeof *want);
    struct launch l = { "find_key", { n }, { ORDER }, 0 };

    if (r->failed)
        return;
    for (unsigned i = 0; i < n; i++) {
        int record;

        keys[i] = pick_key(t, rng, rng_below(rng, s->n_keys));
        record = record_of(t, s->n_keys, keys[i]);
        want[i] = record == ABSENT ? ABSENT : t->values[record];
    }
    CUdeviceptr values = rig_upload(r, t->values, s->n_keys * sizeof *t->values);
    CUdeviceptr d_keys = rig_upload(r, keys, n * sizeof *keys);
    CUdeviceptr now = filled(r, t->root, n), next = filled(r, t->root, n);
    CUdeviceptr answers = filled(r, ABSENT, n);

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(nodes), RIG_ARG(values), RIG_ARG(t->levels),
                        RIG_ARG(now), RIG_ARG(next), RIG_ARG(d_keys),
                        RIG_ARG(answers)));
    rig_result(r, "answers", answers, want, n);
}

static void find_ranges(struct rig *r, struct tree *t, struct rng *rng,
                        const struct shape *s, CUdeviceptr nodes)
{
    unsigned n = s->n_ranges;
    int *first = rig_host(r, n, sizeof *first), *last = rig_host(r, n, sizeof *last);
    int *start = rig_host(r, n, sizeof *start),
        *length = rig_host(r, n, sizeof *length);
    struct launch l = { "find_range", { n }, { ORDER }, 0 };

    if (r->failed)
        return;
    for (unsigned i = 0; i < n; i++) {
        unsigned record = rng_below(rng, s->n_keys - s->range);
        int end;

        first[i] = pick_key(t, rng, record);
        last[i] = pick_key(t, rng, record + s->range - 1);
        start[i] = record_of(t, s->n_keys, first[i]);
        end = record_of(t, s->n_keys, last[i]);
        length[i] = end == ABSENT ? ABSENT : end - start[i] + 1;
    }
    CUdeviceptr d_first = rig_upload(r, first, n * sizeof *first);
    CUdeviceptr d_last = rig_upload(r, last, n * sizeof *last);
    CUdeviceptr d_start = filled(r, ABSENT, n), d_length = filled(r, ABSENT, n);
    struct ends ends = { filled(r, t->root, n), filled(r, t->root, n),
                         filled(r, t->root, n), filled(r, t->root, n) };

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(nodes), RIG_ARG(t->levels), RIG_ARG(ends),
                        RIG_ARG(d_first), RIG_ARG(d_last), RIG_ARG(d_start),
                        RIG_ARG(d_length)));
    rig_result(r, "start", d_start, start, n);
    rig_result(r, "length", d_length, length, n);
}

static int btree_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 40000, 24, 12, 300 },
        { 1000000, 1000, 600, 3000 },
        { 1000000, 10000, 6000, 3000 },
    };
    const struct shape *s = &shapes[env->size];
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 106);
    struct tree t = { 0 };

    tree_make(&r, &t, &rng, s->n_keys);
    if (r.failed)
        return rig_end(&r);
    CUdeviceptr nodes = rig_upload(&r, t.nodes, t.n_nodes * sizeof *t.nodes);

    find_keys(&r, &t, &rng, s, nodes);
    find_ranges(&r, &t, &rng, s, nodes);
    return rig_end(&r);
}

const struct workload workload_btree = {
    .name = "btree",
    .summary = "queries for keys and ranges in a B+ tree, a block each",
    .suite = "Rodinia",
    .theirs = "b+tree",
    .papers = "ghost socgpu",
    .sizes = { "40000 keys, 36 queries", "1000000 keys, 1600 queries",
               "1000000 keys, 16000 queries" },
    .run = btree_run,
};
