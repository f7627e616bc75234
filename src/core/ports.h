/* ports.h - state of a sub-core and of a register for the model of ports (ports.c). */
#ifndef LENO_CORE_PORTS_H
#define LENO_CORE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct sm;
struct subcore;
struct uop;

enum { MAX_BANKS = 16 };

struct port_state {
    uint64_t product_free;         /* the matrix unit, for products of warpgroups */
    uint64_t bank_free[MAX_BANKS]; /* first cycle in which a read is served ... */
    uint64_t banks_free;           /* ... and the latest of these */
    uint16_t reuse[3];             /* register and warp in each reuse slot */
    uint64_t issue_free;           /* end of the issue port's busy time */
    uint64_t fetched;              /* 100 times the cycle in which fetch catches up */
    uint64_t half_free[2];         /* halves of sp; [1] is fma */
    unsigned last_half;            /* the half taken last */
    uint64_t sfu_free;             /* the sfu unit itself, after its queue */
};

/* The last write of a register. */
struct reg_writer {
    uint32_t cycle; /* lower bits */
    uint8_t class;  /* enum inst_class */
    /* cycles until any reader gets it, on top of its way to the reader; ANNOUNCED: none,
     * since a scoreboard has told when all readers get it */
    uint8_t late;
};
enum { ANNOUNCED = 0xff };

/* Results reach their readers by ways that take different times, by kind of register. */
enum result_way { WAY_VECTOR, WAY_UNIFORM, WAY_PREDICATE, WAY_OTHER, N_WAYS };

void ports_init(struct sm *s); /* once its parameters are known */
void ports_wrote(struct sm *s, const struct uop *u);
bool ports_free(const struct sm *s, const struct subcore *c, const struct uop *u);
bool ports_have_code(const struct sm *s, const struct subcore *c);
void ports_start(struct sm *s, struct subcore *c, struct uop *u); /* in its unit */
/* Is a source, whose producer has this version, read late enough to find its result? */
bool ports_reads_in_time(const struct sm *s, const struct uop *u, unsigned reg,
                         uint16_t version);
/* Does its result land after the result of this version, which it leaves in some lanes? */
bool ports_lands_after(const struct sm *s, const struct uop *u, uint16_t version);
/* After the first of two pending writes of a register: the second is still pending. */
void ports_pend_again(struct sm *s, const struct uop *u);
int ports_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err);

#endif
