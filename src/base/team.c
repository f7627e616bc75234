/* team.c - a gate that opens for a round: members look at it until it does. A member that
 * the host does not run in time finds it closed again, and nobody has waited for it.
 */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

/* Looks before a member gives the core to others, and before it sleeps: some microseconds,
 * and some tens of them. */
enum { LOOKS_AWAKE = 256, LOOKS_YIELDING = 320 };

#define OPEN   ((uint64_t)1 << 31)
#define INSIDE (OPEN - 1)

struct member {
    struct team *of;
    pthread_t thread;
    unsigned number;
};

struct team {
    unsigned n, n_started;
    void (*work)(void *to, unsigned member); /* NULL: the end */
    void *to;
    /* number of the round << 32, OPEN, and how many members are inside */
    _Alignas(64) _Atomic uint64_t gate;
    _Alignas(64) atomic_uint n_asleep;
    pthread_mutex_t mutex;
    pthread_cond_t woken;
    struct member *member;
};

static void wait_awake(unsigned looks)
{
    unsigned turns = looks < 32 ? looks + 1 : 32;

    for (unsigned k = 0; k < turns; k++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#else
        atomic_signal_fence(memory_order_seq_cst);
#endif
    }
}

void team_pause(unsigned *looks)
{
    if (*looks < LOOKS_AWAKE)
        wait_awake((*looks)++);
    else
        sched_yield();
}

static uint32_t round_of(uint64_t gate)
{
    return (uint32_t)(gate >> 32);
}

static void sleep_through(struct team *t, uint32_t round)
{
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add(&t->n_asleep, 1);
    while (round_of(atomic_load(&t->gate)) == round)
        pthread_cond_wait(&t->woken, &t->mutex);
    atomic_fetch_sub(&t->n_asleep, 1);
    pthread_mutex_unlock(&t->mutex);
}

/* Waits for a round after this one, and returns it. */
static uint32_t await_round(struct team *t, uint32_t round)
{
    unsigned looks = 0;

    for (unsigned k = 0; k < LOOKS_YIELDING; k++) {
        uint32_t now = round_of(atomic_load_explicit(&t->gate, memory_order_relaxed));

        if (now != round)
            return now;
        team_pause(&looks);
    }
    sleep_through(t, round);
    return round_of(atomic_load_explicit(&t->gate, memory_order_relaxed));
}

/* False if the round has been closed meanwhile. */
static bool enter_round(struct team *t, uint32_t round)
{
    uint64_t gate = atomic_load_explicit(&t->gate, memory_order_relaxed);

    while (round_of(gate) == round && gate & OPEN)
        if (atomic_compare_exchange_weak_explicit(
                &t->gate, &gate, gate + 1, memory_order_acq_rel, memory_order_relaxed))
            return true;
    return false;
}

static void *member_main(void *to)
{
    struct member *m = to;
    struct team *t = m->of;

    for (uint32_t round = 0;;) {
        round = await_round(t, round);
        if (!enter_round(t, round))
            continue;
        if (!t->work)
            return NULL;
        t->work(t->to, m->number);
        atomic_fetch_sub_explicit(&t->gate, 1, memory_order_acq_rel);
    }
}

static void open_round(struct team *t)
{
    uint64_t gate = atomic_load_explicit(&t->gate, memory_order_relaxed);

    atomic_store(&t->gate, ((uint64_t)round_of(gate) + 1) << 32 | OPEN);
    if (!atomic_load(&t->n_asleep))
        return;
    pthread_mutex_lock(&t->mutex);
    pthread_cond_broadcast(&t->woken);
    pthread_mutex_unlock(&t->mutex);
}

/* For those inside the caller waits. */
static void close_round(struct team *t)
{
    unsigned looks = 0;

    atomic_fetch_and_explicit(&t->gate, ~OPEN, memory_order_acq_rel);
    while (atomic_load_explicit(&t->gate, memory_order_acquire) & INSIDE)
        team_pause(&looks);
}

void team_run(struct team *t, void (*work)(void *to, unsigned member), void *to)
{
    if (!t) {
        work(to, 0);
        return;
    }
    t->work = work;
    t->to = to;
    open_round(t);
    work(to, 0);
    close_round(t);
}

unsigned team_size(const struct team *t)
{
    return t ? t->n : 1;
}

static int start_each(struct team *t, struct err *err)
{
    for (unsigned k = 1; k < t->n; k++) {
        struct member *m = &t->member[k];

        *m = (struct member){ .of = t, .number = k };
        if (pthread_create(&m->thread, NULL, member_main, m))
            return err_set(err, "cannot start thread %u of %u; try fewer (--threads)",
                           k + 1, t->n);
        t->n_started++;
    }
    return 0;
}

/* Signals are for the caller. */
static int start_members(struct team *t, struct err *err)
{
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = start_each(t, err);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

struct team *team_new(unsigned n, struct err *err)
{
    struct team *t = aligned_alloc(_Alignof(struct team), sizeof *t);

    if (t) {
        *t = (struct team){ .n = n, .member = calloc(n, sizeof *t->member) };
        pthread_mutex_init(&t->mutex, NULL);
        pthread_cond_init(&t->woken, NULL);
    }
    if (!t || !t->member) {
        err_memory(err, "%u threads", n);
        team_free(t);
        return NULL;
    }
    if (start_members(t, err)) {
        team_free(t);
        return NULL;
    }
    return t;
}

void team_free(struct team *t)
{
    if (!t)
        return;
    t->work = NULL;
    open_round(t);
    for (unsigned k = 1; k <= t->n_started; k++)
        pthread_join(t->member[k].thread, NULL);
    pthread_cond_destroy(&t->woken);
    pthread_mutex_destroy(&t->mutex);
    free(t->member);
    free(t);
}
