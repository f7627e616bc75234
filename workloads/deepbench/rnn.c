/* rnn.c - hosts of recurrent layers. See rnn.h. */
#include "rnn.h"

#include "../reference.h"
#include "gemm.h"

enum { MAX_GATES = 4, MAX_PLANES = 2, N_SAVED = 4, CELL_THREADS = 256 };

/* The kernels' exponentials and divisions are approximate and their sums are made in float:
 * off by less than 5e-7 in all sizes. */
#define BOUND 2e-6f

/* What one unit computes. The first plane of a state is the hidden state. */
struct unit {
    double pre[MAX_GATES], bias[MAX_GATES], x;
    double before[MAX_PLANES], after[MAX_PLANES], saved[N_SAVED];
    double dh, carry, dgate[MAX_GATES], dx;
};

struct rnn_cell {
    unsigned gates, planes;
    void (*forward)(struct unit *u);
    void (*backward)(struct unit *u);
};

/* ---- cells: as cell.cuh, in double ---- */

static double sigmoid(double v)
{
    return 1.0 / (1.0 + reference_exp(-v));
}

static double hyperbolic(double v)
{
    return 1.0 - 2.0 / (1.0 + reference_exp(2.0 * v));
}

/* What the gradient of a sigmoid's or a tanh's result is multiplied by. */
static double slope_of_sigmoid(double result)
{
    return result * (1.0 - result);
}

static double slope_of_tanh(double result)
{
    return 1.0 - result * result;
}

static double gate(const struct unit *u, unsigned g)
{
    return u->pre[g] + u->x + u->bias[g];
}

static void lstm_forward(struct unit *u)
{
    for (unsigned g = 0; g < 4; g++)
        u->saved[g] = g == 2 ? hyperbolic(gate(u, g)) : sigmoid(gate(u, g));
    u->after[1] = u->saved[1] * u->before[1] + u->saved[0] * u->saved[2];
    u->after[0] = u->saved[3] * hyperbolic(u->after[1]);
}

static void lstm_backward(struct unit *u)
{
    double in = u->saved[0], keep = u->saved[1], fresh = u->saved[2], out = u->saved[3];
    double shown = hyperbolic(u->after[1]);
    double dcell = u->dh * out * slope_of_tanh(shown) + u->carry;

    u->dgate[0] = dcell * fresh * slope_of_sigmoid(in);
    u->dgate[1] = dcell * u->before[1] * slope_of_sigmoid(keep);
    u->dgate[2] = dcell * in * slope_of_tanh(fresh);
    u->dgate[3] = u->dh * shown * slope_of_sigmoid(out);
    u->carry = dcell * keep;
    u->dx = u->dgate[0] + u->dgate[1] + u->dgate[2] + u->dgate[3];
}

static void gru_forward(struct unit *u)
{
    double past = u->pre[2] + u->bias[2];

    u->saved[0] = sigmoid(gate(u, 0));
    u->saved[1] = sigmoid(gate(u, 1));
    u->saved[2] = hyperbolic(u->saved[0] * past + u->x);
    u->saved[3] = past;
    u->after[0] = (1.0 - u->saved[1]) * u->saved[2] + u->saved[1] * u->before[0];
}

static void gru_backward(struct unit *u)
{
    double reset = u->saved[0], keep = u->saved[1], fresh = u->saved[2];
    double dh = u->dh + u->carry, dfresh = dh * (1.0 - keep) * slope_of_tanh(fresh);

    u->dgate[0] = dfresh * u->saved[3] * slope_of_sigmoid(reset);
    u->dgate[1] = dh * (u->before[0] - fresh) * slope_of_sigmoid(keep);
    u->dgate[2] = dfresh * reset;
    u->carry = dh * keep;
    u->dx = u->dgate[0] + u->dgate[1] + dfresh;
}

const struct rnn_cell rnn_lstm = { 4, 2, lstm_forward, lstm_backward };
const struct rnn_cell rnn_gru = { 3, 1, gru_forward, gru_backward };

/* ---- the layer ---- */

struct layer {
    const struct rnn_cell *cell;
    unsigned hidden, batch, steps, width, cells; /* width: of all gates of a sequence */
    float *weights, *bias, *x, *start, *want_states;
    double *states, *saved, *pre; /* of the check */
    CUdeviceptr d_weights, d_bias, d_x, d_states, d_product;
    /* in training, else 0 */
    float *dy, *want_dx;
    double *dgate;
    CUdeviceptr d_dy, d_saved;
};

static size_t state_size(const struct layer *l)
{
    return (size_t)l->cell->planes * l->cells;
}

static size_t saved_size(const struct layer *l)
{
    return (size_t)N_SAVED * l->cells;
}

/* Weights so small that gates do not saturate. */
static void scale_weights(struct layer *l, size_t n)
{
    for (size_t i = 0; i < n; i++)
        l->weights[i] *= 4.0f / (float)l->hidden;
}

static CUdeviceptr upload_floats(struct rig *r, const float *v, size_t n)
{
    return rig_upload(r, v, n * sizeof *v);
}

static void layer_make(struct rig *r, struct layer *l, const struct rnn_cell *cell,
                       const struct rnn_shape *s)
{
    size_t all = (size_t)s->steps * s->hidden * s->batch, n_weights;

    *l = (struct layer){ .cell = cell,
                         .hidden = s->hidden,
                         .batch = s->batch,
                         .steps = s->steps,
                         .width = cell->gates * s->hidden,
                         .cells = s->hidden * s->batch };
    n_weights = (size_t)l->width * l->hidden;
    l->weights = gemm_floats(r, n_weights, 51);
    l->bias = gemm_floats(r, l->width, 52);
    l->x = gemm_floats(r, all, 53);
    l->start = gemm_floats(r, state_size(l), 55);
    l->states = rig_host(r, (l->steps + 1) * state_size(l), sizeof *l->states);
    l->saved = rig_host(r, l->steps * saved_size(l), sizeof *l->saved);
    l->pre = rig_host(r, (size_t)l->batch * l->width, sizeof *l->pre);
    l->want_states =
        rig_host(r, (l->steps + 1) * state_size(l), sizeof *l->want_states);
    if (r->failed)
        return;
    scale_weights(l, n_weights);
    l->d_weights = upload_floats(r, l->weights, n_weights);
    l->d_bias = upload_floats(r, l->bias, l->width);
    l->d_x = upload_floats(r, l->x, all);
    l->d_states = rig_alloc(r, (l->steps + 1) * state_size(l) * sizeof(float));
    rig_write(r, l->d_states, l->start, state_size(l) * sizeof(float));
    l->d_product = rig_alloc(r, (size_t)l->batch * l->width * sizeof(float));
}

/* ---- the layer on the host ---- */

static void gather_unit(const struct layer *l, struct unit *u, unsigned step, size_t at)
{
    const double *before = l->states + step * state_size(l);
    size_t first = at / l->hidden * l->width + at % l->hidden;

    u->x = (double)l->x[step * (size_t)l->cells + at];
    for (unsigned g = 0; g < l->cell->gates; g++) {
        u->pre[g] = l->pre[first + (size_t)g * l->hidden];
        u->bias[g] = (double)l->bias[at % l->hidden + (size_t)g * l->hidden];
    }
    for (unsigned p = 0; p < l->cell->planes; p++) {
        u->before[p] = before[(size_t)p * l->cells + at];
        u->after[p] = before[state_size(l) + (size_t)p * l->cells + at];
    }
    for (unsigned k = 0; k < N_SAVED; k++)
        u->saved[k] = l->saved[step * saved_size(l) + (size_t)k * l->cells + at];
}

static void scatter_state(const struct layer *l, const struct unit *u, unsigned step,
                          size_t at)
{
    double *after = l->states + (step + 1) * state_size(l);

    for (unsigned p = 0; p < l->cell->planes; p++)
        after[(size_t)p * l->cells + at] = u->after[p];
    for (unsigned k = 0; k < N_SAVED; k++)
        l->saved[step * saved_size(l) + (size_t)k * l->cells + at] = u->saved[k];
}

static void multiply_state(const struct layer *l, const double *h)
{
    for (size_t b = 0; b < l->batch; b++) {
        for (size_t row = 0; row < l->width; row++) {
            const float *weights = l->weights + row * l->hidden;
            double sum = 0.0;

            for (size_t d = 0; d < l->hidden; d++)
                sum += h[b * l->hidden + d] * (double)weights[d];
            l->pre[b * l->width + row] = sum;
        }
    }
}

static void check_forward(struct layer *l)
{
    size_t n = state_size(l);

    for (size_t i = 0; i < n; i++)
        l->states[i] = (double)l->start[i];
    for (unsigned step = 0; step < l->steps; step++) {
        multiply_state(l, l->states + step * n);
        for (size_t at = 0; at < l->cells; at++) {
            struct unit u;

            gather_unit(l, &u, step, at);
            l->cell->forward(&u);
            scatter_state(l, &u, step, at);
        }
    }
    for (size_t i = 0; i < (l->steps + 1) * n; i++)
        l->want_states[i] = (float)l->states[i];
}

/* The gradient of the hidden state before, through the weights. */
static void multiply_back(const struct layer *l, double *back)
{
    for (size_t b = 0; b < l->batch; b++) {
        double *to = back + b * l->hidden;

        for (size_t d = 0; d < l->hidden; d++)
            to[d] = 0.0;
        for (size_t row = 0; row < l->width; row++)
            for (size_t d = 0; d < l->hidden; d++)
                to[d] += l->dgate[b * l->width + row] *
                         (double)l->weights[row * l->hidden + d];
    }
}

static void check_backward(struct layer *l, double *back, double *carry)
{
    for (unsigned step = l->steps; step-- > 0;) {
        for (size_t at = 0; at < l->cells; at++) {
            size_t first = at / l->hidden * l->width + at % l->hidden;
            struct unit u;

            gather_unit(l, &u, step, at);
            u.dh = back[at] + (double)l->dy[step * (size_t)l->cells + at];
            u.carry = carry[at];
            l->cell->backward(&u);
            carry[at] = u.carry;
            l->want_dx[step * (size_t)l->cells + at] = (float)u.dx;
            for (unsigned g = 0; g < l->cell->gates; g++)
                l->dgate[first + (size_t)g * l->hidden] = u.dgate[g];
        }
        multiply_back(l, back);
    }
}

/* ---- the layer on the device ---- */

static CUdeviceptr plus_floats(CUdeviceptr at, size_t n)
{
    return at + n * sizeof(float);
}

static void launch_product(struct rig *r, const struct launch *launch,
                           const CUdeviceptr abc[3], const unsigned mnk[3])
{
    rig_launch(r, launch,
               RIG_ARGS(RIG_ARG(abc[0]), RIG_ARG(abc[1]), RIG_ARG(abc[2]),
                        RIG_ARG(mnk[0]), RIG_ARG(mnk[1]), RIG_ARG(mnk[2])));
}

/* d_saved is 0 in inference. */
static void run_forward(struct rig *r, const struct layer *l,
                        const struct gemm_tile *tile)
{
    unsigned mnk[3] = { l->batch, l->width, l->hidden };
    struct launch product = gemm_launch("rnn_product", tile, mnk[0], mnk[1]);
    struct launch step = {
        "rnn_forward", { div_up(l->cells, CELL_THREADS) }, { CELL_THREADS }, 0
    };

    for (unsigned t = 0; t < l->steps; t++) {
        CUdeviceptr before = plus_floats(l->d_states, t * state_size(l));
        CUdeviceptr after = plus_floats(before, state_size(l));
        CUdeviceptr x = plus_floats(l->d_x, (size_t)t * l->cells);
        CUdeviceptr saved = l->d_saved ? plus_floats(l->d_saved, t * saved_size(l)) : 0;

        launch_product(r, &product,
                       (CUdeviceptr[]){ before, l->d_weights, l->d_product }, mnk);
        rig_launch(r, &step,
                   RIG_ARGS(RIG_ARG(l->d_product), RIG_ARG(x), RIG_ARG(l->d_bias),
                            RIG_ARG(before), RIG_ARG(after), RIG_ARG(saved),
                            RIG_ARG(l->hidden), RIG_ARG(l->cells)));
    }
}

/* back and carry have the gradients of the last state at first, those of the first at the end. */
static void run_backward(struct rig *r, const struct layer *l, CUdeviceptr back,
                         CUdeviceptr carry, CUdeviceptr d_dx)
{
    unsigned mnk[3] = { l->batch, l->hidden, l->width };
    struct launch product = gemm_launch("rnn_dproduct", &gemm_small, mnk[0], mnk[1]);
    struct launch step = {
        "rnn_backward", { div_up(l->cells, CELL_THREADS) }, { CELL_THREADS }, 0
    };

    for (unsigned t = l->steps; t-- > 0;) {
        CUdeviceptr before = plus_floats(l->d_states, t * state_size(l));
        CUdeviceptr after = plus_floats(before, state_size(l));
        CUdeviceptr dy = plus_floats(l->d_dy, (size_t)t * l->cells);
        CUdeviceptr dx = plus_floats(d_dx, (size_t)t * l->cells);
        CUdeviceptr saved = plus_floats(l->d_saved, t * saved_size(l));

        rig_launch(r, &step,
                   RIG_ARGS(RIG_ARG(dy), RIG_ARG(back), RIG_ARG(carry), RIG_ARG(saved),
                            RIG_ARG(before), RIG_ARG(after), RIG_ARG(l->d_product),
                            RIG_ARG(dx), RIG_ARG(l->hidden), RIG_ARG(l->cells)));
        launch_product(r, &product, (CUdeviceptr[]){ l->d_product, l->d_weights, back },
                       mnk);
    }
}

int rnn_run_infer(struct workload_env *env, const struct rnn_cell *cell,
                  const struct rnn_shape *shape)
{
    struct rig r = rig_begin(env);
    struct layer l;

    layer_make(&r, &l, cell, shape);
    if (r.failed)
        return rig_end(&r);
    run_forward(&r, &l, &gemm_skinny);
    check_forward(&l);
    rig_near(&r, "states", l.d_states, l.want_states, (l.steps + 1) * state_size(&l),
             BOUND);
    return rig_end(&r);
}

int rnn_run_train(struct workload_env *env, const struct rnn_cell *cell,
                  const struct rnn_shape *shape)
{
    struct rig r = rig_begin(env);
    struct layer l;
    double *back, *carry;
    size_t all;

    layer_make(&r, &l, cell, shape);
    all = (size_t)l.steps * l.cells;
    l.dy = gemm_floats(&r, all, 54);
    l.want_dx = rig_host(&r, all, sizeof *l.want_dx);
    l.dgate = rig_host(&r, (size_t)l.batch * l.width, sizeof *l.dgate);
    back = rig_host(&r, l.cells, sizeof *back);
    carry = rig_host(&r, l.cells, sizeof *carry);
    if (r.failed)
        return rig_end(&r);
    CUdeviceptr d_back = rig_alloc(&r, l.cells * sizeof(float));
    CUdeviceptr d_carry = rig_alloc(&r, l.cells * sizeof(float));
    CUdeviceptr d_dx = rig_alloc(&r, all * sizeof(float));
    l.d_dy = upload_floats(&r, l.dy, all);
    l.d_saved = rig_alloc(&r, l.steps * saved_size(&l) * sizeof(float));
    rig_fill(&r, d_back, 0, l.cells);
    rig_fill(&r, d_carry, 0, l.cells);
    run_forward(&r, &l, &gemm_small);
    run_backward(&r, &l, d_back, d_carry, d_dx);
    check_forward(&l);
    check_backward(&l, back, carry);
    rig_near(&r, "states", l.d_states, l.want_states, (l.steps + 1) * state_size(&l),
             BOUND);
    rig_near(&r, "dx", d_dx, l.want_dx, all, BOUND);
    return rig_end(&r);
}
