/* page_template.c - pages with their data filled in; see page_template.h. */
#include "session/page_template.h"

#include <string.h>

static const char page_hot[] = {
#include "page_hot.inc"
};
static const char page_view[] = {
#include "page_view.inc"
};

/* As JSON may stand in a script element: "</" would end it. */
static void put_data(const struct buf *json, struct buf *out)
{
    for (size_t n = 0; n < json->len; n++) {
        if (n && json->data[n] == '/' && json->data[n - 1] == '<')
            buf_putc(out, '\\');
        buf_putc(out, json->data[n]);
    }
}

void page_fill(enum page_name page, const struct buf *json, struct buf *out)
{
    const char *text = page == PAGE_HOT ? page_hot : page_view;
    const char *mark = strstr(text, "@DATA@");

    buf_add(out, text, (size_t)(mark - text));
    put_data(json, out);
    buf_puts(out, mark + strlen("@DATA@"));
}
