/* graph.h - graphs: operations as nodes, in a table in the order of their creation, and
 * edges between them. An executable graph holds a clone of the graph that it was made
 * from; its nodes are found by the handles of those that they were cloned from.
 */
#ifndef LENO_DRIVER_GRAPH_H
#define LENO_DRIVER_GRAPH_H

#include "driver/internal.h"
#include "driver/operation.h"

struct graph_node {
    CUgraphNode handle;
    struct graph *graph;
    struct operation op;
    CUgraphNode origin; /* the node that it was cloned from; NULL: none */
    uint32_t index;     /* in the graph's table */
    uint32_t n_in;      /* edges that lead to it */
    bool is_disabled;   /* in an executable graph */
};

struct graph_edge {
    struct graph_node *from, *to;
    CUgraphEdgeData data;
};

/* A condition of conditional nodes: a word of device memory that kernels set. Clones of
 * a graph share it. */
struct graph_condition {
    uint64_t addr; /* its handle */
    uint32_t value;
    bool is_assigned; /* value, when a graph is launched */
    uint32_t refs;
};

/* An object of the program that lives as long as a graph that retains it. */
struct user_object {
    CUuserObject handle;
    struct context *context;
    CUhostFn destroy;
    void *data;
    uint64_t refs;
};

struct graph_hold {
    struct user_object *object;
    uint64_t count;
};

struct graph {
    CUgraph handle;
    struct context *context;
    CUgraph origin; /* the graph that it was cloned from; NULL: none */
    bool
        is_part; /* of a node, or of an executable graph: not the program's to destroy */
    struct graph_node **nodes;
    uint32_t n_nodes, cap_nodes;
    struct graph_edge *edges;
    uint32_t n_edges, cap_edges;
    uint32_t *order; /* of execution: places in the table; NULL: not known */
    struct graph_condition **conditions;
    uint32_t n_conditions;
    struct graph_hold *holds;
    uint32_t n_holds;
    CUgraphExec exec; /* the one that may exist of a graph with memory nodes */
};

struct graph_exec {
    CUgraphExec handle;
    struct context *context;
    uint64_t flags;
    struct graph *graph;
    uint32_t n_running; /* launches that have not returned */
    bool is_destroyed;  /* as soon as they have */
};

/* Graphs. The result of a function that can fail is CUDA_SUCCESS or an error that was
 * reported. */
CUresult graph_new(struct driver *d, struct context *c, struct graph **out);
void graph_free(struct driver *d, struct graph *g);
CUresult graph_clone(struct driver *d, const struct graph *g, struct graph **out);
void graph_free_context(struct driver *d, struct context *c);

/* The graphs inside of an operation: of a child node, or the bodies of a conditional. */
struct graph **graph_parts(const struct operation *op, uint32_t *n);
/* Whether it or a graph inside of it has a node of that kind. */
bool graph_has_kind(const struct graph *g, CUgraphNodeType type);

/* Adds a node with a clone of the operation. */
CUresult graph_add_node(struct driver *d, struct graph *g, const struct operation *op,
                        const struct node_set *from, struct graph_node **out);
CUresult graph_add_edge(struct driver *d, struct graph *g, struct graph_node *from,
                        struct graph_node *to, const CUgraphEdgeData *data);
struct graph_edge *graph_find_edge(const struct graph *g, const struct graph_node *from,
                                   const struct graph_node *to);
void graph_remove_edge(struct graph *g, struct graph_edge *e);
void graph_remove_node(struct driver *d, struct graph_node *n);

/* The node of a handle; it must be of this graph unless that is NULL. */
struct graph_node *graph_node_of(struct driver *d, const struct graph *g,
                                 CUgraphNode handle, CUresult *result);
/* The node, also of a graph inside, that was cloned from another. */
struct graph_node *graph_find_clone(const struct graph *g, CUgraphNode origin);

/* Orders the nodes for execution, also of graphs inside. *bad is set to a node of a
 * cycle. */
CUresult graph_order(struct driver *d, struct graph *g, struct graph_node **bad);
/* Executes the nodes in order. */
CUresult graph_run(struct driver *d, struct context *c, const struct graph *g);

/* The common beginning of calls on graphs, nodes and executable graphs: NULL with the
 * result set if there is none of that handle, which CUDA calls an invalid value. */
struct graph *graph_begin(struct driver **d, const char *call, CUgraph graph,
                          CUresult *result);
struct graph_node *graph_begin_node(struct driver **d, const char *call,
                                    CUgraphNode node, CUresult *result);
struct graph_exec *graph_begin_exec(struct driver **d, const char *call,
                                    CUgraphExec exec, CUresult *result);

/* Allocation nodes (graph_memory.c). */
CUresult graph_add_alloc(struct driver *d, struct graph *g, const struct node_set *from,
                         CUDA_MEM_ALLOC_NODE_PARAMS *params, struct graph_node **out);
CUresult graph_add_free(struct driver *d, struct graph *g, const struct node_set *from,
                        CUdeviceptr at, struct graph_node **out);
/* Before a launch: memory of an earlier one must be free, or is freed now. */
CUresult graph_prepare_memory(struct driver *d, const struct graph *g, bool is_freed);
/* Frees memory of a graph that is in use; false if the address is not such memory. */
bool graph_release_memory(struct driver *d, CUdeviceptr at, CUresult *result);
void graph_free_memory(struct driver *d, const struct context *c);

/* Conditions (graph_condition.c). */
CUresult graph_share_conditions(struct driver *d, struct graph *to,
                                const struct graph *from);
void graph_drop_conditions(struct driver *d, struct graph *g);
void graph_assign_conditions(struct driver *d, const struct graph *g);

/* Objects (graph_object.c). */
CUresult graph_share_objects(struct driver *d, struct graph *to,
                             const struct graph *from);
void graph_drop_objects(struct driver *d, struct graph *g);

void graph_exec_free(struct driver *d, struct graph_exec *x);

#endif
