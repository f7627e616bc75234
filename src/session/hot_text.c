/* hot_text.c - where time went, as tables of text; see hot_put.h. */
#include <stdlib.h>
#include <string.h>

#include "session/demangle.h"
#include "session/hot_put.h"

enum { MAX_NAME = 80 };

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path;
}

static double share(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

static void put_ratio(uint64_t over, uint64_t under, int digits, struct buf *out)
{
    if (under)
        buf_printf(out, " %7.*f", digits, (double)over / (double)under);
    else
        buf_printf(out, " %7s", "-");
}

static void put_reason(const struct hot_row *r, struct buf *out)
{
    enum stall c = hot_largest(r);

    if (c == STALL_issued)
        buf_printf(out, "  %-16s", "-");
    else
        buf_printf(out, "  %-11s %3.0f%%", stall_name(c),
                   share(r->slot[c], hot_slots(r)));
}

/* A function with its place, the loop, the line or the instruction. */
static void put_name(const struct hot_kernel *k, const struct hot_item *i,
                     enum hot_level level, struct buf *out)
{
    const struct hot_place *p = i->place;

    buf_puts(out, "  ");
    if (level == HOT_BY_FUNCTION) {
        demangle_put(out, p->function ? p->function : k->name, MAX_NAME);
        return;
    }
    if (level == HOT_BY_LINE) {
        buf_printf(out, "%s:%u", base_name(p->file), p->line);
        return;
    }
    if (level == HOT_BY_LOOP) {
        buf_printf(out, "0x%04llx..0x%04llx", (unsigned long long)i->pc,
                   (unsigned long long)k->loops.loop[i->loop].last);
        for (uint32_t l = k->loops.loop[i->loop].parent; l != NO_LOOP;
             l = k->loops.loop[l].parent)
            buf_puts(out, " inner");
    } else {
        buf_printf(out, "0x%04llx %s", (unsigned long long)i->pc, p->text);
    }
    if (p->file)
        buf_printf(out, "  (%s:%u)", base_name(p->file), p->line);
}

static void put_one_row(const struct hot_row *r, uint64_t all, struct buf *out)
{
    const uint64_t *c = r->count;

    buf_printf(out, "  %5.1f %11llu", share(hot_slots(r), all),
               (unsigned long long)c[HOT_executed]);
    put_ratio(c[HOT_lanes], c[HOT_executed], 1, out);
    buf_printf(out, " %12llu", (unsigned long long)hot_lost(r));
    put_reason(r, out);
    put_ratio(c[HOT_latency], c[HOT_results], 1, out);
    put_ratio(c[HOT_sectors], c[HOT_executed], 2, out);
    put_ratio(100 * (c[HOT_l1_read_hits] + c[HOT_l1_write_hits]),
              c[HOT_l1_reads] + c[HOT_l1_writes], 1, out);
    put_ratio(100 * (c[HOT_l2_read_hits] + c[HOT_l2_write_hits]),
              c[HOT_l2_reads] + c[HOT_l2_writes], 1, out);
    put_ratio(c[HOT_shared_conflicts], c[HOT_executed], 2, out);
}

static void put_two_rows(const struct hot_row *r, uint64_t all, struct buf *out)
{
    uint64_t a = hot_slots(&r[0]), b = hot_slots(&r[1]);

    buf_printf(out, "  %5.1f %12llu %12llu %+13lld", share(a, all),
               (unsigned long long)a, (unsigned long long)b, (long long)(b - a));
    put_reason(&r[0], out);
    put_reason(&r[1], out);
}

static void put_heads(const struct hot_runs *r, const char *title, uint32_t shown,
                      uint32_t n, struct buf *out)
{
    buf_printf(out, "\n%s", title);
    if (shown < n)
        buf_printf(out, " (%u of %u)", shown, n);
    buf_putc(out, '\n');
    if (r->n > 1)
        buf_printf(out, "  %5s %12s %12s %13s  %-16s  %-16s  %s\n", "slots",
                   r->scheme[0], r->scheme[1], "difference", r->scheme[0], r->scheme[1],
                   "");
    if (r->n > 1)
        buf_printf(out, "  %5s %12s %12s %13s  %-16s  %-16s  %s\n", "%", "slots",
                   "slots", "", "lost most to", "lost most to", "where");
    else
        buf_printf(out, "  %5s %11s %7s %12s  %-16s %7s %7s %7s %7s %7s  %s\n", "slots",
                   "executed", "lanes", "slots", "lost most to", "latency", "sectors",
                   "L1", "L2", "bank", "where");
    if (r->n == 1)
        buf_printf(out, "  %5s %11s %7s %12s  %-16s %7s %7s %7s %7s %7s  %s\n", "%", "",
                   "", "lost", "", "cycles", "/exec", "hit %", "hit %", "confl.", "");
}

/* Most slots first, in both runs together; then by place. */
static int compare_slots(const void *a, const void *b)
{
    const struct hot_item *x = a, *y = b;
    uint64_t p = hot_slots(&x->row[0]) + hot_slots(&x->row[1]);
    uint64_t q = hot_slots(&y->row[0]) + hot_slots(&y->row[1]);

    if (p != q)
        return p > q ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void put_level(const struct hot_runs *r, const struct hot_pair *pair,
                      enum hot_level level, uint32_t top, struct buf *out)
{
    static const char *const titles[] = { [HOT_BY_INST] = "instructions",
                                          [HOT_BY_LINE] = "source lines",
                                          [HOT_BY_LOOP] = "loops",
                                          [HOT_BY_FUNCTION] = "functions" };
    struct hot_row sum = hot_pair_sum(pair, 0), none = hot_pair_none(pair, 0);
    uint64_t all = hot_slots(&sum) - hot_slots(&none);
    struct hot_items items;
    uint32_t shown;

    hot_items_make(&items, pair, level);
    shown = items.n < top ? items.n : top;
    if (items.n) {
        qsort(items.at, items.n, sizeof *items.at, compare_slots);
        put_heads(r, titles[level], shown, items.n, out);
    }
    for (uint32_t i = 0; i < shown; i++) {
        if (r->n > 1)
            put_two_rows(items.at[i].row, all, out);
        else
            put_one_row(&items.at[i].row[0], all, out);
        put_name(hot_pair_any(pair), &items.at[i], level, out);
        buf_putc(out, '\n');
    }
    hot_items_free(&items);
}

static void put_kernel_head(const struct hot_runs *r, const struct hot_pair *pair,
                            struct buf *out)
{
    const struct hot_kernel *k = hot_pair_any(pair);

    buf_puts(out, "kernel ");
    demangle_put(out, k->name, MAX_NAME);
    buf_printf(out, ", %llu launch%s\n", (unsigned long long)k->n_launches,
               k->n_launches == 1 ? "" : "es");
    for (unsigned s = 0; s < r->n; s++) {
        struct hot_row sum = hot_pair_sum(pair, s), none = hot_pair_none(pair, s);

        buf_printf(out,
                   "  %s: %llu issue slots, %.1f %% issued, %.1f %% lost, %.1f %% "
                   "without an instruction\n",
                   r->scheme[s], (unsigned long long)hot_slots(&sum),
                   share(sum.slot[STALL_issued], hot_slots(&sum)),
                   share(hot_lost(&sum) - hot_lost(&none), hot_slots(&sum)),
                   share(hot_slots(&none), hot_slots(&sum)));
    }
    if (k->no_loops)
        buf_printf(out, "  loops are not known: %s\n", k->no_loops);
}

static bool has_lines(const struct hot_kernel *k)
{
    for (uint32_t n = 1; n < k->index.n; n++)
        if (k->place[n].file)
            return true;
    return false;
}

void hot_put_text(const struct hot_runs *r, uint32_t top, struct buf *out)
{
    struct hot_pair pair;

    buf_printf(out, "%s on %s: where issue slots went, per ", r->program, r->gpu);
    buf_puts(out, "function, loop, source line and instruction\n");
    for (uint32_t n = 0; hot_pair_at(r, n, &pair); n++) {
        buf_putc(out, '\n');
        put_kernel_head(r, &pair, out);
        if (!has_lines(hot_pair_any(&pair)))
            buf_printf(out, "  source lines are not known: %s\n",
                       r->profile[0].no_lines
                           ? r->profile[0].no_lines
                           : "the program has no line table (nvcc -lineinfo)");
        for (unsigned level = N_HOT_LEVEL; level--;)
            put_level(r, &pair, (enum hot_level)level, top, out);
    }
}
