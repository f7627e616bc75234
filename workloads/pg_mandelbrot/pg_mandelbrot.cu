/* pg_mandelbrot.cu - escape times of one small picture of the Mandelbrot set.
 *
 * A task is one block; a thread takes every blockDim-th pixel, one after the other, and
 * follows its orbit: a chain in which every step needs the one before. The factor two of
 * the imaginary part and the corners of the view are doubles, as in the suite's program,
 * so each step goes to double and back. The picture is stored column by column.
 */
static __device__ float place(int at, int side, double low, double high)
{
    double sum = fma((double)at, high, (double)(side - at - 1) * low);

    return (float)(sum / (double)(side - 1));
}

static __device__ void follow_orbit(float cx, float cy, int limit, int *steps)
{
    float x = cx, y = cy;

    *steps = 0;
    for (int k = 1; k <= limit; k++) {
        float next_x = fmaf(x, x, -(y * y)) + cx;
        float next_y = (float)fma(2.0 * (double)x, (double)y, (double)cy);

        if (next_x < -2.0f || next_x > 2.0f || next_y < -2.0f || next_y > 2.0f) {
            *steps = k;
            break;
        }
        x = next_x;
        y = next_y;
    }
}

/* The view is [-2.25, 1.25] x [-1.75, 1.75], moved by shift in both directions. */
extern "C" __global__ void mandelbrot_picture(int *steps, float shift, int side,
                                              int limit)
{
    double left = -2.25 + (double)shift, right = 1.25 + (double)shift;
    double bottom = -1.75 + (double)shift, top = 1.75 + (double)shift;

    for (int p = threadIdx.x; p < side * side; p += blockDim.x) {
        int column = p % side, row = p / side;

        follow_orbit(place(column, side, left, right), place(row, side, bottom, top),
                     limit, &steps[column * side + row]);
    }
}
