/* causes.c - chooses the stall reasons of a chart; see causes.h. */
#include "report/causes.h"

#include "base/json.h"
#include "session/cause_words.h"

/* Shares of the slots with a warp, summed over runs, so that each run counts alike. */
static void sum_shares(const struct grid *g, double share[N_STALL])
{
    for (size_t i = 0; i < g->n_programs * g->n_columns; i++) {
        const struct facts *f = grid_at(g, i / g->n_columns, i % g->n_columns);
        double all = 0;

        for (unsigned c = 0; f && c < STALL_idle; c++)
            all += f->slot[c];
        for (unsigned c = 0; all > 0 && c < STALL_idle; c++)
            share[c] += f->slot[c] / all;
    }
}

static void add_part(struct cause_parts *parts, const char *label, const char *color,
                     uint32_t causes)
{
    parts->at[parts->n++] = (struct cause_part){ label, color, causes };
}

static void add_cause(struct cause_parts *parts, unsigned c)
{
    add_part(parts, cause_label((enum stall)c), cause_color((enum stall)c), 1u << c);
}

/* The cause with the largest share that is not taken yet; N_STALL: none is left. */
static unsigned largest_of(const double share[N_STALL], uint32_t taken)
{
    unsigned best = N_STALL;

    for (unsigned c = 0; c < N_STALL; c++)
        if (!(taken >> c & 1) && share[c] > 0 &&
            (best == N_STALL || share[c] > share[best]))
            best = c;
    return best;
}

void causes_choose(const struct grid *g, struct cause_parts *parts)
{
    double share[N_STALL] = { 0 };
    uint32_t taken = 1u << STALL_issued | 1u << STALL_idle, rest = 0;
    unsigned c;

    sum_shares(g, share);
    parts->n = 0;
    for (unsigned n = 0; n < CAUSES_SHOWN; n++) {
        c = largest_of(share, taken);
        taken |= c < N_STALL ? 1u << c : 0;
    }
    while ((c = largest_of(share, taken | rest)) < N_STALL)
        rest |= 1u << c;
    for (c = 0; c < STALL_idle; c++)
        if (taken >> c & 1)
            add_cause(parts, c);
    if (rest)
        add_part(parts, "other causes", "#b9a7a0", rest);
    add_cause(parts, STALL_idle);
}

double cause_slots(const struct cause_part *part, const struct facts *f)
{
    double sum = 0;

    for (unsigned c = 0; c < N_STALL; c++)
        sum += part->causes >> c & 1 ? f->slot[c] : 0;
    return sum;
}

bool cause_is_idle(const struct cause_part *part)
{
    return part->causes == 1u << STALL_idle;
}

void causes_json(const struct cause_parts *parts, struct buf *out)
{
    for (unsigned n = 0; n < parts->n; n++) {
        const char *comma = "";

        buf_puts(out, n ? ",\n  {\"label\": " : "[\n  {\"label\": ");
        json_string(out, parts->at[n].label);
        buf_printf(out, ", \"color\": \"%s\", \"causes\": [", parts->at[n].color);
        for (unsigned c = 0; c < N_STALL; c++)
            if (parts->at[n].causes >> c & 1) {
                buf_printf(out, "%s\"%s\"", comma, stall_name((enum stall)c));
                comma = ", ";
            }
        buf_puts(out, "]}");
    }
    buf_putc(out, ']');
}
