/* nn.cu - distance of every record to one place; the host picks the nearest. */

extern "C" __global__ void euclid(const float2 *records, float *distances, int n,
                                  float lat, float lng)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float2 at = records[i];
        float dx = lat - at.x, dy = lng - at.y;

        distances[i] = sqrtf(fmaf(dx, dx, dy * dy));
    }
}
