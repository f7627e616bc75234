/* view.h - global memory as the SMs of a timed launch see it.
 *
 * SMs execute a window of cycles each alone, in parts (isa/stream.h), on threads or one
 * after another. What a part sees must not depend on which: an SM sees global memory as it
 * was when the window began, and what it wrote itself. With its first ordered operation (an
 * atomic, a load that must see other SMs' stores, a system function) a part waits until all
 * parts before it have ended, and sees from then on what they wrote. When the window ends,
 * all that was written becomes visible, in the order of parts.
 * docs/decisions/042-threads.md has the reasons.
 *
 * So a part keeps what it writes in lines of its own. The bytes of a line that it did not
 * write are filled in, as it sees them, when it reads some of their piece of the line.
 */
#ifndef LENO_SASS_VIEW_H
#define LENO_SASS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/space.h"
#include "isa/stream.h"

/* A granule of the address space (base/space.h): no aligned access crosses one. */
enum {
    VIEW_LINE = SPACE_GRANULE,
    VIEW_PIECE = 64,
    VIEW_PIECES = VIEW_LINE / VIEW_PIECE
};

struct view_line {
    _Alignas(VIEW_PIECE) uint64_t addr;
    uint32_t slot;                 /* in its view */
    uint32_t filled;               /* as bits: pieces that have all their bytes */
    struct view_line *below;       /* where the others come from; NULL: ... */
    uint8_t *memory;               /* ... from here, where the line is */
    uint64_t written[VIEW_PIECES]; /* which bytes of each were written, as bits */
    uint8_t data[VIEW_LINE];
};

struct view_page;

/* What one part wrote. */
struct view {
    uint64_t number;    /* of the part */
    struct view *older; /* of an earlier part of the same SM in this window */
    struct view *next;
    struct views *of;
    uint32_t n;              /* lines, in pages: the latest first */
    uint32_t mask;           /* number of slots, less one */
    struct view_line **slot; /* by hash of the address */
    struct view_page *page;
};

/* How an SM sees memory. */
struct view_sm {
    _Alignas(64) struct view *now; /* what it wrote, or all did; NULL: nothing */
    uint64_t number;               /* of its part */
    bool is_ordered;  /* all parts before this one have ended, and it sees them */
    bool was_ordered; /* so was an earlier part of this window */
};

struct views;

/* NULL with err set. */
struct views *views_new(unsigned n_sms, struct err *err);
void views_free(struct views *v);
unsigned views_sms(const struct views *v);
void views_begin(struct views *v, const struct kernel_turns *turns);
struct view_sm *views_each(struct views *v); /* by SM */

void view_begin_part(struct views *v, unsigned sm, uint64_t number);
/* What parts up to this one wrote gets into memory; the window is over. */
void views_end_window(struct views *v, uint64_t last);

/* An ordered operation of this SM. */
void view_order(struct views *v, struct view_sm *s);

static inline uint64_t view_line_of(uint64_t addr)
{
    return addr & ~(uint64_t)(VIEW_LINE - 1);
}

/* The slot of a line, or the free one that it would get. */
static inline struct view_line **view_slot(const struct view *v, uint64_t line)
{
    uint32_t at = (uint32_t)(line * 0x9e3779b97f4a7c15u >> 40) & v->mask;

    while (v->slot[at] && v->slot[at]->addr != line)
        at = (at + 1) & v->mask;
    return &v->slot[at];
}

/* The line of this address if it differs from memory, else NULL. */
static inline struct view_line *view_find(const struct view_sm *s, uint64_t addr)
{
    struct view_line *found = NULL;

    for (const struct view *v = s->now; v && !found; v = v->older)
        if (v->n)
            found = *view_slot(v, view_line_of(addr));
    return found;
}

/* The view that the SM writes to. */
struct view *view_begin(struct views *v, struct view_sm *s); /* the first of its part */
static inline struct view *view_of_part(struct views *v, struct view_sm *s)
{
    if (s->is_ordered || (s->now && s->now->number == s->number))
        return s->now;
    return view_begin(v, s);
}

void view_fill_piece(struct view_line *l, unsigned piece);

/* Bytes of the line are going to be read. */
static inline void view_fill(struct view_line *l, uint64_t addr, unsigned bytes)
{
    unsigned at = addr % VIEW_LINE, last = (at + bytes - 1) / VIEW_PIECE;

    for (unsigned k = at / VIEW_PIECE; k <= last; k++)
        if (!(l->filled >> k & 1))
            view_fill_piece(l, k);
}

/* The line of an address that is written now; `memory` is its place. The bytes are to be
 * marked, and filled in first if they are read too. */
struct view_line *view_add_line(struct view *v, uint64_t addr, uint8_t *memory);
static inline struct view_line *view_write(struct view *v, uint64_t addr,
                                           uint8_t *memory)
{
    struct view_line *l = *view_slot(v, view_line_of(addr));

    return l ? l : view_add_line(v, addr, memory);
}

/* Bytes of one piece are written. */
static inline void view_mark(struct view_line *l, uint64_t addr, unsigned bytes)
{
    unsigned at = addr % VIEW_LINE;

    l->written[at / VIEW_PIECE] |= (~(uint64_t)0 >> (VIEW_PIECE - bytes))
                                   << at % VIEW_PIECE;
}
/* Any bytes of the line. */
void view_mark_range(struct view_line *l, uint64_t addr, unsigned bytes);

#endif
