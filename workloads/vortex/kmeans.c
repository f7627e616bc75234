/* kmeans.c - points in clusters: each point joins the nearest centre, then each centre
 * moves to the middle of its points. Features are transposed first, so that neighbouring
 * threads read neighbours. Centres are rounded down to whole numbers: distances are
 * exact. */
#include "maths.h"
#include "rig.h"

enum { POINTS = TINY ? 64 : 512, FEATURES = 4, CENTRES = 5, ROUNDS = TINY ? 2 : 3 };
enum { COORDINATES = CENTRES * FEATURES, POWER = 32 };

static float RIG_ARRAY points[POINTS * FEATURES], features[FEATURES * POINTS];
static float RIG_ARRAY centres[ROUNDS + 1][COORDINATES];
static uint32_t RIG_ARRAY cluster_of[POINTS];

/* Four clouds and some noise. */
static uint32_t coordinate(uint32_t point, uint32_t feature)
{
    return (((point >> feature % 2) & 1) << 4) + rig_value(feature, point * 5 >> 1);
}

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    points[i] = (float)coordinate(i / FEATURES, i % FEATURES);
}

/* The first points are the first centres. */
static void fill_centres(uint32_t i, void *arg)
{
    (void)arg;
    centres[0][i] = points[i];
}

static void transpose(void *arg)
{
    uint32_t point = blockIdx.x;

    (void)arg;
    for (uint32_t f = 0; f < FEATURES; f++)
        features[f * POINTS + point] = points[point * FEATURES + f];
}

static void assign(void *arg)
{
    const float *centre = arg;
    uint32_t point = blockIdx.x, nearest = 0;
    float least = 1e30f;

    for (uint32_t c = 0; c < CENTRES; c++) {
        float distance = 0;

        for (uint32_t f = 0; f < FEATURES; f++) {
            float d = features[f * POINTS + point] - centre[c * FEATURES + f];

            distance += d * d;
        }
        VX_IF(distance < least)
        least = distance;
        nearest = c;
        VX_END
    }
    cluster_of[point] = nearest;
}

/* One coordinate of a centre; a centre without points goes to 0. */
static void move(void *arg)
{
    uint32_t i = blockIdx.x, c = i / FEATURES, f = i % FEATURES, n = 0;
    float sum = 0;

    for (uint32_t p = 0; p < POINTS; p++) {
        uint32_t is_mine = cluster_of[p] == c;

        sum += maths_select(is_mine, features[f * POINTS + p], 0);
        n += is_mine;
    }
    ((float *)arg)[i] = (float)(uint32_t)(sum / (float)(n + !n));
}

/* No centre is nearer, and none before is as near. */
static uint32_t is_lost(uint32_t point)
{
    const float *centre = centres[ROUNDS - 1];
    uint32_t mine = cluster_of[point], least = ~0u, nearest = 0;

    for (uint32_t c = 0; c < CENTRES; c++) {
        uint32_t distance = 0, is_less;

        for (uint32_t f = 0; f < FEATURES; f++) {
            uint32_t d = coordinate(point, f) - (uint32_t)centre[c * FEATURES + f];

            distance += d * d;
        }
        is_less = distance < least;
        least = (distance & -is_less) | (least & (is_less - 1));
        nearest = (c & -is_less) | (nearest & (is_less - 1));
    }
    return mine != nearest;
}

/* Where the points of a cluster have their middle, the differences add up to less than
 * there are points. */
static uint32_t is_misplaced(uint32_t i)
{
    uint32_t exists = i < COORDINATES, at = i & -exists;
    uint32_t c = at / FEATURES, f = at % FEATURES, n = 0, sum = 0;
    uint32_t centre = (uint32_t)centres[ROUNDS][at];

    for (uint32_t p = 0; p < POINTS; p++) {
        uint32_t is_mine = cluster_of[p] == c;

        sum += (coordinate(p, f) - centre) & -is_mine;
        n += is_mine;
    }
    return exists & (sum >= n + !n);
}

int main(void)
{
    uint32_t all[] = { POINTS }, coordinates[] = { COORDINATES };

    rig_each(POINTS * FEATURES, fill, NULL);
    rig_each(COORDINATES, fill_centres, NULL);
    vx_spawn_threads(1, all, NULL, transpose, NULL);
    rig_sync();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        vx_spawn_threads(1, all, NULL, assign, centres[round]);
        rig_sync();
        vx_spawn_threads(1, coordinates, NULL, move, centres[round + 1]);
        rig_sync();
    }
    return rig_end("kmeans", rig_sum(POINTS, is_lost) + rig_sum(POWER, is_misplaced));
}
