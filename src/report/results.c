/* results.c - the table of docs/results.md: every scheme, alone and with each eliminator,
 * beside in-order issue with the same storage, on every workload.
 *
 * No paper has these figures. They are made like a paper's, by leno reproduce results.
 */
#include "report/papers.h"

#define GPU "rtx2060s-ghost"

/* A column of speed-ups over in-order issue; and with in order of equal storage next to
 * it. */
#define ALONE(label_, spec_)                                             \
    {                                                                    \
        .label = label_, .gpu = GPU, .spec = spec_, .base = "inorder",   \
        .metric = &metric_speedup, .paper = NO_NUMBER, .value = NO_VALUE \
    }
#define PAIR(label, spec) ALONE(label, spec), ALONE("= " label, "=" spec)

static const struct figure_column none[] = {
    ALONE("control", "control"),
    PAIR("GhOST", "ghost"),
    PAIR("precise", "ghost.precise"),
    PAIR("SOCGPU", "socgpu"),
    PAIR("LOOG", "loog"),
    PAIR("TURBULENCE", "turbulence"),
    ALONE("limit", "limit:ideal=on"),
};

#define WITH(skip)                                                              \
    PAIR("in order", "inorder+" skip), PAIR("GhOST", "ghost+" skip),            \
        PAIR("precise", "ghost.precise+" skip), PAIR("SOCGPU", "socgpu+" skip), \
        PAIR("LOOG", "loog+" skip), PAIR("TURBULENCE", "turbulence+" skip)
static const struct figure_column darsie[] = { WITH("darsie") };
static const struct figure_column dac[] = { WITH("dac") };
static const struct figure_column uv[] = { WITH("uv") };

/* Geometric means: a row per scheme, a column per eliminator. */
#define MEAN(label_, row_, spec_)                                                   \
    {                                                                               \
        .label = label_, .row = row_, .gpu = GPU, .spec = spec_, .base = "inorder", \
        .metric = &metric_speedup, .paper = NO_NUMBER, .value = NO_VALUE,           \
        .shows = SHOWS_MEAN                                                         \
    }
#define MEANS(row, spec)                                            \
    MEAN("alone", row, spec), MEAN("+darsie", row, spec "+darsie"), \
        MEAN("+dac", row, spec "+dac"), MEAN("+uv", row, spec "+uv")
#define BOTH(row, spec) MEANS(row, spec), MEANS("= " row, "=" spec)
static const struct figure_column means[] = {
    BOTH("in order", "inorder"),
    BOTH("GhOST", "ghost"),
    BOTH("precise", "ghost.precise"),
    BOTH("SOCGPU", "socgpu"),
    BOTH("LOOG", "loog"),
    BOTH("TURBULENCE", "turbulence"),
};

static const struct figure figures[] = {
    { "means", "geometric means of the speed-up over in-order issue",
      FIGURE_COLUMNS(means), NULL, "", 0, DRAW_BARS },
    { "alone", "schemes without an eliminator", FIGURE_COLUMNS(none), NULL, "", 0,
      DRAW_BARS },
    { "darsie", "schemes with DARSIE", FIGURE_COLUMNS(darsie), NULL, "", 0, DRAW_BARS },
    { "dac", "schemes with DAC-IDEAL", FIGURE_COLUMNS(dac), NULL, "", 0, DRAW_BARS },
    { "uv", "schemes with UV", FIGURE_COLUMNS(uv), NULL, "", 0, DRAW_BARS },
};

const struct paper paper_results = {
    .name = "results",
    .title = "Every scheme, alone and with each eliminator, on every workload",
    PAPER_FIGURES(figures),
    .takes_all = true,
    .occupancy = NO_VALUE,
    .note =
        "Machine: rtx2060s-ghost, the GhOST paper's. A column = X is in-order issue with the\n"
        "storage of X, its eliminator included (leno cost X): more entries of the\n"
        "instruction buffer, up to 64 for each warp, and registers for what is left. DAC is\n"
        "ideal and has no storage. limit: the idealised machine of GhOST's limit study;\n"
        "control: in order by control words, without a scoreboard.\n",
};
