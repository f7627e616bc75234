/* spin.cu - threads that wait for each other: locks and turns inside one warp and between blocks.
 *
 * A module of its own: a machine without fair progress hangs here, and nothing else is lost.
 */
#include "feature.h"

// run warp_spin grid=4 block=64 out=8 in=256
KERNEL(warp_spin)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(out, 0, 1) == 0) {
            volatile u32 *o = out;
            o[1] += in[GID]; o[2] = o[2] + 1;
            __threadfence();
            atomicExch(out, 0);
            done = true;
        }
    }
}
// run warp_spinwait grid=1 block=32 out=40 in=32
KERNEL(warp_spinwait)
{
    volatile u32 *turn = out + 32;
    while (*turn != 31 - GID) {}
    out[GID] = in[GID] + *turn;
    __threadfence();
    *turn = *turn + 1;
}
// run warp_producer grid=1 block=32 out=34 in=32
KERNEL(warp_producer)
{
    volatile u32 *flag = out + 32;
    if (GID < 16) { while (*flag == 0) __nanosleep(20); out[GID] = out[GID + 16] + in[GID]; }
    else { out[GID] = in[GID] * 3; __threadfence(); __syncwarp(0xffff0000); if (GID == 31) *flag = 1; }
}
// run warp_fairlock grid=2 block=64 out=144 in=128
KERNEL(warp_fairlock)
{
    u32 me = GID % 8;
    while (atomicCAS(out + me, 0, 1) != 0) {}
    volatile u32 *o = out + 136 + me;
    *o = *o * 1 + in[GID];
    __threadfence();
    atomicExch(out + me, 0);
    out[8 + GID] = 1;
}
