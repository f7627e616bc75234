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

enum {
    MAX_IDLE = 8, /* sections kept that nobody reads */
    MAX_WARPS = 2048 / WARP_LANES,
};

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
    struct column *of;
    uint32_t section;
    unsigned readers;
    struct page *next; /* of the idle ones, the latest first */
};

struct place {
    uint32_t section, offset;
};

/* What is kept of one kind: instructions or values. */
struct column {
    enum section_kind kind;
    uint64_t *sections; /* offsets in the file */
    struct page **pages;
    uint32_t n_sections;
    struct place *at; /* by piece */
    struct page *idle;
    unsigned n_idle;
};

struct leno_kernel {
    struct replayed base; /* first */
    struct leno *of;
    struct replay_counts counts;
    struct column insts, values;
    uint64_t *first_piece; /* of each block, and one more */
    uint8_t *marks, *kinds;
};

static struct page *take_idle(struct column *c, struct page *wanted)
{
    struct page **at = &c->idle, *p;

    while (*at && *at != wanted && (wanted || (*at)->next))
        at = &(*at)->next;
    p = *at;
    if (p) {
        *at = p->next;
        c->n_idle--;
    }
    return p;
}

/* A page to read into: a fresh one, or the one idle for longest. */
static struct page *empty_page(struct column *c, struct err *err)
{
    struct page *p = c->n_idle >= MAX_IDLE ? take_idle(c, NULL) : NULL;

    if (p) {
        c->pages[p->section] = NULL;
        return p;
    }
    p = calloc(1, sizeof *p);
    if (!p)
        err_kind(err, ERR_LIMIT, "out of host memory");
    return p;
}

static struct page *get_page(struct leno_kernel *k, struct column *c, uint32_t section,
                             struct err *err)
{
    struct page *p = c->pages[section];
    struct section_want want = { c->sections[section], c->kind, CODEC_PAD };

    if (p) {
        if (!p->readers++)
            take_idle(c, p);
        return p;
    }
    p = empty_page(c, err);
    if (!p)
        return NULL;
    if (section_read(&k->of->in, &want, &p->raw, NULL, err)) {
        buf_free(&p->raw);
        free(p);
        return NULL;
    }
    p->of = c;
    p->section = section;
    p->readers = 1;
    c->pages[section] = p;
    return p;
}

static void release(struct replayed *r, void *page)
{
    struct page *p = page;

    (void)r;
    if (--p->readers)
        return;
    p->next = p->of->idle;
    p->of->idle = p;
    p->of->n_idle++;
}

static int damaged_piece(const struct replayed_block *b, const struct page *p,
                         struct err *err)
{
    return err_set(err, "%s: offset %llu: kernel %s, block %llu: piece damaged",
                   b->of->file, (unsigned long long)p->of->sections[p->section],
                   b->of->base.name, (unsigned long long)b->number);
}

/* A piece: the lengths of all warps' bytes, then the bytes. Finds those of each warp. */
static int find_bytes(const struct replayed_block *b, const struct page *p,
                      uint32_t offset, struct reader *at, struct err *err)
{
    struct reader r = { (const uint8_t *)p->raw.data,
                        (const uint8_t *)p->raw.data + p->raw.len, false };
    uint64_t length[MAX_WARPS];

    read_bytes(&r, offset);
    for (unsigned k = 0; k < b->stream.n_warps; k++)
        length[k] = read_below(&r, SECTION_MAX_DATA);
    for (unsigned k = 0; k < b->stream.n_warps; k++) {
        const uint8_t *bytes = read_bytes(&r, length[k]);

        if (r.is_short)
            return damaged_piece(b, p, err);
        at[k] = (struct reader){ bytes, bytes + length[k], false };
    }
    return 0;
}

/* The page with a piece, in the place of the one before. */
static struct page *turn_page(struct replayed_block *b, struct column *c, uint64_t n,
                              void **page, struct err *err)
{
    if (*page)
        release(b->of, *page);
    return *page = get_page((struct leno_kernel *)b->of, c, c->at[n].section, err);
}

static int next_piece(struct replayed_block *b, unsigned warp, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    struct replayed_warp *w = &b->warps[warp];
    uint64_t n = k->first_piece[b->number] + w->piece;
    struct reader at[MAX_WARPS];
    struct page *page;

    if (n >= k->first_piece[b->number + 1])
        return 0;
    w->piece++;
    page = turn_page(b, &k->insts, n, &w->page, err);
    if (!page || find_bytes(b, page, k->insts.at[n].offset, at, err))
        return -1;
    w->d.p = at[warp].p;
    w->d.end = at[warp].end;
    return 1;
}

/* The piece that the warp is at has been found. */
static int follow(struct replayed_block *b, unsigned warp, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    struct replayed_values *v = &b->values[warp];
    struct reader at[MAX_WARPS];
    struct page *page;
    uint64_t n;

    v->piece = b->warps[warp].piece;
    n = k->first_piece[b->number] + v->piece - 1;
    page = turn_page(b, &k->values, n, &v->page, err);
    if (!page || find_bytes(b, page, k->values.at[n].offset, at, err))
        return -1;
    value_turn(&v->d, at[warp]);
    return 0;
}

/* All warps at their first piece, with one look at it. */
static int first_pieces(struct replayed_block *b, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    uint64_t n = k->first_piece[b->number];
    unsigned n_warps = b->stream.n_warps;
    struct reader at[MAX_WARPS];
    struct page *page;

    if (n >= k->first_piece[b->number + 1])
        return 0;
    page = get_page(k, &k->insts, k->insts.at[n].section, err);
    if (!page)
        return -1;
    page->readers += n_warps - 1;
    for (unsigned w = 0; w < n_warps; w++) {
        b->warps[w].page = page;
        b->warps[w].piece = 1;
    }
    if (find_bytes(b, page, k->insts.at[n].offset, at, err))
        return -1;
    for (unsigned w = 0; w < n_warps; w++) {
        b->warps[w].d.p = at[w].p;
        b->warps[w].d.end = at[w].end;
    }
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

/* What there is was read with the kernel. */
static int mark(struct kernel *base, struct err *err)
{
    if (base->marks)
        return 0;
    return err_kind(
        err, ERR_UNSUPPORTED,
        "%s: kernel %s: neither marks of its code nor values were recorded; "
        "expected a recording of this version of leno record, of a workload",
        ((struct replayed *)base)->file, base->name);
}

static const struct kernel_ops kernel_ops = {
    .open = open_block, .close = replayed_close, .text = replayed_text, .mark = mark
};

static void free_column(struct column *c)
{
    while (c->idle) {
        struct page *p = take_idle(c, c->idle);

        buf_free(&p->raw);
        free(p);
    }
    free(c->sections);
    free(c->pages);
    free(c->at);
}

static void free_kernel(struct kernel *base)
{
    struct leno_kernel *k = (struct leno_kernel *)base;

    replayed_free(&k->base);
    free_column(&k->insts);
    free_column(&k->values);
    free(k->first_piece);
    free(k->marks);
    free(k->kinds);
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

static int read_sections(struct column *c, struct reader *r, struct err *err)
{
    uint64_t last = 0;

    c->n_sections = (uint32_t)read_below(r, (uint64_t)(r->end - r->p) + 1);
    c->sections = calloc(c->n_sections + 1, sizeof *c->sections);
    c->pages = calloc(c->n_sections + 1, sizeof(struct page *));
    if (!c->sections || !c->pages)
        return err_kind(err, ERR_LIMIT, "out of host memory");
    for (uint32_t n = 0; n < c->n_sections; n++)
        c->sections[n] = last += read_varint(r);
    return 0;
}

/* Relative to the last one; in version 1 the offset is not. */
static void read_place(const struct leno_kernel *k, const struct column *c,
                       struct reader *r, struct place *last)
{
    if (k->of->in.version < 2)
        last->offset = 0;
    last->section += (uint32_t)unzigzag(read_varint(r));
    last->offset += k->of->in.version < 2 ? (uint32_t)read_below(r, SECTION_MAX_DATA)
                                          : (uint32_t)unzigzag(read_varint(r));
    if (last->section >= c->n_sections || last->offset >= SECTION_MAX_DATA)
        r->is_short = true;
}

static int damaged_index(const struct leno_kernel *k, struct err *err)
{
    return err_set(err, "%s: kernel %s: index of blocks damaged", k->base.file,
                   k->base.base.name);
}

static int read_pieces(struct leno_kernel *k, struct reader *r, struct err *err)
{
    uint64_t left = (uint64_t)(r->end - r->p), n_blocks = k->base.base.n_blocks, n = 0;
    struct place last = { 0 };

    if (n_blocks > left)
        return err_set(err, "%s: kernel %s: %llu blocks, but no room for them",
                       k->base.file, k->base.base.name, (unsigned long long)n_blocks);
    k->first_piece = malloc((n_blocks + 1) * sizeof *k->first_piece);
    k->insts.at = malloc((left / 2 + 1) * sizeof *k->insts.at); /* two bytes each */
    if (!k->first_piece || !k->insts.at)
        return err_kind(err, ERR_LIMIT, "out of host memory");
    for (uint64_t b = 0; b < n_blocks; b++) {
        uint64_t more = read_below(r, left / 2 + 1 - n);

        k->first_piece[b] = n;
        for (; more && !r->is_short; more--, n++) {
            read_place(k, &k->insts, r, &last);
            k->insts.at[n] = last;
        }
        if (r->is_short)
            return damaged_index(k, err);
    }
    k->first_piece[n_blocks] = n;
    return 0;
}

/* Those of instructions that were not executed are not known, nor asked for. */
static int read_marks(struct leno_kernel *k, struct reader *r, uint64_t n_marks,
                      struct err *err)
{
    struct kernel *base = &k->base.base;
    const struct inst_table *t = &k->base.table;
    const uint8_t *p = read_bytes(r, t->n);

    k->marks = malloc(n_marks + 1);
    k->kinds = malloc((size_t)t->n + 1);
    if (!k->marks || !k->kinds)
        return err_kind(err, ERR_LIMIT, "out of host memory");
    memset(k->marks, NOT_REDUNDANT, n_marks);
    base->marks = k->marks;
    base->n_marks = n_marks;
    for (uint32_t n = 0; n < t->n && p; n++) {
        uint64_t place = kernel_place(base, t->inst[n]);

        r->is_short |= p[n] >= N_REDUNDANCY;
        if (place < n_marks)
            k->marks[place] = p[n];
    }
    if (r->is_short)
        return err_set(err, "%s: kernel %s: marks damaged", k->base.file, base->name);
    for (uint32_t n = 0; n < t->n; n++)
        k->kinds[n] = (uint8_t)value_kind(base, t->inst[n]);
    k->base.kinds = k->kinds;
    return 0;
}

/* Marks of the code, and where the values of the same pieces are. */
static int read_values(struct leno_kernel *k, struct reader *r, struct err *err)
{
    uint64_t n_pieces = k->first_piece[k->base.base.n_blocks];
    uint64_t has_marks = read_below(r, (uint64_t)TABLE_MAX + 2);
    struct place last = { 0 };

    if (!has_marks || r->is_short)
        return 0;
    if (k->base.base.n_blocks > UINT32_MAX)
        return damaged_index(k, err);
    if (read_marks(k, r, has_marks - 1, err) || read_sections(&k->values, r, err))
        return -1;
    k->values.at = malloc((n_pieces + 1) * sizeof *k->values.at);
    if (!k->values.at)
        return err_kind(err, ERR_LIMIT, "out of host memory");
    for (uint64_t n = 0; n < n_pieces && !r->is_short; n++) {
        read_place(k, &k->values, r, &last);
        k->values.at[n] = last;
    }
    return r->is_short ? damaged_index(k, err) : 0;
}

/* What version 1 did not have. */
static int read_more(struct leno_kernel *k, struct reader *r, struct err *err)
{
    if (k->of->in.version < 2)
        return 0;
    if (table_get_distances(&k->base.table, r, err))
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    return read_values(k, r, err);
}

static int read_kernel(struct leno_kernel *k, struct reader *r, struct err *err)
{
    if (read_head(k, r, err))
        return -1;
    if (table_get(&k->base.table, r, err))
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    k->counts.static_insts = k->base.table.n;
    if (read_sections(&k->insts, r, err) || read_pieces(k, r, err) ||
        read_more(k, r, err))
        return -1;
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
    k->base.follow = follow;
    k->base.release = release;
    k->insts.kind = SECTION_DATA;
    k->values.kind = SECTION_VALUES;
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
