/* pg_matrixmul.cu - product of two small matrices of integers.
 *
 * A task is one block; a thread computes every blockDim-th element straight from global
 * memory. A warp reads one element of a and 32 neighbours of b per step.
 */
extern "C" __global__ void matrix_product(const int *a, const int *b, int *c, int side)
{
    for (int p = threadIdx.x; p < side * side; p += blockDim.x) {
        int column = p % side, row = p / side;
        int sum = 0;

        for (int k = 0; k < side; k++)
            sum += a[row * side + k] * b[k * side + column];
        c[row * side + column] = sum;
    }
}
