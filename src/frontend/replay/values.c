/* values.c - results in a recording: which are kept, and how they are read. */
#include "frontend/replay/values.h"

#include "base/hash.h"
#include "isa/shape.h"

static bool is_redundant(const struct kernel *k, const struct inst *i)
{
    return kernel_mark(k, i) <= kernel_weakest_mark(k);
}

enum redundancy mark_recoded(enum redundancy mark)
{
    if (mark == NOT_REDUNDANT)
        return REDUNDANT_BY_PLANE;
    return mark == REDUNDANT_BY_PLANE ? NOT_REDUNDANT : mark;
}

enum value_kind value_kind(const struct kernel *k, const struct inst *i)
{
    if (!regset_any(&i->writes))
        return KEEP_NOTHING;
    if (is_redundant(k, i))
        return KEEP_NAME;
    /* Results from memory are compared by their marks only. */
    return i->memory & INST_READS ? KEEP_SHAPE : KEEP_UNIFORM_NAME;
}

void value_begin(struct value_state *s, const struct kernel *k, uint64_t block)
{
    uint64_t row = k->grid[0], plane = row * k->grid[1];
    uint64_t x = block % row, y = block % plane - x, z = block - block % plane;

    for (unsigned n = 0; n < N_CORNERS; n++)
        s->corner[n] = (uint32_t)((n & 1 ? x : 0) + (n & 2 ? y : 0) + (n & 4 ? z : 0));
}

struct value_name value_step_to(const struct value_state *s, uint32_t number,
                                enum value_step step)
{
    struct value_name name = s->last[number].name;

    if (!name.count && step == STEP_SAME)
        return (struct value_name){ 0, 1 };
    if (!name.count)
        name.block = s->corner[THIS_BLOCK];
    name.count += step == STEP_NEXT;
    return name;
}

void value_turn(struct value_decoder *v, struct reader r)
{
    v->r = r;
    v->r.is_short = v->s.run != 0; /* a piece has no more than it announced */
    v->has_byte = false;
}

static bool read_name(struct value_decoder *v, uint32_t number, enum value_step step,
                      struct value_name *name)
{
    uint64_t block = value_block(&v->s, number), count;

    if (step == STEP_BLOCK) {
        block = read_below(&v->r, ((uint64_t)1 << 32) + N_CORNERS);
        block = block < N_CORNERS ? v->s.corner[block] : block - N_CORNERS;
        v->s.named = (uint32_t)block;
    }
    count = read_below(&v->r, (uint64_t)1 << 32);
    *name = (struct value_name){ (uint32_t)block, (uint32_t)count };
    return count != 0;
}

static void read_byte(struct value_decoder *v)
{
    const uint8_t *p = read_bytes(&v->r, 1);
    uint8_t byte = p ? *p : BYTE_SHAPE;

    v->has_byte = true;
    v->said = byte & BYTE_SAID;
    v->s.run = byte >> BYTE_RUN_SHIFT;
    if (v->s.run == BYTE_RUN_MAX)
        v->s.run += read_varint(&v->r);
}

/* The bits of the next result. */
static uint8_t next_said(struct value_decoder *v, uint8_t last)
{
    if (!v->has_byte)
        read_byte(v);
    if (v->s.run) {
        v->s.run--;
        return last;
    }
    v->has_byte = false;
    return v->said;
}

/* Equal names of an instruction, and no others, have equal digests. */
static uint64_t digest_of(uint32_t number, struct value_name name)
{
    return hash_mix(hash_mix((uint64_t)number << 32 | name.count) ^ name.block);
}

bool value_get(struct value_decoder *v, enum value_kind kind, uint32_t number,
               struct dyn *d)
{
    struct value_last *last = &v->s.last[number];
    enum value_step step;

    d->value = (struct value){ .digest = hash_mix(v->apart ^ ~d->seq),
                               .shape = VALUE_OTHER,
                               .form = VALUE_NAME };
    if (!value_is_kept(d, kind))
        return true;
    last->said = next_said(v, last->said);
    d->value.shape = last->said & BYTE_SHAPE;
    if (d->value.shape > VALUE_OTHER)
        return false;
    if (!value_has_name(kind, d->value.shape))
        return !v->r.is_short;
    step = (enum value_step)(last->said >> BYTE_STEP_SHIFT);
    if (step < STEP_COUNT)
        last->name = value_step_to(&v->s, number, step);
    else if (!read_name(v, number, step, &last->name))
        return false;
    d->value.digest = digest_of(number, last->name);
    return !v->r.is_short;
}
