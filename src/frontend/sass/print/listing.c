/* listing.c - prints a cubin's code sections as nvdisasm -c does.
 *
 * Sections come in file order; each place in them shows first the symbols there, the
 * last of the symbol table first, then its label, then the instruction. What a
 * relocation will fill in is printed as an expression, since the word holds zero.
 */
#include "frontend/sass/print/listing.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/sass/print/disasm.h"
#include "frontend/sass/print/labels.h"
#include "frontend/sass/print/listing_distances.h"
#include "frontend/sass/print/listing_json.h"
#include "frontend/sass/print/listing_reloc.h"

enum {
    ET_REL = 1,
    SHF_WRITE = 1,
    SHF_ALLOC = 2,
    SHF_EXEC = 4,
    STB_GLOBAL = 1,
    STB_WEAK = 2,
    STT_OBJECT = 1,
    STT_FUNC = 2,
    STT_SECTION = 3,
    STT_CUDA_OBJECT = 13,
    OSABI_CUDA12 = 0x33,
    TEXT_COLUMN = 35,      /* of the mnemonic */
    PLAIN_CONTROL = 0x7e0, /* no stall, no barrier: no blank before the semicolon */
};

struct printer {
    struct buf *out;
    const struct labels *labels;
    const struct listing_options *options;
    size_t targets_column;    /* of the jump targets after BRX */
    size_t hex_column;        /* of the encoding */
    struct sass_inst *marked; /* of the section, with distances; else NULL */
};

/* What sass_print() asks for a target; carries the symbol of a relocated call. */
struct target_hook {
    struct sass_labels base; /* first */
    const struct labels *labels;
    const char *symbol;
    uint64_t next; /* BRX: address after it, since it shows a distance; else 0 */
    bool *was_asked;
};

static bool print_target(const struct sass_labels *base, struct buf *out,
                         uint64_t target)
{
    const struct target_hook *h = (const struct target_hook *)base;
    struct buf name = { 0 };
    bool found = true;

    *h->was_asked = true;
    if (h->next) {
        buf_printf(out, "%s0x%llx", target < h->next ? "-" : "",
                   (unsigned long long)(target < h->next ? h->next - target
                                                         : target - h->next));
        return true;
    }
    if (h->symbol)
        labels_put(&name, h->symbol);
    else
        found = labels_target(h->labels, target, &name);
    if (found)
        buf_printf(out, "`(%s)", buf_text(&name));
    else /* an absolute address, which a section's base has no part in */
        buf_printf(out, "0x%llx", (unsigned long long)target);
    buf_free(&name);
    return true;
}

void listing_text(const struct labels *l, uint32_t section, uint64_t offset,
                  const struct sass_inst *inst, struct buf *out)
{
    const struct cubin_reloc *r = labels_reloc(l, section, offset);
    bool was_asked = false;
    struct target_hook hook = { .base = { print_target, l->base[section] },
                                .labels = l,
                                .was_asked = &was_asked };

    if (!inst->row) {
        buf_printf(out, "UNKNOWN 0x%016llx%016llx", (unsigned long long)inst->word.hi,
                   (unsigned long long)inst->word.lo);
        return;
    }
    if (r && listing_relocated(l, r, inst, out))
        return;
    if (r && labels_is_call(r->type))
        hook.symbol = l->cubin->symbols[r->symbol].name;
    if (listing_is_brx(inst->word))
        hook.next = inst->base.pc + 16;
    sass_print(out, inst, &hook.base);
    if (hook.symbol && !was_asked) { /* a call through a register, with an offset */
        buf_puts(out, " `(");
        labels_put(out, hook.symbol);
        buf_putc(out, ')');
    }
}

void listing_control(struct word w, struct buf *out)
{
    unsigned wait = (unsigned)word_field(w, WORD_WAIT_MASK);
    unsigned read = (unsigned)word_field(w, WORD_READ_BARRIER);
    unsigned write = (unsigned)word_field(w, WORD_WRITE_BARRIER);

    buf_putc(out, 'B');
    for (unsigned i = 0; i < 6; i++)
        buf_putc(out, wait >> i & 1 ? (char)('0' + i) : '-');
    buf_printf(out, ":R%c:W%c:%c:S%02u", read == 7 ? '-' : (char)('0' + read),
               write == 7 ? '-' : (char)('0' + write),
               word_field(w, WORD_NO_YIELD) ? '-' : 'Y',
               (unsigned)word_field(w, WORD_STALL));
}

static void pad_to(struct buf *out, size_t line, size_t column)
{
    do
        buf_putc(out, ' ');
    while (out->len - line < column);
}

/* A guard stands right-aligned in front of the mnemonic's column, but for a uniform
 * one, which takes the mnemonic's place. Places of more than four digits move it all. */
static void print_text(struct printer *p, size_t line, const char *text)
{
    const char *mnemonic = text[0] == '@' ? strchr(text, ' ') : NULL;
    bool is_uniform = strncmp(text, "@UP", 3) == 0 || strncmp(text, "@!UP", 4) == 0;
    size_t guard = mnemonic && !is_uniform ? (size_t)(mnemonic + 1 - text) : 0;

    pad_to(p->out, line, guard < TEXT_COLUMN ? TEXT_COLUMN - guard : 0);
    buf_puts(p->out, text);
}

/* A target that an earlier entry of the table has. */
static bool is_repeated(const struct jump_table *j, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (!memcmp(j->targets + 4 * (size_t)k, j->targets + 4 * (size_t)i, 4))
            return true;
    return false;
}

/* Its targets, each once. */
static void put_jump(const struct labels *l, const struct jump_table *j,
                     struct buf *out)
{
    buf_puts(out, "(*\"BRANCH_TARGETS ");
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t to = cubin_u32(j->targets + 4 * (size_t)i);

        if (is_repeated(j, i))
            continue;
        if (i)
            buf_putc(out, ',');
        if (!labels_name(l, j->section, to, out))
            buf_printf(out, "0x%x", to);
    }
    buf_puts(out, "\"*)");
}

static const struct jump_table *jump_of(const struct labels *l, uint32_t section,
                                        uint64_t offset, const struct sass_inst *inst)
{
    return listing_is_brx(inst->word) ? labels_jump(l, section, offset) : NULL;
}

/* The digits of a place after its fourth: they move what follows. */
static size_t extra_digits(uint64_t at)
{
    size_t n = 0;

    for (at >>= 16; at; at >>= 4)
        n++;
    return n;
}

/* Columns depend on the instruction of the file that reaches farthest, its guard counted as
 * if it stood after the mnemonic's column, and on the longest list of targets. */
static void measure_columns(struct printer *p)
{
    const struct labels *l = p->labels;
    size_t text_width = 0, jump_width = 0;

    for (uint32_t t = 0; t < l->n_texts; t++) {
        uint32_t section = l->texts[t];

        for (uint64_t at = 0; at < l->cubin->sections[section].size; at += 16) {
            const struct jump_table *j;
            struct buf text = { 0 };
            struct sass_inst inst;
            size_t width;

            labels_decode(l, section, at, &inst);
            listing_text(l, section, at, &inst, &text);
            width = text.len + extra_digits(at);
            text_width = width > text_width ? width : text_width;
            buf_clear(&text);
            j = jump_of(l, section, at, &inst);
            if (j)
                put_jump(l, j, &text);
            jump_width = text.len > jump_width ? text.len : jump_width;
            buf_free(&text);
        }
    }
    p->targets_column = TEXT_COLUMN + text_width + 2;
    p->hex_column = p->targets_column + jump_width + 2;
}

static void print_encoding(struct printer *p, size_t line, struct word w)
{
    pad_to(p->out, line, p->hex_column);
    buf_printf(p->out, "/* 0x%016llx */\n", (unsigned long long)w.lo);
    line = p->out->len;
    pad_to(p->out, line, p->hex_column);
    buf_printf(p->out, "/* 0x%016llx */", (unsigned long long)w.hi);
}

/* The letters of DARSIE's figure 6; CY: by thread numbers in y. */
static void put_mark(const uint8_t *marks, uint64_t offset, struct buf *out)
{
    static const char *const letters[N_REDUNDANCY] = { "DR", "CR", "CY", "V " };

    buf_puts(out, marks ? letters[marks[offset / 16]] : "--");
}

static void print_distances(struct printer *p, size_t line, const struct inst *i)
{
    if (!i->list.n_reads && !i->list.n_writes)
        return;
    pad_to(p->out, line, p->hex_column);
    listing_put_distances(i, p->out);
}

static void print_inst(struct printer *p, uint32_t section, uint64_t offset)
{
    const struct jump_table *j;
    struct buf text = { 0 };
    struct sass_inst inst;
    size_t line;

    labels_decode(p->labels, section, offset, &inst);
    listing_text(p->labels, section, offset, &inst, &text);
    if (p->options->control) {
        listing_control(inst.word, p->out);
        buf_puts(p->out, "  ");
    }
    if (p->options->marks)
        put_mark(p->options->marks[section], offset, p->out);
    line = p->out->len;
    buf_printf(p->out, "        /*%04llx*/", (unsigned long long)offset);
    print_text(p, p->out->len - strlen("        /*0000*/"), buf_text(&text));
    j = jump_of(p->labels, section, offset, &inst);
    if (j) {
        pad_to(p->out, line, p->targets_column);
        put_jump(p->labels, j, p->out);
    } else if (word_field(inst.word, WORD_CONTROL) != PLAIN_CONTROL) {
        buf_putc(p->out, ' ');
    }
    buf_putc(p->out, ';');
    if (p->options->hex)
        print_encoding(p, line, inst.word);
    if (p->marked)
        print_distances(p, line, &p->marked[offset / 16].base);
    buf_putc(p->out, '\n');
    buf_free(&text);
}

/* st_other in words: CUDA's own bits, then the visibility. */
static void put_other(struct printer *p, const struct cubin_symbol *s)
{
    static const char *const spaces[8] = { "",
                                           "STO_CUDA_GLOBAL ",
                                           "STO_CUDA_SHARED ",
                                           "STO_CUDA_LOCAL ",
                                           "STO_CUDA_CONSTANT ",
                                           "STO_CUDA_RESERVED_SHARED ",
                                           "",
                                           "" };
    static const char *const visibility[4] = { "STV_DEFAULT", "STV_INTERNAL",
                                               "STV_HIDDEN", "STV_PROTECTED" };

    labels_put(p->out, s->name);
    buf_printf(p->out, ",@\"%s%s%s%s%s\"\n", spaces[s->other >> 5],
               s->other & 0x10 ? "STO_CUDA_ENTRY " : "",
               s->other & 4 ? "STO_CUDA_MANAGED " : "",
               s->other & 8 ? "STO_CUDA_OBSCURE " : "", visibility[s->other & 3]);
}

static void print_size(struct printer *p, const struct cubin_symbol *s)
{
    buf_puts(p->out, "        .size           ");
    labels_put(p->out, s->name);
    if (s->size == 0) {
        buf_puts(p->out, ", 0, 0\n");
        return;
    }
    buf_puts(p->out, ",(");
    if (!labels_name(p->labels, s->section, s->value + s->size, p->out))
        buf_printf(p->out, "0x%llx", (unsigned long long)(s->value + s->size));
    buf_puts(p->out, " - ");
    labels_put(p->out, s->name);
    buf_puts(p->out, ")\n");
}

static void print_symbol(struct printer *p, const struct cubin_symbol *s)
{
    if (s->type == STT_SECTION) {
        labels_put(p->out, p->labels->cubin->sections[s->section].name);
        buf_puts(p->out, ":\n");
        return;
    }
    if (s->bind == STB_GLOBAL || s->bind == STB_WEAK) {
        buf_puts(p->out, s->bind == STB_GLOBAL ? "        .global         "
                                               : "        .weak           ");
        labels_put(p->out, s->name);
        buf_putc(p->out, '\n');
    }
    buf_puts(p->out, "        .type           ");
    labels_put(p->out, s->name);
    buf_puts(p->out, ",@function\n");
    print_size(p, s);
    if (s->other) {
        buf_puts(p->out, "        .other          ");
        put_other(p, s);
    }
    labels_put(p->out, s->name);
    buf_puts(p->out, ":\n");
}

static void print_banner(struct printer *p, const char *name)
{
    struct buf clean = { 0 };

    labels_put(&clean, name);
    buf_printf(p->out, "\n\n//--------------------- %-25s --------------------------\n",
               buf_text(&clean));
    buf_free(&clean);
}

static void print_section_head(struct printer *p, const struct cubin_section *s)
{
    print_banner(p, s->name);
    buf_puts(p->out, "\t.section\t");
    labels_put(p->out, s->name);
    buf_printf(p->out, ",\"%s%s%s\",@progbits\n", s->flags & SHF_ALLOC ? "a" : "",
               s->flags & SHF_WRITE ? "w" : "", s->flags & SHF_EXEC ? "x" : "");
    if (s->flags >> 20 & 0x7f)
        buf_printf(p->out, "\t.sectionflags\t@\"SHF_BARRIERS=%u\"\n",
                   (unsigned)(s->flags >> 20 & 0x7f));
    if (s->info >> 24)
        buf_printf(p->out, "\t.sectioninfo\t@\"SHI_REGISTERS=%u\"\n", s->info >> 24);
    buf_printf(p->out, "\t.align\t%llu\n", (unsigned long long)s->align);
}

static void print_section(struct printer *p, uint32_t section)
{
    const struct labels *l = p->labels;
    const struct cubin_section *s = &l->cubin->sections[section];
    uint32_t next = labels_symbol_at(l, section, 0);

    print_section_head(p, s);
    for (uint64_t at = 0; at <= s->size; at += 16) {
        bool named = false;

        for (; next < l->n_symbols; next++) {
            const struct cubin_symbol *sym = &l->cubin->symbols[l->symbols[next]];

            if (sym->section != section || sym->value > at)
                break;
            named |= sym->value == at;
            print_symbol(p, sym);
        }
        if (!named && labels_number(l, section, at) >= 0)
            buf_printf(p->out, ".L_x_%lld:\n",
                       (long long)labels_number(l, section, at));
        if (at < s->size)
            print_inst(p, section, at);
    }
}

static const char *undefined_type(const struct cubin_symbol *s)
{
    if (s->section)
        return NULL;
    switch (s->type) {
    case STT_FUNC:
        return "@function";
    case STT_OBJECT:
        return "@object";
    case STT_CUDA_OBJECT:
        return "@\"STT_CUDA_OBJECT\"";
    default:
        return NULL;
    }
}

/* Symbols that another file or the driver provides. */
static void print_undefined(struct printer *p)
{
    const struct cubin *c = p->labels->cubin;
    bool first = true;

    for (uint32_t i = 1; i < c->n_symbols; i++) {
        const struct cubin_symbol *s = &c->symbols[i];
        const char *type = undefined_type(s);

        if (!type)
            continue;
        if (first)
            buf_puts(p->out, "\n\n//--------------------- SYMBOLS "
                             "--------------------------\n\n");
        first = false;
        buf_puts(p->out, "\t.type\t\t");
        labels_put(p->out, s->name);
        buf_printf(p->out, ",%s\n", type);
        if (s->other) {
            buf_puts(p->out, "\t.other\t\t");
            put_other(p, s);
        }
        if (s->size) {
            buf_puts(p->out, "\t.size\t\t");
            labels_put(p->out, s->name);
            buf_printf(p->out, ",0x%llx\n", (unsigned long long)s->size);
        }
    }
}

static void print_head(struct printer *p)
{
    const struct cubin *c = p->labels->cubin;
    uint32_t flags = cubin_u32(c->image + 48);

    if (c->image[7] == OSABI_CUDA12)
        buf_printf(p->out,
                   "\t.headerflags\t@\"%s%sEF_CUDA_SM%u EF_CUDA_VIRTUAL_SM("
                   "EF_CUDA_SM%u)\"\n",
                   flags & 0x100 ? "EF_CUDA_TEXMODE_UNIFIED " : "",
                   flags & 0x400 ? "EF_CUDA_64BIT_ADDRESS " : "", c->sm,
                   flags >> 16 & 0xff);
    else
        buf_printf(p->out, "\t.target\tsm_%u%s\n\n", c->sm, c->is_specific ? "a" : "");
    buf_printf(p->out, "\t.elftype\t@\"%s\"\n",
               c->type == ET_REL ? "ET_REL" : "ET_EXEC");
}

static int print_sections(struct printer *p, struct err *err)
{
    for (uint32_t i = 0; i < p->labels->n_texts; i++) {
        uint32_t section = p->labels->texts[i];

        if (p->options->distances &&
            !(p->marked = listing_mark(p->labels, section, err)))
            return -1;
        print_section(p, section);
        free(p->marked);
    }
    return 0;
}

int sass_listing(struct buf *out, const struct cubin *c,
                 const struct listing_options *o, struct err *err)
{
    struct labels labels;
    struct printer p = { .out = out, .labels = &labels, .options = o };
    int failed = 0;

    if (labels_find(&labels, c, err))
        return -1;
    if (o->json) {
        listing_json(out, &labels);
    } else {
        if (o->hex || o->distances || labels.n_jumps)
            measure_columns(&p);
        print_head(&p);
        failed = print_sections(&p, err);
        print_undefined(&p);
    }
    labels_free(&labels);
    return failed;
}
