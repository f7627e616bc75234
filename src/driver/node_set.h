/* node_set.h - sets of nodes, by their handles. */
#ifndef LENO_DRIVER_NODE_SET_H
#define LENO_DRIVER_NODE_SET_H

#include <stdbool.h>

#include "driver/internal.h"

/* False when memory runs out. */
bool node_set_copy(struct node_set *to, const struct node_set *from);
bool node_set_add(struct node_set *s, CUgraphNode node);
bool node_set_has(const struct node_set *s, CUgraphNode node);

#endif
