/* measure.c - rows of the tables on this machine, and the tables as text. */
#include <stdio.h>
#include <stdlib.h>

#include "tables.h"

enum {
    CHAIN = 64,   /* instructions */
    SKIPPED = 16, /* groups' instructions before a chain is steady */
    PER_WARP = 512,
};

static const char *const schemes[N_RTL] = { "inorder", "loog", "loog.rrs", "ghost" };

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
    rig_init(r, schemes[scheme], 4, 4);
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

/* A mark may starve in a collector unit until the other one has passed it: such a warp
 * is not the slowest. */
static double slowest(const struct rig *r, unsigned warps)
{
    int64_t most = 0;

    for (unsigned w = 0; w < warps; w++) {
        int64_t cycles = (int64_t)rig_cycles(r, w);

        most = cycles > most ? cycles : most;
    }
    return (double)(PER_WARP * warps) / (double)most;
}

double throughput_measure(const struct throughput *t, unsigned scheme, unsigned warps)
{
    struct rig *r = malloc(sizeof *r);
    struct code *body = calloc(1, sizeof *body);
    double rate = -1;

    if (!r || !body)
        abort();
    rig_init(r, schemes[scheme], warps, 4);
    r->is_function = true;
    while (body->n < PER_WARP)
        t->body(body);
    if (!run(r, body, warps))
        rate = slowest(r, warps);
    rig_free(r);
    free(body);
    free(r);
    return rate;
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

static void put_pair(struct buf *out, double rtl, double ours)
{
    if (rtl > 0)
        buf_printf(out, " %.3f | %.3f |", rtl, ours);
    else
        buf_printf(out, " hangs | %.3f |", ours);
}

void throughput_table(struct buf *out)
{
    buf_puts(out,
             "\n| body, 4 x 4 | base RTL | ours | LOOG RTL | ours | RRS RTL | ours "
             "| GhOST RTL | ours |\n"
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < n_throughputs; i++) {
        buf_printf(out, "| %s |", throughputs[i].name);
        for (unsigned s = 0; s < N_RTL; s++)
            put_pair(out, throughputs[i].rtl[s],
                     throughput_measure(&throughputs[i], s, 4));
        buf_puts(out, "\n");
    }
    buf_puts(out, "\n| body, 16 x 4 | base RTL | ours | LOOG RTL | ours |\n"
                  "| --- | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < n_throughputs; i++) {
        buf_printf(out, "| %s |", throughputs[i].name);
        for (unsigned s = 0; s < 2; s++)
            put_pair(out, throughputs[i].wide[s],
                     throughput_measure(&throughputs[i], s, 16));
        buf_puts(out, "\n");
    }
}
