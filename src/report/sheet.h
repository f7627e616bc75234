/* sheet.h - rows and columns of text, laid out for a terminal or as CSV. */
#ifndef LENO_REPORT_SHEET_H
#define LENO_REPORT_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { SHEET_MAX_COLUMNS = 80 };

struct sheet {
    struct buf text; /* cells one after another, each with its NUL */
    const char *head[SHEET_MAX_COLUMNS];
    const char *mark[SHEET_MAX_COLUMNS]; /* below the head; NULL: none */
    bool is_left[SHEET_MAX_COLUMNS];     /* else aligned to the right */
    size_t n_columns, n_cells;
    size_t rule; /* a line is drawn before this row; 0: none */
};

/* A head must stay where it is; it is printed in several lines, broken at ':'. All columns
 * come before the first cell. */
void sheet_column(struct sheet *t, const char *head, bool is_left);
/* One more line for the head of the column just added. */
void sheet_mark(struct sheet *t, const char *mark);
/* Cells come row by row. */
void sheet_cell(struct sheet *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Draws a line before the next row. */
void sheet_rule(struct sheet *t);

void sheet_text(const struct sheet *t, struct buf *out);
void sheet_markdown(const struct sheet *t, struct buf *out); /* without the rule */
void sheet_html(const struct sheet *t, struct buf *out);
void sheet_csv(const struct sheet *t, struct buf *out); /* heads as they were given */
void sheet_free(struct sheet *t);

#endif
