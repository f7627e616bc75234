/* matrixmul.cu - C = A B by tiles of 32x32 staged in shared memory.
 *
 * A block of 32x32 threads makes one tile of C; all extents are multiples of 32. Two
 * barriers a tile: after filling, and before the next fill overwrites what is read.
 */
enum { TILE = 32 };

extern "C" __global__ void matrixmul(const float *a, const float *b, float *c, int inner,
                                     int cols)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int base = 0; base < inner; base += TILE) {
        tile_a[ty][tx] = a[row * inner + base + tx];
        tile_b[ty][tx] = b[(base + ty) * cols + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum = fmaf(tile_a[ty][k], tile_b[k][tx], sum);
        __syncthreads();
    }
    c[row * cols + col] = sum;
}
