/* feature.h - what every feature kernel shares.
 *
 * A kernel takes (out, in, n): zeroed output words, seeded input words, one number.
 * The line "// run NAME key=value..." above a kernel is its launch; tools/isa/build.sh
 * collects those lines into the table that the runner reads. Keys: grid, block (x,y,z),
 * out, in (words), kind (of input), n, smem (dynamic bytes), arch (least), want=error,
 * tex (see image.c).
 */
#ifndef FEATURE_H
#define FEATURE_H
#include <stdint.h>
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
#define KERNEL(name)                                                                   \
    extern "C" __global__ void name(u32 *__restrict__ out, const u32 *__restrict__ in, \
                                    u32 n)
#define TID (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
#define CTA (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z))
#define GID (CTA * (blockDim.x * blockDim.y * blockDim.z) + TID)
static __device__ __forceinline__ u32 mix(u32 x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}
#endif
