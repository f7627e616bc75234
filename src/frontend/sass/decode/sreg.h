/* sreg.h - special registers. */
#ifndef LENO_SASS_SREG_H
#define LENO_SASS_SREG_H

#include "base/buf.h"
#include "frontend/sass/arch.h"

enum sreg {
    SREG_LANEID = 0x00,
    SREG_CLOCK = 0x01,
    SREG_VIRTCFG = 0x02,
    SREG_VIRTID = 0x03,
    SREG_TID = 0x20,
    SREG_TID_X = 0x21,
    SREG_TID_Y = 0x22,
    SREG_TID_Z = 0x23,
    SREG_CTAID_X = 0x25,
    SREG_CTAID_Y = 0x26,
    SREG_CTAID_Z = 0x27,
    SREG_LWINHI = 0x2e,
    SREG_SWINHI = 0x2f, /* high word of the shared window */
    SREG_SWINLO = 0x30,
    SREG_SMEMSZ = 0x32,
    SREG_LWINLO = 0x34,
    SREG_LMEMLOSZ = 0x36,
    SREG_LMEMHIOFF = 0x37,
    SREG_EQMASK = 0x38,
    SREG_LTMASK = 0x39,
    SREG_LEMASK = 0x3a,
    SREG_GTMASK = 0x3b,
    SREG_GEMASK = 0x3c,
    SREG_REGALLOC = 0x3d,
    SREG_VIRTUALSMID = 0x43,
    SREG_CLOCKLO = 0x50,
    SREG_CLOCKHI = 0x51,
    SREG_GLOBALTIMERLO = 0x52,
    SREG_GLOBALTIMERHI = 0x53,
    SREG_CGACTAID = 0x88,
    SREG_CGASIZE = 0x8a,
    SREG_SRZ = 0xff,
};

/* Appends the name, SRn where there is none. */
void sreg_print(struct buf *out, enum sass_arch arch, unsigned id);

#endif
