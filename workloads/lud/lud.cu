/* lud.cu - LU factors of a matrix in place, by blocks of 16x16.
 *
 * For each step along the diagonal: lud_diagonal factors the diagonal block (16
 * threads), lud_perimeter solves the blocks right of it and below it (a block pair
 * for 32 threads: one half the row block, the other the column block), lud_internal
 * subtracts their product from every block of the rest (16x16 threads). L has a unit
 * diagonal. No pivoting: the matrix must be diagonally dominant.
 */
enum { B = 16 };

extern "C" __global__ void lud_diagonal(float *m, int dim, int at)
{
    __shared__ float d[B][B];
    int tx = threadIdx.x;

    for (int i = 0; i < B; i++)
        d[i][tx] = m[(at + i) * dim + at + tx];
    __syncthreads();
    for (int i = 0; i < B - 1; i++) {
        if (tx > i) {
            float v = d[tx][i];

            for (int k = 0; k < i; k++)
                v = fmaf(-d[tx][k], d[k][i], v);
            d[tx][i] = v / d[i][i];
        }
        __syncthreads();
        if (tx > i) {
            float v = d[i + 1][tx];

            for (int k = 0; k <= i; k++)
                v = fmaf(-d[i + 1][k], d[k][tx], v);
            d[i + 1][tx] = v;
        }
        __syncthreads();
    }
    for (int i = 1; i < B; i++)
        m[(at + i) * dim + at + tx] = d[i][tx];
}

extern "C" __global__ void lud_perimeter(float *m, int dim, int at)
{
    __shared__ float d[B][B];
    __shared__ float row[B][B];
    __shared__ float col[B][B];
    int away = at + ((int)blockIdx.x + 1) * B;
    int tx = threadIdx.x % B;
    bool is_row = threadIdx.x < B;

    if (is_row) {
        for (int i = 0; i < B / 2; i++)
            d[i][tx] = m[(at + i) * dim + at + tx];
        for (int i = 0; i < B; i++)
            row[i][tx] = m[(at + i) * dim + away + tx];
    } else {
        for (int i = B / 2; i < B; i++)
            d[i][tx] = m[(at + i) * dim + at + tx];
        for (int i = 0; i < B; i++)
            col[i][tx] = m[(away + i) * dim + at + tx];
    }
    __syncthreads();
    if (is_row) {
        for (int i = 1; i < B; i++) {
            float v = row[i][tx];

            for (int k = 0; k < i; k++)
                v = fmaf(-d[i][k], row[k][tx], v);
            row[i][tx] = v;
        }
    } else {
        for (int i = 0; i < B; i++) {
            float v = col[tx][i];

            for (int k = 0; k < i; k++)
                v = fmaf(-col[tx][k], d[k][i], v);
            col[tx][i] = v / d[i][i];
        }
    }
    __syncthreads();
    if (is_row) {
        for (int i = 1; i < B; i++)
            m[(at + i) * dim + away + tx] = row[i][tx];
    } else {
        for (int i = 0; i < B; i++)
            m[(away + i) * dim + at + tx] = col[i][tx];
    }
}

extern "C" __global__ void lud_internal(float *m, int dim, int at)
{
    __shared__ float row[B][B];
    __shared__ float col[B][B];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = at + ((int)blockIdx.x + 1) * B + tx;
    int y = at + ((int)blockIdx.y + 1) * B + ty;
    float sum = 0.0f;

    row[ty][tx] = m[(at + ty) * dim + x];
    col[ty][tx] = m[y * dim + at + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < B; k++)
        sum = fmaf(col[ty][k], row[k][tx], sum);
    m[y * dim + x] -= sum;
}
