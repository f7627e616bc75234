/* textures.cu - texture and surface objects over linear memory, rows and arrays. */
#include "check.h"

__global__ void fetch(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

__global__ void sample(cudaTextureObject_t t, float *out, float dx)
{
    out[threadIdx.y * 8 + threadIdx.x] =
        tex2D<float>(t, threadIdx.x + dx, threadIdx.y + 0.5f);
}

__global__ void paint(cudaSurfaceObject_t s)
{
    surf2Dwrite((float)(threadIdx.y * 100 + threadIdx.x), s,
                threadIdx.x * (int)sizeof(float), threadIdx.y);
}

__global__ void normal(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, (threadIdx.x + 0.5f) / 8, 0.5f);
}

static cudaTextureDesc sampler(cudaTextureFilterMode filter)
{
    cudaTextureDesc d;

    memset(&d, 0, sizeof d);
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    d.filterMode = filter;
    d.readMode = cudaReadModeElementType;
    return d;
}

int main()
{
    enum { W = 8, H = 4 };
    float h[H][W], out[W * H], *d, *rows;
    unsigned char bytes[W] = { 0, 51, 102, 153, 204, 255, 0, 255 };
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaResourceDesc r;
    cudaTextureDesc s = sampler(cudaFilterModePoint);
    cudaTextureObject_t t;
    cudaSurfaceObject_t surface;
    cudaArray_t array;
    size_t pitch;

    for (int i = 0; i < W * H; i++)
        h[i / W][i % W] = i * i;
    GOOD(cudaMalloc(&d, sizeof out));
    GOOD(cudaMallocPitch(&rows, &pitch, sizeof h[0], H));
    GOOD(cudaMemcpy2D(rows, pitch, h, sizeof h[0], sizeof h[0], H,
                      cudaMemcpyHostToDevice));

    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = rows;
    r.res.linear.desc = f;
    r.res.linear.sizeInBytes = sizeof h[0];
    GOOD(cudaCreateTextureObject(&t, &r, &s, NULL));
    fetch<<<1, W>>>(t, d);
    GOOD(cudaMemcpy(out, d, sizeof h[0], cudaMemcpyDeviceToHost));
    for (int i = 0; i < W; i++)
        CHECK(out[i] == h[0][i]);
    GOOD(cudaDestroyTextureObject(t));

    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = rows;
    r.res.pitch2D.desc = f;
    r.res.pitch2D.width = W;
    r.res.pitch2D.height = H;
    r.res.pitch2D.pitchInBytes = pitch;
    GOOD(cudaCreateTextureObject(&t, &r, &s, NULL));
    sample<<<1, dim3(W, H)>>>(t, d, 0.5f);
    GOOD(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(out, h, sizeof h));
    GOOD(cudaDestroyTextureObject(t));

    GOOD(cudaMallocArray(&array, &f, W, H, cudaArraySurfaceLoadStore));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    GOOD(cudaCreateSurfaceObject(&surface, &r));
    paint<<<1, dim3(W, H)>>>(surface);
    s = sampler(cudaFilterModeLinear);
    GOOD(cudaCreateTextureObject(&t, &r, &s, NULL));
    sample<<<1, dim3(W, H)>>>(t, d, 1.0f); /* half way between neighbours */
    GOOD(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++) {
        float x = i % W, want = i / W * 100 + (x < W - 1 ? x + 0.5f : x);

        CHECK(out[i] == want);
    }
    GOOD(cudaDestroyTextureObject(t));
    GOOD(cudaDestroySurfaceObject(surface));
    GOOD(cudaFreeArray(array));

    f = cudaCreateChannelDesc<unsigned char>();
    GOOD(cudaMallocArray(&array, &f, W, 1));
    GOOD(cudaMemcpy2DToArray(array, 0, 0, bytes, W, W, 1, cudaMemcpyHostToDevice));
    r.res.array.array = array;
    s = sampler(cudaFilterModePoint);
    s.readMode = cudaReadModeNormalizedFloat;
    s.normalizedCoords = 1;
    GOOD(cudaCreateTextureObject(&t, &r, &s, NULL));
    normal<<<1, W>>>(t, d);
    GOOD(cudaMemcpy(out, d, sizeof h[0], cudaMemcpyDeviceToHost));
    for (int i = 0; i < W; i++)
        CHECK(out[i] == bytes[i] / 255.0f);
    GOOD(cudaDestroyTextureObject(t));
    CHECK(cudaDestroyTextureObject(t) != cudaSuccess);
    puts("textures: good");
    return 0;
}
