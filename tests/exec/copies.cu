/* copies.cu - rows, slices and arrays: pitches, fills and copies in every direction. */
#include <vector>

#include "check.h"

__global__ void fill(char *base, size_t pitch, size_t slice, int w, int h, int d)
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;

    if (x < w && y < h && z < d)
        ((float *)(base + z * slice + y * pitch))[x] = z * 100 + y * 10 + x;
}

static void run_2d()
{
    enum { W = 7, H = 5 };
    float *d, *other, h[H][W], wide[H][W + 3];
    size_t pitch, other_pitch;

    GOOD(cudaMallocPitch(&d, &pitch, W * sizeof(float), H));
    CHECK(pitch >= W * sizeof(float) && pitch % 32 == 0);
    fill<<<1, dim3(8, 8)>>>((char *)d, pitch, 0, W, H, 1);
    GOOD(cudaMemcpy2D(h, sizeof h[0], d, pitch, W * sizeof(float), H,
                      cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            CHECK(h[y][x] == y * 10 + x);
    GOOD(cudaMallocPitch(&other, &other_pitch, (W + 3) * sizeof(float), H));
    GOOD(cudaMemset2D(other, other_pitch, 0, (W + 3) * sizeof(float), H));
    GOOD(cudaMemcpy2DAsync(other + 2, other_pitch, d + 1, pitch, 4 * sizeof(float), H,
                           cudaMemcpyDeviceToDevice, 0));
    GOOD(cudaMemcpy2D(wide, sizeof wide[0], other, other_pitch, (W + 3) * sizeof(float),
                      H, cudaMemcpyDefault));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W + 3; x++)
            CHECK(wide[y][x] == (x >= 2 && x < 6 ? y * 10 + x - 1 : 0));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(h, 4, d, pitch, W * sizeof(float), H, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue, cudaMemcpy2D(h, sizeof h[0], d, pitch,
                                              W * sizeof(float), H + 200,
                                              cudaMemcpyDeviceToHost));
    GOOD(cudaFree(d));
    GOOD(cudaFree(other));
    (void)cudaGetLastError();
}

static void run_3d()
{
    enum { W = 6, H = 4, D = 3 };
    cudaExtent size = make_cudaExtent(W * sizeof(float), H, D);
    cudaPitchedPtr p;
    cudaMemcpy3DParms copy = {};
    float h[D][H][W];

    GOOD(cudaMalloc3D(&p, size));
    CHECK(p.xsize == W * sizeof(float) && p.ysize == H);
    GOOD(cudaMemset3D(p, 0, size));
    fill<<<D, dim3(8, 8)>>>((char *)p.ptr, p.pitch, p.pitch * p.ysize, W, H, D);
    copy.srcPtr = p;
    copy.dstPtr = make_cudaPitchedPtr(h, W * sizeof(float), W, H);
    copy.extent = size;
    copy.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3D(&copy));
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                CHECK(h[z][y][x] == z * 100 + y * 10 + x);
    copy.srcPtr = make_cudaPitchedPtr(h, W * sizeof(float), W, H);
    copy.dstPtr = p;
    copy.srcPos = make_cudaPos(0, 1, 1);
    copy.dstPos = make_cudaPos(0, 0, 0);
    copy.extent = make_cudaExtent(W * sizeof(float), 2, 1);
    copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3DAsync(&copy, 0));
    GOOD(cudaMemcpy(h, p.ptr, W * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(h[0][0][0] == 110 && h[0][0][5] == 115);
    GOOD(cudaFree(p.ptr));
}

static void run_arrays()
{
    enum { W = 8, H = 4 };
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>(), got;
    cudaArray_t a, b, deep;
    cudaExtent size;
    unsigned flags;
    float h[H][W], back[H][W] = {};
    std::vector<int2> cube(3 * 4 * 5), cube_back(cube.size());
    cudaMemcpy3DParms copy = {};

    for (int i = 0; i < W * H; i++)
        h[i / W][i % W] = i;
    GOOD(cudaMallocArray(&a, &desc, W, H));
    GOOD(cudaMallocArray(&b, &desc, W, H));
    GOOD(cudaMemcpy2DToArray(a, 0, 0, h, sizeof h[0], sizeof h[0], H,
                             cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy2DArrayToArray(b, 0, 0, a, 2 * sizeof(float), 1, 4 * sizeof(float), 3,
                                  cudaMemcpyDeviceToDevice));
    GOOD(cudaMemcpy2DFromArray(back, sizeof back[0], b, 0, 0, 4 * sizeof(float), 3,
                               cudaMemcpyDeviceToHost));
    CHECK(back[0][0] == 10 && back[2][3] == 29 && back[3][0] == 0);
    GOOD(cudaArrayGetInfo(&got, &size, &flags, a));
    CHECK(got.x == 32 && got.y == 0 && got.f == cudaChannelFormatKindFloat);
    CHECK(size.width == W && size.height == H && flags == 0);

    desc = cudaCreateChannelDesc<int2>();
    GOOD(cudaMalloc3DArray(&deep, &desc, make_cudaExtent(3, 4, 5), 0));
    for (size_t i = 0; i < cube.size(); i++)
        cube[i] = make_int2((int)i, -(int)i);
    copy.srcPtr = make_cudaPitchedPtr(cube.data(), 3 * sizeof(int2), 3, 4);
    copy.dstArray = deep;
    copy.extent = make_cudaExtent(3, 4, 5);
    copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&copy));
    copy = {};
    copy.srcArray = deep;
    copy.dstPtr = make_cudaPitchedPtr(cube_back.data(), 3 * sizeof(int2), 3, 4);
    copy.extent = make_cudaExtent(3, 4, 5);
    copy.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3D(&copy));
    for (size_t i = 0; i < cube.size(); i++)
        CHECK(cube_back[i].x == (int)i && cube_back[i].y == -(int)i);
    GOOD(cudaFreeArray(a));
    GOOD(cudaFreeArray(b));
    GOOD(cudaFreeArray(deep));
}

int main()
{
    run_2d();
    run_3d();
    run_arrays();
    puts("copies: good");
    return 0;
}
