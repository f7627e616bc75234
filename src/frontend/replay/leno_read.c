/* leno_read.c - reads recordings: .leno files, as docs/formats.md describes them. */
#include <pthread.h>
#include <stdlib.h>

#include "frontend/replay/blocks.h"
#include "frontend/replay/column.h"
#include "frontend/replay/internal.h"
#include "frontend/replay/loops.h"

enum { MAX_WARPS = 2048 / WARP_LANES };

struct leno {
    struct replay base; /* first */
    struct section_in in;
    char *file, *program;
    uint64_t *kernels; /* offsets of their sections */
    uint64_t at;       /* the next one to hand out */
};

struct leno_kernel {
    struct replayed base; /* first */
    struct leno *of;
    struct replay_counts counts;
    pthread_mutex_t lock; /* for the open blocks, the columns and the file */
    struct column insts, values;
    uint64_t *first_piece; /* of each block, and one more */
    uint8_t *marks, *kinds;
};

static void release_page(struct replayed *r, void *page)
{
    (void)r;
    page_release(page);
}

/* The bytes of each of the warps of a piece. */
static int find_bytes(const struct replayed_block *b, const struct column *c,
                      uint64_t n, const struct page *page, struct reader *at,
                      struct err *err)
{
    const struct place *place = &c->at[n];

    if (page_find(page, place->offset, at, b->stream.n_warps))
        return 0;
    return err_set(err, "%s: offset %llu: kernel %s, block %llu: piece damaged",
                   b->of->file, (unsigned long long)c->sections[place->section],
                   b->of->base.name, (unsigned long long)b->number);
}

/* The same; its page replaces the previous one. */
static int turn_page(const struct replayed_block *b, struct column *c, uint64_t n,
                     void **page, struct reader *at, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;

    pthread_mutex_lock(&k->lock);
    if (*page)
        page_release(*page);
    *page = column_page(c, c->at[n].section, 1, err);
    pthread_mutex_unlock(&k->lock);
    return *page ? find_bytes(b, c, n, *page, at, err) : -1;
}

static void set_bytes(struct replayed_warp *w, const struct reader *r)
{
    w->d.p = r->p;
    w->d.end = r->end;
}

static int next_piece(struct replayed_block *b, unsigned warp, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    struct replayed_warp *w = &b->warps[warp];
    uint64_t n = k->first_piece[b->number] + w->piece;
    struct reader at[MAX_WARPS];

    if (n >= k->first_piece[b->number + 1])
        return 0;
    w->piece++;
    if (turn_page(b, &k->insts, n, &w->page, at, err))
        return -1;
    set_bytes(w, &at[warp]);
    return 1;
}

static int follow_piece(struct replayed_block *b, unsigned warp, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    struct replayed_values *v = &b->values[warp];
    struct reader at[MAX_WARPS];

    v->piece = b->warps[warp].piece;
    if (turn_page(b, &k->values, k->first_piece[b->number] + v->piece - 1, &v->page, at,
                  err))
        return -1;
    value_turn(&v->d, at[warp]);
    return 0;
}

/* Moves all warps to their first piece, which is looked up once. */
static int first_pieces(struct replayed_block *b, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)b->of;
    uint64_t n = k->first_piece[b->number];
    unsigned n_warps = b->stream.n_warps;
    struct reader at[MAX_WARPS];
    struct page *page;

    if (n >= k->first_piece[b->number + 1])
        return 0;
    page = column_page(&k->insts, k->insts.at[n].section, n_warps, err);
    if (!page)
        return -1;
    for (unsigned w = 0; w < n_warps; w++) {
        b->warps[w].page = page;
        b->warps[w].piece = 1;
    }
    if (find_bytes(b, &k->insts, n, page, at, err))
        return -1;
    for (unsigned w = 0; w < n_warps; w++)
        set_bytes(&b->warps[w], &at[w]);
    return 0;
}

static struct stream *open_block(struct kernel *base, uint64_t block, struct err *err)
{
    struct leno_kernel *k = (struct leno_kernel *)base;
    struct replayed_block *b;

    pthread_mutex_lock(&k->lock);
    b = replayed_open(&k->base, block, err);
    if (b && first_pieces(b, err)) {
        replayed_close(base, &b->stream);
        b = NULL;
    }
    pthread_mutex_unlock(&k->lock);
    return b ? &b->stream : NULL;
}

static void close_block(struct kernel *base, struct stream *s)
{
    struct leno_kernel *k = (struct leno_kernel *)base;

    pthread_mutex_lock(&k->lock);
    replayed_close(base, s);
    pthread_mutex_unlock(&k->lock);
}

/* Marks were read with the kernel, if the recording has them. */
static int leno_mark(struct kernel *base, struct err *err)
{
    if (base->marks)
        return 0;
    return err_kind(
        err, ERR_UNSUPPORTED,
        "%s: kernel %s: neither marks of its code nor values were recorded; "
        "expected a recording of this version of leno record, of a workload",
        ((struct replayed *)base)->file, base->name);
}

static int leno_loops(const struct kernel *base, struct kernel_loops *l,
                      struct err *err)
{
    return loops_of_table(&((const struct replayed *)base)->table, base->first_pc, l,
                          err);
}

static const struct kernel_ops kernel_ops = { .open = open_block,
                                              .close = close_block,
                                              .text = replayed_text,
                                              .where = replayed_where,
                                              .loops = leno_loops,
                                              .mark = leno_mark,
                                              .cut = replayed_cut };

static void free_kernel(struct kernel *base)
{
    struct leno_kernel *k = (struct leno_kernel *)base;

    replayed_free(&k->base);
    column_free(&k->insts);
    column_free(&k->values);
    pthread_mutex_destroy(&k->lock);
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

    if (!p) {
        r->is_short = true;
        return NULL;
    }
    if (!s)
        err_memory_exit("a name");
    memcpy(s, p, n);
    s[n] = '\0';
    return s;
}

static uint32_t read_u32(struct reader *r)
{
    return (uint32_t)read_below(r, (uint64_t)1 << 32);
}

static int read_head(struct leno_kernel *k, struct reader *r, struct err *err)
{
    struct kernel *base = &k->base.base;

    base->name = read_string(r);
    for (unsigned i = 0; i < 3; i++) {
        base->grid[i] = read_u32(r);
        base->block[i] = read_u32(r);
        base->cluster_shape[i] = read_u32(r);
    }
    base->registers = read_u32(r);
    base->shared = read_u32(r);
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

/* Relative to the last one; in version 1 the offset is not. */
static void read_place(const struct leno_kernel *k, const struct column *c,
                       struct reader *r, struct place *last)
{
    if (k->of->in.version < 2)
        last->offset = 0;
    last->section += (uint32_t)zigzag_decode(read_varint(r));
    last->offset += k->of->in.version < 2 ? (uint32_t)read_below(r, SECTION_MAX_DATA)
                                          : (uint32_t)zigzag_decode(read_varint(r));
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
        return err_memory(err, "the blocks of a kernel");
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

/* Instructions that were not executed have no mark and need none. */
static int read_marks(struct leno_kernel *k, struct reader *r, uint64_t n_marks,
                      struct err *err)
{
    struct kernel *base = &k->base.base;
    const struct inst_table *t = &k->base.table;
    const uint8_t *p = read_bytes(r, t->n);

    k->marks = malloc(n_marks + 1);
    k->kinds = malloc((size_t)t->n + 1);
    if (!k->marks || !k->kinds)
        return err_memory(err, "the marks of a kernel");
    memset(k->marks, NOT_REDUNDANT, n_marks);
    base->marks = k->marks;
    base->n_marks = n_marks;
    for (uint32_t n = 0; n < t->n && p; n++) {
        uint64_t place = kernel_place(base, t->inst[n]);

        r->is_short |= p[n] >= N_REDUNDANCY;
        if (place < n_marks)
            k->marks[place] = (uint8_t)mark_recoded((enum redundancy)p[n]);
    }
    if (r->is_short)
        return err_set(err, "%s: kernel %s: marks damaged", k->base.file, base->name);
    for (uint32_t n = 0; n < t->n; n++)
        k->kinds[n] = (uint8_t)value_kind(base, t->inst[n]);
    k->base.kinds = k->kinds;
    return 0;
}

/* Where the values of the same pieces are. */
static int read_values(struct leno_kernel *k, struct reader *r, struct err *err)
{
    uint64_t n_pieces = k->first_piece[k->base.base.n_blocks];
    struct place last = { 0 };

    if (!k->marks)
        return 0;
    if (k->base.base.n_blocks > UINT32_MAX)
        return damaged_index(k, err);
    if (column_read_sections(&k->values, r, err))
        return -1;
    k->values.at = malloc((n_pieces + 1) * sizeof *k->values.at);
    if (!k->values.at)
        return err_memory(err, "the values of a kernel");
    for (uint64_t n = 0; n < n_pieces && !r->is_short; n++) {
        read_place(k, &k->values, r, &last);
        k->values.at[n] = last;
    }
    return r->is_short ? damaged_index(k, err) : 0;
}

static int read_insts(struct leno_kernel *k, struct reader *r, struct err *err)
{
    int failed = table_get(&k->base.table, r, k->of->in.version < 3, err);

    k->counts.static_insts = k->base.table.n;
    k->base.base.lacks_control_words = !table_has_control_words(&k->base.table);
    if (failed)
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    return 0;
}

static int take_code(struct leno_kernel *k, struct reader *r, struct err *err)
{
    uint64_t n_marks;

    if (read_insts(k, r, err))
        return -1;
    if (table_get_distances(&k->base.table, r, err))
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    n_marks = read_below(r, (uint64_t)TABLE_MAX + 2);
    if (n_marks && read_marks(k, r, n_marks - 1, err))
        return -1;
    if (k->of->in.version >= 5 && places_get(&k->base.places, r, k->base.table.n, err))
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    if (k->of->in.version >= 6 && polls_get(&k->base.polls, r, &k->base.table, err))
        return err_prefix(err, "%s: kernel %s", k->base.file, k->base.base.name);
    if (r->p != r->end || r->is_short)
        return err_set(err, "%s: kernel %s: more in its code than expected",
                       k->base.file, k->base.base.name);
    return 0;
}

/* A section of code; launches of the same kernel share it. */
static int read_code(struct leno_kernel *k, uint64_t offset, struct err *err)
{
    struct section_want want = { offset, SECTION_CODE, 0 };
    struct buf raw = { 0 };
    int failed = section_read(&k->of->in, &want, &raw, NULL, err);

    if (!failed) {
        struct reader r = { (uint8_t *)raw.data, (uint8_t *)raw.data + raw.len, false };

        failed = take_code(k, &r, err);
    }
    buf_free(&raw);
    return failed;
}

/* Version 1 has the instructions instead of their offset. */
static int read_kernel(struct leno_kernel *k, struct reader *r, struct err *err)
{
    int failed = read_head(k, r, err);

    if (!failed)
        failed = k->of->in.version < 2 ? read_insts(k, r, err)
                                       : read_code(k, read_varint(r), err);
    if (failed || column_read_sections(&k->insts, r, err) || read_pieces(k, r, err) ||
        read_values(k, r, err))
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
        err_memory(err, "a kernel");
        goto fail;
    }
    k->of = l;
    pthread_mutex_init(&k->lock, NULL);
    k->base.base.is_parallel = true;
    k->base.base.ops = &kernel_ops;
    k->base.file = l->file;
    k->base.has_async = l->in.version >= 6;
    k->base.next_piece = next_piece;
    k->base.follow = follow_piece;
    k->base.release = release_page;
    k->insts = (struct column){ .in = &l->in, .kind = SECTION_DATA };
    k->values = (struct column){ .in = &l->in, .kind = SECTION_VALUES };
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

/* Before version 4 nothing was inserted. */
static struct naming read_naming(const struct leno *l, struct reader *r)
{
    struct naming n = { .kind = NAMING_JOINS };

    if (l->in.version < 4)
        return n;
    n.kind = (enum naming_kind)read_below(r, NAMING_RELAY + 1);
    n.max_distance = (unsigned)read_below(r, DISTANCE_FAR);
    n.orders_writes = read_below(r, 2);
    return n;
}

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
    l->base.info.naming = read_naming(l, &r);
    l->kernels = calloc((size_t)(r.end - r.p) + 1, sizeof *l->kernels);
    while (l->kernels && (offset = read_varint(&r)))
        l->kernels[l->base.info.n_kernels++] = offset;
    buf_free(&raw);
    if (!l->kernels)
        return err_memory(err, "the kernels of %s", l->file);
    if (r.is_short || r.p != r.end)
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
        err_memory(err, "a recording");
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
