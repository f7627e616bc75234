/* rig.c - a front end that reads its instructions out of a table, and a listener that
 * notes what the pipeline does with them.
 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/distance.h"
#include "analysis/idempotence.h"
#include "base/hash.h"

static const struct rig_kind kinds[] = {
    { "nop", CLASS_none, 0, 0, 0, false, 0 },
    { "iadd3", CLASS_int, 0, 0, 0, true, 0 },
    { "imad", CLASS_imul, 0, 0, 0, true, 0 },
    { "imadw", CLASS_imul_wide, 0, 0, 0, true, 0 },
    { "ffma", CLASS_fp32, 0, 0, 0, true, 0 },
    { "fsel", CLASS_fcmp, 0, 0, 0, true, 0 },
    { "dfma", CLASS_fp64, 0, 0, 0, true, 0 },
    { "hfma2", CLASS_half, 0, 0, 0, true, 0 },
    { "mufu", CLASS_sfu, 0, 0, 0, true, 0 },
    { "i2f", CLASS_conv, 0, 0, 0, true, 0 },
    { "hmma", CLASS_tensor, 0, 0, 0, true, 0 },
    { "uiadd3", CLASS_uniform, 0, 0, 0, true, 0 },
    { "s2r", CLASS_sreg, 0, 0, 0, true, 0 },
    { "vote", CLASS_vote, 0, 0, 0, true, 0 },
    { "shfl", CLASS_shuffle, 0, 0, 0, true, 0 },
    { "ldg", CLASS_load, SPACE_GLOBAL, 4, 0, true, 0 },
    { "lds", CLASS_load, SPACE_SHARED, 4, 0, true, 0 },
    { "ldl", CLASS_load, SPACE_LOCAL, 4, 0, true, 0 },
    { "stg", CLASS_store, SPACE_GLOBAL, 4, 0, false, 0 },
    { "sts", CLASS_store, SPACE_SHARED, 4, 0, false, 0 },
    { "stl", CLASS_store, SPACE_LOCAL, 4, 0, false, 0 },
    { "atomg", CLASS_atomic, SPACE_GLOBAL, 4, INST_SYNC, true, 0 },
    { "atoms", CLASS_atomic, SPACE_SHARED, 4, INST_SYNC, true, 0 },
    { "red", CLASS_atomic, SPACE_GLOBAL, 4, INST_SYNC, false, 0 },
    { "ldc", CLASS_ldc, SPACE_CONST, 4, 0, true, 0 },
    { "tex", CLASS_texture, SPACE_TEXTURE, 4, 0, true, 0 },
    { "suld", CLASS_texture, SPACE_TEXTURE, 4, 0, true, 0 },
    { "sust", CLASS_texture, SPACE_TEXTURE, 4, 0, false, INST_WRITES },
    { "sured", CLASS_texture, SPACE_TEXTURE, 4, 0, false,
      INST_READS | INST_WRITES | INST_ATOMIC },
    { "bra", CLASS_branch, 0, 0, INST_CONTROL, false, 0 },
    { "bssy", CLASS_branch, 0, 0, INST_CONTROL, true, 0 },
    { "bsync", CLASS_branch, 0, 0, INST_CONTROL | INST_CONVERGE, false, 0 },
    { "ret", CLASS_branch, 0, 0, INST_CONTROL | INST_SYNC, false, 0 },
    { "bar", CLASS_barrier, 0, 0, INST_SYNC, false, 0 },
    { "membar", CLASS_fence, 0, 0, INST_SYNC, false, 0 },
    { "depbar", CLASS_misc, 0, 0, 0, false, 0 },
    { "commit", CLASS_misc, 0, 0, INST_COPIES | INST_SYNC, false, 0 },
    { "tma", CLASS_misc, SPACE_GLOBAL, 0, INST_COPIES | INST_SYNC, false, INST_READS },
    { "map_ahead", CLASS_uniform, SPACE_NONE, 0, INST_COPIES, false, 0 },
    { "map_forget", CLASS_uniform, SPACE_NONE, 0, INST_COPIES, false, 0 },
    { "try", CLASS_misc, 0, 0, INST_PHASE | INST_SYNC, true, INST_READS },
    { "hgmma", CLASS_tensor, 0, 0, 0, true, 0 },
    { "wgwait", CLASS_misc, 0, 0, INST_SYNC, false, 0 },
    { "exit", CLASS_exit, 0, 0, INST_EXIT | INST_CONTROL | INST_SYNC, false, 0 },
};

const struct rig_kind *rig_kind_at(unsigned n)
{
    return n < sizeof kinds / sizeof *kinds ? &kinds[n] : NULL;
}

const struct rig_kind *rig_kind(const char *name)
{
    for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++)
        if (!strcmp(kinds[n].name, name))
            return &kinds[n];
    return NULL;
}

static void *grow(void *at, unsigned n, unsigned *room, size_t size)
{
    if (n < *room)
        return at;
    *room = *room ? *room * 2 : 16;
    at = realloc(at, *room * size);
    if (!at)
        abort();
    return at;
}

struct rig_op *rig_add(struct rig_code *c)
{
    struct rig_op *o;

    c->op = grow(c->op, c->n, &c->room, sizeof *c->op);
    o = &c->op[c->n++];
    memset(o, 0, sizeof *o);
    o->active = o->mask = 0xffffffffu;
    o->takers = UINT64_MAX;
    o->mark = NOT_REDUNDANT;
    o->target = -1;
    o->inst.length = 16;
    o->inst.depbar = 7;
    o->inst.control =
        (struct inst_control){ .stall = 1, .write_barrier = 7, .read_barrier = 7 };
    return o;
}

struct rig_op *rig_add_kind(struct rig_code *c, const struct rig_kind *kind)
{
    struct rig_op *o = rig_add(c);

    snprintf(o->name, sizeof o->name, "%s", kind->name);
    o->inst.class = kind->class;
    o->inst.space = kind->space;
    o->inst.bytes = kind->bytes;
    o->inst.flags = kind->flags;
    o->inst.memory =
        kind->memory ? kind->memory : inst_class_memory((enum inst_class)kind->class);
    return o;
}

void rig_make_copy(struct rig_op *o)
{
    o->inst.flags |= INST_ASYNC;
    o->inst.memory |= INST_WRITES;
}

void rig_reads(struct rig_op *o, unsigned id, unsigned n)
{
    struct inst *i = &o->inst;

    for (unsigned k = 0; k < n; k++)
        regset_add(&i->reads, id + k);
    if (id < REGID_UR && i->n_src < MAX_SRC) {
        i->src[i->n_src] =
            (struct inst_operand){ .reg = (uint8_t)id,
                                   .n = (uint8_t)n,
                                   .slot = (uint8_t)(i->n_src < 3 ? i->n_src : 3) };
        i->n_src++;
    }
}

void rig_writes(struct rig_op *o, unsigned id, unsigned n)
{
    struct inst *i = &o->inst;

    for (unsigned k = 0; k < n; k++)
        regset_add(&i->writes, id + k);
    if (id < REGID_UR && i->n_dst < MAX_DST)
        i->dst[i->n_dst++] =
            (struct inst_operand){ .reg = (uint8_t)id, .n = (uint8_t)n, .slot = 3 };
}

static void add_exit(struct rig_code *c)
{
    rig_add_kind(c, rig_kind("exit"))->inst.control.wait_mask = 0;
}

/* Streams. */
struct lane_warp {
    unsigned at;
    uint64_t seq;
    bool has_ended, waits;
    uint8_t barrier;
    uint16_t *round; /* by op: how often it was executed */
    const struct rig_op *last;
};

/* A copy that an instruction has started, from its execution to its end. */
struct rig_copy {
    struct copy base; /* first */
    struct copy_run run;
    bool is_used, is_taken;
};

struct rig_stream {
    struct stream base;
    struct rig_kernel *kernel;
    uint64_t block;
    unsigned n_live;
    unsigned arrived[16], expected[16];
    struct rig_copy copy[RIG_COPIES];
    unsigned n_ended; /* copies into shared memory */
    struct lane_warp warp[RIG_WARPS];
};

static void check_open(struct rig_stream *s, unsigned id)
{
    unsigned expected = s->expected[id] ? s->expected[id] : s->n_live;

    if (!s->arrived[id] || s->arrived[id] < expected)
        return;
    s->arrived[id] = 0;
    for (unsigned w = 0; w < s->base.n_warps; w++)
        if (s->warp[w].waits && s->warp[w].barrier == id)
            s->warp[w].waits = false;
}

static void arrive(struct rig_stream *s, struct lane_warp *w, const struct rig_op *o)
{
    unsigned id = o->barrier % 16;

    if (o->bar_kind == BAR_NONE)
        return;
    s->arrived[id]++;
    s->expected[id] = o->bar_warps;
    w->waits = o->bar_kind == BAR_SYNC && !s->base.is_recorded;
    w->barrier = (uint8_t)id;
    check_open(s, id);
}

static void end_warp(struct rig_stream *s, struct lane_warp *w)
{
    w->has_ended = true;
    s->n_live--;
    for (unsigned id = 0; id < 16; id++)
        check_open(s, id);
}

/* tma copies o->copied bytes, commit makes a group of the copies before it. */
static enum copy_kind copy_kind(const struct rig_op *o)
{
    if (!strcmp(o->name, "map_ahead"))
        return COPY_MAP;
    if (!strcmp(o->name, "map_forget"))
        return COPY_NO_MAP;
    return o->copied ? COPY_LOAD : COPY_COMMIT;
}

static void begin_copy(struct rig_stream *s, unsigned warp, const struct rig_op *o)
{
    struct rig_copy *c = s->copy;

    while (c->is_used)
        c++;
    *c = (struct rig_copy){ .base = { .kind = (uint8_t)copy_kind(o),
                                      .warp = (uint16_t)warp,
                                      .map = o->map,
                                      .has_param = o->has_param,
                                      .seq = s->warp[warp].seq - 1,
                                      .bytes = o->copied,
                                      .n_runs = o->copied != 0 },
                            .run = { o->base, o->copied },
                            .is_used = true };
    c->base.run = &c->run;
}

static struct copy *take_copy(struct stream *stream, unsigned warp, uint64_t seq)
{
    struct rig_stream *s = (struct rig_stream *)stream;

    for (struct rig_copy *c = s->copy; c < s->copy + RIG_COPIES; c++)
        if (c->is_used && !c->is_taken && c->base.warp == warp && c->base.seq == seq) {
            c->is_taken = true;
            return &c->base;
        }
    return NULL;
}

static int end_copy(struct stream *stream, struct copy *copy, struct err *err)
{
    struct rig_stream *s = (struct rig_stream *)stream;

    (void)err;
    s->n_ended += copy->kind == COPY_LOAD;
    ((struct rig_copy *)copy)->is_used = false;
    return 0;
}

/* try waits until `count` copies have ended. */
static int try_phase(struct stream *stream, unsigned warp, bool gives_up,
                     struct err *err)
{
    const struct rig_stream *s = (const struct rig_stream *)stream;

    (void)err;
    return gives_up || s->n_ended >= s->warp[warp].last->bar_warps;
}

static enum stream_status rig_next(struct stream *stream, unsigned warp,
                                   struct dyn *dyn, struct err *err)
{
    struct rig_stream *s = (struct rig_stream *)stream;
    const struct rig_code *c = &s->kernel->code[s->kernel->code_of[warp]];
    struct lane_warp *w = &s->warp[warp];
    const struct rig_op *o;
    unsigned round;

    (void)err;
    if (w->has_ended)
        return STREAM_END;
    if (w->waits)
        return STREAM_WAIT;
    o = &c->op[w->at];
    round = w->round[w->at]++;
    dyn->inst = &o->inst;
    dyn->seq = w->seq++;
    dyn->active = o->active;
    dyn->mask = o->mask & o->active;
    dyn->value.shape = o->shape;
    dyn->value.digest = hash_mix(o->inst.pc + (o->by_warp ? warp << 16 : 0) +
                                 (o->by_round ? (uint64_t)round << 32 : 0));
    dyn->space = o->inst.space;
    dyn->barrier = o->barrier;
    dyn->bar_kind = o->bar_kind;
    dyn->bar_warps = o->bar_warps;
    if (o->inst.space)
        addresses_set_line(&dyn->addr, o->base + round * o->round, (int64_t)o->lane);
    w->at = o->target >= 0 && (o->times == RIG_NEVER || round < o->times) &&
                    o->takers >> warp % 64 & 1
                ? (unsigned)o->target
                : w->at + 1;
    if (o->inst.class == CLASS_exit && o->takers != UINT64_MAX &&
        o->takers >> warp % 64 & 1)
        w->at = c->n;
    w->last = o;
    if (o->inst.class == CLASS_barrier)
        arrive(s, w, o);
    if (o->inst.flags & INST_COPIES)
        begin_copy(s, warp, o);
    if (w->at >= c->n)
        end_warp(s, w);
    dyn->next_pc = w->has_ended ? 0 : c->op[w->at].inst.pc;
    return STREAM_INST;
}

static const struct stream_ops stream_ops = { .next = rig_next,
                                              .try_phase = try_phase,
                                              .take_copy = take_copy,
                                              .end_copy = end_copy };

static struct stream *rig_open(struct kernel *kernel, uint64_t block, struct err *err)
{
    struct rig_kernel *k = (struct rig_kernel *)kernel;
    struct rig_stream *s = calloc(1, sizeof *s);

    (void)err;
    if (!s)
        abort();
    s->base.ops = &stream_ops;
    s->base.n_warps = kernel_warps(kernel);
    s->base.is_recorded = k->is_recorded;
    s->kernel = k;
    s->block = block;
    s->n_live = s->base.n_warps;
    for (unsigned w = 0; w < s->base.n_warps; w++)
        s->warp[w].round = calloc(k->code[k->code_of[w]].n, sizeof(uint16_t));
    k->n_open++;
    k->n_opened++;
    return &s->base;
}

static void rig_close(struct kernel *kernel, struct stream *stream)
{
    struct rig_stream *s = (struct rig_stream *)stream;

    ((struct rig_kernel *)kernel)->n_open--;
    for (unsigned w = 0; w < s->base.n_warps; w++)
        free(s->warp[w].round);
    free(s);
}

static void rig_text(const struct kernel *kernel, const struct inst *i, struct buf *out)
{
    const struct rig_op *o =
        (const struct rig_op *)((const char *)i - offsetof(struct rig_op, inst));

    (void)kernel;
    buf_puts(out, o->name);
}

/* They are there already: rig_finish(). */
static int rig_mark(struct kernel *kernel, struct err *err)
{
    (void)kernel;
    (void)err;
    return 0;
}

static const struct kernel_ops kernel_ops = {
    .open = rig_open, .close = rig_close, .text = rig_text, .mark = rig_mark
};

static bool stops(const struct rig_op *o)
{
    return o->takers == UINT64_MAX &&
           (o->inst.flags & INST_EXIT || (o->target >= 0 && o->times == RIG_NEVER));
}

/* As a front end does for its code; to be freed. */
static struct code_line *describe(const struct rig_code *c)
{
    struct code_line *line = calloc(c->n + 1, sizeof *line);

    if (!line)
        abort();
    for (unsigned i = 0; i < c->n; i++) {
        const struct inst *inst = &c->op[i].inst;
        bool may_return = inst->flags & INST_SYNC && inst->class == CLASS_branch;

        line[i] = (struct code_line){ .inst = &c->op[i].inst,
                                      .target = c->op[i].target,
                                      .is_guarded = (c->op[i].mask & c->op[i].active) !=
                                                    0xffffffffu,
                                      .stops = stops(&c->op[i]),
                                      .keeps_together = c->is_together && !may_return };
    }
    return line;
}

static void mark(const struct rig_code *c)
{
    struct code_line *line = describe(c);
    struct err err = { 0 };

    if (idempotence_mark(line, c->n, &err) || distance_mark(line, c->n, &err))
        abort();
    free(line);
}

/* Adds an operation to c that moves a register to itself, or does nothing. */
static void add_inserted(struct rig_code *c, unsigned reg)
{
    struct rig_op *o = rig_add_kind(c, rig_kind(reg == NO_REG ? "nop" : "iadd3"));

    o->inst.flags |= INST_INSERTED;
    if (reg == NO_REG)
        return;
    rig_reads(o, reg, 1);
    rig_writes(o, reg, 1);
}

/* Jumps lead to the first inserted operation that they do not skip. */
static void insert_all(struct rig_code *c, const struct insertions *plan)
{
    struct rig_code to = { .is_together = true };
    int *lands = calloc(c->n + 1, sizeof *lands);
    const struct insertion *next = plan->at, *end = plan->at + plan->n;

    if (!lands)
        abort();
    for (unsigned i = 0; i <= c->n; i++) {
        for (; next < end && next->place == i && next->is_skipped; next++)
            add_inserted(&to, next->reg);
        lands[i] = (int)to.n;
        for (; next < end && next->place == i; next++)
            add_inserted(&to, next->reg);
        if (i < c->n)
            *rig_add(&to) = c->op[i];
    }
    for (unsigned i = 0; i < to.n; i++)
        if (to.op[i].target >= 0)
            to.op[i].target = lands[to.op[i].target];
    free(lands);
    free(c->op);
    *c = to;
}

void rig_convert(struct rig_code *c, const struct naming *naming)
{
    struct insertions plan;
    struct code_line *line;
    struct err err = { 0 };

    c->is_together = naming->kind != NAMING_RUNS;
    for (unsigned i = 0; i < c->n; i++)
        inst_index(&c->op[i].inst);
    line = describe(c);
    if (hybrid_plan(line, c->n, naming, &plan, &err))
        abort();
    free(line);
    if (plan.n)
        insert_all(c, &plan);
    insertions_free(&plan);
}

static void keep_marks(struct rig_kernel *k, unsigned n)
{
    k->marks = malloc(n);
    if (!k->marks)
        abort();
    k->base.marks = k->marks;
    k->base.n_marks = 0;
    for (unsigned c = 0; c < k->n_codes; c++)
        for (unsigned i = 0; i < k->code[c].n; i++)
            k->marks[k->base.n_marks++] = k->code[c].op[i].mark;
}

void rig_finish(struct rig_kernel *k)
{
    uint64_t pc = RIG_PC;

    k->base.ops = &kernel_ops;
    if (!k->base.name)
        k->base.name = "rig";
    k->base.first_pc = RIG_PC;
    k->base.cluster = 1;
    k->base.block[1] = k->rows ? k->rows : 1;
    k->base.block[2] = k->planes ? k->planes : 1;
    k->base.block[0] = k->base.threads / (k->base.block[1] * k->base.block[2]);
    k->base.grid[0] = (uint32_t)k->base.n_blocks;
    k->base.grid[1] = k->base.grid[2] = 1;
    for (unsigned n = 0; n < k->n_codes; n++) {
        struct rig_code *c = &k->code[n];

        if (!k->has_no_exit || !c->n)
            add_exit(c);
        for (unsigned i = 0; i < c->n; i++, pc += 16) {
            c->op[i].inst.pc = pc;
            inst_index(&c->op[i].inst);
        }
        mark(c);
    }
    keep_marks(k, (unsigned)((pc - RIG_PC) / 16));
}

void rig_free(struct rig_kernel *k)
{
    for (unsigned n = 0; n < k->n_codes; n++)
        free(k->code[n].op);
    free(k->marks);
    k->marks = NULL;
    k->n_codes = 0;
}

/* The listener. */
struct rig_trace {
    struct trace base;
    struct rig_run *run;
};

static struct rig_note *note_of(struct trace *t, const struct trace_inst *i)
{
    struct rig_run *r = ((struct rig_trace *)t)->run;
    struct rig_warp *w = &r->warp[i->block * r->per_block + i->warp_of];

    while (w->n <= i->dyn->seq) {
        w->note = grow(w->note, w->n, &w->room, sizeof *w->note);
        w->note[w->n++] = (struct rig_note){ 0 };
    }
    return &w->note[i->dyn->seq];
}

static void note_issue(struct rig_run *r, const struct trace_inst *i, uint64_t cycle)
{
    r->issue = grow(r->issue, r->n_issue, &r->issue_room, sizeof *r->issue);
    r->issue[r->n_issue++] = (struct rig_issue){ .cycle = cycle,
                                                 .block = (uint32_t)i->block,
                                                 .warp = i->warp_of,
                                                 .sm = i->sm,
                                                 .slot = i->warp,
                                                 .seq = (uint32_t)i->dyn->seq };
}

static void on_stage(struct trace *t, const struct trace_inst *i,
                     enum trace_stage stage, uint64_t cycle)
{
    struct rig_run *r = ((struct rig_trace *)t)->run;
    struct rig_note *n = note_of(t, i);

    switch (stage) {
    case TRACE_WINDOW:
        n->window = cycle;
        n->inst = i->dyn->inst;
        n->arrives = n->inst->class == CLASS_barrier && i->dyn->bar_kind != BAR_NONE;
        n->waits = n->arrives && i->dyn->bar_kind == BAR_SYNC;
        n->barrier = i->dyn->barrier;
        n->is_partial = i->dyn->mask != 0xffffffffu;
        n->is_empty = !i->dyn->mask;
        n->n_window++;
        break;
    case TRACE_ISSUE:
        n->issue = cycle;
        n->n_issue++;
        if (n->wait_from < cycle && n->wait)
            n->cause = n->wait;
        if (!n->cause)
            n->cause = n->window + 1 == cycle ? "new" : "behind";
        note_issue(r, i, cycle);
        break;
    case TRACE_COLLECT:
        n->collect = cycle;
        break;
    case TRACE_EXECUTE:
    case TRACE_MEMORY:
        n->start = cycle;
        break;
    case TRACE_WRITE:
        n->write = cycle;
        break;
    default:
        break;
    }
}

static void on_wait(struct trace *t, const struct trace_inst *i, const char *cause,
                    uint64_t cycle)
{
    struct rig_note *n = note_of(t, i);

    if (n->wait_from < cycle && n->wait)
        n->cause = n->wait;
    n->wait = cause && *cause ? cause : "ready";
    n->wait_from = cycle;
}

static void on_retire(struct trace *t, const struct trace_inst *i, bool flushed,
                      uint64_t cycle)
{
    struct rig_note *n = note_of(t, i);

    (void)flushed;
    n->retire = cycle;
    n->n_retire++;
}

static void on_kernel(struct trace *t, const struct kernel *k, uint32_t number,
                      uint64_t cycle)
{
    (void)t;
    (void)k;
    (void)number;
    (void)cycle;
}

static void on_depend(struct trace *t, const struct trace_inst *i, uint64_t seq,
                      uint64_t cycle)
{
    (void)t;
    (void)i;
    (void)seq;
    (void)cycle;
}

static void on_counter(struct trace *t, unsigned sm, const char *name, uint64_t value,
                       uint64_t cycle)
{
    (void)t;
    (void)sm;
    (void)name;
    (void)value;
    (void)cycle;
}

static int on_finish(struct trace *t, struct err *err)
{
    (void)t;
    (void)err;
    return 0;
}

static const struct trace_ops listener = { on_kernel, on_stage,   on_wait,  on_depend,
                                           on_retire, on_counter, on_finish };

static struct machine *make_machine(struct rig_run *r)
{
    struct machine *m = machine_new(r->gpu, r->scheme, &r->err);
    static const char *const always[] = { "gpu.sms=1", "gpu.launch_cycles=0" };

    for (unsigned n = 0; m && n < 2 + r->n_set; n++)
        if (machine_set(m, n < 2 ? always[n] : r->set[n - 2], &r->err)) {
            machine_free(m);
            return NULL;
        }
    return m;
}

static void take_result(struct rig_run *r, struct gpu *g)
{
    struct gpu_result *result = gpu_result_new(g, NULL);

    r->cycles = gpu_cycle(g);
    buf_puts(&r->report, gpu_report(g));
    if (!result)
        return;
    r->stats = *gpu_result_sm(result);
    stat_json(gpu_result_report(result), &r->json);
    gpu_result_free(result);
}

bool rig_go(struct rig_run *r, struct rig_kernel *k)
{
    struct machine *m = make_machine(r);
    struct rig_trace listen = { .base = { .ops = &listener }, .run = r };
    struct gpu *g = m ? gpu_new(m, &r->err) : NULL;

    if (!g) {
        machine_free(m);
        return false;
    }
    r->n_subcores = m->core.subcores;
    r->n_sms = m->gpu.sms;
    r->atomic_blocks = m->core.atomic_blocks;
    r->may_overlap =
        m->regfile.model == REGFILE_PORTS && !strcmp(m->scheme->name, "control");
    r->late_half = m->regfile.late_half;
    r->per_block = kernel_warps(&k->base);
    r->n_warps = (unsigned)k->base.n_blocks * r->per_block;
    r->warp = calloc(r->n_warps, sizeof *r->warp);
    if (!r->warp)
        abort();
    if (!r->is_quiet)
        gpu_set_trace(g, &listen.base);
    if (r->max_cycles)
        gpu_set_limits(g, &(struct gpu_limits){ .max_cycles = r->max_cycles });
    gpu_run(g, &k->base, &r->err);
    take_result(r, g);
    gpu_free(g);
    machine_free(m);
    return true;
}

void rig_run_free(struct rig_run *r)
{
    for (unsigned n = 0; n < r->n_warps && r->warp; n++)
        free(r->warp[n].note);
    free(r->warp);
    free(r->issue);
    buf_free(&r->report);
    buf_free(&r->json);
    r->warp = NULL;
    r->issue = NULL;
    r->n_warps = r->n_issue = r->issue_room = 0;
    r->err = (struct err){ 0 };
}
