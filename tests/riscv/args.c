/* args.c - a kernel with arguments: sum = a + b, a message, and a number of its own that
 * every launch sees as zero. */
#include "args.h"

#include "vx_print.h"
#include "vx_spawn.h"

static uint32_t n_launches;

static void add(void *arg)
{
    const struct args *args = arg;
    const uint32_t *a = (const uint32_t *)args->a, *b = (const uint32_t *)args->b;
    uint32_t i = blockIdx.x;

    ((uint32_t *)args->sum)[i] = a[i] + b[i];
}

int main(void)
{
    struct args *args = (struct args *)csr_read(VX_CSR_MSCRATCH);

    n_launches++;
    vx_spawn_threads(1, &args->n, NULL, add, args);
    vx_printf("%u words, launch %u\n", (unsigned)args->n, (unsigned)n_launches);
    return (int)n_launches - 1;
}
