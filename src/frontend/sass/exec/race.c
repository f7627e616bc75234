/* race.c - tells isa/races.h what each instruction accesses. */
#include "frontend/sass/exec/race.h"

#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/exec/sanitize.h"
#include "frontend/sass/exec/step.h"
#include "isa/races.h"

static uint8_t read_byte(const void *from, uint64_t addr, bool is_shared)
{
    const struct sass_block *b = from;
    const uint8_t *at;

    if (is_shared)
        return addr < b->shared_size ? b->shared[addr] : 0;
    at = space_reach(b->grid->launch.space, addr, 1);
    return at ? *at : 0;
}

void race_open(struct sass_block *b, uint64_t number)
{
    b->race = races_open(b->grid->launch.races,
                         &(struct race_shape){ .number = number,
                                               .n_warps = b->n_warps,
                                               .shared_bytes = b->shared_size,
                                               .byte = read_byte,
                                               .from = b });
}

/* A copy from global to shared memory: it was noted as the one, this is the other. */
static void note_copy_target(struct sass_warp *w, const struct sass_inst *i,
                             struct dyn *d)
{
    uint64_t to[WARP_LANES];

    memory_addresses(w, &i->opd[LDGSTS_TO], to);
    addresses_set(&d->addr, to, d->mask);
    races_note_as(w->block->race, w->index, d,
                  (struct race_access){
                      .space = SPACE_SHARED, .bytes = i->base.bytes, .writes = true });
}

/* Rows of matrices: eight lanes have the addresses of the rows of each. */
static void note_rows(struct sass_warp *w, const struct sass_inst *i, struct dyn *d)
{
    enum { ROWS = 8, ROW = 16 };
    unsigned lanes = (unsigned)ROWS << sass_field(i, LDSM_COUNT);

    d->mask = lanes < WARP_LANES ? (1u << lanes) - 1 : ALL_LANES;
    races_note_as(w->block->race, w->index, d,
                  (struct race_access){ .space = SPACE_SHARED,
                                        .bytes = ROW,
                                        .writes = i->base.op == OP_STSM });
}

/* Relaxed, acquiring and releasing accesses, of the device or of the block. Those of the
 * system look like volatile ones. */
static bool is_relaxed(const struct sass_inst *i)
{
    enum {
        STRONG_SM_PRIVATE = 4,
        STRONG_SM,
        STRONG_GPU = 7,
        KIND_STRONG = 2,
        SCOPE_SYS
    };
    unsigned code = sass_field(i, ORDER_ORDER);

    switch (i->base.op) {
    case OP_LD:
    case OP_LDG:
    case OP_ST:
    case OP_STG:
        break;
    default:
        return false;
    }
    if (i->arch == SM75)
        return code >> 2 == KIND_STRONG && (code & 3) != SCOPE_SYS;
    return code >= (i->base.class == CLASS_load ? STRONG_SM : STRONG_SM_PRIVATE) &&
           code <= STRONG_GPU;
}

static void note_accesses(struct sass_warp *w, const struct sass_inst *i, struct dyn *d)
{
    switch (i->base.op) {
    case OP_SYNCS_CHECK:
    case OP_SYNCS_ARRIVE:
    case OP_SYNCS_EXCH:
    case OP_ARRIVES:
        races_pass(w->block->race, w->index);
        return;
    case OP_LDSM:
    case OP_STSM:
        if (d->mask)
            note_rows(w, i, d);
        return;
    case OP_LDGSTS:
        races_note(w->block->race, w->index, d, false);
        if (d->mask)
            note_copy_target(w, i, d);
        return;
    default:
        races_note(w->block->race, w->index, d,
                   inst_is_atomic(&i->base) || is_relaxed(i));
    }
}

enum exec_result race_step(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint64_t list[WARP_LANES];
    struct dyn d = { .addr.list = list };
    enum exec_result r;

    sass_fill_dyn(&d, w, i, mask);
    w->dyn = &d;
    r = sass_step(w, i, mask, &w->block->grid->time);
    w->dyn = NULL;
    if (r == EXEC_ERROR)
        return r;
    if (w->block->shared_set)
        sanitize_note(w, i, &d);
    note_accesses(w, i, &d);
    return r;
}
