/* code.h - a piece of static code as the passes that mark its instructions see it. */
#ifndef LENO_ANALYSIS_CODE_H
#define LENO_ANALYSIS_CODE_H

#include <stddef.h>

#include "base/err.h"
#include "isa/inst.h"

enum { CODE_NONE = -1, CODE_ANY = -2 };

/* What an instruction does to the lanes that execute it together. */
enum code_lanes {
    LANES_STAY, /* all go on together, or exit */
    LANES_PART, /* they may go different ways, or some may wait */
    LANES_WAIT, /* all go on together, but others may run first and pass a BSYNC */
    LANES_SAVE, /* they are noted in a convergence barrier */
    LANES_MEET, /* they wait for the lanes that a convergence barrier notes */
    LANES_LOSE, /* convergence barriers note other lanes from now on */
};

/* An instruction and where the program may go from it. */
struct code_line {
    struct inst *inst;
    int64_t target;    /* place in the code; CODE_NONE: no jump, CODE_ANY: not known */
    bool is_guarded;   /* may leave its results as they were, in some lanes or all */
    bool stops;        /* execution never continues after it */
    bool is_entry;     /* may be reached by jumps that no target shows */
    uint8_t lanes;     /* enum code_lanes */
    uint16_t barriers; /* LANES_SAVE and later: convergence barriers, as bits */
    /* All lanes of the warp execute it together and go on together, to the same place
     * (analysis/together.h); if false, that is not known. */
    bool keeps_together;
};

#endif
