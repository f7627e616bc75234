/* loog_vortex.c - figures and tables of "FPGA Design and Analysis of a RISC-V Out-Of-Order
 * GPU" (M. Zerva, NTUA 2025): LOOG on Vortex.
 *
 * Tables 6.1 and 6.2 have numbers: gains of IPC in %, although their titles say IPC. The
 * figures are pictures without any. Means are over programs and machines: 4, 8, 16 and 32
 * warps of 4, 8, 16 and 32 threads, with 6 to 14 collector units (CUs) and a register
 * renaming stack (RRS) of 1.5, 2 and 2.5 entries for each.
 */
#include "report/papers.h"

#define VORTEX  "vortex-4x4"
#define INORDER "inorder"
#define LOOG    "loog"
#define RRS     "loog.rrs:rrs_percent="

/* ---- machines ---- */

#define SHAPE(warps, threads)                                                      \
    {                                                                              \
#warps " x " #threads, ":vortex.warps=" #warps ":vortex.threads=" #threads \
    }
#define SHAPES(warps) \
    SHAPE(warps, 4), SHAPE(warps, 8), SHAPE(warps, 16), SHAPE(warps, 32)
static const struct figure_setting shape[] = { SHAPES(4), SHAPES(8), SHAPES(16),
                                               SHAPES(32) };
static const struct figure_axis shapes = { shape, sizeof shape / sizeof *shape, false };

#define CUS(n)                \
    {                         \
#n " CUs", ":cus=" #n \
    }
static const struct figure_setting cu[] = { CUS(6), CUS(8), CUS(10), CUS(12), CUS(14) };
static const struct figure_axis cus = { cu, sizeof cu / sizeof *cu, true };

/* ---- each program, which the thesis does not show ---- */

#define EACH(label_, spec_, at)                                               \
    {                                                                         \
        .label = label_, .gpu = VORTEX, .spec = spec_ at, .base = INORDER at, \
        .metric = &metric_speedup, .paper = NO_NUMBER, .value = NO_VALUE      \
    }
#define AT_16X4 ":vortex.warps=16:vortex.threads=4"

static const struct figure_column each_program[] = {
    EACH("LOOG", LOOG, ""),
    EACH("RRS", RRS "150", ""),
    EACH("LOOG, 16 x 4", LOOG, AT_16X4),
    EACH("RRS, 16 x 4", RRS "150", AT_16X4),
};

/* ---- means ---- */

/* A column of mean speed-ups with a row for each machine of one axis; over_ another. */
#define MEANS(label_, spec_, rows_, over_, papers_)                       \
    {                                                                     \
        .label = label_, .gpu = VORTEX, .spec = spec_, .base = INORDER,   \
        .metric = &metric_speedup, .paper = NO_NUMBER, .value = NO_VALUE, \
        .rows = &(rows_), .over = over_, .papers = papers_                \
    }
/* Without the RRS, and with each size. */
#define BY_RRS(rows, over, papers)                          \
    MEANS("no RRS", LOOG, rows, over, papers[0]),           \
        MEANS("RRS 1.5", RRS "150", rows, over, papers[1]), \
        MEANS("RRS 2", RRS "200", rows, over, papers[2]),   \
        MEANS("RRS 2.5", RRS "250", rows, over, papers[3])
#define BY_CUS(spec)                                     \
    MEANS("6 CUs", spec ":cus=6", shapes, NULL, NULL),   \
        MEANS("8", spec ":cus=8", shapes, NULL, NULL),   \
        MEANS("10", spec ":cus=10", shapes, NULL, NULL), \
        MEANS("12", spec ":cus=12", shapes, NULL, NULL), \
        MEANS("14", spec ":cus=14", shapes, NULL, NULL)

#define GAIN(percent)          (1 + (percent) / 100)
#define GAINS_5(a, b, c, d, e) GAIN(a), GAIN(b), GAIN(c), GAIN(d), GAIN(e)
#define GAINS_4(a, b, c, d)    GAIN(a), GAIN(b), GAIN(c), GAIN(d)

static const double by_cus[4][sizeof cu / sizeof *cu] = {
    { GAINS_5(4.5406, 8.6834, 10.3601, 11.4342, 12.2760) },
    { GAINS_5(8.2399, 11.0765, 12.3409, 13.3033, 13.7937) },
    { GAINS_5(11.1017, 12.0894, 12.6604, 13.3528, 13.7747) },
    { GAINS_5(11.8398, 12.0894, 12.6620, 13.3528, 13.7747) },
};
static const double by_shape[4][sizeof shape / sizeof *shape] = {
    { GAINS_4(11.0565, 8.0886, 6.6155, 5.1969),
      GAINS_4(13.4249, 9.5557, 7.4347, 6.1361),
      GAINS_4(16.1167, 13.2758, 11.4371, 9.3337),
      GAINS_4(18.0502, 14.8502, 10.1262, 8.1468) },
    { GAINS_4(14.2037, 9.6174, 7.6426, 6.2939),
      GAINS_4(17.7534, 12.0388, 9.1152, 7.9722),
      GAINS_4(18.7691, 15.1972, 12.6132, 9.7893),
      GAINS_4(20.1719, 15.9538, 10.8004, 8.1162) },
    { GAINS_4(16.6557, 11.1462, 8.5589, 6.9217),
      GAINS_4(19.6198, 13.0930, 9.9228, 8.4442),
      GAINS_4(20.2537, 16.1180, 13.3414, 10.3011),
      GAINS_4(21.7298, 17.1416, 11.3135, 8.5670) },
    { GAINS_4(16.6812, 11.7023, 8.8934, 7.2443),
      GAINS_4(19.8010, 13.4439, 10.1210, 8.6913),
      GAINS_4(20.6203, 16.2648, 13.5300, 10.6420),
      GAINS_4(22.1808, 17.4342, 11.4361, 8.8225) },
};

static const struct figure_column table_6_1[] = { BY_RRS(cus, &shapes, by_cus) };
static const struct figure_column table_6_2[] = { BY_RRS(shapes, &cus, by_shape) };
static const struct figure_column figure_6_1[] = { BY_CUS(LOOG) };
static const struct figure_column figure_6_6[] = { BY_CUS(RRS "150") };
static const struct figure_column figure_6_7[] = { BY_CUS(RRS "200") };

/* ---- arbiters ---- */

#define IPC(label_, arbiter)                                                           \
    {                                                                                  \
        .label = label_, .gpu = VORTEX, .spec = LOOG ":arbiter=" arbiter,              \
        .base = INORDER, .metric = &metric_ipc, .paper = NO_NUMBER, .value = NO_VALUE, \
        .rows = &shapes                                                                \
    }
static const struct figure_column figure_5_11[] = {
    IPC("lowest CU first", "id"),
    IPC("in turn", "rr"),
    IPC("in turn, CUs as well", "rr+rr"),
};

/* ---- distributions over all programs and shapes ---- */

#define POINT(label_, row_, spec_, metric_, quantile_)                               \
    {                                                                                \
        .label = label_, .row = row_, .gpu = VORTEX, .spec = spec_, .base = INORDER, \
        .metric = metric_, .paper = NO_NUMBER, .value = NO_VALUE,                    \
        .shows = SHOWS_QUANTILE, .over = &shapes, .quantile = quantile_              \
    }
#define CURVE(label, spec, metric)                           \
    POINT(label, "lowest", spec, metric, 0),                 \
        POINT(label, "10 % of the runs", spec, metric, 0.1), \
        POINT(label, "25 %", spec, metric, 0.25),            \
        POINT(label, "50 %", spec, metric, 0.5),             \
        POINT(label, "75 %", spec, metric, 0.75),            \
        POINT(label, "90 %", spec, metric, 0.9),             \
        POINT(label, "highest", spec, metric, 1)
#define CURVES(metric)                      \
    CURVE("no RRS", LOOG ":cus=8", metric), \
        CURVE("RRS, 12 entries", RRS "150:cus=8", metric)

static const struct figure_column figure_5_14[] = { CURVES(&metric_cu_held) };
static const struct figure_column figure_5_15[] = { CURVES(&metric_cu_used) };
static const struct figure_column figure_5_16[] = { CURVES(&metric_no_cu) };

/* ---- clusters ---- */

static const struct metric *const waits[] = { &metric_stall_alu, &metric_stall_fpu,
                                              &metric_stall_lsu, &metric_stall_ibuffer,
                                              &metric_stall_sfu };
static const struct figure_clusters clusters = {
    .metrics = waits,
    .n_metrics = sizeof waits / sizeof *waits,
    .n_clusters = 5,
    .gpu = VORTEX,
    .spec = INORDER,
    .over = &shapes,
};

#define INORDER_COLUMN(label_, metric_)                               \
    .label = label_, .gpu = VORTEX, .spec = INORDER, .base = INORDER, \
    .metric = metric_, .paper = NO_NUMBER, .value = NO_VALUE, .over = &shapes
/* ---- products with time ---- */

/* Time times a factor, in relation to in-order issue. */
#define PRODUCT(label_, spec_, factor_)                                       \
    {                                                                         \
        .label = label_, .gpu = VORTEX, .spec = spec_ ":cus=8" AT_16X4,       \
        .base = INORDER AT_16X4, .metric = &metric_delay, .paper = NO_NUMBER, \
        .value = NO_VALUE, .factor = factor_                                  \
    }
/* Its area at 16 x 4 with 8 CUs: 5 % more without RRS, 4.5 % with 12 entries. */
static const struct figure_column figure_6_4[] = { PRODUCT("no RRS", LOOG, 1.05) };
static const struct figure_column figure_6_9[] = { PRODUCT("RRS 1.5", RRS "150",
                                                           1.045) };

/* Time on each shape, and on the one with the lowest mean. */
#define DELAYS(label_, spec_)                                           \
    {                                                                   \
        .label = label_, .gpu = VORTEX, .spec = spec_, .base = INORDER, \
        .metric = &metric_delay, .paper = NO_NUMBER, .value = NO_VALUE, \
        .rows = &shapes                                                 \
    }
#define LOWEST(label_, spec_, paper_)                                             \
    {                                                                             \
        .label = label_, .row = "lowest mean of a shape", .gpu = VORTEX,          \
        .spec = spec_, .base = INORDER, .metric = &metric_delay, .paper = paper_, \
        .value = NO_VALUE, .shows = SHOWS_LOWEST_MEAN, .over = &shapes            \
    }
static const struct figure_column figure_6_5[] = { DELAYS("8 CUs", LOOG ":cus=8"),
                                                   DELAYS("10", LOOG ":cus=10"),
                                                   DELAYS("12", LOOG ":cus=12") };
/* 12 entries each. */
#define RRS_6 RRS "200:cus=6"
#define RRS_8 RRS "150:cus=8"
static const struct figure_column figure_6_10[] = {
    DELAYS("6 CUs", RRS_6),
    DELAYS("8 CUs", RRS_8),
    LOWEST("6 CUs", RRS_6, 0.83),
    LOWEST("8 CUs", RRS_8, 0.83),
};

static const struct figure_column figure_5_17[] = {
    { INORDER_COLUMN("cluster", &metric_cluster), .clusters = &clusters,
      .shows = SHOWS_CLUSTER },
    { INORDER_COLUMN("joins at", &metric_joins), .clusters = &clusters,
      .shows = SHOWS_JOINS },
    { INORDER_COLUMN("ALU", &metric_stall_alu) },
    { INORDER_COLUMN("FPU", &metric_stall_fpu) },
    { INORDER_COLUMN("LSU", &metric_stall_lsu) },
    { INORDER_COLUMN("IBuffer", &metric_stall_ibuffer) },
    { INORDER_COLUMN("CSR", &metric_stall_sfu) },
};

#define EDGE(label, metric, number, row_, quantile_)                                  \
    {                                                                                 \
        INORDER_COLUMN(label, metric), .clusters = &clusters, .cluster = (number),    \
                                       .row = "cluster " #number ", " row_,           \
                                       .shows = SHOWS_QUANTILE, .quantile = quantile_ \
    }
#define BOX(label, metric, number)                          \
    EDGE(label, metric, number, "lowest", 0),               \
        EDGE(label, metric, number, "first quarter", 0.25), \
        EDGE(label, metric, number, "median", 0.5),         \
        EDGE(label, metric, number, "third quarter", 0.75), \
        EDGE(label, metric, number, "highest", 1)
#define BOXES(label, metric)                                             \
    BOX(label, metric, 1), BOX(label, metric, 2), BOX(label, metric, 3), \
        BOX(label, metric, 4), BOX(label, metric, 5)
static const struct figure_column figure_5_18[] = {
    BOXES("ALU", &metric_stall_alu), BOXES("FPU", &metric_stall_fpu),
    BOXES("LSU", &metric_stall_lsu), BOXES("IBuffer", &metric_stall_ibuffer),
    BOXES("CSR", &metric_stall_sfu),
};

#define GAIN_IN(label_, spec_, number)                                                 \
    {                                                                                  \
        .label = label_, .row = "cluster " #number, .gpu = VORTEX, .spec = spec_,      \
        .base = INORDER, .metric = &metric_speedup, .paper = NO_NUMBER,                \
        .value = NO_VALUE, .over = &shapes, .clusters = &clusters, .cluster = (number) \
    }
#define IN_CLUSTERS(label, spec)                                               \
    GAIN_IN(label, spec, 1), GAIN_IN(label, spec, 2), GAIN_IN(label, spec, 3), \
        GAIN_IN(label, spec, 4), GAIN_IN(label, spec, 5)
#define CLUSTERS_BY_CUS(spec)                                                 \
    IN_CLUSTERS("6 CUs", spec ":cus=6"), IN_CLUSTERS("8", spec ":cus=8"),     \
        IN_CLUSTERS("10", spec ":cus=10"), IN_CLUSTERS("12", spec ":cus=12"), \
        IN_CLUSTERS("14", spec ":cus=14")
static const struct figure_column figure_6_2[] = { CLUSTERS_BY_CUS(LOOG) };
static const struct figure_column figure_6_8[] = { CLUSTERS_BY_CUS(RRS "150") };

/* ---- how far instructions pass older ones ---- */

#define FAR(label_, spec_, n)                                                      \
    {                                                                              \
        .label = label_, .row = #n, .gpu = VORTEX, .spec = spec_, .base = INORDER, \
        .metric = &metric_distance[n - 1], .paper = NO_NUMBER, .value = NO_VALUE,  \
        .over = &shapes                                                            \
    }
#define DISTANCES(label, spec)                                            \
    FAR(label, spec, 1), FAR(label, spec, 2), FAR(label, spec, 3),        \
        FAR(label, spec, 4), FAR(label, spec, 5), FAR(label, spec, 6),    \
        FAR(label, spec, 7), FAR(label, spec, 8), FAR(label, spec, 9),    \
        FAR(label, spec, 10), FAR(label, spec, 11), FAR(label, spec, 12), \
        FAR(label, spec, 13), FAR(label, spec, 14), FAR(label, spec, 15)
#define DISTANCES_BY_CUS(spec)                                            \
    DISTANCES("6 CUs", spec ":cus=6"), DISTANCES("8", spec ":cus=8"),     \
        DISTANCES("10", spec ":cus=10"), DISTANCES("12", spec ":cus=12"), \
        DISTANCES("14", spec ":cus=14")
static const struct figure_column figure_6_11[] = { DISTANCES_BY_CUS(LOOG) };
static const struct figure_column figure_6_12[] = { DISTANCES_BY_CUS(RRS "150") };

/* ---- the figures ---- */

#define NAMED_AS(drawing_, name_, title_, columns_, note_)                 \
    {                                                                      \
        .name = name_, .title = title_, .columns = columns_,               \
        .n_columns = sizeof(columns_) / sizeof *(columns_), .note = note_, \
        .drawing = drawing_                                                \
    }
#define NAMED(name, title, columns, note) \
    NAMED_AS(DRAW_BARS, name, title, columns, note)
#define PICTURE "The thesis has a plot without numbers. "
#define IS_TIME                                                                          \
    "Ours is time alone: cores of Vortex\nhave no energies here, and the thesis, whose " \
    "power is an estimate of Vivado for an FPGA,\ncalls LOOG's part of it minimal.\n"

static const struct figure figures[] = {
    NAMED(
        "programs", "LOOG and LOOG with RRS over in-order issue, each program",
        each_program,
        "The thesis gives means only. 4 warps of 4 threads, and 16 of 4; 8 collector\n"
        "units (CUs), and 12 entries of the register renaming stack (RRS).\n"),
    NAMED("T6.1",
          "speed-up by collector units and size of the RRS, mean over all shapes",
          table_6_1, "RRS 1.5: entries of the stack for each collector unit.\n"),
    NAMED(
        "T6.2",
        "speed-up by warps x threads and size of the RRS, mean over 6 to 14 CUs",
        table_6_2,
        "The thesis' numbers without RRS have a mean of 1.105 here and of 1.094 in table 6.1:\n"
        "they are of other runs, or its means are taken otherwise.\n"),
    NAMED("5.11", "IPC by the arbiter of the register file, 8 CUs", figure_5_11,
          PICTURE "Its text: the arbiter\ndoes not matter. "
                  "IPC counts instructions of threads.\n"),
    NAMED_AS(DRAW_LINES, "5.14",
             "cycles that a collector unit is held, distribution over runs",
             figure_5_14,
             PICTURE "Its text: shorter with\nthe RRS. 8 CUs; a run is a program "
                     "on one of the 16 shapes, and its number is a mean.\n"),
    NAMED_AS(DRAW_LINES, "5.15", "%, collector units in use, distribution over runs",
             figure_5_15,
             PICTURE "Its text: used more\nefficiently with the RRS. Here fewer are "
                     "in use at a time. Runs as in figure 5.14.\n"),
    NAMED_AS(DRAW_LINES, "5.16",
             "%, cycles without a free collector unit, distribution over runs",
             figure_5_16,
             PICTURE "Its text: fewer with the\nRRS. Runs as in figure 5.14.\n"),
    NAMED("5.17", "clusters of programs by what they wait for in order", figure_5_17,
          PICTURE
          "Programs in the order of\nits tree (dendrogram). Joins at: the "
          "distance, 1 less the cosine, at which a program\nand the one before "
          "it are in one cluster. Then the shares that were compared, in % of\n"
          "all waiting cycles, means over the 16 shapes. Nothing waits for the ALU "
          "on our\nmachine: it takes an instruction every second cycle, and the "
          "register file delivers\nthem no faster.\n"),
    NAMED("5.18", "what the programs of a cluster wait for, % of all waiting cycles",
          figure_5_18,
          PICTURE "Ours are of runs on the\n16 shapes. Clusters have our numbers, "
                  "which need not be the thesis'.\n"),
    NAMED("6.1", "speed-up without RRS, by warps x threads and CUs", figure_6_1,
          PICTURE "Its text: every shape\ngains, more with more CUs, and more with "
                  "fewer threads.\n"),
    NAMED("6.2", "speed-up without RRS, by cluster and CUs", figure_6_2,
          PICTURE "Clusters of figure 5.17.\n"),
    NAMED("6.4", "area x time over in-order issue, without RRS, 16 x 4, 8 CUs",
          figure_6_4,
          PICTURE
          "Area is the thesis'\nown, 1.05 of the core (its mean of registers, LUTs, "
          "BRAM and DSP in %), which its text\nhas for this shape only; time is "
          "ours.\n"),
    NAMED("6.9", "area x time over in-order issue, 12 RRS entries, 16 x 4, 8 CUs",
          figure_6_9, PICTURE "As figure 6.4, with\n1.045 of the core.\n"),
    NAMED("6.5", "power x time over in-order issue, without RRS", figure_6_5,
          PICTURE "Its text: all shapes\nbelow 1. " IS_TIME),
    NAMED("6.10", "power x time over in-order issue, 12 RRS entries", figure_6_10,
          PICTURE
          "Its text: down to 0.83,\nthe lowest of both, for a shape that it does "
          "not name. " IS_TIME),
    NAMED("6.6", "speed-up with RRS 1.5, by warps x threads and CUs", figure_6_6,
          PICTURE "Its text: more than without\nRRS, above all with few CUs.\n"),
    NAMED("6.7", "speed-up with RRS 2, by warps x threads and CUs", figure_6_7,
          PICTURE "Its best mean, of any\nshape and size, is 1.235.\n"),
    NAMED("6.8", "speed-up with RRS 1.5, by cluster and CUs", figure_6_8,
          PICTURE "Clusters of figure 5.17.\n"),
    NAMED_AS(DRAW_LINES, "6.11",
             "how far instructions pass older ones, % of those that do, without RRS",
             figure_6_11,
             PICTURE
             "Row 1: the oldest that was\npassed is the one before; 15: 15 or "
             "more. Arithmetic means over runs; the thesis'\nare geometric, which "
             "are zero where any run has none.\n"),
    NAMED_AS(DRAW_LINES, "6.12",
             "how far instructions pass older ones, % of those that do, RRS 1.5",
             figure_6_12, PICTURE "As figure 6.11.\n"),
};

const struct paper paper_loog_vortex = {
    .name = "loog-vortex",
    .title = "FPGA Design and Analysis of a RISC-V Out-Of-Order GPU (LOOG on Vortex, "
             "NTUA 2025)",
    PAPER_FIGURES(figures),
    .is_apart = true,
    .occupancy = NO_VALUE,
    .note =
        "The thesis' gains in % are written as speed-ups: 8.68 % is 1.087. What differs from\n"
        "it in all figures: programs (it has 21 of Vortex 2.0, which it does not name, built\n"
        "with Vortex's compiler; ours are our own versions of their kinds, built with gcc);\n"
        "inputs, which it does not give; defects of its RTL, which are not reproduced\n"
        "(docs/schemes/loog-vortex.md). Not here, because a simulator cannot measure it:\n"
        "area in LUTs (figures 5.10 and 6.3), of which 6.4 takes the thesis' own numbers.\n"
        "leno cost has the storage.\n",
};
