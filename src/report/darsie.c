/* darsie.c - figures of the DARSIE paper (ASPLOS 2020), and the numbers in its text.
 *
 * Its figures are pictures without numbers; the text has the means of figures 8 and 10, and
 * what conflicts of banks cost, and the energy saved in the mean (figure 11). Its machine is a
 * GTX 1080 Ti with GTO (table 2).
 */
#include "report/papers.h"

#define GPU     "gtx1080ti"
#define INORDER "inorder"
#define DARSIE  "inorder+darsie"
#define UV      "inorder+uv"
#define DAC     "inorder+dac"
/* In our programs the register file leaves few of the paper's 32 registers. */
#define OWN DARSIE ":darsie.own_file=on"

/* Warps wait for each other as under DARSIE, and nothing is skipped. */
#define SYNC_ONLY DARSIE ":darsie.sync_only=on"

enum { SPEEDUP, ELIMINATED, SYNC };

/* Its programs, by the dimensions of their blocks (table 1). The text has DARSIE's numbers
 * of two. */
static const struct paper_program programs[] = {
    { "BP", "Rodinia", "backprop", '2', { 0 } },
    { "HS", "Rodinia", "hotspot", '2', { 0 } },
    { "FWS", "Pannotia", "fws fw floydwarshall", '2', { 1.13, 21 } },
    { "DCT", "CUDA SDK", "dct8x8", '2', { 0 } },
    { "INLM", "CUDA SDK", "imageDenoising nlm imagedenoisingnlm", '2', { 0 } },
    { "CP", "ISPASS", "cp", '2', { 0 } },
    { "CONVTEXT", "CUDA SDK", "convolutionTexture convtexture", '2', { 0 } },
    { "MM", "CUDA SDK", "matrixMul", '2', { 0 } },
    { "LIB", "ISPASS", "lib libor", '1', { 0, 75, 0.5 } },
    { "BIN", "CUDA SDK", "binomialOptions binomial", '1', { 0 } },
    { "FW", "CUDA SDK", "fastWalshTransform fwt", '1', { 0 } },
    { "SR1", "Rodinia", "srad_v1 srad", '1', { 0 } },
    { "PT", "Rodinia", "pathfinder", '1', { 0 } },
};

/* A column with a row for each program. */
#define GIVEN(label_, spec_, metric_, paper_, value_)                \
    {                                                                \
        .label = label_, .gpu = GPU, .spec = spec_, .base = INORDER, \
        .metric = metric_, .paper = paper_, .value = value_          \
    }
#define EACH(label, spec, metric, paper) GIVEN(label, spec, metric, paper, NO_VALUE)
#define SPEED(label_, spec_, paper_)     EACH(label_, spec_, &metric_speedup, paper_)
#define LESS(label_, spec_, paper_)      EACH(label_, spec_, &metric_eliminated, paper_)

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
    GIVEN("DARSIE", DARSIE, &metric_speedup, 1.3, SPEEDUP),
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
    GIVEN("DARSIE", DARSIE, &metric_eliminated, NO_NUMBER, ELIMINATED),
};

static const struct figure_column figure_10[] = {
    LESS("UV", UV, NO_NUMBER),
    LESS("DAC-IDEAL", DAC, 11),
    GIVEN("DARSIE", DARSIE, &metric_eliminated, 17, ELIMINATED),
    LESS("its registers apart", OWN, NO_NUMBER),
};

static const struct figure_column figure_11[] = {
    EACH("UV", UV, &metric_saved, 7),
    EACH("DAC-IDEAL", DAC, &metric_saved, 20),
    EACH("DARSIE", DARSIE, &metric_saved, 25),
    EACH("its registers apart", OWN, &metric_saved, NO_NUMBER),
    EACH("energy x time", DARSIE, &metric_edp_saved, NO_NUMBER),
    EACH("its tables", DARSIE, &metric_table_share, 0.95),
};

static const struct figure_column figure_12[] = {
    SPEED("DARSIE", OWN, 1.3),
    SPEED("DARSIE-NO-CF-SYNC", OWN ":darsie.no_cf_sync=on", NO_NUMBER),
    SPEED("SILICON-SYNC", SYNC_ONLY, NO_NUMBER),
    SPEED("without conflicts", OWN ":darsie.conflicts=off", NO_NUMBER),
};

static const struct figure_column figure_12_1d[] = {
    SPEED("DARSIE", OWN, NO_NUMBER),
    SPEED("DARSIE-NO-CF-SYNC", OWN ":darsie.no_cf_sync=on", NO_NUMBER),
    GIVEN("SILICON-SYNC", SYNC_ONLY, &metric_speedup, NO_NUMBER, SYNC),
};

static const struct figure figures[] = {
    { "1", "limit study: redundant instructions, % of all, by group of threads",
      FIGURE_COLUMNS(figure_1), NULL,
      "Executed without timing; every instruction is counted. The paper has a plot and, in\n"
      "its text, the mean over blocks. The last three columns divide those of blocks by the\n"
      "shape of their operands (its figure 2). Never redundant here: stores, atomics,\n"
      "barriers, branches, and instructions that only some lanes of a warp execute.\n",
      0, DRAW_BARS },
    { "2", "instructions that DARSIE skips, % of all, by their values",
      FIGURE_COLUMNS(figure_2), NULL,
      "The paper has a plot without numbers, of all redundant instructions; these are the\n"
      "skipped ones. Its finding: affine and unstructured redundancy is in blocks of two\n"
      "dimensions, uniform in all.\n",
      0, DRAW_STACKS },
    { "8", "speed-up in blocks of two dimensions", FIGURE_COLUMNS(figure_8), NULL,
      "The paper has a plot and, in its text, the means. \"Its registers apart\": shared\n"
      "registers in addition to the register file. Otherwise DARSIE uses the registers that\n"
      "a full SM leaves free; of 2048 vector registers hotspot leaves 4 per block.\n"
      "The paper's code, in PTXPlus, may need fewer.\n",
      '2', DRAW_BARS },
    { "8-1D", "speed-up in blocks of one dimension", FIGURE_COLUMNS(figure_8_1d), NULL,
      "The paper: about that of DAC-IDEAL, much of it from LIB, which is bound by fetch.\n"
      "None of our programs is: fetch serves 8 warps per cycle here.\n",
      '1', DRAW_BARS },
    { "9", "fewer instructions, %, in blocks of one dimension",
      FIGURE_COLUMNS(figure_9), NULL,
      "The paper has a plot without numbers. UV's instructions are still fetched and\n"
      "issued. DAC-IDEAL also drops affine instructions that are not redundant: addresses.\n",
      '1', DRAW_BARS },
    { "10", "fewer instructions, %, in blocks of two dimensions",
      FIGURE_COLUMNS(figure_10), NULL,
      "The paper has a plot and, in its text, the means (23 for DARSIE in its summary).\n",
      '2', DRAW_BARS },
    { "11", "energy saved, %, in blocks of two dimensions", FIGURE_COLUMNS(figure_11),
      NULL,
      "The paper has a plot and, in its text, the geometric means, by GPUWattch; ours are\n"
      "arithmetic means of docs/energy.md's model, profile 12nm, also for this Pascal GPU;\n"
      "the tables by their bits. Energy x time: % that DARSIE saves of their product.\n"
      "Its tables: in % of the energy but for static power.\n",
      '2', DRAW_BARS },
    { "12", "speed-up without waiting at branches", FIGURE_COLUMNS(figure_12), NULL,
      "The paper has a plot; its text says that bank conflicts cost 1%. Without conflicts:\n"
      "shared registers are read from the banks of the registers that they replace.\n"
      "SILICON-SYNC is a real GPU there, with a barrier after every basic block; here warps\n"
      "wait for each other at branches as under DARSIE, and nothing is skipped.\n",
      '2', DRAW_BARS },
    { "12-1D", "speed-up without waiting at branches, in blocks of one dimension",
      FIGURE_COLUMNS(figure_12_1d), NULL,
      "The paper's text: SILICON-SYNC takes half of LIB's speed.\n", '1', DRAW_BARS },
};

const struct paper paper_darsie = {
    .name = "darsie",
    .title =
        "Dimensionality-Aware Redundant SIMT Instruction Elimination (ASPLOS 2020)",
    PAPER_FIGURES(figures),
    .programs = programs,
    .n_programs = sizeof programs / sizeof *programs,
    .occupancy = NO_VALUE,
    .note =
        "What differs from the paper in all figures: programs (it has 13; ours\n"
        "are our own versions of them); code\n"
        "(SASS of sm_75, whose loads of shared memory are often 16 bytes wide, and whose\n"
        "predicates, which are not shared, PTXPlus has too; uniform instructions, which\n"
        "Pascal does not have, are skipped like others). Its text also says that DARSIE\n"
        "takes 0.95% of the dynamic energy.\n",
};
