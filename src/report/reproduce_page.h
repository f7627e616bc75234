/* reproduce_page.h - the figures of papers as one HTML file, part by part. */
#ifndef LENO_REPORT_REPRODUCE_PAGE_H
#define LENO_REPORT_REPRODUCE_PAGE_H

#include "report/figure.h"

void reproduce_page_begin(struct buf *out);
void reproduce_page_paper(const char *title, struct buf *out);
void reproduce_page_note(const char *text, struct buf *out);
void reproduce_page_figure(const struct figure *f, const char *title,
                           const struct points *l, struct buf *out);
void reproduce_page_end(struct buf *out);

#endif
