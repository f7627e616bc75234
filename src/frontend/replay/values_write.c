/* values_write.c - names for results as they are recorded.
 *
 * Uniform results that are computed may be compared all over a machine (skip/uv.c): the
 * whole kernel shares their names, which takes 32 to 64 bytes of memory for each different
 * one. Others are compared within a block; their names are forgotten with it.
 */
#include <stdlib.h>

#include "base/grow.h"
#include "base/hash.h"
#include "frontend/replay/values.h"

struct value_entry {
    uint64_t key; /* odd; 0: nothing is here */
    struct value_name name;
};

void value_encoder_free(struct value_encoder *e)
{
    free(e->s.last);
    buf_free(&e->numbers);
    buf_free(&e->out);
}

void value_block_free(struct value_block *b)
{
    free(b->map.at);
    free(b->counts.at);
}

void value_writer_free(struct value_writer *w)
{
    free(w->uniform.at);
    free(w->counts.at);
}

/* The slot of a key, or the one where it would go. There is room. */
static struct value_entry *slot_of(const struct value_map *m, uint64_t key)
{
    size_t at = key >> 1 & (m->cap - 1);

    while (m->at[at].key && m->at[at].key != key)
        at = (at + 1) & (m->cap - 1);
    return &m->at[at];
}

static int no_memory(struct err *err)
{
    return err_memory(err, "the values of a recording");
}

/* At most half of the places are taken. */
static int make_room(struct value_map *m, struct err *err)
{
    struct value_map more = { .n = m->n, .cap = m->cap ? 2 * m->cap : 64 };

    if (2 * m->n < m->cap)
        return 0;
    more.at = calloc(more.cap, sizeof *more.at);
    if (!more.at)
        return no_memory(err);
    for (size_t k = 0; k < m->cap; k++)
        if (m->at[k].key)
            *slot_of(&more, m->at[k].key) = m->at[k];
    free(m->at);
    *m = more;
    return 0;
}

static int count_reserve(struct value_counts *c, uint32_t number, struct err *err)
{
    uint32_t *at = grow_zeros(c->at, &c->n, number, sizeof *at);

    c->at = at ? at : c->at;
    return at ? 0 : no_memory(err);
}

static int last_reserve(struct value_encoder *e, uint32_t number, struct err *err)
{
    struct value_last *last = grow_zeros(e->s.last, &e->n_last, number, sizeof *last);

    e->s.last = last ? last : e->s.last;
    return last ? 0 : no_memory(err);
}

static bool is_for_all(const struct dyn *d)
{
    return d->value.shape == VALUE_UNIFORM && !inst_is_load(d->inst);
}

/* The next name of the instruction in the block; or in block 0, if the warp's last one
 * was the last there: a loop runs longer than ever before. */
static struct value_name new_name(struct value_writer *w, struct value_block *b,
                                  const struct value_state *s, uint32_t number)
{
    uint32_t block = s->corner[THIS_BLOCK];
    struct value_name last = s->last[number].name;
    bool goes_on = last.count && !last.block && last.count == w->counts.at[number];

    if (!block || goes_on)
        return (struct value_name){ 0, ++w->counts.at[number] };
    return (struct value_name){ block, ++b->counts.at[number] };
}

/* The name of a result, a new one if need be; NULL with err set. */
static const struct value_name *find_name(struct value_writer *w, struct value_block *b,
                                          const struct value_state *s, uint32_t number,
                                          const struct dyn *d, struct err *err)
{
    struct value_map *m = is_for_all(d) ? &w->uniform : &b->map;
    uint64_t key = hash_mix(hash_mix(d->value.digest) + number) | 1;
    struct value_entry *at;

    if (make_room(m, err))
        return NULL;
    at = slot_of(m, key);
    if (!at->key) {
        *at = (struct value_entry){ key, new_name(w, b, s, number) };
        m->n++;
    }
    return &at->name;
}

static bool is_name(struct value_name a, struct value_name b)
{
    return a.block == b.block && a.count == b.count;
}

static enum value_step find_step(const struct value_state *s, uint32_t number,
                                 struct value_name name)
{
    for (enum value_step step = STEP_SAME; step <= STEP_NEXT; step++)
        if (is_name(value_step_to(s, number, step), name))
            return step;
    return value_block(s, number) == name.block ? STEP_COUNT : STEP_BLOCK;
}

static void put_block(struct value_encoder *e, uint32_t block)
{
    unsigned n = 0;

    while (n < N_CORNERS && e->s.corner[n] != block)
        n++;
    put_varint(&e->numbers, n < N_CORNERS ? n : (uint64_t)block + N_CORNERS);
    e->s.named = block;
}

/* Holds the bits of a result until the next one comes. */
static void hold_result(struct value_encoder *e, uint32_t number, uint8_t shape,
                        const struct value_name *name)
{
    enum value_step step = name ? find_step(&e->s, number, *name) : STEP_SAME;
    struct value_last *last = &e->s.last[number];

    e->holds = true;
    e->said = (uint8_t)(shape | (unsigned)step << BYTE_STEP_SHIFT);
    e->is_usual = step < STEP_COUNT && e->said == last->said;
    if (step == STEP_BLOCK)
        put_block(e, name->block);
    if (step >= STEP_COUNT)
        put_varint(&e->numbers, name->count);
    last->said = e->said;
    if (name)
        last->name = *name;
}

static void put_byte(struct value_encoder *e, uint8_t said)
{
    uint64_t run = e->s.run < BYTE_RUN_MAX ? e->s.run : BYTE_RUN_MAX;

    put_fixed(&e->out, said | run << BYTE_RUN_SHIFT, 1);
    if (run == BYTE_RUN_MAX)
        put_varint(&e->out, e->s.run - run);
    e->s.run = 0;
}

/* Writes the result that was held. */
static void write_held(struct value_encoder *e)
{
    if (e->holds && e->is_usual) {
        e->s.run++;
    } else if (e->holds) {
        put_byte(e, e->said);
        buf_add(&e->out, e->numbers.data, e->numbers.len);
    }
    buf_clear(&e->numbers);
    e->holds = false;
}

void value_cut(struct value_encoder *e)
{
    if (e->s.run)
        put_byte(e, BYTE_SHAPE);
}

void value_end(struct value_encoder *e)
{
    write_held(e);
    value_cut(e);
}

int value_put(struct value_writer *w, struct value_block *b, struct value_encoder *e,
              uint32_t number, const struct dyn *d, struct err *err)
{
    enum value_kind kind = value_kind(w->k, d->inst);
    const struct value_name *name = NULL;

    write_held(e);
    if (!value_is_kept(d, kind))
        return 0;
    if (last_reserve(e, number, err) || count_reserve(&b->counts, number, err) ||
        count_reserve(&w->counts, number, err))
        return -1;
    if (value_has_name(kind, d->value.shape)) {
        name = find_name(w, b, &e->s, number, d, err);
        if (!name)
            return -1;
    }
    hold_result(e, number, d->value.shape, name);
    return 0;
}
