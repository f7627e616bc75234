/* run.c - the cycle tests: runs every file of a folder and prints a line for each.
 *
 * usage: run [-v] [FILE or folder...]
 * What a file may expect, of the cycles that are counted from the first issue:
 *     issue 0 7:compute 14 .. | 1 8     each warp's instructions; behind a colon why it
 *                                       waited in the cycle before ("new": it was not
 *                                       there yet); ..: and more
 *     window, collect, start, write,    the same for other stages; -: not
 *     retire                            reached
 *     order 0 1 0 1                     warps in the order of issue
 *     slope 7 +-1 [from 10]             cycles an instruction, warp 0; or 5%
 *     slots pipe 3 issued 4             cycles of scheduler 0
 *     stat sm.redirects 3               a statistic
 *     resident 4                        the most blocks at a time
 *     fails deadlock words...           kind of failure, words in its message or report
 *                                       (a_b: "a b")
 * An exit that ends every program is not in any list.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "parse.h"

struct outcome {
    struct rig_run *run;
    const struct cycle_test *test;
    struct buf why;
    bool is_verbose;
};

static uint64_t stage_of(const struct rig_note *n, const char *stage)
{
    return !strcmp(stage, "issue")     ? n->issue
           : !strcmp(stage, "window")  ? n->window
           : !strcmp(stage, "collect") ? n->collect
           : !strcmp(stage, "start")   ? n->start
           : !strcmp(stage, "write")   ? n->write
                                       : n->retire;
}

static uint64_t first_issue(const struct rig_run *r)
{
    return r->n_issue ? r->issue[0].cycle : 0;
}

static void put_stage(struct outcome *o, const char *stage)
{
    const struct rig_run *r = o->run;

    buf_printf(&o->why, "found %s", stage);
    for (unsigned w = 0; w < r->n_warps; w++) {
        buf_puts(&o->why, w ? " |" : "");
        for (unsigned i = 0; i + 1 < r->warp[w].n && i < 24; i++) {
            const struct rig_note *n = &r->warp[w].note[i];
            uint64_t at = stage_of(n, stage);

            if (!at) {
                buf_puts(&o->why, " -");
                continue;
            }
            buf_printf(&o->why, " %lld", (long long)(at - first_issue(r)));
            if (!strcmp(stage, "issue"))
                buf_printf(&o->why, ":%s", n->cause ? n->cause : "?");
        }
        if (r->warp[w].n > 25)
            buf_puts(&o->why, " ..");
    }
}

/* One word of a list: "14:compute" or "-". */
static bool is_note(const struct rig_run *r, const struct rig_note *n,
                    const char *stage, const char *word)
{
    uint64_t at = stage_of(n, stage);
    const char *colon = strchr(word, ':');

    if (!strcmp(word, "-"))
        return !at;
    if (!at || (int64_t)(at - first_issue(r)) != strtoll(word, NULL, 10))
        return false;
    return !colon || (n->cause && !strcmp(n->cause, colon + 1));
}

static bool check_stage(struct outcome *o, const char *stage, char *rest)
{
    const struct rig_run *r = o->run;
    unsigned w = 0, i = 0;
    bool more = false, ok = true;
    char *save = NULL;

    for (char *word = strtok_r(rest, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        if (!strcmp(word, "|")) {
            ok &= w < r->n_warps && (more || i + 1 == r->warp[w].n);
            w++;
            i = 0;
            more = false;
        } else if (!strcmp(word, "..")) {
            more = true;
        } else {
            ok &= w < r->n_warps && i + 1 < r->warp[w].n &&
                  is_note(r, &r->warp[w].note[i], stage, word);
            i++;
        }
    }
    ok &= w < r->n_warps && (more || i + 1 == r->warp[w].n) && w + 1 == r->n_warps;
    if (!ok || o->is_verbose)
        put_stage(o, stage);
    return ok;
}

static bool check_order(struct outcome *o, char *rest)
{
    const struct rig_run *r = o->run;
    unsigned n = 0;
    bool ok = true;
    char *save = NULL;

    for (char *word = strtok_r(rest, " ", &save); word;
         word = strtok_r(NULL, " ", &save))
        if (n >= r->n_issue || r->issue[n++].warp != strtoul(word, NULL, 10))
            ok = false;
    if (!ok || o->is_verbose) {
        buf_puts(&o->why, "found order");
        for (unsigned i = 0; i < r->n_issue && i < 48; i++)
            buf_printf(&o->why, " %u", r->issue[i].warp);
    }
    return ok;
}

static bool check_slope(struct outcome *o, const char *rest)
{
    const struct rig_warp *w = &o->run->warp[0];
    const char *from = strstr(rest, "from ");
    unsigned first = from ? (unsigned)strtoul(from + 5, NULL, 10) : 0;
    char *end;
    double want = strtod(rest, &end), allowed = 0, got;

    if (w->n < first + 3)
        return false;
    if (!strncmp(end, " +-", 3))
        allowed = strtod(end + 3, NULL);
    else if (strchr(end, '%'))
        allowed = want * strtod(end, NULL) / 100;
    got = (double)(w->note[w->n - 2].issue - w->note[first].issue) /
          (double)(w->n - 2 - first);
    buf_printf(&o->why, "found slope %.2f", got);
    return fabs(got - want) <= allowed + 1e-9;
}

static bool check_slots(struct outcome *o, char *rest)
{
    const uint64_t *slot = o->run->stats.slot[0];
    bool ok = true;
    char *save = NULL;

    for (char *word = strtok_r(rest, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        const char *value = strtok_r(NULL, " ", &save);
        unsigned c = 0;

        while (c < N_STALL && strcmp(stall_name((enum stall)c), word))
            c++;
        ok &= c < N_STALL && value && slot[c] == strtoull(value, NULL, 10);
    }
    if (ok && !o->is_verbose)
        return true;
    buf_puts(&o->why, "found slots");
    for (unsigned c = 0; c < N_STALL; c++)
        if (slot[c])
            buf_printf(&o->why, " %s %llu", stall_name((enum stall)c),
                       (unsigned long long)slot[c]);
    return ok;
}

static bool check_stat(struct outcome *o, const char *rest)
{
    char name[64], quoted[80];
    unsigned long long want, got = 0;
    const char *at;

    if (sscanf(rest, "%63s %llu", name, &want) != 2)
        return false;
    snprintf(quoted, sizeof quoted, "\"%s\": ", name);
    at = strstr(buf_text(&o->run->json), quoted);
    if (at)
        got = strtoull(at + strlen(quoted), NULL, 10);
    buf_printf(&o->why, at ? "found %s %llu" : "no statistic %s", name, got);
    return at && got == want;
}

/* The most blocks that were there at a time. */
static unsigned most_blocks(const struct rig_run *r)
{
    unsigned n_blocks = r->n_warps / r->per_block, most = 0;

    for (unsigned a = 0; a < n_blocks; a++) {
        uint64_t start = r->warp[a * r->per_block].note[0].window;
        unsigned n = 0;

        for (unsigned b = 0; b < n_blocks; b++) {
            uint64_t from = UINT64_MAX, to = 0;

            for (unsigned w = 0; w < r->per_block; w++) {
                const struct rig_warp *k = &r->warp[b * r->per_block + w];

                if (k->note[0].window < from)
                    from = k->note[0].window;
                if (k->note[k->n - 1].retire > to)
                    to = k->note[k->n - 1].retire;
            }
            n += from <= start && start < to;
        }
        most = n > most ? n : most;
    }
    return most;
}

static bool check_fails(struct outcome *o, char *rest)
{
    static const char *const kinds[] = { "none",  "input",    "unsupported",
                                         "wrong", "deadlock", "limit" };
    const struct rig_run *r = o->run;
    char *save = NULL, *word = strtok_r(rest, " ", &save);
    bool ok = word && r->err.code <= ERR_LIMIT && !strcmp(word, kinds[r->err.code]);

    while (ok && (word = strtok_r(NULL, " ", &save))) {
        for (char *c = word; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        ok = strstr(r->err.text, word) || strstr(buf_text(&r->report), word);
    }
    if (!ok || o->is_verbose)
        buf_printf(&o->why, "found %s\n%s", r->err.text, buf_text(&r->report));
    return ok;
}

static bool check(struct outcome *o, const char *what)
{
    char text[MAX_LINE], *rest;

    snprintf(text, sizeof text, "%s", what);
    rest = text + strcspn(text, " ");
    if (*rest)
        *rest++ = '\0';
    if (!strcmp(text, "fails"))
        return check_fails(o, rest);
    if (o->run->err.code) {
        buf_printf(&o->why, "found %s", o->run->err.text);
        return false;
    }
    if (!strcmp(text, "order"))
        return check_order(o, rest);
    if (!strcmp(text, "slope"))
        return check_slope(o, rest);
    if (!strcmp(text, "slots"))
        return check_slots(o, rest);
    if (!strcmp(text, "stat"))
        return check_stat(o, rest);
    if (!strcmp(text, "resident")) {
        buf_printf(&o->why, "found resident %u", most_blocks(o->run));
        return most_blocks(o->run) == strtoul(rest, NULL, 10);
    }
    if (!strcmp(text, "issue") || !strcmp(text, "window") || !strcmp(text, "collect") ||
        !strcmp(text, "start") || !strcmp(text, "write") || !strcmp(text, "retire"))
        return check_stage(o, text, rest);
    buf_printf(&o->why, "cannot expect '%s'", text);
    return false;
}

/* One expectation on one machine. */
static bool run_one(const struct cycle_test *t, const struct cycle_expect *e,
                    const char *gpu, bool is_verbose, const char *path)
{
    struct rig_kernel kernel = t->kernel;
    struct rig_run run = { .gpu = gpu, .scheme = e->scheme, .max_cycles = 10000000 };
    struct outcome o = { .run = &run, .test = t, .is_verbose = is_verbose };
    bool ok;

    for (unsigned n = 0; n < t->n_set; n++)
        run.set[run.n_set++] = t->set[n];
    for (unsigned n = 0; n < e->n_set; n++)
        run.set[run.n_set++] = e->set[n];
    rig_go(&run,
           &kernel); /* what a machine cannot be made of is an error like others */
    ok = check(&o, e->what);
    if (!ok || is_verbose)
        printf("%s %s:%u: %s: expected %s; %s\n", ok ? "   " : "***", path, e->line,
               gpu, e->what, buf_text(&o.why));
    buf_free(&o.why);
    rig_run_free(&run);
    return ok;
}

static bool run_file(const char *path, bool is_verbose)
{
    struct cycle_test *t = malloc(sizeof *t);
    struct err err = { 0 };
    unsigned n = 0, bad = 0;

    if (!t)
        abort();
    if (cycle_parse(path, t, &err)) {
        printf("FAIL  %s\n", err.text);
        cycle_free(t);
        free(t);
        return false;
    }
    for (unsigned k = 0; k < t->n_expects; k++) {
        const struct cycle_expect *e = &t->expect[k];
        char gpus[MAX_LINE], *save = NULL;

        snprintf(gpus, sizeof gpus, "%s", e->gpus);
        for (char *g = strtok_r(gpus, ",", &save); g; g = strtok_r(NULL, ",", &save)) {
            n++;
            bad += !run_one(t, e, g, is_verbose, path);
        }
    }
    printf("%s  %-60s %2u of %u\n", bad ? "FAIL" : "ok  ", t->title, n - bad, n);
    cycle_free(t);
    free(t);
    return !bad;
}

static int is_test(const struct dirent *d)
{
    size_t n = strlen(d->d_name);

    return n > 4 && !strcmp(d->d_name + n - 4, ".txt");
}

static void run_folder(const char *folder, bool is_verbose, unsigned *good,
                       unsigned *bad)
{
    struct dirent **list = NULL;
    int n = scandir(folder, &list, is_test, alphasort);

    for (int k = 0; k < n; k++) {
        char path[1024];

        snprintf(path, sizeof path, "%s/%s", folder, list[k]->d_name);
        run_file(path, is_verbose) ? ++*good : ++*bad;
        free(list[k]);
    }
    free(list);
}

int main(int argc, char **argv)
{
    unsigned good = 0, bad = 0;
    bool is_verbose = argc > 1 && !strcmp(argv[1], "-v");
    int first = is_verbose ? 2 : 1;

    if (first >= argc)
        run_folder("tests/cycle", is_verbose, &good, &bad);
    for (int k = first; k < argc; k++) {
        struct stat st;

        if (!stat(argv[k], &st) && S_ISDIR(st.st_mode))
            run_folder(argv[k], is_verbose, &good, &bad);
        else
            run_file(argv[k], is_verbose) ? good++ : bad++;
    }
    printf("%u passed, %u failed\n", good, bad);
    return bad || !good ? 1 : 0;
}
