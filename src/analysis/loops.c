/* loops.c - natural loops: an edge back to a block that dominates the edge's source,
 * and all blocks that reach that edge without passing the header.
 */
#include <stdlib.h>

#include "analysis/flow.h"

static bool is_back_edge(const struct flow *f, uint32_t from, uint32_t to)
{
    return to != NO_TARGET && f->block[from].is_reached && flow_dominates(f, to, from);
}

static bool is_header(const struct flow *f, uint32_t block)
{
    for (uint32_t b = 0; b < f->n_blocks; b++)
        if ((f->block[b].next[0] == block || f->block[b].next[1] == block) &&
            is_back_edge(f, b, block))
            return true;
    return false;
}

/* Grows a set backwards from the ends of the back edges until nothing is added. */
static uint32_t grow_body(const struct flow *f, uint32_t header, bool *in)
{
    uint32_t n = 1;
    bool again = true;

    for (uint32_t b = 0; b < f->n_blocks; b++)
        in[b] = b == header;
    while (again) {
        again = false;
        for (uint32_t b = f->n_blocks; b-- > 0;) {
            bool leads = false;

            for (unsigned e = 0; e < 2; e++) {
                uint32_t to = f->block[b].next[e];

                leads |=
                    to != NO_TARGET && (to == header ? is_back_edge(f, b, to) : in[to]);
            }
            if (!leads || in[b] || !f->block[b].is_reached)
                continue;
            in[b] = again = true;
            n++;
        }
    }
    return n;
}

static bool has_inner(const struct flow *f, uint32_t header, const bool *in)
{
    for (uint32_t b = 0; b < f->n_blocks; b++)
        if (in[b] && b != header && is_header(f, b))
            return true;
    return false;
}

static int add_loop(const struct flow *f, struct flow_loops *l, uint32_t header,
                    bool *in, bool is_innermost)
{
    uint32_t n = grow_body(f, header, in);
    struct flow_loop *loop = &l->loop[l->n];

    if (is_innermost && has_inner(f, header, in))
        return 0;
    loop->block = calloc(n, sizeof *loop->block);
    if (!loop->block)
        return -1;
    l->n++;
    loop->header = header;
    for (uint32_t b = 0; b < f->n_blocks; b++)
        if (in[b])
            loop->block[loop->n_blocks++] = b;
    return 0;
}

static int find_loops(const struct flow *f, struct flow_loops *l, bool is_innermost,
                      struct err *err)
{
    bool *in = calloc(f->n_blocks, sizeof *in);
    int failed = 0;

    *l = (struct flow_loops){ .loop = calloc(f->n_blocks, sizeof *l->loop) };
    if (!in || !l->loop)
        failed = -1;
    for (uint32_t b = 0; !failed && b < f->n_blocks; b++)
        if (is_header(f, b))
            failed = add_loop(f, l, b, in, is_innermost);
    free(in);
    if (!failed)
        return 0;
    flow_loops_free(l);
    return err_memory(err, "the loops of a kernel");
}

int flow_find_loops(const struct flow *f, struct flow_loops *l, struct err *err)
{
    return find_loops(f, l, true, err);
}

int flow_find_all_loops(const struct flow *f, struct flow_loops *l, struct err *err)
{
    return find_loops(f, l, false, err);
}

void flow_loops_free(struct flow_loops *l)
{
    for (uint32_t k = 0; k < l->n; k++)
        free(l->loop[k].block);
    free(l->loop);
    *l = (struct flow_loops){ 0 };
}

bool flow_in_loop(const struct flow_loop *l, uint32_t block)
{
    for (uint32_t k = 0; k < l->n_blocks; k++)
        if (l->block[k] == block)
            return true;
    return false;
}
