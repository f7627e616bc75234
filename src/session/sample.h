/* sample.h - which launches of a long program are timed, and how long all of them take.
 *
 * Launches of the same kernel with the same block and shared memory, and numbers of blocks
 * within a factor of two, are a group. The first few of a group are timed, then one in a few,
 * until the estimate is as narrow as asked for; after that only one in many, in case the
 * program changes. All others are executed, so results stay right and their instructions are
 * known. Within a group, cycles are taken as a linear function of warp instructions (the
 * mean, if all launches execute equally many), fitted to the timed launches. Of a timed
 * launch of many blocks only the first ones may be timed (sim/pace.h); its cycles are an
 * estimate then, too.
 *
 * The estimate is the sum of timed and predicted cycles. Its interval is that of a
 * prediction by linear regression: scatter of the launches, and uncertainty of the line. To
 * it comes the uncertainty of launches that were cut: within a group their errors are taken
 * to have the same sign, and those of launches that were not timed to be as large.
 * LIMIT: caches keep what the last timed launch left in them.
 */
#ifndef LENO_SESSION_SAMPLE_H
#define LENO_SESSION_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct launch_choice;

enum { SAMPLE_GOAL = 2 }; /* default half-width of the interval, % of the estimate */

struct sample;

/* goal: half-width of the 95 % interval that is aimed at, in % of the estimate. */
struct sample *sample_new(unsigned goal);
void sample_free(struct sample *s);

/* The sample that a choice of launches asks for; NULL: none. */
struct sample *sample_of_choice(const struct launch_choice *c);
/* Percent that a command line asks for: 0 without --sample. */
int sample_read_goal(bool is_on, uint64_t goal, uint64_t *percent, struct err *err);

/* What launches of a group have in common. */
struct sample_shape {
    const char *kernel;
    uint64_t blocks;
    const uint32_t *block; /* x, y and z */
    uint32_t shared;       /* bytes per block */
};

/* What became of a launch. */
struct sample_launch {
    uint64_t warp_insts;       /* all that it executed, skipped ones too */
    uint64_t timed_insts;      /* of these, timed */
    uint64_t longer;           /* its longest warp than all that were timed */
    double cycles, half_width; /* estimated if it was cut; 0: it was not timed */
    uint64_t blocks;           /* that were timed */
    bool is_cut;               /* only its first blocks were timed */
    bool is_unstable;          /* it was not cut for want of a stable rate */
};

/* Is this launch, the next one, to be timed? To be asked once per launch, in order; then
 * sample_note() says what became of it. */
bool sample_takes_next(struct sample *s, const struct sample_shape *shape);
void sample_note(struct sample *s, const struct sample_launch *l);

struct sample_estimate {
    double cycles, half_width; /* of all launches; 95 % lie within the half-width */
    double timed_insts;        /* share of the warp instructions that were timed */
    uint64_t launches, timed;
    uint64_t cut, unstable; /* of those timed, see struct sample_launch */
    unsigned groups;
};

struct sample_estimate sample_estimate(const struct sample *s);
/* Every launch was timed whole: the cycles are no estimate. */
static inline bool sample_is_whole(const struct sample_estimate *e)
{
    return e->timed == e->launches && !e->cut;
}
/* The estimate as a line of text: "estimate of all launches: ...", and as JSON. */
void sample_put(const struct sample_estimate *e, struct buf *out);
void sample_json(const struct sample_estimate *e, struct buf *out);

/* For tests: the same without launches. key: of the group. */
bool sample_takes_key(struct sample *s, uint64_t key);

#endif
