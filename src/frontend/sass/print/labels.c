/* labels.c - finds and numbers the labels of a listing. Sections are decoded at
 * addresses of their own, far from 0, so that a target outside all code is seen.
 */
#include "frontend/sass/print/labels.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/sass/load/nvinfo.h"
#include "frontend/sass/load/reloc.h"
#include "frontend/sass/print/disasm.h"

enum { STT_SECTION = 3, STT_FUNC = 2 };

#define LABELS_BASE  0x100000000ull /* address of the first section */
#define LABELS_ALIGN 128u

static bool is_code(const struct cubin *c, uint32_t section)
{
    return section && section < c->n_sections && c->sections[section].is_text;
}

void labels_put(struct buf *out, const char *name)
{
    for (; *name; name++)
        buf_putc(out, *name > ' ' && *name < 127 ? *name : '?');
}

bool labels_is_call(uint32_t type)
{
    return type == RELOC_ABS47_34 || type == RELOC_ABS55_16_34 ||
           type == RELOC_ABS56_16_34;
}

void labels_decode(const struct labels *l, uint32_t section, uint64_t offset,
                   struct sass_inst *i)
{
    const uint8_t *p = l->cubin->sections[section].data + offset;
    struct word w = { cubin_u64(p), cubin_u64(p + 8) };

    sass_decode(i, l->cubin->arch, w, l->base[section] + offset);
}

uint32_t labels_symbol_at(const struct labels *l, uint32_t section, uint64_t offset)
{
    uint32_t lo = 0, hi = l->n_symbols;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct cubin_symbol *s = &l->cubin->symbols[l->symbols[mid]];

        if (s->section < section || (s->section == section && s->value < offset))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The symbol that names a place: a function before the section itself. */
static const struct cubin_symbol *name_symbol(const struct labels *l, uint32_t section,
                                              uint64_t offset)
{
    const struct cubin_symbol *best = NULL;

    for (uint32_t n = labels_symbol_at(l, section, offset); n < l->n_symbols; n++) {
        const struct cubin_symbol *s = &l->cubin->symbols[l->symbols[n]];

        if (s->section != section || s->value != offset)
            break;
        if (s->type == STT_FUNC)
            return s;
        best = s;
    }
    return best;
}

int64_t labels_number(const struct labels *l, uint32_t section, uint64_t offset)
{
    if (offset % 16 || offset > l->cubin->sections[section].size)
        return -1;
    return (int64_t)l->number[section][offset / 16] - 1;
}

bool labels_name(const struct labels *l, uint32_t section, uint64_t offset,
                 struct buf *out)
{
    const struct cubin_symbol *s = name_symbol(l, section, offset);
    int64_t n;

    if (s) {
        labels_put(out,
                   s->type == STT_SECTION ? l->cubin->sections[section].name : s->name);
        return true;
    }
    n = labels_number(l, section, offset);
    if (n >= 0)
        buf_printf(out, ".L_x_%lld", (long long)n);
    return n >= 0;
}

/* The text section that holds an address, its end included; 0 = none. */
static uint32_t section_of(const struct labels *l, uint64_t addr)
{
    uint32_t lo = 0, hi = l->n_texts, section;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (l->base[l->texts[mid]] <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    section = lo ? l->texts[lo - 1] : 0;
    if (section && addr - l->base[section] > l->cubin->sections[section].size)
        return 0;
    return section;
}

bool labels_target(const struct labels *l, uint64_t addr, struct buf *out)
{
    uint32_t section = section_of(l, addr);

    return section && labels_name(l, section, addr - l->base[section], out);
}

const struct cubin_reloc *labels_reloc(const struct labels *l, uint32_t section,
                                       uint64_t offset)
{
    uint32_t lo = 0, hi = l->n_relocs;
    const struct cubin_reloc *r;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        r = &l->cubin->relocs[l->relocs[mid]];
        if (r->target < section || (r->target == section && r->offset < offset))
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == l->n_relocs)
        return NULL;
    r = &l->cubin->relocs[l->relocs[lo]];
    return r->target == section && r->offset == offset ? r : NULL;
}

static int compare_jumps(const void *a, const void *b)
{
    const struct jump_table *x = a, *y = b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

const struct jump_table *labels_jump(const struct labels *l, uint32_t section,
                                     uint64_t offset)
{
    struct jump_table key = { .section = section, .site = offset };

    if (l->n_jumps == 0)
        return NULL;
    return bsearch(&key, l->jumps, l->n_jumps, sizeof key, compare_jumps);
}

/* Takes a number for a place; one that has a label keeps it, the number is spent. */
static void spend_number(struct labels *l, uint32_t section, uint64_t offset)
{
    l->next++;
    if (offset % 16 == 0 && offset <= l->cubin->sections[section].size &&
        l->number[section][offset / 16] == 0)
        l->number[section][offset / 16] = l->next;
}

/* A label where something refers to, unless the place has a name already. */
static void add_label(struct labels *l, uint32_t section, uint64_t offset)
{
    if (!name_symbol(l, section, offset) && labels_number(l, section, offset) < 0)
        spend_number(l, section, offset);
}

static void number_relocs(struct labels *l)
{
    for (uint32_t i = 0; i < l->n_relocs; i++) {
        const struct cubin_reloc *r = &l->cubin->relocs[l->relocs[i]];
        const struct cubin_symbol *s = &l->cubin->symbols[r->symbol];

        if (is_code(l->cubin, s->section) && r->addend)
            add_label(l, s->section, s->value + (uint64_t)r->addend);
    }
}

/* Stands in for the listing's own hook while labels are found. */
struct finder {
    struct sass_labels base; /* first */
    struct labels *labels;
};

static bool find_target(const struct sass_labels *base, struct buf *out,
                        uint64_t target)
{
    struct labels *l = ((const struct finder *)base)->labels;
    uint32_t section = section_of(l, target);

    (void)out;
    if (section)
        add_label(l, section, target - l->base[section]);
    return true;
}

static bool has_target(const struct sass_inst *i)
{
    for (unsigned n = 0; n < i->n_opds; n++)
        if (i->opd[n].kind == OPD_TARGET)
            return true;
    return false;
}

/* A target gets a label if the text names it: some operands are not shown, and BRX
 * shows a distance. */
static void number_targets(struct labels *l, uint32_t section, uint64_t offset,
                           struct buf *text)
{
    const struct cubin_reloc *r = labels_reloc(l, section, offset);
    struct finder finder = { { find_target, l->base[section] }, l };
    struct sass_inst i;

    labels_decode(l, section, offset, &i);
    if (!i.row || !has_target(&i) || i.base.op == OP_BRX || i.base.op == OP_BRXU ||
        (r && labels_is_call(r->type)))
        return;
    buf_clear(text);
    sass_print(text, &i, &finder.base);
}

static void number_branches(struct labels *l)
{
    struct buf text = { 0 };

    for (uint32_t i = 0; i < l->n_texts; i++)
        for (uint64_t at = 0; at < l->cubin->sections[l->texts[i]].size; at += 16)
            number_targets(l, l->texts[i], at, &text);
    buf_free(&text);
}

static struct jump_table *new_jump(struct labels *l)
{
    if (l->n_jumps == l->cap_jumps) {
        uint32_t cap = l->cap_jumps ? 2 * l->cap_jumps : 16;
        void *grown = realloc(l->jumps, cap * sizeof *l->jumps);

        if (!grown)
            return NULL;
        l->jumps = grown;
        l->cap_jumps = cap;
    }
    return &l->jumps[l->n_jumps++];
}

/* One INDIRECT_BRANCH_TARGETS attribute holds any number of: site, 0, count and as
 * many targets. */
static int read_jumps(struct labels *l, uint32_t text, const struct nvinfo_record *r,
                      struct err *err)
{
    for (uint32_t at = 0; at < r->size;) {
        struct jump_table *j;

        if (r->size - at < 12 || cubin_u32(r->data + at + 8) > (r->size - at - 12) / 4)
            return err_set(err, "offset 0x%llx: list of branch targets cut short",
                           (unsigned long long)r->offset);
        j = new_jump(l);
        if (!j)
            return err_memory(err, "the labels of a listing");
        *j = (struct jump_table){ .section = text,
                                  .site = cubin_u32(r->data + at),
                                  .n = cubin_u32(r->data + at + 8),
                                  .targets = r->data + at + 12 };
        at += 12 + 4 * j->n;
        spend_number(l, text, j->site);
        for (uint32_t i = 0; i < j->n; i++)
            spend_number(l, text, cubin_u32(j->targets + 4 * (size_t)i));
    }
    return 0;
}

static int number_jumps(struct labels *l, struct err *err)
{
    const struct cubin *c = l->cubin;

    for (uint32_t i = 1; i < c->n_sections; i++) {
        struct nvinfo_record r;
        uint64_t at = 0;
        int more = 0;

        if (strncmp(c->sections[i].name, ".nv.info.", 9) != 0 ||
            !is_code(c, c->sections[i].info))
            continue;
        while ((more = nvinfo_next(c, i, &at, &r, err)) > 0)
            if (r.attr == NVINFO_BRANCH_TARGETS && r.data &&
                read_jumps(l, c->sections[i].info, &r, err))
                return -1;
        if (more < 0)
            return -1;
    }
    if (l->n_jumps)
        qsort(l->jumps, l->n_jumps, sizeof *l->jumps, compare_jumps);
    return 0;
}

static void number_ends(struct labels *l)
{
    for (uint32_t i = 0; i < l->cubin->n_symbols; i++) {
        const struct cubin_symbol *s = &l->cubin->symbols[i];

        if (s->type == STT_FUNC && s->size && is_code(l->cubin, s->section))
            spend_number(l, s->section, s->value + s->size);
    }
}

struct sort_key {
    uint32_t section;
    uint64_t offset;
    uint32_t order, index;
};

static int compare_keys(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts n keys and keeps their indices; the keys are freed. */
static uint32_t *sorted_indices(struct sort_key *keys, uint32_t n)
{
    uint32_t *index = calloc((size_t)n + 1, sizeof *index);

    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t i = 0; index && i < n; i++)
        index[i] = keys[i].index;
    free(keys);
    return index;
}

static bool same_section_symbol(const struct cubin *c, uint32_t a, uint32_t b)
{
    return c->symbols[a].type == STT_SECTION && c->symbols[b].type == STT_SECTION &&
           c->symbols[a].section == c->symbols[b].section &&
           c->symbols[a].value == c->symbols[b].value;
}

/* Keeps one of several symbols for the same section. */
static void drop_doubles(struct labels *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->n_symbols; i++)
        if (n == 0 || !same_section_symbol(l->cubin, l->symbols[n - 1], l->symbols[i]))
            l->symbols[n++] = l->symbols[i];
    l->n_symbols = n;
}

static int sort_symbols(struct labels *l, struct err *err)
{
    const struct cubin *c = l->cubin;
    struct sort_key *keys = calloc((size_t)c->n_symbols + 1, sizeof *keys);

    if (!keys)
        return err_memory(err, "the labels of a listing");
    for (uint32_t i = 0; i < c->n_symbols; i++) {
        const struct cubin_symbol *s = &c->symbols[i];

        if (is_code(c, s->section) && (s->type == STT_FUNC || s->type == STT_SECTION))
            keys[l->n_symbols++] =
                (struct sort_key){ s->section, s->value, UINT32_MAX - i, i };
    }
    l->symbols = sorted_indices(keys, l->n_symbols);
    if (!l->symbols)
        return err_memory(err, "the labels of a listing");
    drop_doubles(l);
    return 0;
}

static int sort_relocs(struct labels *l, struct err *err)
{
    const struct cubin *c = l->cubin;
    struct sort_key *keys = calloc((size_t)c->n_relocs + 1, sizeof *keys);

    if (!keys)
        return err_memory(err, "the labels of a listing");
    for (uint32_t i = 0; i < c->n_relocs; i++)
        if (is_code(c, c->relocs[i].target) && !reloc_is_marker(c->relocs[i].type))
            keys[l->n_relocs++] =
                (struct sort_key){ c->relocs[i].target, c->relocs[i].offset, i, i };
    l->relocs = sorted_indices(keys, l->n_relocs);
    return l->relocs ? 0 : err_memory(err, "the labels of a listing");
}

static int place_sections(struct labels *l, struct err *err)
{
    const struct cubin *c = l->cubin;
    uint64_t at = LABELS_BASE, bytes = 0;

    l->base = calloc((size_t)c->n_sections + 1, sizeof *l->base);
    l->number = calloc((size_t)c->n_sections + 1, sizeof *l->number);
    l->texts = calloc((size_t)c->n_sections + 1, sizeof *l->texts);
    if (!l->base || !l->number || !l->texts)
        return err_memory(err, "the labels of a listing");
    for (uint32_t i = 1; i < c->n_sections; i++) {
        const struct cubin_section *s = &c->sections[i];

        if (!s->is_text)
            continue;
        bytes += s->size;
        if (bytes > c->size)
            return err_set(err, "offset 0x%llx: %s overlaps another text section",
                           (unsigned long long)s->offset, s->name);
        l->base[i] = at;
        l->texts[l->n_texts++] = i;
        /* A gap, so that the end of one is not the start of the next. */
        at = (at + s->size + LABELS_ALIGN) & ~(uint64_t)(LABELS_ALIGN - 1);
        l->number[i] = calloc(s->size / 16 + 1, sizeof *l->number[i]);
        if (!l->number[i])
            return err_memory(err, "the labels of a listing");
    }
    return 0;
}

int labels_find(struct labels *l, const struct cubin *c, struct err *err)
{
    *l = (struct labels){ .cubin = c };
    if (place_sections(l, err) || sort_symbols(l, err) || sort_relocs(l, err)) {
        labels_free(l);
        return -1;
    }
    number_relocs(l);
    number_branches(l);
    if (number_jumps(l, err)) {
        labels_free(l);
        return -1;
    }
    number_ends(l);
    return 0;
}

void labels_free(struct labels *l)
{
    for (uint32_t i = 1; l->number && i < l->cubin->n_sections; i++)
        free(l->number[i]);
    free(l->base);
    free(l->number);
    free(l->texts);
    free(l->symbols);
    free(l->relocs);
    free(l->jumps);
    *l = (struct labels){ 0 };
}
