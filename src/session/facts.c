/* facts.c - the facts that comparisons need, read from a result's JSON. */
#include "session/facts.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct facts_reader {
    sqlite3 *db; /* in memory, empty: only its JSON functions are used */
    sqlite3_stmt *number, *slots, *loads;
};

/* Single numbers: their path in the JSON and their field. A scheme's own numbers exist
 * only if it ran. */
static const struct number {
    const char *path;
    size_t offset;
    bool is_optional;
} numbers[] = {
    { "$.stats.\"gpu.cycles\"", offsetof(struct facts, cycles), false },
    { "$.stats.\"gpu.kernels\"", offsetof(struct facts, kernels), true },
    { "$.stats.\"gpu.capped\"", offsetof(struct facts, capped), true },
    { "$.config.\"gpu.launch_cycles\"", offsetof(struct facts, launch_cycles), true },
    { "$.stats.\"sm.cycles\"", offsetof(struct facts, sm_cycles), false },
    { "$.config.\"core.subcores\"", offsetof(struct facts, subcores), true },
    { "$.stats.\"sm.warp_insts\"", offsetof(struct facts, warp_insts), false },
    { "$.stats.\"sm.thread_insts\"", offsetof(struct facts, thread_insts), true },
    { "$.stats.\"sm.reordered\"", offsetof(struct facts, reordered), false },
    { "$.stats.occupancy", offsetof(struct facts, occupancy), false },
    { "$.stats.\"socgpu.inserted\"", offsetof(struct facts, inserted), true },
    { "$.stats.\"socgpu.raw\"", offsetof(struct facts, raw), true },
    { "$.stats.\"socgpu.war_waw\"", offsetof(struct facts, war_waw), true },
    { "$.stats.\"turbulence.inserted\"", offsetof(struct facts, hybrid), true },
    { "$.stats.\"turbulence.free\"", offsetof(struct facts, free), true },
    { "$.stats.\"turbulence.moves\"", offsetof(struct facts, moves), true },
    { "$.stats.\"socgpu.stop\"", offsetof(struct facts, stop), true },
    { "$.stats.\"vortex.cycles\"", offsetof(struct facts, vortex_cycles), true },
    { "$.stats.\"vortex.stall_alu\"", offsetof(struct facts, stall_alu), true },
    { "$.stats.\"vortex.stall_fpu\"", offsetof(struct facts, stall_fpu), true },
    { "$.stats.\"vortex.stall_lsu\"", offsetof(struct facts, stall_lsu), true },
    { "$.stats.\"vortex.stall_sfu\"", offsetof(struct facts, stall_sfu), true },
    { "$.stats.\"vortex.stall_ibuffer\"", offsetof(struct facts, stall_ibuffer), true },
    { "$.config.\"vxloog.cus\"", offsetof(struct facts, cus), true },
    { "$.stats.\"vxloog.cu_busy\"", offsetof(struct facts, cu_busy), true },
    { "$.stats.\"vxloog.cu_held\"", offsetof(struct facts, cu_held), true },
    { "$.stats.\"vxloog.cu_allocs\"", offsetof(struct facts, cu_allocs), true },
    { "$.stats.\"vxloog.no_cu\"", offsetof(struct facts, no_cu), true },
    { "$.stats.\"vxloog.reordered\"", offsetof(struct facts, passed), true },
    { "$.stats.\"sm.skipped\"", offsetof(struct facts, skipped), true },
    { "$.stats.\"uv.reused\"", offsetof(struct facts, reused), true },
    { "$.stats.\"darsie.uniform\"", offsetof(struct facts, uniform), true },
    { "$.stats.\"darsie.affine\"", offsetof(struct facts, affine), true },
    { "$.stats.\"darsie.unstructured\"", offsetof(struct facts, unstructured), true },
    { "$.energy.joules", offsetof(struct facts, joules), true },
    { "$.energy.watts", offsetof(struct facts, watts), true },
    { "$.energy.components.window", offsetof(struct facts, window_joules), true },
    { "$.energy.components.eliminator", offsetof(struct facts, table_joules), true },
    { "$.energy.components.active", offsetof(struct facts, active_joules), true },
    { "$.energy.components.idle", offsetof(struct facts, idle_joules), true },
    { "$.energy.duration", offsetof(struct facts, seconds), true },
    { "$.config.\"gpu.sms\"", offsetof(struct facts, sms), true },
};

/* Of a sample (session/sample.h); they take the place of what was timed. */
static const struct number estimates[] = {
    { "$.estimate.cycles", offsetof(struct facts, cycles), false },
    { "$.estimate.half_width", offsetof(struct facts, half_width), false },
    { "$.estimate.launches", offsetof(struct facts, kernels), false },
};

static const char slots[] =
    "SELECT c.key, sum(c.value) FROM json_each(?1, '$.slots') s,"
    " json_each(s.value) c GROUP BY c.key";
static const char loads[] =
    "SELECT json_extract(l.value, '$.kernel') k, b.key, sum(b.value)"
    " FROM json_each(?1, '$.loads') l, json_each(l.value, '$.cycles.buckets') b"
    " GROUP BY k, b.key";

struct facts_reader *facts_reader_new(struct err *err)
{
    struct facts_reader *r = calloc(1, sizeof *r);

    if (r && !sqlite3_open(":memory:", &r->db) &&
        !sqlite3_prepare_v2(r->db, "SELECT json_extract(?1, ?2)", -1, &r->number,
                            NULL) &&
        !sqlite3_prepare_v2(r->db, slots, -1, &r->slots, NULL) &&
        !sqlite3_prepare_v2(r->db, loads, -1, &r->loads, NULL))
        return r;
    if (r && r->db)
        err_set(err, "SQLite cannot read JSON: %s", sqlite3_errmsg(r->db));
    else
        err_memory(err, "SQLite");
    facts_reader_free(r);
    return NULL;
}

void facts_reader_free(struct facts_reader *r)
{
    if (!r)
        return;
    sqlite3_finalize(r->number);
    sqlite3_finalize(r->slots);
    sqlite3_finalize(r->loads);
    sqlite3_close(r->db);
    free(r);
}

static int read_number(struct facts_reader *r, const char *json,
                       const struct number *number, struct facts *f, struct err *err)
{
    double *to = (double *)(void *)((char *)f + number->offset);
    bool found;

    sqlite3_bind_text(r->number, 1, json, -1, SQLITE_STATIC);
    sqlite3_bind_text(r->number, 2, number->path, -1, SQLITE_STATIC);
    found = sqlite3_step(r->number) == SQLITE_ROW &&
            sqlite3_column_type(r->number, 0) != SQLITE_NULL;
    if (found)
        *to = sqlite3_column_double(r->number, 0);
    sqlite3_reset(r->number);
    if (found || number->is_optional)
        return 0;
    return err_set(err, "a result without %s", number->path + 2);
}

/* How far instructions passed older ones, with LOOG on Vortex. */
static int read_distances(struct facts_reader *r, const char *json, struct facts *f,
                          struct err *err)
{
    for (size_t i = 0; i < FACTS_DISTANCES; i++) {
        char path[48];
        struct number number = { path, offsetof(struct facts, distance), true };

        number.offset += i * sizeof *f->distance;
        snprintf(path, sizeof path, "$.stats.\"vxloog.distance_%zu\"", i + 1);
        if (read_number(r, json, &number, f, err))
            return -1;
    }
    return 0;
}

static int read_estimate(struct facts_reader *r, const char *json, struct facts *f,
                         struct err *err)
{
    sqlite3_bind_text(r->number, 1, json, -1, SQLITE_STATIC);
    sqlite3_bind_text(r->number, 2, "$.estimate.whole", -1, SQLITE_STATIC);
    f->is_estimate = sqlite3_step(r->number) == SQLITE_ROW &&
                     sqlite3_column_type(r->number, 0) == SQLITE_INTEGER &&
                     !sqlite3_column_int(r->number, 0);
    sqlite3_reset(r->number);
    for (size_t i = 0; f->is_estimate && i < sizeof estimates / sizeof *estimates; i++)
        if (read_number(r, json, &estimates[i], f, err))
            return -1;
    return 0;
}

static void read_unchecked(struct facts_reader *r, const char *json, struct facts *f)
{
    const unsigned char *why;

    sqlite3_bind_text(r->number, 1, json, -1, SQLITE_STATIC);
    sqlite3_bind_text(r->number, 2, "$.unchecked", -1, SQLITE_STATIC);
    why = sqlite3_step(r->number) == SQLITE_ROW ? sqlite3_column_text(r->number, 0)
                                                : NULL;
    snprintf(f->unchecked, sizeof f->unchecked, "%s", why ? (const char *)why : "");
    sqlite3_reset(r->number);
}

static int cause_of(const char *name)
{
    for (int c = 0; c < N_STALL; c++)
        if (!strcmp(stall_name((enum stall)c), name))
            return c;
    return -1;
}

static void read_slots(struct facts_reader *r, const char *json, struct facts *f)
{
    sqlite3_bind_text(r->slots, 1, json, -1, SQLITE_STATIC);
    while (sqlite3_step(r->slots) == SQLITE_ROW) {
        const unsigned char *name = sqlite3_column_text(r->slots, 0);
        int c = name ? cause_of((const char *)name) : -1;

        if (c >= 0)
            f->slot[c] = sqlite3_column_double(r->slots, 1);
    }
    sqlite3_reset(r->slots);
}

/* The entry of a kernel, taken if it is not there; NULL: all are others'. */
static struct kernel_loads *loads_of_kernel(struct facts *f, const char *kernel)
{
    for (struct kernel_loads *k = f->kernel_loads; k < f->kernel_loads + FACTS_KERNELS;
         k++) {
        if (!*k->kernel)
            snprintf(k->kernel, sizeof k->kernel, "%s", kernel);
        if (!strncmp(k->kernel, kernel, sizeof k->kernel - 1))
            return k;
    }
    return NULL;
}

static void count_loads(struct histogram *h, int bucket, uint64_t n)
{
    h->bucket[bucket] += n;
    h->n += n;
}

static void read_loads(struct facts_reader *r, const char *json, struct facts *f)
{
    sqlite3_bind_text(r->loads, 1, json, -1, SQLITE_STATIC);
    while (sqlite3_step(r->loads) == SQLITE_ROW) {
        const unsigned char *name = sqlite3_column_text(r->loads, 0);
        struct kernel_loads *k = name ? loads_of_kernel(f, (const char *)name) : NULL;
        int bucket = sqlite3_column_int(r->loads, 1);
        sqlite3_int64 n = sqlite3_column_int64(r->loads, 2);

        if (bucket < 0 || bucket >= HISTOGRAM_BUCKETS || n < 0)
            continue;
        count_loads(&f->loads, bucket, (uint64_t)n);
        if (k)
            count_loads(&k->cycles, bucket, (uint64_t)n);
    }
    sqlite3_reset(r->loads);
}

int facts_read(struct facts_reader *r, const char *json, struct facts *f,
               struct err *err)
{
    *f = (struct facts){ .subcores = 1 }; /* of a Vortex core, which has no such key */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (read_number(r, json, &numbers[i], f, err)) {
            *f = (struct facts){ 0 }; /* a partial result is no result */
            return -1;
        }
    if (read_estimate(r, json, f, err)) {
        *f = (struct facts){ 0 };
        return -1;
    }
    if (f->vortex_cycles > 0) {
        f->launch_cycles = 0; /* the parameter is there, but it is an SM's */
        if (read_distances(r, json, f, err))
            return -1;
    }
    read_unchecked(r, json, f);
    read_slots(r, json, f);
    read_loads(r, json, f);
    return 0;
}

char *facts_extras(struct facts_reader *r, const char *json)
{
    static const char *const names[] = { "series", "hot" };
    struct buf out = { 0 };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[16];

        snprintf(path, sizeof path, "$.%s", names[i]);
        sqlite3_bind_text(r->number, 1, json, -1, SQLITE_STATIC);
        sqlite3_bind_text(r->number, 2, path, -1, SQLITE_STATIC);
        if (sqlite3_step(r->number) == SQLITE_ROW &&
            sqlite3_column_type(r->number, 0) == SQLITE_TEXT)
            buf_printf(&out, "%s\"%s\": %s", out.len ? ", " : "", names[i],
                       (const char *)sqlite3_column_text(r->number, 0));
        sqlite3_reset(r->number);
    }
    return out.data;
}

double facts_compared_cycles(const struct facts *f)
{
    return f->cycles - f->kernels * f->launch_cycles;
}

double facts_passed_insts(const struct facts *f)
{
    return f->warp_insts + f->skipped;
}

double facts_stalls(const struct facts *f)
{
    return f->sm_cycles * f->subcores - f->slot[STALL_issued];
}
