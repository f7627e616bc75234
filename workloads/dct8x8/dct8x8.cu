/* dct8x8.cu - discrete cosine transform of an image in tiles of 8x8, and back.
 *
 * A block of 8x8 threads transforms one tile, a thread one coefficient: two products of
 * 8x8 matrices in shared memory, with the cosines in constant memory. The tile comes
 * through a texture. Between the transform and its inverse coefficients are rounded to
 * multiples of a quantum, which is where an image loses detail.
 */
enum { SIDE = 8 };

/* Row u, column x: the factor of point x in coefficient u. */
__constant__ float cosine[SIDE][SIDE];
__constant__ short quantum[SIDE][SIDE];

static __device__ float texel(cudaTextureObject_t plane)
{
    return tex2D<float>(plane, (float)(blockIdx.x * SIDE + threadIdx.x) + 0.5f,
                        (float)(blockIdx.y * SIDE + threadIdx.y) + 0.5f);
}

static __device__ int place(int width)
{
    return (blockIdx.y * SIDE + threadIdx.y) * width + blockIdx.x * SIDE + threadIdx.x;
}

/* The thread's element of the matrix to the left of the tile times the tile: `left` are
 * that matrix's eight numbers, `stride` apart, for the thread's row. */
static __device__ float times_tile(const float *left, int stride,
                                   const float tile[SIDE][SIDE])
{
    float sum = 0.0f;

#pragma unroll
    for (int i = 0; i < SIDE; i++)
        sum = fmaf(left[i * stride], tile[i][threadIdx.x], sum);
    return sum;
}

/* The same for a matrix to its right, whose numbers are those of the thread's column. */
static __device__ float tile_times(const float tile[SIDE][SIDE], const float *right,
                                   int stride)
{
    float sum = 0.0f;

#pragma unroll
    for (int i = 0; i < SIDE; i++)
        sum = fmaf(tile[threadIdx.y][i], right[i * stride], sum);
    return sum;
}

extern "C" __global__ void dct_forward(float *coefficients, int width,
                                       cudaTextureObject_t image)
{
    __shared__ float tile[SIDE][SIDE], half[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;

    tile[y][x] = texel(image);
    __syncthreads();
    half[y][x] = times_tile(cosine[y], 1, tile);
    __syncthreads();
    tile[y][x] = tile_times(half, cosine[x], 1);
    __syncthreads();
    coefficients[place(width)] = tile[y][x];
}

extern "C" __global__ void dct_quantise(float *coefficients, int width)
{
    float q = (float)quantum[threadIdx.y][threadIdx.x];
    int at = place(width);

    coefficients[at] = rintf(coefficients[at] / q) * q;
}

extern "C" __global__ void dct_inverse(float *image, int width,
                                       cudaTextureObject_t coefficients)
{
    __shared__ float tile[SIDE][SIDE], half[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;

    tile[y][x] = texel(coefficients);
    __syncthreads();
    half[y][x] = times_tile(&cosine[0][y], SIDE, tile);
    __syncthreads();
    tile[y][x] = tile_times(half, &cosine[0][x], SIDE);
    __syncthreads();
    image[place(width)] = tile[y][x];
}
