/* table.c - the static instructions of a recorded kernel, numbered. */
#include "frontend/replay/table.h"

#include <stdlib.h>

#include "frontend/replay/bytes.h"
#include "isa/async.h"

void table_free(struct inst_table *t)
{
    for (uint32_t k = 0; k < t->n; k++) {
        free((void *)(uintptr_t)t->inst[k]);
        free(t->text[k]);
    }
    free(t->inst);
    free(t->fall);
    free(t->text);
    free(t->slots);
    *t = (struct inst_table){ 0 };
}

static uint32_t slot_of(const struct inst_table *t, uint64_t pc)
{
    return (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 32) & (t->n_slots - 1);
}

uint32_t table_find(const struct inst_table *t, uint64_t pc)
{
    if (!t->n_slots)
        return TABLE_NONE;
    for (uint32_t s = slot_of(t, pc);; s = (s + 1) & (t->n_slots - 1)) {
        uint32_t n = t->slots[s];

        if (n == TABLE_NONE || t->inst[n]->pc == pc)
            return n;
    }
}

static void table_insert(struct inst_table *t, uint32_t n)
{
    uint32_t s = slot_of(t, t->inst[n]->pc);

    while (t->slots[s] != TABLE_NONE)
        s = (s + 1) & (t->n_slots - 1);
    t->slots[s] = n;
}

/* At most half of the slots are taken. */
static bool table_grow(struct inst_table *t)
{
    uint32_t cap = t->cap ? 2 * t->cap : 64;
    const struct inst **inst = realloc(t->inst, cap * sizeof(struct inst *));
    uint32_t *fall, *slots;
    char **text;

    if (inst)
        t->inst = inst;
    fall = realloc(t->fall, cap * sizeof *fall);
    if (fall)
        t->fall = fall;
    text = realloc(t->text, cap * sizeof(char *));
    if (text)
        t->text = text;
    slots = malloc(2 * cap * sizeof *slots);
    if (!inst || !fall || !text || !slots) {
        free(slots);
        return false;
    }
    free(t->slots);
    t->slots = slots;
    t->n_slots = 2 * cap;
    t->cap = cap;
    memset(slots, 0xff, 2 * cap * sizeof *slots);
    for (uint32_t n = 0; n < t->n; n++)
        table_insert(t, n);
    return true;
}

/* The instructions before and after number n, where they exist. */
static void link_neighbours(struct inst_table *t, uint32_t n)
{
    const struct inst *i = t->inst[n];

    t->fall[n] = i->length ? table_find(t, i->pc + i->length) : TABLE_NONE;
    for (unsigned length = 1; length <= 16; length *= 2) {
        uint32_t before = table_find(t, i->pc - length);

        if (before != TABLE_NONE && t->inst[before]->length == length)
            t->fall[before] = n;
    }
}

int table_add(struct inst_table *t, const struct inst *i, struct err *err)
{
    struct inst *copy;

    if (table_find(t, i->pc) != TABLE_NONE)
        return err_set(err, "two instructions at pc 0x%llx", (unsigned long long)i->pc);
    if (t->n >= TABLE_MAX)
        return err_set(err, "more than %u instructions", (unsigned)TABLE_MAX);
    copy = malloc(sizeof *copy);
    if (!copy || (t->n == t->cap && !table_grow(t))) {
        free(copy);
        return err_memory(err, "the instructions of a recording");
    }
    *copy = *i;
    t->inst[t->n] = copy;
    t->text[t->n] = NULL;
    table_insert(t, t->n);
    link_neighbours(t, t->n++);
    return 0;
}

void table_set_text(struct inst_table *t, const char *text, size_t n)
{
    char *copy = malloc(n + 1);

    if (!copy)
        err_memory_exit("the text of an instruction");
    memcpy(copy, text, n);
    copy[n] = '\0';
    free(t->text[t->n - 1]);
    t->text[t->n - 1] = copy;
}

static void put_operands(struct buf *out, const struct inst_operand *o, unsigned n)
{
    put_fixed(out, n, 1);
    for (unsigned k = 0; k < n; k++) {
        put_fixed(out, o[k].reg, 1);
        put_fixed(out, o[k].n, 1);
        put_fixed(out, o[k].slot, 1);
    }
}

static void put_regset(struct buf *out, const struct regset *s)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        put_varint(out, s->w[k]);
}

/* The flags above the lowest eight (from INST_TIME to INST_COPIES) are in the byte of
 * inst.memory, from this bit on. */
enum { HIGH_FLAGS = 4, LOW_FLAGS = 8 };

/* In the byte of inst.control.yield: what the instruction is to products of warpgroups
 * follows its control word; it has INST_COUNTS. */
enum { HAS_PRODUCT = 2, COUNTS = 4 };

static void put_inst(struct buf *out, const struct inst *i, uint64_t last_pc)
{
    const struct inst_control *c = &i->control;
    const uint8_t kind[] = {
        i->class,          i->space,
        i->bytes,          i->length,
        (uint8_t)i->flags, (uint8_t)(i->memory | i->flags >> LOW_FLAGS << HIGH_FLAGS)
    };
    const uint8_t product[] = { i->product, i->product_is, i->products_left };
    const bool has_product = i->product || i->products_left;
    const uint8_t yield = (uint8_t)(c->yield | (has_product ? HAS_PRODUCT : 0) |
                                    (i->flags & INST_COUNTS ? COUNTS : 0));
    const uint8_t control[] = { c->stall,        yield,         c->write_barrier,
                                c->read_barrier, c->wait_mask,  c->reuse,
                                i->depbar,       i->depbar_max, i->depbar_all };

    put_signed(out, (int64_t)(i->pc - last_pc));
    put_varint(out, i->op);
    buf_add(out, kind, sizeof kind);
    put_operands(out, i->src, i->n_src);
    put_operands(out, i->dst, i->n_dst);
    buf_add(out, control, sizeof control);
    if (has_product)
        buf_add(out, product, sizeof product);
    put_regset(out, &i->reads);
    put_regset(out, &i->writes);
}

void table_put(const struct inst_table *t, struct buf *out)
{
    uint64_t last = 0;

    put_varint(out, t->n);
    for (uint32_t n = 0; n < t->n; n++) {
        const char *text = t->text[n] ? t->text[n] : "";

        put_inst(out, t->inst[n], last);
        put_string(out, text, strlen(text));
        last = t->inst[n]->pc;
    }
}

static uint8_t get_byte(struct reader *r, unsigned limit)
{
    const uint8_t *p = read_bytes(r, 1);

    if (p && *p < limit)
        return *p;
    r->is_short = true;
    return 0;
}

static uint8_t get_operands(struct reader *r, struct inst_operand *o, unsigned max)
{
    uint8_t n = get_byte(r, max + 1);

    for (unsigned k = 0; k < n; k++) {
        o[k].reg = get_byte(r, 256);
        o[k].n = get_byte(r, 256);
        o[k].slot = get_byte(r, 4);
    }
    return n;
}

static void get_regset(struct reader *r, struct regset *s)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        s->w[k] = read_varint(r);
}

/* What recordings before version 3 do not say: a texture instruction without a result
 * writes a surface. */
static uint8_t guess_memory(const struct inst *i)
{
    if (i->class == CLASS_texture && !i->n_dst)
        return INST_WRITES;
    return inst_class_memory((enum inst_class)i->class) |
           (i->flags & INST_ASYNC ? INST_WRITES : 0);
}

static void get_product(struct reader *r, struct inst *i)
{
    i->product = get_byte(r, 256 / 8 + 1);
    i->product_is = get_byte(r, (PRODUCT_SHARED | PRODUCT_ENDS) + 1);
    i->products_left = get_byte(r, 256);
}

static void get_inst(struct reader *r, struct inst *i, uint64_t last_pc, bool is_old)
{
    struct inst_control *c = &i->control;
    uint8_t yield;

    memset(i, 0, sizeof *i);
    i->pc = last_pc + (uint64_t)zigzag_decode(read_varint(r));
    i->op = (uint16_t)read_below(r, 1 << 16);
    i->class = get_byte(r, N_INST_CLASS);
    i->space = get_byte(r, SPACE_TEXTURE + 1);
    i->bytes = get_byte(r, 256);
    i->length = get_byte(r, 256);
    i->flags = get_byte(r, 256);
    if (i->flags & INST_EXIT)
        i->class = CLASS_exit; /* older recordings have them among branches */
    if (!is_old) {
        i->memory = get_byte(r, (INST_COPIES << 1 >> LOW_FLAGS) << HIGH_FLAGS);
        i->flags |= (uint16_t)(i->memory >> HIGH_FLAGS << LOW_FLAGS);
        i->memory &= (1 << HIGH_FLAGS) - 1;
    }
    i->n_src = get_operands(r, i->src, MAX_SRC);
    i->n_dst = get_operands(r, i->dst, MAX_DST);
    c->stall = get_byte(r, 256);
    yield = get_byte(r, 2 * COUNTS);
    c->yield = yield & 1;
    i->flags |= yield & COUNTS ? INST_COUNTS : 0;
    c->write_barrier = get_byte(r, 8);
    c->read_barrier = get_byte(r, 8);
    c->wait_mask = get_byte(r, 64);
    c->reuse = get_byte(r, 16);
    i->depbar = get_byte(r, 8);
    i->depbar_max = get_byte(r, 64);
    i->depbar_all = get_byte(r, 64);
    if (yield & HAS_PRODUCT)
        get_product(r, i);
    get_regset(r, &i->reads);
    get_regset(r, &i->writes);
    if (is_old)
        i->memory = guess_memory(i);
    inst_index(i);
}

int table_get(struct inst_table *t, struct reader *r, bool is_old, struct err *err)
{
    uint32_t n = (uint32_t)read_below(r, TABLE_MAX + 1);
    uint64_t last = 0;

    for (uint32_t k = 0; k < n && !r->is_short; k++) {
        struct inst i;
        const uint8_t *text;
        uint64_t length;

        get_inst(r, &i, last, is_old);
        length = read_varint(r);
        text = read_bytes(r, length);
        if (!text || r->is_short)
            break;
        if (table_add(t, &i, err))
            return -1;
        table_set_text(t, (const char *)text, length);
        last = i.pc;
    }
    if (r->is_short)
        return err_set(err, "instruction table damaged at instruction %u of %u", t->n,
                       n);
    return 0;
}

void table_put_distances(const struct inst_table *t, struct buf *out)
{
    for (uint32_t n = 0; n < t->n; n++) {
        const struct inst *i = t->inst[n];

        put_fixed(out, i->has_distances, 1);
        if (i->has_distances)
            buf_add(out, i->distance, i->list.n_reads + i->list.n_writes);
    }
}

int table_get_distances(struct inst_table *t, struct reader *r, struct err *err)
{
    for (uint32_t n = 0; n < t->n; n++) {
        struct inst *i = (struct inst *)(uintptr_t)t->inst[n];
        unsigned listed = i->list.n_reads + i->list.n_writes;
        const uint8_t *p;

        i->has_distances = get_byte(r, 2);
        p = read_bytes(r, i->has_distances ? listed : 0);
        if (r->is_short)
            return err_set(err, "distances damaged at instruction %u of %u", n, t->n);
        if (i->has_distances)
            memcpy(i->distance, p, listed);
    }
    return 0;
}

bool table_has_control_words(const struct inst_table *t)
{
    for (uint32_t n = 0; n < t->n; n++) {
        const struct inst_control *c = &t->inst[n]->control;

        if (c->stall || c->yield || c->wait_mask || c->write_barrier != 7 ||
            c->read_barrier != 7)
            return true;
    }
    return false;
}
