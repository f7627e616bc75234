/* diverge.c - lanes that part: each follows its number to 1 (halve the even, triple the
 * odd and add 1), counting steps of three kinds. */
#include "rig.h"

enum { N = TINY ? 64 : 512 };

struct steps {
    uint32_t even, odd, high;
};

static struct steps RIG_ARRAY steps[N];

static void diverge(void *arg)
{
    uint32_t i = blockIdx.x, v = i + 1;
    struct steps s = { 0, 0, 0 };

    (void)arg;
    VX_WHILE(v != 1)
    VX_IF(v & 1)
    v = 3 * v + 1;
    s.odd++;
    VX_IF(v > 100)
    s.high++;
    VX_END
    VX_ELSE
    v >>= 1;
    s.even++;
    VX_END
    VX_END_WHILE
    steps[i] = s;
}

/* The same without parting: numbers that have arrived stay at 1. */
static uint32_t is_wrong(uint32_t i)
{
    uint32_t v = i + 1, even = 0, odd = 0, high = 0;

    for (uint32_t k = 0; k < (TINY ? 130 : 150); k++) {
        uint32_t runs = v != 1, is_odd = v & runs, up = 3 * v + 1;
        uint32_t next = (up & -is_odd) | (v >> 1 & (is_odd - 1));

        odd += is_odd;
        even += runs - is_odd;
        high += is_odd & (up > 100);
        v = (next & -runs) | (v & (runs - 1));
    }
    return (steps[i].even != even) | (steps[i].odd != odd) | (steps[i].high != high) |
           (v != 1);
}

int main(void)
{
    uint32_t grid[] = { N };

    vx_spawn_threads(1, grid, NULL, diverge, NULL);
    rig_sync();
    return rig_end("diverge", rig_sum(N, is_wrong));
}
