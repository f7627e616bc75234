/* traceg_ops.c - names of instructions and operands, as traces have them.
 *
 * Predicates and uniform registers are in traces of version 6 only, constants and control
 * words in none; of a value in several registers only the first is.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/replay/traceg.h"

static const struct traceg_mnemonic rows[] = {
#define MNEMONIC(name, class, space, flags, generations) \
    { #name, CLASS_##class, SPACE_##space, flags, generations },
#include "frontend/replay/mnemonics.def"
#undef MNEMONIC
};
enum { N_ROWS = sizeof rows / sizeof *rows };

const struct traceg_mnemonic *traceg_mnemonic_at(size_t i)
{
    return i < N_ROWS ? &rows[i] : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, ((const struct traceg_mnemonic *)b)->name);
}

const struct traceg_mnemonic *traceg_find(const char *opcode)
{
    char first[32];
    size_t n = strcspn(opcode, ".");

    if (n >= sizeof first)
        return NULL;
    memcpy(first, opcode, n);
    first[n] = '\0';
    return bsearch(first, rows, N_ROWS, sizeof *rows, by_name);
}

/* One of the later parts of a dotted name. */
static bool has_part(const char *opcode, const char *part)
{
    size_t n = strlen(part);

    for (const char *p = strchr(opcode, '.'); p; p = strchr(p + 1, '.'))
        if (!strncmp(p + 1, part, n) && (p[n + 1] == '.' || !p[n + 1]))
            return true;
    return false;
}

/* Bytes that a lane accesses: the first part that is a number of bits, U and S aside. */
static uint8_t bytes_of(const char *opcode)
{
    for (const char *p = strchr(opcode, '.'); p; p = strchr(p + 1, '.')) {
        const char *digits = p[1] == 'U' || p[1] == 'S' ? p + 2 : p + 1;
        char *end;
        unsigned long bits;

        if (*digits < '0' || *digits > '9')
            continue;
        bits = strtoul(digits, &end, 10);
        if ((*end == '.' || !*end) && bits >= 8 && bits <= 128 && bits % 8 == 0)
            return (uint8_t)(bits / 8);
    }
    return 4;
}

static enum inst_class refine_class(const struct traceg_mnemonic *m, const char *opcode)
{
    if (!strcmp(m->name, "IMAD") &&
        (has_part(opcode, "WIDE") || has_part(opcode, "HI")))
        return CLASS_imul_wide;
    if (!strcmp(m->name, "HFMA2") && has_part(opcode, "MMA"))
        return CLASS_half_mma;
    if (!strcmp(m->name, "HMMA") &&
        (has_part(opcode, "1684") ||
         (has_part(opcode, "1688") && !has_part(opcode, "TF32"))))
        return CLASS_tensor_small;
    if (!strcmp(m->name, "SYNCS") && has_part(opcode, "EXCH"))
        return CLASS_uniform;
    return (enum inst_class)m->class;
}

/* Names that say more about memory than their class does. */
static uint8_t memory_of(const struct inst *i, const char *name, const char *opcode)
{
    enum { COPY = INST_READS | INST_WRITES, ATOMIC = COPY | INST_ATOMIC };
    static const struct {
        const char *name, *part;
        uint8_t memory;
    } special[] = {
        { "ARRIVES", NULL, ATOMIC },         { "LDGSTS", NULL, COPY },
        { "SURED", NULL, ATOMIC },           { "SUST", NULL, INST_WRITES },
        { "SYNCS", "ARRIVE", ATOMIC },       { "SYNCS", "EXCH", ATOMIC },
        { "SYNCS", "PHASECHK", INST_READS }, { "UBLKCP", NULL, COPY },
        { "UBLKRED", NULL, ATOMIC },         { "UTMALDG", NULL, COPY },
        { "UTMAREDG", NULL, ATOMIC },        { "UTMASTG", NULL, COPY },
    };

    for (size_t k = 0; k < sizeof special / sizeof *special; k++)
        if (!strcmp(special[k].name, name) &&
            (!special[k].part || has_part(opcode, special[k].part)))
            return special[k].memory;
    return inst_class_memory((enum inst_class)i->class);
}

/* Work that goes on after its instruction, of sm_90 and later: a trace does not say enough of
 * it to be timed. */
static unsigned async_flag(const char *name, const char *opcode)
{
    static const char *const copies[] = { "REDAS",    "STAS",    "UBLKCP",
                                          "UBLKRED",  "UTMALDG", "UTMACMDFLUSH",
                                          "UTMAREDG", "UTMASTG", "UTMACCTL" };

    for (size_t k = 0; k < sizeof copies / sizeof *copies; k++)
        if (!strcmp(copies[k], name))
            return INST_COPIES;
    if (strcmp(name, "SYNCS"))
        return 0;
    return has_part(opcode, "CCTL") ? 0 : INST_PHASE;
}

bool traceg_classify(struct inst *i, const char *opcode)
{
    const struct traceg_mnemonic *m = traceg_find(opcode);

    if (!m)
        return false;
    i->op = (uint16_t)(m - rows);
    i->class = (uint8_t)refine_class(m, opcode);
    i->space = m->space;
    i->flags = (uint16_t)(m->flags | async_flag(m->name, opcode));
    i->memory = memory_of(i, m->name, opcode);
    if (i->class == CLASS_load && i->space != SPACE_SHARED &&
        (has_part(opcode, "STRONG") || has_part(opcode, "MMIO")) &&
        (has_part(opcode, "GPU") || has_part(opcode, "SYS")))
        i->flags |= INST_BYPASS_L1;
    if (i->class == CLASS_fence && has_part(opcode, "IVALL"))
        i->flags |= INST_BYPASS_L1;
    if (i->class == CLASS_atomic && has_part(opcode, "POPC"))
        i->flags |= INST_COUNTS;
    i->bytes = i->space == SPACE_NONE ? 0 : bytes_of(opcode);
    return true;
}

/* General registers in the text of an instruction, RZ too, in order. */
struct named {
    uint8_t reg[16];
    unsigned n;
    bool first_is_operand; /* the first operand is a register, not within brackets */
};

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           c == '_' || c == '.';
}

static void find_registers(const char *operands, struct named *r)
{
    const char *start = operands + strspn(operands, " ");

    *r = (struct named){ 0 };
    for (const char *p = start; *p && r->n < sizeof r->reg; p++) {
        unsigned long number = TRACEG_RZ;
        char *end = NULL;

        if (*p != 'R' || (p > operands && is_word(p[-1])))
            continue;
        if (p[1] >= '0' && p[1] <= '9')
            number = strtoul(p + 1, &end, 10);
        else if (p[1] == 'Z' && (!is_word(p[2]) || p[2] == '.'))
            end = (char *)(uintptr_t)(p + 2);
        if (!end || number > TRACEG_RZ || (is_word(*end) && *end != '.'))
            continue;
        if (!r->n)
            r->first_is_operand = p == start;
        r->reg[r->n++] = (uint8_t)number;
    }
}

/* A destination in the list: the instruction's own, or RZ where one would be. */
static bool find_destination(const struct inst *i, const struct named *r, unsigned *at)
{
    *at = 0;
    if (i->n_dst) {
        while (*at < r->n && r->reg[*at] != i->dst[0].reg)
            ++*at;
        return *at < r->n;
    }
    switch (i->class) {
    case CLASS_store:
    case CLASS_branch:
    case CLASS_barrier:
    case CLASS_fence:
    case CLASS_misc:
        return false;
    default:
        return r->n && r->first_is_operand && r->reg[0] == TRACEG_RZ;
    }
}

int traceg_put_operands(struct buf *out, const struct inst *i, const char *text,
                        unsigned generation, struct err *err)
{
    const struct traceg_mnemonic *m;
    unsigned dst, n_src, written = 0;
    struct named r;
    char opcode[64];
    bool has_dst;
    size_t n;

    if (*text == '@')
        text += strcspn(text, " ");
    text += strspn(text, " ");
    n = strcspn(text, " ");
    if (!n || n >= sizeof opcode)
        return err_set(err, "pc 0x%llx has no text to take its name from",
                       (unsigned long long)i->pc);
    memcpy(opcode, text, n);
    opcode[n] = '\0';
    m = traceg_find(opcode);
    if (!m || (generation && !(m->generations & generation)))
        return err_kind(err, ERR_UNSUPPORTED,
                        "pc 0x%llx: Accel-Sim does not know %s on this architecture",
                        (unsigned long long)i->pc, opcode);
    find_registers(text + n, &r);
    has_dst = find_destination(i, &r, &dst);
    n_src = r.n - has_dst > 4 ? 4 : r.n - has_dst;
    buf_printf(out, "%d", has_dst);
    if (has_dst)
        buf_printf(out, " R%u", r.reg[dst]);
    buf_printf(out, " %s %u", opcode, n_src);
    for (unsigned k = 0; k < r.n && written < n_src; k++) {
        if (has_dst && k == dst)
            continue;
        buf_printf(out, " R%u", r.reg[k]);
        written++;
    }
    return 0;
}
