/* gaussian.cu - elimination of a system of linear equations, a column per pair of launches.
 *
 * fan1 has a thread per row below the diagonal and finds its multiplier; fan2 has a
 * thread per element of those rows, in blocks of 4x4 (half a warp), and subtracts the
 * multiple of the column's row. Threads next to each other in x are in different rows,
 * so none of their accesses lie side by side.
 */
extern "C" __global__ void fan1(float *factor, const float *matrix, int n, int column)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x + column + 1;

    if (row >= n)
        return;
    factor[row * n + column] = matrix[row * n + column] / matrix[column * n + column];
}

extern "C" __global__ void fan2(const float *factor, float *matrix, float *right, int n,
                                int column)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x + column + 1;
    int at = blockIdx.y * blockDim.y + threadIdx.y + column;

    if (row >= n)
        return;
    if (at >= n)
        return;
    float times = factor[row * n + column];
    matrix[row * n + at] = fmaf(-times, matrix[column * n + at], matrix[row * n + at]);
    if (at == column)
        right[row] = fmaf(-times, right[column], right[row]);
}
