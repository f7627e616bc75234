/* traceg_write.c - writes kernels as Accel-Sim's traces, in the format of its tracer's
 * version 3.
 *
 * A block's text is kept until it is complete, since the number of a warp's
 * instructions precedes them; blocks are written in the order of their numbers.
 * Constant loads and textures have no addresses there. RZ is R255, found in the
 * instruction's text, which is also where its name comes from.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "frontend/replay/drain.h"
#include "frontend/replay/replay.h"
#include "frontend/replay/table.h"
#include "frontend/replay/traceg.h"

struct warp_text {
    struct buf lines;
    uint64_t n;
};

struct slot {
    struct slot *next; /* blocks that wait for earlier ones */
    uint64_t block;
    unsigned n_warps;
    struct warp_text warps[];
};

struct traceg_writer {
    char *folder;
    bool is_own; /* the folder was not there before */
    unsigned sm, generation;
    uint64_t n_kernels;   /* files written */
    struct file_out *out; /* the kernel in progress */
    FILE *f;              /* its stream */
    struct buf path;
    const struct kernel *k;
    struct inst_table table; /* the texts are the constant parts of lines */
    struct slot *waiting;
    uint64_t next_block;
    struct replay_counts counts;
};

static unsigned generation_of(unsigned sm)
{
    return sm == 75 ? TURING : sm == 80 || sm == 86 ? AMPERE : 0;
}

struct traceg_writer *traceg_writer_new(const char *folder, unsigned sm,
                                        struct err *err)
{
    struct traceg_writer *w;
    bool is_own;

    if (!generation_of(sm)) {
        err_kind(err, ERR_UNSUPPORTED,
                 "traces for Accel-Sim: it has no opcodes of sm_%u; use sm_75 or sm_86",
                 sm);
        return NULL;
    }
    is_own = !mkdir(folder, 0777);
    if (!is_own && errno != EEXIST) {
        err_set(err, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    w = calloc(1, sizeof *w);
    if (!w || !(w->folder = strdup(folder))) {
        free(w);
        err_memory(err, "a trace");
        return NULL;
    }
    w->is_own = is_own;
    w->sm = sm;
    w->generation = generation_of(sm);
    return w;
}

static void set_path(struct traceg_writer *w, const char *name, uint64_t n)
{
    buf_clear(&w->path);
    buf_printf(&w->path, "%s/", w->folder);
    if (n)
        buf_printf(&w->path, "%s-%" PRIu64 ".traceg", name, n);
    else
        buf_puts(&w->path, name);
}

static int file_error(const struct traceg_writer *w, struct err *err)
{
    return err_set(err, "%s: could not be written: %s", buf_text(&w->path),
                   strerror(errno));
}

static int create_file(struct traceg_writer *w, struct err *err)
{
    w->out = file_out_open(buf_text(&w->path), err);
    w->f = w->out ? file_out_stream(w->out) : NULL;
    return w->out ? 0 : -1;
}

/* Keeps a complete file, or removes it. */
static int complete_file(struct traceg_writer *w, int failed, struct err *err)
{
    if (!w->out)
        return -1;
    if (failed)
        file_out_drop(w->out);
    else
        failed = file_out_keep(w->out, err);
    w->out = NULL;
    w->f = NULL;
    return failed ? -1 : 0;
}

void traceg_writer_abandon(struct traceg_writer *w)
{
    if (!w)
        return;
    for (uint64_t n = 1; n <= w->n_kernels; n++) {
        set_path(w, "kernel", n);
        unlink(buf_text(&w->path));
    }
    if (w->is_own)
        rmdir(w->folder);
    buf_free(&w->path);
    free(w->folder);
    free(w);
}

int traceg_writer_finish(struct traceg_writer *w, struct err *err)
{
    int failed;

    set_path(w, "kernelslist.g", 0);
    failed = create_file(w, err);
    for (uint64_t n = 1; !failed && n <= w->n_kernels; n++)
        fprintf(w->f, "kernel-%" PRIu64 ".traceg\n", n);
    failed = complete_file(w, failed, err);
    if (!failed) {
        w->n_kernels = 0; /* they stay */
        w->is_own = false;
    }
    traceg_writer_abandon(w);
    return failed;
}

static void put_head(struct traceg_writer *w)
{
    const struct kernel *k = w->k;

    fprintf(w->f, "-kernel name = %s\n", k->name);
    fprintf(w->f, "-kernel id = %" PRIu64 "\n", w->n_kernels + 1);
    fprintf(w->f, "-grid dim = (%u,%u,%u)\n", k->grid[0], k->grid[1], k->grid[2]);
    fprintf(w->f, "-block dim = (%u,%u,%u)\n", k->block[0], k->block[1], k->block[2]);
    fprintf(w->f, "-shmem = %u\n-nregs = %u\n", k->shared, k->registers);
    fprintf(w->f, "-binary version = %u\n-cuda stream id = 0\n", w->sm);
    fprintf(w->f, "-shmem base_addr = 0x%016llx\n", TRACEG_SHARED_BASE);
    fprintf(w->f, "-local mem base_addr = 0x%016llx\n", TRACEG_LOCAL_BASE);
    fputs("-nvbit version = none\n-accelsim tracer version = 3\n\n", w->f);
    fputs("#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
          "mem_width [addr_mode addresses]\n",
          w->f);
}

/* ---- blocks ---- */

static void *open_slot(void *to, uint64_t block, unsigned n_warps, struct err *err)
{
    struct slot *s = calloc(1, sizeof *s + n_warps * sizeof(struct warp_text));

    (void)to;
    if (!s) {
        err_memory(err, "the warps of a block");
        return NULL;
    }
    s->block = block;
    s->n_warps = n_warps;
    return s;
}

static void free_slot(void *to, void *slot)
{
    struct slot *s = slot;

    (void)to;
    for (unsigned k = 0; k < s->n_warps; k++)
        buf_free(&s->warps[k].lines);
    free(s);
}

static void put_block(struct traceg_writer *w, const struct slot *s)
{
    const uint32_t *grid = w->k->grid;
    long before = ftell(w->f), after;

    fprintf(w->f, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n",
            (unsigned)(s->block % grid[0]), (unsigned)(s->block / grid[0] % grid[1]),
            (unsigned)(s->block / grid[0] / grid[1]));
    for (unsigned k = 0; k < s->n_warps; k++) {
        fprintf(w->f, "\nwarp = %u\ninsts = %" PRIu64 "\n", k, s->warps[k].n);
        fwrite(s->warps[k].lines.data, 1, s->warps[k].lines.len, w->f);
    }
    fputs("\n#END_TB\n", w->f);
    after = ftell(w->f);
    w->counts.file_bytes += (uint64_t)(after - before);
}

/* Writes the blocks that are next in order; the others wait, sorted. */
static int close_slot(void *to, void *slot, struct err *err)
{
    struct traceg_writer *w = to;
    struct slot *s = slot, **at = &w->waiting;

    while (*at && (*at)->block < s->block)
        at = &(*at)->next;
    s->next = *at;
    *at = s;
    while (w->waiting && w->waiting->block == w->next_block) {
        s = w->waiting;
        w->waiting = s->next;
        w->next_block++;
        put_block(w, s);
        free_slot(w, s);
    }
    return ferror(w->f) ? file_error(w, err) : 0;
}

static int write_nothing(void *to, void *slot, struct err *err)
{
    (void)to, (void)slot, (void)err;
    return 0;
}

/* ---- lines ---- */

static int number_of(struct traceg_writer *w, const struct inst *i, uint32_t *number,
                     struct err *err)
{
    struct buf text = { 0 }, line = { 0 };
    int failed;

    *number = table_find(&w->table, i->pc);
    if (*number != TABLE_NONE)
        return 0;
    if (w->k->ops->text)
        w->k->ops->text(w->k, i, &text);
    failed = traceg_put_operands(&line, i, buf_text(&text), w->generation, err) ||
             table_add(&w->table, i, err);
    if (failed)
        err_prefix(err, "kernel %s", w->k->name);
    else
        table_set_text(&w->table, buf_text(&line), line.len);
    *number = w->table.n - 1;
    buf_free(&text);
    buf_free(&line);
    return failed ? -1 : 0;
}

/* One run of at least two lanes at one distance. */
static bool is_line(const struct dyn *d, int64_t *stride)
{
    unsigned first = (unsigned)__builtin_ctz(d->mask);
    uint32_t run = d->mask >> first;

    if (run & (run + 1) || !(run & 2))
        return false;
    *stride =
        (int64_t)(addresses_at(&d->addr, first + 1) - addresses_at(&d->addr, first));
    if (*stride > INT32_MAX || *stride < INT32_MIN)
        return false;
    for (unsigned l = first + 1; l < WARP_LANES && d->mask >> l & 1; l++)
        if (addresses_at(&d->addr, l) - addresses_at(&d->addr, l - 1) !=
            (uint64_t)*stride)
            return false;
    return true;
}

static void put_addresses(struct buf *out, const struct dyn *d)
{
    unsigned width = d->inst->bytes ? d->inst->bytes : 4;
    uint64_t last;
    int64_t stride;

    buf_printf(out, " %u", width);
    if (!d->mask) {
        buf_puts(out, " 1 0x0 0");
        return;
    }
    last = addresses_at(&d->addr, (unsigned)__builtin_ctz(d->mask));
    if (is_line(d, &stride)) {
        buf_printf(out, " 1 0x%" PRIx64 " %" PRId64, last, stride);
        return;
    }
    buf_printf(out, " 2 0x%" PRIx64, last);
    for (uint32_t m = d->mask & (d->mask - 1); m; m &= m - 1) {
        uint64_t a = addresses_at(&d->addr, (unsigned)__builtin_ctz(m));

        buf_printf(out, " %" PRId64, (int64_t)(a - last));
        last = a;
    }
}

static bool has_addresses(const struct dyn *d)
{
    return d->space != SPACE_NONE && d->space != SPACE_CONST &&
           d->space != SPACE_TEXTURE;
}

static int take_inst(void *to, void *slot, unsigned warp, const struct dyn *d,
                     struct err *err)
{
    struct traceg_writer *w = to;
    struct warp_text *t = &((struct slot *)slot)->warps[warp];
    uint32_t number;

    if (number_of(w, d->inst, &number, err))
        return -1;
    w->counts.warp_insts++;
    w->counts.thread_insts += (unsigned)__builtin_popcount(d->active);
    w->counts.memory_insts += d->space != SPACE_NONE && d->mask;
    t->n++;
    buf_printf(&t->lines, "%04x %08x %s", (uint32_t)(d->inst->pc - w->k->first_pc),
               d->mask, w->table.text[number]);
    if (has_addresses(d))
        put_addresses(&t->lines, d);
    else
        buf_puts(&t->lines, " 0");
    buf_putc(&t->lines, '\n');
    return 0;
}

static int end_warp(void *to, void *slot, unsigned warp, struct err *err)
{
    (void)to, (void)slot, (void)warp, (void)err;
    return 0;
}

int traceg_record_kernel(struct traceg_writer *w, struct kernel *k,
                         struct replay_counts *counts, struct err *err)
{
    struct drain_sink sink = { .open = open_slot,
                               .inst = take_inst,
                               .warp_end = end_warp,
                               .turn_end = write_nothing,
                               .closed = close_slot,
                               .dropped = free_slot,
                               .to = w };
    int failed;

    w->k = k;
    w->next_block = 0;
    w->counts = (struct replay_counts){ 0 };
    set_path(w, "kernel", w->n_kernels + 1);
    if (create_file(w, err))
        return -1;
    put_head(w);
    failed = drain_kernel(k, &sink, err);
    failed = complete_file(w, failed, err);
    w->n_kernels += !failed;
    while (w->waiting) {
        struct slot *s = w->waiting;

        w->waiting = s->next;
        free_slot(w, s);
    }
    w->counts.static_insts = w->table.n;
    w->counts.raw_bytes = w->counts.file_bytes;
    table_free(&w->table);
    if (counts)
        *counts = w->counts;
    return failed;
}
