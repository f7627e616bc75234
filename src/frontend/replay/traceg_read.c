/* traceg_read.c - reads Accel-Sim's traces: a list of kernels, or one.
 *
 * Of a plain file the places of blocks are noted as they are passed, so that any block
 * can be read again. A compressed one is read forwards: blocks passed on the way to the
 * requested one are kept until they are requested, and a second request for a block
 * starts over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/replay/internal.h"
#include "frontend/replay/traceg_block.h"

enum {
    MIN_BLOCK_BYTES = 32, /* of text: what bounds the number of blocks */
    MAX_KEPT = 512 << 20, /* bytes of blocks not requested yet */
    XZ_RATIO = 1 << 14,   /* no xz file of ours is smaller than its text by more */
};

struct traceg {
    struct replay base; /* first */
    struct replay_source source;
    char *file;
    char **kernels; /* paths; NULL: the source is the only one */
    uint64_t at;
};

struct place {
    uint64_t offset, n_lines; /* offset 0: not known yet */
};

struct traceg_kernel {
    struct replayed base; /* first */
    struct input in;
    struct traceg_head head;
    struct traceg_reader r;
    char *file;
    struct place *places;  /* plain files */
    struct place frontier; /* plain files: scanned up to here */
    struct traceg_page *kept;
    size_t kept_bytes;
};

static void release_page(struct replayed *r, void *page)
{
    struct traceg_page *p = page;

    (void)r;
    if (!--p->readers)
        traceg_page_free(p);
}

/* A block has one piece, which every warp was given when it was opened. */
static int next_piece(struct replayed_block *b, unsigned warp, struct err *err)
{
    (void)b, (void)warp, (void)err;
    return 0;
}

static struct traceg_page *take_kept(struct traceg_kernel *k, uint64_t block)
{
    for (struct traceg_page **at = &k->kept; *at; at = &(*at)->next) {
        struct traceg_page *p = *at;

        if (p->block != block)
            continue;
        *at = p->next;
        k->kept_bytes -= p->bytes.len;
        return p;
    }
    return NULL;
}

static int keep_page(struct traceg_kernel *k, struct traceg_page *p, struct err *err)
{
    p->next = k->kept;
    k->kept = p;
    k->kept_bytes += p->bytes.len;
    if (k->kept_bytes > MAX_KEPT)
        return input_error(&k->in, err,
                           "blocks are asked for in another order than they are in the "
                           "file; decompress it first (xz -d)");
    return 0;
}

static int block_missing(struct traceg_kernel *k, uint64_t block, struct err *err)
{
    const uint32_t *g = k->base.base.grid;

    return err_set(err, "%s: block %llu,%llu,%llu is not in the file", k->file,
                   (unsigned long long)(block % g[0]),
                   (unsigned long long)(block / g[0] % g[1]),
                   (unsigned long long)(block / g[0] / g[1]));
}

/* Plain files: scans on from the last known block. */
static struct traceg_page *find_block(struct traceg_kernel *k, uint64_t block,
                                      struct err *err)
{
    struct place *p = &k->places[block];
    struct traceg_page *page = NULL;
    uint64_t found;
    int got;

    if (p->offset) {
        if (input_seek(&k->in, p->offset, p->n_lines, err))
            return NULL;
        return traceg_read_block(&k->r, block, err);
    }
    if (input_seek(&k->in, k->frontier.offset, k->frontier.n_lines, err))
        return NULL;
    while ((got = traceg_next_block(&k->r, &found, err)) > 0) {
        struct place here = { k->in.offset, k->in.n_lines };

        if (k->places[found].offset) {
            input_error(&k->in, err, "this block was in line %llu already",
                        (unsigned long long)k->places[found].n_lines);
            return NULL;
        }
        k->places[found] = here;
        if (found == block)
            page = traceg_read_block(&k->r, block, err);
        if (found == block ? !page : traceg_skip_block(&k->r, err))
            return NULL;
        k->frontier = (struct place){ k->in.offset, k->in.n_lines };
        if (page)
            return page;
    }
    if (!got)
        block_missing(k, block, err);
    return NULL;
}

/* Compressed files: keeps the blocks on the way. */
static struct traceg_page *read_up_to(struct traceg_kernel *k, uint64_t block,
                                      bool keeps, struct err *err)
{
    uint64_t found;
    int got;

    while ((got = traceg_next_block(&k->r, &found, err)) > 0) {
        struct traceg_page *p;

        if (found != block && !keeps) {
            if (traceg_skip_block(&k->r, err))
                return NULL;
            continue;
        }
        p = traceg_read_block(&k->r, found, err);
        if (!p || found == block)
            return p;
        if (keep_page(k, p, err))
            return NULL;
    }
    return NULL;
}

static int restart_file(struct traceg_kernel *k, struct err *err)
{
    struct traceg_head again;
    int failed = input_rewind(&k->in, err);

    if (!failed) {
        failed = traceg_read_head(&k->in, &again, err);
        free(again.name);
    }
    return failed;
}

static struct traceg_page *get_block(struct traceg_kernel *k, uint64_t block,
                                     struct err *err)
{
    struct traceg_page *p = take_kept(k, block);

    if (p)
        return p;
    if (!k->in.is_xz)
        return find_block(k, block, err);
    err->code = ERR_NONE;
    p = read_up_to(k, block, true, err);
    if (p || err->code)
        return p;
    if (restart_file(k, err))
        return NULL;
    p = read_up_to(k, block, false, err);
    if (!p && !err->code)
        block_missing(k, block, err);
    return p;
}

static struct stream *open_block(struct kernel *base, uint64_t block, struct err *err)
{
    struct traceg_kernel *k = (struct traceg_kernel *)base;
    struct replayed_block *b = replayed_open(&k->base, block, err);
    struct traceg_page *p;
    struct err own = { 0 };

    if (!b)
        return NULL;
    p = get_block(k, block, err ? err : &own);
    if (!p) {
        replayed_close(base, &b->stream);
        return NULL;
    }
    p->readers = b->stream.n_warps;
    for (unsigned w = 0; w < b->stream.n_warps; w++) {
        const uint8_t *bytes = (const uint8_t *)p->bytes.data;

        b->warps[w].page = p;
        b->warps[w].d.p = bytes + (w ? p->end[w - 1] : 0);
        b->warps[w].d.end = bytes + p->end[w];
    }
    return &b->stream;
}

static int traceg_mark(struct kernel *k, struct err *err)
{
    return err_kind(err, ERR_UNSUPPORTED,
                    "%s: a trace of Accel-Sim has neither code nor values; expected a "
                    "workload, or a recording of leno record",
                    ((struct replayed *)k)->file);
}

static const struct kernel_ops kernel_ops = { .open = open_block,
                                              .close = replayed_close,
                                              .text = replayed_text,
                                              .mark = traceg_mark,
                                              .cut = replayed_cut };

static void free_kernel(struct kernel *base)
{
    struct traceg_kernel *k = (struct traceg_kernel *)base;

    replayed_free(&k->base);
    while (k->kept) {
        struct traceg_page *p = k->kept;

        k->kept = p->next;
        traceg_page_free(p);
    }
    for (uint32_t n = 0; n < k->r.n_keys; n++)
        free(k->r.keys[n]);
    free(k->r.keys);
    free(k->r.key_len);
    free(k->places);
    input_close(&k->in);
    free(k->file);
    free(k);
}

static int start_kernel(struct traceg_kernel *k, struct err *err)
{
    struct kernel *base = &k->base.base;
    uint64_t most;

    if (traceg_read_head(&k->in, &k->head, err)) {
        free(k->head.name);
        return -1;
    }
    base->name = k->head.name;
    for (unsigned i = 0; i < 3; i++) {
        base->grid[i] = k->head.grid[i];
        base->block[i] = k->head.block[i];
        base->cluster_shape[i] = 1;
    }
    base->registers = k->head.registers;
    base->shared = k->head.shared;
    base->lacks_control_words = true;
    if (replayed_shape(&k->base, err))
        return -1;
    most = k->in.size / MIN_BLOCK_BYTES + 1;
    if (base->n_blocks > (k->in.is_xz ? most * XZ_RATIO : most))
        return err_set(err, "%s: %llu blocks, but the file has %llu bytes", k->file,
                       (unsigned long long)base->n_blocks,
                       (unsigned long long)k->in.size);
    k->frontier = (struct place){ k->in.offset, k->in.n_lines };
    if (k->in.is_xz)
        return 0;
    k->places = calloc(base->n_blocks, sizeof *k->places);
    return k->places ? 0 : err_memory(err, "the blocks of a trace");
}

static struct traceg_kernel *new_kernel(const struct traceg *t, const char *file,
                                        struct err *err)
{
    struct traceg_kernel *k = calloc(1, sizeof *k);

    if (!k || !(k->file = strdup(file))) {
        free(k);
        err_memory(err, "a kernel of a trace");
        return NULL;
    }
    k->base.base.ops = &kernel_ops;
    k->base.file = k->file;
    k->base.next_piece = next_piece;
    k->base.release = release_page;
    k->r = (struct traceg_reader){ .in = &k->in,
                                   .head = &k->head,
                                   .k = &k->base.base,
                                   .table = &k->base.table,
                                   .rz_is_register = t->source.options.rz_is_register };
    if (input_open(&k->in, k->file, t->kernels ? NULL : t->source.data, t->source.size,
                   err) ||
        start_kernel(k, err)) {
        free_kernel(&k->base.base);
        return NULL;
    }
    return k;
}

static int next_kernel(struct replay *base, struct kernel **out, struct err *err)
{
    struct traceg *t = (struct traceg *)base;
    struct traceg_kernel *k;

    if (t->at >= base->info.n_kernels)
        return 0;
    k = new_kernel(t, t->kernels ? t->kernels[t->at] : t->file, err);
    if (!k)
        return -1;
    t->at++;
    if (!base->info.sm)
        base->info.sm = k->head.sm;
    *out = &k->base.base;
    return 1;
}

static void close_traceg(struct replay *base)
{
    struct traceg *t = (struct traceg *)base;

    for (uint64_t k = 0; t->kernels && k < base->info.n_kernels; k++)
        free(t->kernels[k]);
    free(t->kernels);
    free(t->file);
    free(t);
}

static const struct replay_ops ops = { .next = next_kernel,
                                       .free_kernel = free_kernel,
                                       .close = close_traceg };

/* A line of the list that names a file beside it. */
static int add_kernel(struct traceg *t, const struct input *in, const char *line,
                      struct err *err)
{
    uint64_t n = t->base.info.n_kernels;
    const char *slash = strrchr(t->file, '/');
    struct buf path = { 0 };
    char **kernels = realloc(t->kernels, (n + 1) * sizeof(char *));

    if (!kernels)
        return err_memory(err, "the kernels of a trace");
    t->kernels = kernels;
    if (strstr(line, ".."))
        return input_error(in, err, "'%.60s': expected a file below the list's folder",
                           line);
    if (slash)
        buf_add(&path, t->file, (size_t)(slash - t->file) + 1);
    buf_puts(&path, line);
    while (path.len && path.data[path.len - 1] == ' ')
        path.data[--path.len] = '\0';
    t->kernels[n] = path.data;
    t->base.info.n_kernels++;
    return 0;
}

/* A list of kernels has lines that begin with Memcpy or kernel; a kernel has '-'. */
static int read_list(struct traceg *t, struct err *err)
{
    struct input *in = malloc(sizeof *in);
    char *line;
    int got, failed = 0;

    if (!in)
        return err_memory(err, "the kernels of a trace");
    if (input_open(in, t->file, t->source.data, t->source.size, err)) {
        free(in);
        return -1;
    }
    got = input_line(in, &line, err);
    if (got > 0 && *line == '-') {
        t->base.info.n_kernels = 1;
    } else if (got > 0 && t->source.data) {
        failed = err_set(err, "%s: not a kernel of Accel-Sim", t->file);
    } else {
        bool is_list = false;

        for (; got > 0 && !failed; got = input_line(in, &line, err)) {
            if (!strncmp(line, "kernel", 6))
                failed = add_kernel(t, in, line, err);
            else if (!is_list && strncmp(line, "Memcpy", 6))
                failed = input_error(in, err,
                                     "expected a recording: a .leno file, a "
                                     "kernelslist.g or a .traceg");
            is_list = true;
        }
        if (!failed && got >= 0 && !t->base.info.n_kernels)
            failed = err_set(err, "%s: no kernels in it", t->file);
    }
    input_close(in);
    free(in);
    return failed || got < 0 ? -1 : 0;
}

struct replay *traceg_open(const struct replay_source *s, struct err *err)
{
    struct traceg *t = calloc(1, sizeof *t);

    if (!t || !(t->file = strdup(s->name))) {
        free(t);
        err_memory(err, "a trace");
        return NULL;
    }
    t->base.ops = &ops;
    t->base.info.program = "";
    t->source = *s;
    if (read_list(t, err)) {
        close_traceg(&t->base);
        return NULL;
    }
    return &t->base;
}
