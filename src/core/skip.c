/* skip.c - the skip stage: what a redundancy eliminator does to instructions in front of
 * fetch, and at decode.
 *
 * An eliminator with before_fetch() is shown the instruction at the PC of every warp that
 * could go on, whether or not the warp's window has room, before the fetch scheduler
 * chooses. An instruction that it drops costs no fetch round, no latch and no access to
 * the instruction cache, and several warps can skip in one cycle. A warp that it holds
 * back leaves the fetch scheduler until skip_wake(). The others have passed the stage and
 * are fetched for in turn.
 *
 * A warp is shown again only when something happened to it: its PC has changed, or the
 * eliminator asked for it.
 */
#include "core/stages.h"

void skip_show_warp(struct sm *s, unsigned warp)
{
    if (warp != s->fetch.latch && !warpset_has(&s->fetch.passed, warp) &&
        fetch_can_go_on(s, warp))
        wake_skip(&s->wake, warp);
    else
        wake_no_skip(&s->wake, warp);
}

int skip_ask(struct sm *s, struct uop *u, bool is_fetched, enum skip_verdict *v,
             struct err *err)
{
    const struct skip_ops *ops = s->skip->ops;

    check_skip_ask(s, u);
    *v = (is_fetched ? ops->at_fetch : ops->before_fetch)(s->skip, u);
    return check_skip_said(s, u, *v, err);
}

/* Drops instructions at the warp's PC, holds the warp back, or lets it pass. */
static int skip_advance_warp(struct sm *s, unsigned warp, struct err *err)
{
    struct ahead *a = &s->warp[warp].ahead;
    enum skip_verdict v = SKIP_DROP;
    int has_inst = 0;

    INVARIANT(warp != s->fetch.latch);
    while (v == SKIP_DROP && (has_inst = fetch_fill_ahead(s, warp, err)) > 0) {
        if (skip_ask(s, &s->pool[a->at[a->first]], false, &v, err))
            return -1;
        if (v == SKIP_DROP)
            fetch_drop_inst(s, fetch_take_executed(s, a));
    }
    if (v != SKIP_DROP)
        warpset_add(v == SKIP_WAIT ? &s->fetch.skip_wait : &s->fetch.passed, warp);
    if (s->warp[warp].filed.uop == NO_UOP)
        wake_warp(&s->wake, warp); /* the reason may be another one now */
    fetch_refresh(s, warp);
    return has_inst < 0 ? -1 : 0;
}

int skip_tick(struct sm *s, struct err *err)
{
    struct warpset shown = s->wake.skip;
    unsigned warp = s->fetch.last;

    warpset_clear(&s->wake.skip);
    while (warpset_any(&shown)) {
        warp = warpset_after(&shown, warp);
        warpset_drop(&shown, warp);
        if (skip_advance_warp(s, warp, err))
            return -1;
    }
    return 0;
}

/* Wakes warps for which the eliminator named this cycle or an earlier one. */
static void skip_wake_late(struct skip *k)
{
    k->next_wake = NEVER;
    for (unsigned warp = 0; warp < MAX_WARP_SLOTS; warp++) {
        if (!k->wake_at[warp])
            continue;
        if (k->wake_at[warp] <= k->cycle) {
            k->wake_at[warp] = 0;
            skip_wake(k, warp);
        } else {
            k->next_wake = earlier(k->next_wake, k->wake_at[warp]);
        }
    }
}

void skip_wake_warps(struct sm *s)
{
    struct skip *k = s->skip;
    struct warpset asked = warpset_union(&s->fetch.skip_wait, &s->fetch.passed), woken;

    if (k->cycle >= k->next_wake)
        skip_wake_late(k);
    woken = warpset_common(&k->woken, &asked);
    warpset_clear(&k->woken);
    s->fetch.skip_wait = warpset_without(&s->fetch.skip_wait, &woken);
    s->fetch.passed = warpset_without(&s->fetch.passed, &woken);
    while (warpset_any(&woken)) {
        unsigned warp = warpset_take(&woken);

        wake_warp(&s->wake, warp);
        wake_next(&s->wake);
        fetch_refresh(s, warp);
    }
}
