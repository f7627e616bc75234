/* Launches that never end, in the place of workloads: vecadd waits for a flag that nobody
 * sets, nn computes without end. */
extern "C" __global__ void vecadd(const float *a, const float *b, volatile float *c, int n)
{
    if (blockIdx.x > 1)
        return;
    while (c[n - 1] != 4711)
        ;
}

struct record {
    float lat, lng;
};

extern "C" __global__ void euclid(record *records, float *distances, int n, float lat,
                                  float lng)
{
    unsigned x = threadIdx.x;

    for (;;) {
        x = x * 1664525u + 1013904223u;
        if (x == 4711u * (unsigned)n)
            distances[0] = lat;
    }
}
