/* handlers.c - which handler executes which opcode.
 *
 * An opcode without an entry cannot be executed: the step reports it by name. Textures
 * and surfaces, multicast and bulk copies, clusters, mbarriers, warp-group tensor
 * instructions, sparse and binary ones are of that kind.
 */
#include "frontend/sass/handlers.h"

/* clang-format off */
exec_fn *const sass_handlers[N_SASS_OP] = {
    [OP_MOV] = exec_mov,               [OP_UMOV] = exec_mov,
    [OP_SEL] = exec_sel,               [OP_USEL] = exec_sel,
    [OP_IADD3] = exec_iadd3,           [OP_UIADD3] = exec_iadd3,
    [OP_LEA] = exec_lea,               [OP_ULEA] = exec_lea,
    [OP_LOP3] = exec_lop3,             [OP_ULOP3] = exec_lop3,
    [OP_PLOP3] = exec_plop3,           [OP_UPLOP3] = exec_plop3,
    [OP_PLOP3_SIGN] = exec_plop3_sign,
    [OP_ISETP] = exec_isetp,           [OP_UISETP] = exec_isetp,
    [OP_IMAD] = exec_imad,             [OP_UIMAD] = exec_imad,
    [OP_IMAD_WIDE] = exec_imad_wide,   [OP_UIMAD_WIDE] = exec_imad_wide,
    [OP_IMAD_HI] = exec_imad_hi,       [OP_UIMAD_HI] = exec_imad_hi,
    [OP_SHF] = exec_shf,               [OP_USHF] = exec_shf,
    [OP_PRMT] = exec_prmt,             [OP_UPRMT] = exec_prmt,
    [OP_BMSK] = exec_bmsk,             [OP_UBMSK] = exec_bmsk,
    [OP_SGXT] = exec_sgxt,             [OP_USGXT] = exec_sgxt,
    [OP_FLO] = exec_flo,               [OP_UFLO] = exec_flo,
    [OP_POPC] = exec_popc,             [OP_UPOPC] = exec_popc,
    [OP_BREV] = exec_brev,             [OP_UBREV] = exec_brev,
    [OP_P2R] = exec_p2r,               [OP_UP2UR] = exec_up2ur,
    [OP_R2P] = exec_r2p,               [OP_UR2UP] = exec_ur2up,
    [OP_IABS] = exec_iabs,             [OP_IDP] = exec_idp,
    [OP_IMNMX] = exec_imnmx,           [OP_VIMNMX] = exec_vimnmx,
    [OP_VIMNMX3] = exec_vimnmx3,       [OP_VIADD] = exec_viadd,
    [OP_VIADDMNMX] = exec_viaddmnmx,   [OP_VABSDIFF] = exec_vabsdiff,
    [OP_VABSDIFF4] = exec_vabsdiff4,

    [OP_FADD] = exec_fadd,             [OP_FMUL] = exec_fmul,
    [OP_FFMA] = exec_ffma,             [OP_FSETP] = exec_fsetp,
    [OP_FSET] = exec_fset,             [OP_FSEL] = exec_fsel,
    [OP_FMNMX] = exec_fmnmx,           [OP_FCHK] = exec_fchk,
    [OP_MUFU] = exec_mufu,             [OP_DADD] = exec_dadd,
    [OP_DMUL] = exec_dmul,             [OP_DFMA] = exec_dfma,
    [OP_DSETP] = exec_dsetp,

    [OP_HADD2] = exec_hadd2,           [OP_HMUL2] = exec_hmul2,
    [OP_HFMA2] = exec_hfma2,           [OP_HFMA2_MMA] = exec_hfma2,
    [OP_HSET2] = exec_hset2,           [OP_HSETP2] = exec_hsetp2,
    [OP_HMNMX2] = exec_hmnmx2,

    [OP_F2F] = exec_f2f,               [OP_F2F_64] = exec_f2f,
    [OP_F2I] = exec_f2i,               [OP_F2I_64] = exec_f2i,
    [OP_I2F] = exec_i2f,               [OP_I2F_64] = exec_i2f,
    [OP_FRND] = exec_frnd,             [OP_FRND_64] = exec_frnd,
    [OP_I2FP] = exec_i2f,              [OP_F2FP] = exec_f2fp,
    [OP_F2IP] = exec_f2ip,             [OP_I2I] = exec_i2i,
    [OP_I2IP] = exec_i2ip,

    [OP_SHFL_RR] = exec_shfl,          [OP_SHFL_RI] = exec_shfl,
    [OP_SHFL_IR] = exec_shfl,          [OP_SHFL_II] = exec_shfl,
    [OP_VOTE] = exec_vote,             [OP_VOTEU] = exec_vote,
    [OP_MATCH] = exec_match,           [OP_REDUX] = exec_redux,
    [OP_ELECT] = exec_elect,           [OP_S2R] = exec_s2r,
    [OP_S2UR] = exec_s2r,              [OP_CS2R] = exec_cs2r,
    [OP_R2UR] = exec_r2ur,             [OP_R2UR_OLD] = exec_r2ur,

    [OP_LD] = exec_load,               [OP_LDG] = exec_load,
    [OP_LDS] = exec_load,              [OP_LDL] = exec_load,
    [OP_ST] = exec_store,              [OP_STG] = exec_store,
    [OP_ST_WIDE] = exec_store,
    [OP_STS] = exec_store,             [OP_STL] = exec_store,
    [OP_LDC] = exec_ldc,               [OP_ULDC] = exec_ldc,
    [OP_ULDC_INDEXED] = exec_ldc,      [OP_LDGSTS] = exec_ldgsts,
    [OP_QSPC] = exec_qspc,

    [OP_ATOM] = exec_atom,             [OP_ATOMG] = exec_atom,
    [OP_ATOMS] = exec_atom,            [OP_RED] = exec_red,
    [OP_REDG] = exec_red,              [OP_ATOM_F] = exec_atom_float,
    [OP_ATOMG_F] = exec_atom_float,    [OP_REDG_F] = exec_atom_float,
    [OP_ATOM_CAS] = exec_atom_cas,     [OP_ATOMG_CAS] = exec_atom_cas,
    [OP_ATOMS_CAS] = exec_atom_cas,    [OP_ATOMS_POPC] = exec_atoms_popc,

    [OP_HMMA] = exec_hmma,             [OP_IMMA] = exec_imma,
    [OP_DMMA] = exec_dmma,             [OP_LDSM] = exec_ldsm,
    [OP_STSM] = exec_stsm,             [OP_MOVM] = exec_movm,

    [OP_BRA] = exec_bra,               [OP_BRX] = exec_brx,
    [OP_JMX] = exec_brx,               [OP_JMP] = exec_call,
    [OP_CALL_ABS] = exec_call,         [OP_CALL_REL] = exec_call,
    [OP_CALL_ABS_REG] = exec_call_reg, [OP_CALL_REL_REG] = exec_call_reg,
    [OP_RET] = exec_brx,               [OP_LEPC] = exec_lepc,
    [OP_LEPC_TARGET] = exec_lepc,      [OP_BSSY] = exec_bssy,
    [OP_BSYNC] = exec_bsync,           [OP_BREAK] = exec_break,
    [OP_BMOV_FROM] = exec_bmov_from,   [OP_BMOV_TO] = exec_bmov_to,
    [OP_WARPSYNC] = exec_warpsync,     [OP_WARPSYNC_IMM] = exec_warpsync,
    [OP_ENDCOLLECTIVE] = exec_endcollective,
    [OP_YIELD] = exec_yield,           [OP_NANOSLEEP] = exec_nanosleep,
    [OP_EXIT] = exec_exit,             [OP_BPT] = exec_bpt,
    [OP_BAR] = exec_bar,               [OP_B2R] = exec_b2r,

    /* Order of memory and completion of copies: everything is done at once here. */
    [OP_NOP] = exec_nothing,           [OP_PMTRIG] = exec_nothing,
    [OP_DEPBAR] = exec_nothing,        [OP_LDGDEPBAR] = exec_nothing,
    [OP_MEMBAR] = exec_nothing,        [OP_ERRBAR] = exec_nothing,
    [OP_CGAERRBAR] = exec_nothing,     [OP_CCTL] = exec_nothing,
    [OP_FENCE] = exec_nothing,         [OP_PREEXIT] = exec_nothing,
    [OP_ACQBULK] = exec_nothing,
};
/* clang-format on */
