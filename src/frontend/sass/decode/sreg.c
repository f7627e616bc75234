/* sreg.c - names of special registers, as nvdisasm writes them. */
#include "frontend/sass/decode/sreg.h"

#include <stddef.h>
#include <stdint.h>

/* From bit n on the name exists: 1 sm_75, 2 sm_86, 4 sm_90. */
static const struct {
    uint8_t id, archs;
    const char *name;
} names[] = {
    { 0x00, 7, "SR_LANEID" },
    { 0x01, 7, "SR_CLOCK" },
    { 0x02, 7, "SR_VIRTCFG" },
    { 0x03, 7, "SR_VIRTID" },
    { 0x0f, 7, "SR_ORDERING_TICKET" },
    { 0x10, 7, "SR_PRIM_TYPE" },
    { 0x11, 7, "SR_INVOCATION_ID" },
    { 0x12, 7, "SR_Y_DIRECTION" },
    { 0x13, 7, "SR_THREAD_KILL" },
    { 0x14, 7, "SM_SHADER_TYPE" },
    { 0x15, 7, "SR_DIRECTCBEWRITEADDRESSLOW" },
    { 0x16, 7, "SR_DIRECTCBEWRITEADDRESSHIGH" },
    { 0x17, 7, "SR_DIRECTCBEWRITEENABLED" },
    { 0x18, 1, "SR_MACHINE_ID_0" },
    { 0x18, 6, "SR_SW_SCRATCH" },
    { 0x19, 7, "SR_MACHINE_ID_1" },
    { 0x1a, 7, "SR_MACHINE_ID_2" },
    { 0x1b, 7, "SR_MACHINE_ID_3" },
    { 0x1c, 7, "SR_AFFINITY" },
    { 0x1d, 7, "SR_INVOCATION_INFO" },
    { 0x1e, 7, "SR_WSCALEFACTOR_XY" },
    { 0x1f, 7, "SR_WSCALEFACTOR_Z" },
    { 0x20, 7, "SR_TID" },
    { 0x21, 7, "SR_TID.X" },
    { 0x22, 7, "SR_TID.Y" },
    { 0x23, 7, "SR_TID.Z" },
    { 0x25, 7, "SR_CTAID.X" },
    { 0x26, 7, "SR_CTAID.Y" },
    { 0x27, 7, "SR_CTAID.Z" },
    { 0x28, 7, "SR_NTID" },
    { 0x29, 7, "SR_CirQueueIncrMinusOne" },
    { 0x2a, 7, "SR_NLATC" },
    { 0x2c, 7, "SR_SM_SPA_VERSION" },
    { 0x2d, 7, "SR_MULTIPASSSHADERINFO" },
    { 0x2e, 7, "SR_LWINHI" },
    { 0x2f, 7, "SR_SWINHI" },
    { 0x30, 7, "SR_SWINLO" },
    { 0x31, 7, "SR_SWINSZ" },
    { 0x32, 7, "SR_SMEMSZ" },
    { 0x33, 7, "SR_SMEMBANKS" },
    { 0x34, 7, "SR_LWINLO" },
    { 0x35, 7, "SR_LWINSZ" },
    { 0x36, 7, "SR_LMEMLOSZ" },
    { 0x37, 7, "SR_LMEMHIOFF" },
    { 0x38, 7, "SR_EQMASK" },
    { 0x39, 7, "SR_LTMASK" },
    { 0x3a, 7, "SR_LEMASK" },
    { 0x3b, 7, "SR_GTMASK" },
    { 0x3c, 7, "SR_GEMASK" },
    { 0x3d, 7, "SR_REGALLOC" },
    { 0x3e, 7, "SR_BARRIERALLOC" },
    { 0x40, 7, "SR_GLOBALERRORSTATUS" },
    { 0x41, 4, "SR_CGAERRORSTATUS" },
    { 0x42, 7, "SR_WARPERRORSTATUS" },
    { 0x43, 7, "SR_VIRTUALSMID" },
    { 0x44, 7, "SR_VIRTUALENGINEID" },
    { 0x50, 7, "SR_CLOCKLO" },
    { 0x51, 7, "SR_CLOCKHI" },
    { 0x52, 7, "SR_GLOBALTIMERLO" },
    { 0x53, 7, "SR_GLOBALTIMERHI" },
    { 0x54, 7, "SR_ESR_PC" },
    { 0x55, 7, "SR_ESR_PC_HI" },
    { 0x60, 7, "SR_HWTASKID" },
    { 0x61, 7, "SR_CIRCULARQUEUEENTRYINDEX" },
    { 0x62, 7, "SR_CIRCULARQUEUEENTRYADDRESSLOW" },
    { 0x63, 7, "SR_CIRCULARQUEUEENTRYADDRESSHIGH" },
    { 0x84, 7, "SR_VARIABLE_RATE" },
    { 0x85, 7, "__HIR0X000" },
    { 0x86, 4, "SR_WARPGROUP_INFO" },
    { 0x87, 4, "SR_WARPGROUPID" },
    { 0x88, 4, "SR_CgaCtaId" },
    { 0x89, 4, "SR_GpcLocalCgaId" },
    { 0x8b, 4, "SR_CTARegPoolSz" },
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
