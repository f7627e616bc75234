/* lps.cu - one Jacobi step of Laplace's equation on a cube of nodes.
 *
 * A block of 32x4 threads holds three planes of its tile with a ring around and marches
 * up: per plane it moves two planes down in shared memory, loads the next one, and averages
 * six neighbours. Threads of the first rows also load the ring: two rows of the ring are
 * two rows of threads, its columns the threads after them. Nodes on the cube's surface keep
 * their values.
 */
enum { WIDE = 32, HIGH = 4, BELOW = 0, HERE = 1, ABOVE = 2, PLANES = 3 };

struct cube {
    int nx, ny, nz;
};

/* A node that a thread loads: its place in the tile and in a plane of the cube. */
struct node {
    int row, column, x, y;
    bool exists;
};

static __device__ struct node node_make(struct cube cube, int row, int column)
{
    struct node n = { .row = row, .column = column };

    n.x = (int)blockIdx.x * WIDE + column - 1;
    n.y = (int)blockIdx.y * HIGH + row - 1;
    n.exists = n.x >= 0 && n.x < cube.nx && n.y >= 0 && n.y < cube.ny;
    return n;
}

static __device__ struct node ring_make(struct cube cube)
{
    int k = threadIdx.y * WIDE + threadIdx.x - 2 * WIDE;
    struct node none = { .exists = false };

    if (threadIdx.y < 2)
        return node_make(cube, threadIdx.y * (HIGH + 1), threadIdx.x + 1);
    return k < 2 * HIGH ? node_make(cube, k / 2 + 1, k % 2 * (WIDE + 1)) : none;
}

static __device__ void advance(float tile[PLANES][HIGH + 2][WIDE + 2], struct node n,
                               const float *u, struct cube cube, int next)
{
    if (!n.exists)
        return;
    tile[BELOW][n.row][n.column] = tile[HERE][n.row][n.column];
    tile[HERE][n.row][n.column] = tile[ABOVE][n.row][n.column];
    if (next < cube.nz)
        tile[ABOVE][n.row][n.column] = u[(next * cube.ny + n.y) * cube.nx + n.x];
}

extern "C" __global__ void laplace_step(const float *u, float *out, struct cube cube)
{
    __shared__ float tile[PLANES][HIGH + 2][WIDE + 2];
    struct node own = node_make(cube, threadIdx.y + 1, threadIdx.x + 1);
    struct node ring = ring_make(cube);
    int row = own.row, column = own.column;
    bool inside = own.x > 0 && own.x < cube.nx - 1 && own.y > 0 && own.y < cube.ny - 1;

    for (int plane = BELOW; plane < PLANES; plane++)
        tile[plane][row][column] = 0.0f;
    if (ring.exists)
        for (int plane = BELOW; plane < PLANES; plane++)
            tile[plane][ring.row][ring.column] = 0.0f;
    advance(tile, own, u, cube, 0);
    advance(tile, ring, u, cube, 0);
    for (int z = 0; z < cube.nz; z++) {
        advance(tile, own, u, cube, z + 1);
        advance(tile, ring, u, cube, z + 1);
        __syncthreads();
        if (own.exists) {
            float value = tile[HERE][row][column];

            if (inside && z > 0 && z < cube.nz - 1)
                value = (tile[HERE][row][column - 1] + tile[HERE][row][column + 1] +
                         tile[HERE][row - 1][column] + tile[HERE][row + 1][column] +
                         tile[BELOW][row][column] + tile[ABOVE][row][column]) *
                        (1.0f / 6.0f);
            out[(z * cube.ny + own.y) * cube.nx + own.x] = value;
        }
        __syncthreads();
    }
}
