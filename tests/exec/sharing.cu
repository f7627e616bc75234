/* sharing.cu - memory and events of another process: by IPC handles, by descriptors of
 * memory and of pools; compressible memory; launches on a list of devices. The program
 * starts itself as the other process, to which it sends handles over a socket. Results of
 * calls, right and wrong, are an H200's.
 */
#include <cuda.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { N = 1024, PAGE = 2 << 20 };

struct message {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
    cudaMemPoolPtrExportData pointer;
};

static void say(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
    cudaGetLastError();
}

static void say(const char *what, CUresult result)
{
    const char *name = "?";

    cuGetErrorName(result, &name);
    printf("%s: %s\n", what, name);
}

__global__ void add(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N)
        a[i] += n + i;
}

static int sum(const int *a)
{
    static int host[N];
    int total = 0;

    GOOD(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        total += host[i];
    return total;
}

/* A message with descriptors, if there are any. */
static void send_all(int to, const message *m, int n, const int *files)
{
    char control[CMSG_SPACE(2 * sizeof(int))] = {};
    iovec part = { (void *)m, sizeof *m };
    msghdr h = {};

    h.msg_iov = &part;
    h.msg_iovlen = 1;
    h.msg_control = control;
    h.msg_controllen = CMSG_SPACE(n * sizeof(int));
    cmsghdr *c = CMSG_FIRSTHDR(&h);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(n * sizeof(int));
    memcpy(CMSG_DATA(c), files, n * sizeof(int));
    CHECK(sendmsg(to, &h, 0) == (ssize_t)sizeof *m);
}

static void receive_all(int from, message *m, int n, int *files)
{
    char control[CMSG_SPACE(2 * sizeof(int))] = {};
    iovec part = { m, sizeof *m };
    msghdr h = {};

    h.msg_iov = &part;
    h.msg_iovlen = 1;
    h.msg_control = control;
    h.msg_controllen = sizeof control;
    CHECK(recvmsg(from, &h, 0) == (ssize_t)sizeof *m);
    memcpy(files, CMSG_DATA(CMSG_FIRSTHDR(&h)), n * sizeof(int));
}

static CUmemAllocationProp exportable()
{
    CUmemAllocationProp p = {};

    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return p;
}

/* Maps all of the memory at an address of its own. */
static int *map_memory(CUmemGenericAllocationHandle memory)
{
    CUmemAccessDesc access = {};
    CUdeviceptr at;

    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(!cuMemAddressReserve(&at, PAGE, 0, 0, 0));
    CHECK(!cuMemMap(at, PAGE, 0, memory, 0));
    CHECK(!cuMemSetAccess(at, PAGE, &access, 1));
    return (int *)at;
}

/* The other process. */
static void child_ipc(const message *m)
{
    cudaEvent_t event;
    int *a = NULL, *again = NULL;

    say("child: flags 0", cudaIpcOpenMemHandle((void **)&a, m->memory, 0));
    say("child: open",
        cudaIpcOpenMemHandle((void **)&a, m->memory, cudaIpcMemLazyEnablePeerAccess));
    printf("child: sum %d\n", sum(a));
    add<<<4, 256>>>(a, 1);
    GOOD(cudaDeviceSynchronize());
    say("child: open again", cudaIpcOpenMemHandle((void **)&again, m->memory,
                                                  cudaIpcMemLazyEnablePeerAccess));
    printf("child: the same %d\n", a == again);
    say("child: close", cudaIpcCloseMemHandle(a));
    say("child: close again", cudaIpcCloseMemHandle(a));
    say("child: close what is not open", cudaIpcCloseMemHandle(a));
    say("child: event", cudaIpcOpenEventHandle(&event, m->event));
    say("child: query", cudaEventQuery(event));
    say("child: record", cudaEventRecord(event));
    say("child: wait", cudaEventSynchronize(event));
    say("child: destroy", cudaEventDestroy(event));
}

static void child_descriptors(message *m, const int *files)
{
    CUmemGenericAllocationHandle memory;
    CUmemAllocationProp p;
    cudaMemPool_t pool;
    void *none;
    int *a = NULL;

    say("child: import", cuMemImportFromShareableHandle(
                             &memory, (void *)(intptr_t)files[0],
                             CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    CHECK(!cuMemGetAllocationPropertiesFromHandle(&p, memory));
    printf("child: type %d, handles %d, location %d\n", p.type, p.requestedHandleTypes,
           p.location.id);
    a = map_memory(memory);
    printf("child: sum %d\n", sum(a));
    add<<<4, 256>>>(a, 3);
    GOOD(cudaDeviceSynchronize());
    say("child: release", cuMemRelease(memory));
    say("child: pool", cudaMemPoolImportFromShareableHandle(
                           &pool, (void *)(intptr_t)files[1],
                           cudaMemHandleTypePosixFileDescriptor, 0));
    say("child: pointer", cudaMemPoolImportPointer((void **)&a, pool, &m->pointer));
    printf("child: sum %d\n", sum(a));
    add<<<4, 256>>>(a, 5);
    say("child: allocate", cudaMallocFromPoolAsync(&none, 100, pool, 0));
    GOOD(cudaDeviceSynchronize());
    say("child: free", cudaFreeAsync(a, 0));
    GOOD(cudaDeviceSynchronize());
    say("child: destroy", cudaMemPoolDestroy(pool));
}

static int child(int socket)
{
    message m;
    int files[2];

    receive_all(socket, &m, 2, files);
    GOOD(cudaFree(0));
    child_ipc(&m);
    child_descriptors(&m, files);
    return 0;
}

static void wrong_calls(int *a)
{
    CUmemAllocationProp p = exportable();
    CUmemGenericAllocationHandle memory;
    cudaIpcMemHandle_t h;
    cudaIpcEventHandle_t e;
    cudaEvent_t event;
    void *at = NULL;
    int host, file;

    say("of the host", cudaIpcGetMemHandle(&h, &host));
    say("inside", cudaIpcGetMemHandle(&h, a + 10));
    say("own", cudaIpcOpenMemHandle(&at, h, cudaIpcMemLazyEnablePeerAccess));
    say("not open", cudaIpcCloseMemHandle(a));
    say("with time", cudaEventCreateWithFlags(&event, cudaEventInterprocess));
    GOOD(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    say("plain event", cudaIpcGetEventHandle(&e, event));
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    CHECK(!cuMemCreate(&memory, PAGE, &p, 0));
    say("not exportable",
        cuMemExportToShareableHandle(&file, memory,
                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CHECK(!cuMemRelease(memory));
}

static void compressible()
{
    CUmemAllocationProp p = exportable(), got = {};
    CUmemGenericAllocationHandle memory;

    p.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
    say("compressible", cuMemCreate(&memory, PAGE, &p, 0));
    CHECK(!cuMemGetAllocationPropertiesFromHandle(&got, memory));
    printf("compression %d\n", got.allocFlags.compressionType);
    CHECK(!cuMemRelease(memory));
}

static void device_list(int *a)
{
    int n = 7;
    void *args[] = { &a, &n };
    CUDA_LAUNCH_PARAMS l[2] = {};
    cudaFunction_t f;
    cudaStream_t stream;

    GOOD(cudaGetFuncBySymbol(&f, (const void *)add));
    GOOD(cudaStreamCreate(&stream));
    for (auto &x : l) {
        x.function = f;
        x.gridDimX = 4;
        x.gridDimY = x.gridDimZ = x.blockDimY = x.blockDimZ = 1;
        x.blockDimX = 256;
        x.hStream = stream;
        x.kernelParams = args;
    }
    GOOD(cudaMemset(a, 0, N * sizeof *a));
    say("one device", cuLaunchCooperativeKernelMultiDevice(l, 1, 0));
    GOOD(cudaDeviceSynchronize());
    printf("sum %d\n", sum(a));
    say("no device", cuLaunchCooperativeKernelMultiDevice(l, 0, 0));
    say("no list", cuLaunchCooperativeKernelMultiDevice(NULL, 1, 0));
    say("one twice", cuLaunchCooperativeKernelMultiDevice(l, 2, 0));
    say("flags", cuLaunchCooperativeKernelMultiDevice(l, 1, 4));
    l[0].gridDimX = 1 << 20;
    say("too large", cuLaunchCooperativeKernelMultiDevice(l, 1, 3));
    l[0].gridDimX = 4;
    l[0].hStream = 0;
    say("default stream", cuLaunchCooperativeKernelMultiDevice(l, 1, 0));
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaStreamDestroy(stream));
}

static cudaMemPool_t exportable_pool()
{
    cudaMemPoolProps props = {};
    cudaMemPool_t pool;

    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    props.location.type = cudaMemLocationTypeDevice;
    GOOD(cudaMemPoolCreate(&pool, &props));
    return pool;
}

int main(int argc, char **argv)
{
    CUmemAllocationProp p = exportable();
    CUmemGenericAllocationHandle memory;
    cudaMemPool_t pool;
    cudaEvent_t event;
    message m;
    int sockets[2], files[2], *small, *a, *mapped, *pooled, status;
    pid_t other;

    if (argc > 1)
        return child(atoi(argv[1]));
    setvbuf(stdout, NULL, _IONBF, 0);
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    if (!(other = fork())) {
        char number[16];

        snprintf(number, sizeof number, "%d", sockets[1]);
        execl("/proc/self/exe", argv[0], number, (char *)NULL);
        _exit(1);
    }
    GOOD(cudaMalloc(&small, 4096));
    GOOD(cudaMalloc(&a, N * sizeof *a));
    GOOD(cudaMemset(a, 0, N * sizeof *a));
    add<<<4, 256>>>(a, 0);
    wrong_calls(a);
    compressible();
    say("memory", cudaIpcGetMemHandle(&m.memory, a));
    GOOD(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
    GOOD(cudaEventRecord(event));
    say("event", cudaIpcGetEventHandle(&m.event, event));
    CHECK(!cuMemCreate(&memory, PAGE, &p, 0));
    mapped = map_memory(memory);
    add<<<4, 256>>>(mapped, 2);
    say("export", cuMemExportToShareableHandle(
                      &files[0], memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    pool = exportable_pool();
    say("pool", cudaMemPoolExportToShareableHandle(
                    &files[1], pool, cudaMemHandleTypePosixFileDescriptor, 0));
    GOOD(cudaMallocFromPoolAsync((void **)&pooled, N * sizeof *pooled, pool, 0));
    GOOD(cudaMemset(pooled, 0, N * sizeof *pooled));
    say("not of a pool", cudaMemPoolExportPointer(&m.pointer, a));
    say("pointer", cudaMemPoolExportPointer(&m.pointer, pooled));
    GOOD(cudaDeviceSynchronize());
    send_all(sockets[0], &m, 2, files);
    CHECK(waitpid(other, &status, 0) == other && !status);
    printf("sums %d %d %d\n", sum(a), sum(mapped), sum(pooled));
    say("free", cudaFree(a));
    say("free", cudaFree(small));
    GOOD(cudaMalloc(&a, N * sizeof *a));
    device_list(a);
    return 0;
}
