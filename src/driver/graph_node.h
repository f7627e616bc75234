/* graph_node.h - parameters of nodes, in the form that all kinds share, as operations. */
#ifndef LENO_DRIVER_GRAPH_NODE_H
#define LENO_DRIVER_GRAPH_NODE_H

#include "driver/graph.h"

/* Replaces a node's operation by what the parameters describe. is_exec: in an executable
 * graph, where not everything can change. */
CUresult graph_node_change(struct driver *d, struct graph_node *n,
                           const CUgraphNodeParams *p, bool is_exec);

/* The node of an executable graph that stands for a node of the graph that it was made
 * from, NULL with the result set if there is none. */
struct graph_node *graph_exec_node(struct driver *d, const struct graph_exec *x,
                                   CUgraphNode node, CUresult *result);

#endif
