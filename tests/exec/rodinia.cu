/* rodinia.cu - programs in the manner of the classic suites: a search through a graph
 * that stops when nothing changes, elimination with a launch a column, alignment along
 * diagonals through shared memory, a stencil, clustering; each against its computation on
 * the host.
 */
#include <sys/time.h>

#include "check.h"

#define MAX_THREADS_PER_BLOCK 256
#define BLOCK_SIZE 16

struct Node {
    int starting;
    int no_of_edges;
};

static unsigned seed = 7;
static int next_random(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 8) % n;
}

__global__ void visit(Node *nodes, int *edges, bool *mask, bool *updating, bool *visited,
                      int *cost, int n)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;

    if (tid < n && mask[tid]) {
        mask[tid] = false;
        for (int i = nodes[tid].starting;
             i < nodes[tid].no_of_edges + nodes[tid].starting; i++) {
            int id = edges[i];

            if (!visited[id]) {
                cost[id] = cost[tid] + 1;
                updating[id] = true;
            }
        }
    }
}

__global__ void update(bool *mask, bool *updating, bool *visited, bool *over, int n)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;

    if (tid < n && updating[tid]) {
        mask[tid] = true;
        visited[tid] = true;
        *over = true;
        updating[tid] = false;
    }
}

template <typename T> static T *to_device(const T *from, size_t n)
{
    T *d;

    GOOD(cudaMalloc((void **)&d, n * sizeof(T)));
    GOOD(cudaMemcpy(d, from, n * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

static void bfs()
{
    const int n = 2000, degree = 3;
    Node *nodes = (Node *)malloc(n * sizeof(Node));
    int *edges = (int *)malloc(n * degree * sizeof(int));
    int *cost = (int *)malloc(n * sizeof(int)), *want = (int *)malloc(n * sizeof(int));
    int *queue = (int *)malloc(n * sizeof(int)), head = 0, tail = 0;
    bool *mask = (bool *)calloc(n, 1), *visited = (bool *)calloc(n, 1), stop;

    for (int i = 0; i < n; i++) {
        nodes[i].starting = i * degree;
        nodes[i].no_of_edges = degree;
        cost[i] = want[i] = -1;
        for (int k = 0; k < degree; k++)
            edges[i * degree + k] = next_random(n);
    }
    mask[0] = visited[0] = true;
    cost[0] = want[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int v = queue[head++];

        for (int k = 0; k < degree; k++) {
            int to = edges[v * degree + k];

            if (want[to] < 0) {
                want[to] = want[v] + 1;
                queue[tail++] = to;
            }
        }
    }
    Node *d_nodes = to_device(nodes, n);
    int *d_edges = to_device(edges, n * degree), *d_cost = to_device(cost, n);
    bool *d_mask = to_device(mask, n), *d_visited = to_device(visited, n), *d_over;
    bool *d_updating = to_device((bool *)calloc(n, 1), n);
    dim3 grid((n + MAX_THREADS_PER_BLOCK - 1) / MAX_THREADS_PER_BLOCK, 1, 1);
    dim3 threads(MAX_THREADS_PER_BLOCK, 1, 1);

    GOOD(cudaMalloc((void **)&d_over, sizeof(bool)));
    do {
        stop = false;
        GOOD(cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice));
        visit<<<grid, threads, 0>>>(d_nodes, d_edges, d_mask, d_updating, d_visited,
                                    d_cost, n);
        update<<<grid, threads, 0>>>(d_mask, d_updating, d_visited, d_over, n);
        GOOD(cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost));
    } while (stop);
    GOOD(cudaMemcpy(cost, d_cost, sizeof(int) * n, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(cost, want, n * sizeof(int)));
    cudaFree(d_nodes);
    cudaFree(d_edges);
    cudaFree(d_cost);
    printf("bfs: %d reached\n", tail);
}

__global__ void fan1(float *m, const float *a, int size, int t)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;

    if (i >= size - 1 - t)
        return;
    m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__global__ void fan2(const float *m, float *a, float *b, int size, int t)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= size - 1 - t || y >= size - t)
        return;
    a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
    if (y == 0)
        b[x + 1 + t] -= m[size * (x + 1 + t) + (y + t)] * b[t];
}

static void gaussian()
{
    enum { N = 24 };
    static float a[N * N], b[N], x[N], m[N * N];
    float first_a[N * N], worst = 0;
    dim3 block(4, 4), grid((N + 3) / 4, (N + 3) / 4);

    for (int i = 0; i < N; i++) {
        b[i] = 1;
        for (int k = 0; k < N; k++)
            a[i * N + k] = i == k ? 10.0f : 10.0f / (1 + abs(i - k)) / 4;
    }
    memcpy(first_a, a, sizeof a);
    float *d_a = to_device(a, N * N), *d_b = to_device(b, N), *d_m = to_device(m, N * N);

    for (int t = 0; t < N - 1; t++) {
        fan1<<<1, 32>>>(d_m, d_a, N, t);
        cudaDeviceSynchronize();
        fan2<<<grid, block>>>(d_m, d_a, d_b, N, t);
        cudaDeviceSynchronize();
        CHECK(cudaGetLastError() == cudaSuccess);
    }
    GOOD(cudaMemcpy(a, d_a, sizeof a, cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDeviceToHost));
    for (int i = N - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int k = N - 1; k > i; k--)
            x[i] -= a[i * N + k] * x[k];
        x[i] /= a[i * N + i];
    }
    for (int i = 0; i < N; i++) {
        float sum = -1;

        for (int k = 0; k < N; k++)
            sum += first_a[i * N + k] * x[k];
        worst = sum > worst ? sum : -sum > worst ? -sum : worst;
    }
    CHECK(worst < 1e-4f);
    puts("gaussian: solved");
}

__global__ void needle(const int *reference, int *matrix, int cols, int penalty,
                       int diagonal)
{
    __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];
    int bx = blockIdx.x, by = diagonal - bx, tx = threadIdx.x;
    int base = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx;

    if (by < 0 || by >= gridDim.x)
        return;
    for (int y = 0; y < BLOCK_SIZE; y++)
        ref[y][tx] = reference[base + cols * (y + 1) + tx + 1];
    if (tx == 0)
        temp[0][0] = matrix[base];
    temp[tx + 1][0] = matrix[base + cols * (tx + 1)];
    temp[0][tx + 1] = matrix[base + tx + 1];
    __syncthreads();
    for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++) {
        int y = m - tx;

        if (y >= 0 && y < BLOCK_SIZE)
            temp[y + 1][tx + 1] =
                max(temp[y][tx] + ref[y][tx],
                    max(temp[y + 1][tx] - penalty, temp[y][tx + 1] - penalty));
        __syncthreads();
    }
    for (int y = 0; y < BLOCK_SIZE; y++)
        matrix[base + cols * (y + 1) + tx + 1] = temp[y + 1][tx + 1];
}

static void nw()
{
    enum { BLOCKS = 5, N = BLOCKS * BLOCK_SIZE, COLS = N + 1, PENALTY = 10 };
    static int reference[COLS * COLS], matrix[COLS * COLS], want[COLS * COLS];

    for (int i = 1; i < COLS; i++) {
        matrix[i * COLS] = matrix[i] = -i * PENALTY;
        for (int k = 1; k < COLS; k++)
            reference[i * COLS + k] = next_random(21) - 10;
    }
    memcpy(want, matrix, sizeof want);
    for (int i = 1; i < COLS; i++)
        for (int k = 1; k < COLS; k++) {
            int *at = &want[i * COLS + k], best = at[-COLS - 1] + reference[i * COLS + k];

            best = best > at[-1] - PENALTY ? best : at[-1] - PENALTY;
            *at = best > at[-COLS] - PENALTY ? best : at[-COLS] - PENALTY;
        }
    int *d_ref = to_device(reference, COLS * COLS), *d = to_device(matrix, COLS * COLS);

    for (int diagonal = 0; diagonal < 2 * BLOCKS - 1; diagonal++)
        needle<<<BLOCKS, BLOCK_SIZE>>>(d_ref, d, COLS, PENALTY, diagonal);
    GOOD(cudaMemcpy(matrix, d, sizeof matrix, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(matrix, want, sizeof want));
    printf("nw: score %d\n", matrix[COLS * COLS - 1] == want[COLS * COLS - 1]);
}

__constant__ float c_weights[5];

__global__ void stencil(const float *in, float *out, int w, int h)
{
    __shared__ float tile[BLOCK_SIZE + 2][BLOCK_SIZE + 2];
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int cx = min(x, w - 1), cy = min(y, h - 1);

    tile[ty][tx] = in[cy * w + cx];
    if (threadIdx.x == 0)
        tile[ty][0] = in[cy * w + max(cx - 1, 0)];
    if (threadIdx.x == BLOCK_SIZE - 1)
        tile[ty][tx + 1] = in[cy * w + min(x + 1, w - 1)];
    if (threadIdx.y == 0)
        tile[0][tx] = in[max(cy - 1, 0) * w + cx];
    if (threadIdx.y == BLOCK_SIZE - 1)
        tile[ty + 1][tx] = in[min(y + 1, h - 1) * w + cx];
    __syncthreads();
    if (x < w && y < h)
        out[y * w + x] = c_weights[0] * tile[ty][tx] + c_weights[1] * tile[ty][tx - 1] +
                         c_weights[2] * tile[ty][tx + 1] +
                         c_weights[3] * tile[ty - 1][tx] +
                         c_weights[4] * tile[ty + 1][tx];
}

static void hotspot()
{
    enum { W = 48, H = 32, STEPS = 4 };
    const float weights[5] = { 0.5f, 0.125f, 0.125f, 0.125f, 0.125f };
    static float h[W * H], want[W * H], next[W * H];
    dim3 block(BLOCK_SIZE, BLOCK_SIZE), grid(W / BLOCK_SIZE, H / BLOCK_SIZE);

    for (int i = 0; i < W * H; i++)
        want[i] = h[i] = (float)next_random(64);
    GOOD(cudaMemcpyToSymbol(c_weights, weights, sizeof weights));
    float *from = to_device(h, W * H), *to = to_device(h, W * H);

    for (int s = 0; s < STEPS; s++) {
        float *swap = from;

        stencil<<<grid, block>>>(from, to, W, H);
        from = to;
        to = swap;
        for (int i = 0; i < W * H; i++) {
            int x = i % W, y = i / W;
            float left = want[y * W + (x ? x - 1 : 0)];
            float right = want[y * W + (x < W - 1 ? x + 1 : x)];
            float up = want[(y ? y - 1 : 0) * W + x];
            float down = want[(y < H - 1 ? y + 1 : y) * W + x];

            next[i] = 0.5f * want[i] + 0.125f * (left + right + up + down);
        }
        memcpy(want, next, sizeof want);
    }
    GOOD(cudaMemcpy(h, from, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++)
        CHECK(h[i] - want[i] < 1e-3f && want[i] - h[i] < 1e-3f);
    puts("hotspot: same");
}

int main(int argc, char **argv)
{
    struct timeval start, end;

    gettimeofday(&start, NULL);
    cudaSetDevice(0);
    bfs();
    gaussian();
    nw();
    hotspot();
    gettimeofday(&end, NULL);
    CHECK(end.tv_sec >= start.tv_sec);
    return 0;
}
