/* access.c - the slower ways to a source: spread scalars and modifiers. */
#include "frontend/sass/exec/access.h"

#include <stdarg.h>
#include <stdio.h>

#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/print/disasm.h"

#define BITS4(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
const uint32_t sass_lane_bit[WARP_LANES] = {
    BITS4(0), BITS4(4), BITS4(8), BITS4(12), BITS4(16), BITS4(20), BITS4(24), BITS4(28)
};
#undef BITS4

static uint64_t read_constant(const struct sass_grid *g, unsigned bank, uint64_t offset,
                              unsigned bytes)
{
    const struct sass_bank *b = &g->bank[bank & 7];
    uint64_t v = 0;

    if (bank > 7 || offset >= b->size || b->size - offset < bytes)
        return 0;
    memcpy(&v, b->data + offset, bytes);
    return v;
}

uint64_t sass_constant(const struct sass_warp *w, unsigned bank, uint64_t offset,
                       unsigned bytes)
{
    return read_constant(w->block->grid, bank, offset, bytes);
}

uint32_t sass_launch_scalar(const struct sass_grid *g, const struct operand *o,
                            unsigned part)
{
    if (o->kind == OPD_IMM)
        return (uint32_t)((uint64_t)o->imm >> 32 * part);
    if (o->kind == OPD_CONST)
        return (uint32_t)read_constant(g, o->bank, (uint64_t)o->imm + 4 * part, 4);
    return 0;
}

static uint32_t scalar_part(struct sass_warp *w, const struct operand *o, unsigned part)
{
    if (o->kind == OPD_UREG)
        return o->reg == UREG_URZ ? 0 : sass_uniform(w, o->reg + part);
    return sass_launch_scalar(w->block->grid, o, part);
}

static uint32_t pick_half(uint32_t v, unsigned flags)
{
    if (flags & OPD_H0)
        return (v & 0xffff) | v << 16;
    if (flags & OPD_H1)
        return (v & 0xffff0000u) | v >> 16;
    return v;
}

/* What modifiers do to a word, but for an integer's absolute value: complement, then cut,
 * flip and add. */
struct modifier {
    uint32_t complement, keep, flip, add;
};

static struct modifier modifier_of(unsigned flags, enum src_type type)
{
    uint32_t sign = type == SRC_HALF ? 0x80008000u : 0x80000000u;
    struct modifier m = { .complement = flags & OPD_NOT ? ~0u : 0, .keep = ~0u };

    if (type == SRC_BITS)
        return m;
    if (type == SRC_INT) {
        m.flip = flags & OPD_NEG ? ~0u : 0;
        m.add = flags & OPD_NEG ? 1 : 0;
        return m;
    }
    m.keep = flags & OPD_ABS ? ~sign : ~0u;
    m.flip = flags & OPD_NEG ? sign : 0;
    return m;
}

static uint32_t modify_word(uint32_t v, unsigned flags, enum src_type type)
{
    struct modifier m = modifier_of(flags, type);

    v = (v ^ m.complement) & m.keep;
    if (type == SRC_INT && flags & OPD_ABS && v >> 31)
        v = -v;
    return (v ^ m.flip) + m.add;
}

static void modify_row(uint32_t *out, const uint32_t *row, unsigned flags,
                       enum src_type type)
{
    struct modifier m = modifier_of(flags, type);

    LANES(l)
        out[l] = (((row[l] ^ m.complement) & m.keep) ^ m.flip) + m.add;
}

const uint32_t *sass_source_slow(struct sass_warp *w, const struct operand *o,
                                 unsigned part, enum src_type type, uint32_t *tmp)
{
    if (o->kind != OPD_REG) {
        uint32_t v = scalar_part(w, o, part);

        if (o->flags & OPD_MODIFIERS)
            v = modify_word(pick_half(v, o->flags), o->flags, type);
        LANES(l)
            tmp[l] = v;
        return tmp;
    }

    const uint32_t *row = o->reg == REG_RZ ? w->r[0] : w->r[o->reg + 1 + part];

    if (o->flags & (OPD_H0 | OPD_H1) || (type == SRC_INT && o->flags & OPD_ABS))
        LANES(l)
            tmp[l] = modify_word(pick_half(row[l], o->flags), o->flags, type);
    else
        modify_row(tmp, row, o->flags, type);
    return tmp;
}

enum exec_result sass_run_rows(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask, rows_fn *fn, struct rows_slots slots)
{
    SOURCE(a, slots.a, slots.type);
    SOURCE(b, slots.b, slots.type);
    SOURCE(c, slots.c, slots.type);
    TARGET(out, slots.d);
    fn(w, i, out, a, b, c);
    sass_result(w, &i->opd[slots.d], 0, out, mask);
    return EXEC_NEXT;
}

void sass_source64(struct sass_warp *w, const struct operand *o, uint64_t *value)
{
    uint32_t lo_tmp[WARP_LANES], hi_tmp[WARP_LANES];
    const uint32_t *lo = sass_source(w, o, 0, SRC_BITS, lo_tmp);
    const uint32_t *hi = sass_source(w, o, 1, SRC_BITS, hi_tmp);

    LANES(l)
        value[l] = (uint64_t)hi[l] << 32 | lo[l];
}

void sass_result64(struct sass_warp *w, const struct operand *o, const uint64_t *value,
                   uint32_t mask)
{
    uint32_t lo[WARP_LANES], hi[WARP_LANES];

    LANES(l) {
        lo[l] = (uint32_t)value[l];
        hi[l] = (uint32_t)(value[l] >> 32);
    }
    sass_result(w, o, 0, lo, mask);
    sass_result(w, o, 1, hi, mask);
}

uint32_t sass_scalar(struct sass_warp *w, const struct operand *o, uint32_t mask)
{
    if (o->kind == OPD_REG)
        return mask ? reg_row(w, o->reg)[__builtin_ctz(mask)] : 0;
    return scalar_part(w, o, 0);
}

enum exec_result sass_fault(struct sass_warp *w, const struct sass_inst *i,
                            enum err_code code, const char *format, ...)
{
    const struct sass_launch *l = &w->block->grid->launch;
    const uint32_t *id = w->block->id;
    char what[512], place[512];
    struct buf text = { 0 };
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    sass_module_place_line(l->module, i->base.pc, place, sizeof place);
    sass_print(&text, i, NULL);
    err_kind(
        w->block->err, code,
        "%s: kernel %s, block (%u,%u,%u), warp %u, pc %s, encoding %016llx%016llx, "
        "instruction '%s'",
        what, l->kernel->info->name, id[0], id[1], id[2], w->index, place,
        (unsigned long long)i->word.hi, (unsigned long long)i->word.lo,
        buf_text(&text));
    buf_free(&text);
    return EXEC_ERROR;
}
