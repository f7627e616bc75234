/* particlefilter.cu - particles follow an object through the frames of a noisy video.
 *
 * Four kernels per frame, a thread per particle, all in double. likelihood moves each
 * particle by a normally distributed step and weighs it by how much the pixels of a disk
 * around it look like the object (general powers and an exponential; which pixels is
 * kept in memory between); a tree in shared memory sums a block's weights. sum adds the
 * blocks' sums in one thread. normalize divides the weights, while one thread of the
 * grid adds them up one after the other. find has each thread search those sums from the
 * start for the particle that takes its place.
 */
enum { MAX_THREADS = 512 };

struct particles {
    double *x, *y;                     /* where they are */
    double *chosen_x, *chosen_y;       /* where those were that find chose */
    double *likelihood, *raw, *weight; /* raw: before they were divided by their sum */
    double *running, *wanted; /* sums of raw weights; what find looks for in them */
    double *sums;             /* of the blocks; [0] of all after kernel sum */
    unsigned *seed;
    int n;
};

/* A video, all frames of a pixel side by side, and the disk's pixels as steps from its
 * centre. */
struct scene {
    const unsigned char *video;
    const int2 *disk;
    int side, frames, n_disk;
};

/* Uniform in (0, 1]. */
static __device__ double draw_uniform(unsigned *seed)
{
    const unsigned modulus = 2147483647u;

    *seed = (1103515245u * *seed + 12345u) % modulus;
    return ((double)*seed + 1.0) / (double)modulus;
}

/* Normally distributed, by Box and Muller. */
static __device__ double draw_normal(unsigned *seed)
{
    const double pi = 3.14159265358979323846;
    double u = draw_uniform(seed), v = draw_uniform(seed);

    return sqrt(-2.0 * log(u)) * cos(2.0 * pi * v);
}

/* Notes which pixels of the video the disk covers when its centre is at x, y. */
static __device__ void cover(struct scene scene, int frame, double x, double y,
                             int *pixels)
{
    int size = scene.side * scene.side * scene.frames;

    for (int i = 0; i < scene.n_disk; i++) {
        int px = (int)floor(x + 0.5) + scene.disk[i].x;
        int py = (int)floor(y + 0.5) + scene.disk[i].y;
        int at = abs((px * scene.side + py) * scene.frames + frame);

        pixels[i] = at < size ? at : 0;
    }
}

/* How much more those pixels are like the object than like what is behind it. */
static __device__ double compare(struct scene scene, const int *pixels)
{
    const double behind = 100.0, object = 228.0;
    double sum = 0.0;

    for (int i = 0; i < scene.n_disk; i++) {
        double pixel = (double)scene.video[pixels[i]];

        sum += (pow(pixel - behind, 2.0) - pow(pixel - object, 2.0)) / 50.0;
    }
    return sum / scene.n_disk;
}

extern "C" __global__ void likelihood(struct particles p, struct scene scene,
                                      int *pixels, int frame)
{
    __shared__ double sum[MAX_THREADS];
    int tx = threadIdx.x, i = blockIdx.x * blockDim.x + tx;

    sum[tx] = 0.0;
    if (i < p.n) {
        p.x[i] = p.chosen_x[i] + 1.0 + 5.0 * draw_normal(&p.seed[i]);
        p.y[i] = p.chosen_y[i] - 2.0 + 2.0 * draw_normal(&p.seed[i]);
    }
    __syncthreads();
    if (i < p.n) {
        int *mine = pixels + i * scene.n_disk;

        cover(scene, frame, p.x[i], p.y[i], mine);
        p.likelihood[i] = compare(scene, mine);
        p.raw[i] = 1.0 / (double)p.n * exp(p.likelihood[i]);
        sum[tx] = p.raw[i];
    }
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (tx < step)
            sum[tx] += sum[tx + step];
        __syncthreads();
    }
    if (tx == 0)
        p.sums[blockIdx.x] = sum[0];
}

extern "C" __global__ void sum(struct particles p)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        double total = 0.0;

        for (int i = 0; i < gridDim.x; i++)
            total += p.sums[i];
        p.sums[0] = total;
    }
}

/* first: less than 1 / n; each particle looks for so much and its share of the total. */
extern "C" __global__ void normalize(struct particles p, double first)
{
    __shared__ double total;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        total = p.sums[0];
    __syncthreads();
    if (i < p.n)
        p.weight[i] = p.raw[i] / total;
    __syncthreads();
    if (i == 0) {
        double running = 0.0;

        for (int k = 0; k < p.n; k++) {
            running += p.raw[k];
            p.running[k] = running;
        }
    }
    __syncthreads();
    if (i < p.n)
        p.wanted[i] = (first + i / (double)p.n) * total;
}

extern "C" __global__ void find(struct particles p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = p.n - 1;

    if (i >= p.n)
        return;
    for (int k = 0; k < p.n; k++) {
        if (p.running[k] >= p.wanted[i]) {
            found = k;
            break;
        }
    }
    p.chosen_x[i] = p.x[found];
    p.chosen_y[i] = p.y[found];
}
