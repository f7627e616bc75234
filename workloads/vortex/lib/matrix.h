/* matrix.h - a product of square matrices, and a check of it that is not another one.
 *
 * If C = A B then C x = A (B x) for every vector x; with a wrong C this holds for few x.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "rig.h"

enum { SIZE = TINY ? 16 : 32 };

static float RIG_ARRAY a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE], bx[SIZE];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    a[i] = (float)rig_value(1, i);
    b[i] = (float)rig_value(2, i);
}

static float times_x(const float *row)
{
    float sum = 0;

    for (uint32_t k = 0; k < SIZE; k++)
        sum += row[k] * (float)rig_value(3, k);
    return sum;
}

static void make_bx(uint32_t row, void *arg)
{
    (void)arg;
    bx[row] = times_x(b + row * SIZE);
}

static uint32_t is_wrong(uint32_t row)
{
    float sum = 0;

    for (uint32_t k = 0; k < SIZE; k++)
        sum += a[row * SIZE + k] * bx[k];
    return sum != times_x(c + row * SIZE);
}

static uint32_t wrong_rows(void)
{
    rig_each(SIZE, make_bx, NULL);
    return rig_sum(SIZE, is_wrong);
}

#endif
