/* sample.h - which launches of a long program are timed, and how long all of them take.
 *
 * Launches of the same kernel with the same block and shared memory, and numbers of blocks
 * within a factor of two, are a group. The first few of a group are timed, then one in a few, until the estimate is as narrow as
 * asked for; after that only one in many, in case the program changes. All others are
 * executed, so results stay right and their instructions are known. Within a group, cycles
 * are taken as a linear function of warp instructions (the mean, if all launches execute
 * equally many), fitted to the timed launches.
 *
 * The estimate is the sum of timed and predicted cycles. Its interval is that of a
 * prediction by linear regression: scatter of the launches, and uncertainty of the line.
 * LIMIT: caches keep what the last timed launch left in them.
 */
#ifndef LENO_SESSION_SAMPLE_H
#define LENO_SESSION_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct sass_launch;

enum { SAMPLE_GOAL = 2 }; /* default half-width of the interval, % of the estimate */

struct sample;

/* goal: half-width of the 95 % interval that is aimed at, in % of the estimate. */
struct sample *sample_new(unsigned goal);
void sample_free(struct sample *s);

/* Is this launch, the next one, to be timed? To be asked once per launch, in order; then
 * sample_note() says what became of it. */
bool sample_takes_next(struct sample *s, const struct sass_launch *l);
/* warp_insts: all that it executed; cycles: 0 if it was not timed. */
void sample_note(struct sample *s, uint64_t warp_insts, uint64_t cycles);

struct sample_estimate {
    double cycles, half_width; /* of all launches; 95 % lie within the half-width */
    double timed_insts;        /* share of the warp instructions that were timed */
    uint64_t launches, timed;
    unsigned groups;
};

struct sample_estimate sample_estimate(const struct sample *s);
/* The estimate as a line of text. */
void sample_put(const struct sample *s, struct buf *out);

/* For tests: the same without launches. key: of the group. */
bool sample_takes_key(struct sample *s, uint64_t key);

#endif
