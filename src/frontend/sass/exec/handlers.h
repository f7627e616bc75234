/* handlers.h - the handlers of all opcodes; handlers.c says which is whose.
 *
 * Each executes one instruction of one warp for the lanes of mask; see state.h. The
 * slots and fields of an opcode have names, from its row in opcodes.def.
 */
#ifndef LENO_SASS_HANDLERS_H
#define LENO_SASS_HANDLERS_H

#include "frontend/sass/exec/state.h"

/* control.c */
exec_fn exec_bra, exec_brx, exec_call, exec_call_reg, exec_lepc, exec_bssy, exec_bsync,
    exec_break, exec_bmov_from, exec_bmov_to, exec_bmov_between, exec_bmov_imm,
    exec_bmov_to_active, exec_warpsync, exec_endcollective, exec_yield, exec_nanosleep,
    exec_exit, exec_bpt, exec_bar, exec_b2r, exec_nothing;

/* exec_int.c */
exec_fn exec_iadd3, exec_imad, exec_imad_wide, exec_imad_hi, exec_lea, exec_isetp,
    exec_iabs, exec_uiadd3_64;

/* exec_wide.c */
exec_fn exec_mov64, exec_sel64, exec_isetp64, exec_imnmx64, exec_iadd64, exec_viadd_120,
    exec_vimnmx_120, exec_f32x2, exec_fmnmx3, exec_credux, exec_fadd_100, exec_ffma_100;

/* exec_vector.c */
exec_fn exec_imnmx, exec_vimnmx, exec_vimnmx3, exec_viadd, exec_viaddmnmx, exec_idp,
    exec_vabsdiff, exec_vabsdiff4;

/* exec_bits.c */
exec_fn exec_mov, exec_sel, exec_lop3, exec_plop3, exec_plop3_sign, exec_plop3_prp,
    exec_plop3_prr, exec_shf, exec_prmt, exec_bmsk, exec_sgxt, exec_flo, exec_popc,
    exec_brev, exec_p2r, exec_r2p, exec_up2ur, exec_ur2up;

/* exec_fp.c */
exec_fn exec_fadd, exec_fswzadd, exec_fmul, exec_ffma, exec_fsetp, exec_fset, exec_fsel,
    exec_fmnmx, exec_fchk, exec_mufu, exec_dadd, exec_dmul, exec_dfma, exec_dsetp;

/* exec_half.c */
exec_fn exec_hadd2, exec_hmul2, exec_hfma2, exec_hset2, exec_hsetp2, exec_hmnmx2,
    exec_vhmnmx;

/* exec_conv.c */
exec_fn exec_f2f, exec_f2i, exec_i2f, exec_frnd, exec_f2fp, exec_f2ip, exec_i2i,
    exec_i2ip;

/* exec_warp.c */
exec_fn exec_shfl, exec_vote, exec_match, exec_redux, exec_elect, exec_r2ur, exec_s2r,
    exec_cs2r;

/* exec_memory.c */
exec_fn exec_load, exec_store, exec_ldc, exec_ldgsts, exec_qspc;

/* exec_atomic.c */
exec_fn exec_atom, exec_atom_float, exec_red, exec_atom_cas, exec_atoms_popc;

/* exec_tensor.c */
exec_fn exec_hmma, exec_hmma884, exec_imma, exec_dmma, exec_bmma, exec_ldsm, exec_stsm,
    exec_movm;

/* exec_async.c */
exec_fn exec_syncs_arrive, exec_syncs_check, exec_syncs_exch, exec_arrives,
    exec_atom_arrive, exec_tma_commit, exec_ublkcp, exec_ublkred, exec_stas, exec_redas,
    exec_cluster_arrive, exec_cluster_wait, exec_rpcmov_to, exec_rpcmov_from,
    exec_usetmaxreg;

/* exec_tma.c */
exec_fn exec_utmaldg, exec_utmastg, exec_utmaredg, exec_utmapf, exec_utmacctl;

/* exec_gmma.c */
exec_fn exec_gmma;

/* exec_texture.c */
exec_fn exec_tex, exec_tld, exec_tld4, exec_txd, exec_txq;

/* exec_surface.c */
exec_fn exec_suld, exec_sust, exec_sust_p, exec_sured;

/* exec_memory256.c */
exec_fn exec_load_256, exec_store_256;

#endif
