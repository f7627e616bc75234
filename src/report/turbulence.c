/* turbulence.c - the figures of the TURBULENCE paper (two pages), and the numbers in its
 * text.
 *
 * Figure 4 is a picture without numbers; the text has the geometric mean for eight
 * instructions and a bound for all programs. Figure 2 shows what a relay is; how many are
 * saved is not said. Its machine is GPGPU-Sim's RTX 2060. The energy saved, 6.1 %, and the
 * scheduler's share, 0.4 %, are in its text only; here they are figure "energy".
 */
#include "report/papers.h"

#define TURING  "rtx2060s"
#define INORDER "inorder"
/* In GPGPU-Sim a branch is done when it issues, in the baseline as well. */
#define AT_ISSUE ":release_at_issue=on"
#define WIDE(n)  "turbulence:window=" #n AT_ISSUE

/* A column with a row for each program. */
#define EACH(label_, spec_, metric_, paper_)                            \
    {                                                                   \
        .label = label_, .gpu = TURING, .spec = spec_, .base = INORDER, \
        .metric = metric_, .paper = paper_, .value = NO_VALUE           \
    }

/* Distances of up to 32, as far as the ring reaches. */
#define FAR ":max_distance=32:span=32"

static const struct figure_column figure_2[] = {
    EACH("straight code", WIDE(8) ":convert=runs", &metric_free, NO_NUMBER),
    EACH("joins", WIDE(8) ":convert=joins", &metric_free, NO_NUMBER),
    EACH("moves", WIDE(8), &metric_free, NO_NUMBER),
    EACH("moves, to 32", WIDE(8) FAR, &metric_free, NO_NUMBER),
    EACH("sources in order", WIDE(8) ":order=sources", &metric_free, NO_NUMBER),
    EACH("%, inserted", WIDE(8), &metric_moves, NO_NUMBER),
    EACH("%, relays", WIDE(8) ":isa=relay", &metric_moves, NO_NUMBER),
    EACH("%, relays, to 32", WIDE(8) ":isa=relay" FAR, &metric_moves, NO_NUMBER),
};

static const struct figure_column figure_4[] = {
    EACH("2", WIDE(2), &metric_speedup, NO_NUMBER),
    EACH("4", WIDE(4), &metric_speedup, NO_NUMBER),
    EACH("8", WIDE(8), &metric_speedup, 1.176),
    EACH("16", WIDE(16), &metric_speedup, NO_NUMBER),
    EACH("16, to 32", WIDE(16) FAR, &metric_speedup, NO_NUMBER),
    EACH("8, straight code", WIDE(8) ":convert=runs", &metric_speedup, NO_NUMBER),
    EACH("8, joins", WIDE(8) ":convert=joins", &metric_speedup, NO_NUMBER),
    EACH("8, sources in order", WIDE(8) ":order=sources", &metric_speedup, NO_NUMBER),
    EACH("8, relays", WIDE(8) ":isa=relay", &metric_speedup, NO_NUMBER),
    EACH("8, relays, to 32", WIDE(8) ":isa=relay" FAR, &metric_speedup, NO_NUMBER),
    EACH("8, branches resolved", "turbulence", &metric_speedup, NO_NUMBER),
    EACH("8, all renamed", "limit:window=8:rename=on" AT_ISSUE, &metric_speedup,
         NO_NUMBER),
    EACH("8, in order", "inorder:entries=8:refill=room", &metric_speedup, NO_NUMBER),
    { .label = "8",
      .row = "lowest",
      .gpu = TURING,
      .spec = WIDE(8),
      .base = INORDER,
      .metric = &metric_speedup,
      .paper = 1.05,
      .value = NO_VALUE,
      .shows = SHOWS_LOWEST },
};

static const struct figure_column energy[] = {
    EACH("8", WIDE(8), &metric_saved, 6.1),
    EACH("8, branches resolved", "turbulence", &metric_saved, NO_NUMBER),
    EACH("8, in order", "inorder:entries=8:refill=room", &metric_saved, NO_NUMBER),
    EACH("8, energy x time", WIDE(8), &metric_edp_saved, NO_NUMBER),
    EACH("%, scheduler", WIDE(8), &metric_window_share, 0.4),
};

static const struct figure figures[] = {
    { "2", "composition of the hybrid instruction set", FIGURE_COLUMNS(figure_2), NULL,
      "The paper has an example without numbers. First the share of executed instructions\n"
      "that name no register by number and so issue out of order: with distances within\n"
      "straight code only; also where all ways into a place agree; also with moves and\n"
      "fillers inserted where they free more than they cost (the default); the same with\n"
      "distances of up to 32 instead of eight; and where only sources by number are in\n"
      "order, not results. Then the instructions inserted, in % of those that the program\n"
      "had: by the default, and in a program whose operands are all named by distance.\n",
      0, DRAW_BARS },
    { "4", "TURBULENCE over in-order issue, by instructions to choose from",
      FIGURE_COLUMNS(figure_4), NULL,
      "The paper has a plot; its text: 1.176 in the geometric mean for eight, and more than\n"
      "1.05 in all programs. Columns as in figure 2. Branches resolved: nothing issues after\n"
      "a branch before it is resolved, where the other columns wait for its issue, as the\n"
      "baseline does. All renamed: eight instructions of limit, which has no register file\n"
      "in order: the most that distances could give. In order: the gain of a buffer of\n"
      "eight alone.\n",
      0, DRAW_BARS },
    { "energy", "energy that TURBULENCE saves, %", FIGURE_COLUMNS(energy), NULL,
      "Not a figure of the paper; its text: 6.1 % on average, by GPUWattch, in all\n"
      "programs. Ours: docs/energy.md, profile 12nm; ring and window by their bits. Energy x\n"
      "time: % saved of their product. Scheduler: its share of the energy, 0.4 % there; ours\n"
      "is the window's.\n",
      0, DRAW_BARS },
};

const struct paper paper_turbulence = {
    .name = "turbulence",
    .title = "TURBULENCE: Complexity-effective Out-of-order Execution on GPU with "
             "Distance-based ISA",
    PAPER_FIGURES(figures),
    .occupancy = NO_VALUE,
    .note =
        "What differs from the paper: programs (it has eight of CUDA Samples and Rodinia and\n"
        "does not name them; ours are a dozen of our own); code (its PTX was converted\n"
        "by hand, with names for every value; ours is SASS as compiled and scheduled,\n"
        "converted automatically);\n"
        "the largest distance, the ring's size, and the order of memory operations and\n"
        "branches, which it does not give (docs/schemes/turbulence.md).\n",
};
