/* cell.cuh - the cells of recurrent layers, LSTM and GRU: what follows the product of the
 * recurrent weights with the hidden state in every time step.
 *
 * One thread per unit of one sequence of the batch. As Deepbench asks of its library, the
 * input is added to every gate without weights of its own. Arrays of `cells` = batch x hidden
 * elements are planes; products and their gradients have, for each sequence, one run of
 * `hidden` elements per gate.
 *
 * A cell is a type with GATES, PLANES of its state (the first is the hidden state), SAVED
 * planes for the way back, and
 *     forward(pre, x, bias, before, after, saved)   gates' products to the next state
 *     backward(dh, carry, saved, before, after, dgate)   returns dx
 * where carry is the gradient that goes back in time beside the one through the weights.
 */
#ifndef CELL_CUH
#define CELL_CUH

namespace cell
{
constexpr int THREADS = 256;

__device__ float sigmoid(float v)
{
    return __fdividef(1.0f, 1.0f + __expf(-v));
}

/* For large v the fraction is 0 and for small ones 2. */
__device__ float hyperbolic(float v)
{
    return 1.0f - __fdividef(2.0f, 1.0f + __expf(2.0f * v));
}

struct lstm {
    static constexpr int GATES = 4, PLANES = 2, SAVED = 4;

    static __device__ void forward(const float *pre, float x, const float *bias,
                                   const float *before, float *after, float *saved)
    {
        float in = sigmoid(pre[0] + x + bias[0]), keep = sigmoid(pre[1] + x + bias[1]);
        float fresh = hyperbolic(pre[2] + x + bias[2]), out = sigmoid(pre[3] + x + bias[3]);

        after[1] = fmaf(keep, before[1], in * fresh);
        after[0] = out * hyperbolic(after[1]);
        saved[0] = in;
        saved[1] = keep;
        saved[2] = fresh;
        saved[3] = out;
    }
    static __device__ float backward(float dh, float &carry, const float *saved,
                                     const float *before, const float *after, float *dgate)
    {
        float in = saved[0], keep = saved[1], fresh = saved[2], out = saved[3];
        float shown = hyperbolic(after[1]);
        float dcell = fmaf(dh * out, fmaf(-shown, shown, 1.0f), carry);

        dgate[0] = dcell * fresh * in * (1.0f - in);
        dgate[1] = dcell * before[1] * keep * (1.0f - keep);
        dgate[2] = dcell * in * fmaf(-fresh, fresh, 1.0f);
        dgate[3] = dh * shown * out * (1.0f - out);
        carry = dcell * keep;
        return dgate[0] + dgate[1] + (dgate[2] + dgate[3]);
    }
    /* The carry is the cell's, not the hidden state's. */
    static __device__ float add_carry(float dh, float) { return dh; }
};

struct gru {
    static constexpr int GATES = 3, PLANES = 1, SAVED = 4;

    static __device__ void forward(const float *pre, float x, const float *bias,
                                   const float *before, float *after, float *saved)
    {
        float reset = sigmoid(pre[0] + x + bias[0]), keep = sigmoid(pre[1] + x + bias[1]);
        float past = pre[2] + bias[2], fresh = hyperbolic(fmaf(reset, past, x));

        after[0] = fmaf(keep, before[0] - fresh, fresh);
        saved[0] = reset;
        saved[1] = keep;
        saved[2] = fresh;
        saved[3] = past;
    }
    static __device__ float backward(float dh, float &carry, const float *saved,
                                     const float *before, const float *, float *dgate)
    {
        float reset = saved[0], keep = saved[1], fresh = saved[2], past = saved[3];
        float dfresh = dh * (1.0f - keep) * fmaf(-fresh, fresh, 1.0f);

        dgate[0] = dfresh * past * reset * (1.0f - reset);
        dgate[1] = dh * (before[0] - fresh) * keep * (1.0f - keep);
        dgate[2] = dfresh * reset;
        carry = dh * keep;
        return dgate[0] + dgate[1] + dfresh;
    }
    static __device__ float add_carry(float dh, float carry) { return dh + carry; }
};

/* Where a thread's unit is: in a plane, and in a product with n gates. */
struct place {
    int in_plane, in_product;
    __device__ place(int hidden, int gates)
        : in_plane(blockIdx.x * THREADS + threadIdx.x),
          in_product(in_plane / hidden * gates * hidden + in_plane % hidden)
    {
    }
};

template <int N> __device__ void load_planes(float (&to)[N], const float *from, int cells)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        to[i] = from[i * cells];
}

template <int N> __device__ void store_planes(float *to, const float (&from)[N], int cells)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        to[i * cells] = from[i];
}

/* The state before to the state after; saved is NULL in inference. */
template <class C>
__device__ void step_forward(const float *product, const float *x, const float *bias,
                             const float *before, float *after, float *saved, int hidden,
                             int cells)
{
    place at(hidden, C::GATES);
    float pre[C::GATES], own_bias[C::GATES], old_state[C::PLANES], state[C::PLANES];
    float keep[C::SAVED];

    if (at.in_plane >= cells)
        return;
    load_planes(pre, product + at.in_product, hidden);
    load_planes(own_bias, bias + at.in_plane % hidden, hidden);
    load_planes(old_state, before + at.in_plane, cells);
    C::forward(pre, x[at.in_plane], own_bias, old_state, state, keep);
    store_planes(after + at.in_plane, state, cells);
    if (saved)
        store_planes(saved + at.in_plane, keep, cells);
}

/* dh is the sum of what the result (dy) and the next step (back) want. */
template <class C>
__device__ void step_backward(const float *dy, const float *back, float *carry,
                              const float *saved, const float *before, const float *after,
                              float *dproduct, float *dx, int hidden, int cells)
{
    place at(hidden, C::GATES);
    float keep[C::SAVED], old_state[C::PLANES], state[C::PLANES], dgate[C::GATES], own_carry;
    float dh;

    if (at.in_plane >= cells)
        return;
    load_planes(keep, saved + at.in_plane, cells);
    load_planes(old_state, before + at.in_plane, cells);
    load_planes(state, after + at.in_plane, cells);
    own_carry = carry[at.in_plane];
    dh = C::add_carry(dy[at.in_plane] + back[at.in_plane], own_carry);
    dx[at.in_plane] = C::backward(dh, own_carry, keep, old_state, state, dgate);
    carry[at.in_plane] = own_carry;
    store_planes(dproduct + at.in_product, dgate, hidden);
}

} // namespace cell

#endif
