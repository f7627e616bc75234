/* rig.c - hand-made instruction streams on the h200 machine. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 0x10000 };

static void die(const char *what, const char *text)
{
    fprintf(stderr, "rig: %s: %s\n", what, text);
    abort();
}

/* Programs */

static void class_of(struct inst *i, const char *word)
{
    static const char *const names[] = {
#define CLASS(id, help) #id,
        INST_CLASSES(CLASS)
#undef CLASS
    };

    for (unsigned k = 0; k < N_INST_CLASS; k++)
        if (!strcmp(word, names[k])) {
            i->class = (uint8_t)k;
            i->memory = inst_class_memory(k);
            return;
        }
    die("no class", word);
}

static void source(struct inst *i, const char *word)
{
    unsigned slot = (unsigned)((word[0] | 32) - 'a'), n = 1;
    char *end;
    unsigned reg = (unsigned)strtoul(word + 1, &end, 10);

    if (*end == ':')
        n = (unsigned)strtoul(end + 1, NULL, 10);
    i->src[i->n_src++] = (struct inst_operand){ .reg = (uint8_t)reg,
                                                .n = (uint8_t)n,
                                                .slot = (uint8_t)slot };
    if (word[0] < 'a')
        i->control.reuse |= (uint8_t)(1u << slot);
    while (n--)
        regset_add(&i->reads, REGID_R + reg + n);
}

static void result(struct inst *i, const char *word)
{
    unsigned n = 1;
    char *end;
    unsigned reg = (unsigned)strtoul(word + 1, &end, 10);

    if (*end == ':')
        n = (unsigned)strtoul(end + 1, NULL, 10);
    i->dst[i->n_dst++] =
        (struct inst_operand){ .reg = (uint8_t)reg, .n = (uint8_t)n, .slot = 3 };
    while (n-- && word[0] == 'd')
        regset_add(&i->writes, REGID_R + reg + n);
}

static void control(struct inst *i, const char *word)
{
    unsigned n = (unsigned)strtoul(word + 1, NULL, 10);

    switch (word[0]) {
    case 's':
        i->control.stall = (uint8_t)n;
        break;
    case 'w':
        i->control.write_barrier = (uint8_t)n;
        break;
    case 'r':
        i->control.read_barrier = (uint8_t)n;
        break;
    case 'y':
        i->control.yield = true;
        break;
    default:
        for (const char *c = word + 1; *c; c++)
            i->control.wait_mask |= (uint8_t)(1u << (*c - '0'));
        break;
    }
}

static void other(struct inst *i, const char *word)
{
    unsigned n = (unsigned)strtoul(word + 1, NULL, 10);

    switch (word[0]) {
    case 'P':
        regset_add(&i->writes, REGID_P + n);
        break;
    case 'p':
        regset_add(&i->reads, REGID_P + n);
        break;
    case 'U':
        regset_add(&i->writes, REGID_UR + n);
        break;
    default:
        regset_add(&i->reads, REGID_UR + n);
        break;
    }
}

static bool is_named(struct step *s, const char *word)
{
    static const struct {
        const char *name;
        uint8_t space, flags;
    } names[] = {
        { "global", SPACE_GLOBAL, 0 }, { "shared", SPACE_SHARED, 0 },
        { "const", SPACE_CONST, 0 },   { "local", SPACE_LOCAL, 0 },
        { "cg", 0, INST_BYPASS_L1 },   { "still", 0, INST_CONVERGE | INST_CONTROL }
    };

    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(word, names[k].name)) {
            s->inst.flags |= names[k].flags;
            s->inst.space = names[k].space ? names[k].space : s->inst.space;
            return true;
        }
    if (strncmp(word, "jump", 4))
        return false;
    s->inst.flags |= INST_CONTROL;
    s->gap = (uint32_t)strtoul(word + 4, NULL, 10);
    return true;
}

static void where(struct step *s, const char *word)
{
    uint64_t n = strtoull(word + 1, NULL, 0);

    switch (word[0]) {
    case 'n':
        s->inst.bytes = (uint8_t)n;
        break;
    case 'x':
        s->place.lane = n;
        break;
    case 'z':
        s->place.step = n;
        break;
    case 'o':
        s->place.offset = n;
        break;
    case 'v':
        s->place.warp = n;
        break;
    case 'k':
        s->lanes = (uint32_t)n;
        break;
    default:
        s->place.modulo = n;
        break;
    }
}

static void read_word(struct step *s, const char *word, const struct inst *before)
{
    struct inst *i = &s->inst;

    if (is_named(s, word))
        return;
    if (strchr("abcABC", word[0]))
        source(i, word);
    else if (word[0] == 'd' || word[0] == 'e')
        result(i, word);
    else if (strchr("swryq", word[0]))
        control(i, word);
    else if (strchr("PpUu", word[0]))
        other(i, word);
    else if (strchr("nxzovmk", word[0]))
        where(s, word);
    else if (word[0] == '@' && before)
        for (unsigned k = 0; k < N_REGID / 64; k++)
            i->reads.w[k] |= before->writes.w[k];
    else
        die("word", word);
}

static void read_step(struct step *s, char *text, const struct inst *before)
{
    char *save = NULL, *word = strtok_r(text, " ", &save);

    *s = (struct step){ 0 };
    s->inst.length = 16;
    s->inst.depbar = s->inst.control.write_barrier = s->inst.control.read_barrier = 7;
    s->inst.control.stall = 1;
    if (!word)
        die("empty", text);
    class_of(&s->inst, word);
    while ((word = strtok_r(NULL, " ", &save)))
        read_word(s, word, before);
}

static struct step *grow(struct program *p)
{
    if (p->n == p->room) {
        p->room = p->room ? p->room * 2 : 64;
        p->step = realloc(p->step, p->room * sizeof *p->step);
        if (!p->step)
            abort();
    }
    return &p->step[p->n++];
}

static void place_code(struct program *p)
{
    uint64_t pc = CODE;

    for (size_t k = 0; k < p->n; k++) {
        p->step[k].inst.pc = pc;
        inst_index(&p->step[k].inst);
        pc += 16 * (1 + (uint64_t)p->step[k].gap);
    }
}

void program_make(struct program *p, const char *text, unsigned body)
{
    char *copy = strdup(text), *save = NULL;
    struct step s;

    *p = (struct program){ 0 };
    for (char *t = strtok_r(copy, ";", &save); t; t = strtok_r(NULL, ";", &save)) {
        read_step(&s, t, p->n ? &p->step[p->n - 1].inst : NULL);
        *grow(p) = s;
    }
    free(copy);
    p->pattern = (unsigned)p->n;
    while (p->n + p->pattern <= body)
        for (unsigned k = 0; k < p->pattern; k++) {
            s = p->step[k];
            *grow(p) = s;
        }
    read_step(&s, strcpy((char[16]){ 0 }, "branch jump0 s5"), NULL);
    *grow(p) = s;
    place_code(p);
}

void program_free(struct program *p)
{
    free(p->step);
}

/* The front end */

struct blocks {
    struct kernel kernel;
    const struct program *p;
    struct run run;
    uint64_t base;
};

struct stream_state {
    struct stream stream;
    const struct blocks *of;
    uint64_t block;
    uint64_t at[RIG_WARPS]; /* instructions given */
    struct inst end;
};

static void set_addresses(const struct stream_state *s, unsigned warp,
                          const struct step *step, struct dyn *d)
{
    const struct place *p = &step->place;
    uint64_t all = s->block * s->of->run.warps + warp;
    uint64_t from = p->offset + all * p->warp + d->seq * p->step;
    uint64_t *list = addresses_list(&d->addr);

    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint64_t a = from + l * p->lane;

        if (p->modulo)
            a %= p->modulo;
        list[l] = d->space == SPACE_GLOBAL ? s->of->base + a : a;
    }
}

static enum stream_status next(struct stream *stream, unsigned warp, struct dyn *d,
                               struct err *err)
{
    struct stream_state *s = (struct stream_state *)stream;
    const struct program *p = s->of->p;
    uint64_t seq = s->at[warp]++, last = p->n * s->of->run.trips;
    const struct step *step = &p->step[seq % p->n];

    (void)err;
    if (seq > last)
        return STREAM_END;
    d->seq = seq;
    d->active = d->mask = 0xffffffffu;
    d->bar_kind = BAR_SYNC;
    d->barrier = 0;
    d->bar_warps = 0;
    if (seq == last) {
        d->inst = &s->end;
        d->next_pc = 0;
        return STREAM_INST;
    }
    d->inst = &step->inst;
    d->space = step->inst.space;
    d->next_pc = step->inst.pc + 16 * (1 + (uint64_t)step->gap);
    if (step == &p->step[p->n - 1] && seq + 1 < last)
        d->next_pc = CODE;
    if (step->lanes)
        d->mask = ((uint32_t)1 << step->lanes) - 1;
    if (d->space)
        set_addresses(s, warp, step, d);
    return STREAM_INST;
}

static const struct stream_ops stream_ops = { .next = next };

static struct stream *open_block(struct kernel *k, uint64_t block, struct err *err)
{
    struct blocks *b = (struct blocks *)k;
    struct stream_state *s = calloc(1, sizeof *s);
    char text[] = "branch s5";
    struct step end;

    (void)err;
    if (!s)
        abort();
    read_step(&end, text, NULL);
    s->stream = (struct stream){ .ops = &stream_ops, .n_warps = b->run.warps };
    s->of = b;
    s->block = block;
    s->end = end.inst;
    s->end.flags = INST_EXIT | INST_CONTROL;
    s->end.pc = b->p->step[b->p->n - 1].inst.pc + 16;
    inst_index(&s->end);
    return &s->stream;
}

static void close_block(struct kernel *k, struct stream *s)
{
    (void)k;
    free(s);
}

static const struct kernel_ops kernel_ops = { .open = open_block,
                                              .close = close_block };

/* Watching */

struct rig_watch {
    struct trace trace;
    struct rig *rig;
};

static void on_kernel(struct trace *t, const struct kernel *k, uint32_t n, uint64_t c)
{
    (void)t, (void)k, (void)n, (void)c;
}

static void on_stage(struct trace *t, const struct trace_inst *i,
                     enum trace_stage stage, uint64_t cycle)
{
    struct rig *r = ((struct rig_watch *)t)->rig;

    if (stage == TRACE_ISSUE && !i->block && i->warp_of < RIG_WARPS &&
        i->dyn->seq < RIG_SEQ)
        r->issued[i->warp_of][i->dyn->seq] = cycle;
}

static void on_wait(struct trace *t, const struct trace_inst *i, const char *cause,
                    uint64_t cycle)
{
    (void)t, (void)i, (void)cause, (void)cycle;
}

static void on_depend(struct trace *t, const struct trace_inst *i, uint64_t seq,
                      uint64_t cycle)
{
    (void)t, (void)i, (void)seq, (void)cycle;
}

static void on_retire(struct trace *t, const struct trace_inst *i, bool flushed,
                      uint64_t cycle)
{
    (void)t, (void)i, (void)flushed, (void)cycle;
}

static void on_counter(struct trace *t, unsigned sm, const char *name, uint64_t value,
                       uint64_t cycle)
{
    (void)t, (void)sm, (void)name, (void)value, (void)cycle;
}

static const struct trace_ops watch_ops = { .kernel = on_kernel,
                                            .stage = on_stage,
                                            .wait = on_wait,
                                            .depend = on_depend,
                                            .retire = on_retire,
                                            .counter = on_counter };

/* Runs */

struct rig *rig_new(unsigned sms, const char *const *settings, unsigned n_settings)
{
    return rig_new_scheme(sms, NULL, settings, n_settings);
}

struct rig *rig_new_scheme(unsigned sms, const char *scheme,
                           const char *const *settings, unsigned n_settings)
{
    struct rig *r = calloc(1, sizeof *r);
    struct rig_watch *w = calloc(1, sizeof *w);

    if (!r || !w)
        abort();
    *w = (struct rig_watch){ .trace = { .ops = &watch_ops }, .rig = r };
    r->trace = &w->trace;
    r->machine = machine_new("h200", scheme, &r->err);
    if (r->machine && sms) {
        r->machine->gpu.sms = sms;
        r->machine->memory.dram.for_sms = 0; /* the whole memory side */
    }
    /* Hardware has no interlock: what the control words let go is gone. */
    if (r->machine && !scheme &&
        machine_set(r->machine, "control.interlock=off", &r->err))
        die("setting", r->err.text);
    for (unsigned k = 0; r->machine && k < n_settings; k++)
        if (machine_set(r->machine, settings[k], &r->err))
            die("setting", r->err.text);
    if (r->machine)
        r->gpu = gpu_new(r->machine, &r->err);
    if (!r->gpu)
        die("machine", r->err.text);
    r->base = 0x700000000;
    return r;
}

void rig_free(struct rig *r)
{
    gpu_free(r->gpu);
    machine_free(r->machine);
    free(r->trace);
    free(r);
}

uint64_t rig_run(struct rig *r, const struct program *p, const struct run *run)
{
    uint32_t threads = run->warps * WARP_LANES, blocks = run->blocks ? run->blocks : 1;
    struct blocks k = { .kernel = { .ops = &kernel_ops,
                                    .name = "rig",
                                    .n_blocks = blocks,
                                    .grid = { blocks, 1, 1 },
                                    .block = { threads, 1, 1 },
                                    .threads = threads,
                                    .registers = 32,
                                    .shared = run->shared,
                                    .cluster = 1,
                                    .cluster_shape = { 1, 1, 1 },
                                    .first_pc = CODE },
                        .p = p,
                        .run = *run,
                        .base = r->base };
    uint64_t before = gpu_cycle(r->gpu);

    r->err = (struct err){ 0 };
    gpu_set_trace(r->gpu, run->watch ? r->trace : NULL);
    if (gpu_run(r->gpu, &k.kernel, &r->err) && !run->may_fail)
        die("run", r->err.text);
    if (r->err.code)
        return 0;
    return gpu_cycle(r->gpu) - before;
}

double rig_pace(struct rig *r, const char *text)
{
    struct program p;
    size_t first, last;
    double pace;

    program_make(&p, text, 96);
    rig_run(r, &p, &(struct run){ .warps = 1, .trips = 4, .watch = true });
    /* In the last trip: everything is in the caches by then. The middle is steady. */
    first = 3 * p.n + p.n / 4 / p.pattern * p.pattern;
    last = 3 * p.n + (p.n - 1) / p.pattern * p.pattern - p.pattern;
    pace = (double)(r->issued[0][last] - r->issued[0][first]) /
           (double)((last - first) / p.pattern);
    program_free(&p);
    return pace;
}

double rig_rate(struct rig *r, const char *text, unsigned warps, unsigned body)
{
    /* More than a block has room for: two blocks. */
    struct run run = { .warps = warps > 32 ? warps / 2 : warps,
                       .blocks = warps > 32 ? 2 : 1,
                       .trips = 2 };
    struct program p;
    uint64_t some, more;

    program_make(&p, text, body);
    some = rig_run(r, &p, &run);
    run.trips = 6;
    more = rig_run(r, &p, &run);
    body = (unsigned)(p.n - 1);
    program_free(&p);
    return 4.0 * body * warps / (double)(more - some);
}
