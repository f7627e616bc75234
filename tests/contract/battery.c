/* battery.c - every scheme x machine x scheduler x buffer on random programs.
 *
 * Each program runs and must keep what check.h lists; then once more (same cycles, same
 * statistics), once with every stage working in every cycle (core.eager), and once with
 * nobody listening, when SMs run ahead of each other: none may change anything. A scheme
 * is covered as soon as it is registered. With `skip` each is joined by an eliminator that
 * drops and delays instructions at random (skip_random.c), with `skip=NAME` by that one.
 *
 * Each scheme and machine runs in a process of its own. One that dies, by an assertion
 * or because the scheme writes where it should not, fails with the program and the signal
 * named, and the battery goes on.
 *
 * usage: battery [brief|short|long] [hostile] [skip|skip=NAME] [every=N] [SCHEME]
 *        battery schemes    lists them
 *   every=N   one program in N, others each day
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "check.h"
#include "gen.h"

static const struct gpu {
    const char *name;
    unsigned blocks; /* of a program, to fill its warps; 0: as it is made */
} gpus[] = {
    { "rtx2060s", 0 }, { "rtx2060s-ghost", 0 },           { "v100", 0 },
    { "h200", 0 },     { "tests/data/v100-128.ini", 40 },
};
static const char *const policies[] = { "lrr", "gto",       "gty",
                                        "srr", "two-level", "oldest" };
enum { N_POLICIES = sizeof policies / sizeof *policies };

/* The nastiest machine: queues of one, one collector, one miss, random refusals. */
static const char *const hostile[] = {
    "core.chaos=7",         "regfile.collectors=1", "regfile.banks=1",
    "regfile.steps=1",      "core.result_buses=1",  "fetch.rounds=1",
    "fetch.width=1",        "fetch.cache_mshrs=1",  "l1.mshrs=1",
    "l1.merges=1",          "l1.miss_queue=3",      "l2.mshrs=1",
    "l2.merges=1",          "l2.miss_queue=3",      "const.mshrs=1",
    "const.merges=1",       "l2.queue_icnt_l2=1",   "l2.queue_l2_dram=1",
    "l2.queue_dram_l2=1",   "l2.queue_l2_icnt=1",   "dram.queue=1",
    "dram.return_queue=1",  "icnt.in_buffer=1",     "icnt.out_buffer=1",
    "icnt.eject_buffer=1",  "const.perfect=off",    "fetch.perfect=off",
    "gpu.watchdog=2000000",
};

enum { MOST = 8 };
struct trial {
    const struct scheme_ops *scheme;
    const char *gpu, *policy;
    unsigned blocks;
    unsigned entries; /* 0: as the machine says, MOST: as many as there can be */
    bool is_room, is_compiled;
    unsigned sms;
    uint64_t seed;
};

/* In memory that the processes share. */
struct battery {
    unsigned rounds; /* programs a scheme, machine and scheduler */
    bool is_brief;   /* of the schedulers one, each in turn */
    unsigned every;  /* one program in so many */
    uint64_t day;
    bool is_hostile;
    const char *skip; /* NULL: none */
    bool reuses;      /* it drops nothing */
    const char *only;
    unsigned runs, bad;
    unsigned turn; /* scheme and machine, counted */
    unsigned top;  /* slot with a warp in it */
    uint64_t insts, dropped, cycles;
    struct trial now; /* and which of its runs, for the case that it ends the process */
    const char *doing;
};

/* Settings of a trial, in room that lives as long as the runs. */
struct settings {
    char text[32][64];
    unsigned n;
};

static void set(struct settings *s, const char *group, const char *key,
                const char *value)
{
    snprintf(s->text[s->n++], sizeof s->text[0], "%s.%s=%s", group, key, value);
}

static const struct param_desc *param_of(const struct scheme_ops *o, const char *name)
{
    for (size_t i = 0; o->params && i < o->params->n_rows; i++)
        if (!strcmp(o->params->rows[i].name, name))
            return &o->params->rows[i];
    return NULL;
}

/* Any value in range must do: a few of them for the parameters that no trial sets. */
static void vary(const struct trial *t, struct settings *s)
{
    static const char *const others[] = { "entries", "window", "refill", "interlock" };
    const struct param_group *g = t->scheme->params;

    for (size_t i = 0; g && i < g->n_rows; i++) {
        const struct param_desc *row = &g->rows[i];
        uint64_t random = hash_mix(t->seed * 64 + i);
        uint32_t span = row->max - row->min;
        char n[16];
        bool is_other = row->type == PARAM_TYPE_ENUM;

        for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
            is_other |= !strcmp(row->name, others[k]);
        if (is_other)
            continue;
        snprintf(n, sizeof n, "%u",
                 row->min + (uint32_t)(random % ((span < 7 ? span : 7) + 1u)));
        set(s, g->prefix, row->name, n);
    }
}

static void settings_of(const struct trial *t, struct settings *s)
{
    const struct param_desc *entries = param_of(t->scheme, "entries");
    char n[16];

    set(s, "sched", "policy", t->policy);
    if (entries)
        snprintf(n, sizeof n, "%u", t->entries == MOST ? entries->max : t->entries);
    if (entries && t->entries)
        set(s, t->scheme->name, "entries", n);
    if (t->entries && !t->is_room && param_of(t->scheme, "window")) {
        snprintf(n, sizeof n, "%u", t->entries);
        set(s, t->scheme->name, "window", n);
    }
    if (t->is_room && param_of(t->scheme, "refill"))
        set(s, t->scheme->name, "refill", "room");
    if (t->seed % 2)
        vary(t, s);
    if (t->seed % 4 > 1) { /* as Accel-Sim is coded */
        set(s, "regfile", "pipe_order", "on");
        set(s, "fetch", "at_barrier", "on");
        set(s, "core", "own_slots", "on");
        set(s, "core", "turns", "on");
        set(s, "icnt", "arbiter", "islip_skip");
        set(s, "icnt", "chain", "on");
        set(s, "dram", "in_step", "on");
    }
    if (t->seed % 8 > 5)
        set(s, "sched", "dual", "on");
    if (t->seed % 5 == 0)
        set(s, "fetch", "rounds", "1");
    if (t->is_compiled && param_of(t->scheme, "interlock")) {
        /* Their barriers tell when a result is written, not when it is forwarded. */
        static const char *const forwarding[] = { "cross",        "to_dp",
                                                  "from_dp",      "to_uniform",
                                                  "from_uniform", "to_branch" };

        set(s, t->scheme->name, "interlock", "off");
        for (unsigned k = 0; k < sizeof forwarding / sizeof *forwarding; k++)
            set(s, "regfile", forwarding[k], "0");
    }
    snprintf(n, sizeof n, "%u", t->sms);
    set(s, "gpu", "sms", n);
}

/* more: one setting on top; "": none, NULL: none, and nobody listens. */
static void go(const struct battery *b, const struct trial *t, const char *more,
               struct rig_run *r, struct rig_kernel *k)
{
    struct settings s = { .n = 0 };
    char name[64];

    snprintf(name, sizeof name, "%s%s%s", t->scheme->name, b->skip ? "+" : "",
             b->skip ? b->skip : "");
    *r = (struct rig_run){ .gpu = t->gpu, .scheme = name, .max_cycles = 20000000 };
    settings_of(t, &s);
    if (b->skip && !strcmp(b->skip, "random"))
        snprintf(s.text[s.n++], sizeof s.text[0], "random.seed=%llu",
                 (unsigned long long)t->seed);
    for (unsigned i = 0; i < s.n; i++)
        r->set[r->n_set++] = s.text[i];
    for (unsigned i = 0; b->is_hostile && i < sizeof hostile / sizeof *hostile; i++)
        r->set[r->n_set++] = hostile[i];
    if (more && *more)
        r->set[r->n_set++] = more;
    r->is_quiet = !more;
    k->n_opened = k->n_open = 0;
    rig_go(r, k);
    r->n_set = 0; /* they point into s */
    r->scheme = NULL;
}

static bool is_inorder(const struct scheme_ops *o)
{
    return !strcmp(o->name, "inorder") || !strcmp(o->name, "control");
}

static void complain(struct battery *b, const struct trial *t, const char *what,
                     struct buf *why)
{
    struct settings s = { .n = 0 };

    settings_of(t, &s);
    b->bad++;
    printf("***   %s on %s, program %llu%s, %s:", t->scheme->name, t->gpu,
           (unsigned long long)t->seed, t->is_compiled ? " (compiled)" : "", what);
    for (unsigned i = 0; i < s.n; i++)
        printf(" %s", s.text[i]);
    printf("\n      %s\n", buf_text(why));
    buf_clear(why);
}

/* Is it an eliminator that looks at values? */
static bool shares(const struct battery *b)
{
    return b->skip && strcmp(b->skip, "random");
}

/* All warps run one program, in blocks of rows as wide as a warp; so all of them come to the
 * barriers of that program. */
static void make_alike(struct rig_kernel *k)
{
    unsigned n_warps = kernel_warps(&k->base);

    memset(k->code_of, 0, sizeof k->code_of);
    for (unsigned i = 0; i < k->code[0].n; i++)
        if (k->code[0].op[i].bar_warps)
            k->code[0].op[i].bar_warps = (uint16_t)n_warps;
    k->base.block[0] = WARP_LANES;
    k->base.block[1] = n_warps;
}

static void try_one(struct battery *b, const struct trial *t)
{
    struct rig_kernel k;
    struct rig_run first, again;
    struct buf why = { 0 };
    uint64_t n;

    b->now = *t;
    b->doing = "run";
    gen_kernel(t->seed, t->is_compiled, &k);
    if (shares(b))
        make_alike(&k);
    if (t->blocks)
        k.base.n_blocks = k.base.grid[0] = t->blocks;
    n = gen_count(&k);
    go(b, t, "", &first, &k);
    b->runs += 4;
    b->insts += n;
    b->dropped += first.stats.skipped;
    b->cycles += first.cycles;
    for (unsigned i = 0; i < first.n_issue; i++)
        b->top = first.issue[i].slot > b->top ? first.issue[i].slot : b->top;
    if (!check_run(&first, &k, n, &why))
        complain(b, t, "run", &why);
    else if (!check_flow(&first, t->scheme->dispatch != NULL, &why))
        complain(b, t, "flow of values", &why);
    else if (is_inorder(t->scheme) && !check_inorder(&first, &k, &why))
        complain(b, t, "in order", &why);
    else if (t->is_compiled && strstr(buf_text(&first.json), "interlocked\": ") &&
             !strstr(buf_text(&first.json), "interlocked\": 0")) {
        buf_puts(&why, "the interlock had to hold a compiled program");
        complain(b, t, "control words", &why);
    } else {
        static const char *const ways[] = { "", "core.eager=on", NULL };
        static const char *const names[] = { "twice", "core.eager", "nobody listens" };

        for (unsigned n_way = 0; n_way < sizeof ways / sizeof *ways; n_way++) {
            b->doing = names[n_way];
            go(b, t, ways[n_way], &again, &k);
            if (!check_same(&first, &again, &why))
                complain(b, t, names[n_way], &why);
            rig_run_free(&again);
        }
    }
    rig_run_free(&first);
    buf_free(&why);
    rig_free(&k);
}

/* Is it one of today's programs? Those of different machines differ. */
static bool is_due(const struct battery *b, unsigned seed)
{
    return hash_mix((b->day * 4096 + b->turn) * 4096 + seed) % b->every == 0;
}

static void try_all(struct battery *b, const struct scheme_ops *o, const struct gpu *g)
{
    unsigned seed = 1;
    unsigned rounds = g->blocks ? (b->rounds + 3) / 4 : b->rounds;

    b->top = 0;
    for (unsigned n = 0; n < rounds; n++)
        for (unsigned p = 0; p < N_POLICIES; p++, seed++) {
            struct trial t = { .scheme = o,
                               .gpu = g->name,
                               .policy = policies[p],
                               .blocks = g->blocks,
                               .entries = seed % (MOST + 1),
                               .is_room = seed % 2,
                               .is_compiled = seed % 5 == 0 && !shares(b),
                               .sms = 1 + (seed % 4 == 0 ? seed % 3 + 1 : 0),
                               .seed = seed };

            if (b->is_brief ? p != b->turn % N_POLICIES : !is_due(b, seed))
                continue;
            if (b->is_hostile)
                t.entries = 1;
            try_one(b, &t);
        }
    if (g->blocks && !b->is_brief && b->every == 1 && b->top < 64) {
        b->bad++;
        printf("***   %s on %s: no warp behind slot %u\n", o->name, g->name, b->top);
    }
}

/* CPU seconds of a scheme and machine: they take less than two. */
static unsigned time_limit(const struct battery *b)
{
    return b->rounds > 4 || b->is_hostile ? 3000 : 300;
}

/* try_all() in a process of its own. False: it hangs, as others probably would. */
static bool try_apart(struct battery *b, const struct scheme_ops *o,
                      const struct gpu *g)
{
    unsigned runs = b->runs, bad = b->bad;
    int status = 0;
    pid_t child;

    b->now = (struct trial){ .scheme = o, .gpu = g->name, .policy = policies[0] };
    b->doing = "start";
    fflush(stdout);
    child = fork();
    if (!child) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){ time_limit(b), time_limit(b) + 1 });
        try_all(b, o, g);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("battery");
        b->bad++;
        return false;
    }
    if (WIFSIGNALED(status) || WEXITSTATUS(status)) {
        struct buf why = { 0 };

        if (WIFSIGNALED(status))
            buf_printf(&why, "ended by signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
        else /* a sanitizer */
            buf_printf(&why, "ended with status %d", WEXITSTATUS(status));
        complain(b, &b->now, b->doing, &why);
        buf_free(&why);
    }
    b->turn++;
    printf("%s  %-10s %-14s %u runs\n", b->bad > bad ? "FAIL" : "ok  ", o->name,
           g->name, b->runs - runs);
    return !WIFSIGNALED(status) ||
           (WTERMSIG(status) != SIGXCPU && WTERMSIG(status) != SIGKILL);
}

static int usage(const char *argument)
{
    fprintf(
        stderr,
        "battery: '%s' is not understood; expected\n"
        "    battery [brief|short|long] [hostile] [skip|skip=NAME] [every=N] [SCHEME]\n"
        "    battery schemes\n"
        "schemes:",
        argument);
    for (size_t i = 0; scheme_at(i); i++)
        fprintf(stderr, " %s", scheme_at(i)->name);
    fputs("\neliminators (skip=NAME):", stderr);
    for (size_t i = 0; skip_at(i); i++)
        fprintf(stderr, " %s", skip_at(i)->name);
    fputc('\n', stderr);
    return 1;
}

static bool take_argument(struct battery *b, const char *text)
{
    if (!strcmp(text, "long"))
        b->rounds = 40;
    else if (!strcmp(text, "short"))
        b->rounds = 1;
    else if (!strcmp(text, "brief"))
        b->rounds = 1, b->is_brief = true;
    else if (!strcmp(text, "hostile"))
        b->is_hostile = true;
    else if (!strcmp(text, "skip"))
        b->skip = "random";
    else if (!strncmp(text, "skip=", 5) && skip_find(text + 5, NULL))
        b->skip = text + 5;
    else if (!strncmp(text, "every=", 6) && strtoul(text + 6, NULL, 10) > 0)
        b->every = (unsigned)strtoul(text + 6, NULL, 10);
    else if (!b->only && scheme_find(text, NULL))
        b->only = text;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct battery *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool goes_on = true;

    if (b == MAP_FAILED)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what a process says before it dies is seen */
    b->rounds = 4;
    b->every = 1;
    b->day = (uint64_t)time(NULL) / 86400;
    if (argc == 2 && !strcmp(argv[1], "schemes")) {
        for (size_t i = 0; scheme_at(i); i++)
            puts(scheme_at(i)->name);
        return 0;
    }
    for (int i = 1; i < argc; i++)
        if (!take_argument(b, argv[i]))
            return usage(argv[i]);
    b->reuses = b->skip && skip_find(b->skip, NULL)->reuses;
    for (size_t i = 0; scheme_at(i); i++)
        for (unsigned g = 0; g < sizeof gpus / sizeof *gpus && goes_on; g++)
            if ((!b->only || !strcmp(b->only, scheme_at(i)->name)) &&
                !(b->reuses && scheme_at(i)->dispatch && !scheme_at(i)->takes_known))
                goes_on = try_apart(b, scheme_at(i), &gpus[g]);
    printf("%u runs, %llu instructions in %llu cycles, %llu dropped, %u failed\n",
           b->runs, (unsigned long long)b->insts, (unsigned long long)b->cycles,
           (unsigned long long)b->dropped, b->bad);
    return b->bad || !b->runs || (b->skip && !b->reuses) != (b->dropped > 0) ? 1 : 0;
}
