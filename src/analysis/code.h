/* code.h - a piece of static code as the passes that mark its instructions see it. */
#ifndef LENO_ANALYSIS_CODE_H
#define LENO_ANALYSIS_CODE_H

#include <stddef.h>

#include "base/err.h"
#include "isa/inst.h"

enum { CODE_NONE = -1, CODE_ANY = -2 };

/* An instruction and where the program may go from it. */
struct code_line {
    struct inst *inst;
    int64_t target;  /* place in the code; CODE_NONE: no jump, CODE_ANY: not known */
    bool is_guarded; /* may leave its results as they were, in some lanes or all */
    bool stops;      /* execution never continues after it */
    bool is_entry;   /* may be reached by jumps that no target shows */
};

#endif
