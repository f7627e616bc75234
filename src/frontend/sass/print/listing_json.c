/* listing_json.c - the listing as JSON, for programs.
 *
 *     {"leno": ..,"code_arch":"sm_90","sections":[{"name":..,
 *       "symbols":[{"name":..,"offset":..,"size":..,"kernel":..}],
 *       "code":[{"offset":16,"label":".L_x_0","text":"EXIT","word":"0x..",
 *                "control":"B------:R-:W-:-:S05"}]}],
 *      "undefined":["vprintf"]}
 */
#include "frontend/sass/print/listing_json.h"

#include "base/document.h"

enum { STT_FUNC = 2 };

static void put_symbols(struct buf *out, const struct labels *l, uint32_t section)
{
    bool first = true;

    buf_puts(out, "\"symbols\":[");
    for (uint32_t n = labels_symbol_at(l, section, 0); n < l->n_symbols; n++) {
        const struct cubin_symbol *s = &l->cubin->symbols[l->symbols[n]];

        if (s->section != section)
            break;
        if (s->type != STT_FUNC)
            continue;
        buf_puts(out, first ? "\n{\"name\":" : ",\n{\"name\":");
        json_string(out, s->name);
        buf_printf(out, ",\"offset\":%llu,\"size\":%llu,\"kernel\":%s}",
                   (unsigned long long)s->value, (unsigned long long)s->size,
                   s->is_entry ? "true" : "false");
        first = false;
    }
    buf_puts(out, "],\n");
}

static void put_inst(struct buf *out, const struct labels *l, uint32_t section,
                     uint64_t offset)
{
    struct buf text = { 0 };
    struct sass_inst inst;
    int64_t number = labels_number(l, section, offset);

    labels_decode(l, section, offset, &inst);
    listing_text(l, section, offset, &inst, &text);
    buf_printf(out, "%s\n{\"offset\":%llu,", offset ? "," : "",
               (unsigned long long)offset);
    if (number >= 0)
        buf_printf(out, "\"label\":\".L_x_%lld\",", (long long)number);
    buf_puts(out, "\"text\":");
    json_string(out, buf_text(&text));
    buf_printf(out, ",\"word\":\"0x%016llx%016llx\",\"control\":\"",
               (unsigned long long)inst.word.hi, (unsigned long long)inst.word.lo);
    listing_control(inst.word, out);
    buf_puts(out, "\"}");
    buf_free(&text);
}

static void put_section(struct buf *out, const struct labels *l, uint32_t section)
{
    const struct cubin_section *s = &l->cubin->sections[section];

    buf_puts(out, "{\"name\":");
    json_string(out, s->name);
    buf_puts(out, ",\n");
    put_symbols(out, l, section);
    buf_puts(out, "\"code\":[");
    for (uint64_t at = 0; at < s->size; at += 16)
        put_inst(out, l, section, at);
    buf_puts(out, "]}");
}

static void put_undefined(struct buf *out, const struct cubin *c)
{
    bool first = true;

    for (uint32_t i = 1; i < c->n_symbols; i++) {
        if (c->symbols[i].section || c->symbols[i].type != STT_FUNC)
            continue;
        if (!first)
            buf_putc(out, ',');
        json_string(out, c->symbols[i].name);
        first = false;
    }
}

void listing_json(struct buf *out, const struct labels *l)
{
    document_begin(out, "listing");
    buf_printf(out, ",\n\"code_arch\":\"sm_%u%s\",\"sections\":[", l->cubin->sm,
               l->cubin->is_specific ? "a" : "");
    for (uint32_t i = 0; i < l->n_texts; i++) {
        buf_puts(out, i ? ",\n" : "\n");
        put_section(out, l, l->texts[i]);
    }
    buf_puts(out, "],\n\"undefined\":[");
    put_undefined(out, l->cubin);
    buf_puts(out, "]}\n");
}
