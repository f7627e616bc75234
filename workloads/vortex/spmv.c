/* spmv.c - a sparse matrix times a vector. The matrix is stored by jagged diagonals: rows
 * in order of their lengths, the k-th numbers of all rows next to each other, so that
 * neighbouring threads read neighbours. Lanes whose rows end wait for the others. */
#include "rig.h"

enum { N = TINY ? 64 : 512, LONGEST = TINY ? 16 : 32, SAME = N / LONGEST };

static float RIG_ARRAY numbers[N * LONGEST], x[N], y[N];
static uint32_t RIG_ARRAY columns[N * LONGEST], lengths[N], rows[N],
    starts[LONGEST + 1];

/* Of the rows by length, the longest first: SAME rows of every length. */
static uint32_t length_of(uint32_t place)
{
    return LONGEST - place / SAME;
}

static uint32_t row_of(uint32_t place)
{
    return place * 5 & (N - 1);
}

/* Where the k-th number of the row at a place is: in column .. */
static uint32_t column_of(uint32_t place, uint32_t k)
{
    return (place * 3 + k * 7 + rig_value(1, k)) & (N - 1);
}

static uint32_t number_of(uint32_t place, uint32_t k)
{
    return rig_value(2, place + k);
}

static void fill(uint32_t place, void *arg)
{
    (void)arg;
    x[place] = (float)rig_value(3, place);
    lengths[place] = length_of(place);
    rows[place] = row_of(place);
}

static void fill_diagonal(uint32_t place, void *arg)
{
    uint32_t k = *(const uint32_t *)arg;

    numbers[starts[k] + place] = (float)number_of(place, k);
    columns[starts[k] + place] = column_of(place, k);
}

static void spmv(void *arg)
{
    uint32_t place = blockIdx.x, length = lengths[place], k = 0;
    float sum = 0;

    (void)arg;
    VX_WHILE(k < length)
    uint32_t at = starts[k] + place;

    sum += numbers[at] * x[columns[at]];
    k++;
    VX_END_WHILE
    y[rows[place]] = sum;
}

static uint32_t is_wrong(uint32_t place)
{
    uint32_t sum = 0;

    for (uint32_t k = 0; k < LONGEST; k++)
        sum += number_of(place, k) * rig_value(3, column_of(place, k)) &
               -(uint32_t)(k < length_of(place));
    return (uint32_t)y[row_of(place)] != sum;
}

int main(void)
{
    uint32_t grid[] = { N };

    rig_each(N, fill, NULL);
    starts[0] = 0;
    for (uint32_t k = 0; k < LONGEST; k++) {
        uint32_t n_rows = N - k * SAME;

        starts[k + 1] = starts[k] + n_rows;
        rig_each(n_rows, fill_diagonal, &k);
    }
    vx_spawn_threads(1, grid, NULL, spmv, NULL);
    rig_sync();
    return rig_end("spmv", rig_sum(N, is_wrong));
}
