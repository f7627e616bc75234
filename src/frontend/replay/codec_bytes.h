/* codec_bytes.h - the bits that both halves of the codec share; see docs/formats.md. */
#ifndef LENO_REPLAY_CODEC_BYTES_H
#define LENO_REPLAY_CODEC_BYTES_H

/* A token below TOKEN_SPECIAL: that many usual instructions plus one. Else its bits say
 * what follows, in the order of this list. */
enum {
    TOKEN_SPECIAL = 0x80,
    TOKEN_EXTRA = 0x40,   /* a byte of EXTRA_* bits */
    TOKEN_NEXT = 0x20,    /* number of the successor plus one; 0: the warp ends */
    TOKEN_ACTIVE = 0x10,  /* other lanes: 4 bytes */
    TOKEN_MASK_SHIFT = 2, /* 2 bits: enum token_mask */
    TOKEN_ADDR_SHIFT = 0, /* 2 bits: enum token_addr */
    TOKEN_RUN_MAX = 0x80,
};

enum token_mask {
    MASK_ACTIVE, /* every guard holds */
    MASK_NONE,   /* none does */
    MASK_AGAIN,  /* those of the last MASK_OTHER */
    MASK_OTHER,  /* 4 bytes */
};

enum token_addr {
    ADDR_NONE,
    ADDR_AGAIN,  /* base, difference; the stride of the slot */
    ADDR_STRIDE, /* base, difference; stride */
    ADDR_OTHER,  /* a byte of LIST_* bits */
};

enum {
    EXTRA_BARRIER = 1,    /* kind and number in a byte each; warps */
    EXTRA_SPACE = 2,      /* not the instruction's: bits 4 to 7 */
    EXTRA_NEXT_NONE = 4,  /* next_pc is 0, although there is a successor */
    EXTRA_NEXT_OTHER = 8, /* next_pc is not the successor's: 8 bytes */
    EXTRA_ASYNC = 128,    /* a number, and as many bytes (async_bytes.h) */
    EXTRA_SPACE_SHIFT = 4,
    EXTRA_SPACE_MASK = 7,
};

/* Addresses that are not on one line. Rows: lane l is at base + l % row * stride + l /
 * row * row_stride; base as a difference, both strides follow. List: base, the lowest,
 * as a difference; then an offset for each lane of the mask, shifted. */
enum {
    LIST_ROWS = 0x80,     /* bits 0 and 1: row of 2, 4, 8, 16 lanes */
    LIST_WIDTH = 3,       /* offsets of 1, 2, 4, 8 bytes */
    LIST_SHIFT_SHIFT = 2, /* 4 bits */
};

#endif
