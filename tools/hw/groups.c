/* groups.c - asks a GPU in which order the groups of tests/data/converge/groups.cu run.
 * usage: groups CUBIN   writes the lines of tests/data/converge/groups.txt; see groups.sh.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                  \
    do {                                                           \
        CUresult result = (call);                                  \
                                                                   \
        if (result) {                                              \
            fprintf(stderr, "%s: error %d\n", #call, (int)result); \
            exit(1);                                               \
        }                                                          \
    } while (0)

#include "../../tests/unit/groups.h"

int main(int argc, char **argv)
{
    CUcontext context;
    struct groups g;

    if (argc != 2)
        return fprintf(stderr, "usage: groups CUBIN\n"), 1;
    TRY(cuInit(0));
    TRY(cuDevicePrimaryCtxRetain(&context, 0));
    TRY(cuCtxSetCurrent(context));
    groups_init(&g, argv[1]);
    for (int k = 0; k < GROUP_KERNELS; k++)
        for (int s = 1; s <= GROUP_SEEDS; s++) {
            struct group_order o = groups_run(&g, k, s);

            printf("g%d %d %u %08x\n", k, s, o.n, (unsigned)o.hash);
        }
    return 0;
}
