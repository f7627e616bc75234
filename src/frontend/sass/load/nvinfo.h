/* nvinfo.h - the records of .nv.info sections: attributes of kernels and functions.
 *
 * A record is a format byte, an attribute byte and a 16-bit field that is the value
 * itself or, for format 4, the length of the bytes that follow.
 */
#ifndef LENO_SASS_NVINFO_H
#define LENO_SASS_NVINFO_H

#include "frontend/sass/load/cubin.h"

enum nvinfo_attr {
    NVINFO_MAX_THREADS = 0x05,
    NVINFO_PARAM_CBANK = 0x0a,
    NVINFO_REQNTID = 0x10,
    NVINFO_FRAME_SIZE = 0x11,
    NVINFO_MIN_STACK_SIZE = 0x12,
    NVINFO_KPARAM_INFO = 0x17,
    NVINFO_CBANK_PARAM_SIZE = 0x19,
    NVINFO_EXIT_OFFSETS = 0x1c,
    NVINFO_REGCOUNT = 0x2f,
    NVINFO_BRANCH_TARGETS = 0x34,
    NVINFO_CTA_PER_CLUSTER = 0x3d,
    NVINFO_KPARAM_INFO_V2 = 0x45,
    NVINFO_NUM_BARRIERS = 0x4c,
};

struct nvinfo_record {
    uint8_t attr;
    uint32_t value;      /* formats 2 and 3 */
    uint32_t size;       /* format 4: bytes at data */
    const uint8_t *data; /* NULL for the other formats */
    uint64_t offset;     /* of the record in the file */
};

/* Reads the record at *at of a section and moves *at after it: 1, 0 at the end, -1
 * for a record that does not fit. Start with *at = 0. */
int nvinfo_next(const struct cubin *c, uint32_t section, uint64_t *at,
                struct nvinfo_record *r, struct err *err);

/* Fills every kernel's fields from .nv.info and .nv.info.KERNEL. */
int nvinfo_read(struct cubin *c, struct err *err);

#endif
