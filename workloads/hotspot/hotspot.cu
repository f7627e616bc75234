/* hotspot.cu - temperature of a chip: a five-point stencil, several steps a launch.
 *
 * A block of 16x16 threads holds its patch and one ghost ring for each step; with
 * each step a ring goes stale and only the middle is written back. Cells beyond the
 * chip's edge mirror the edge cell. The factor two is a double constant, which makes
 * most of the cell's arithmetic double, as in the suite the papers use.
 */
enum { SIDE = 16 };

/* Scaled inverse resistances in x, y and to the ambient, and time over capacity. */
struct chip {
    float rx, ry, rz, step;
};

static __device__ float cell(struct chip chip, float power, float mid, float north,
                             float south, float west, float east)
{
    const float ambient = 80.0f;
    double down = fma(-2.0, (double)mid, (double)(south + north));
    double along = fma(-2.0, (double)mid, (double)(east + west));
    double sum = fma(down, (double)chip.ry, (double)power);

    sum = fma(along, (double)chip.rx, sum);
    sum += (double)((ambient - mid) * chip.rz);
    return (float)fma((double)chip.step, sum, (double)mid);
}

extern "C" __global__ void hotspot(const float *power, const float *src, float *dst,
                                   int cols, int rows, int steps, int halo,
                                   struct chip chip)
{
    __shared__ float now[SIDE][SIDE];
    __shared__ float heat[SIDE][SIDE];
    __shared__ float then[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x0 = (int)blockIdx.x * (SIDE - 2 * halo) - halo;
    int y0 = (int)blockIdx.y * (SIDE - 2 * halo) - halo;
    int x = x0 + tx, y = y0 + ty;
    bool inside = x >= 0 && x < cols && y >= 0 && y < rows;
    /* The part of the patch that lies on the chip, in patch coordinates. */
    int left = max(0, -x0), right = min(SIDE - 1, cols - 1 - x0);
    int top = max(0, -y0), bottom = min(SIDE - 1, rows - 1 - y0);
    int west = max(tx - 1, left), east = min(tx + 1, right);
    int north = max(ty - 1, top), south = min(ty + 1, bottom);
    bool known = false;

    if (inside) {
        now[ty][tx] = src[y * cols + x];
        heat[ty][tx] = power[y * cols + x];
    }
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        known = inside && tx > i && tx < SIDE - 1 - i && ty > i && ty < SIDE - 1 - i;
        if (known)
            then[ty][tx] = cell(chip, heat[ty][tx], now[ty][tx], now[north][tx],
                                now[south][tx], now[ty][west], now[ty][east]);
        __syncthreads();
        if (i == steps - 1)
            break;
        if (known)
            now[ty][tx] = then[ty][tx];
        __syncthreads();
    }
    if (known && tx >= halo && tx < SIDE - halo && ty >= halo && ty < SIDE - halo)
        dst[y * cols + x] = then[ty][tx];
}
