/* page_template.h - HTML pages that draw data given as JSON: one file each, in pages/, with
 * a line @DATA@ in place of the data, and @CAUSES@ where they take names and colours of
 * stall causes (session/cause_words.h). They load nothing.
 */
#ifndef LENO_SESSION_PAGE_TEMPLATE_H
#define LENO_SESSION_PAGE_TEMPLATE_H

#include "base/buf.h"

enum page_name { PAGE_HOT, PAGE_VIEW, PAGE_REPORT }; /* the last is an end of a page */

/* The page with this JSON in it. */
void page_fill(enum page_name page, const struct buf *json, struct buf *out);
/* The page without data, to stand in a script element: "<\\/" for each "</". */
void page_put_template(enum page_name page, struct buf *out);

#endif
