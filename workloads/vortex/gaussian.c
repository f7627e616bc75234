/* gaussian.c - a system of equations brought to triangular form, two kernels per column:
 * the multiples of the pivot's row, then the rows below it less these.
 *
 * The matrix is a product of two triangular ones of whole numbers, and these must come
 * out: the multiples of one and what is left of the other, exactly.
 */
#include "rig.h"

enum { SIZE = TINY ? 12 : 24, POWER = TINY ? 256 : 1024 };

static float RIG_ARRAY matrix[SIZE * SIZE], multiples[SIZE * SIZE], right[SIZE];

static uint32_t lower(uint32_t row, uint32_t column)
{
    return (row == column) | (rig_value(1, row * 5 + column) & 3 & -(row > column));
}

static uint32_t upper(uint32_t row, uint32_t column)
{
    return (rig_value(2, row + column * 3) + 1) & -(uint32_t)(row <= column);
}

static void fill(uint32_t i, void *arg)
{
    uint32_t row = i / SIZE, column = i % SIZE, sum = 0;

    (void)arg;
    for (uint32_t k = 0; k < SIZE; k++)
        sum += lower(row, k) * upper(k, column);
    matrix[i] = (float)sum;
    multiples[i] = 0;
}

/* The last column of the left side once more: it must become that of the matrix. */
static void fill_right(uint32_t row, void *arg)
{
    (void)arg;
    right[row] = matrix[row * SIZE + SIZE - 1];
}

static void find_multiples(void *arg)
{
    uint32_t pivot = *(const uint32_t *)arg, row = blockIdx.x;

    VX_IF(row > pivot)
    multiples[row * SIZE + pivot] =
        matrix[row * SIZE + pivot] / matrix[pivot * SIZE + pivot];
    VX_END
}

static void subtract(void *arg)
{
    uint32_t pivot = *(const uint32_t *)arg, column = blockIdx.x, row = blockIdx.y;

    VX_IF((row > pivot) & (column >= pivot))
    float multiple = multiples[row * SIZE + pivot];

    matrix[row * SIZE + column] -= multiple * matrix[pivot * SIZE + column];
    VX_IF(column == pivot)
    right[row] -= multiple * right[pivot];
    VX_END
    VX_END
}

static uint32_t is_wrong(uint32_t i)
{
    uint32_t exists = i < SIZE * SIZE, at = i & -exists;
    uint32_t row = at / SIZE, column = at % SIZE, below = row > column;

    return exists & (((uint32_t)matrix[at] != upper(row, column)) |
                     ((uint32_t)multiples[at] != (lower(row, column) & -below)) |
                     ((uint32_t)right[row] != upper(row, SIZE - 1)));
}

int main(void)
{
    uint32_t rows[] = { SIZE }, square[] = { SIZE, SIZE };

    rig_each(SIZE * SIZE, fill, NULL);
    rig_each(SIZE, fill_right, NULL);
    for (uint32_t pivot = 0; pivot < SIZE - 1; pivot++) {
        vx_spawn_threads(1, rows, NULL, find_multiples, &pivot);
        rig_sync();
        vx_spawn_threads(2, square, NULL, subtract, &pivot);
        rig_sync();
    }
    return rig_end("gaussian", rig_sum(POWER, is_wrong));
}
