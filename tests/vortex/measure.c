/* measure.c - chains on this machine, and their table as text. */
#include <stdio.h>
#include <stdlib.h>

#include "tables.h"

enum {
    CHAIN = 64,   /* instructions */
    SKIPPED = 16, /* groups' instructions before a chain is steady */
};

const char *const rtl_schemes[N_RTL] = { "inorder", "loog", "loog.rrs", "ghost" };

static int run(struct rig *r, const struct code *body, unsigned warps)
{
    if (!rig_run(r, body, warps))
        return 0;
    fprintf(stderr, "%s\n%s", r->err.text, vortex_report(r->vortex));
    return -1;
}

/* GhOST lets the last mark pass what waits in its buffer: there it is always from group to
 * group. */
static double chain_cycles(const struct rig *r, const struct chain *c, unsigned scheme)
{
    unsigned groups = CHAIN / c->group, skipped = SKIPPED / c->group;
    uint64_t first = r->body[skipped * c->group];
    uint64_t last = r->body[(groups - 1) * c->group];

    if (c->by_marks && scheme != RTL_GHOST)
        return (double)rig_cycles(r, 0) / groups;
    return (double)(last - first) / (groups - 1 - skipped);
}

double chain_measure(const struct chain *c, unsigned scheme)
{
    struct rig *r = malloc(sizeof *r);
    struct code *body = calloc(1, sizeof *body);
    double cycles = -1;

    if (!r || !body)
        abort();
    rig_init(r, rtl_schemes[scheme], 4, 4);
    r->passes = 2;
    while (body->n < CHAIN)
        c->body(body);
    if (!run(r, body, 1))
        cycles = chain_cycles(r, c, scheme);
    rig_free(r);
    free(body);
    free(r);
    return cycles;
}

void chain_table(struct buf *out)
{
    buf_puts(out,
             "| chain | base RTL | ours | LOOG RTL | ours | RRS RTL | ours | GhOST "
             "RTL | ours |\n"
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < n_chains; i++) {
        buf_printf(out, "| %s |", chains[i].name);
        for (unsigned s = 0; s < N_RTL; s++)
            buf_printf(out, " %.4g | %.1f |", chains[i].rtl[s],
                       chain_measure(&chains[i], s));
        buf_puts(out, "\n");
    }
}
