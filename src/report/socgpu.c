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
/* Half the warps, with the V100's registers: a block of matrixmul needs more than half of
 * them. So the machine with all warps has twice the V100's. */
#define HALF  ":core.warps=32:core.threads=1024"
#define WHOLE ":core.registers=131072"

/* A column with a row for each program, and one that is a row. */
#define OVER(base_, label_, spec_, metric_, paper_)                                    \
    {                                                                                  \
        .label = label_, .gpu = V100, .spec = spec_, .base = base_, .metric = metric_, \
        .paper = paper_, .value = NO_VALUE                                             \
    }
#define EACH(label, spec, metric, paper) OVER(INORDER, label, spec, metric, paper)

static const struct figure_column figure_1[] = {
    OVER(INORDER HALF, "64 warps", INORDER WHOLE, &metric_speedup, NO_NUMBER),
    OVER(INORDER HALF, "SOCGPU, 32 warps", SOCGPU HALF, &metric_speedup, NO_NUMBER),
};

static const struct figure_column figure_4[] = {
    EACH("SOCGPU", SOCGPU, &metric_speedup, 1.38),
    EACH("oldest first", SOCGPU ":oldest=on", &metric_speedup, NO_NUMBER),
    EACH("stop at issue", SOCGPU ":stop_at_issue=on", &metric_speedup, NO_NUMBER),
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

#define COLUMNS(table) table, sizeof table / sizeof *table
static const struct figure figures[] = {
    { "1", "in-order issue with twice the warps and registers", COLUMNS(figure_1), NULL,
      "The paper has a plot without numbers, of 128 warps over 64. 128 warps cannot be\n"
      "run here: sets of warps are 64-bit words. So this is 64 over 32, on a V100 with\n"
      "half its warps and one with twice its registers; and what SOCGPU gives with 32.\n" },
    { "4", "SOCGPU over in-order issue", COLUMNS(figure_4), NULL,
      "The paper has a plot without numbers. Its text: 1.38 in the mean, rnn_gru_train\n"
      "2.3, conv_train 1.6, Rodinia less, kmeans and particlefilter_float a little below\n"
      "1. Oldest first: the oldest of what may issue, not the first entry. Stop at issue:\n"
      "what waits for a branch, or is one, waits for issue and not for writeback.\n" },
    { "5", "dependences that an instruction meets at insertion, by kind",
      COLUMNS(figure_5), NULL,
      "The paper has a plot without numbers; its text has the correlation. Each older\n"
      "instruction in the buffer counts once for each kind, issued or not.\n" },
};

const struct paper paper_socgpu = {
    .name = "socgpu",
    .title = "SOCGPU: Simple Out of Order Core for GPGPUs (GPGPU 2023)",
    .figures = figures,
    .n_figures = sizeof figures / sizeof *figures,
    .note =
        "What differs from the paper in all figures: programs (it has 13 of Rodinia and 8\n"
        "of Deepbench, where most of its gain is; we have our own version of six of\n"
        "Rodinia: backprop, hotspot, lud, nn, pathfinder, and bfs as rbfs); inputs (ours\n"
        "are for a slice of its 80 SMs: of four, --sms 4, size small has half the warps or\n"
        "more resident); control (fetch waits until a branch that leads elsewhere is\n"
        "resolved, its traces know where they go).\n",
};
