/* leno_read.c - reads recordings: .leno files, as docs/formats.md describes them.
 *
 * Sections are decompressed when a warp comes to them and shared by all warps that read
 * them; a few that nobody reads are kept, since blocks are asked for almost in order.
 */
#include <stdlib.h>

#include "frontend/replay/blocks.h"
#include "frontend/replay/bytes.h"
#include "frontend/replay/internal.h"
#include "frontend/replay/section.h"

enum { MAX_IDLE = 8 }; /* sections kept that nobody reads */

struct leno {
    struct replay base; /* first */
    struct section_in in;
    char *file, *program;
    uint64_t *kernels; /* offsets of their sections */
    uint64_t at;       /* the next one to hand out */
};

/* A decompressed section. */
struct page {
    struct buf raw;
    uint32_t section;
    unsigned readers;
    struct page *next; /* of the idle ones, the latest first */
};

struct piece {
    uint32_t section, offset;
};

struct leno_kernel {
    struct replayed base; /* first */
    struct leno *of;
    struct replay_counts counts;
    uint64_t *sections; /* offsets in the file */
    struct page **pages;
    uint32_t n_sections;
    struct piece *pieces;
    uint64_t *first_piece; /* of each block, and one more */
    struct page *idle;
    unsigned n_idle;
};

static struct page *take_idle(struct leno_kernel *k, struct page *wanted)
{
    struct page **at = &k->idle, *p;

    while (*at && *at != wanted && (wanted || (*at)->next))
        at = &(*at)->next;
    p = *at;
    if (p) {
        *at = p->next;
        k->n_idle--;
    }
    return p;
}

/* A page to read into: a fresh one, or the one idle for longest. */
static struct page *empty_page(struct leno_kernel *k, struct err *err)
{
    struct page *p = k->n_idle >= MAX_IDLE ? take_idle(k, NULL) : NULL;

    if (p) {
        k->pages[p->section] = NULL;
        return p;
    }
    p = calloc(1, sizeof *p);
    if (!p)
        err_kind(err, ERR_LIMIT, "out of host memory");
    return p;
}

static struct page *get_page(struct leno_kernel *k, uint32_t section, struct err *err)
{
    struct page *p = k->pages[section];
    struct section_want want = { k->sections[section], SECTION_DATA, CODEC_PAD };

    if (p) {
        if (!p->readers++)
            take_idle(k, p);
        return p;
    }
    p = empty_page(k, err);
    if (!p)
        return NULL;
    if (section_read(&k->of->in, &want, &p->raw, NULL, err)) {
        buf_free(&p->raw);
        free(p);
        return NULL;
    }
    p->section = section;
    p->readers = 1;
    k->pages[section] = p;
    return p;
}

static void release(struct replayed_block *b, unsigned warp)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    struct page *p = b->warps[warp].page;

    b->warps[warp].page = NULL;
    if (--p->readers)
        return;
    p->next = k->idle;
    k->idle = p;
    k->n_idle++;
}

static int damaged_piece(const struct replayed_block *b, const struct piece *piece,
                         struct err *err)
{
    const struct leno_kernel *k = (const struct leno_kernel *)b->of;

    return err_set(err, "%s: offset %llu: kernel %s, block %llu: piece damaged",
                   b->of->file, (unsigned long long)k->sections[piece->section],
                   b->of->base.name, (unsigned long long)b->number);
}

/* A piece: the lengths of all warps' bytes, then the bytes. Sets up the warps from
 * first to last, both included. */
static int find_bytes(struct replayed_block *b, const struct page *p, uint32_t offset,
                      unsigned first, unsigned last)
{
    struct reader r = { (const uint8_t *)p->raw.data,
                        (const uint8_t *)p->raw.data + p->raw.len, false };
    uint64_t length[2048 / WARP_LANES];

    read_bytes(&r, offset);
    for (unsigned k = 0; k < b->stream.n_warps; k++)
        length[k] = read_below(&r, SECTION_MAX_DATA);
    for (unsigned k = 0; k <= last; k++) {
        const uint8_t *at = read_bytes(&r, length[k]);

        if (r.is_short)
            return -1;
        if (k < first)
            continue;
        b->warps[k].d.p = at;
        b->warps[k].d.end = at + length[k];
    }
    return 0;
}

static int next_piece(struct replayed_block *b, unsigned warp, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    struct replayed_warp *w = &b->warps[warp];
    uint64_t n = k->first_piece[b->number] + w->piece;
    const struct piece *piece = &k->pieces[n];

    if (n >= k->first_piece[b->number + 1])
        return 0;
    w->piece++;
    if (w->page)
        release(b, warp);
    w->page = get_page(k, piece->section, err);
    if (!w->page)
        return -1;
    if (find_bytes(b, w->page, piece->offset, warp, warp))
        return damaged_piece(b, piece, err);
    return 1;
}

/* All warps at their first piece, with one look at it. */
static int first_pieces(struct replayed_block *b, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    uint64_t n = k->first_piece[b->number];
    unsigned n_warps = b->stream.n_warps;
    struct page *page;

    if (n >= k->first_piece[b->number + 1])
        return 0;
    page = get_page(k, k->pieces[n].section, err);
    if (!page)
        return -1;
    page->readers += n_warps - 1;
    for (unsigned w = 0; w < n_warps; w++) {
        b->warps[w].page = page;
        b->warps[w].piece = 1;
    }
    if (find_bytes(b, page, k->pieces[n].offset, 0, n_warps - 1))
        return damaged_piece(b, &k->pieces[n], err);
    return 0;
}

static struct stream *open_block(struct kernel *base, uint64_t block, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)base;
    struct replayed_block *b = replayed_open(&k->base, block, err);

    if (!b)
        return NULL;
    if (first_pieces(b, err)) {
        replayed_close(base, &b->stream);
        return NULL;
    }
    return &b->stream;
}

static const struct kernel_ops kernel_ops = { .open = open_block,
                                              .close = replayed_close,
                                              .text = replayed_text };

static void free_kernel(struct kernel *base)
{
    struct leno_kernel *k = (struct leno_kernel *)base;

    replayed_free(&k->base);
    while (k->idle) {
        struct page *p = take_idle(k, k->idle);

        buf_free(&p->raw);
        free(p);
    }
    free(k->sections);
    free(k->pages);
    free(k->pieces);
    free(k->first_piece);
    free(k);
}

static char *read_string(struct reader *r)
{
    uint64_t n = read_varint(r);
    const uint8_t *p = read_bytes(r, n);
    char *s = p ? malloc(n + 1) : NULL;

    if (!s) {
        r->is_short = true;
        return NULL;
    }
    memcpy(s, p, n);
    s[n] = '\0';
    return s;
}

static uint32_t read32(struct reader *r)
{
    return (uint32_t)read_below(r, (uint64_t)1 << 32);
}

static int read_head(struct leno_kernel *k, struct reader *r, struct err *err)
{
    struct kernel *base = &k->base.base;

    base->name = read_string(r);
    for (unsigned i = 0; i < 3; i++) {
        base->grid[i] = read32(r);
        base->block[i] = read32(r);
        base->cluster_shape[i] = read32(r);
    }
    base->registers = read32(r);
    base->shared = read32(r);
    base->first_pc = read_varint(r);
    k->counts.warp_insts = read_varint(r);
    k->counts.thread_insts = read_varint(r);
    k->counts.memory_insts = read_varint(r);
    k->counts.raw_bytes = read_varint(r);
    k->counts.file_bytes = read_varint(r);
    if (r->is_short)
        return err_set(err, "%s: kernel damaged", k->base.file);
    return replayed_shape(&k->base, err);
}

static int read_sections(struct leno_kernel *k, struct reader *r, struct err *err)
{
    uint64_t last = 0;

    k->n_sections = (uint32_t)read_below(r, (uint64_t)(r->end - r->p) + 1);
    k->sections = calloc(k->n_sections + 1, sizeof *k->sections);
    k->pages = calloc(k->n_sections + 1, sizeof(struct page *));
    if (!k->sections || !k->pages)
        return err_kind(err, ERR_LIMIT, "out of host memory");
    for (uint32_t n = 0; n < k->n_sections; n++)
        k->sections[n] = last += read_varint(r);
    return 0;
}

/* Offsets are differences, which version 1 had not yet. */
static uint32_t read_offset(const struct leno_kernel *k, struct reader *r,
                            uint32_t last)
{
    if (k->of->in.version < 2)
        return (uint32_t)read_below(r, SECTION_MAX_DATA);
    last += (uint32_t)unzigzag(read_varint(r));
    r->is_short |= last >= SECTION_MAX_DATA;
    return last;
}

static int read_pieces(struct leno_kernel *k, struct reader *r, struct err *err)
{
    uint64_t left = (uint64_t)(r->end - r->p), n_blocks = k->base.base.n_blocks, n = 0;
    uint32_t section = 0, offset = 0;

    if (n_blocks > left)
        return err_set(err, "%s: kernel %s: %llu blocks, but no room for them",
                       k->base.file, k->base.base.name, (unsigned long long)n_blocks);
    k->first_piece = malloc((n_blocks + 1) * sizeof *k->first_piece);
    k->pieces = malloc((left / 2 + 1) * sizeof *k->pieces); /* two bytes each */
    if (!k->first_piece || !k->pieces)
        return err_kind(err, ERR_LIMIT, "out of host memory");
    for (uint64_t b = 0; b < n_blocks; b++) {
        uint64_t more = read_below(r, left / 2 + 1 - n);

        k->first_piece[b] = n;
        for (; more; more--, n++) {
            section += (uint32_t)unzigzag(read_varint(r));
            if (section >= k->n_sections)
                r->is_short = true;
            k->pieces[n].section = section;
            k->pieces[n].offset = offset = read_offset(k, r, offset);
            if (r->is_short)
                break;
        }
        if (r->is_short)
            return err_set(err, "%s: kernel %s: index of blocks damaged", k->base.file,
                           k->base.base.name);
    }
    k->first_piece[n_blocks] = n;
    return 0;
}

static int read_kernel(struct leno_kernel *k, struct reader *r, struct err *err)
{
    if (read_head(k, r, err))
        return -1;
    if (table_get(&k->base.table, r, err))
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    k->counts.static_insts = k->base.table.n;
    if (read_sections(k, r, err) || read_pieces(k, r, err))
        return -1;
    if (k->of->in.version > 1 && table_get_distances(&k->base.table, r, err))
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    if (r->p != r->end || r->is_short)
        return err_set(err, "%s: kernel %s: more in its section than expected",
                       k->base.file, k->base.base.name);
    return 0;
}

static int next_kernel(struct replay *base, struct kernel **out, struct err *err)
{
    struct leno *l = (struct leno *)base;
    struct section_want want = { 0, SECTION_KERNEL, 0 };
    struct leno_kernel *k;
    struct buf raw = { 0 };
    struct reader r;

    if (l->at >= base->info.n_kernels)
        return 0;
    want.offset = l->kernels[l->at];
    if (section_read(&l->in, &want, &raw, NULL, err))
        goto fail;
    k = calloc(1, sizeof *k);
    if (!k) {
        err_kind(err, ERR_LIMIT, "out of host memory");
        goto fail;
    }
    k->of = l;
    k->base.base.ops = &kernel_ops;
    k->base.file = l->file;
    k->base.next_piece = next_piece;
    k->base.release = release;
    r = (struct reader){ (uint8_t *)raw.data, (uint8_t *)raw.data + raw.len, false };
    if (read_kernel(k, &r, err)) {
        free_kernel(&k->base.base);
        goto fail;
    }
    buf_free(&raw);
    l->at++;
    *out = &k->base.base;
    return 1;
fail:
    buf_free(&raw);
    return -1;
}

static bool kernel_counts(const struct kernel *k, struct replay_counts *counts)
{
    *counts = ((const struct leno_kernel *)k)->counts;
    return true;
}

static void close_leno(struct replay *base)
{
    struct leno *l = (struct leno *)base;

    section_close(&l->in);
    free(l->kernels);
    free(l->program);
    free(l->file);
    free(l);
}

static const struct replay_ops ops = { .next = next_kernel,
                                       .free_kernel = free_kernel,
                                       .counts = kernel_counts,
                                       .close = close_leno };

static int read_program(struct leno *l, struct err *err)
{
    struct section_want want = { 0, SECTION_PROGRAM, 0 };
    struct buf raw = { 0 };
    struct reader r;
    uint64_t offset;

    if (section_find_last(&l->in, &want.offset, err) ||
        section_read(&l->in, &want, &raw, NULL, err)) {
        buf_free(&raw);
        return -1;
    }
    r = (struct reader){ (uint8_t *)raw.data, (uint8_t *)raw.data + raw.len, false };
    l->program = read_string(&r);
    l->base.info.program = l->program;
    l->base.info.sm = (unsigned)read_below(&r, 1000);
    l->kernels = calloc((size_t)(r.end - r.p) + 1, sizeof *l->kernels);
    while (l->kernels && (offset = read_varint(&r)))
        l->kernels[l->base.info.n_kernels++] = offset;
    buf_free(&raw);
    if (!l->kernels || r.is_short || r.p != r.end)
        return err_set(err, "%s: offset %llu: list of kernels damaged", l->file,
                       (unsigned long long)want.offset);
    return 0;
}

struct replay *leno_open(const struct replay_source *s, struct err *err)
{
    struct leno *l = calloc(1, sizeof *l);
    int failed;

    if (!l || !(l->file = strdup(s->name))) {
        free(l);
        err_kind(err, ERR_LIMIT, "out of host memory");
        return NULL;
    }
    l->base.ops = &ops;
    failed = s->data ? section_open_memory(&l->in, l->file, s->data, s->size, err)
                     : section_open(&l->in, l->file, err);
    if (!failed)
        failed = read_program(l, err);
    if (failed) {
        close_leno(&l->base);
        return NULL;
    }
    return &l->base;
}
