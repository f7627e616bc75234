/* socgpu.c - figures of the SOCGPU paper (GPGPU 2023), and the few numbers in its text.
 *
 * Its figures are pictures without numbers; the text has the mean of figure 4, its highest
 * bar, and the correlation of figures 4 and 5. Its machine is a V100 with GTO (table 1); its
 * baseline is in-order issue with a buffer of 2 and a WAR scoreboard that is cleared at
 * writeback (section 4). Figure 6, energy, is not here: Leno does not model it.
 */
#include "report/papers.h"

#define V100    "v100"
#define GTO     ":sched.policy=gto"
#define INORDER "inorder:war=on:war_written=on" GTO
#define SOCGPU  "socgpu" GTO
/* The same, but sources are free once they have been read: the gain depends on this. */
#define READ  "inorder:war=on" GTO
#define TWICE ":core.warps=128:core.threads=4096:core.registers=131072:lsu.warps=128"

/* A column with a row for each program. */
#define EACH(label_, spec_, metric_, paper_)                          \
    {                                                                 \
        .label = label_, .gpu = V100, .spec = spec_, .base = INORDER, \
        .metric = metric_, .paper = paper_, .value = NO_VALUE         \
    }

static const struct figure_column figure_1[] = {
    EACH("128 warps", INORDER TWICE, &metric_speedup, NO_NUMBER),
    EACH("SOCGPU, 64 warps", SOCGPU, &metric_speedup, NO_NUMBER),
};

static const struct figure_column figure_4[] = {
    EACH("SOCGPU", SOCGPU, &metric_speedup, 1.38),
    EACH("oldest first", SOCGPU ":oldest=on", &metric_speedup, NO_NUMBER),
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

static const struct figure figures[] = {
    { "1", "in-order issue with twice the warps and registers",
      FIGURE_COLUMNS(figure_1), NULL,
      "The paper has a plot without numbers; its text: most programs gain nothing. Shared\n"
      "memory and the number of blocks are as with 64 warps. Next to it SOCGPU with 64.\n",
      NULL },
    { "4", "SOCGPU over in-order issue", FIGURE_COLUMNS(figure_4), NULL,
      "The paper has a plot without numbers. Its text: 1.38 in the mean, rnn_gru_train\n"
      "2.3, conv_train 1.6, Rodinia less, kmeans and particlefilter_float a little below\n"
      "1. Oldest first: the oldest ready instruction, not the first entry. Stop at issue:\n"
      "branches, and instructions after one, wait for issue instead of writeback. In\n"
      "order, WAR until read: the baseline with its WAR scoreboard cleared when operands\n"
      "have been read. Where the paper's, cleared at writeback, costs much, SOCGPU gains\n"
      "(docs/schemes/socgpu.md); on our programs it costs little.\n",
      NULL },
    { "5", "dependences that an instruction meets at insertion, by kind",
      FIGURE_COLUMNS(figure_5), NULL,
      "The paper has a plot without numbers; its text has the correlation. Each older\n"
      "instruction in the buffer counts once for each kind, issued or not.\n",
      NULL },
};

const struct paper paper_socgpu = {
    .name = "socgpu",
    .title = "SOCGPU: Simple Out of Order Core for GPGPUs (GPGPU 2023)",
    PAPER_FIGURES(figures),
    .note =
        "What differs from the paper in all figures: programs (it has 13 of Rodinia and 8\n"
        "of Deepbench, where most of its gain is; we have our own version of six of\n"
        "Rodinia: backprop, hotspot, lud, nn, pathfinder, and bfs as rbfs); inputs (ours\n"
        "are for a slice of its 80 SMs: of four, --sms 4, size small has half the warps or\n"
        "more resident); control (fetch waits until a taken branch is resolved,\n"
        "its traces know the target).\n",
};
