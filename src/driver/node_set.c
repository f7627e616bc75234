/* node_set.c - sets of nodes, by their handles. */
#include "driver/node_set.h"

#include <stdlib.h>
#include <string.h>

bool node_set_copy(struct node_set *to, const struct node_set *from)
{
    CUgraphNode *list = malloc((from->n + 1) * sizeof(CUgraphNode));

    if (!list)
        return false;
    if (from->n)
        memcpy(list, from->list, from->n * sizeof(CUgraphNode));
    free(to->list);
    *to = (struct node_set){ list, from->n, from->n + 1 };
    return true;
}

bool node_set_has(const struct node_set *s, CUgraphNode node)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->list[i] == node)
            return true;
    return false;
}

bool node_set_add(struct node_set *s, CUgraphNode node)
{
    if (node_set_has(s, node))
        return true;
    if (s->n == s->cap) {
        uint32_t cap = s->cap ? 2 * s->cap : 4;
        CUgraphNode *list = realloc(s->list, cap * sizeof(CUgraphNode));

        if (!list)
            return false;
        s->list = list;
        s->cap = cap;
    }
    s->list[s->n++] = node;
    return true;
}
