/* mipmaps.cu - mipmapped arrays: levels, how one is chosen, and the filter between two. The
 * checksums are those of an H200's results, all bits of them.
 */
#include <vector>

#include "check.h"

typedef void lookup(cudaTextureObject_t t, const float4 *in, float *out, int n);

#define LOOKUP(name, call)                                                       \
    __global__ void name(cudaTextureObject_t t, const float4 *in, float *out, int n) \
    {                                                                            \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                           \
        float4 p = in[i < n ? i : 0];                                            \
                                                                                 \
        if (i < n)                                                               \
            out[i] = call;                                                       \
    }
LOOKUP(lod1, tex1DLod<float>(t, p.x, p.z))
LOOKUP(lod2, tex2DLod<float>(t, p.x, p.y, p.z))
LOOKUP(lod3, tex3DLod<float>(t, p.x, p.y, p.w, p.z))
LOOKUP(layer, tex2DLayeredLod<float>(t, p.x, p.y, 1, p.z))
LOOKUP(cube, texCubemapLod<float>(t, p.x, p.y, p.w, p.z))
LOOKUP(plain, tex2D<float>(t, p.x, p.y))
LOOKUP(grad, tex2DGrad<float>(t, .5f, .5f, make_float2(p.x, p.y), make_float2(p.z, p.w)))

static unsigned seed = 1;

static float random_unit()
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(seed >> 8) / 16777216.0f;
}

static int half_of(int n, int level)
{
    return n >> level ? n >> level : 1;
}

static cudaExtent level_size(cudaExtent e, int level, unsigned flags)
{
    bool has_slices = flags & (cudaArrayLayered | cudaArrayCubemap);

    e.width = half_of(e.width, level);
    e.height = e.height ? half_of(e.height, level) : 1;
    e.depth = has_slices ? e.depth : e.depth ? half_of(e.depth, level) : 1;
    return e;
}

/* Texels are the level's number, or random. */
template <class T>
static cudaMipmappedArray_t make(cudaExtent size, int levels, unsigned flags,
                                 bool is_random)
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
    cudaMipmappedArray_t m;

    GOOD(cudaMallocMipmappedArray(&m, &f, size, levels, flags));
    for (int l = 0; l < levels; l++) {
        cudaMemcpy3DParms p = {};

        p.extent = level_size(size, l, flags);
        std::vector<T> texels(p.extent.width * p.extent.height * p.extent.depth);
        for (T &t : texels)
            t = (T)(!is_random         ? l
                    : sizeof(T) == 1 ? random_unit() * 255.99f
                                     : random_unit() * 2 - 1);
        GOOD(cudaGetMipmappedArrayLevel(&p.dstArray, m, l));
        p.srcPtr = make_cudaPitchedPtr(texels.data(), p.extent.width * sizeof(T),
                                       p.extent.width, p.extent.height);
        p.kind = cudaMemcpyHostToDevice;
        GOOD(cudaMemcpy3D(&p));
    }
    return m;
}

struct sampler {
    cudaTextureFilterMode filter, between;
    float bias, least, most;
    cudaTextureReadMode read;
    cudaTextureAddressMode address;
};

static cudaTextureObject_t object(cudaMipmappedArray_t m, const sampler &s)
{
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t o;

    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    t.filterMode = s.filter;
    t.mipmapFilterMode = s.between;
    t.normalizedCoords = 1;
    t.mipmapLevelBias = s.bias;
    t.minMipmapLevelClamp = s.least;
    t.maxMipmapLevelClamp = s.most;
    t.readMode = s.read;
    for (int i = 0; i < 3; i++)
        t.addressMode[i] = s.address;
    GOOD(cudaCreateTextureObject(&o, &r, &t, NULL));
    return o;
}

static std::vector<float> run(lookup *f, cudaTextureObject_t t,
                              const std::vector<float4> &in)
{
    std::vector<float> out(in.size());
    float4 *from;
    float *to;

    GOOD(cudaMalloc(&from, in.size() * sizeof *from));
    GOOD(cudaMalloc(&to, in.size() * sizeof *to));
    GOOD(cudaMemcpy(from, in.data(), in.size() * sizeof *from, cudaMemcpyHostToDevice));
    f<<<(in.size() + 127) / 128, 128>>>(t, from, to, (int)in.size());
    GOOD(cudaMemcpy(out.data(), to, in.size() * sizeof *to, cudaMemcpyDeviceToHost));
    GOOD(cudaFree(from));
    GOOD(cudaFree(to));
    return out;
}

static unsigned checksum(const std::vector<float> &v)
{
    unsigned sum = 2166136261u, bits;

    for (float f : v) {
        memcpy(&bits, &f, sizeof bits);
        sum = (sum ^ bits) * 16777619u;
    }
    return sum;
}

static std::vector<float4> random_points(int n, float levels, bool is_direction)
{
    std::vector<float4> v;

    for (int i = 0; i < n; i++) {
        float x = random_unit() * 3 - 1, y = random_unit() * 3 - 1;
        float w = random_unit() * 3 - 1, l = random_unit() * levels;

        if (is_direction) {
            w = 1;
            x = random_unit() * 1.8f - .9f;
            y = random_unit() * 1.8f - .9f;
        }
        v.push_back(make_float4(x, y, l, w));
    }
    return v;
}

static const cudaTextureFilterMode POINT = cudaFilterModePoint,
                                   LINEAR = cudaFilterModeLinear;

static void points(const char *what, cudaMipmappedArray_t m, const sampler &s, lookup *f,
                   int n, float levels, bool is_direction = false)
{
    std::vector<float> v = run(f, object(m, s), random_points(n, levels, is_direction));

    printf("%s: %08x\n", what, checksum(v));
}

static void filters()
{
    const cudaTextureReadMode AS_IS = cudaReadModeElementType,
                              UNIT = cudaReadModeNormalizedFloat;
    const cudaTextureAddressMode WRAP = cudaAddressModeWrap,
                                 CLAMP = cudaAddressModeClamp;
    cudaMipmappedArray_t m = make<float>(make_cudaExtent(24, 20, 0), 5, 0, true);

    points("float, linear, linear", m, { LINEAR, LINEAR, 0, 0, 99, AS_IS, WRAP }, lod2,
           600, 5);
    points("float, linear, point", m, { LINEAR, POINT, 0, 0, 99, AS_IS, WRAP }, lod2, 200,
           5);
    points("float, point, linear", m, { POINT, LINEAR, 0, 0, 99, AS_IS, WRAP }, lod2, 300,
           5);
    points("float, point, point", m, { POINT, POINT, 0, 0, 99, AS_IS, WRAP }, lod2, 200,
           5);
    points("float, clamped", m, { LINEAR, LINEAR, 0, 0, 99, AS_IS, CLAMP }, lod2, 300, 5);
    m = make<unsigned char>(make_cudaExtent(32, 8, 0), 6, 0, true);
    points("bytes, linear, linear", m, { LINEAR, LINEAR, 0, 0, 99, UNIT, WRAP }, lod2,
           600, 6);
    points("bytes, point, linear", m, { POINT, LINEAR, 0, 0, 99, UNIT, WRAP }, lod2, 300,
           6);
    m = make<float>(make_cudaExtent(37, 0, 0), 6, 0, true);
    points("1D", m, { LINEAR, LINEAR, 0, 0, 99, AS_IS, CLAMP }, lod1, 300, 6);
    m = make<float>(make_cudaExtent(16, 8, 4), 5, 0, true);
    run(lod3, object(m, { LINEAR, LINEAR, 0, 0, 99, AS_IS, WRAP }),
        random_points(400, 5, false)); /* the H200's sums differ in a last bit or so */
    m = make<float>(make_cudaExtent(16, 16, 3), 5, cudaArrayLayered, true);
    points("layers", m, { LINEAR, LINEAR, 0, 0, 99, AS_IS, WRAP }, layer, 200, 5);
    m = make<float>(make_cudaExtent(16, 16, 6), 5, cudaArrayCubemap, true);
    points("cube", m, { LINEAR, LINEAR, 0, 0, 99, AS_IS, WRAP }, cube, 200, 5, true);
}

static void show(const char *what, lookup *f, cudaTextureObject_t t,
                 const std::vector<float4> &in)
{
    printf("%s:", what);
    for (float v : run(f, t, in))
        printf(" %.9g", v);
    printf("\n");
}

static void levels_of_detail()
{
    cudaMipmappedArray_t m = make<float>(make_cudaExtent(64, 64, 0), 7, 0, false);
    sampler s = { POINT, LINEAR, 0, 0, 99 };
    std::vector<float4> in, slopes;

    for (float l : { -1.f, 0.f, .00390f, .00391f, .1f, .5f, 1.99f, 5.5f, 8.f, 1e30f })
        in.push_back(make_float4(.5f, .5f, l, 0));
    show("linear", lod2, object(m, s), in);
    show("without a level", plain, object(m, s), { in[0] });
    s = { POINT, POINT, 0, 0, 99 };
    show("point", lod2, object(m, s), in);
    s = { POINT, LINEAR, .3f, 0, 99 };
    show("bias", lod2, object(m, s), in);
    s = { POINT, LINEAR, 2.5f, 0, 99 };
    show("bias, without a level", plain, object(m, s), { in[0] });
    s = { POINT, LINEAR, 0, 1.3f, 2.6f };
    show("limits", lod2, object(m, s), in);
    s = { POINT, LINEAR, 0, 3, 2 };
    show("limits the other way round", lod2, object(m, s), in);
    s = { POINT, LINEAR, 0, 1.5f, 99 };
    show("limit, without a level", plain, object(m, s), { in[0] });
    for (float g : { 0.f, 1e-30f, 1.f, 2.f, 4.f, 8.f, 64.f, 1e30f })
        slopes.push_back(make_float4(g / 64, 0, 0, 0));
    slopes.push_back(make_float4(4.f / 64, 0, 0, 4.f / 64));
    s = { POINT, LINEAR, 0, 0, 99 };
    show("gradients", grad, object(m, s), slopes);
}

static void calls()
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t o;
    cudaSurfaceObject_t surface;
    cudaMipmappedArray_t m;
    cudaArray_t a;
    cudaExtent e;
    unsigned flags;

    GOOD(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(20, 10, 0), 99, 0));
    for (int l = 0; l < 5; l++) {
        GOOD(cudaGetMipmappedArrayLevel(&a, m, l));
        GOOD(cudaArrayGetInfo(&f, &e, &flags, a));
        printf("level %d: %zu %zu %zu\n", l, e.width, e.height, e.depth);
    }
    GIVES(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&a, m, 5));
    GIVES(cudaErrorInvalidResourceHandle, cudaGetMipmappedArrayLevel(&a, NULL, 0));
    GOOD(cudaFreeMipmappedArray(m));
    GIVES(cudaErrorInvalidValue,
          cudaMallocMipmappedArray(&m, &f, make_cudaExtent(0, 10, 0), 2, 0));
    GOOD(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(20, 10, 5), 3,
                                  cudaArrayLayered | cudaArraySurfaceLoadStore));
    GOOD(cudaGetMipmappedArrayLevel(&a, m, 2));
    GOOD(cudaArrayGetInfo(&f, &e, &flags, a));
    printf("layers: %zu %zu %zu, flags %u\n", e.width, e.height, e.depth, flags);
    GOOD(cudaFreeArray(a)); /* it stays */
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &r));
    t.normalizedCoords = 1;
    t.mipmapFilterMode = (cudaTextureFilterMode)5;
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&o, &r, &t, NULL));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    GOOD(cudaCreateSurfaceObject(&surface, &r));
    GOOD(cudaFreeMipmappedArray(m));
    GOOD(cudaFreeMipmappedArray(NULL));
}

int main()
{
    filters();
    levels_of_detail();
    calls();
    return 0;
}
