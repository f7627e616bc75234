/* idempotence.c - which instructions may be executed again after a fault.
 *
 * A register is exposed where, on some path from a load that may fault, it was read
 * before it was written: executing again from that load reads it again. An instruction
 * that writes an exposed register is not idempotent. It issues when all older loads are
 * translated, and later writers of the register issue after it, so the register is no
 * longer exposed. A register that has not been written since the last load is open; an
 * unguarded write closes a register, the next load opens all.
 *
 * Exposed registers flow along the edges of the program until nothing changes. Blocks
 * begin with everything open, whether or not a load came before: lanes on another path
 * may have executed one. Memory counts as one register per space: a store is idempotent
 * if nothing has read its space since a load.
 *
 * After an instruction that nothing passes (INST_SYNC) all older loads are translated,
 * so nothing is exposed. Calls, returns and exits are of this kind, so each function is
 * analysed by itself.
 *
 * LIMIT: addresses are not compared. Uniform registers are taken as each lane's own.
 */
#include "analysis/idempotence.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEM_GLOBAL = REGID_B + 16, /* ids after those of registers */
    MEM_SHARED,
    MEM_LOCAL,
    MAX_SWEEPS = 64, /* passes; compiled code takes a few. Gives up after these */
    NO_BLOCK = 0,
};
_Static_assert((int)MEM_LOCAL < (int)N_REGID, "ids of memory spaces");

struct pass {
    const struct code_line *code;
    size_t n;
    uint32_t *block;   /* by place: number of the block that begins there; NO_BLOCK */
    struct regset *in; /* by block: exposed at its beginning */
    bool has_changed;
};

/* The state at a point of the program. */
struct point {
    struct regset exposed, open;
};

static void add_memory(struct regset *set, unsigned space)
{
    if (space == SPACE_GLOBAL || space == SPACE_TEXTURE || space == SPACE_GENERIC)
        regset_add(set, MEM_GLOBAL);
    if (space == SPACE_SHARED || space == SPACE_GENERIC)
        regset_add(set, MEM_SHARED);
    if (space == SPACE_LOCAL || space == SPACE_GENERIC)
        regset_add(set, MEM_LOCAL);
}

static void find_footprint(const struct inst *i, struct regset *reads,
                           struct regset *writes)
{
    *reads = i->reads;
    *writes = i->writes;
    if (i->memory & INST_READS)
        add_memory(reads, i->space);
    if (inst_is_copy(i))
        regset_add(writes, MEM_SHARED);
    else if (inst_writes_memory(i))
        add_memory(writes, i->space);
}

static bool may_fault(const struct inst *i)
{
    return i->memory & INST_READS && i->class == CLASS_load && i->space != SPACE_SHARED;
}

static struct regset intersect_open(const struct regset *set, const struct regset *open)
{
    struct regset s;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        s.w[k] = set->w[k] & open->w[k];
    return s;
}

static void close_reads(struct point *p, struct regset writes, bool is_whole)
{
    if (!is_whole) { /* a store leaves most of memory as it was */
        writes.w[MEM_GLOBAL / 64] &=
            ~((uint64_t)7 << MEM_GLOBAL % 64); /* all three are in one word */
    }
    regset_drop(&p->open, &writes);
}
_Static_assert(MEM_GLOBAL / 64 == MEM_LOCAL / 64, "spaces in one word");

/* Advances the state over one instruction; true if it is idempotent. */
static bool step_inst(struct point *p, const struct code_line *line)
{
    static const struct regset nothing;
    struct regset reads, writes, seen;
    bool clobbers;

    if (inst_is_sync(line->inst)) {
        p->exposed = nothing;
        memset(&p->open, 0xff, sizeof p->open);
        return false;
    }
    find_footprint(line->inst, &reads, &writes);
    seen = intersect_open(&reads, &p->open);
    regset_join(&p->exposed, &seen);
    clobbers = regset_meets(&p->exposed, &writes);
    if (may_fault(line->inst)) {
        memset(&p->open, 0xff, sizeof p->open);
        regset_join(&p->exposed, &reads);
    }
    regset_drop(&p->exposed, &writes);
    if (clobbers || !line->is_guarded)
        close_reads(p, writes, clobbers);
    return !clobbers;
}

static void flow_exposed(struct pass *p, size_t place, const struct regset *exposed)
{
    struct regset *in;

    if (place >= p->n || p->block[place] == NO_BLOCK)
        return;
    in = &p->in[p->block[place]];
    for (unsigned k = 0; k < N_REGID / 64; k++) {
        p->has_changed |= (exposed->w[k] & ~in->w[k]) != 0;
        in->w[k] |= exposed->w[k];
    }
}

/* Walks a block from its beginning to that of the next one. */
static void walk_block(struct pass *p, size_t place, bool marks)
{
    struct point now = { .exposed = p->in[p->block[place]] };

    memset(&now.open, 0xff, sizeof now.open);
    for (bool is_last = false; !is_last; place++) {
        const struct code_line *line = &p->code[place];
        bool may_redo = step_inst(&now, line);

        is_last = place + 1 == p->n || p->block[place + 1] != NO_BLOCK;
        if (marks && may_redo)
            line->inst->flags |= INST_REDO;
        if (line->target >= 0)
            flow_exposed(p, (size_t)line->target, &now.exposed);
        if (is_last)
            flow_exposed(p, place + 1, &now.exposed);
    }
}

static void walk_all(struct pass *p, bool marks)
{
    p->has_changed = false;
    for (size_t i = 0; i < p->n; i++)
        if (p->block[i] != NO_BLOCK)
            walk_block(p, i, marks);
}

/* Numbers the blocks, which begin at the first instruction, at targets and after jumps;
 * returns how many there are. */
static uint32_t number_blocks(struct pass *p)
{
    uint32_t n = NO_BLOCK;

    for (size_t i = 0; i < p->n; i++) {
        const struct code_line *line = &p->code[i];

        p->block[0] = 1;
        if (line->target >= 0 && (size_t)line->target < p->n)
            p->block[line->target] = 1;
        if (i + 1 < p->n &&
            (line->target != CODE_NONE || line->inst->flags & INST_CONTROL))
            p->block[i + 1] = 1;
    }
    for (size_t i = 0; i < p->n; i++)
        if (p->block[i])
            p->block[i] = ++n;
    return n;
}

int idempotence_mark(const struct code_line *code, size_t n, struct err *err)
{
    struct pass p = { .code = code, .n = n };
    bool is_known = true;

    for (size_t i = 0; i < n; i++) {
        code[i].inst->flags &= (uint16_t)~INST_REDO;
        is_known &= code[i].target != CODE_ANY;
    }
    if (!n || !is_known)
        return 0;
    p.block = calloc(n, sizeof *p.block);
    p.in = p.block ? calloc((size_t)number_blocks(&p) + 1, sizeof *p.in) : NULL;
    if (p.in) {
        unsigned sweeps = 0;

        do
            walk_all(&p, false);
        while (p.has_changed && ++sweeps < MAX_SWEEPS);
        if (!p.has_changed)
            walk_all(&p, true);
    }
    free(p.block);
    free(p.in);
    return p.in ? 0 : err_memory(err, "the marks of idempotent instructions");
}
