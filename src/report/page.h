/* page.h - a comparison as one HTML file: bars of speed-ups, issue slots by cause, tables.
 * It has no scripts and loads nothing, so that it can be sent and kept. */
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

void page_put(const struct grid *g, const struct page_about *about, struct buf *out);

#endif
