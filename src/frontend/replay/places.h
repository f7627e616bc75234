/* places.h - where the instructions of a recorded kernel are in its source: functions, files
 * and lines, as far as the program that was recorded has them.
 */
#ifndef LENO_REPLAY_PLACES_H
#define LENO_REPLAY_PLACES_H

#include "frontend/replay/table.h"
#include "isa/stream.h"

/* Of one instruction; names by number, 0: not known. */
struct inst_place {
    uint32_t function, file, line;
    uint64_t offset; /* in the function */
};

struct places {
    char **name;           /* of functions and files, from number 1 on */
    uint32_t n_names, cap; /* cap: of the writer's */
    char *why;             /* why lines are not known; "": nothing prevents it */
    struct inst_place *at; /* by number of the instruction; NULL: nothing is known */
};

void places_free(struct places *p);

/* The places of all instructions of a table as bytes, and back; -1 with err set: they are
 * damaged. */
struct reader;
void places_put(const struct kernel *k, const struct inst_table *t, struct buf *out);
int places_get(struct places *p, struct reader *r, uint32_t n_insts, struct err *err);

/* What is known of the instruction of this number. */
void places_find(const struct places *p, uint32_t number, struct kernel_where *w);

#endif
