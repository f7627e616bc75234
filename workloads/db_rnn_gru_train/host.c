/* host.c - db_rnn_gru_train: a recurrent layer of GRU cells in training.
 *
 * Size paper has one of Deepbench's shapes: 512 units and a batch of 32, with four time steps instead of one.
 * The others are scaled down.
 */
#include "../deepbench/rnn.h"

static int db_rnn_gru_train_run(struct workload_env *env)
{
    static const struct rnn_shape shapes[N_WORKLOAD_SIZE] = { { 32, 12, 4 },
                                                              { 128, 32, 8 },
                                                              { 512, 32, 4 } };

    return rnn_run_train(env, &rnn_gru, &shapes[env->size]);
}

const struct workload workload_db_rnn_gru_train = {
    .name = "db_rnn_gru_train",
    .summary = "GRU layer in training: products in tiles, cells, and back through time",
    .suite = "Deepbench",
    .theirs = "rnn_gru_train",
    .papers = "socgpu",
    .sizes = { "32 units, batch 12, 4 steps", "128 units, batch 32, 8 steps",
               "512 units, batch 32, 4 steps" },
    .run = db_rnn_gru_train_run,
};
