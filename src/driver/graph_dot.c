/* graph_dot.c - a graph as a picture: a file in the language of Graphviz, in the form of
 * CUDA's own. Graphs inside of nodes are drawn beside.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "driver/graph.h"

/* Text inside of a quoted label. */
static void put_label(struct buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_putc(out, '\\');
        buf_putc(out, *text);
    }
}

static void put_node(const struct driver *d, const struct graph_node *n,
                     unsigned number, struct buf *out)
{
    const struct operation_ops *ops = operation_ops_of(n->op.type);
    struct buf text = { 0 };

    if (ops->describe)
        ops->describe(d, &n->op, &text);
    buf_printf(out, "\"graph_%u_node_%u\"[style=\"%s\" shape=\"%s\" label=\"%u\n%s\n",
               number, n->index,
               n->op.type == CU_GRAPH_NODE_TYPE_KERNEL ? "bold" : "solid", ops->shape,
               n->index, ops->name);
    put_label(out, buf_text(&text));
    buf_puts(out, "\n\"];\n\n");
    buf_free(&text);
}

/* Numbers graphs from *number on. */
static void put_graph(const struct driver *d, const struct graph *g, unsigned *number,
                      struct buf *out)
{
    unsigned own = ++*number;

    buf_printf(out,
               "subgraph cluster_%u {\nlabel=\"graph_%u\" graph[style=\"dashed\"];\n",
               own, own);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        put_node(d, g->nodes[i], own, out);
    for (uint32_t i = 0; i < g->n_edges; i++)
        buf_printf(out, "\"graph_%u_node_%u\" -> \"graph_%u_node_%u\";\n", own,
                   g->edges[i].from->index, own, g->edges[i].to->index);
    buf_puts(out, "}\n");
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t n;
        struct graph **parts = graph_parts(&g->nodes[i]->op, &n);

        for (uint32_t k = 0; k < n; k++)
            put_graph(d, parts[k], number, out);
    }
}

/* The flags choose among details; all are written. */
CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags)
{
    struct driver *d;
    CUresult result;
    struct graph *g = graph_begin(&d, "cuGraphDebugDotPrint", graph, &result);
    struct buf out = { 0 };
    unsigned number = 0;
    FILE *f;

    (void)flags;
    if (!g || (result = call_check_place(d, path)))
        return result;
    f = fopen(path, "w");
    if (!f)
        return call_fail(d, CUDA_ERROR_OPERATING_SYSTEM, "%s: %s", path,
                         strerror(errno));
    buf_puts(&out, "digraph dot {\n");
    put_graph(d, g, &number, &out);
    buf_puts(&out, "}\n");
    if (fwrite(buf_text(&out), 1, out.len, f) != out.len)
        result =
            call_fail(d, CUDA_ERROR_OPERATING_SYSTEM, "%s: cannot be written", path);
    if (fclose(f) && !result)
        result =
            call_fail(d, CUDA_ERROR_OPERATING_SYSTEM, "%s: %s", path, strerror(errno));
    buf_free(&out);
    return result;
}
