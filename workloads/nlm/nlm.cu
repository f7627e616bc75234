/* nlm.cu - image denoising by non-local means.
 *
 * A thread computes one pixel, in blocks of 16x16: the mean of the pixels in a window around
 * it, each weighted by how alike the 7x7 patches around it and around the thread's pixel are.
 * Both patches are read anew from the texture for every weight: 98 reads. At the end the mean
 * is mixed with the pixel itself, more of it where few neighbours are alike.
 */
enum { REACH = 3 }; /* of a patch, on each side of its middle */

static __device__ float distance(float4 a, float4 b)
{
    float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;

    return fmaf(z, z, fmaf(y, y, x * x));
}

/* How different the patches around (x, y) and (x + dx, y + dy) are. */
static __device__ float patch_distance(cudaTextureObject_t image, float x, float y,
                                       float dx, float dy)
{
    float sum = 0.0f;

    for (float v = -REACH; v <= REACH; v++)
        for (float u = -REACH; u <= REACH; u++)
            sum += distance(tex2D<float4>(image, x + dx + u, y + dy + v),
                            tex2D<float4>(image, x + u, y + v));
    return sum;
}

static __device__ float mix(float a, float b, float share)
{
    return fmaf(share, b - a, a);
}

/* 0 to 1 as a byte; a little more than 1 stays below 256. */
static __device__ unsigned to_byte(float v)
{
    return (unsigned)(v * 255.0f);
}

extern "C" __global__ void nlm(unsigned *out, int width, int height, float reach,
                               float noise, float share, cudaTextureObject_t image)
{
    const float alike = 0.1f, enough = 0.1f; /* of a weight; of the window's pixels */
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float x = (float)column + 0.5f, y = (float)row + 0.5f;
    float part = 1.0f / ((2.0f * reach + 1.0f) * (2.0f * reach + 1.0f));
    float n_alike = 0.0f, weights = 0.0f;
    float3 sum = { 0.0f, 0.0f, 0.0f };

    if (column >= width || row >= height)
        return;
    for (float dy = -reach; dy <= reach; dy++) {
        for (float dx = -reach; dx <= reach; dx++) {
            float far = fmaf(dy, dy, dx * dx) * part;
            float unlike = patch_distance(image, x, y, dx, dy);
            float weight = __expf(-fmaf(unlike, noise, far));
            float4 colour = tex2D<float4>(image, x + dx, y + dy);

            sum.x = fmaf(colour.x, weight, sum.x);
            sum.y = fmaf(colour.y, weight, sum.y);
            sum.z = fmaf(colour.z, weight, sum.z);
            weights += weight;
            n_alike += weight > alike ? part : 0.0f;
        }
    }

    float scale = 1.0f / weights, own = n_alike > enough ? share : 1.0f - share;
    float4 colour = tex2D<float4>(image, x, y);

    out[row * width + column] = to_byte(mix(sum.x * scale, colour.x, own)) |
                                to_byte(mix(sum.y * scale, colour.y, own)) << 8 |
                                to_byte(mix(sum.z * scale, colour.z, own)) << 16;
}
