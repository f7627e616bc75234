/* kmeans.cu - which of a few centres each point is nearest to.
 *
 * invert stores the points feature by feature, so that threads read side by side;
 * nearest has a thread per point, which goes through all centres and all features: the
 * points through a texture, the centres in constant memory. The host moves the centres.
 */
enum { THREADS = 256, MAX_CENTRES = 32, MAX_FEATURES = 34 };

__constant__ float centres[MAX_CENTRES * MAX_FEATURES];

extern "C" __global__ void invert(const float *points, float *inverted, int n,
                                  int n_features)
{
    int point = blockIdx.x * THREADS + threadIdx.x;

    if (point < n) {
        for (int i = 0; i < n_features; i++)
            inverted[point + n * i] = points[point * n_features + i];
    }
}

extern "C" __global__ void nearest(cudaTextureObject_t inverted, int *membership, int n,
                                   int n_features, int n_centres)
{
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    int point = block * THREADS + threadIdx.x;
    float least = __int_as_float(0x7f7fffff); /* the largest float */
    int index = -1;

    if (point >= n)
        return;
    for (int c = 0; c < n_centres; c++) {
        const float *centre = centres + c * n_features;
        float distance = 0.0f;

        for (int i = 0; i < n_features; i++) {
            float away = tex1Dfetch<float>(inverted, point + i * n) - centre[i];

            distance = fmaf(away, away, distance);
        }
        if (distance < least) {
            least = distance;
            index = c;
        }
    }
    membership[point] = index;
}
