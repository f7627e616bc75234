/* column.h - sections of a recording that hold pieces of blocks: instructions or values.
 *
 * They are decompressed when a warp reaches them and shared by all warps that read
 * them; a few idle ones are kept, since blocks are requested almost in order.
 */
#ifndef LENO_REPLAY_COLUMN_H
#define LENO_REPLAY_COLUMN_H

#include "frontend/replay/bytes.h"
#include "frontend/replay/section.h"

struct place {
    uint32_t section, offset;
};

struct column {
    struct section_in *in;
    enum section_kind kind;
    uint64_t *sections; /* offsets in the file */
    struct page **pages;
    uint32_t n_sections;
    struct place *at; /* by piece */
    struct page *idle;
    unsigned n_idle;
};

/* Reads the list of its sections; the caller checks r.is_short. */
int column_read_sections(struct column *c, struct reader *r, struct err *err);
void column_free(struct column *c); /* after its pages have been released */

/* A decompressed section for n readers, each of which releases it; NULL with err
 * set. */
struct page *column_page(struct column *c, uint32_t section, unsigned readers,
                         struct err *err);
void page_release(struct page *p);

/* The bytes of each of the warps of a piece; false: it is damaged. */
bool page_find(const struct page *p, uint32_t offset, struct reader *at,
               unsigned n_warps);

#endif
