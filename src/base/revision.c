/* revision.c - the hash that the makefile takes of the source. */
#include "base/revision.h"

const char *revision_text(void)
{
    return
#include "revision.def"
        ;
}
