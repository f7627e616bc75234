/* pipeline.c - the facts about an instruction that only timing needs: its class, its
 * operands in general registers, and what it orders.
 *
 * The rows of opcodes.def have coarse classes, by which instructions are also printed;
 * here those are split where units differ (MUFU and conversions, say).
 */
#include "frontend/sass/decode/pipeline.h"

#include "frontend/sass/decode/operand.h"
#include "frontend/sass/decode/special.h"
#include "frontend/sass/decode/sreg.h"
#include "isa/async.h"

void pipeline_operand(struct sass_inst *i, const struct operand *o, unsigned slot)
{
    struct inst *b = &i->base;
    struct inst_operand r = { .reg = o->reg, .n = o->n_regs, .slot = (uint8_t)slot };

    if (o->kind == OPD_ADDR)
        r = (struct inst_operand){ .reg = o->reg,
                                   .n = o->flags & OPD_WIDE ? 2 : 1,
                                   .slot = 3 };
    else if (o->kind == OPD_CONST && o->flags & OPD_INDEXED)
        r = (struct inst_operand){ .reg = o->reg, .n = 1, .slot = 3 };
    else if (o->kind != OPD_REG)
        return;
    if (r.reg == REG_RZ || !r.n)
        return;
    if (o->flags & OPD_DST && b->n_dst < MAX_DST)
        b->dst[b->n_dst++] = r;
    else if (!(o->flags & OPD_DST) && b->n_src < MAX_SRC)
        b->src[b->n_src++] = r;
}

static enum inst_class class_of(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_IMAD_WIDE:
    case OP_IMAD_HI:
        return CLASS_imul_wide;
    case OP_VIADD:
    case OP_VIADD_120:
        return CLASS_imul;
    case OP_FSEL:
    case OP_FMNMX:
    case OP_FMNMX3:
    case OP_FSET:
    case OP_FSETP:
        return CLASS_fcmp;
    case OP_F2FP:
    case OP_HMNMX2:
    case OP_VHMNMX:
        return CLASS_int;
    case OP_HFMA2_MMA:
        return CLASS_half_mma;
    case OP_MUFU:
        return CLASS_sfu;
    case OP_DMMA:
        return CLASS_tensor_fp64;
    case OP_CS2R:
    case OP_R2UR:
    case OP_R2UR_100:
    case OP_CS2UR:
    case OP_R2UR_OLD:
        return CLASS_int;
    case OP_S2R:
    case OP_B2R:
        return CLASS_sreg;
    case OP_ULDC:
    case OP_ULDC_INDEXED:
    case OP_UMOV:
    case OP_UMOV_64:
    case OP_LDCU:
        return i->arch >= SM90 ? CLASS_uniform_move : CLASS_uniform;
    case OP_VOTEU:
        return i->arch >= SM90 ? CLASS_uniform_move : CLASS_vote;
    case OP_VOTE:
    case OP_ELECT:
        return CLASS_vote;
    case OP_LDC:
        return CLASS_ldc;
    case OP_EXIT:
    case OP_KILL:
        return CLASS_exit;
    default:
        return i->row->class == CLASS_sfu ? CLASS_conv : (enum inst_class)i->row->class;
    }
}

/* A load that must not be served by an L1 that other SMs' stores do not reach. */
static bool is_strong(const struct sass_inst *i)
{
    unsigned code = sass_field(i, ORDER_ORDER);

    if (i->base.class != CLASS_load || i->base.space == SPACE_SHARED)
        return false;
    if (i->arch == SM75) /* two fields: STRONG or MMIO, of GPU or SYS */
        return code >> 2 >= 2 && (code & 3) >= 2;
    return code == 6 || code == 7 || code == 8 || code == 10 || code == 12;
}

/* CCTL.IVALL, with which the compiler ends fences and acquires beyond the block. */
static bool empties_l1(const struct sass_inst *i)
{
    return i->base.op == OP_CCTL && sass_field(i, CCTL_OP) == 4 &&
           !sass_field(i, CCTL_CACHE);
}

/* cp.async.cg. LIMIT: on Ampere it is timed as one through L1. */
static bool is_beside_l1(const struct sass_inst *i)
{
    return i->base.op == OP_LDGSTS && i->arch >= SM90 &&
           !(sass_field(i, LDGSTS_MODE) & 1);
}

/* Asynchronous copies and what waits for them order memory in ways that no address of
 * theirs shows; so they are here too. */
static bool is_sync(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_EXIT:
    case OP_KILL:
    case OP_WARPSYNC:
    case OP_WARPSYNC_IMM:
    case OP_YIELD:
    case OP_RET:
    case OP_RTT:
    case OP_CALL_ABS:
    case OP_CALL_ABS_REG:
    case OP_CALL_REL:
    case OP_CALL_REL_REG:
    case OP_BPT:
    case OP_NANOSLEEP:
    case OP_DEPBAR:
    case OP_LDGDEPBAR:
    case OP_ARRIVES:
    case OP_SYNCS_CHECK:
    case OP_SYNCS_ARRIVE:
    case OP_SYNCS_CCTL:
    case OP_SYNCS_EXCH:
    case OP_UTMALDG:
    case OP_UTMASTG:
    case OP_UTMAREDG:
    case OP_UTMACMDFLUSH:
    case OP_UBLKCP:
    case OP_UBLKRED:
    case OP_WARPGROUP:
        return true;
    default:
        return i->base.class == CLASS_barrier || i->base.class == CLASS_fence ||
               i->base.class == CLASS_atomic;
    }
}

static bool reads_time(const struct sass_inst *i)
{
    if (i->base.op != OP_S2R && i->base.op != OP_S2UR && i->base.op != OP_CS2R &&
        i->base.op != OP_CS2UR)
        return false;
    switch (i->opd[S2R_SREG].imm) {
    case SREG_CLOCK:
    case SREG_CLOCKLO:
    case SREG_CLOCKHI:
    case SREG_GLOBALTIMERLO:
    case SREG_GLOBALTIMERHI:
        return true;
    default:
        return false;
    }
}

/* Operations on what warps share that a pipeline executes as they issue. */
static bool is_phase(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_ARRIVES:
    case OP_SYNCS_CHECK:
    case OP_SYNCS_ARRIVE:
    case OP_SYNCS_EXCH:
    case OP_USETMAXREG:
        return i->arch >= SM90;
    default:
        return false;
    }
}

static bool starts_copy(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_UTMALDG:
    case OP_UTMASTG:
    case OP_UTMAREDG:
    case OP_UTMACMDFLUSH:
    case OP_UTMACCTL:
    case OP_UBLKCP:
    case OP_UBLKRED:
    case OP_STAS:
    case OP_REDAS:
        return true;
    case OP_LDGDEPBAR:
        return i->arch >= SM90;
    default:
        return false;
    }
}

static bool is_control(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_BSSY:
    case OP_BREAK:
    case OP_BMOV_FROM:
    case OP_BMOV_ACTIVE:
    case OP_BMOV_TO:
    case OP_BMOV_TO_ACTIVE:
    case OP_BMOV_IMM:
        return false;
    default:
        return i->base.class == CLASS_branch || i->base.class == CLASS_exit;
    }
}

static uint8_t memory_of(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_SUST:
    case OP_SUST_B:
    case OP_SUST_P:
    case OP_SUST_P_B:
        return INST_WRITES;
    case OP_SURED:
    case OP_SURED_B:
    case OP_SYNCS_ARRIVE:
    case OP_SYNCS_EXCH:
    case OP_ARRIVES:
    case OP_UTMAREDG:
    case OP_UBLKRED:
        return INST_READS | INST_WRITES | INST_ATOMIC;
    case OP_LDGSTS:
    case OP_UTMALDG:
    case OP_UTMASTG:
    case OP_UBLKCP:
        return INST_READS | INST_WRITES;
    case OP_SYNCS_CHECK:
        return INST_READS;
    default:
        return inst_class_memory((enum inst_class)i->base.class);
    }
}

static void set_depbar(struct sass_inst *i)
{
    i->base.depbar = 7;
    if (i->base.op != OP_DEPBAR)
        return;
    i->base.depbar_all = (uint8_t)sass_field(i, DEPBAR_SET);
    if (sass_has(i, DEPBAR_LE)) {
        i->base.depbar = (uint8_t)sass_field(i, DEPBAR_SCOREBOARD);
        i->base.depbar_max = (uint8_t)sass_field(i, DEPBAR_MAX);
    }
}

/* Whom a fence orders for: of CTA, SM, GPU, SYS, ... */
static uint8_t fence_scope(const struct sass_inst *i)
{
    enum { SCOPE_GPU = 2, SCOPE_SYS = 3 };
    unsigned scope = sass_field(i, MEMBAR_SCOPE);

    return scope == SCOPE_GPU   ? FENCE_GPU
           : scope == SCOPE_SYS ? FENCE_SYSTEM
                                : FENCE_BLOCK;
}

/* Products of a warpgroup, and what waits for groups of them. */
static void set_products(struct sass_inst *i)
{
    struct inst *b = &i->base;

    switch (b->op) {
    case OP_HGMMA:
    case OP_IGMMA:
    case OP_BGMMA:
    case OP_QGMMA:
        b->product = (uint8_t)(operand_gmma_columns(i) / 8);
        b->product_is =
            (uint8_t)((operand_gmma_has_a(i) ? 0 : PRODUCT_SHARED) |
                      (sass_field(i, WGMMA_GROUP) != GMMA_NO_GROUP ? PRODUCT_ENDS : 0));
        break;
    case OP_WARPGROUP:
        if (sass_has(i, WARPGROUP_DEPBAR))
            b->products_left = (uint8_t)(sass_field(i, WARPGROUP_GROUPS) + 1);
        break;
    default:
        break;
    }
}

void pipeline_facts(struct sass_inst *i)
{
    struct inst *b = &i->base;
    uint64_t preds = 0;

    b->length = 16;
    set_depbar(i);
    b->class = (uint8_t)class_of(i);
    if (b->op == OP_HMMA && !sass_has(i, HMMA_K16) && b->n_src && b->src[0].n == 2)
        b->class = CLASS_tensor_small;
    for (unsigned p = 0; p < 8; p++)
        preds |= (uint64_t)regset_has(&b->writes, REGID_P + p);
    b->memory = memory_of(i);
    b->flags =
        (uint16_t)((b->op == OP_EXIT || b->op == OP_KILL ? INST_EXIT : 0) |
                   (is_control(i) ? INST_CONTROL : 0) |
                   (is_strong(i) || empties_l1(i) || is_beside_l1(i) ? INST_BYPASS_L1
                                                                     : 0) |
                   (is_sync(i) ? INST_SYNC : 0) |
                   (b->op == OP_LDGSTS ? INST_ASYNC : 0) |
                   (preds ? INST_SETS_PRED : 0) |
                   (b->op == OP_BSYNC ? INST_CONVERGE : 0) |
                   (reads_time(i) ? INST_TIME : 0) | (is_phase(i) ? INST_PHASE : 0) |
                   (starts_copy(i) ? INST_COPIES : 0) |
                   (special_counts(i) ? INST_COUNTS : 0));
    if (b->op == OP_MEMBAR)
        b->bytes = fence_scope(i);
    set_products(i);
    inst_index(b);
}
