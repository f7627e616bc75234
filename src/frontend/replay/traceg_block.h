/* traceg_block.h - one block of a .traceg file, turned into what the codec decodes. */
#ifndef LENO_REPLAY_TRACEG_BLOCK_H
#define LENO_REPLAY_TRACEG_BLOCK_H

#include "frontend/replay/blocks.h"
#include "frontend/replay/traceg.h"

/* A block's bytes, warp after warp. */
struct traceg_page {
    struct traceg_page *next; /* of those not requested yet */
    uint64_t block;
    unsigned readers;
    struct buf bytes; /* CODEC_PAD more after them */
    size_t end[2048 / WARP_LANES];
};

void traceg_page_free(struct traceg_page *p);

/* The state of a kernel that reading its blocks needs. */
struct traceg_reader {
    struct input *in;
    const struct traceg_head *head;
    const struct kernel *k;
    struct inst_table *table;
    char **keys; /* by instruction: its line's constant part, to tell twins apart */
    size_t *key_len;
    uint32_t n_keys, cap_keys;
    bool rz_is_register;
};

/* Reads to the next block's "thread block = x,y,z" and gives its number. 1, 0 at the end
 * of the file, -1. */
int traceg_next_block(struct traceg_reader *r, uint64_t *block, struct err *err);

/* Reads the block whose number has just been read; NULL with err set. */
struct traceg_page *traceg_read_block(struct traceg_reader *r, uint64_t block,
                                      struct err *err);
int traceg_skip_block(struct traceg_reader *r, struct err *err);

#endif
