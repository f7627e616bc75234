/* sanitize.c - looks at what each instruction accesses; see sanitize.h. */
#include "frontend/sass/exec/sanitize.h"

#include <stdlib.h>

#include "frontend/sass/exec/access.h"
#include "isa/addresses.h"

enum { MOST_FINDINGS = 4096, ROW_OF_MATRIX = 16, ROWS_OF_MATRIX = 8 };

static struct sanitizer *sanitizer_of(const struct sass_warp *w)
{
    return w->block->grid->launch.sanitizer;
}

void sanitizer_free(struct sanitizer *s)
{
    free(s->at);
    s->at = NULL;
    s->n = s->cap = 0;
}

void sanitize_open(struct sass_block *b)
{
    b->shared_set = calloc(b->shared_size / 8 + 1, 1);
    if (!b->shared_set)
        err_memory_exit("the shadow of shared memory");
}

void sanitize_lose(struct sanitizer *s)
{
    s->shadow->is_blind = true;
}

/* ---- findings ---- */

/* The same kind at the same places counts once more. */
static void add_finding(struct sanitizer *s, const struct finding *f)
{
    for (size_t k = 0; k < s->n; k++) {
        struct finding *old = &s->at[k];

        if (old->kind == f->kind && old->side[0].pc == f->side[0].pc &&
            old->side[1].pc == f->side[1].pc) {
            old->times++;
            return;
        }
    }
    if (s->n == MOST_FINDINGS)
        return;
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 16;
        s->at = realloc(s->at, s->cap * sizeof *s->at);
        if (!s->at)
            err_memory_exit("findings");
    }
    s->at[s->n] = *f;
    s->at[s->n++].times = 1;
}

static uint64_t block_number(const struct sass_block *b)
{
    const uint32_t *grid = b->grid->launch.grid;

    return ((uint64_t)b->id[2] * grid[1] + b->id[1]) * grid[0] + b->id[0];
}

static struct race_side side_at(const struct sass_warp *w, unsigned lane, uint64_t pc,
                                bool writes)
{
    return (struct race_side){ .pc = pc,
                               .block = block_number(w->block),
                               .thread = w->index * (uint32_t)WARP_LANES + lane,
                               .writes = writes };
}

/* ---- accesses ---- */

/* An access of one lane. */
struct touch {
    const struct sass_inst *inst;
    unsigned lane;
    uint64_t addr;
    unsigned bytes;
    bool reads, writes;
};

static void find_global(struct sass_warp *w, const struct touch *t, bool is_fault)
{
    static const enum finding_kind kinds[] = { [SHADOW_GOOD] = FINDING_OUTSIDE,
                                               [SHADOW_FREED] = FINDING_FREED,
                                               [SHADOW_PADDING] = FINDING_PADDING,
                                               [SHADOW_UNSET] = FINDING_UNSET };
    struct sanitizer *s = sanitizer_of(w);
    struct finding f = { .addr = t->addr, .bytes = t->bytes };
    enum shadow_state state =
        shadow_look(s->shadow, t->addr, t->bytes, t->reads, &f.block);

    if (state == SHADOW_GOOD && !is_fault)
        return;
    f.kind = kinds[state];
    f.side[0] = side_at(w, t->lane, t->inst->base.pc, t->writes);
    add_finding(s, &f);
}

/* A fault in memory of which only the end is known. */
static void find_outside(struct sass_warp *w, const struct touch *t,
                         enum finding_kind kind)
{
    struct finding f = { .kind = kind, .addr = t->addr, .bytes = t->bytes };

    f.side[0] = side_at(w, t->lane, t->inst->base.pc, t->writes);
    add_finding(sanitizer_of(w), &f);
}

static void note_global(struct sass_warp *w, const struct touch *t)
{
    find_global(w, t, false);
    if (t->writes)
        shadow_write(sanitizer_of(w)->shadow, t->addr, t->bytes);
}

/* Of its own block; outside of it is the business of the executor. */
static void note_shared(struct sass_warp *w, const struct touch *t)
{
    struct sass_block *b = w->block;
    uint64_t at = t->addr & memory_shared_bits(w);
    struct finding f = { .kind = FINDING_UNSET_SHARED, .addr = at, .bytes = t->bytes };

    if (at + t->bytes > b->shared_size)
        return;
    if (t->reads && !shadow_has_any(b->shared_set, at, t->bytes)) {
        f.side[0] = side_at(w, t->lane, t->inst->base.pc, t->writes);
        add_finding(sanitizer_of(w), &f);
    }
    if (t->writes)
        shadow_set_bits(b->shared_set, at, t->bytes);
}

static void note_lanes(struct sass_warp *w, struct touch t, uint32_t mask,
                       const uint64_t *addr, bool is_shared)
{
    for (; mask; mask &= mask - 1) {
        t.lane = (unsigned)__builtin_ctz(mask);
        t.addr = addr[t.lane];
        if (is_shared)
            note_shared(w, &t);
        else
            note_global(w, &t);
    }
}

/* All that the block may read there counts as written. */
static void lose_shared(struct sass_block *b)
{
    shadow_set_bits(b->shared_set, 0, b->shared_size);
}

/* A copy to shared memory may read fewer bytes than it writes: only the latter count. */
static void note_copy(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    struct touch t = { .inst = i, .bytes = i->base.bytes, .writes = true };
    uint64_t to[WARP_LANES];

    memory_addresses(w, &i->opd[LDGSTS_TO], to);
    note_lanes(w, t, mask, to, true);
}

/* Rows of matrices: eight lanes have the addresses of the rows of each. */
static void note_rows(struct sass_warp *w, const struct sass_inst *i,
                      const uint64_t *addr)
{
    bool writes = i->base.op == OP_STSM;
    struct touch t = {
        .inst = i, .bytes = ROW_OF_MATRIX, .reads = !writes, .writes = writes
    };
    unsigned lanes = (unsigned)ROWS_OF_MATRIX << sass_field(i, LDSM_COUNT);

    note_lanes(w, t, lanes < WARP_LANES ? (1u << lanes) - 1 : ALL_LANES, addr, true);
}

static void note_plain(struct sass_warp *w, const struct sass_inst *i,
                       const struct dyn *d, const uint64_t *addr)
{
    const struct inst *base = &i->base;
    struct touch t = { .inst = i,
                       .bytes = base->bytes,
                       .reads = !inst_writes_memory(base) || inst_is_atomic(base),
                       .writes = inst_writes_memory(base) };

    if (d->space == SPACE_GLOBAL || d->space == SPACE_SHARED)
        note_lanes(w, t, d->mask, addr, d->space == SPACE_SHARED);
}

/* Copies and stores that go on by themselves, to places that are not noted. */
static bool is_followed(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_UBLKCP:
    case OP_UBLKRED:
    case OP_UTMALDG:
    case OP_UTMASTG:
    case OP_UTMAREDG:
    case OP_STAS:
    case OP_REDAS:
    case OP_SYNCS_EXCH:
    case OP_SYNCS_ARRIVE:
    case OP_SYNCS_CHECK:
    case OP_ARRIVES:
    case OP_ATOM_ARRIVE:
        return false;
    default:
        return true;
    }
}

void sanitize_note(struct sass_warp *w, const struct sass_inst *i, const struct dyn *d)
{
    uint64_t list[WARP_LANES];

    if (!is_followed(i)) {
        lose_shared(w->block);
        sanitizer_of(w)->shadow->is_blind |= inst_writes_memory(&i->base);
    } else if (!d->mask || !inst_is_memory(&i->base)) {
        return;
    } else if (i->base.op == OP_LDGSTS) {
        note_copy(w, i, d->mask);
    } else if (i->base.op == OP_LDSM || i->base.op == OP_STSM) {
        note_rows(w, i, addresses_each(&d->addr, list));
    } else {
        note_plain(w, i, d, addresses_each(&d->addr, list));
    }
}

void sanitize_fault(struct sass_warp *w, const struct sass_inst *i, unsigned lane,
                    struct memory_access what, uint64_t addr)
{
    enum inst_space space = (enum inst_space)what.space;
    struct touch t = { .inst = i,
                       .lane = lane,
                       .addr = addr,
                       .bytes = what.bytes,
                       .writes = inst_writes_memory(&i->base) };

    if (space == SPACE_GENERIC)
        space = memory_space(addr);
    if (space == SPACE_SHARED)
        find_outside(w, &t, FINDING_OUTSIDE_SHARED);
    else if (space == SPACE_LOCAL)
        find_outside(w, &t, FINDING_OUTSIDE_LOCAL);
    else
        find_global(w, &t, true);
}

/* ---- barriers ---- */

/* The first that came to the block's barrier, and a lane that is elsewhere. */
static void add_barrier(struct sass_warp *w, unsigned lane, uint64_t pc, unsigned first)
{
    const struct sass_barrier *bar = &w->block->barriers[0];
    struct finding f = { .kind = FINDING_BARRIER };

    f.side[first] = side_at(w, 0, bar->first_pc, false);
    f.side[first].thread = bar->first_thread;
    f.side[!first] = side_at(w, lane, pc, false);
    add_finding(sanitizer_of(w), &f);
}

void sanitize_barrier(struct sass_warp *w, uint32_t mask, uint64_t pc)
{
    struct sass_barrier *bar = &w->block->barriers[0];
    unsigned lane = (unsigned)__builtin_ctz(mask);

    if (!bar->first_pc) {
        bar->first_pc = pc;
        bar->first_thread = w->index * (uint32_t)WARP_LANES + lane;
    } else if (bar->first_pc != pc) { /* one finding per pair of places */
        add_barrier(w, lane, pc, pc < bar->first_pc);
    }
}

/* Was it found before that threads come elsewhere instead of to this barrier? */
static bool is_found(const struct sanitizer *s, const struct sass_barrier *bar)
{
    for (size_t k = 0; k < s->n; k++)
        if (s->at[k].kind == FINDING_BARRIER && (s->at[k].side[0].pc == bar->first_pc ||
                                                 s->at[k].side[1].pc == bar->first_pc))
            return true;
    return false;
}

void sanitize_stuck(struct sass_warp *w, unsigned lane, uint64_t pc)
{
    const struct sass_block *b = w->block;
    const struct sass_barrier *bar = &b->barriers[0];

    if (b->used_barriers & 1 && bar->first_pc && !is_found(sanitizer_of(w), bar))
        add_barrier(w, lane, pc, 0);
}
