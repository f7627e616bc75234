/* graph_memory.c - allocation and free nodes. An address belongs to its node from the
 * node's creation on; the memory is in use from the execution of the allocation to that
 * of a free node or a call that frees. A later allocation of the same graph takes the
 * address of an earlier one that it can only follow.
 *
 * The accounting is an H200's: graphs keep what they used, in units of 32 MiB, until it is
 * trimmed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "driver/graph.h"

#define MAPPED_UNIT (32ull << 20)

struct graph_memory {
    struct graph_memory *next;
    struct context *context;
    uint64_t addr, bytes;
    uint32_t refs; /* nodes */
    bool is_used;
};

static struct graph_memory *find_memory(const struct driver *d, CUdeviceptr at)
{
    struct graph_memory *m = d->graph_memory;

    while (m && m->addr != at)
        m = m->next;
    return m;
}

static CUresult make_memory(struct driver *d, struct context *c, uint64_t bytes,
                            struct graph_memory **out)
{
    struct graph_memory *m = calloc(1, sizeof *m);
    CUresult result;

    if (!m)
        return call_memory(d, "memory of a graph");
    result = memory_alloc(d, c, MEMORY_DEVICE, bytes, &m->addr);
    if (result) {
        free(m);
        return result;
    }
    m->context = c;
    m->bytes = bytes;
    m->next = d->graph_memory;
    d->graph_memory = m;
    *out = m;
    return CUDA_SUCCESS;
}

/* Gives back what no node refers to and nobody uses. */
static void drop_memory(struct driver *d, struct graph_memory *m)
{
    struct graph_memory **at = &d->graph_memory;

    if (m->refs || m->is_used)
        return;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    memory_release(d, m->addr);
    free(m);
}

void graph_free_memory(struct driver *d, const struct context *c)
{
    for (struct graph_memory *m = d->graph_memory, *next; m; m = next) {
        next = m->next;
        if (m->context != c)
            continue;
        m->refs = 0;
        m->is_used = false;
        drop_memory(d, m);
    }
}

/* Bytes of memory in use, as the accounting has them. */
static uint64_t used_bytes(const struct driver *d)
{
    uint64_t sum = 0;

    for (const struct graph_memory *m = d->graph_memory; m; m = m->next)
        if (m->is_used)
            sum += (m->bytes + MAPPED_UNIT - 1) / MAPPED_UNIT * MAPPED_UNIT;
    return sum;
}

static void use_memory(struct driver *d, struct graph_memory *m)
{
    uint64_t used;

    m->is_used = true;
    used = used_bytes(d);
    if (used > d->graph_mapped)
        d->graph_mapped = used;
    for (int i = 0; i < 2; i++)
        if (d->graph_mapped > d->graph_high[i])
            d->graph_high[i] = d->graph_mapped;
}

bool graph_release_memory(struct driver *d, CUdeviceptr at, CUresult *result)
{
    struct graph_memory *m = find_memory(d, at);

    if (!m)
        return false;
    *result = CUDA_SUCCESS;
    if (!m->is_used)
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                            "0x%llx is a graph's memory that is not in use", at);
    m->is_used = false;
    drop_memory(d, m);
    return true;
}

CUresult graph_prepare_memory(struct driver *d, const struct graph *g, bool is_freed)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct operation *op = &g->nodes[i]->op;

        if (op->type != CU_GRAPH_NODE_TYPE_MEM_ALLOC || !op->alloc.memory->is_used)
            continue;
        if (!is_freed)
            return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                             "memory at 0x%llx of an earlier launch was not freed",
                             (unsigned long long)op->alloc.memory->addr);
        op->alloc.memory->is_used = false;
    }
    return CUDA_SUCCESS;
}

/* Marks a node and all that it depends on. */
static void mark_before(const struct graph *g, const struct graph_node *n, bool *marks)
{
    bool is_changed = true;

    marks[n->index] = true;
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = g->n_edges; i-- > 0;) {
            const struct graph_edge *e = &g->edges[i];

            if (marks[e->to->index] && !marks[e->from->index])
                is_changed = marks[e->from->index] = true;
        }
    }
}

/* Whether all uses of the memory in the graph are over before the marked nodes are: as
 * many frees as allocations, all of them marked. */
static bool is_over(const struct graph *g, const struct graph_memory *m,
                    const bool *marks)
{
    uint32_t allocations = 0, frees = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct operation *op = &g->nodes[i]->op;

        if (op->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && op->alloc.memory == m)
            allocations++;
        if (op->type == CU_GRAPH_NODE_TYPE_MEM_FREE && op->address == m->addr)
            frees += marks[i];
    }
    return allocations && frees == allocations;
}

/* Memory of the graph that an allocation after the given nodes can take, or NULL. */
static struct graph_memory *find_over(struct driver *d, const struct graph *g,
                                      const struct node_set *from, uint64_t bytes)
{
    bool *marks = calloc(g->n_nodes + 1, sizeof *marks);
    struct graph_memory *found = NULL;

    for (uint32_t i = 0; marks && i < from->n; i++) {
        struct graph_node *n = handle_find(&d->handles, HANDLE_NODE, from->list[i]);

        if (n && n->graph == g)
            mark_before(g, n, marks);
    }
    for (uint32_t i = 0; marks && !found && i < g->n_nodes; i++) {
        const struct operation *op = &g->nodes[i]->op;

        if (op->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC &&
            op->alloc.memory->bytes >= bytes && is_over(g, op->alloc.memory, marks))
            found = op->alloc.memory;
    }
    free(marks);
    return found;
}

/* Device memory of this device, for this process. */
static CUresult check_pool(struct driver *d, const CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
    struct {
        int kind, handles, place, id;
    } pool;

    memcpy(&pool, p->poolProps, sizeof pool);
    if (p->bytesize && pool.kind == 1 && !pool.handles && pool.place == 1 && !pool.id)
        return CUDA_SUCCESS;
    return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                     "%zu bytes of kind %d at place %d, %d: expected pinned memory of "
                     "device 0",
                     p->bytesize, pool.kind, pool.place, pool.id);
}

CUresult graph_add_alloc(struct driver *d, struct graph *g, const struct node_set *from,
                         CUDA_MEM_ALLOC_NODE_PARAMS *params, struct graph_node **out)
{
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_MEM_ALLOC };
    CUresult result = check_pool(d, params);

    if (result)
        return result;
    if (from->list)
        op.alloc.memory = find_over(d, g, from, params->bytesize);
    if (!op.alloc.memory)
        result = make_memory(d, g->context, params->bytesize, &op.alloc.memory);
    if (result)
        return result;
    params->dptr = op.alloc.memory->addr;
    op.alloc.params = *params;
    op.alloc.params.accessDescs = NULL;
    op.alloc.params.accessDescCount = 0;
    result = graph_add_node(d, g, &op, from, out);
    if (result)
        drop_memory(d, op.alloc.memory);
    return result;
}

/* Memory of this graph that is not freed in it, or in use, or another graph's. */
CUresult graph_add_free(struct driver *d, struct graph *g, const struct node_set *from,
                        CUdeviceptr at, struct graph_node **out)
{
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_MEM_FREE, .address = at };
    const struct graph_memory *m = find_memory(d, at);
    uint32_t allocations = 0, frees = 0;

    for (uint32_t i = 0; m && i < g->n_nodes; i++) {
        const struct operation *o = &g->nodes[i]->op;

        allocations += o->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && o->alloc.memory == m;
        frees += o->type == CU_GRAPH_NODE_TYPE_MEM_FREE && o->address == at;
    }
    if (!m || frees >= (allocations ? allocations : 1))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "0x%llx is not memory of a graph, or freed already", at);
    return graph_add_node(d, g, &op, from, out);
}

static CUresult adopt_alloc(struct driver *d, struct operation *op)
{
    (void)d;
    op->alloc.memory->refs++;
    return CUDA_SUCCESS;
}

static void release_alloc(struct driver *d, struct operation *op)
{
    op->alloc.memory->refs--;
    drop_memory(d, op->alloc.memory);
}

static CUresult run_alloc(struct driver *d, struct context *c,
                          const struct operation *op)
{
    (void)c;
    use_memory(d, op->alloc.memory);
    return CUDA_SUCCESS;
}

static void describe_alloc(const struct driver *d, const struct operation *op,
                           struct buf *out)
{
    (void)d;
    buf_printf(out, "%zu bytes\n0x%llx", op->alloc.params.bytesize,
               op->alloc.params.dptr);
}

const struct operation_ops operation_alloc = {
    .name = "MEM_ALLOC",
    .shape = "rectangle",
    .adopt = adopt_alloc,
    .release = release_alloc,
    .execute = run_alloc,
    .describe = describe_alloc,
};

static CUresult run_release(struct driver *d, struct context *c,
                            const struct operation *op)
{
    CUresult result;

    (void)c;
    if (graph_release_memory(d, op->address, &result))
        return result;
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "0x%llx is not memory of a graph",
                     op->address);
}

static void describe_release(const struct driver *d, const struct operation *op,
                             struct buf *out)
{
    (void)d;
    buf_printf(out, "0x%llx", op->address);
}

const struct operation_ops operation_release = {
    .name = "MEM_FREE",
    .shape = "rectangle",
    .execute = run_release,
    .describe = describe_release,
};

CUresult cuDeviceGraphMemTrim(CUdevice dev)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDeviceGraphMemTrim");

    if (result || (result = call_check_device(d, dev)))
        return result;
    d->graph_mapped = used_bytes(d);
    return CUDA_SUCCESS;
}

/* Used and reserved memory, current and highest: what an H200 has mapped is both. */
CUresult cuDeviceGetGraphMemAttribute(CUdevice dev, CUgraphMem_attribute attribute,
                                      void *value)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDeviceGetGraphMemAttribute");

    if (result || (result = call_check_device(d, dev)) ||
        (result = call_check_place(d, value)))
        return result;
    if ((unsigned)attribute > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "attribute %d is not known",
                         (int)attribute);
    *(uint64_t *)value = attribute % 2 ? d->graph_high[attribute / 2] : d->graph_mapped;
    return CUDA_SUCCESS;
}

/* The highest values can be set back, to what is mapped now. */
CUresult cuDeviceSetGraphMemAttribute(CUdevice dev, CUgraphMem_attribute attribute,
                                      void *value)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuDeviceSetGraphMemAttribute");

    if (result || (result = call_check_device(d, dev)) ||
        (result = call_check_place(d, value)))
        return result;
    if ((attribute != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH &&
         attribute != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) ||
        *(const uint64_t *)value)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "attribute %d: only the highest values can be set, to 0",
                         (int)attribute);
    d->graph_high[attribute / 2] = d->graph_mapped;
    return CUDA_SUCCESS;
}
