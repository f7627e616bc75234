/* cp.cu - electrostatic potential of point charges on a plane of grid points.
 *
 * A block of 16x8 threads covers 32x8 points, a thread two of them, sixteen columns apart: they
 * share what depends on y and z. All charges are in constant memory, read by every thread
 * alike; each holds x, y, the square of its distance from the plane, and its charge.
 */
enum { ACROSS = 16, MOST_CHARGES = 256 };

__constant__ float4 charges[MOST_CHARGES];

extern "C" __global__ void cp(float *potential, int n_charges, float spacing)
{
    int column = blockIdx.x * 2 * ACROSS + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int at = row * (int)(gridDim.x * 2 * ACROSS) + column;
    float x = __fmul_rn(spacing, (float)column), y = __fmul_rn(spacing, (float)row);
    float apart = spacing * (float)ACROSS;
    float left = 0.0f, right = 0.0f;

    for (int i = 0; i < n_charges; i++) {
        float4 charge = charges[i];
        float dy = y - charge.y, dyz = fmaf(dy, dy, charge.z);
        float dx = x - charge.x, dx2 = dx + apart;

        left = fmaf(charge.w, rsqrtf(fmaf(dx, dx, dyz)), left);
        right = fmaf(charge.w, rsqrtf(fmaf(dx2, dx2, dyz)), right);
    }
    potential[at] += left;
    potential[at + ACROSS] += right;
}
