/* conv.cuh - convolutions as matrix products whose operands are gathered on the way.
 *
 * Tensors are stored with channels innermost: x[n][h][w][c], filters[k][r][s][c],
 * y[n][p][q][k]. Depth runs through the channels, then through the columns and rows of the
 * filter, so that a slab is a run of channels at one place of the filter.
 *
 * Sums are made in the order of depth, zeros included, as in product.cuh.
 */
#ifndef CONV_CUH
#define CONV_CUH

#include "conv_shape.h"
#include "product.cuh"

/* Operand with a line for each position (n, p, q) of the filter: what lies under it, zero
 * outside the image. T is a float, or a word of several channels. */
template <class T, int DEPTH> struct patches {
    const T *at;  /* this thread's first channel, under the filter's place */
    int channels; /* in units of T */
    int h, w, cols;
    int y, x, col;
    int left; /* channels to come at this place */

    template <class SHARE>
    __device__ patches(const T *image, const struct conv &v, int channels_, const SHARE &mine)
        : channels(channels_), h(v.h), w(v.w), cols(v.s), col(0), left(channels_)
    {
        int n = mine.line / (v.p * v.q), in = mine.line % (v.p * v.q);

        y = in / v.q * v.stride - v.pad;
        x = in % v.q * v.stride - v.pad;
        at = image + ((ptrdiff_t)(n * h + y) * w + x) * channels + mine.first;
    }
    template <int N> __device__ void fetch(T (&next)[N])
    {
        if ((unsigned)y < (unsigned)h && (unsigned)x < (unsigned)w)
            load_run(next, at);
        else
            for (int i = 0; i < N; i++)
                next[i] = T{};
        at += DEPTH;
        left -= DEPTH;
        if (left == 0)
            move_on();
    }
    /* To the next place of the filter; along its row the pointer is there already. */
    __device__ void move_on()
    {
        left = channels;
        col++;
        x++;
        if (col < cols)
            return;
        col = 0;
        x -= cols;
        y++;
        at += (ptrdiff_t)(w - cols) * channels;
    }
};

/* Operand with a line for each channel c: the filters turned by half a circle, depth through
 * the k of each place. */
template <int DEPTH> struct turned_filters {
    const float *at;
    int stride, channels, filters, left;

    template <class SHARE>
    __device__ turned_filters(const float *filter, const struct conv &v, const SHARE &mine)
        : stride(v.r * v.s * v.c), channels(v.c), filters(v.k), left(v.k)
    {
        at = filter + (size_t)mine.first * stride + (v.r * v.s - 1) * channels + mine.line;
    }
    template <int N> __device__ void fetch(float (&next)[N])
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            next[i] = at[i * stride];
        at += DEPTH * stride;
        left -= DEPTH;
        if (left == 0) {
            left = filters;
            at -= (size_t)filters * stride + channels;
        }
    }
};

/* What a number below 2^32 / d is multiplied by, so that the high word is a d-th of it. */
__device__ unsigned inverse(unsigned d)
{
    return 0xffffffffu / d + 1;
}

/* Operand with a line for each (r, s, c): the image as this place of the filter sees it,
 * depth through the positions (n, p, q). Stride 1, and as many positions as
 * pixels, at least 2 in each direction. */
template <int DEPTH> struct shifted_image {
    const float *at;
    int channels, h, w, down, right, position;
    unsigned by_h, by_w;

    template <class SHARE>
    __device__ shifted_image(const float *image, const struct conv &v, const SHARE &mine)
        : channels(v.c), h(v.h), w(v.w), position(mine.first), by_h(inverse(v.h)),
          by_w(inverse(v.w))
    {
        int place = mine.line / v.c;

        down = place / v.s - v.pad;
        right = place % v.s - v.pad;
        at = image + (ptrdiff_t)(position + down * w + right) * channels + mine.line % v.c;
    }
    __device__ bool is_inside(int at_position) const
    {
        int line = __umulhi(at_position, by_w), image = __umulhi(line, by_h);

        return (unsigned)(line - image * h + down) < (unsigned)h &&
               (unsigned)(at_position - line * w + right) < (unsigned)w;
    }
    template <int N> __device__ void fetch(float (&next)[N])
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            next[i] = is_inside(position + i) ? at[i * channels] : 0.0f;
        at += DEPTH * channels;
        position += DEPTH;
    }
};

/* ---- the three products of a layer; a block makes a tile of the result ---- */

template <class S> struct convolution {
    using row_share = share<S::ROWS, S::ROW_EACH>;
    using col_share = share<S::COLS, S::COL_EACH>;

    static __device__ void forward(const float *x, const float *filters, float *y,
                                   const struct conv &v)
    {
        int positions = v.n * v.p * v.q, depth = v.r * v.s * v.c;

        make_tile<S>(
            patches<float, S::DEPTH>(x, v, v.c, row_share(blockIdx.y, positions)),
            along<float, S::DEPTH>(filters, depth, col_share(blockIdx.x, v.k)), y, positions,
            v.k, depth);
    }
    /* dx is what a convolution of dy with the turned filters gives. Stride 1, r == s. */
    static __device__ void backward_data(const float *dy, const float *filters, float *dx,
                                         const struct conv &v)
    {
        struct conv back = { v.n, v.p, v.q, v.k, v.c, v.r, v.s, v.r - 1 - v.pad, 1, v.h, v.w };
        int pixels = v.n * v.h * v.w;

        make_tile<S>(
            patches<float, S::DEPTH>(dy, back, v.k, row_share(blockIdx.y, pixels)),
            turned_filters<S::DEPTH>(filters, v, col_share(blockIdx.x, v.c)), dx, pixels,
            v.c, v.r * v.s * v.k);
    }
    static __device__ void backward_filter(const float *x, const float *dy, float *dfilters,
                                           const struct conv &v)
    {
        int places = v.r * v.s * v.c;

        make_tile<S>(across<S::DEPTH>(dy, v.k, row_share(blockIdx.y, v.k)),
                     shifted_image<S::DEPTH>(x, v, col_share(blockIdx.x, places)), dfilters,
                     v.k, places, v.n * v.p * v.q);
    }
};

#endif
