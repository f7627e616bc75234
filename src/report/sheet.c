/* sheet.c - text in columns. Widths count bytes: what is printed is plain ASCII. */
#include "report/sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/json.h"
#include "report/svg.h"

void sheet_column(struct sheet *t, const char *head, bool is_left)
{
    INVARIANT(t->n_columns < SHEET_MAX_COLUMNS && !t->n_cells);
    t->head[t->n_columns] = head;
    t->is_left[t->n_columns++] = is_left;
}

void sheet_mark(struct sheet *t, const char *mark)
{
    t->mark[t->n_columns - 1] = mark;
}

void sheet_cell(struct sheet *t, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buf_add(&t->text, text, strlen(text) + 1);
    t->n_cells++;
}

void sheet_rule(struct sheet *t)
{
    t->rule = t->n_cells / t->n_columns;
}

/* The n-th line of a head, which ends at a colon, the first one before a plus as well:
 * NAME, +SKIP, each setting; then the mark. "" after the last. Its length is in *len. */
static const char *head_line(const struct sheet *t, size_t c, size_t n, size_t *len)
{
    const char *head = t->head[c];

    *len = strcspn(head, ":+");
    while (n && *head) {
        n--;
        head += *len;
        head += *head == ':';
        *len = strcspn(head, ":");
    }
    if (*head || n || !t->mark[c])
        return head;
    *len = strlen(t->mark[c]);
    return t->mark[c];
}

static size_t head_lines(const struct sheet *t)
{
    size_t most = 1, len;

    for (size_t c = 0; c < t->n_columns; c++)
        while (*head_line(t, c, most, &len))
            most++;
    return most;
}

static void find_widths(const struct sheet *t, size_t *width)
{
    const char *cell = buf_text(&t->text);
    size_t n_lines = head_lines(t), len;

    for (size_t c = 0; c < t->n_columns; c++) {
        width[c] = 0;
        for (size_t n = 0; n < n_lines; n++) {
            head_line(t, c, n, &len);
            width[c] = len > width[c] ? len : width[c];
        }
    }
    for (size_t i = 0; i < t->n_cells; i++, cell += len + 1) {
        size_t *w = &width[i % t->n_columns];

        len = strlen(cell);
        *w = len > *w ? len : *w;
    }
}

/* One cell of a line, without spaces at the end of it. */
static void put_cell(const struct sheet *t, size_t c, const char *text, int len,
                     int width, struct buf *out)
{
    bool is_last = c + 1 == t->n_columns;

    if (c)
        buf_puts(out, "  ");
    if (!t->is_left[c])
        buf_printf(out, "%*.*s", width, len, text);
    else
        buf_printf(out, "%-*.*s", is_last ? 0 : width, len, text);
    if (!is_last)
        return;
    while (out->len && out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0';
    buf_putc(out, '\n');
}

static void put_rule(const struct sheet *t, const size_t *width, struct buf *out)
{
    size_t n = 2 * (t->n_columns - 1);

    for (size_t c = 0; c < t->n_columns; c++)
        n += width[c];
    while (n--)
        buf_putc(out, '-');
    buf_putc(out, '\n');
}

void sheet_text(const struct sheet *t, struct buf *out)
{
    size_t width[SHEET_MAX_COLUMNS], n_lines = head_lines(t), len;
    const char *cell = buf_text(&t->text);

    find_widths(t, width);
    for (size_t n = 0; n < n_lines; n++)
        for (size_t c = 0; c < t->n_columns; c++) {
            const char *line = head_line(t, c, n, &len);

            put_cell(t, c, line, (int)len, (int)width[c], out);
        }
    for (size_t i = 0; i < t->n_cells; i++, cell += len + 1) {
        size_t c = i % t->n_columns;

        len = strlen(cell);
        if (t->rule && i == t->rule * t->n_columns)
            put_rule(t, width, out);
        put_cell(t, c, cell, (int)len, (int)width[c], out);
    }
}

void sheet_markdown(const struct sheet *t, struct buf *out)
{
    const char *cell = buf_text(&t->text);

    for (size_t c = 0; c < t->n_columns; c++) {
        buf_puts(out, c ? " " : "| ");
        for (const char *at = t->head[c]; *at; at++)
            buf_putc(out, *at == ':' ? ' ' : *at);
        buf_puts(out, " |");
    }
    buf_putc(out, '\n');
    for (size_t c = 0; c < t->n_columns; c++)
        buf_printf(out, "%s%s |", c ? " " : "| ", t->is_left[c] ? "---" : "---:");
    buf_putc(out, '\n');
    for (size_t i = 0; i < t->n_cells; i++, cell += strlen(cell) + 1) {
        bool is_last = (i + 1) % t->n_columns == 0;

        buf_printf(out, "%s%s |%s", i % t->n_columns ? " " : "| ", cell,
                   is_last ? "\n" : "");
    }
}

void sheet_html(const struct sheet *t, struct buf *out)
{
    const char *cell = buf_text(&t->text);

    buf_puts(out, "<div class=\"wide\"><table><tr>");
    for (size_t c = 0; c < t->n_columns; c++) {
        size_t len;

        buf_puts(out, "<th>");
        for (size_t n = 0; *head_line(t, c, n, &len); n++) {
            struct buf line = { 0 };

            buf_add(&line, head_line(t, c, n, &len), len);
            buf_puts(out, n ? "<br>" : "");
            html_text(out, buf_text(&line));
            buf_free(&line);
        }
        buf_puts(out, "</th>");
    }
    for (size_t i = 0; i < t->n_cells; i++, cell += strlen(cell) + 1) {
        bool is_sum = t->rule && i == t->rule * t->n_columns;

        if (i % t->n_columns == 0)
            buf_puts(out, is_sum ? "</tr>\n<tr class=\"sum\">" : "</tr>\n<tr>");
        buf_puts(out, "<td>");
        html_text(out, cell);
        buf_puts(out, "</td>");
    }
    buf_puts(out, "</tr>\n</table></div>\n");
}

void sheet_csv(const struct sheet *t, struct buf *out)
{
    const char *cell = buf_text(&t->text);

    for (size_t c = 0; c < t->n_columns; c++) {
        csv_field(out, t->head[c]);
        buf_putc(out, c + 1 < t->n_columns ? ',' : '\n');
    }
    for (size_t i = 0; i < t->n_cells; i++, cell += strlen(cell) + 1) {
        csv_field(out, cell);
        buf_putc(out, (i + 1) % t->n_columns ? ',' : '\n');
    }
}

void sheet_free(struct sheet *t)
{
    buf_free(&t->text);
    *t = (struct sheet){ 0 };
}
