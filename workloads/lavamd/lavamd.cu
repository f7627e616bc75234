/* lavamd.cu - potential and force of particles in a box of boxes, all in double.
 *
 * A block of 128 threads has one box of 100 particles, a thread a particle. Particles
 * act on those of the same box and of the boxes around it, and on no others; box after
 * box is brought into shared memory, and each thread goes through it.
 */
enum { THREADS = 128, PARTICLES = 100, MAX_NEAR = 26 };

/* A place with half its square, or a force with its potential. */
struct quad {
    double v, x, y, z;
};

struct box {
    int first;  /* of its particles */
    int n_near; /* boxes around it */
    int near[MAX_NEAR];
};

/* Adds what one charge at b does to a particle at a. */
static __device__ void add_pair(struct quad a, struct quad b, double charge,
                                double sharpness, struct quad *sum)
{
    double dot = fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
    double v = exp(-(sharpness * (a.v + b.v - dot)));
    double slope = 2.0 * v;

    sum->v = fma(charge, v, sum->v);
    sum->x = fma(charge, slope * (a.x - b.x), sum->x);
    sum->y = fma(charge, slope * (a.y - b.y), sum->y);
    sum->z = fma(charge, slope * (a.z - b.z), sum->z);
}

extern "C" __global__ void lavamd(const struct box *boxes, const struct quad *place,
                                  const double *charge, struct quad *force,
                                  double sharpness)
{
    __shared__ struct quad home[PARTICLES];
    __shared__ struct quad other[PARTICLES];
    __shared__ double other_charge[PARTICLES];
    const struct box *box = &boxes[blockIdx.x];
    int tx = threadIdx.x, first = box->first;

    if (tx < PARTICLES)
        home[tx] = place[first + tx];
    __syncthreads();
    for (int k = 0; k <= box->n_near; k++) {
        int from = k == 0 ? first : boxes[box->near[k - 1]].first;

        if (tx < PARTICLES) {
            other[tx] = place[from + tx];
            other_charge[tx] = charge[from + tx];
        }
        __syncthreads();
        if (tx < PARTICLES) {
            struct quad sum = force[first + tx];

            for (int j = 0; j < PARTICLES; j++)
                add_pair(home[tx], other[j], other_charge[j], sharpness, &sum);
            force[first + tx] = sum;
        }
        __syncthreads();
    }
}
