/* dwt2d.cu - wavelet transform of a colour image by lifting, 5/3 (int) and 9/7 (float).
 *
 * split_int and split_float take a byte image apart into its three colours. dwt53 and
 * dwt97 transform a level: a block of 64 threads has 64 columns and slides a window of 8
 * lines down them. Each thread lifts a column in shared memory, the first few also one
 * of the columns beside the window; then all lift the window's lines. Lines of low and
 * high frequencies, and columns, go to four bands. Pixels beyond the edges mirror those
 * within.
 */
enum { SPLIT_THREADS = 256, WIDTH = 64, LINES = 8 };

/* In each step every other element is changed by its neighbours, odd ones first. */
struct filter53 {
    typedef int T;
    enum { STEPS = 2 };

    static __device__ int lift(int step, int before, int mid, int after)
    {
        return step == 0 ? mid - ((before + after) >> 1)
                         : mid + ((before + after + 2) >> 2);
    }

    static __device__ int scale(int v, bool) { return v; }
};

struct filter97 {
    typedef float T;
    enum { STEPS = 4 };

    static __device__ float lift(int step, float before, float mid, float after)
    {
        const float factor[STEPS] = { -1.586134342f, -0.05298011854f, 0.8829110762f,
                                      0.4435068522f };

        return fmaf(factor[step], before + after, mid);
    }

    static __device__ float scale(float v, bool is_high)
    {
        return v * (is_high ? 1.230174105f : 0.8128930661f);
    }
};

/* The window with STEPS more lines and columns before it, and one less after it. Even
 * and odd columns lie apart, so that neither way of lifting has bank conflicts. */
template <class F> struct tile {
    enum { BEFORE = F::STEPS, MORE = 2 * F::STEPS - 1 };
    enum { ROWS = LINES + MORE, COLS = WIDTH + MORE, HALF = 48 };

    typename F::T at[ROWS][2][HALF];

    __device__ typename F::T &operator()(int row, int col)
    {
        return at[row][col % 2][col / 2];
    }
};

/* A level's input: pixels of sx columns and sy lines. */
template <class T> struct plane {
    const T *pixels;
    int sx, sy;

    template <bool CHECKED> __device__ T load(int x, int y) const
    {
        if (CHECKED) {
            x = mirror(x, sx);
            y = mirror(y, sy);
        }
        return pixels[y * sx + x];
    }

    /* Far beyond the edge, where no result depends on it, any pixel will do. */
    static __device__ int mirror(int i, int n)
    {
        i = abs(i);
        return i < n ? i : max(0, 2 * (n - 1) - i);
    }
};

/* Bands lie one after the other: low, high in x, high in y, high in both. */
template <class T>
static __device__ void store(T *bands, int sx, int sy, int x, int y, T v)
{
    int low_x = (sx + 1) / 2, low_y = (sy + 1) / 2;
    int wide = x % 2 ? sx / 2 : low_x;
    int lines = y % 2 ? sy / 2 : low_y;
    int base = (y % 2 ? sx * low_y : 0) + (x % 2 ? low_x * lines : 0);

    bands[base + y / 2 * wide + x / 2] = v;
}

/* Brings the new lines of a column into the tile, below those carried over from the
 * window above, and lifts it. */
template <class F, bool CHECKED>
static __device__ void lift_column(tile<F> &t, plane<typename F::T> in, int x, int y,
                                   int col, typename F::T *carried)
{
    const int more = tile<F>::MORE, rows = tile<F>::ROWS;

    for (int i = 0; i < more; i++)
        t(i, col) = carried[i];
    for (int i = more; i < rows; i++)
        t(i, col) = in.template load<CHECKED>(x, y + i);
    for (int i = 0; i < more; i++)
        carried[i] = t(LINES + i, col);
#pragma unroll
    for (int step = 0; step < F::STEPS; step++)
        for (int i = step + 1; i <= rows - 2 - step; i += 2)
            t(i, col) = F::lift(step, t(i - 1, col), t(i, col), t(i + 1, col));
}

/* Lifts the window's lines, all threads together. */
template <class F> static __device__ void lift_lines(tile<F> &t)
{
#pragma unroll
    for (int step = 0; step < F::STEPS; step++) {
        int per_line = (tile<F>::COLS - 1) / 2 - step;

        __syncthreads();
        for (int i = threadIdx.x; i < per_line * LINES; i += WIDTH) {
            int row = i / per_line + F::STEPS, col = i % per_line * 2 + step + 1;

            t(row, col) = F::lift(step, t(row, col - 1), t(row, col), t(row, col + 1));
        }
    }
    __syncthreads();
}

template <class F, bool CHECKED>
static __device__ void slide(tile<F> &t, plane<typename F::T> in, typename F::T *bands,
                             int windows)
{
    typedef typename F::T T;
    const int more = tile<F>::MORE, before = tile<F>::BEFORE;
    int tx = threadIdx.x, x0 = blockIdx.x * WIDTH - before;
    int y0 = blockIdx.y * LINES * windows - before;
    int beside =
        tx < before ? tx : WIDTH + tx; /* of the first threads: another column */
    int out = tx < WIDTH / 2 ? 2 * tx : 2 * tx - WIDTH + 1;
    T carried[more], carried_beside[more];

    for (int i = 0; i < more; i++) {
        carried[i] = in.template load<CHECKED>(x0 + before + tx, y0 + i);
        if (tx < more)
            carried_beside[i] = in.template load<CHECKED>(x0 + beside, y0 + i);
    }
    for (int w = 0; w < windows; w++, y0 += LINES) {
        lift_column<F, CHECKED>(t, in, x0 + before + tx, y0, before + tx, carried);
        if (tx < more)
            lift_column<F, CHECKED>(t, in, x0 + beside, y0, beside, carried_beside);
        lift_lines<F>(t);
        for (int i = 0; i < LINES; i++) {
            int x = x0 + before + out, y = y0 + before + i;

            if (!CHECKED || (x < in.sx && y < in.sy))
                store(bands, in.sx, in.sy, x, y,
                      F::scale(F::scale(t(before + i, before + out), x % 2), y % 2));
        }
        __syncthreads();
    }
}

template <class F>
static __device__ void transform(const typename F::T *pixels, typename F::T *bands,
                                 int sx, int sy, int windows)
{
    __shared__ tile<F> t;
    plane<typename F::T> in = { pixels, sx, sy };
    bool is_inside = blockIdx.x > 0 && blockIdx.y > 0 &&
                     (blockIdx.x + 1) * WIDTH + F::STEPS <= sx &&
                     (blockIdx.y + 1) * LINES * windows + F::STEPS <= sy;

    if (is_inside)
        slide<F, false>(t, in, bands, windows);
    else
        slide<F, true>(t, in, bands, windows);
}

extern "C" __global__ void __launch_bounds__(WIDTH)
    dwt53(const int *pixels, int *bands, int sx, int sy, int windows)
{
    transform<filter53>(pixels, bands, sx, sy, windows);
}

extern "C" __global__ void __launch_bounds__(WIDTH)
    dwt97(const float *pixels, float *bands, int sx, int sy, int windows)
{
    transform<filter97>(pixels, bands, sx, sy, windows);
}

/* Three colours of n pixels each, around zero, one after the other. The image is filled
 * up to whole blocks. */
template <class T>
static __device__ void split(const unsigned *image, T *colours, int n)
{
    __shared__ unsigned words[SPLIT_THREADS * 3 / 4];
    const unsigned char *bytes = (const unsigned char *)words;
    int tx = threadIdx.x, at = blockIdx.x * SPLIT_THREADS + tx;

    if (tx < SPLIT_THREADS * 3 / 4)
        words[tx] = image[blockIdx.x * (SPLIT_THREADS * 3 / 4) + tx];
    __syncthreads();
    if (at < n) {
        for (int i = 0; i < 3; i++)
            colours[i * n + at] = (T)(bytes[tx * 3 + i] - 128);
    }
}

extern "C" __global__ void split_int(const unsigned *image, int *colours, int n)
{
    split<int>(image, colours, n);
}

extern "C" __global__ void split_float(const unsigned *image, float *colours, int n)
{
    split<float>(image, colours, n);
}
