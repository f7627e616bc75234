/* leno_write.c - writes recordings: .leno files, as docs/formats.md describes them.
 *
 * Every open block has a piece for each warp; when the pieces of a block have grown, or
 * it ends, they go behind each other into the current section, and a full section goes
 * into the file. So memory is bounded by the blocks that are open together.
 */
#include <stdlib.h>

#include "frontend/replay/bytes.h"
#include "frontend/replay/codec.h"
#include "frontend/replay/drain.h"
#include "frontend/replay/replay.h"
#include "frontend/replay/section.h"

/* When a block's pieces are put away, and when a section is written. Sections of 32 KiB
 * make some files twice as large, 512 KiB up to 40 % smaller; but whoever wants one block
 * has to decompress a whole section. */
enum { PIECE_BYTES = 256 << 10, SECTION_BYTES = 128 << 10 };

/* Where a part of a block is. */
struct piece {
    uint64_t block;
    uint32_t section, offset;
};

/* The kernel being recorded. */
struct recording {
    struct inst_table table;
    struct kernel *k;
    struct buf section; /* current, decompressed */
    struct piece *pieces;
    size_t n_pieces, cap_pieces;
    uint64_t *sections; /* their offsets in the file */
    size_t n_sections, cap_sections;
    struct buf text;
    struct replay_counts counts;
};

struct replay_writer {
    struct section_out out;
    struct buf program; /* the last section, so far */
    uint64_t n_kernels;
    struct recording r;
};

struct slot {
    uint64_t block;
    unsigned n_warps;
    struct encoder warps[];
};

static void free_recording(struct recording *r)
{
    table_free(&r->table);
    buf_free(&r->section);
    buf_free(&r->text);
    free(r->pieces);
    free(r->sections);
    *r = (struct recording){ 0 };
}

struct replay_writer *replay_writer_new(const char *path, const char *program,
                                        unsigned sm, struct err *err)
{
    struct replay_writer *w = calloc(1, sizeof *w);

    if (!w) {
        err_kind(err, ERR_LIMIT, "out of host memory");
        return NULL;
    }
    if (section_create(&w->out, path, err)) {
        free(w);
        return NULL;
    }
    put_string(&w->program, program, strlen(program));
    put_varint(&w->program, sm);
    return w;
}

void replay_writer_abandon(struct replay_writer *w)
{
    if (!w)
        return;
    section_abandon(&w->out);
    buf_free(&w->program);
    free_recording(&w->r);
    free(w);
}

/* Makes room for one more element. */
static int reserve(void **at, size_t n, size_t *cap, size_t size, struct err *err)
{
    size_t more = *cap ? 2 * *cap : 64;
    void *bigger;

    if (n < *cap)
        return 0;
    bigger = realloc(*at, more * size);
    if (!bigger)
        return err_kind(err, ERR_LIMIT, "out of host memory");
    *at = bigger;
    *cap = more;
    return 0;
}

static int flush_section(struct replay_writer *w, struct err *err)
{
    struct recording *r = &w->r;
    uint64_t offset = w->out.offset;

    if (!r->section.len)
        return 0;
    if (reserve((void **)&r->sections, r->n_sections, &r->cap_sections,
                sizeof *r->sections, err) ||
        section_write(&w->out, SECTION_DATA, &r->section, err))
        return -1;
    r->sections[r->n_sections++] = offset;
    r->counts.raw_bytes += r->section.len;
    r->counts.file_bytes += w->out.offset - offset;
    buf_clear(&r->section);
    return 0;
}

/* Moves what has been encoded of a block into the current section. */
static int put_away(struct replay_writer *w, struct slot *s, struct err *err)
{
    struct recording *r = &w->r;

    if (r->section.len >= SECTION_BYTES && flush_section(w, err))
        return -1;
    if (reserve((void **)&r->pieces, r->n_pieces, &r->cap_pieces, sizeof *r->pieces,
                err))
        return -1;
    r->pieces[r->n_pieces++] =
        (struct piece){ s->block, (uint32_t)r->n_sections, (uint32_t)r->section.len };
    for (unsigned k = 0; k < s->n_warps; k++) {
        encode_cut(&s->warps[k]);
        put_varint(&r->section, s->warps[k].out.len);
    }
    for (unsigned k = 0; k < s->n_warps; k++) {
        buf_add(&r->section, s->warps[k].out.data, s->warps[k].out.len);
        buf_clear(&s->warps[k].out);
    }
    return 0;
}

static void *open_slot(void *to, uint64_t block, unsigned n_warps, struct err *err)
{
    struct slot *s = calloc(1, sizeof *s + n_warps * sizeof(struct encoder));

    (void)to;
    if (!s) {
        err_kind(err, ERR_LIMIT, "out of host memory");
        return NULL;
    }
    s->block = block;
    s->n_warps = n_warps;
    for (unsigned k = 0; k < n_warps; k++)
        encode_begin(&s->warps[k]);
    return s;
}

static void free_slot(void *to, void *slot)
{
    struct slot *s = slot;

    (void)to;
    for (unsigned k = 0; k < s->n_warps; k++)
        buf_free(&s->warps[k].out);
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

static int take_inst(void *to, void *slot, unsigned warp, const struct dyn *d,
                     struct err *err)
{
    struct recording *r = &((struct replay_writer *)to)->r;
    uint32_t number;

    if (number_of(r, d->inst, &number, err))
        return -1;
    r->counts.warp_insts++;
    r->counts.thread_insts += (unsigned)__builtin_popcount(d->active);
    r->counts.memory_insts += d->space != SPACE_NONE && d->mask;
    encode_inst(&((struct slot *)slot)->warps[warp], &r->table, number, d);
    return 0;
}

static int end_warp(void *to, void *slot, unsigned warp, struct err *err)
{
    struct recording *r = &((struct replay_writer *)to)->r;

    (void)err;
    encode_end(&((struct slot *)slot)->warps[warp], &r->table);
    return 0;
}

static int end_turn(void *to, void *slot, struct err *err)
{
    struct slot *s = slot;
    size_t n = 0;

    for (unsigned k = 0; k < s->n_warps; k++)
        n += s->warps[k].out.len;
    return n >= PIECE_BYTES ? put_away(to, s, err) : 0;
}

static int close_slot(void *to, void *slot, struct err *err)
{
    int failed = put_away(to, slot, err);

    free_slot(to, slot);
    return failed;
}

static int by_block(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Of each block: how many pieces, and where each is, relative to the one before. */
static void put_pieces(struct recording *r, struct buf *out)
{
    uint32_t section = 0, offset = 0;
    size_t at = 0;

    qsort(r->pieces, r->n_pieces, sizeof *r->pieces, by_block);
    for (uint64_t block = 0; block < r->k->n_blocks; block++) {
        size_t n = 0;

        while (at + n < r->n_pieces && r->pieces[at + n].block == block)
            n++;
        put_varint(out, n);
        for (size_t end = at + n; at < end; at++) {
            put_signed(out, (int64_t)r->pieces[at].section - section);
            put_signed(out, (int64_t)r->pieces[at].offset - offset);
            section = r->pieces[at].section;
            offset = r->pieces[at].offset;
        }
    }
}

static void put_kernel(struct recording *r, struct buf *out)
{
    const struct kernel *k = r->k;
    uint64_t last = 0;

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
    table_put(&r->table, out);
    put_varint(out, r->n_sections);
    for (size_t i = 0; i < r->n_sections; i++) {
        put_varint(out, r->sections[i] - last);
        last = r->sections[i];
    }
    put_pieces(r, out);
    table_put_distances(&r->table, out);
}

static int finish_kernel(struct replay_writer *w, struct err *err)
{
    struct buf raw = { 0 };
    uint64_t offset;
    int failed = flush_section(w, err);

    if (failed)
        return -1;
    offset = w->out.offset;
    put_kernel(&w->r, &raw);
    failed = section_write(&w->out, SECTION_KERNEL, &raw, err);
    buf_free(&raw);
    put_varint(&w->program, offset);
    w->n_kernels++;
    return failed;
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
                               .to = w };
    int failed;

    w->r = (struct recording){ .k = k };
    failed = drain_kernel(k, &sink, err) || finish_kernel(w, err);
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

    put_varint(&w->program, 0); /* no kernel is there: the list ends */
    failed = section_write(&w->out, SECTION_PROGRAM, &w->program, err);
    if (!failed)
        failed = section_finish(&w->out, last, err);
    replay_writer_abandon(w);
    return failed;
}
