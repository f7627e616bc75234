/* shadow.h - what is known of device memory byte by byte, for leno exec --sanitize: the exact
 * sizes of allocations, which bytes of them were ever written, and those that were freed.
 *
 * Memory that nobody tells it about (lent by the host, mapped) is unknown and never a finding.
 */
#ifndef LENO_BASE_SHADOW_H
#define LENO_BASE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shadow_kind {
    SHADOW_DEVICE,    /* allocated by the host, nothing of it is written yet */
    SHADOW_HOST,      /* the same, but the host may write it without a call */
    SHADOW_HEAP,      /* allocated by a kernel, nothing of it is written yet */
    SHADOW_VARIABLES, /* a section of a module: all of it is written */
};

struct shadow_block {
    enum shadow_kind kind;
    uint64_t start, size; /* bytes, as asked for */
    uint8_t *written;     /* a bit per byte; NULL: all of it counts as written */
    bool is_freed;
    uint64_t freed_after; /* so many launches */
};

struct shadow {
    struct shadow_block *at; /* by start; freed ones too */
    size_t n, cap;
    uint64_t launches; /* begun so far */
    bool is_blind; /* something wrote memory without telling: all counts as written */
};

void shadow_free_all(struct shadow *s);

/* An allocation, in place of those that it overlaps. Ends the program if memory runs out. */
void shadow_add(struct shadow *s, enum shadow_kind kind, uint64_t start, uint64_t size);
void shadow_release(struct shadow *s, uint64_t start);
/* These bytes were written. */
void shadow_write(struct shadow *s, uint64_t addr, uint64_t n);

enum shadow_state {
    SHADOW_GOOD,    /* or unknown */
    SHADOW_FREED,   /* in memory that was freed */
    SHADOW_PADDING, /* not all in the allocation: past its end */
    SHADOW_UNSET,   /* none of its bytes was ever written */
};
/* What is wrong with an access, and the allocation that it is in or after. */
enum shadow_state shadow_look(const struct shadow *s, uint64_t addr, uint64_t n,
                              bool reads, struct shadow_block *block);

/* Bits of bytes, also for who keeps them elsewhere: sets n from `first` on; is any set? */
void shadow_set_bits(uint8_t *bits, uint64_t first, uint64_t n);
bool shadow_has_any(const uint8_t *bits, uint64_t first, uint64_t n);

#endif
