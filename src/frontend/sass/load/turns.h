/* turns.h - where warps let others run; see turns.c. */
#ifndef LENO_SASS_TURNS_H
#define LENO_SASS_TURNS_H

#include "frontend/sass/decode/decode.h"

/* Sets turn and to_turn_end of n instructions. */
void sass_mark_turns(struct sass_inst *inst, uint64_t n);

#endif
