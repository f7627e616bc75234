/* sreg.c - names of special registers, as nvdisasm writes them. */
#include "frontend/sass/decode/sreg.h"

#include <stddef.h>
#include <stdint.h>

enum {
    OLD = 1 << SM75,
    NOT_OLD = ~OLD & 0xff,
    FROM_90 = 0xff << SM90 & 0xff,
    FROM_100 = 0xff << SM100 & 0xff,
    ANY = 0xff
};

/* archs: those that have the name, bit n for enum sass_arch n. */
static const struct {
    uint8_t id, archs;
    const char *name;
} names[] = {
    { 0x00, ANY, "SR_LANEID" },
    { 0x01, ANY, "SR_CLOCK" },
    { 0x02, ANY, "SR_VIRTCFG" },
    { 0x03, ANY, "SR_VIRTID" },
    { 0x0f, ANY, "SR_ORDERING_TICKET" },
    { 0x10, ANY, "SR_PRIM_TYPE" },
    { 0x11, ANY, "SR_INVOCATION_ID" },
    { 0x12, ANY, "SR_Y_DIRECTION" },
    { 0x13, ANY, "SR_THREAD_KILL" },
    { 0x14, ANY, "SM_SHADER_TYPE" },
    { 0x15, ANY, "SR_DIRECTCBEWRITEADDRESSLOW" },
    { 0x16, ANY, "SR_DIRECTCBEWRITEADDRESSHIGH" },
    { 0x17, ANY, "SR_DIRECTCBEWRITEENABLED" },
    { 0x18, OLD, "SR_MACHINE_ID_0" },
    { 0x18, NOT_OLD, "SR_SW_SCRATCH" },
    { 0x19, ANY, "SR_MACHINE_ID_1" },
    { 0x1a, ANY, "SR_MACHINE_ID_2" },
    { 0x1b, ANY, "SR_MACHINE_ID_3" },
    { 0x1c, ANY, "SR_AFFINITY" },
    { 0x1d, ANY, "SR_INVOCATION_INFO" },
    { 0x1e, ANY, "SR_WSCALEFACTOR_XY" },
    { 0x1f, ANY, "SR_WSCALEFACTOR_Z" },
    { 0x20, ANY, "SR_TID" },
    { 0x21, ANY, "SR_TID.X" },
    { 0x22, ANY, "SR_TID.Y" },
    { 0x23, ANY, "SR_TID.Z" },
    { 0x25, ANY, "SR_CTAID.X" },
    { 0x26, ANY, "SR_CTAID.Y" },
    { 0x27, ANY, "SR_CTAID.Z" },
    { 0x28, ANY, "SR_NTID" },
    { 0x29, ANY, "SR_CirQueueIncrMinusOne" },
    { 0x2a, ANY, "SR_NLATC" },
    { 0x2c, ANY, "SR_SM_SPA_VERSION" },
    { 0x2d, ANY, "SR_MULTIPASSSHADERINFO" },
    { 0x2e, ANY, "SR_LWINHI" },
    { 0x2f, ANY, "SR_SWINHI" },
    { 0x30, ANY, "SR_SWINLO" },
    { 0x31, ANY, "SR_SWINSZ" },
    { 0x32, ANY, "SR_SMEMSZ" },
    { 0x33, ANY, "SR_SMEMBANKS" },
    { 0x34, ANY, "SR_LWINLO" },
    { 0x35, ANY, "SR_LWINSZ" },
    { 0x36, ANY, "SR_LMEMLOSZ" },
    { 0x37, ANY, "SR_LMEMHIOFF" },
    { 0x38, ANY, "SR_EQMASK" },
    { 0x39, ANY, "SR_LTMASK" },
    { 0x3a, ANY, "SR_LEMASK" },
    { 0x3b, ANY, "SR_GTMASK" },
    { 0x3c, ANY, "SR_GEMASK" },
    { 0x3d, ANY, "SR_REGALLOC" },
    { 0x3e, ANY, "SR_BARRIERALLOC" },
    { 0x40, ANY, "SR_GLOBALERRORSTATUS" },
    { 0x41, FROM_90, "SR_CGAERRORSTATUS" },
    { 0x42, ANY, "SR_WARPERRORSTATUS" },
    { 0x43, ANY, "SR_VIRTUALSMID" },
    { 0x44, ANY, "SR_VIRTUALENGINEID" },
    { 0x50, ANY, "SR_CLOCKLO" },
    { 0x51, ANY, "SR_CLOCKHI" },
    { 0x52, ANY, "SR_GLOBALTIMERLO" },
    { 0x53, ANY, "SR_GLOBALTIMERHI" },
    { 0x54, ANY, "SR_ESR_PC" },
    { 0x55, ANY, "SR_ESR_PC_HI" },
    { 0x60, ANY, "SR_HWTASKID" },
    { 0x61, ANY, "SR_CIRCULARQUEUEENTRYINDEX" },
    { 0x62, ANY, "SR_CIRCULARQUEUEENTRYADDRESSLOW" },
    { 0x63, ANY, "SR_CIRCULARQUEUEENTRYADDRESSHIGH" },
    { 0x84, ANY, "SR_VARIABLE_RATE" },
    { 0x85, ANY, "__HIR0X000" },
    { 0x86, FROM_90, "SR_WARPGROUP_INFO" },
    { 0x87, FROM_90, "SR_WARPGROUPID" },
    { 0x88, FROM_90, "SR_CgaCtaId" },
    { 0x89, FROM_90, "SR_GpcLocalCgaId" },
    { 0x8a, FROM_100, "SR_CgaSize" },
    { 0x8b, FROM_90, "SR_CTARegPoolSz" },
};

void sreg_print(struct buf *out, enum sass_arch arch, unsigned id)
{
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (names[k].id == id && names[k].archs >> arch & 1) {
            buf_puts(out, names[k].name);
            return;
        }
    }
    if (id == SREG_SRZ)
        buf_puts(out, "SRZ");
    else if (id >= 0x64 && id < 0x74) /* performance monitors: low, high */
        buf_printf(out, "SR_PM%s%u", id & 1 ? "_HI" : "", (id - 0x64) / 2);
    else if (id >= 0x74 && id < 0x84)
        buf_printf(out, "SR_SNAP_PM%s%u", id & 1 ? "_HI" : "", (id - 0x74) / 2);
    else
        buf_printf(out, "SR%u", id);
}
