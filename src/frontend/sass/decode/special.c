/* special.c - finds the description of an '@' operand and fills its slot. */
#include "frontend/sass/decode/special.h"

#include <string.h>

#include "frontend/sass/decode/modifiers.h"

const struct special *special_find(const char *name)
{
    const struct special *const tables[] = { special_memory, special_control,
                                             special_alu, special_tensor };

    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct special *s = tables[t]; s->name; s++)
            if (!strcmp(s->name, name))
                return s;
    return NULL;
}

void special_table(struct buf *out, const char *table, unsigned value)
{
    const struct mod_table *t = modifier_table(table, strlen(table));

    if (t->text[value])
        buf_puts(out, t->text[value]);
    else
        buf_printf(out, "INVALID%u", value);
}

void special_fill(const struct sass_inst *i, const struct opd_spec *spec,
                  struct operand *o)
{
    const struct special *s = special_find(spec->name);

    if (s && s->fill)
        s->fill(i, o);
}

unsigned special_copy_size(const struct sass_inst *i)
{
    enum { SIZE_32 = 4 };

    return i->arch >= SM100 ? SIZE_32 + sass_field(i, LDGSTS_SIZE_100)
                            : sass_field(i, LDGSTS_SIZE);
}

unsigned special_arrival(const struct sass_inst *i)
{
    return sass_field(i, i->arch >= SM100 ? ARRIVES_COUNT_100 : ARRIVES_COUNT);
}

bool special_counts(const struct sass_inst *i)
{
    return i->base.op == OP_ATOMS_POPC && !sass_has(i, ATOMS_POPC_ARRIVE) &&
           sass_field(i, ATOMS_POPC_ARRIVE_OP) != 1;
}

/* Of its widest register; if all are RZ, as in what opens a lock, of its type. */
static uint8_t atomic_bytes(const struct sass_inst *i)
{
    unsigned most = 0;

    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_REG && i->opd[k].n_regs > most)
            most = i->opd[k].n_regs;
    if (!most && !special_counts(i))
        most = operand_count(i, i->base.op == OP_ATOMS_POPC ? 'A' : 'x');
    return (uint8_t)(4 * (most ? most : 1));
}

/* Space and bytes of a memory instruction, from its operands and its size field. */
void operand_memory(struct sass_inst *i)
{
    static const uint8_t sizes[8] = { 1, 1, 2, 2, 4, 8, 16, 16 };
    static const struct {
        uint16_t op;
        uint8_t space;
    } spaces[] = {
        { OP_LD, SPACE_GENERIC },         { OP_LDG, SPACE_GLOBAL },
        { OP_LDC, SPACE_CONST },          { OP_LDL, SPACE_LOCAL },
        { OP_LDS, SPACE_SHARED },         { OP_ST, SPACE_GENERIC },
        { OP_ST_WIDE, SPACE_GENERIC },    { OP_STG, SPACE_GLOBAL },
        { OP_STL, SPACE_LOCAL },          { OP_STS, SPACE_SHARED },
        { OP_ATOM, SPACE_GENERIC },       { OP_ATOM_CAS, SPACE_GENERIC },
        { OP_ATOM_F, SPACE_GENERIC },     { OP_ATOMG, SPACE_GLOBAL },
        { OP_ATOMG_CAS, SPACE_GLOBAL },   { OP_ATOMG_F, SPACE_GLOBAL },
        { OP_RED, SPACE_GLOBAL },         { OP_REDG, SPACE_GLOBAL },
        { OP_REDG_F, SPACE_GLOBAL },      { OP_ATOMS, SPACE_SHARED },
        { OP_ATOMS_CAS, SPACE_SHARED },   { OP_ATOMS_POPC, SPACE_SHARED },
        { OP_LDSM, SPACE_SHARED },        { OP_STSM, SPACE_SHARED },
        { OP_LDGSTS, SPACE_GLOBAL },      { OP_ULDC, SPACE_CONST },
        { OP_ULDC_INDEXED, SPACE_CONST }, { OP_LDCU, SPACE_CONST },
        { OP_ATOMS_CAST, SPACE_SHARED },  { OP_ATOMS_CAS_100, SPACE_SHARED },
        { OP_LDG_256, SPACE_GLOBAL },     { OP_STG_256, SPACE_GLOBAL },
    };

    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (spaces[k].op == i->base.op)
            i->base.space = spaces[k].space;
    if (i->row->class == CLASS_texture)
        i->base.space = SPACE_TEXTURE;
    if (!i->base.space)
        return;
    if (i->row->class == CLASS_atomic) {
        i->base.bytes = atomic_bytes(i);
    } else if (i->base.op == OP_LDSM || i->base.op == OP_STSM) {
        i->base.bytes = 16;
    } else if (i->base.op == OP_LDG_256 || i->base.op == OP_STG_256) {
        i->base.bytes = 32;
    } else if (i->base.op == OP_LDGSTS) {
        i->base.bytes = sizes[special_copy_size(i) & 7];
    } else {
        i->base.bytes = sizes[sass_field(i, LD_SIZE)];
    }
}
