/* check.h - what must hold of every run, whatever the scheme and the machine. */
#ifndef LENO_TESTS_CONTRACT_CHECK_H
#define LENO_TESTS_CONTRACT_CHECK_H

#include "rig.h"

/* False with the reason in why: the run failed; did not drain; an instruction was not
 * issued exactly once, nor dropped; stages are out of order; a scheduler issued twice in a cycle;
 * slots do not add up; a barrier, a fence or an atomic was passed. */
bool check_run(const struct rig_run *r, const struct rig_kernel *k, uint64_t n_insts,
               struct buf *why);

/* No instruction issued before the youngest older writer of what it reads, or of what it
 * writes in some lanes only, had written: true of every scheme, with registers renamed or
 * not. Where instructions wait in reservation stations, none started its unit before.
 * Independent of core/check/check.c. */
bool check_flow(const struct rig_run *r, bool has_stations, struct buf *why);

/* The same for in-order schemes: each warp in order, and no instruction before the
 * writers of its registers were done. Independent of core/check/check.c. */
bool check_inorder(const struct rig_run *r, struct rig_kernel *k, struct buf *why);

/* Did two runs take the same cycles, instruction by instruction? */
bool check_same(const struct rig_run *a, const struct rig_run *b, struct buf *why);

#endif
