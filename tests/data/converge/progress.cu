/* progress.cu - lanes of a warp that wait for one another: each must get its turn.
 * Built by nvcc -arch=sm_XX -cubin. */
#define KERNEL(name) extern "C" __global__ void name(volatile int *flag, int *out)

/* A lock that the lanes of a warp take one after another. */
KERNEL(lock)
{
    bool done = false;
    while (!done) {
        if (atomicCAS((int *)flag, 0, 1) == 0) {
            flag[1] = flag[1] + 1;
            __threadfence();
            atomicExch((int *)flag, 0);
            done = true;
        }
    }
    out[threadIdx.x] = 1;
}

/* Each lane waits for the next, the last for none. */
KERNEL(chain)
{
    int l = threadIdx.x;
    if (l < 31)
        while (flag[l + 1] == 0)
            ;
    flag[l] = l + 1;
    out[l] = 1;
}

/* Twelve lanes spin in two loops for the other twenty, which a divergent branch parks. */
KERNEL(starve)
{
    int l = threadIdx.x, r = 0;
    if (l < 20) {
        for (int i = 0; i < 5; i++)
            r += flag[3 + i];
        flag[1] = 1;
        flag[0] = 1;
    } else if (l < 28) {
        while (flag[0] == 0)
            r++;
    } else {
        while (flag[1] == 0)
            r += 2;
    }
    out[l] = r >= 0;
}

/* The same, while the loops that spin part their lanes again and again. */
KERNEL(starve_apart)
{
    int l = threadIdx.x, r = 0;
    if (l < 20) {
        for (int i = 0; i < 5; i++)
            r += flag[3 + i];
        flag[0] = 1;
    } else {
        while (flag[0] == 0) {
#pragma unroll 1
            for (int i = 0; i < (l & 3) + 1; i++)
                flag[8] = i;
            r++;
        }
    }
    out[l] = r >= 0;
}

/* The lanes hand a turn round, and sleep meanwhile. */
KERNEL(relay)
{
    int l = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        while (flag[0] != i * 32 + l)
            __nanosleep(20);
        flag[0] = i * 32 + l + 1;
    }
    out[l] = 1;
}
