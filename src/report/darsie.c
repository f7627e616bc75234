/* darsie.c - figures of the DARSIE paper (ASPLOS 2020), and the numbers in its text.
 *
 * Its figures are pictures without numbers; the text has the means of figures 8 and 10, and
 * what conflicts of banks cost. Its machine is a GTX 1080 Ti with GTO (table 2). Figure 11
 * (energy) is not here.
 */
#include "report/papers.h"

#define GPU     "gtx1080ti"
#define INORDER "inorder"
#define DARSIE  "inorder+darsie"
#define UV      "inorder+uv"
#define DAC     "inorder+dac"
/* In our programs the register file leaves few of the paper's 32 registers. */
#define OWN DARSIE ":darsie.own_file=on"

/* A column with a row for each program. */
#define EACH(label_, spec_, metric_, paper_)                         \
    {                                                                \
        .label = label_, .gpu = GPU, .spec = spec_, .base = INORDER, \
        .metric = metric_, .paper = paper_, .value = NO_VALUE        \
    }
#define SPEED(label_, spec_, paper_) EACH(label_, spec_, &metric_speedup, paper_)
#define LESS(label_, spec_, paper_)  EACH(label_, spec_, &metric_eliminated, paper_)

#define SHARE(label_, paper_)                                               \
    {                                                                       \
        .label = label_, .spec = label_, .paper = paper_, .value = NO_VALUE \
    }
static const struct figure_column figure_1[] = {
    SHARE("grid", NO_NUMBER),   SHARE("block", 33),
    SHARE("warp", NO_NUMBER),   SHARE("uniform", NO_NUMBER),
    SHARE("affine", NO_NUMBER), SHARE("unstructured", NO_NUMBER),
};

static const struct figure_column figure_2[] = {
    EACH("uniform", OWN, &metric_uniform, NO_NUMBER),
    EACH("affine", OWN, &metric_affine, NO_NUMBER),
    EACH("unstructured", OWN, &metric_unstructured, NO_NUMBER),
};

static const struct figure_column figure_8[] = {
    SPEED("UV", UV, 1.02),
    SPEED("DAC-IDEAL", DAC, 1.11),
    SPEED("DARSIE", DARSIE, 1.3),
    SPEED("its registers apart", OWN, NO_NUMBER),
    SPEED("DARSIE-IGNORE-STORE", OWN ":darsie.ignore_store=on", NO_NUMBER),
};

static const struct figure_column figure_8_1d[] = {
    SPEED("UV", UV, NO_NUMBER),
    SPEED("DAC-IDEAL", DAC, NO_NUMBER),
    SPEED("DARSIE", DARSIE, NO_NUMBER),
};

static const struct figure_column figure_9[] = {
    LESS("UV", UV, NO_NUMBER),
    LESS("DAC-IDEAL", DAC, NO_NUMBER),
    LESS("DARSIE", DARSIE, NO_NUMBER),
};

static const struct figure_column figure_10[] = {
    LESS("UV", UV, NO_NUMBER),
    LESS("DAC-IDEAL", DAC, 11),
    LESS("DARSIE", DARSIE, 17),
    LESS("its registers apart", OWN, NO_NUMBER),
};

static const struct figure_column figure_12[] = {
    SPEED("DARSIE", OWN, 1.3),
    SPEED("DARSIE-NO-CF-SYNC", OWN ":darsie.no_cf_sync=on", NO_NUMBER),
    SPEED("without conflicts", OWN ":darsie.conflicts=off", NO_NUMBER),
};

static const char *const flat[] = { "histogram", "nn",   "pathfinder", "rbfs",
                                    "reduction", "scan", "vecadd",     NULL };
static const char *const rows[] = { "backprop",   "hotspot",   "lud",
                                    "mandelbrot", "matrixmul", NULL };

#define COLUMNS(table) table, sizeof table / sizeof *table
static const struct figure figures[] = {
    { "1", "limit study: redundant instructions, % of all, by group of threads",
      COLUMNS(figure_1), NULL,
      "Executed without timing, all of it looked at. The paper has a plot; its text the\n"
      "mean of blocks. The last three columns are those of blocks, by what their operands\n"
      "look like (its figure 2). Not redundant by definition here: stores, atomics,\n"
      "barriers, branches, and what a part of a warp executes.\n",
      NULL },
    { "2", "instructions that DARSIE skips, % of all, by their values",
      COLUMNS(figure_2), NULL,
      "The paper has a plot without numbers, of all that is redundant; this is what is\n"
      "skipped. Its finding: affine and unstructured redundancy is in blocks of two\n"
      "dimensions (backprop, hotspot, lud, mandelbrot, matrixmul), uniform in all.\n",
      NULL },
    { "8", "speed-up in blocks of two dimensions", COLUMNS(figure_8), NULL,
      "The paper has a plot; its text the means. Its registers apart: on top of the\n"
      "register file. DARSIE takes what a full SM leaves, and of 2048 vector registers\n"
      "hotspot leaves 4 per block, lud none; the paper's code, in PTXPlus, is not known to\n"
      "need as many.\n",
      rows },
    { "8-1D", "speed-up in blocks of one dimension", COLUMNS(figure_8_1d), NULL,
      "The paper: about that of DAC-IDEAL, much of it from LIB, where fetch is what all\n"
      "wait for. None of ours waits for fetch, which serves 8 warps per cycle here.\n",
      flat },
    { "9", "instructions less, %, in blocks of one dimension", COLUMNS(figure_9), NULL,
      "The paper has a plot without numbers. UV's are fetched and issued all the same.\n"
      "DAC-IDEAL drops what is affine but not redundant as well: addresses.\n",
      flat },
    { "10", "instructions less, %, in blocks of two dimensions", COLUMNS(figure_10),
      NULL,
      "The paper has a plot; its text the means (and 23 for DARSIE in its summary).\n",
      rows },
    { "12", "speed-up without waiting at branches", COLUMNS(figure_12), NULL,
      "The paper has a plot; its text: conflicts of banks cost 1%. No conflicts: shared\n"
      "registers are read from the banks of those that they stand for.\n",
      rows },
};

const struct paper paper_darsie = {
    .name = "darsie",
    .title =
        "Dimensionality-Aware Redundant SIMT Instruction Elimination (ASPLOS 2020)",
    .figures = figures,
    .n_figures = sizeof figures / sizeof *figures,
    .note =
        "What differs from the paper in all figures: programs (it has 13, of which\n"
        "backprop, hotspot, matrixmul and pathfinder are here in our own version); code\n"
        "(SASS of sm_75, whose loads of shared memory are often 16 bytes wide, and whose\n"
        "predicates, which are not shared, PTXPlus has too; uniform instructions, which\n"
        "Pascal does not have, are skipped as others are); one instruction a scheduler and\n"
        "cycle, where Pascal issues two.\n",
};
