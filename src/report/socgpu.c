/* socgpu.c - figures of the SOCGPU paper (GPGPU 2023), and the few numbers in its text.
 *
 * Its figures are pictures without numbers; the text has the mean of figure 4, its highest
 * bar, the correlation of figures 4 and 5, and the energy saved in the mean (figure 6). Its
 * machine (table 1) and its baseline are a preset.
 */
#include "report/papers.h"

#define V100    "v100-socgpu"
#define INORDER "inorder"
#define SOCGPU  "socgpu"
/* The other reading: entries are free at issue (section 5.1), not at writeback (3). */
#define RELEASED SOCGPU ":release=issue"
/* In order, but sources are free once they have been read: the gain depends on this. */
#define READ  INORDER ":war_written=off"
#define TWICE ":core.warps=128:core.threads=4096:core.registers=131072:lsu.warps=128"

/* A column with a row for each program. */
#define EACH(label_, spec_, metric_, paper_)                          \
    {                                                                 \
        .label = label_, .gpu = V100, .spec = spec_, .base = INORDER, \
        .metric = metric_, .paper = paper_, .value = NO_VALUE         \
    }

enum { SPEEDUP };

/* The text names speed-ups of two. */
static const struct paper_program programs[] = {
    { "backprop", "Rodinia", "backprop", 0, { 0 } },
    { "bfs", "Rodinia", "bfs rbfs", 0, { 0 } },
    { "b+tree", "Rodinia", "b+tree", 0, { 0 } },
    { "dwt2d", "Rodinia", "dwt2d", 0, { 0 } },
    { "gaussian", "Rodinia", "gaussian", 0, { 0 } },
    { "hotspot", "Rodinia", "hotspot", 0, { 0 } },
    { "hybridsort", "Rodinia", "hybridsort", 0, { 0 } },
    { "kmeans", "Rodinia", "kmeans", 0, { 0 } },
    { "lud", "Rodinia", "lud", 0, { 0 } },
    { "nn", "Rodinia", "nn", 0, { 0 } },
    { "particlefilter_float",
      "Rodinia",
      "particlefilter_float particlefilter",
      0,
      { 0 } },
    { "pathfinder", "Rodinia", "pathfinder", 0, { 0 } },
    { "srad_v1", "Rodinia", "srad_v1 srad", 0, { 0 } },
    { "gemm_train", "Deepbench", "gemm_train", 0, { 0 } },
    { "gemm_inference", "Deepbench", "gemm_inference", 0, { 0 } },
    { "conv_train", "Deepbench", "conv_train", 0, { 1.6 } },
    { "conv_inference", "Deepbench", "conv_inference", 0, { 0 } },
    { "rnn_lstm_train", "Deepbench", "rnn_lstm_train lstm_train", 0, { 0 } },
    { "rnn_lstm_inference",
      "Deepbench",
      "rnn_lstm_inference lstm_inference",
      0,
      { 0 } },
    { "rnn_gru_train", "Deepbench", "rnn_gru_train gru_train", 0, { 2.3 } },
    { "rnn_gru_inference", "Deepbench", "rnn_gru_inference gru_inference", 0, { 0 } },
};

static const struct figure_column figure_1[] = {
    EACH("128 warps", INORDER TWICE, &metric_speedup, NO_NUMBER),
    EACH("SOCGPU, 64 warps", SOCGPU, &metric_speedup, NO_NUMBER),
};

static const struct figure_column figure_4[] = {
    { .label = "SOCGPU",
      .gpu = V100,
      .spec = SOCGPU,
      .base = INORDER,
      .metric = &metric_speedup,
      .paper = 1.38,
      .value = SPEEDUP },
    EACH("released at issue", RELEASED, &metric_speedup, NO_NUMBER),
    EACH("oldest first", SOCGPU ":oldest=on", &metric_speedup, NO_NUMBER),
    EACH("both", RELEASED ":oldest=on", &metric_speedup, NO_NUMBER),
    EACH("stop at issue", SOCGPU ":stop_at_issue=on", &metric_speedup, NO_NUMBER),
    EACH("in order, WAR until read", READ, &metric_speedup, NO_NUMBER),
    { .label = "SOCGPU",
      .row = "highest",
      .gpu = V100,
      .spec = SOCGPU,
      .base = INORDER,
      .metric = &metric_speedup,
      .paper = 2.3,
      .value = NO_VALUE,
      .shows = SHOWS_HIGHEST },
};

static const struct figure_column figure_5[] = {
    EACH("RAW", SOCGPU, &metric_raw, NO_NUMBER),
    EACH("WAW-WAR", SOCGPU, &metric_war_waw, NO_NUMBER),
    EACH("Stop", SOCGPU, &metric_stop, NO_NUMBER),
    { .label = "RAW",
      .row = "correlation with speed-up",
      .gpu = V100,
      .spec = SOCGPU,
      .base = INORDER,
      .metric = &metric_raw,
      .paper = -0.73,
      .value = NO_VALUE,
      .shows = SHOWS_CORRELATION,
      .with = &metric_speedup },
};

static const struct figure_column figure_5b[] = {
    EACH("RAW", RELEASED, &metric_raw, NO_NUMBER),
    EACH("WAW-WAR", RELEASED, &metric_war_waw, NO_NUMBER),
    EACH("Stop", RELEASED, &metric_stop, NO_NUMBER),
};

static const struct figure_column figure_6[] = {
    EACH("SOCGPU", SOCGPU, &metric_saved, 6.5),
    EACH("released at issue", RELEASED, &metric_saved, NO_NUMBER),
    EACH("energy x time", SOCGPU, &metric_edp_saved, NO_NUMBER),
    EACH("W, SOCGPU", SOCGPU, &metric_power, NO_NUMBER),
};

/* A number of the added logic. */
#define LOGIC(label_, row_, metric_, paper_, shows_)                                \
    {                                                                               \
        .label = label_, .row = row_, .gpu = V100, .spec = SOCGPU, .base = INORDER, \
        .metric = metric_, .paper = paper_, .value = NO_VALUE, .shows = shows_      \
    }

/* 3.26 W are those of 80 SMs. */
static const struct figure_column section_5_2[] = {
    LOGIC("share", "% of the chip, more than in order", &metric_chip_share, 2.4,
          SHOWS_SHARE),
    LOGIC("power", "mW per SM, more than in order", &metric_window_power, 3.26e3 / 80,
          SHOWS_MEAN),
};

static const struct figure figures[] = {
    { "1", "in-order issue with twice the warps and registers",
      FIGURE_COLUMNS(figure_1), NULL,
      "The paper has a plot without numbers; its text: most programs gain nothing. Shared\n"
      "memory and the number of blocks are as with 64 warps. Next to it SOCGPU with 64.\n",
      0, DRAW_BARS },
    { "4", "SOCGPU over in-order issue", FIGURE_COLUMNS(figure_4), NULL,
      "The paper has a plot without numbers. Its text: 1.38 in the mean, rnn_gru_train\n"
      "2.3, conv_train 1.6, Rodinia less, kmeans and particlefilter_float a little below\n"
      "1. SOCGPU: entries are held until writeback (section 3). Released at issue: they are\n"
      "free when their instruction issues (section 5.1), and scoreboards keep its registers.\n"
      "Oldest first: the oldest ready instruction, not the first entry. Stop at issue:\n"
      "entries are held, but branches and instructions after one wait only for issue. In\n"
      "order, WAR until read: the baseline with its WAR scoreboard cleared when operands\n"
      "have been read. Where the paper's, cleared at writeback, costs much, SOCGPU gains\n"
      "(docs/schemes/socgpu.md): in Deepbench's products; elsewhere it costs little.\n",
      0, DRAW_BARS },
    { "5", "dependences that an instruction meets at insertion, by kind",
      FIGURE_COLUMNS(figure_5), NULL,
      "The paper has a plot without numbers; its text has the correlation. Each older\n"
      "instruction in the buffer counts once for each kind, issued or not.\n",
      0, DRAW_STACKS },
    { "5b", "the same, entries released at issue", FIGURE_COLUMNS(figure_5b), NULL,
      "Not in the paper. Instructions that have issued are not in the buffer.\n", 0,
      DRAW_STACKS },
    { "6", "energy that SOCGPU saves, %", FIGURE_COLUMNS(figure_6), NULL,
      "The paper has a plot, and 6.5 % in its text, by AccelWattch. Ours: docs/energy.md,\n"
      "profile 12nm; the buffer and the matrix by their bits. Energy x time: % saved of\n"
      "their product, which the paper has not. W: how much more power the\n"
      "chip takes while it computes, of --sms N that of N SMs; the added logic alone is\n"
      "figure 5.2.\n",
      0, DRAW_BARS },
    { "5.2", "area and power of what SOCGPU adds", FIGURE_COLUMNS(section_5_2), NULL,
      "Section 5.2: 2.4 % of a V100's 815 mm2 and 3.26 W, of a design synthesised for 1530\n"
      "MHz onto SAED14nm; here 3.26 W / 80 SMs. Ours: the module of hw/, scaled (docs/cost.md\n"
      "has why it is smaller), and the power of accesses of its bits while the program runs:\n"
      "an instruction is written, read and compared once. The paper's logic switches in every\n"
      "cycle, and its power has the clocks of all flip-flops, which ours has not.\n",
      0, DRAW_BARS },
};

const struct paper paper_socgpu = {
    .name = "socgpu",
    .title = "SOCGPU: Simple Out of Order Core for GPGPUs (GPGPU 2023)",
    PAPER_FIGURES(figures),
    .programs = programs,
    .n_programs = sizeof programs / sizeof *programs,
    .occupancy = NO_VALUE,
    .note =
        "What differs from the paper in all figures: programs (it has 13 of Rodinia and 8\n"
        "of Deepbench, where most of its gain is; ours are our own versions); inputs (ours\n"
        "are for a slice of its 80 SMs: of four, --sms 4, size small has half the warps or\n"
        "more resident); control (fetch waits until a taken branch is resolved,\n"
        "its traces know the target).\n",
};
