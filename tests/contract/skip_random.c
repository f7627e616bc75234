/* skip_random.c - a redundancy eliminator that eliminates at random: for tests only.
 *
 * It says all that core/skip.h lets one say, whenever it may: an instruction is dropped
 * when nothing under way reads or writes what it writes, or writes what it reads; fetch of
 * a warp waits until something of that warp, or of any warp of its SM, has been written.
 * Values are the stream's, so every result stays right; what is tested is that each
 * scheme lives with windows in which instructions are missing or come late.
 *
 * Not dropped: what core/skip.h names, what writes nothing, and instructions whose control
 * word waits, as others rely on it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "core/skip.h"

#define RANDOM_PARAMS(NUM, ENUM, BOOL)                               \
    NUM(seed, 1, 0, 1000000, "", "of all choices")                   \
    NUM(drops, 2, 0, 1000, "", "one in so many is dropped; 0: none") \
    NUM(waits, 8, 0, 1000, "", "one in so many makes fetch wait; 0: none")
struct random_params {
    RANDOM_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define RANDOM_STATS(STAT)                                                  \
    STAT(dropped, "warp inst", "", "instructions dropped")                  \
    STAT(own_waits, "warp inst", "", "waits for a result of the same warp") \
    STAT(other_waits, "warp inst", "", "waits for a result of any warp")
struct random_stats {
    RANDOM_STATS(STAT_FIELD)
};

enum wait { WAIT_NOT, WAIT_OWN, WAIT_ANY };

struct in_flight {
    unsigned n; /* instructions fetched and not written */
    uint64_t asked;
    enum wait wait;
    uint16_t readers[N_REGID], writers[N_REGID];
};

struct random_skip {
    struct skip base;
    unsigned n; /* of all warps */
    struct in_flight warp[MAX_WARP_SLOTS];
};

static struct in_flight *of(struct skip *s, unsigned warp)
{
    return &((struct random_skip *)s)->warp[warp];
}

static void count(uint16_t *counts, const struct regset *set, int by)
{
    for (unsigned r = 0; r < N_REGID; r++)
        if (regset_has(set, r))
            counts[r] = (uint16_t)(counts[r] + by);
}

static void count_all(struct skip *s, const struct uop *u, int by)
{
    struct in_flight *w = of(s, u->warp);

    count(w->readers, &u->dyn.inst->reads, by);
    count(w->writers, &u->dyn.inst->writes, by);
    w->n = (unsigned)((int)w->n + by);
    ((struct random_skip *)s)->n += (unsigned)by;
}

/* Is its result as good as there already, in every register it writes? */
static bool may_drop(struct skip *s, const struct uop *u)
{
    const struct in_flight *w = of(s, u->warp);
    const struct inst *i = u->dyn.inst;
    bool writes = false;

    if (!inst_computes(i) || u->dyn.space || i->control.wait_mask)
        return false;
    for (unsigned r = 0; r < N_REGID; r++) {
        bool is_written = regset_has(&u->dyn.inst->writes, r);

        if (is_written && (w->readers[r] || w->writers[r]))
            return false;
        if (regset_has(&u->dyn.inst->reads, r) && w->writers[r])
            return false;
        writes |= is_written;
    }
    return writes;
}

static bool one_in(uint64_t random, uint32_t n)
{
    return n && random % n == 0;
}

static enum skip_verdict hold(struct skip *s, struct in_flight *w, enum wait wait)
{
    struct random_stats *t = s->stats;

    w->wait = wait;
    t->own_waits += wait == WAIT_OWN;
    t->other_waits += wait == WAIT_ANY;
    return SKIP_WAIT;
}

static enum skip_verdict random_judge(struct skip *s, const struct uop *u,
                                      bool is_fetched)
{
    const struct random_params *p = s->params;
    struct random_stats *t = s->stats;
    struct in_flight *w = of(s, u->warp);
    uint64_t random = hash_mix(p->seed * UINT64_C(1000003) + (u->dyn.seq << 20) +
                               (uint64_t)u->warp * 4096 + w->asked++ % 4096);

    w->wait = WAIT_NOT;
    if (w->n && one_in(random, p->waits))
        return hold(s, w, WAIT_OWN);
    if (((struct random_skip *)s)->n && one_in(random >> 16, p->waits))
        return hold(s, w, WAIT_ANY);
    if (one_in(random >> 32, p->drops) && may_drop(s, u)) {
        t->dropped++;
        return SKIP_DROP;
    }
    if (is_fetched)
        count_all(s, u, 1);
    return SKIP_EXECUTE;
}

static enum skip_verdict random_before_fetch(struct skip *s, const struct uop *u)
{
    return random_judge(s, u, false);
}

static enum skip_verdict random_at_fetch(struct skip *s, const struct uop *u)
{
    return random_judge(s, u, true);
}

static void random_written_back(struct skip *s, struct uop *u)
{
    count_all(s, u, -1);
    skip_wake(s, u->warp); /* without need */
    for (unsigned k = 0; k < MAX_WARP_SLOTS; k++) {
        struct in_flight *w = of(s, k);

        if (w->wait == WAIT_ANY || (w->wait == WAIT_OWN && k == u->warp)) {
            w->wait = WAIT_NOT;
            skip_wake(s, k);
        }
    }
}

static void random_warp_start(struct skip *s, unsigned warp)
{
    memset(of(s, warp), 0, sizeof(struct in_flight));
}

/* All it was told of has been written, and nothing waits for it. */
static void random_warp_end(struct skip *s, unsigned warp)
{
    if (of(s, warp)->n || of(s, warp)->wait)
        abort();
}

#define PARAM_OF struct random_params
static const struct param_group random_param_group =
    PARAM_GROUP("random", "random elimination, for tests", RANDOM_PARAMS);
#undef PARAM_OF
#define STAT_OF struct random_stats
static const struct stat_group random_stat_group =
    STAT_GROUP("random", "random elimination, for tests", RANDOM_STATS);
#undef STAT_OF

extern const struct skip_ops skip_random;
const struct skip_ops skip_random = {
    .name = "random",
    .summary = "drops and delays instructions at random, for tests",
    .paper = "",
    .params = &random_param_group,
    .stats = &random_stat_group,
    .unchecked = "it drops at random, whatever the values are",
    .state_size = sizeof(struct random_skip),
    .before_fetch = random_before_fetch,
    .at_fetch = random_at_fetch,
    .warp_start = random_warp_start,
    .written_back = random_written_back,
    .warp_end = random_warp_end,
};
