/* texops.c - which registers of a texture or surface instruction hold what. */
#include "frontend/sass/decode/texops.h"

#include <string.h>

/* Arguments in the compiler's order; each is the place of one register number. */
struct list {
    uint8_t *at[10];
    unsigned n;
};

static void add_place(struct list *l, uint8_t *place)
{
    l->at[l->n++] = place;
}

/* Hands out n registers from reg on, the whole of RZ being RZ. */
static void assign_registers(struct texops *t, uint8_t *const *at, unsigned n,
                             unsigned reg)
{
    for (unsigned k = 0; k < n; k++) {
        unsigned r = reg == REG_RZ ? REG_RZ : reg + k;

        *at[k] = (uint8_t)(r < REG_RZ ? r : REG_RZ);
        if (*at[k] != REG_RZ)
            regset_add(&t->reads, REGID_R + *at[k]);
    }
}

static bool is_array(unsigned dim)
{
    return dim >= TEXOPS_ARRAY_1D;
}

static void add_coords(struct texops *t, struct list *l, unsigned dim)
{
    static const uint8_t n[4] = { 1, 2, 3, 3 };

    t->n_coords = n[dim & 3];
    for (unsigned k = 0; k < t->n_coords; k++)
        add_place(l, &t->coord[k]);
}

static bool handle_in_register(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_TEX_B:
    case OP_TLD_B:
    case OP_TLD4_B:
    case OP_TXD_B:
    case OP_TXQ_B:
        return true;
    default:
        return false;
    }
}

_Static_assert(TEX_LOD == TLD_LOD, "texops_lod() is for both");

static bool is_fetch(const struct sass_inst *i)
{
    return i->base.op == OP_TLD || i->base.op == OP_TLD_B;
}

unsigned texops_lod(const struct sass_inst *i)
{
    if (i->arch < SM100)
        return sass_field(i, TEX_LOD);
    return sass_field(i, TEXTURE_LOD_HIGH) << 1 |
           (is_fetch(i) ? 1 : sass_field(i, TEXTURE_LOD_LOW));
}

bool texops_has_offset(const struct sass_inst *i)
{
    bool is_moved =
        i->arch >= SM100 && i->base.op != OP_TLD4 && i->base.op != OP_TLD4_B;

    return sass_has(i, is_moved ? TEXTURE_AOFFI_100 : TEXTURE_AOFFI);
}

bool texops_is_clamped(const struct sass_inst *i)
{
    return sass_has(i, i->arch >= SM100 ? TLD_CL_100 : TLD_CL);
}

bool texops_is_multisampled(const struct sass_inst *i)
{
    return sass_has(i, i->arch >= SM100 ? TLD_MS_100 : TLD_MS);
}

static bool has_lod(const struct sass_inst *i)
{
    unsigned mode = texops_lod(i);

    switch (i->base.op) {
    case OP_TEX:
    case OP_TEX_B:
    case OP_TLD:
    case OP_TLD_B:
        return mode > 1;
    default:
        return false;
    }
}

/* TEX, TLD, TLD4. */
static void layout_lookup(const struct sass_inst *i, struct texops *t)
{
    unsigned dim = sass_field(i, TEXTURE_SHAPE), a = sass_field(i, WORD_RA);
    unsigned b = sass_field(i, WORD_RB), first;
    struct list l = { .n = 0 };

    if (is_array(dim))
        add_place(&l, &t->layer);
    add_coords(t, &l, dim);
    first = l.n;
    if (handle_in_register(i))
        add_place(&l, &t->handle);
    if (has_lod(i))
        add_place(&l, &t->lod);
    if (texops_has_offset(i))
        add_place(&l, &t->offset);
    if (sass_has(i, TEXTURE_HAS_REF))
        add_place(&l, &t->ref);
    if (sass_has(i, TEXTURE_SCR))
        first = (l.n + 1) / 2;
    assign_registers(t, l.at, first, a);
    assign_registers(t, l.at + first, l.n - first, b);
}

/* TXD. The derivatives choose the level of a mipmap. */
static void layout_gradient(const struct sass_inst *i, struct texops *t)
{
    unsigned dim = sass_field(i, TEXTURE_SHAPE), b = sass_field(i, WORD_RB);
    bool has_offset = texops_has_offset(i);
    uint8_t *places[8];
    struct list l = { .n = 0 };

    if (handle_in_register(i))
        add_place(&l, &t->handle);
    add_coords(t, &l, dim);
    if (is_array(dim) || has_offset)
        add_place(&l, &t->layer);
    assign_registers(t, l.at, l.n, sass_field(i, WORD_RA));
    if (has_offset)
        t->offset = t->layer;
    t->is_packed = true;
    for (unsigned k = 0; k < 8; k++)
        places[k] = &t->slope[k];
    assign_registers(t, places, 2u * t->n_coords, b);
}

/* TXQ: (handle,) level. */
static void layout_query(const struct sass_inst *i, struct texops *t)
{
    struct list l = { .n = 0 };

    if (handle_in_register(i))
        add_place(&l, &t->handle);
    add_place(&l, &t->lod);
    assign_registers(t, l.at, l.n, sass_field(i, WORD_RA));
}

/* The first two channels asked for go to the pair at d, others to the pair at d2. */
static void layout_results(const struct sass_inst *i, struct texops *t)
{
    unsigned mask = sass_field(i, TEXTURE_CHANNELS), n = 0;

    for (unsigned c = 0; c < 4; c++) {
        unsigned reg;

        if (!(mask >> c & 1))
            continue;
        reg = sass_field(i, n < 2 ? WORD_RD : WORD_RC);
        if (reg != REG_RZ)
            t->result[c] = (uint8_t)(reg + n % 2 < REG_RZ ? reg + n % 2 : REG_RZ);
        n++;
    }
}

static unsigned data_words(const struct sass_inst *i)
{
    static const uint8_t sizes[8] = { 1, 1, 1, 1, 1, 2, 4, 4 };

    switch (i->base.op) {
    case OP_SUST_P:
    case OP_SUST_P_B:
        return (unsigned)__builtin_popcount(sass_field(i, SUST_P_CHANNELS));
    case OP_SURED:
    case OP_SURED_B: {
        unsigned type = sass_field(i, SURED_TYPE);

        return type == 2 || type == 5 || type == 7 ? 2 : 1;
    }
    default:
        return sizes[sass_field(i, SULD_SIZE)];
    }
}

/* Surfaces: coordinates from a on, the layer after them; data at d or b. */
static void layout_surface(const struct sass_inst *i, struct texops *t)
{
    static const uint8_t n[8] = { 1, 1, 1, 2, 2, 3, 0, 0 };
    unsigned dim = sass_field(i, SULD_SHAPE), op = i->base.op;
    bool is_load = op == OP_SULD || op == OP_SULD_B;
    uint8_t unused[4], *places[4] = { unused, unused + 1, unused + 2, unused + 3 };
    uint8_t *handle = &t->handle;
    struct list l = { .n = 0 };

    t->n_coords = n[dim];
    for (unsigned k = 0; k < t->n_coords; k++)
        add_place(&l, &t->coord[k]);
    if (dim == 2 || dim == 4)
        add_place(&l, &t->layer);
    assign_registers(t, l.at, l.n, sass_field(i, WORD_RA));
    if (op == OP_SULD_B || op == OP_SUST_B || op == OP_SUST_P_B || op == OP_SURED_B)
        assign_registers(t, &handle, 1, sass_field(i, WORD_RC));
    t->data = (uint8_t)sass_field(i, is_load ? WORD_RD : WORD_RB);
    t->n_data = (uint8_t)data_words(i);
    if (!is_load)
        assign_registers(t, places, t->n_data, t->data);
}

void texops_layout(const struct sass_inst *i, struct texops *t)
{
    memset(t, REG_RZ, sizeof *t);
    memset(&t->reads, 0, sizeof t->reads);
    t->n_coords = t->n_data = 0;
    t->is_packed = false;
    switch (i->base.op) {
    case OP_TXD:
    case OP_TXD_B:
    case OP_TMML:
        layout_gradient(i, t);
        layout_results(i, t);
        break;
    case OP_TXQ:
    case OP_TXQ_B:
        layout_query(i, t);
        layout_results(i, t);
        break;
    case OP_TEX:
    case OP_TEX_B:
    case OP_TLD:
    case OP_TLD_B:
    case OP_TLD4:
    case OP_TLD4_B:
        layout_lookup(i, t);
        layout_results(i, t);
        break;
    default:
        layout_surface(i, t);
    }
}

void texops_add_registers(struct sass_inst *i)
{
    unsigned handle = sass_uniform_field(i, HANDLE_UREG);
    struct texops t;

    texops_layout(i, &t);
    for (unsigned k = 0; k < N_REGID / 64; k++)
        i->base.reads.w[k] |= t.reads.w[k];
    for (unsigned c = 0; c < 4; c++)
        if (t.result[c] != REG_RZ)
            regset_add(&i->base.writes, REGID_R + t.result[c]);
    if (!texops_has_uniform_handle(i))
        return;
    for (unsigned k = handle; k < handle + 2 && k < N_UR; k++)
        regset_add(&i->base.reads, regid_uniform(k));
}
