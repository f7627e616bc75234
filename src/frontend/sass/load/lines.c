/* lines.c - reads .debug_line: a program per unit that fills in a table of addresses and
 * lines; see lines.h. Every read checks that it stays within its unit.
 */
#include "frontend/sass/load/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Operations of a line program, as DWARF numbers them. */
enum {
    LINE_EXTENDED,
    LINE_COPY,
    LINE_ADVANCE_PC,
    LINE_ADVANCE_LINE,
    LINE_SET_FILE,
    LINE_SET_COLUMN,
    LINE_NEGATE_STATEMENT,
    LINE_BASIC_BLOCK,
    LINE_CONST_ADD_PC,
    LINE_FIXED_ADVANCE_PC,
    LINE_END_SEQUENCE = 1, /* extended */
    LINE_SET_ADDRESS = 2,
    LINE_DEFINE_FILE = 3,
    MAX_LINE_NAMES = 1 << 20,
};

/* The unit that is read: bytes at..end of the section. */
struct reader {
    const struct cubin *cubin;
    uint32_t section; /* .debug_line */
    uint64_t at, end;
    bool is_bad;
    char *why; /* of the table, where is_bad is explained */
    size_t why_size;
    const char *file; /* of the cubin */
};

static void fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void fail(struct reader *r, const char *format, ...)
{
    va_list args;
    int n;

    if (r->is_bad)
        return;
    r->is_bad = true;
    n = snprintf(r->why, r->why_size, "%s: .debug_line at 0x%llx: ", r->file,
                 (unsigned long long)r->at);
    if (n < 0 || (size_t)n >= r->why_size)
        return;
    va_start(args, format);
    vsnprintf(r->why + n, r->why_size - (size_t)n, format, args);
    va_end(args);
}

static const uint8_t *take(struct reader *r, uint64_t n)
{
    static const uint8_t none[8];

    if (!r->is_bad && r->end - r->at < n)
        fail(r, "expected %llu more bytes", (unsigned long long)n);
    if (r->is_bad)
        return none;
    r->at += n;
    return r->cubin->sections[r->section].data + r->at - n;
}

static uint8_t take_byte(struct reader *r)
{
    return *take(r, 1);
}

/* LEB128: seven bits per byte, the lowest first. */
static uint64_t take_number(struct reader *r, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = take_byte(r);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && !r->is_bad);
    if (is_signed && byte & 0x40 && shift < 64)
        value |= ~(uint64_t)0 << shift;
    return value;
}

static const char *take_text(struct reader *r)
{
    const char *text = (const char *)r->cubin->sections[r->section].data + r->at;
    const char *end = r->is_bad ? NULL : memchr(text, '\0', r->end - r->at);

    if (!end) {
        fail(r, "expected a name that ends");
        return "";
    }
    r->at += (uint64_t)(end - text) + 1;
    return text;
}

/* The unit's header. */
struct unit {
    uint8_t min_length, line_range, opcode_base;
    int8_t line_base;
    uint8_t n_args[256];
    uint64_t program; /* where it begins */
    uint32_t first_name, n_names;
    uint32_t n_folders, cap_folders;
    const char **folder;
};

static int add_name(struct sass_lines *l, const struct unit *u, const char *name,
                    uint64_t folder)
{
    const char *in =
        folder && folder <= u->n_folders && *name != '/' ? u->folder[folder - 1] : "";
    size_t size = strlen(in) + strlen(name) + 2;
    char **all = l->n_names < MAX_LINE_NAMES
                     ? grow_zeros(l->name, &l->cap_names, l->n_names, sizeof *all)
                     : NULL;
    char *text = malloc(size);

    l->name = all ? all : l->name;
    if (!text || !all) {
        free(text);
        return -1;
    }
    snprintf(text, size, "%s%s%s", in, *in ? "/" : "", name);
    l->name[l->n_names++] = text;
    return 0;
}

static int take_folders(struct reader *r, struct unit *u)
{
    while (!r->is_bad && r->at < r->end && r->cubin->sections[r->section].data[r->at]) {
        const char **all =
            grow_zeros(u->folder, &u->cap_folders, u->n_folders, sizeof *all);

        if (!all)
            return -1;
        u->folder = all;
        u->folder[u->n_folders++] = take_text(r);
    }
    take_byte(r);
    return 0;
}

static int take_name(struct reader *r, struct sass_lines *l, struct unit *u)
{
    const char *name = take_text(r);
    uint64_t folder = take_number(r, false);

    take_number(r, false); /* time */
    take_number(r, false); /* size */
    if (r->is_bad)
        return 0;
    if (add_name(l, u, name, folder))
        return -1;
    u->n_names++;
    return 0;
}

static int take_names(struct reader *r, struct sass_lines *l, struct unit *u)
{
    u->first_name = l->n_names;
    if (take_folders(r, u))
        return -1;
    while (!r->is_bad && r->at < r->end && r->cubin->sections[r->section].data[r->at])
        if (take_name(r, l, u))
            return -1;
    take_byte(r);
    return 0;
}

static int take_header(struct reader *r, struct sass_lines *l, struct unit *u)
{
    unsigned version = cubin_u16(take(r, 2));
    uint64_t length;

    if (!r->is_bad && (version < 2 || version > 4))
        fail(r, "version %u, expected 2 to 4", version);
    length = cubin_u32(take(r, 4));
    if (!r->is_bad && length > r->end - r->at)
        fail(r, "a header of %llu bytes, expected at most %llu",
             (unsigned long long)length, (unsigned long long)(r->end - r->at));
    u->program = r->at + length;
    u->min_length = take_byte(r);
    if (version == 4)
        take_byte(r); /* operations per instruction */
    take_byte(r);     /* is_stmt at first */
    u->line_base = (int8_t)take_byte(r);
    u->line_range = take_byte(r);
    u->opcode_base = take_byte(r);
    if (!r->is_bad && (!u->line_range || !u->opcode_base))
        fail(r, "a line range of %u and opcodes from %u on, expected more than 0",
             u->line_range, u->opcode_base);
    for (unsigned n = 1; n < u->opcode_base; n++)
        u->n_args[n] = take_byte(r);
    if (take_names(r, l, u))
        return -1;
    if (!r->is_bad)
        r->at = u->program;
    return 0;
}

/* The registers of the machine that a line program runs on. */
struct state {
    uint64_t address, file, line;
    uint32_t section; /* 0: no address was set */
};

/* An address is that of a function, which a relocation names. */
static void set_address(struct reader *r, struct state *s, uint64_t place,
                        uint64_t value)
{
    s->section = 0;
    for (uint32_t n = 0; n < r->cubin->n_relocs; n++) {
        const struct cubin_reloc *x = &r->cubin->relocs[n];
        const struct cubin_symbol *y;

        if (x->target != r->section || x->offset != place)
            continue;
        y = &r->cubin->symbols[x->symbol];
        if (y->section < r->cubin->n_sections)
            s->section = y->section;
        s->address = y->value + (x->has_addend ? (uint64_t)x->addend : value);
        return;
    }
    fail(r, "an address without a relocation");
}

/* Notes that the line begins at the address; line 0: the code of the sequence ends. */
static int add_line(struct sass_lines *l, const struct reader *r, const struct unit *u,
                    const struct state *s, bool is_end)
{
    bool has_file = s->file >= 1 && s->file <= u->n_names;
    struct sass_line *all;

    if (!s->section || r->is_bad)
        return 0;
    all = grow_zeros(l->at, &l->cap, l->n, sizeof *all);
    if (!all)
        return -1;
    l->at = all;
    l->at[l->n++] = (struct sass_line){
        .section = s->section,
        .offset = s->address,
        .file = has_file ? u->first_name + (uint32_t)s->file - 1 : 0,
        .line = has_file && !is_end ? (uint32_t)s->line : 0,
    };
    return 0;
}

static int run_extended(struct reader *r, struct sass_lines *l, struct unit *u,
                        struct state *s)
{
    uint64_t length = take_number(r, false), end = r->at + length;
    uint8_t op;

    if (!r->is_bad && (!length || length > r->end - r->at))
        fail(r, "an operation of %llu bytes, expected 1 to %llu",
             (unsigned long long)length, (unsigned long long)(r->end - r->at));
    op = take_byte(r);
    if (op == LINE_SET_ADDRESS && length == 9) {
        uint64_t place = r->at;

        set_address(r, s, place, cubin_u64(take(r, 8)));
    } else if (op == LINE_END_SEQUENCE) {
        if (add_line(l, r, u, s, true))
            return -1;
        *s = (struct state){ .file = 1, .line = 1 };
    } else if (op == LINE_DEFINE_FILE) {
        fail(r, "a file defined within a program, expected all in the header");
    }
    if (!r->is_bad)
        r->at = end;
    return 0;
}

static void run_standard(struct reader *r, const struct unit *u, struct state *s,
                         uint8_t op)
{
    switch (op) {
    case LINE_ADVANCE_PC:
        s->address += take_number(r, false) * u->min_length;
        break;
    case LINE_ADVANCE_LINE:
        s->line += take_number(r, true);
        break;
    case LINE_SET_FILE:
        s->file = take_number(r, false);
        break;
    case LINE_CONST_ADD_PC:
        s->address += (uint64_t)(255 - u->opcode_base) / u->line_range * u->min_length;
        break;
    case LINE_FIXED_ADVANCE_PC:
        s->address += cubin_u16(take(r, 2));
        break;
    default:
        for (unsigned n = 0; n < u->n_args[op]; n++)
            take_number(r, false);
        break;
    }
}

static int run_operation(struct reader *r, struct sass_lines *l, struct unit *u,
                         struct state *s)
{
    uint8_t op = take_byte(r);

    if (r->is_bad)
        return 0;
    if (op >= u->opcode_base) {
        unsigned n = op - u->opcode_base;

        s->address += (uint64_t)(n / u->line_range) * u->min_length;
        s->line += (uint64_t)(int64_t)(u->line_base + (int)(n % u->line_range));
        return add_line(l, r, u, s, false);
    }
    if (op == LINE_EXTENDED)
        return run_extended(r, l, u, s);
    if (op == LINE_COPY)
        return add_line(l, r, u, s, false);
    run_standard(r, u, s, op);
    return 0;
}

static int read_unit(struct reader *r, struct sass_lines *l)
{
    struct unit u = { 0 };
    struct state s = { .file = 1, .line = 1 };
    int failed = take_header(r, l, &u);

    while (!failed && !r->is_bad && r->at < r->end)
        failed = run_operation(r, l, &u, &s);
    free(u.folder);
    return failed;
}

static int read_units(struct reader *r, struct sass_lines *l)
{
    uint64_t size = r->cubin->sections[r->section].size;
    int failed = 0;

    while (!failed && !r->is_bad && r->at < size) {
        uint64_t length;

        r->end = size;
        length = cubin_u32(take(r, 4));
        if (!r->is_bad && length > size - r->at)
            fail(r, "a unit of %llu bytes, expected at most %llu",
                 (unsigned long long)length, (unsigned long long)(size - r->at));
        if (r->is_bad)
            break;
        r->end = r->at + length;
        failed = read_unit(r, l);
        r->at = r->end;
    }
    return failed;
}

/* By place; of several for one place the last counts, so that it comes last. */
static int compare_lines(const void *a, const void *b)
{
    const struct sass_line *x = a, *y = b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return 0;
}

/* Stable, unlike qsort: a merge of neighbours, in rounds. */
static int sort_lines(struct sass_lines *l)
{
    struct sass_line *other = malloc((l->n ? l->n : 1) * sizeof *other);

    if (!other)
        return -1;
    for (uint32_t width = 1; width < l->n; width *= 2) {
        struct sass_line *sorted = other;

        for (uint32_t at = 0; at < l->n;) {
            uint32_t a = at, mid = l->n - at > width ? at + width : l->n, b = mid;
            uint32_t end = l->n - mid > width ? mid + width : l->n;

            for (; at < end; at++)
                sorted[at] =
                    b == end || (a < mid && compare_lines(&l->at[a], &l->at[b]) <= 0)
                        ? l->at[a++]
                        : l->at[b++];
        }
        other = l->at;
        l->at = sorted;
    }
    free(other);
    l->cap = l->n;
    return 0;
}

int sass_lines_read(struct sass_lines *l, const struct cubin *c, const char *file,
                    struct err *err)
{
    struct reader r = { .cubin = c,
                        .section = cubin_find_section(c, ".debug_line"),
                        .why = l->why,
                        .why_size = sizeof l->why,
                        .file = file };

    if (!r.section || !c->sections[r.section].data)
        return 0;
    if (read_units(&r, l) || sort_lines(l)) {
        sass_lines_free(l);
        return err_memory(err, "the source lines of %s", file);
    }
    if (r.is_bad) /* better none than wrong ones */
        l->n = 0;
    return 0;
}

void sass_lines_free(struct sass_lines *l)
{
    for (uint32_t n = 0; n < l->n_names; n++)
        free(l->name[n]);
    free(l->name);
    free(l->at);
    *l = (struct sass_lines){ 0 };
}

const struct sass_line *sass_lines_find(const struct sass_lines *l, uint32_t section,
                                        uint64_t offset)
{
    const struct sass_line key = { .section = section, .offset = offset };
    uint32_t low = 0, high = l->n;

    while (low < high) { /* the first entry after the place */
        uint32_t mid = low + (high - low) / 2;

        if (compare_lines(&l->at[mid], &key) <= 0)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low || l->at[low - 1].section != section || !l->at[low - 1].line)
        return NULL;
    return &l->at[low - 1];
}
