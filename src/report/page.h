/* page.h - a comparison as one HTML file: bars of speed-ups and energy, issue slots by cause,
 * tables that can be sorted, and where the runs have them, time series and counters per
 * instruction. It loads nothing, so that it can be sent and kept; without its script, which
 * sorts and draws the last two, the rest is still there. */
#ifndef LENO_REPORT_PAGE_H
#define LENO_REPORT_PAGE_H

#include "report/metric.h"

struct page_about {
    const char *revision, *size; /* of Leno, of the inputs */
    uint64_t seed;
    const char *command; /* command line that repeats it */
};

/* The parts of any such page: its beginning, its end, a name in the key of a chart. */
void page_begin(const char *title, struct buf *out);
void page_end(struct buf *out);
void page_put_swatch(const char *color, bool is_faint, const char *name,
                     struct buf *out);

/* A scheme and its settings, one line each. */
void page_put_spec(const char *spec, struct buf *out);
/* page_runs.c: a table with a row per run; the script and its data. */
void page_put_runs(const struct grid *g, struct buf *out);
void page_put_data(const struct grid *g, struct buf *out);

void page_put(const struct grid *g, const struct page_about *about, struct buf *out);

#endif
