/* listing_reloc.c - instructions in which a relocation fills in a field, as text.
 *
 * The field gets a mark that no instruction contains by chance; the text is printed
 * with it, and the mark replaced by the expression nvdisasm shows there.
 */
#include "frontend/sass/print/listing_reloc.h"

#include <string.h>

#include "frontend/sass/load/reloc.h"
#include "frontend/sass/print/disasm.h"

static void print_sum(const struct labels *l, const struct cubin_reloc *r,
                      struct buf *out)
{
    const struct cubin_symbol *s = &l->cubin->symbols[r->symbol];

    labels_put(out, s->name);
    if (r->addend == 0)
        return;
    buf_puts(out, " + ");
    if (s->section && s->section < l->cubin->n_sections &&
        l->cubin->sections[s->section].is_text &&
        labels_name(l, s->section, s->value + (uint64_t)r->addend, out))
        buf_puts(out, "@srel");
    else
        buf_printf(out, "0x%llx", (unsigned long long)r->addend);
}

/* Where a field is, what marks it, and how the mark is printed. */
struct marked_field {
    enum sass_field field;
    uint64_t mark;
    const char *text;
};

static const struct marked_field immediate = { WORD_IMM, 0x5a17c0de, "0x5a17c0de" };
static const struct marked_field constant = { CONSTANT_WHOLE, 0x1d40dc,
                                              "c[0x1d][0x40dc]" };
static const struct marked_field offset = { ADDRESS_OFFSET, 0x5a17c0, "0x5a17c0" };

/* What stands for the field. */
struct expression {
    const struct marked_field *field;
    const char *before, *after;               /* around the symbol */
    const char *addend_before, *addend_after; /* around symbol + addend; NULL: none */
};

static const struct expression *expression_of(uint32_t type)
{
    static const struct expression low = { &immediate, "32@lo(", ")", "32@lo((", "))" };
    static const struct expression high = { &immediate, "32@hi(", ")", "32@hi((",
                                            "))" };
    static const struct expression low_desc = { &immediate, "32@lo(fun@fdesc(", "))",
                                                NULL, NULL };
    static const struct expression high_desc = { &immediate, "32@hi(fun@fdesc(", "))",
                                                 NULL, NULL };
    static const struct expression plain = { &immediate, "`(", ")", "`((", "))" };
    static const struct expression bank = { &constant, "c[`(", ")]", "c[`((", "))]" };
    static const struct expression address = { &offset, "`(", ")", "`((", "))" };

    switch (type) {
    case RELOC_ABS32_LO_32:
        return &low;
    case RELOC_ABS32_HI_32:
        return &high;
    case RELOC_FUNC_DESC32_LO_32:
        return &low_desc;
    case RELOC_FUNC_DESC32_HI_32:
        return &high_desc;
    case RELOC_ABS32_32:
    case RELOC_ABS16_32:
        return &plain;
    case RELOC_CONST_FIELD19_40:
    case RELOC_CONST_FIELD21_38:
        return &bank;
    case RELOC_ABS24_40:
        return &address;
    default:
        return NULL;
    }
}

/* IMAD.MOV is a name that nvdisasm does not use for a constant still to be placed. */
static void add_head(struct buf *out, const struct buf *text, const char *end,
                     bool is_constant)
{
    const char *from = buf_text(text);
    const char *alias = is_constant ? strstr(from, "IMAD.MOV.") : NULL;

    if (alias && alias < end) {
        buf_add(out, from, (size_t)(alias + strlen("IMAD") - from));
        from = alias + strlen("IMAD.MOV");
    }
    buf_add(out, from, (size_t)(end - from));
}

bool listing_relocated(const struct labels *l, const struct cubin_reloc *r,
                       const struct sass_inst *inst, struct buf *out)
{
    const struct expression *e = expression_of(r->type);
    struct buf text = { 0 };
    struct sass_inst marked;
    struct word w = inst->word;
    const char *at;

    if (!e || (r->addend && !e->addend_before))
        return false;
    word_set_field(&w, e->field->field, e->field->mark);
    if (sass_decode(&marked, l->cubin->arch, w, inst->base.pc))
        sass_print(&text, &marked, NULL);
    at = strstr(buf_text(&text), e->field->text);
    if (at) {
        add_head(out, &text, at, e->field == &constant);
        buf_puts(out, r->addend ? e->addend_before : e->before);
        print_sum(l, r, out);
        buf_puts(out, r->addend ? e->addend_after : e->after);
        buf_puts(out, at + strlen(e->field->text));
    }
    buf_free(&text);
    return at != NULL;
}
