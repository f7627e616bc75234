/* page_template.c - pages with their data filled in; see page_template.h. */
#include "session/page_template.h"

#include <string.h>

#include "session/cause_words.h"

static const char page_hot[] = {
#include "page_hot.inc"
};
static const char page_view[] = {
#include "page_view.inc"
};

static const char page_report[] = {
#include "page_report.inc"
};

static const char *const templates[] = {
    [PAGE_HOT] = page_hot, [PAGE_VIEW] = page_view, [PAGE_REPORT] = page_report
};

/* As JSON may stand in a script element: "</" would end it. */
static void put_data(const char *json, size_t length, struct buf *out)
{
    for (size_t n = 0; n < length; n++) {
        if (n && json[n] == '/' && json[n - 1] == '<')
            buf_putc(out, '\\');
        buf_putc(out, json[n]);
    }
}

/* The page with names and colours of causes, if it takes them. */
static void put_page(enum page_name page, struct buf *out)
{
    const char *text = templates[page], *mark = strstr(text, "@CAUSES@");

    if (mark) {
        buf_add(out, text, (size_t)(mark - text));
        cause_words_json(out);
        text = mark + strlen("@CAUSES@");
    }
    buf_puts(out, text);
}

void page_fill(enum page_name page, const struct buf *json, struct buf *out)
{
    struct buf whole = { 0 };
    const char *text, *mark;

    put_page(page, &whole);
    text = buf_text(&whole);
    mark = strstr(text, "@DATA@");
    buf_add(out, text, (size_t)(mark - text));
    put_data(json->data, json->len, out);
    buf_puts(out, mark + strlen("@DATA@"));
    buf_free(&whole);
}

void page_put_template(enum page_name page, struct buf *out)
{
    struct buf whole = { 0 };

    put_page(page, &whole);
    put_data(whole.data, whole.len, out);
    buf_free(&whole);
}
