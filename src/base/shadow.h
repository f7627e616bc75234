/* shadow.h - what is known of device memory byte by byte, for leno exec --sanitize: the exact
 * sizes of allocations, which bytes of them were ever written, and those that were freed.
 *
 * Memory that nobody tells it about (variables of modules, the heap of kernels, memory lent
 * by the host) is unknown and never a finding.
 */
#ifndef LENO_BASE_SHADOW_H
#define LENO_BASE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shadow_block {
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

/* An allocation; has_unset: nothing of it is written yet. Ends the program if memory runs
 * out. */
void shadow_add(struct shadow *s, uint64_t start, uint64_t size, bool has_unset);
void shadow_release(struct shadow *s, uint64_t start);
/* These bytes were written. */
void shadow_write(struct shadow *s, uint64_t addr, uint64_t n);

enum shadow_state {
    SHADOW_GOOD,    /* or unknown */
    SHADOW_FREED,   /* in memory that was freed */
    SHADOW_PADDING, /* not all in the allocation: past its end */
    SHADOW_UNSET,   /* some byte was never written */
};
/* What is wrong with an access, and the allocation that it is in or after. */
enum shadow_state shadow_look(const struct shadow *s, uint64_t addr, uint64_t n,
                              bool reads, struct shadow_block *block);

/* Bits of bytes, also for who keeps them elsewhere: sets n from `first` on; are all set? */
void shadow_set_bits(uint8_t *bits, uint64_t first, uint64_t n);
bool shadow_has_bits(const uint8_t *bits, uint64_t first, uint64_t n);

#endif
