/* btree.cu - look-ups in a B+ tree, a block per query and a thread per key of a node.
 *
 * On each level every thread compares one key of the block's node; the one whose
 * interval holds the query says where to go on, through global memory, and all wait for
 * it. find_key brings the value of one record, find_range where a range of keys begins
 * and how long it is.
 */
enum { ORDER = 256 };

/* Child i of an inner node has the keys from keys[i] up to below keys[i + 1]. In a leaf
 * to[i] is the record of keys[i]. Unused keys are INT_MAX. */
struct node {
    int to[ORDER + 1];
    int keys[ORDER + 1];
    int n_keys;
};

/* levels: to go down until a leaf. now and next: node of each query. */
extern "C" __global__ void find_key(const struct node *nodes, const int *values,
                                    int levels, int *now, int *next, const int *keys,
                                    int *answers)
{
    int tx = threadIdx.x, query = blockIdx.x;

    for (int level = 0; level < levels; level++) {
        if (nodes[now[query]].keys[tx] <= keys[query] &&
            nodes[now[query]].keys[tx + 1] > keys[query])
            next[query] = nodes[now[query]].to[tx];
        __syncthreads();
        if (tx == 0)
            now[query] = next[query];
        __syncthreads();
    }
    if (nodes[now[query]].keys[tx] == keys[query])
        answers[query] = values[nodes[now[query]].to[tx]];
}

/* The same for both ends of a range. */
struct ends {
    int *now, *next, *now_last, *next_last;
};

extern "C" __global__ void find_range(const struct node *nodes, int levels,
                                      struct ends ends, const int *first,
                                      const int *last, int *start, int *length)
{
    int tx = threadIdx.x, query = blockIdx.x;

    for (int level = 0; level < levels; level++) {
        if (nodes[ends.now[query]].keys[tx] <= first[query] &&
            nodes[ends.now[query]].keys[tx + 1] > first[query])
            ends.next[query] = nodes[ends.now[query]].to[tx];
        if (nodes[ends.now_last[query]].keys[tx] <= last[query] &&
            nodes[ends.now_last[query]].keys[tx + 1] > last[query])
            ends.next_last[query] = nodes[ends.now_last[query]].to[tx];
        __syncthreads();
        if (tx == 0) {
            ends.now[query] = ends.next[query];
            ends.now_last[query] = ends.next_last[query];
        }
        __syncthreads();
    }
    if (nodes[ends.now[query]].keys[tx] == first[query])
        start[query] = nodes[ends.now[query]].to[tx];
    __syncthreads();
    if (nodes[ends.now_last[query]].keys[tx] == last[query])
        length[query] = nodes[ends.now_last[query]].to[tx] - start[query] + 1;
}
