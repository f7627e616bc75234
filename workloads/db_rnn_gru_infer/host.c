/* host.c - db_rnn_gru_infer: a recurrent layer of GRU cells in inference.
 *
 * Size paper has one of Deepbench's shapes: 1536 units and a batch of one, with 10 of its 750 time steps.
 * The others are scaled down.
 */
#include "../deepbench/rnn.h"

static int db_rnn_gru_infer_run(struct workload_env *env)
{
    static const struct rnn_shape shapes[N_WORKLOAD_SIZE] = { { 128, 1, 2 },
                                                              { 512, 1, 8 },
                                                              { 1536, 1, 10 } };

    return rnn_run_infer(env, &rnn_gru, &shapes[env->size]);
}

const struct workload workload_db_rnn_gru_infer = {
    .name = "db_rnn_gru_infer",
    .summary = "GRU layer in inference: weights streamed, then cells",
    .suite = "Deepbench",
    .theirs = "rnn_gru_inference",
    .papers = "socgpu",
    .sizes = { "128 units, batch 1, 2 steps", "512 units, batch 1, 8 steps",
               "1536 units, batch 1, 10 steps" },
    .run = db_rnn_gru_infer_run,
};
