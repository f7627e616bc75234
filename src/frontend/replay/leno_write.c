/* leno_write.c - writes recordings: .leno files, as docs/formats.md describes them.
 *
 * Every open block has a piece for each warp; when the pieces of a block have grown, or
 * it ends, they go after one another into the current section, and a full section goes
 * into the file. So memory is bounded by the blocks that are open together.
 */
#include <stdlib.h>

#include "frontend/replay/async_bytes.h"
#include "frontend/replay/codec.h"
#include "frontend/replay/drain.h"
#include "frontend/replay/places.h"
#include "frontend/replay/polls.h"
#include "frontend/replay/replay.h"
#include "frontend/replay/section.h"
#include "frontend/replay/values.h"

/* Sizes at which a block's pieces are stored and a section is written. Sections of 32
 * KiB make some files twice as large, 512 KiB up to 40 % smaller; but reading one block
 * decompresses a whole section. */
enum { PIECE_BYTES = 256 << 10, SECTION_BYTES = 128 << 10 };

/* The columns of a block: what its warps executed and, separately since it is rarely
 * read, the results. */
enum { COLUMN_INSTS, COLUMN_VALUES, N_COLUMNS };
static const enum section_kind kinds[] = { SECTION_DATA, SECTION_VALUES };

struct place {
    uint32_t section, offset;
};

/* A part of a block, and where it is in each column. */
struct piece {
    uint64_t block;
    struct place at[N_COLUMNS];
};

struct column {
    struct buf section; /* current, decompressed */
    uint64_t *sections; /* their offsets in the file */
    size_t n, cap;
};

/* The kernel being recorded. */
struct recording {
    struct inst_table table;
    struct kernel *k;
    unsigned n_columns; /* without values: one */
    struct column columns[N_COLUMNS];
    struct piece *pieces;
    size_t n_pieces, cap_pieces;
    struct value_writer values;
    struct polls polls;
    struct buf async; /* what the next instruction does asynchronously, and ... */
    bool gave_up;     /* ... whether its wait failed */
    struct buf text;
    struct replay_counts counts;
};

/* A section of code, which later launches of a kernel share. */
struct code {
    struct buf raw;
    uint64_t offset;
};

struct replay_writer {
    struct section_out out;
    struct buf program; /* the last section, so far */
    struct code *codes;
    size_t n_codes, cap_codes;
    uint64_t n_kernels;
    struct recording r;
};

struct slot_warp {
    struct encoder insts;
    struct value_encoder values;
    struct poll_trail *trail; /* NULL: no wait has failed so far */
};

struct slot {
    uint64_t block;
    unsigned n_warps;
    struct value_block values;
    struct slot_warp warps[];
};

static void free_recording(struct recording *r)
{
    table_free(&r->table);
    for (unsigned c = 0; c < N_COLUMNS; c++) {
        buf_free(&r->columns[c].section);
        free(r->columns[c].sections);
    }
    value_writer_free(&r->values);
    polls_free(&r->polls);
    buf_free(&r->async);
    buf_free(&r->text);
    free(r->pieces);
    *r = (struct recording){ 0 };
}

struct replay_writer *replay_writer_new(const char *path,
                                        const struct replay_info *info, struct err *err)
{
    struct replay_writer *w = calloc(1, sizeof *w);

    if (!w) {
        err_memory(err, "a recording");
        return NULL;
    }
    if (section_create(&w->out, path, err)) {
        free(w);
        return NULL;
    }
    put_string(&w->program, info->program, strlen(info->program));
    put_varint(&w->program, info->sm);
    put_varint(&w->program, info->naming.kind);
    put_varint(&w->program, info->naming.max_distance);
    put_varint(&w->program, info->naming.orders_writes);
    return w;
}

void replay_writer_abandon(struct replay_writer *w)
{
    if (!w)
        return;
    section_abandon(&w->out);
    buf_free(&w->program);
    for (size_t n = 0; n < w->n_codes; n++)
        buf_free(&w->codes[n].raw);
    free(w->codes);
    free_recording(&w->r);
    free(w);
}

/* Makes room for one more element. */
static int reserve_element(void **at, size_t n, size_t *cap, size_t size,
                           struct err *err)
{
    size_t more = *cap ? 2 * *cap : 64;
    void *bigger;

    if (n < *cap)
        return 0;
    bigger = realloc(*at, more * size);
    if (!bigger)
        return err_memory(err, "a recording");
    *at = bigger;
    *cap = more;
    return 0;
}

static int flush_section(struct replay_writer *w, unsigned column, struct err *err)
{
    struct column *c = &w->r.columns[column];
    uint64_t offset = w->out.offset;

    if (!c->section.len)
        return 0;
    if (reserve_element((void **)&c->sections, c->n, &c->cap, sizeof *c->sections,
                        err) ||
        section_write(&w->out, kinds[column], &c->section, err))
        return -1;
    c->sections[c->n++] = offset;
    w->r.counts.raw_bytes += c->section.len;
    w->r.counts.file_bytes += w->out.offset - offset;
    buf_clear(&c->section);
    return 0;
}

/* The bytes encoded for a warp. */
static const char *warp_bytes(const struct slot_warp *w, unsigned column, size_t *n)
{
    if (column == COLUMN_INSTS) {
        *n = w->insts.out.len;
        return w->insts.out.data;
    }
    *n = w->values.out.len;
    return w->values.out.data;
}

static void put_warps(const struct slot *s, unsigned column, struct buf *out)
{
    size_t n;

    for (unsigned k = 0; k < s->n_warps; k++) {
        warp_bytes(&s->warps[k], column, &n);
        put_varint(out, n);
    }
    for (unsigned k = 0; k < s->n_warps; k++) {
        const char *bytes = warp_bytes(&s->warps[k], column, &n);

        buf_add(out, bytes, n);
    }
}

/* Moves the encoded bytes of a block into the current sections. */
static int store_pieces(struct replay_writer *w, struct slot *s, struct err *err)
{
    struct recording *r = &w->r;
    struct piece *p;

    if (reserve_element((void **)&r->pieces, r->n_pieces, &r->cap_pieces,
                        sizeof *r->pieces, err))
        return -1;
    p = &r->pieces[r->n_pieces++];
    *p = (struct piece){ .block = s->block };
    for (unsigned k = 0; k < s->n_warps; k++) {
        encode_cut(&s->warps[k].insts);
        value_cut(&s->warps[k].values);
    }
    for (unsigned c = 0; c < r->n_columns; c++) {
        struct column *at = &r->columns[c];

        if (at->section.len >= SECTION_BYTES && flush_section(w, c, err))
            return -1;
        p->at[c] = (struct place){ (uint32_t)at->n, (uint32_t)at->section.len };
        put_warps(s, c, &at->section);
    }
    for (unsigned k = 0; k < s->n_warps; k++) {
        buf_clear(&s->warps[k].insts.out);
        buf_clear(&s->warps[k].values.out);
    }
    return 0;
}

static void *open_slot(void *to, uint64_t block, unsigned n_warps, struct err *err)
{
    const struct replay_writer *w = to;
    struct slot *s = calloc(1, sizeof *s + n_warps * sizeof(struct slot_warp));

    if (!s) {
        err_memory(err, "the warps of a block");
        return NULL;
    }
    s->block = block;
    s->n_warps = n_warps;
    for (unsigned k = 0; k < n_warps; k++) {
        encode_begin(&s->warps[k].insts);
        if (w->r.n_columns > COLUMN_VALUES)
            value_begin(&s->warps[k].values.s, w->r.k, block);
    }
    return s;
}

static void free_slot(void *to, void *slot)
{
    struct slot *s = slot;

    (void)to;
    for (unsigned k = 0; k < s->n_warps; k++) {
        if (s->warps[k].trail)
            buf_free(&s->warps[k].trail->async);
        free(s->warps[k].trail);
        encode_free(&s->warps[k].insts);
        value_encoder_free(&s->warps[k].values);
    }
    value_block_free(&s->values);
    free(s);
}

static int number_of(struct recording *r, const struct inst *i, uint32_t *number,
                     struct err *err)
{
    *number = table_find(&r->table, i->pc);
    if (*number != TABLE_NONE)
        return 0;
    if (table_add(&r->table, i, err))
        return err_prefix(err, "kernel %s", r->k->name);
    *number = r->table.n - 1;
    buf_clear(&r->text);
    if (r->k->ops->text)
        r->k->ops->text(r->k, i, &r->text);
    table_set_text(&r->table, buf_text(&r->text), r->text.len);
    return 0;
}

static void take_async(void *to, const struct copy *c)
{
    struct recording *r = &((struct replay_writer *)to)->r;

    async_put(c, &r->async);
    r->gave_up = c && c->gave_up;
}

/* An executed instruction, its number, and what it does asynchronously. */
struct executed {
    const struct dyn *d;
    uint32_t number;
    const struct buf *async;
};

static int write_inst(struct recording *r, struct slot *s, struct slot_warp *w,
                      struct executed e, struct err *err)
{
    const struct dyn *d = e.d;

    r->counts.warp_insts++;
    r->counts.thread_insts += (unsigned)__builtin_popcount(d->active);
    r->counts.memory_insts += d->space != SPACE_NONE && d->mask;
    encode_inst(&w->insts, &r->table, e.number, d);
    if (d->inst->flags & INST_PHASE || e.async->len)
        encode_async(&w->insts, e.async);
    if (r->n_columns > COLUMN_VALUES)
        return value_put(&r->values, &s->values, &w->values, e.number, d, err);
    return 0;
}

/* What the warp has executed since a failed wait, or would have executed instead. */
static int write_trail(struct recording *r, struct slot *s, struct slot_warp *w,
                       struct err *err)
{
    struct poll_trail *t = w->trail;

    for (uint32_t k = 0; t && k < t->n; k++) {
        struct executed e = { &t->dyn[k], t->number[k], poll_async(t, k) };

        if (write_inst(r, s, w, e, err))
            return -1;
    }
    if (t)
        t->n = 0;
    return 0;
}

static int begin_trail(struct slot_warp *w, struct executed e, struct err *err)
{
    if (!w->trail && !(w->trail = calloc(1, sizeof *w->trail)))
        return err_memory(err, "a recording");
    poll_begin(w->trail, e.number, e.d, e.async);
    return 0;
}

/* The next instruction: it may be part of a poll, which is left out. */
static int pass_inst(struct recording *r, struct slot *s, struct slot_warp *w,
                     struct executed e, struct err *err)
{
    struct poll_trail *t = w->trail;

    if (t && t->n && poll_pass(t, e.number, e.d, e.async, &r->polls) == POLL_GOES_ON)
        return 0;
    if (write_trail(r, s, w, err))
        return -1;
    return r->gave_up ? begin_trail(w, e, err) : write_inst(r, s, w, e, err);
}

static int take_inst(void *to, void *slot, unsigned warp, const struct dyn *d,
                     struct err *err)
{
    struct recording *r = &((struct replay_writer *)to)->r;
    struct slot *s = slot;
    struct executed e = { .d = d, .async = &r->async };
    int failed = number_of(r, d->inst, &e.number, err) ||
                 pass_inst(r, s, &s->warps[warp], e, err);

    buf_clear(&r->async);
    r->gave_up = false;
    return failed ? -1 : 0;
}

static int end_warp(void *to, void *slot, unsigned warp, struct err *err)
{
    struct recording *r = &((struct replay_writer *)to)->r;
    struct slot_warp *w = &((struct slot *)slot)->warps[warp];

    if (write_trail(r, slot, w, err))
        return -1;
    encode_end(&w->insts, &r->table);
    value_end(&w->values);
    return 0;
}

static int end_turn(void *to, void *slot, struct err *err)
{
    struct slot *s = slot;
    size_t n = 0;

    for (unsigned k = 0; k < s->n_warps; k++)
        n += s->warps[k].insts.out.len + s->warps[k].values.out.len;
    return n >= PIECE_BYTES ? store_pieces(to, s, err) : 0;
}

static int close_slot(void *to, void *slot, struct err *err)
{
    int failed = store_pieces(to, slot, err);

    free_slot(to, slot);
    return failed;
}

static int by_block(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    const struct place *i = &x->at[COLUMN_INSTS], *k = &y->at[COLUMN_INSTS];

    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (i->section != k->section)
        return i->section < k->section ? -1 : 1;
    return (i->offset > k->offset) - (i->offset < k->offset);
}

static void put_sections(const struct column *c, struct buf *out)
{
    uint64_t last = 0;

    put_varint(out, c->n);
    for (size_t i = 0; i < c->n; i++) {
        put_varint(out, c->sections[i] - last);
        last = c->sections[i];
    }
}

/* Relative to the one before. */
static void put_place(const struct place *at, struct place *last, struct buf *out)
{
    put_signed(out, (int64_t)at->section - last->section);
    put_signed(out, (int64_t)at->offset - last->offset);
    *last = *at;
}

/* Of each block: how many pieces, and where each is. */
static void put_pieces(struct recording *r, struct buf *out)
{
    struct place last = { 0 };
    size_t at = 0;

    qsort(r->pieces, r->n_pieces, sizeof *r->pieces, by_block);
    for (uint64_t block = 0; block < r->k->n_blocks; block++) {
        size_t n = 0;

        while (at + n < r->n_pieces && r->pieces[at + n].block == block)
            n++;
        put_varint(out, n);
        for (size_t end = at + n; at < end; at++)
            put_place(&r->pieces[at].at[COLUMN_INSTS], &last, out);
    }
}

/* Writes the static code: instructions, distances, marks if there are values, places, polls. */
static void put_code(const struct recording *r, struct buf *out)
{
    bool has_marks = r->n_columns > COLUMN_VALUES;

    table_put(&r->table, out);
    table_put_distances(&r->table, out);
    put_varint(out, has_marks ? r->k->n_marks + 1 : 0);
    for (uint32_t n = 0; n < r->table.n && has_marks; n++)
        put_fixed(out, mark_recoded(kernel_mark(r->k, r->table.inst[n])), 1);
    places_put(r->k, &r->table, out);
    polls_put(&r->polls, out);
}

/* The place of the same code in the file; NULL: not written yet. */
static const struct code *find_code(const struct replay_writer *w,
                                    const struct buf *raw)
{
    for (size_t n = 0; n < w->n_codes; n++) {
        const struct code *c = &w->codes[n];

        if (c->raw.len == raw->len && !memcmp(c->raw.data, raw->data, raw->len))
            return c;
    }
    return NULL;
}

static int write_code(struct replay_writer *w, uint64_t *offset, struct err *err)
{
    struct code c = { .offset = w->out.offset };
    const struct code *same;

    put_code(&w->r, &c.raw);
    same = find_code(w, &c.raw);
    *offset = same ? same->offset : c.offset;
    if (same ||
        reserve_element((void **)&w->codes, w->n_codes, &w->cap_codes, sizeof c, err) ||
        section_write(&w->out, SECTION_CODE, &c.raw, err)) {
        buf_free(&c.raw);
        return same ? 0 : -1;
    }
    w->codes[w->n_codes++] = c;
    return 0;
}

static void put_kernel(struct recording *r, uint64_t code, struct buf *out)
{
    const struct kernel *k = r->k;
    struct place last = { 0 };

    put_string(out, k->name, strlen(k->name));
    for (unsigned i = 0; i < 3; i++) {
        put_varint(out, k->grid[i]);
        put_varint(out, k->block[i]);
        put_varint(out, k->cluster_shape[i] ? k->cluster_shape[i] : 1);
    }
    put_varint(out, k->registers);
    put_varint(out, k->shared);
    put_varint(out, k->first_pc);
    put_varint(out, r->counts.warp_insts);
    put_varint(out, r->counts.thread_insts);
    put_varint(out, r->counts.memory_insts);
    put_varint(out, r->counts.raw_bytes);
    put_varint(out, r->counts.file_bytes);
    put_varint(out, code);
    put_sections(&r->columns[COLUMN_INSTS], out);
    put_pieces(r, out);
    if (r->n_columns == COLUMN_VALUES)
        return;
    put_sections(&r->columns[COLUMN_VALUES], out);
    for (size_t i = 0; i < r->n_pieces; i++)
        put_place(&r->pieces[i].at[COLUMN_VALUES], &last, out);
}

static int finish_kernel(struct replay_writer *w, struct err *err)
{
    struct buf raw = { 0 };
    uint64_t offset, code;
    int failed;

    for (unsigned c = 0; c < N_COLUMNS; c++)
        if (flush_section(w, c, err))
            return -1;
    if (write_code(w, &code, err))
        return -1;
    offset = w->out.offset;
    put_kernel(&w->r, code, &raw);
    failed = section_write(&w->out, SECTION_KERNEL, &raw, err);
    buf_free(&raw);
    put_varint(&w->program, offset);
    w->n_kernels++;
    return failed;
}

/* Streams that know no values, and kernels with more blocks or code than a recording can
 * number, are recorded without. */
static int begin_recording(struct recording *r, struct kernel *k, struct err *err)
{
    struct err why = { 0 };

    *r = (struct recording){ .k = k, .n_columns = COLUMN_INSTS + 1, .values.k = k };
    if (!k->ops->mark || k->n_blocks > UINT32_MAX)
        return 0;
    if (!k->ops->mark(k, &why)) {
        r->n_columns = k->n_marks > TABLE_MAX ? r->n_columns : N_COLUMNS;
        return 0;
    }
    return why.code == ERR_UNSUPPORTED ? 0 : err_kind(err, why.code, "%s", why.text);
}

int replay_record_kernel(struct replay_writer *w, struct kernel *k,
                         struct replay_counts *counts, struct err *err)
{
    struct drain_sink sink = { .open = open_slot,
                               .inst = take_inst,
                               .warp_end = end_warp,
                               .turn_end = end_turn,
                               .closed = close_slot,
                               .dropped = free_slot,
                               .async = take_async,
                               .to = w };
    int failed = begin_recording(&w->r, k, err);

    sink.wants_values = w->r.n_columns > COLUMN_VALUES;
    failed = failed || drain_kernel(k, &sink, err) || finish_kernel(w, err);
    w->r.counts.static_insts = w->r.table.n;
    if (counts)
        *counts = w->r.counts;
    free_recording(&w->r);
    return failed ? -1 : 0;
}

int replay_writer_finish(struct replay_writer *w, struct err *err)
{
    uint64_t last = w->out.offset;
    int failed;

    put_varint(&w->program, 0); /* 0: the end of the list of kernels */
    failed = section_write(&w->out, SECTION_PROGRAM, &w->program, err);
    if (!failed)
        failed = section_finish(&w->out, last, err);
    replay_writer_abandon(w);
    return failed;
}
