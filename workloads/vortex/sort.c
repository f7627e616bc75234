/* sort.c - each thread finds the place of its number: those below it, and those equal
 * that come before. */
#include "rig.h"

enum { N = TINY ? 64 : 256 };

static uint32_t RIG_ARRAY numbers[N], sorted[N], seen[N];

static uint32_t number(uint32_t i)
{
    return rig_value(1, i) << 4 | rig_value(2, i);
}

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    numbers[i] = number(i);
    sorted[i] = ~0u;
    seen[i] = ~0u;
}

static void sort(void *arg)
{
    uint32_t i = blockIdx.x, mine = numbers[i], place = 0;

    (void)arg;
    for (uint32_t k = 0; k < N; k++) {
        uint32_t other = numbers[k];

        place += (other < mine) | ((other == mine) & (k < i));
    }
    sorted[place] = mine;
    seen[place] = i;
}

/* In order, and every place taken by another number. */
static uint32_t is_wrong(uint32_t i)
{
    uint32_t next = i + (i < N - 1), from = seen[i] & (N - 1);
    uint32_t is_mine = seen[i] < N;

    return (sorted[i] > sorted[next]) | (sorted[i] != number(from)) | !is_mine |
           ((sorted[i] == sorted[next]) & (i != next) & (seen[i] >= seen[next]));
}

int main(void)
{
    uint32_t grid[] = { N };

    rig_each(N, fill, NULL);
    vx_spawn_threads(1, grid, NULL, sort, NULL);
    rig_sync();
    return rig_end("sort", rig_sum(N, is_wrong));
}
