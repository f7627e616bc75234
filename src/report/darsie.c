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

static const struct figure figures[] = {
    { "1", "limit study: redundant instructions, % of all, by group of threads",
      FIGURE_COLUMNS(figure_1), NULL,
      "Executed without timing; every instruction is counted. The paper has a plot and, in\n"
      "its text, the mean over blocks. The last three columns divide those of blocks by the\n"
      "shape of their operands (its figure 2). Never redundant here: stores, atomics,\n"
      "barriers, branches, and instructions that only some lanes of a warp execute.\n",
      NULL },
    { "2", "instructions that DARSIE skips, % of all, by their values",
      FIGURE_COLUMNS(figure_2), NULL,
      "The paper has a plot without numbers, of all redundant instructions; these are the\n"
      "skipped ones. Its finding: affine and unstructured redundancy is in blocks of two\n"
      "dimensions (backprop, hotspot, lud, mandelbrot, matrixmul), uniform in all.\n",
      NULL },
    { "8", "speed-up in blocks of two dimensions", FIGURE_COLUMNS(figure_8), NULL,
      "The paper has a plot and, in its text, the means. \"Its registers apart\": shared\n"
      "registers in addition to the register file. Otherwise DARSIE uses the registers that\n"
      "a full SM leaves free; of 2048 vector registers hotspot leaves 4 per block, lud none.\n"
      "The paper's code, in PTXPlus, may need fewer.\n",
      rows },
    { "8-1D", "speed-up in blocks of one dimension", FIGURE_COLUMNS(figure_8_1d), NULL,
      "The paper: about that of DAC-IDEAL, much of it from LIB, which is bound by fetch.\n"
      "None of our programs is: fetch serves 8 warps per cycle here.\n",
      flat },
    { "9", "fewer instructions, %, in blocks of one dimension",
      FIGURE_COLUMNS(figure_9), NULL,
      "The paper has a plot without numbers. UV's instructions are still fetched and\n"
      "issued. DAC-IDEAL also drops affine instructions that are not redundant: addresses.\n",
      flat },
    { "10", "fewer instructions, %, in blocks of two dimensions",
      FIGURE_COLUMNS(figure_10), NULL,
      "The paper has a plot and, in its text, the means (23 for DARSIE in its summary).\n",
      rows },
    { "12", "speed-up without waiting at branches", FIGURE_COLUMNS(figure_12), NULL,
      "The paper has a plot; its text says that bank conflicts cost 1%. Without conflicts:\n"
      "shared registers are read from the banks of the registers that they replace.\n",
      rows },
};

const struct paper paper_darsie = {
    .name = "darsie",
    .title =
        "Dimensionality-Aware Redundant SIMT Instruction Elimination (ASPLOS 2020)",
    PAPER_FIGURES(figures),
    .note =
        "What differs from the paper in all figures: programs (it has 13, of which\n"
        "backprop, hotspot, matrixmul and pathfinder are here in our own version); code\n"
        "(SASS of sm_75, whose loads of shared memory are often 16 bytes wide, and whose\n"
        "predicates, which are not shared, PTXPlus has too; uniform instructions, which\n"
        "Pascal does not have, are skipped like others); one instruction per scheduler and\n"
        "cycle, where Pascal issues two.\n",
};
