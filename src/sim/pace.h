/* pace.h - how fast the blocks of a kernel go, and when that is known well enough to leave
 * out the rest of them (leno exec --sample).
 *
 * A wave is as many blocks as the GPU holds at once (or several times as many, if they are
 * few). After each wave of ended blocks, the cycles per warp instruction of the last half of
 * the waves, but never of the first one, predict the rest of the launch. When the 95 %
 * interval of the launch is within the goal, a few times in a row, so that it is not by
 * chance, and a third of the blocks or more would be left out, the launch ends early: no
 * blocks are started beyond the first `timed`, which are so many that whole waves are left
 * out. So what is timed has a ramp-up and a tail like those of the whole launch.
 *
 * The interval is the sum of five parts: scatter of the waves, more if neighbours are alike;
 * how much the two halves of them differ; what memory may do later; and, after the
 * fact, blocks whose work is outside what was seen, and a warp that is longer than all that
 * were seen, which may be alone at the end, as in a last-block reduction. Memory: until a launch has filled L2
 * once, its misses may become slower, as they begin to evict dirty lines; what they bring in
 * may take DRAM's bus on its way out. That does not count if all of L2 is never filled.
 *
 * LIMIT: blocks that are left out do not warm caches. A rate that changes for another reason
 * after it was stable is not seen.
 */
#ifndef LENO_SIM_PACE_H
#define LENO_SIM_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PACE_MARKS = 64,
    PACE_BLOCKS = 32, /* at least, from mark to mark */
    PACE_WAVES = 8,   /* marks that a prediction needs */
    PACE_MOST = 16,   /* waves that one of them may stand for */
    PACE_HELD = 4,    /* marks in a row at which the interval must be narrow enough */
    PACE_LEAST = 24,  /* marks of a launch that is long enough to leave some out */
};

/* Since the launch began, where not said otherwise. */
struct pace_mark {
    uint64_t cycle, blocks; /* that have ended */
    uint64_t insts;         /* taken from streams: issued or skipped */
    uint64_t filled;        /* sectors brought into L2, since there is a GPU */
    uint64_t bus, ticks;    /* in which DRAM's data buses were in use; all of them */
};

struct pace {
    double goal; /* half-width of the interval, as a share of the launch */
    uint64_t blocks, wave;
    uint64_t sectors;    /* of L2 */
    unsigned line;       /* sectors of a line */
    unsigned warps;      /* per block */
    double sector_ticks; /* ticks of a data bus that a sector takes */
    uint64_t timed; /* blocks that are timed; less than blocks: the launch is cut */
    struct pace_mark now, mark[PACE_MARKS]; /* now: where the launch has ended */
    unsigned n_marks, n_held;
    unsigned step; /* waves from mark to mark */
};

struct pace_rest {
    double cycles, half_width; /* 95 % */
};

/* blocks, wave, goal and sectors are set; start: cycle, blocks and insts are 0. */
void pace_begin(struct pace *p, const struct pace_mark *start);
/* Is it time for another mark, when so many blocks have ended? */
bool pace_is_due(const struct pace *p, uint64_t blocks);
/* Adds a mark and decides; started: blocks so far. */
void pace_note(struct pace *p, const struct pace_mark *mark, uint64_t started);

bool pace_is_cut(const struct pace *p);
/* Long enough to leave blocks out, but the rate was not stable in time. */
bool pace_is_unstable(const struct pace *p);
/* Of a launch that is cut: what blocks beyond the timed ones take that execute so many warp
 * instructions. longer: how many more its longest warp executes than the longest one that
 * was timed. */
struct pace_rest pace_predict(const struct pace *p, uint64_t insts, uint64_t longer);

#endif
