/* wave.c - the order in which blocks and warps run where no machine times them.
 *
 * Each block has a clock of estimated cycles, and each of its warps a time at which it can
 * go on. In a round every warp whose time has come gets a turn; then the clock moves to
 * the next such time. A block runs for a stint of some cycles, then the other blocks do:
 * that is a sweep. Stints are short at first, so that blocks which start together see what
 * the others did first, and longer later: every change of block costs the host the
 * contents of its caches. Blocks that end within their first stint run one after another.
 */
#include "isa/wave.h"

#include <stdlib.h>

#include "base/invariant.h"

enum {
    FIRST_STINT = 2048, /* cycles; doubled every time, up to */
    LAST_STINT = 16384,
    /* Sweeps in which no block ends, before others start than may run at once: if all of
     * them sleep; if some do not. */
    PATIENCE = 4,
    LONG_PATIENCE = 64,
};

struct wave_block {
    void *block;                /* NULL: ended and closed */
    uint64_t live;              /* warps that have not ended, as bits */
    uint64_t waits;             /* of those, the ones that wait for others */
    uint64_t now, until, stint; /* cycles */
    bool slept, has_ended;
    struct wave_block *next_spare;
    uint64_t time[WAVE_MAX_WARPS]; /* when each can go on */
};

/* Warps that waited ask again, at this time. */
static void wake_warps(struct wave_block *b, uint64_t at)
{
    for (uint64_t m = b->waits; m; m &= m - 1)
        b->time[__builtin_ctzll(m)] = at;
    b->waits = 0;
}

/* Takes down what a warp's turn came to; returns when the next turn is due. */
static uint64_t note_turn(struct wave *v, struct wave_block *b, unsigned warp,
                          const struct wave_turn *t)
{
    uint64_t bit = (uint64_t)1 << warp, at = b->now + t->cycles;

    b->time[warp] = at;
    v->progress = v->progress || t->cycles;
    switch (t->end) {
    case WAVE_ENDED:
        b->live &= ~bit;
        break;
    case WAVE_WAITS:
        b->waits |= bit;
        break;
    case WAVE_SLEPT:
        b->slept = true;
        if (b->time[warp] < b->until)
            b->time[warp] = b->until;
        break;
    case WAVE_RAN:
        INVARIANT(t->cycles);
        break;
    }
    if (t->wakes)
        wake_warps(b, at);
    return t->wakes ? at : b->live & ~b->waits & bit ? b->time[warp] : UINT64_MAX;
}

/* A turn of every warp whose time has come. */
static int run_round(struct wave *v, struct wave_block *b, struct err *err)
{
    uint64_t next = UINT64_MAX;

    for (uint64_t m = b->live & ~b->waits; m; m &= m - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(m);
        uint64_t at = b->time[warp];
        struct wave_turn t;

        if (at <= b->now) {
            if (v->ops->run(v->to, b->block, warp, &t, err))
                return -1;
            at = note_turn(v, b, warp, &t);
        }
        next = at < next ? at : next;
    }
    if (next != UINT64_MAX)
        b->now = next;
    return 0;
}

static int run_stint(struct wave *v, struct wave_block *b, struct err *err)
{
    b->until = b->now + b->stint;
    b->stint = 2 * b->stint < LAST_STINT ? 2 * b->stint : LAST_STINT;
    b->slept = false;
    wake_warps(b, b->now); /* by another block, perhaps */
    while (b->live & ~b->waits && b->now < b->until)
        if (run_round(v, b, err))
            return -1;
    if (!b->slept && b->live & ~b->waits)
        v->is_busy = true;
    if (v->ops->pause && v->ops->pause(v->to, b->block, err))
        return -1;
    if (!b->live) {
        b->has_ended = true;
        v->idle_sweeps = 0;
        if (v->ops->end)
            v->ops->end(v->to, b->block);
    }
    return 0;
}

/* Room for one more block. */
static struct wave_block *add_block(struct wave *v, struct err *err)
{
    struct wave_block *b = v->spare;

    if (v->n == v->cap) {
        uint64_t cap = v->cap ? 2 * v->cap : 16;
        struct wave_block **at = realloc(v->at, cap * sizeof(struct wave_block *));

        if (!at) {
            err_memory(err, "the blocks in flight");
            return NULL;
        }
        v->at = at;
        v->cap = cap;
    }
    if (b)
        v->spare = b->next_spare;
    else if (!(b = malloc(sizeof *b)))
        err_memory(err, "a block in flight");
    return b;
}

static uint64_t bits_of(unsigned n_warps)
{
    return n_warps < 64 ? ((uint64_t)1 << n_warps) - 1 : ~(uint64_t)0;
}

int wave_adopt(struct wave *v, void *block, unsigned n_warps, struct err *err)
{
    struct wave_block *b = add_block(v, err);

    if (!b)
        return -1;
    *b = (struct wave_block){ .block = block, .stint = FIRST_STINT };
    b->live = bits_of(n_warps);
    v->at[v->n++] = b;
    return 0;
}

static int start_block(struct wave *v, uint32_t rank, struct err *err)
{
    unsigned n_warps = 0;
    void *block;

    if (wave_adopt(v, NULL, 0, err))
        return -1;
    block = v->ops->open(v->to, v->next, rank, &n_warps, err);
    v->at[v->n - 1]->block = block;
    v->at[v->n - 1]->live = bits_of(n_warps);
    return block ? 0 : -1;
}

/* The share of one cluster in a sweep; its blocks are closed when all have ended. */
static int run_cluster(struct wave *v, uint64_t first, struct err *err)
{
    bool has_ended = true;

    for (uint64_t k = first; k < first + v->cluster; k++) {
        struct wave_block *b = v->at[k];

        if (!b->has_ended && run_stint(v, b, err))
            return -1;
        has_ended = has_ended && b->has_ended;
    }
    for (uint64_t k = first; has_ended && k < first + v->cluster; k++) {
        void *block = v->at[k]->block;

        v->at[k]->block = NULL;
        if (v->ops->close(v->to, block, err))
            return -1;
    }
    return 0;
}

/* Takes closed blocks out of the list, from one on. */
static void drop_closed(struct wave *v, uint64_t from)
{
    uint64_t n = from;

    for (uint64_t k = from; k < v->n; k++) {
        struct wave_block *b = v->at[k];

        if (b->block) {
            v->at[n++] = b;
            continue;
        }
        b->next_spare = v->spare;
        v->spare = b;
    }
    v->n = n;
}

/* Starts clusters while there is room, in one sweep no more than the device holds. */
static int start_clusters(struct wave *v, struct err *err)
{
    for (uint64_t k = 0;
         k < v->resident && v->next < v->n_clusters && v->n < v->resident * v->cluster;
         k++, v->next++) {
        uint64_t first = v->n;

        for (uint32_t rank = 0; rank < v->cluster; rank++)
            if (start_block(v, rank, err))
                return -1;
        if (run_cluster(v, first, err))
            return -1;
        drop_closed(v, first);
    }
    return 0;
}

/* Twice as many clusters, up to what the device holds: there they would all have started by
 * now. Beyond that a real device would wait for ever; then one more. */
static uint64_t more_room(const struct wave *v)
{
    uint64_t now = v->n / v->cluster;

    if (now >= v->holds)
        return now + 1;
    return 2 * now < v->holds ? 2 * now : v->holds;
}

/* All blocks that run may wait for one that has not started. */
static int make_room(struct wave *v, struct err *err)
{
    if (v->next < v->n_clusters) {
        unsigned most = v->is_busy ? LONG_PATIENCE : v->progress ? PATIENCE : 0;

        if (++v->idle_sweeps >= most) {
            v->idle_sweeps = 0;
            if (v->resident <= v->n / v->cluster)
                v->resident = more_room(v);
        }
    } else if (v->n && !v->progress) {
        uint64_t k = 0;

        while (k + 1 < v->n && v->at[k]->has_ended)
            k++;
        v->ops->stuck(v->to, v->at[k]->block, (unsigned)__builtin_ctzll(v->at[k]->live),
                      err);
        return -1;
    }
    return 0;
}

int wave_run(struct wave *v, struct err *err)
{
    v->resident = v->resident ? v->resident : 1;
    while (v->n || v->next < v->n_clusters) {
        v->progress = v->is_busy = false;
        for (uint64_t k = 0; k < v->n; k += v->cluster)
            if (run_cluster(v, k, err))
                return -1;
        drop_closed(v, 0);
        if (start_clusters(v, err) || make_room(v, err))
            return -1;
    }
    return 0;
}

bool wave_has_ended(const struct wave *v, uint64_t n)
{
    return v->at[n]->has_ended;
}

void *wave_in_flight(const struct wave *v, uint64_t n)
{
    const struct wave_block *b = v->at[n];

    return b->has_ended && v->ops->end ? NULL : b->block;
}

void wave_free(struct wave *v)
{
    while (v->n)
        free(v->at[--v->n]);
    while (v->spare) {
        struct wave_block *b = v->spare;

        v->spare = b->next_spare;
        free(b);
    }
    free(v->at);
}
