/* trace.c - what the views have in common: windows, names of stages, lists of
 * listeners.
 *
 * A window says which warps a view looks at (kernels, blocks, SMs, warps), which of
 * their instructions (by number in the warp) and which cycles. Warps are chosen for
 * their whole life; cycles are handled by each view (flight.h).
 */
#include "trace/trace.h"

#include <ctype.h>
#include <string.h>

/* The words of a window; the first letters are enough to guess a misspelt one. */
static const char *const keys[] = { "sm",      "warps",  "blocks",
                                    "kernels", "cycles", "insts" };
enum key { KEY_SM, KEY_WARPS, KEY_BLOCKS, KEY_KERNELS, KEY_CYCLES, KEY_INSTS, N_KEY };

bool trace_has(const struct trace_set *s, uint64_t value)
{
    for (unsigned i = 0; i < s->n; i++) {
        if (value >= s->range[i].first && value <= s->range[i].last)
            return true;
    }
    return s->n == 0;
}

bool trace_wants(const struct trace *t, const struct trace_inst *i)
{
    unsigned warp = t->blocks.n ? i->warp_of : i->warp;

    return trace_has(&t->sms, i->sm) && trace_has(&t->kernels, i->kernel) &&
           trace_has(&t->blocks, i->block) && trace_has(&t->warps, warp);
}

/* Reads a number at *p and moves *p past it. */
static int read_number(const char **p, uint64_t *value)
{
    uint64_t v = 0;

    if (!isdigit((unsigned char)**p))
        return -1;
    for (; isdigit((unsigned char)**p); ++*p) {
        uint64_t digit = (uint64_t)(**p - '0');

        if (v > (UINT64_MAX - digit) / 10)
            return -1;
        v = v * 10 + digit;
    }
    *value = v;
    return 0;
}

/* "4", "4-7" or "4-" */
static int read_range(const char **p, struct trace_range *r)
{
    if (read_number(p, &r->first))
        return -1;
    r->last = r->first;
    if (**p != '-')
        return 0;
    ++*p;
    r->last = UINT64_MAX;
    if (isdigit((unsigned char)**p) && read_number(p, &r->last))
        return -1;
    return r->first <= r->last ? 0 : -1;
}

static int read_ranges(const char *text, size_t n, struct trace_set *set,
                       struct err *err)
{
    const char *p = text, *end = text + n;

    for (;;) {
        if (set->n == TRACE_RANGES)
            return err_set(err, "--view: '%.*s' has more than %d ranges", (int)n, text,
                           TRACE_RANGES);
        if (read_range(&p, &set->range[set->n]) || (p < end && *p != ','))
            return err_set(
                err,
                "--view: '%.*s' is not a list of numbers and ranges; expected "
                "something like 0-3,7 or 1000-",
                (int)n, text);
        set->n++;
        if (p == end)
            return 0;
        p++;
    }
}

/* The key that a word of n letters means: its name, with or without the last s. */
static int find_key(const char *word, size_t n, enum key *key, struct err *err)
{
    const char *guess = NULL;

    for (unsigned k = 0; k < N_KEY; k++) {
        size_t len = strlen(keys[k]);

        if ((n == len || (n + 1 == len && keys[k][n] == 's')) &&
            !memcmp(word, keys[k], n)) {
            *key = (enum key)k;
            return 0;
        }
        if (n && word[0] == keys[k][0] && !guess)
            guess = keys[k];
    }
    if (n == 3 && !memcmp(word, "sms", 3)) {
        *key = KEY_SM;
        return 0;
    }
    return err_set(err,
                   "--view: there is no '%.*s=', only sm=, warps=, blocks=, kernels=, "
                   "cycles= and insts=%s%s%s",
                   (int)n, word, guess ? " (did you mean '" : "", guess ? guess : "",
                   guess ? "'?)" : "");
}

static int read_setting(struct trace_set set[N_KEY], const char *text, size_t n,
                        struct err *err)
{
    const char *equals = memchr(text, '=', n);
    enum key key = KEY_SM;

    if (!equals)
        return err_set(err,
                       "--view: '%.*s' is not KEY=RANGES, such as cycles=1000-2000",
                       (int)n, text);
    if (find_key(text, (size_t)(equals - text), &key, err))
        return -1;
    if (set[key].n)
        return err_set(err, "--view: %s= is given twice; write %s=0-3,7", keys[key],
                       keys[key]);
    n -= (size_t)(equals + 1 - text);
    if (read_ranges(equals + 1, n, &set[key], err))
        return -1;
    if ((key == KEY_CYCLES || key == KEY_INSTS) && set[key].n > 1)
        return err_set(err, "--view: %s= takes one range, not '%.*s'", keys[key],
                       (int)n, equals + 1);
    return 0;
}

int trace_window(struct trace *t, const char *window, struct err *err)
{
    struct trace_set set[N_KEY] = { { 0 } };
    const struct trace_range all = { 0, UINT64_MAX };
    const char *p = window ? window : "";

    for (;;) {
        size_t n;

        p += strspn(p, " ");
        n = strcspn(p, " ");
        if (!n)
            break;
        if (n > 400)
            return err_set(err, "--view: word too long (%zu characters, at most 400)",
                           n);
        if (read_setting(set, p, n, err))
            return -1;
        p += n;
    }
    t->sms = set[KEY_SM];
    t->warps = set[KEY_WARPS];
    t->blocks = set[KEY_BLOCKS];
    t->kernels = set[KEY_KERNELS];
    t->cycles = set[KEY_CYCLES].n ? set[KEY_CYCLES].range[0] : all;
    t->insts = set[KEY_INSTS].n ? set[KEY_INSTS].range[0] : all;
    return 0;
}

/* By class: the unit. Konata draws dependences between stages with an X. */
static const char *execute_name(uint8_t class)
{
    switch ((enum inst_class) class) {
    case CLASS_int:
        return "Xi";
    case CLASS_imul:
    case CLASS_imul_wide:
        return "Xim";
    case CLASS_fp32:
    case CLASS_fcmp:
        return "Xf";
    case CLASS_fp64:
        return "Xd";
    case CLASS_half:
    case CLASS_half_mma:
        return "Xh";
    case CLASS_sfu:
        return "Xsf";
    case CLASS_conv:
        return "Xcv";
    case CLASS_tensor:
    case CLASS_tensor_small:
    case CLASS_tensor_fp64:
        return "Xmm";
    case CLASS_uniform:
    case CLASS_uniform_move:
        return "Xu";
    case CLASS_sreg:
        return "Xsr";
    case CLASS_vote:
    case CLASS_shuffle:
        return "Xsh";
    case CLASS_load:
    case CLASS_store:
    case CLASS_atomic:
    case CLASS_ldc:
    case CLASS_texture:
        return "Xm";
    case CLASS_branch:
    case CLASS_exit:
        return "Xb";
    case CLASS_barrier:
    case CLASS_fence:
        return "Xsy";
    case CLASS_none:
    case CLASS_misc:
    case N_INST_CLASS:
        break;
    }
    return "X";
}

static const char *memory_name(uint8_t space)
{
    switch ((enum inst_space)space) {
    case SPACE_SHARED:
        return "Xms";
    case SPACE_LOCAL:
        return "Xml";
    case SPACE_CONST:
        return "Xmc";
    case SPACE_TEXTURE:
        return "Xmt";
    case SPACE_GLOBAL:
    case SPACE_GENERIC:
        return "Xmg";
    case SPACE_NONE:
        break;
    }
    return "Xm";
}

const char *trace_stage_name(enum trace_stage stage, uint8_t class, uint8_t space)
{
    switch (stage) {
    case TRACE_FETCH:
        return "F";
    case TRACE_DECODE:
        return "Dc";
    case TRACE_WINDOW:
        return "Wn";
    case TRACE_ISSUE:
        return "Is";
    case TRACE_COLLECT:
        return "Oc";
    case TRACE_EXECUTE:
        return execute_name(class);
    case TRACE_MEMORY:
        return memory_name(space);
    case TRACE_WRITE:
    case N_TRACE_STAGE:
        break;
    }
    return "Wb";
}

void trace_kernel(struct trace *list, const struct kernel *k, uint32_t number_,
                  uint64_t cycle)
{
    for (struct trace *t = list; t; t = t->next)
        t->ops->kernel(t, k, number_, cycle);
}

void trace_stage(struct trace *list, const struct trace_inst *i, enum trace_stage stage,
                 uint64_t cycle)
{
    for (struct trace *t = list; t; t = t->next)
        t->ops->stage(t, i, stage, cycle);
}

void trace_wait(struct trace *list, const struct trace_inst *i, const char *cause,
                uint64_t cycle)
{
    for (struct trace *t = list; t; t = t->next)
        t->ops->wait(t, i, cause, cycle);
}

void trace_depend(struct trace *list, const struct trace_inst *i, uint64_t producer_seq,
                  uint64_t cycle)
{
    for (struct trace *t = list; t; t = t->next)
        t->ops->depend(t, i, producer_seq, cycle);
}

void trace_retire(struct trace *list, const struct trace_inst *i, bool flushed,
                  uint64_t cycle)
{
    for (struct trace *t = list; t; t = t->next)
        t->ops->retire(t, i, flushed, cycle);
}

void trace_counter(struct trace *list, unsigned sm, const char *name, uint64_t value,
                   uint64_t cycle)
{
    for (struct trace *t = list; t; t = t->next)
        t->ops->counter(t, sm, name, value, cycle);
}

int trace_finish(struct trace *list, struct err *err)
{
    int status = 0;

    while (list) {
        struct trace *next = list->next;

        /* The first failure is the one that is told. */
        if (list->ops->finish(list, status ? NULL : err))
            status = -1;
        list = next;
    }
    return status;
}
