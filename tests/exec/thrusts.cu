/* thrusts.cu - Thrust and CUB: sorting, scanning, reducing, with their many kernels. */
#include <algorithm>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "check.h"

struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

int main()
{
    const int N = 5000;
    std::vector<int> h(N), sorted;
    unsigned state = 1;

    for (int &x : h) {
        state = state * 1103515245 + 12345;
        x = (int)(state >> 8 & 0xffff);
    }
    thrust::device_vector<int> d(h.begin(), h.end());
    CHECK(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
    sorted = h;
    std::sort(sorted.begin(), sorted.end());
    thrust::sort(d.begin(), d.end());
    thrust::host_vector<int> back = d;
    CHECK(std::equal(sorted.begin(), sorted.end(), back.begin()));
    thrust::inclusive_scan(d.begin(), d.end(), d.begin());
    std::partial_sum(sorted.begin(), sorted.end(), sorted.begin());
    back = d;
    CHECK(std::equal(sorted.begin(), sorted.end(), back.begin()));
    thrust::transform(d.begin(), d.begin() + 100, d.begin(), square{});
    CHECK(d[99] == sorted[99] * sorted[99]);

    int *in, *out, most;
    size_t bytes = 0;
    void *scratch = NULL;

    GOOD(cudaMalloc(&in, N * sizeof(int)));
    GOOD(cudaMalloc(&out, sizeof(int)));
    GOOD(cudaMemcpy(in, h.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    GOOD(cub::DeviceReduce::Max(scratch, bytes, in, out, N));
    GOOD(cudaMalloc(&scratch, bytes));
    GOOD(cub::DeviceReduce::Max(scratch, bytes, in, out, N));
    GOOD(cudaMemcpy(&most, out, sizeof most, cudaMemcpyDeviceToHost));
    CHECK(most == *std::max_element(h.begin(), h.end()));
    puts("thrusts: good");
    return 0;
}
