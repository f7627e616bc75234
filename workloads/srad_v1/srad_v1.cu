/* srad_v1.cu - speckle-reducing anisotropic diffusion of an ultrasound image.
 *
 * The image is stored by columns and a thread has one pixel. Six kernels: extract undoes
 * the logarithm the image was stored with, compress applies it again; between them, per
 * iteration, prepare and reduce give the sums of the pixels and of their squares (the
 * host makes the speckle's variance of them), srad the slopes and the coefficient of
 * diffusion of each pixel, srad2 the new image. Neighbours are found through tables, in
 * which edge pixels are their own neighbours. Double constants make part of the
 * arithmetic double, as in the suite the papers use.
 */
enum { THREADS = 512 };

/* Slopes to the four neighbours, one array each. */
struct slopes {
    float *north, *south, *west, *east;
};

/* Neighbours by row and by column. */
struct around {
    const int *north, *south, *west, *east;
};

static __device__ int pixel_of_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

extern "C" __global__ void extract(float *image, int n)
{
    int at = pixel_of_thread();

    if (at < n)
        image[at] = expf(image[at] / 255.0f);
}

extern "C" __global__ void compress(float *image, int n)
{
    int at = pixel_of_thread();

    if (at < n)
        image[at] = logf(image[at]) * 255.0f;
}

extern "C" __global__ void prepare(const float *image, float *sums, float *squares,
                                   int n)
{
    int at = pixel_of_thread();

    if (at < n) {
        float v = image[at];

        sums[at] = v;
        squares[at] = v * v;
    }
}

/* Leaves the sum of elements 0 to n - 1 in element n - 1; n is a power of two. */
static __device__ void fold(float *sum, float *square, int n)
{
    int tx = threadIdx.x;

    for (int step = 2; step <= n; step *= 2) {
        if ((tx + 1) % step == 0 && tx < n) {
            sum[tx] = sum[tx] + sum[tx - step / 2];
            square[tx] = square[tx] + square[tx - step / 2];
        }
        __syncthreads();
    }
}

/* Sums of n numbers that lie stride apart, one per block, left where the block's first
 * number was. In a block that is not full the largest power of two of them is folded;
 * one thread adds the others. */
extern "C" __global__ void reduce(float *sums, float *squares, int n, int stride)
{
    __shared__ float sum[THREADS];
    __shared__ float square[THREADS];
    int tx = threadIdx.x, first = blockIdx.x * THREADS;
    int here = min(THREADS, n - first), folded = THREADS;

    if (tx < here) {
        sum[tx] = sums[(first + tx) * stride];
        square[tx] = squares[(first + tx) * stride];
    }
    __syncthreads();
    if (here == THREADS) {
        fold(sum, square, THREADS);
    } else {
        while (folded > here)
            folded /= 2;
        fold(sum, square, folded);
    }
    if (tx == folded - 1) {
        float total = sum[tx], total_square = square[tx];

        for (int i = folded; i < here; i++) {
            total = total + sums[(first + i) * stride];
            total_square = total_square + squares[(first + i) * stride];
        }
        sums[first * stride] = total;
        squares[first * stride] = total_square;
    }
}

/* The coefficient of diffusion, 0 (an edge) to 1: from the coefficient of variation of
 * a pixel's surroundings and that of the speckle, both squared. */
static __device__ float diffusion(float mid, float north, float south, float west,
                                  float east, float speckle)
{
    float magnitude =
        fmaf(east, east, fmaf(west, west, fmaf(south, south, north * north)));
    float gradient = magnitude / (mid * mid);
    float laplacian = (north + south + west + east) / mid;
    float square = laplacian * laplacian;
    float above = (float)fma(0.5, (double)gradient, -0.0625 * (double)square);
    float below = (float)fma(0.25, (double)laplacian, 1.0);
    float variation = above / (below * below);
    float excess = (variation - speckle) / (speckle * (1.0f + speckle));
    float c = (float)(1.0 / (1.0 + (double)excess));

    if (c < 0.0f)
        c = 0.0f;
    else if (c > 1.0f)
        c = 1.0f;
    return c;
}

extern "C" __global__ void srad(const float *image, struct around around,
                                struct slopes slopes, float *coefficient, int rows,
                                int n, float speckle)
{
    int at = pixel_of_thread();
    int row = at % rows, col = at / rows;

    if (at < n) {
        float mid = image[at];
        float north = image[around.north[row] + rows * col] - mid;
        float south = image[around.south[row] + rows * col] - mid;
        float west = image[row + rows * around.west[col]] - mid;
        float east = image[row + rows * around.east[col]] - mid;
        float c = diffusion(mid, north, south, west, east, speckle);

        slopes.north[at] = north;
        slopes.south[at] = south;
        slopes.west[at] = west;
        slopes.east[at] = east;
        coefficient[at] = c;
    }
}

extern "C" __global__ void srad2(float *image, struct around around,
                                 struct slopes slopes, const float *coefficient,
                                 int rows, int n, float rate)
{
    int at = pixel_of_thread();
    int row = at % rows, col = at / rows;

    if (at < n) {
        float mid = coefficient[at];
        float south = coefficient[around.south[row] + rows * col];
        float east = coefficient[row + rows * around.east[col]];
        float flow = mid * slopes.north[at];

        flow = fmaf(south, slopes.south[at], flow);
        flow = fmaf(mid, slopes.west[at], flow);
        flow = fmaf(east, slopes.east[at], flow);
        image[at] = (float)fma(0.25 * (double)rate, (double)flow, (double)image[at]);
    }
}
