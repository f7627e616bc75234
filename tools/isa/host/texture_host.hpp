/* texture_host.hpp - textures and surfaces on the CPU: the nearest texel and whole elements only.
 *
 * Written from the programming guide alone; it shares nothing with the simulator. There is one image at a time, and three
 * objects on it as tests/isa/texture.c makes them.
 */
#ifndef TEXTURE_HOST_H
#define TEXTURE_HOST_H
#include <cmath>
#include <vector>

extern "C" {
#include "image.h"
}

#define HOST
#define TKERNEL(name) KERNEL(name)
typedef uint64_t cudaTextureObject_t, cudaSurfaceObject_t;
static const uint64_t t = 1, t2 = 2, s = 3;
extern suite_image host_image;
extern std::vector<uint8_t> host_pixels;

struct float2 {
    float x, y;
};
struct float4 {
    float x, y, z, w;
};
struct int2 {
    int x, y;
};
struct ushort2 {
    uint16_t x, y;
};
struct char4 {
    int8_t x, y, z, w;
};
static inline float2 make_float2(float x, float y)
{
    return { x, y };
}
static inline uint2 make_uint2(uint32_t x, uint32_t y)
{
    return { x, y };
}
static inline uint32_t __float_as_uint(float v)
{
    uint32_t b;
    memcpy(&b, &v, 4);
    return b;
}

enum { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

static inline uint8_t *host_row(long y, long z)
{
    long h = host_image.size[1] ? host_image.size[1] : 1;
    return host_pixels.data() +
           (z * h + y) * host_image.size[0] * suite_image_texel(&host_image);
}
template <class T> static T host_read(long x, long y, long z)
{
    T v;
    memcpy(&v, host_row(y, z) + x * (long)sizeof(T), sizeof v);
    return v;
}
template <class T> static T tex1Dfetch(uint64_t, int i)
{
    return i < 0 || i >= (int)host_image.size[0] ? T{} : host_read<T>(i, 0, 0);
}

/* The texel that a coordinate falls on; -1: none. */
static inline long host_texel(uint64_t o, float x, long n)
{
    bool unit = o == t2 || host_image.flags & SUITE_IMAGE_UNIT,
         wrap = o == t2 || host_image.flags & SUITE_IMAGE_WRAP;
    long i = (long)std::floor(unit ? (double)x * n : (double)x);
    if (wrap)
        return ((i % n) + n) % n;
    if (o == t && host_image.flags & SUITE_IMAGE_MIRROR) {
        long k = ((i % (2 * n)) + 2 * n) % (2 * n);
        return k < n ? k : 2 * n - 1 - k;
    }
    if (host_image.flags & SUITE_IMAGE_BORDER)
        return i < 0 || i >= n ? -1 : i;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
template <class T> static T host_point(long x, long y, long z)
{
    return x < 0 || y < 0 || z < 0 ? T{} : host_read<T>(x, y, z);
}
static inline long host_layer(int l)
{
    return (uint32_t)l >= host_image.size[2] ? (long)host_image.size[2] - 1 : l;
}
#define X host_texel(o, x, host_image.size[0])
#define Y host_texel(o, y, host_image.size[1])
template <class T> static T tex1D(uint64_t o, float x)
{
    return host_point<T>(X, 0, 0);
}
template <class T> static T tex2D(uint64_t o, float x, float y)
{
    return host_point<T>(X, Y, 0);
}
template <class T> static T tex3D(uint64_t o, float x, float y, float z)
{
    return host_point<T>(X, Y, host_texel(o, z, host_image.size[2]));
}
template <class T> static T tex1DLayered(uint64_t o, float x, int l)
{
    return host_point<T>(X, 0, host_layer(l));
}
template <class T> static T tex2DLayered(uint64_t o, float x, float y, int l)
{
    return host_point<T>(X, Y, host_layer(l));
}
template <class T> static T tex2DLod(uint64_t o, float x, float y, float)
{
    return tex2D<T>(o, x, y);
}
template <class T> static T tex2DGrad(uint64_t o, float x, float y, float2, float2)
{
    return tex2D<T>(o, x, y);
}
template <class T> static T tex3DLod(uint64_t o, float x, float y, float z, float)
{
    return tex3D<T>(o, x, y, z);
}
template <class T>
static T tex2DLayeredGrad(uint64_t o, float x, float y, int l, float2, float2)
{
    return tex2DLayered<T>(o, x, y, l);
}
#undef X
#undef Y

/* Where an access by bytes goes; NULL: nowhere. */
static inline uint8_t *host_surface(long x, long y, long z, long bytes, int mode)
{
    long w = (long)host_image.size[0] * suite_image_texel(&host_image),
         h = host_image.size[1] ? host_image.size[1] : 1,
         d = host_image.size[2] ? host_image.size[2] : 1;
    bool out = x < 0 || x + bytes > w || y < 0 || y >= h || z < 0 || z >= d;
    if (out && mode != cudaBoundaryModeClamp)
        return NULL;
    x = x < 0 ? 0 : x + bytes > w ? w - bytes : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    z = z < 0 ? 0 : z >= d ? d - 1 : z;
    return host_row(y, z) + x;
}
template <class T> static T host_suld(long x, long y, long z, int mode)
{
    T v{};
    uint8_t *p = host_surface(x, y, z, sizeof v, mode);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}
template <class T> static void host_sust(T v, long x, long y, long z, int mode)
{
    uint8_t *p = host_surface(x, y, z, sizeof v, mode);
    if (p)
        memcpy(p, &v, sizeof v);
}
template <class T> static T surf1Dread(uint64_t, int x, int m = cudaBoundaryModeTrap)
{
    return host_suld<T>(x, 0, 0, m);
}
template <class T>
static T surf2Dread(uint64_t, int x, int y, int m = cudaBoundaryModeTrap)
{
    return host_suld<T>(x, y, 0, m);
}
template <class T>
static T surf3Dread(uint64_t, int x, int y, int z, int m = cudaBoundaryModeTrap)
{
    return host_suld<T>(x, y, z, m);
}
template <class T>
static T surf2DLayeredread(uint64_t, int x, int y, int l, int m = cudaBoundaryModeTrap)
{
    return host_suld<T>(x, y, l, m);
}
template <class T>
static void surf1DLayeredwrite(T v, uint64_t, int x, int l,
                               int m = cudaBoundaryModeTrap)
{
    host_sust(v, x, 0, l, m);
}
template <class T>
static void surf2Dwrite(T v, uint64_t, int x, int y, int m = cudaBoundaryModeTrap)
{
    host_sust(v, x, y, 0, m);
}
template <class T>
static void surf3Dwrite(T v, uint64_t, int x, int y, int z,
                        int m = cudaBoundaryModeTrap)
{
    host_sust(v, x, y, z, m);
}
#endif
