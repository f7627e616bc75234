/* document.c - what every JSON document of Leno's has in common. */
#include "base/document.h"

#include <string.h>

#include "base/revision.h"

void document_begin(struct buf *out, const char *name)
{
    buf_printf(out,
               "{\"leno\": \"" LENO_VERSION "\", \"schema\": \"leno.%s/1\", "
               "\"revision\": \"%s\"",
               name, revision_text());
}

void document_text(struct buf *out, const char *name, const char *text)
{
    buf_printf(out, ", \"%s\": ", name);
    if (text)
        json_string(out, text);
    else
        buf_puts(out, "null");
}

void document_number(struct buf *out, const char *name, uint64_t value)
{
    buf_printf(out, ", \"%s\": %llu", name, (unsigned long long)value);
}

void document_bool(struct buf *out, const char *name, bool value)
{
    buf_printf(out, ", \"%s\": %s", name, value ? "true" : "false");
}

void document_outcome(struct buf *out, const struct err *err)
{
    document_bool(out, "ok", !err->code);
    document_number(out, "exit_code", (uint64_t)err_exit(err));
    document_text(out, "message", err->code ? err->text : "");
}

/* Is the key of this line set again by a later one? */
static bool is_set_again(const char *line)
{
    size_t n = strcspn(line, "=") + 1;

    for (const char *at = line; (at = strchr(at, '\n')) && *++at;)
        if (!strncmp(at, line, n))
            return true;
    return false;
}

void document_settings(struct buf *out, const char *lines)
{
    const char *between = "", *at = lines;
    struct buf word = { 0 };

    buf_puts(out, ", \"settings\": {");
    for (; *at; at += strcspn(at, "\n") + 1) {
        size_t key = strcspn(at, "="), n = strcspn(at, "\n");

        if (is_set_again(at))
            continue;
        buf_puts(out, between);
        buf_clear(&word);
        buf_add(&word, at, key);
        json_string(out, buf_text(&word));
        buf_puts(out, ": ");
        buf_clear(&word);
        buf_add(&word, at + key + 1, n - key - 1);
        json_string(out, buf_text(&word));
        between = ", ";
    }
    buf_putc(out, '}');
    buf_free(&word);
}

void document_warning(struct buf *out, const char *text)
{
    buf_puts(out, ", \"warnings\": [");
    if (*text)
        json_string(out, text);
    buf_putc(out, ']');
}
