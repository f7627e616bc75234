/* konata.c - a pipeline log for Konata: the Kanata format, version 0004.
 *
 * Source: Konata's docs/kanata-log-format.md, and what its parser and renderer do
 * beyond that text:
 * - Rows stand in the order of ids and are drawn until the first that begins right of
 *   the screen, so ids are given in the order in which instructions appear.
 * - A stage or an instruction of no length is not drawn. A change is therefore held
 *   back until its cycle is over: of two stages that begin in one cycle the later one
 *   is written. An instruction that ends in the cycle it came in lasts one cycle.
 * - Cycle 0 means "not ended"; nothing ends there. The value of C= is ignored, so the
 *   log starts at 0 and steps to the first cycle.
 * - Two logs are aligned by retire ids, which are indices of an array. Here they number
 *   the instructions of all warps that the window wants, whether shown or not, by
 *   kernel, block, warp and program order. That is known at the end only: the log is
 *   kept in a scratch file with an R line's warp and number in the place of the id, and
 *   copied when the run is over.
 *
 * Not here: flushed and refetched instructions are two rows with one retire id, as the
 * format has it. What is still in flight at the end has no R and is drawn as
 * unfinished. Counters are Perfetto's.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "trace/flight.h"
#include "trace/sink.h"

/* An end that is written in the cycle after the one it was reported in. */
struct late {
    uint64_t id, seq;
    size_t track;
    bool flushed;
};

struct konata {
    struct trace base;
    struct flights flights;
    char *path;
    FILE *log;        /* scratch */
    uint64_t now;     /* cycle of what is reported */
    uint64_t written; /* cycle that the log is at */
    uint32_t *dirty;  /* keys whose stage or cause changed in this cycle */
    size_t n_dirty, cap_dirty;
    struct late *late;
    size_t n_late, cap_late;
    struct buf text;
};

static struct konata *konata_of(struct trace *t)
{
    return (struct konata *)t; /* base is its first member */
}

static void write_cycle(struct konata *k)
{
    if (k->now > k->written)
        fprintf(k->log, "C\t%" PRIu64 "\n", k->now - k->written);
    k->written = k->now;
}

/* The warp and number stand in for the retire id. */
static void write_end(struct konata *k, const struct late *e)
{
    write_cycle(k);
    fprintf(k->log, "R\t%" PRIu64 "\t%zu %" PRIu64 "\t%d\n", e->id, e->track, e->seq,
            e->flushed);
}

/* Writes the instruction's stage and cause of this cycle. */
static void draw_flight(struct konata *k, struct flight *fl)
{
    fl->dirty = false;
    write_cycle(k);
    if (fl->overlaid[0] && !fl->cause[0])
        fprintf(k->log, "E\t%" PRIu64 "\t1\tstl\n", fl->id);
    if (fl->stage != fl->drawn)
        fprintf(k->log, "S\t%" PRIu64 "\t0\t%s\n", fl->id,
                trace_stage_name((enum trace_stage)fl->stage, fl->class, fl->space));
    fl->drawn = fl->stage;
    if (fl->cause[0] && strcmp(fl->cause, fl->overlaid) != 0) {
        buf_clear(&k->text);
        flight_clean(&k->text, fl->cause);
        fprintf(k->log, "S\t%" PRIu64 "\t1\tstl\nL\t%" PRIu64 "\t2\t%s\n", fl->id,
                fl->id, buf_text(&k->text));
    }
    memcpy(fl->overlaid, fl->cause, sizeof fl->overlaid);
}

/* At the end of a cycle: writes the instructions that changed in it. */
static void draw_dirty(struct konata *k)
{
    for (size_t i = 0; i < k->n_dirty; i++) {
        struct flight *fl = &k->flights.slot[k->dirty[i]];

        if (fl->dirty)
            draw_flight(k, fl);
    }
    k->n_dirty = 0;
    if (k->n_late)
        k->now++;
    for (size_t i = 0; i < k->n_late; i++)
        write_end(k, &k->late[i]);
    k->n_late = 0;
}

static void mark_dirty(struct konata *k, struct flight *fl)
{
    if (!fl->shown || fl->dirty)
        return;
    if (k->n_dirty == k->cap_dirty) {
        size_t n = k->cap_dirty ? 2 * k->cap_dirty : 64;

        k->dirty = flight_grow(k->dirty, k->cap_dirty, n, sizeof *k->dirty);
        k->cap_dirty = n;
    }
    k->dirty[k->n_dirty++] = (uint32_t)(fl - k->flights.slot);
    fl->dirty = true;
}

/* Colours by thread are colours by warp: its number in the grid. */
static uint64_t thread_of(const struct flight *fl)
{
    uint64_t warps = fl->source ? kernel_warps(fl->source) : 0;

    return (fl->block * warps + fl->warp_of) & INT32_MAX;
}

static void remember_producer(struct konata *k, const struct flight *fl)
{
    struct resident *r = flight_resident(&k->flights, fl->sm, fl->warp);

    if (!r->ring) {
        r->ring = flight_grow(NULL, 0, FLIGHT_RING, sizeof *r->ring);
        for (unsigned i = 0; i < FLIGHT_RING; i++)
            r->ring[i].seq = UINT64_MAX;
    }
    r->ring[fl->seq % FLIGHT_RING].seq = fl->seq;
    r->ring[fl->seq % FLIGHT_RING].id = fl->id;
    r->ring[fl->seq % FLIGHT_RING].track = fl->track;
}

static void show_flight(struct konata *k, struct flight *fl)
{
    uint64_t pc = fl->pc, id = k->base.n_shown++;

    fl->shown = true;
    fl->id = id;
    fl->since = k->now;
    write_cycle(k);
    buf_clear(&k->text);
    flight_text(fl, &k->text);
    fprintf(k->log, "I\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", id, fl->seq,
            thread_of(fl));
    fprintf(k->log, "L\t%" PRIu64 "\t0\tw%" PRIu32 " 0x%04" PRIx64 " %s\n", id,
            fl->warp_of, pc, buf_text(&k->text));
    buf_clear(&k->text);
    flight_clean(&k->text, fl->source && fl->source->name ? fl->source->name : "?");
    fprintf(k->log,
            "L\t%" PRIu64 "\t1\t%s, launch %" PRIu64 ", block %" PRIu64
            ", warp %" PRIu32 "\\nseq %" PRIu64 ", mask %08" PRIx32
            ", SM %u, slot %u\\n\n",
            id, buf_text(&k->text), fl->kernel, fl->block, fl->warp_of, fl->seq,
            fl->mask, fl->sm, fl->warp);
    remember_producer(k, fl);
    mark_dirty(k, fl);
}

/* Instructions in flight when the window opens are shown from then on. */
static void open_window(struct konata *k)
{
    size_t n;
    uint32_t *keys = flight_waiting(&k->flights, &n);

    k->flights.opened = true;
    k->now = k->base.cycles.first;
    for (size_t i = 0; i < n; i++)
        show_flight(k, &k->flights.slot[keys[i]]);
    free(keys);
}

static void konata_advance_to(struct konata *k, uint64_t cycle)
{
    if (!k->flights.opened) {
        if (cycle < k->base.cycles.first)
            return;
        open_window(k);
    }
    if (cycle > k->now) {
        draw_dirty(k);
        k->now = cycle;
    }
}

/* The instruction if this view wants it; shows it inside the window. */
static struct flight *konata_flight(struct konata *k, const struct trace_inst *i,
                                    uint64_t cycle)
{
    struct flight *fl;

    konata_advance_to(k, cycle);
    fl = flight_at(&k->flights, &k->base, i, cycle);
    if (fl && !fl->shown && k->flights.opened && k->now <= k->base.cycles.last)
        show_flight(k, fl);
    return fl;
}

static void konata_kernel(struct trace *t, const struct kernel *k, uint32_t number,
                          uint64_t cycle)
{
    (void)t, (void)k, (void)number, (void)cycle;
}

static void konata_counter(struct trace *t, unsigned sm, const char *name,
                           uint64_t value, uint64_t cycle)
{
    (void)t, (void)sm, (void)name, (void)value, (void)cycle;
}

static void konata_stage(struct trace *t, const struct trace_inst *i,
                         enum trace_stage stage, uint64_t cycle)
{
    struct konata *k = konata_of(t);
    struct flight *fl = konata_flight(k, i, cycle);

    if (fl && flight_enter(fl, stage, cycle))
        mark_dirty(k, fl);
}

static void konata_wait(struct trace *t, const struct trace_inst *i, const char *cause,
                        uint64_t cycle)
{
    struct konata *k = konata_of(t);
    struct flight *fl = konata_flight(k, i, cycle);

    if (!fl)
        return;
    flight_wait(fl, cause);
    mark_dirty(k, fl);
}

static void konata_depend(struct trace *t, const struct trace_inst *i,
                          uint64_t producer_seq, uint64_t cycle)
{
    struct konata *k = konata_of(t);
    struct flight *fl = konata_flight(k, i, cycle);
    struct resident *r;

    if (!fl || !fl->shown || producer_seq >= fl->seq || producer_seq == fl->producer)
        return;
    r = flight_resident(&k->flights, fl->sm, fl->warp);
    if (r->ring[producer_seq % FLIGHT_RING].seq != producer_seq ||
        r->ring[producer_seq % FLIGHT_RING].track != fl->track)
        return; /* not in the file */
    fl->producer = producer_seq;
    write_cycle(k);
    fprintf(k->log, "W\t%" PRIu64 "\t%" PRIu64 "\t0\n", fl->id,
            r->ring[producer_seq % FLIGHT_RING].id);
}

/* True cycle numbers, also where the row begins later because the window did. */
static void write_cycles(struct konata *k, const struct flight *fl, bool flushed,
                         uint64_t cycle)
{
    fprintf(k->log, "L\t%" PRIu64 "\t1\t", fl->id);
    for (unsigned s = 0; s < N_TRACE_STAGE; s++) {
        if (fl->seen >> s & 1)
            fprintf(k->log, "%s %" PRIu64 ", ",
                    trace_stage_name((enum trace_stage)s, fl->class, fl->space),
                    fl->began[s]);
    }
    fprintf(k->log, "%s %" PRIu64 "\n", flushed ? "flushed" : "retired", cycle);
}

static void konata_retire(struct trace *t, const struct trace_inst *i, bool flushed,
                          uint64_t cycle)
{
    struct konata *k = konata_of(t);
    struct flight *fl = konata_flight(k, i, cycle);
    struct late end;

    if (!fl)
        return;
    fl->live = false;
    if (!fl->shown)
        return;
    end = (struct late){ fl->id, fl->seq, fl->track, flushed };
    write_cycle(k);
    if (fl->since < k->now) {
        fl->dirty = false; /* what began in this cycle would have no length */
        write_cycles(k, fl, flushed, cycle);
        write_end(k, &end);
        return;
    }
    if (fl->dirty)
        draw_flight(k, fl);
    write_cycles(k, fl, flushed, cycle);
    if (k->n_late == k->cap_late) {
        size_t n = k->cap_late ? 2 * k->cap_late : 64;

        k->late = flight_grow(k->late, k->cap_late, n, sizeof *k->late);
        k->cap_late = n;
    }
    k->late[k->n_late++] = end;
}

struct numbered {
    const struct track *track;
    size_t index;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_program(const void *a, const void *b)
{
    const struct track *x = ((const struct numbered *)a)->track;
    const struct track *y = ((const struct numbered *)b)->track;
    int c = compare_numbers(x->kernel, y->kernel);

    c = c ? c : compare_numbers(x->block, y->block);
    return c ? c : compare_numbers(x->warp_of, y->warp_of);
}

/* How many of a warp's first count instructions have a number in the range. */
static uint64_t n_numbered(const struct trace_range *insts, uint64_t count)
{
    if (count <= insts->first)
        return 0;
    return (count - 1 < insts->last ? count - 1 : insts->last) - insts->first + 1;
}

/* The retire id of each warp's first instruction that can be shown. */
static uint64_t *first_ids(const struct konata *k)
{
    const struct flights *f = &k->flights;
    uint64_t *first = flight_grow(NULL, 0, f->n_tracks + 1, sizeof *first);
    struct numbered *order = flight_grow(NULL, 0, f->n_tracks + 1, sizeof *order);
    uint64_t next = 0, most = 0, here = 0;

    for (size_t i = 0; i < f->n_tracks; i++)
        order[i] = (struct numbered){ &f->tracks[i], i };
    qsort(order, f->n_tracks, sizeof *order, by_program);
    for (size_t i = 0; i < f->n_tracks; i++) {
        uint64_t n = n_numbered(&k->base.insts, order[i].track->count);

        /* A warp that was seen in two places is still one warp. */
        if (!i || by_program(&order[i - 1], &order[i]) != 0) {
            here = next += most;
            most = 0;
        }
        if (n > most)
            most = n;
        first[order[i].index] = here;
    }
    free(order);
    return first;
}

/* Copies the log, with retire ids in the R lines. */
static int copy_log(struct konata *k, struct sink *out, struct err *err)
{
    uint64_t *first = first_ids(k), id, seq;
    char *line = NULL;
    size_t cap = 0, track;
    ssize_t n;
    int flushed, status = 0;

    if (fflush(k->log) || ferror(k->log) || fseek(k->log, 0, SEEK_SET))
        status = err_set(err, "%s: scratch file could not be written: %s", k->path,
                         errno ? strerror(errno) : "disk full?");
    while (!status && (n = getline(&line, &cap, k->log)) > 0) {
        if (line[0] == 'R' && sscanf(line, "R\t%" SCNu64 "\t%zu %" SCNu64 "\t%d", &id,
                                     &track, &seq, &flushed) == 4) {
            buf_clear(&k->text);
            buf_printf(&k->text, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", id,
                       first[track] + (seq - k->base.insts.first), flushed);
            sink_add(out, k->text.data, k->text.len);
        } else {
            sink_add(out, line, (size_t)n);
        }
    }
    if (!status && ferror(k->log))
        status = err_set(err, "%s: scratch file could not be read", k->path);
    free(line);
    free(first);
    return status;
}

static int konata_finish(struct trace *t, struct err *err)
{
    struct konata *k = konata_of(t);
    struct sink *out = sink_open(k->path, err);
    int status = -1;

    if (out) {
        draw_dirty(k);
        errno = 0;
        status = copy_log(k, out, err);
        if (sink_close(out, status == 0, status ? NULL : err))
            status = -1;
    }
    fclose(k->log);
    flight_free(&k->flights);
    free(k->dirty);
    free(k->late);
    free(k->path);
    buf_free(&k->text);
    free(k);
    return status;
}

static const struct trace_ops konata_ops = {
    .kernel = konata_kernel,
    .stage = konata_stage,
    .wait = konata_wait,
    .depend = konata_depend,
    .retire = konata_retire,
    .counter = konata_counter,
    .finish = konata_finish,
};

struct trace *trace_konata(const char *path, const char *window, struct err *err)
{
    struct konata *k = flight_grow(NULL, 0, 1, sizeof *k);

    k->base.ops = &konata_ops;
    if (trace_window(&k->base, window, err) || !(k->log = file_scratch(path, err))) {
        free(k);
        return NULL;
    }
    k->path = strdup(path);
    if (!k->path) {
        err_memory(err, "%s", path);
        fclose(k->log);
        free(k);
        return NULL;
    }
    fputs("Kanata\t0004\nC=\t0\n", k->log);
    return &k->base;
}
