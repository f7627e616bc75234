/* graphs.cu - graphs built node by node: every kind of node, edges, clones, changes of
 * parameters before and after instantiation, updates, and what calls give that are not
 * valid. Prints results that an H200 gives.
 */
#include <string>
#include <vector>

#include "check.h"

/* Prints what a call gives. */
#define SHOW(call) printf("  %s: %s\n", #call, cudaGetErrorName(call))

__device__ int symbol[4];

__global__ void add(int *p, int value) { p[threadIdx.x] += value; }
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
__global__ void decide(cudaGraphConditionalHandle handle, int *p, int limit)
{
    p[0]++;
    cudaGraphSetConditional(handle, p[0] < limit);
}
__global__ void choose(cudaGraphConditionalHandle handle, int *p)
{
    cudaGraphSetConditional(handle, p[0]);
}

static int *device, *host;
static cudaStream_t s;
static std::string calls;

static void note(void *data) { calls += (const char *)data; }
static void destroyed(void *data) { calls += (const char *)data; }

static cudaKernelNodeParams kernel_of(void *func, void **args)
{
    cudaKernelNodeParams k = {};

    k.func = func;
    k.gridDim = dim3(1);
    k.blockDim = dim3(32);
    k.kernelParams = args;
    return k;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, int *p, int value,
                                  std::vector<cudaGraphNode_t> from = {})
{
    void *args[] = { &p, &value };
    cudaKernelNodeParams k = kernel_of((void *)add, args);
    cudaGraphNode_t node;

    GOOD(cudaGraphAddKernelNode(&node, graph, from.data(), from.size(), &k));
    return node;
}

static cudaGraphNode_t add_twice(cudaGraph_t graph, int *p,
                                 std::vector<cudaGraphNode_t> from = {})
{
    void *args[] = { &p };
    cudaKernelNodeParams k = kernel_of((void *)twice, args);
    cudaGraphNode_t node;

    GOOD(cudaGraphAddKernelNode(&node, graph, from.data(), from.size(), &k));
    return node;
}

static cudaGraphNode_t add_note(cudaGraph_t graph, const char *text,
                                std::vector<cudaGraphNode_t> from = {})
{
    cudaHostNodeParams h = { note, (void *)text };
    cudaGraphNode_t node;

    GOOD(cudaGraphAddHostNode(&node, graph, from.data(), from.size(), &h));
    return node;
}

static void launch(cudaGraphExec_t exec)
{
    GOOD(cudaGraphLaunch(exec, s));
    GOOD(cudaStreamSynchronize(s));
}

static int first(const int *p)
{
    int value;

    GOOD(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void run_kinds()
{
    cudaGraph_t graph, child;
    cudaGraphNode_t set, up, kernel, sub, to, from, down, empty, record, wait, call;
    cudaMemsetParams fill = {};
    cudaEvent_t event;
    cudaGraphExec_t exec;
    size_t n = 0;

    puts("kinds of nodes");
    GOOD(cudaEventCreate(&event));
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphCreate(&child, 0));
    add_twice(child, device, { add_kernel(child, device, 1) });
    fill.dst = device + 32;
    fill.value = 3;
    fill.elementSize = 4;
    fill.width = 32;
    fill.height = 1;
    for (int i = 0; i < 32; i++)
        host[i] = i;
    GOOD(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
    GOOD(cudaGraphAddMemcpyNode1D(&up, graph, NULL, 0, device, host, 128,
                                  cudaMemcpyHostToDevice));
    kernel = add_kernel(graph, device, 10, { set, up });
    GOOD(cudaGraphAddChildGraphNode(&sub, graph, &kernel, 1, child));
    GOOD(cudaGraphDestroy(child));
    GOOD(cudaGraphAddMemcpyNodeToSymbol(&to, graph, &sub, 1, symbol, device, 8, 4,
                                        cudaMemcpyDeviceToDevice));
    GOOD(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, host + 64, symbol, 16, 0,
                                          cudaMemcpyDeviceToHost));
    GOOD(cudaGraphAddEmptyNode(&empty, graph, &sub, 1));
    GOOD(cudaGraphAddEventRecordNode(&record, graph, &empty, 1, event));
    GOOD(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    call = add_note(graph, "a", { wait, from });
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(device, 128, 128, 2);
    copy.dstPtr = make_cudaPitchedPtr(host + 128, 64, 64, 2);
    copy.extent = make_cudaExtent(64, 2, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaGraphAddMemcpyNode(&down, graph, &call, 1, &copy));
    GOOD(cudaGraphGetEdges(graph, NULL, NULL, NULL, &n));
    printf("  %zu edges\n", n);
    GOOD(cudaGraphGetNodes(graph, NULL, &n));
    printf("  %zu nodes\n", n);
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    GOOD(cudaGraphUpload(exec, s));
    for (int turn = 0; turn < 2; turn++) {
        memset(host + 64, 0, 512);
        launch(exec);
        CHECK(host[64] == 0 && host[65] == 22 && host[66] == 24 && host[67] == 0);
        CHECK(host[128] == 22 && host[143] == 52 && host[144] == 3 && host[159] == 3);
    }
    GOOD(cudaEventSynchronize(event));
    CHECK(calls == "aa");

    cudaGraph_t inner;
    cudaKernelNodeParams k;
    cudaMemsetParams m;
    cudaMemcpy3DParms c;
    cudaHostNodeParams h;
    cudaEvent_t e;
    GOOD(cudaGraphChildGraphNodeGetGraph(sub, &inner));
    GOOD(cudaGraphGetNodes(inner, NULL, &n));
    CHECK(inner != child && n == 2);
    GOOD(cudaGraphKernelNodeGetParams(kernel, &k));
    CHECK(k.func == (void *)add && k.blockDim.x == 32 && k.gridDim.x == 1);
    CHECK(*(int **)k.kernelParams[0] == device && *(int *)k.kernelParams[1] == 10);
    GOOD(cudaGraphMemsetNodeGetParams(set, &m));
    CHECK(m.dst == device + 32 && m.value == 3 && m.elementSize == 4 && m.width == 32);
    GOOD(cudaGraphMemcpyNodeGetParams(down, &c));
    CHECK(c.srcPtr.ptr == device && c.dstPtr.ptr == host + 128 && c.extent.width == 64 &&
          c.extent.height == 2 && c.kind == cudaMemcpyDeviceToHost);
    GOOD(cudaGraphHostNodeGetParams(call, &h));
    CHECK(h.fn == note);
    GOOD(cudaGraphEventRecordNodeGetEvent(record, &e));
    CHECK(e == event);
    GOOD(cudaGraphEventWaitNodeGetEvent(wait, &e));
    CHECK(e == event);
    SHOW(cudaGraphKernelNodeGetParams(set, &k));
    SHOW(cudaGraphHostNodeGetParams(kernel, &h));
    SHOW(cudaGraphChildGraphNodeGetGraph(kernel, &inner));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaEventDestroy(event));
}

/* Nodes by their order of creation: 0 to 3. */
static void show_edges(cudaGraph_t graph)
{
    std::vector<cudaGraphNode_t> nodes(16), from(16), to(16);
    size_t n = 16, m = 16;

    GOOD(cudaGraphGetNodes(graph, nodes.data(), &n));
    GOOD(cudaGraphGetEdges(graph, from.data(), to.data(), NULL, &m));
    printf("  edges:");
    for (size_t i = 0; i < m; i++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                if (nodes[a] == from[i] && nodes[b] == to[i])
                    printf(" %zu-%zu", a, b);
    puts("");
}

static void run_edges()
{
    cudaGraph_t graph, clone, foreign;
    cudaGraphNode_t n[4], stranger, found, list[8];
    cudaGraphExec_t exec;
    size_t count;

    puts("edges");
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphCreate(&foreign, 0));
    for (int i = 0; i < 4; i++)
        GOOD(cudaGraphAddEmptyNode(&n[i], graph, NULL, 0));
    GOOD(cudaGraphAddEmptyNode(&stranger, foreign, NULL, 0));
    cudaGraphNode_t from[] = { n[0], n[0], n[1], n[2] };
    cudaGraphNode_t to[] = { n[1], n[2], n[3], n[3] };
    GOOD(cudaGraphAddDependencies(graph, from, to, NULL, 4));
    show_edges(graph);
    SHOW(cudaGraphAddDependencies(graph, from, to, NULL, 1));
    SHOW(cudaGraphAddDependencies(graph, &n[0], &n[0], NULL, 1));
    SHOW(cudaGraphAddDependencies(graph, &n[0], &stranger, NULL, 1));
    SHOW(cudaGraphAddDependencies(graph, NULL, NULL, NULL, 0));
    SHOW(cudaGraphRemoveDependencies(graph, from, to, NULL, 1));
    SHOW(cudaGraphRemoveDependencies(graph, from, to, NULL, 1));
    show_edges(graph);
    count = 8;
    GOOD(cudaGraphNodeGetDependencies(n[3], list, NULL, &count));
    printf("  3 depends on %zu nodes\n", count);
    GOOD(cudaGraphNodeGetDependentNodes(n[0], list, NULL, &count));
    printf("  on 0 depend %zu nodes\n", count);
    count = 8;
    GOOD(cudaGraphGetRootNodes(graph, list, &count));
    printf("  %zu roots\n", count);
    count = 1;
    SHOW(cudaGraphGetNodes(graph, list, &count));
    printf("  %zu of 4 nodes\n", count);
    count = 6;
    list[5] = n[0];
    SHOW(cudaGraphGetNodes(graph, list, &count));
    printf("  %zu nodes, the rest %s\n", count, list[5] ? "kept" : "cleared");
    SHOW(cudaGraphAddEmptyNode(&found, graph, &stranger, 1));
    SHOW(cudaGraphAddEmptyNode(&found, graph, NULL, 1));
    cudaGraphNode_t twofold[] = { n[0], n[0] };
    SHOW(cudaGraphAddEmptyNode(&found, graph, twofold, 2));

    puts("clones");
    GOOD(cudaGraphClone(&clone, graph));
    show_edges(clone);
    GOOD(cudaGraphNodeFindInClone(&found, n[3], clone));
    CHECK(found != n[3]);
    SHOW(cudaGraphNodeFindInClone(&found, n[3], graph));
    SHOW(cudaGraphNodeFindInClone(&found, stranger, clone));
    GOOD(cudaGraphNodeFindInClone(&found, n[1], clone));
    SHOW(cudaGraphDestroyNode(found));
    show_edges(clone);
    SHOW(cudaGraphNodeFindInClone(&found, n[1], clone));
    GOOD(cudaGraphDestroyNode(n[1]));
    show_edges(graph);

    puts("cycles");
    SHOW(cudaGraphAddDependencies(graph, &n[3], &n[0], NULL, 1));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    cudaGraphInstantiateParams params = {};
    SHOW(cudaGraphInstantiateWithParams(&exec, graph, &params));
    printf("  result %d\n", (int)params.result_out);
    SHOW(cudaGraphInstantiate(&exec, clone, 0xf00));
    params.flags = cudaGraphInstantiateFlagAutoFreeOnLaunch;
    SHOW(cudaGraphInstantiateWithParams(&exec, clone, &params));
    unsigned long long flags = 0;
    GOOD(cudaGraphExecGetFlags(exec, &flags));
    printf("  result %d, flags %llu\n", (int)params.result_out, flags);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaGraphDestroy(clone));
    GOOD(cudaGraphDestroy(foreign));
    SHOW(cudaGraphDestroy(NULL));
    SHOW(cudaGraphExecDestroy(NULL));
    SHOW(cudaGraphLaunch(NULL, s));
    SHOW(cudaGraphCreate(&graph, 1));
    SHOW(cudaGraphCreate(NULL, 0));
}

static void run_params()
{
    cudaGraph_t graph;
    cudaGraphNode_t fill, kernel, copy, call;
    cudaGraphExec_t exec;
    cudaMemsetParams m = {};
    int *p = device, value = 100;
    void *args[] = { &p, &value };
    cudaKernelNodeParams k = kernel_of((void *)add, args);
    cudaHostNodeParams h = { note, (void *)"x" };
    unsigned enabled;

    puts("parameters");
    calls = "";
    GOOD(cudaGraphCreate(&graph, 0));
    m.dst = device;
    m.value = 1;
    m.elementSize = 1;
    m.width = 128;
    m.height = 1;
    GOOD(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &m));
    kernel = add_kernel(graph, device, 1, { fill });
    GOOD(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, device, 128,
                                  cudaMemcpyDeviceToHost));
    call = add_note(graph, "y", { copy });
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec);
    CHECK(host[0] == 0x01010102);
    GOOD(cudaGraphKernelNodeSetParams(kernel, &k));
    m.value = 0;
    GOOD(cudaGraphMemsetNodeSetParams(fill, &m));
    launch(exec);
    CHECK(host[0] == 0x01010102); /* what was instantiated does not change */
    value = 50;
    GOOD(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
    GOOD(cudaGraphExecMemsetNodeSetParams(exec, fill, &m));
    GOOD(cudaGraphExecHostNodeSetParams(exec, call, &h));
    launch(exec);
    CHECK(host[0] == 50);
    GOOD(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, host + 32, device, 128,
                                            cudaMemcpyDeviceToHost));
    launch(exec);
    CHECK(host[32] == 50);
    CHECK(calls == "yyxx");
    k.func = (void *)twice;
    SHOW(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
    k.blockDim.x = 2048;
    SHOW(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
    SHOW(cudaGraphKernelNodeSetParams(kernel, &k));
    cudaGraphNode_t bad;
    SHOW(cudaGraphAddKernelNode(&bad, graph, NULL, 0, &k));
    k.blockDim.x = 32;
    k.func = NULL;
    SHOW(cudaGraphAddKernelNode(&bad, graph, NULL, 0, &k));
    m.elementSize = 3;
    SHOW(cudaGraphAddMemsetNode(&bad, graph, NULL, 0, &m));
    SHOW(cudaGraphAddMemcpyNode1D(&bad, graph, NULL, 0, host, device, 128,
                                  (cudaMemcpyKind)9));
    SHOW(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, device, host, 128,
                                            cudaMemcpyHostToDevice));
    SHOW(cudaGraphExecHostNodeSetParams(exec, kernel, &h));

    puts("nodes switched off");
    m.value = m.elementSize = 1;
    GOOD(cudaGraphExecMemsetNodeSetParams(exec, fill, &m));
    GOOD(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
    printf("  enabled %u\n", enabled);
    SHOW(cudaGraphNodeSetEnabled(exec, kernel, 0));
    GOOD(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, host, device, 128,
                                            cudaMemcpyDeviceToHost));
    launch(exec);
    printf("  without the kernel: %d\n", host[0]);
    SHOW(cudaGraphNodeSetEnabled(exec, call, 0));
    SHOW(cudaGraphNodeSetEnabled(exec, copy, 1));
    SHOW(cudaGraphNodeSetEnabled(exec, kernel, 1));
    launch(exec);
    printf("  with the kernel: %d\n", host[0]);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

/* A chain: fill, then kernels that add the values. */
static cudaGraph_t make_chain(std::vector<int> values, bool has_host = false)
{
    cudaGraph_t graph;
    cudaGraphNode_t last;
    cudaMemsetParams m = {};

    m.dst = device;
    m.elementSize = 4;
    m.width = 32;
    m.height = 1;
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphAddMemsetNode(&last, graph, NULL, 0, &m));
    for (int value : values)
        last = has_host ? add_note(graph, "-", { last })
                        : add_kernel(graph, device, value, { last });
    return graph;
}

static void update(cudaGraphExec_t exec, cudaGraph_t graph)
{
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);

    printf("  update: %s, result %d%s%s\n", cudaGetErrorName(error), (int)info.result,
           info.errorNode ? ", with a node" : "",
           info.errorFromNode ? ", with a from-node" : "");
    launch(exec);
    printf("  then %d\n", first(device));
    GOOD(cudaGraphDestroy(graph));
}

static void run_update()
{
    cudaGraph_t graph = make_chain({ 1, 2 }), turned;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[8];
    size_t n = 8;

    puts("updates");
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    update(exec, make_chain({ 10, 20 }));
    update(exec, make_chain({ 10, 20, 30 }));
    update(exec, make_chain({ 10 }));
    update(exec, make_chain({ 10, 20 }, true));
    turned = make_chain({ 10, 20 });
    GOOD(cudaGraphGetNodes(turned, nodes, &n));
    GOOD(cudaGraphRemoveDependencies(turned, &nodes[1], &nodes[2], NULL, 1));
    GOOD(cudaGraphAddDependencies(turned, &nodes[0], &nodes[2], NULL, 1));
    update(exec, turned);
    turned = make_chain({ 10 });
    GOOD(cudaGraphGetNodes(turned, nodes, &n));
    add_twice(turned, device, { nodes[1] });
    update(exec, turned);
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

static size_t graph_memory(cudaGraphMemAttributeType type)
{
    unsigned long long bytes = 0;

    GOOD(cudaDeviceGetGraphMemAttribute(0, type, &bytes));
    return bytes;
}

static void show_memory(const char *when)
{
    printf("  %s: used %zu, high %zu, reserved %zu, high %zu\n", when,
           graph_memory(cudaGraphMemAttrUsedMemCurrent),
           graph_memory(cudaGraphMemAttrUsedMemHigh),
           graph_memory(cudaGraphMemAttrReservedMemCurrent),
           graph_memory(cudaGraphMemAttrReservedMemHigh));
}

static cudaMemAllocNodeParams allocation(size_t bytes)
{
    cudaMemAllocNodeParams a = {};

    a.poolProps.allocType = cudaMemAllocationTypePinned;
    a.poolProps.location.type = cudaMemLocationTypeDevice;
    a.bytesize = bytes;
    return a;
}

static void run_memory()
{
    cudaGraph_t graph, clone;
    cudaGraphNode_t alloc, again, kernel, release, node;
    cudaGraphExec_t exec, second;
    cudaMemAllocNodeParams a = allocation(1 << 20), b = a, got;
    void *address;

    puts("memory nodes");
    show_memory("at first");
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &a));
    int *p = (int *)a.dptr;
    CHECK(p);
    kernel = add_kernel(graph, p, 3, { alloc });
    GOOD(cudaGraphAddMemFreeNode(&release, graph, &kernel, 1, p));
    GOOD(cudaGraphMemAllocNodeGetParams(alloc, &got));
    CHECK(got.dptr == p && got.bytesize == 1 << 20);
    GOOD(cudaGraphMemFreeNodeGetParams(release, &address));
    CHECK(address == p);
    GOOD(cudaGraphAddMemAllocNode(&again, graph, &release, 1, &b));
    printf("  an address is used again: %d\n", b.dptr == p);
    GOOD(cudaGraphAddMemFreeNode(&node, graph, &again, 1, b.dptr));
    SHOW(cudaGraphAddMemFreeNode(&node, graph, &again, 1, b.dptr));
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphDestroyNode(alloc));
    SHOW(cudaGraphRemoveDependencies(graph, &alloc, &kernel, NULL, 1));
    show_memory("built");
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphInstantiate(&second, graph, 0));
    launch(exec);
    launch(exec);
    show_memory("launched");
    GOOD(cudaDeviceGraphMemTrim(0));
    show_memory("trimmed");
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));

    puts("memory that outlives its graph");
    a = allocation(1 << 20);
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &a));
    p = (int *)a.dptr;
    cudaMemsetParams m = {};
    m.dst = p;
    m.value = 7;
    m.elementSize = 4;
    m.width = 32;
    m.height = 1;
    GOOD(cudaGraphAddMemsetNode(&node, graph, &alloc, 1, &m));
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec);
    CHECK(first(p) == 7);
    show_memory("launched");
    SHOW(cudaGraphLaunch(exec, s));
    SHOW(cudaFreeAsync(p, s));
    GOOD(cudaStreamSynchronize(s));
    show_memory("freed");
    SHOW(cudaGraphLaunch(exec, s));
    GOOD(cudaStreamSynchronize(s));
    SHOW(cudaFree(p));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    launch(exec);
    SHOW(cudaGraphLaunch(exec, s));
    GOOD(cudaStreamSynchronize(s));
    SHOW(cudaFree(p));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaDeviceGraphMemTrim(0));
    unsigned long long zero = 0;
    SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
    SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
    SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
    show_memory("at last");
}

static void run_objects()
{
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec;
    cudaUserObject_t object, other;

    puts("objects that graphs keep");
    calls = "";
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaUserObjectCreate(&object, (void *)"1", destroyed, 1,
                              cudaUserObjectNoDestructorSync));
    GOOD(cudaUserObjectCreate(&other, (void *)"2", destroyed, 3,
                              cudaUserObjectNoDestructorSync));
    GOOD(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    GOOD(cudaGraphRetainUserObject(graph, other, 2, 0));
    GOOD(cudaUserObjectRetain(other, 1));
    GOOD(cudaUserObjectRelease(other, 4));
    GOOD(cudaGraphClone(&clone, graph));
    GOOD(cudaGraphInstantiate(&exec, clone, 0));
    GOOD(cudaGraphReleaseUserObject(graph, other, 2));
    CHECK(calls == "");
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaGraphDestroy(clone));
    CHECK(calls == "");
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaDeviceSynchronize());
    printf("  destroyed: %zu\n", calls.size());
    SHOW(cudaUserObjectCreate(&object, NULL, NULL, 1, cudaUserObjectNoDestructorSync));
    SHOW(cudaUserObjectCreate(&object, NULL, destroyed, 1, 0));
}

static void run_conditions()
{
    cudaGraph_t graph, body;
    cudaGraphConditionalHandle handle, otherwise;
    cudaGraphNode_t node, kernel;
    cudaGraphNodeParams c = {};
    cudaGraphExec_t exec;
    int *p = device, limit = 5;

    puts("conditions");
    GOOD(cudaMemset(device, 0, 512));
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphConditionalHandleCreate(&handle, graph, 1,
                                          cudaGraphCondAssignDefault));
    c.type = cudaGraphNodeTypeConditional;
    c.conditional.handle = handle;
    c.conditional.type = cudaGraphCondTypeWhile;
    c.conditional.size = 1;
    GOOD(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &c));
    body = c.conditional.phGraph_out[0];
    void *args[] = { &handle, &p, &limit };
    cudaKernelNodeParams k = kernel_of((void *)decide, args);
    k.blockDim.x = 1;
    GOOD(cudaGraphAddKernelNode(&kernel, body, NULL, 0, &k));
    add_kernel(body, device + 32, 2, { kernel });

    GOOD(cudaGraphConditionalHandleCreate(&otherwise, graph, 0, 0));
    void *choice[] = { &otherwise, &p };
    k = kernel_of((void *)choose, choice);
    k.blockDim.x = 1;
    GOOD(cudaGraphAddKernelNode(&kernel, graph, &node, 1, &k));
    cudaGraphNodeParams i = {};
    i.type = cudaGraphNodeTypeConditional;
    i.conditional.handle = otherwise;
    i.conditional.type = cudaGraphCondTypeIf;
    i.conditional.size = 1;
    GOOD(cudaGraphAddNode(&node, graph, &kernel, NULL, 1, &i));
    add_kernel(i.conditional.phGraph_out[0], device + 64, 9);
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec);
    printf("  %d turns, sum %d, then %d\n", first(device), first(device + 32),
           first(device + 64));
    launch(exec);
    printf("  %d turns, sum %d, then %d\n", first(device), first(device + 32),
           first(device + 64));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

/* A switch of two bodies, with the default values 0, 1 and 2: the last chooses none. */
static void run_switch()
{
    puts("switch");
    GOOD(cudaMemset(device, 0, 512));
    for (unsigned value = 0; value < 3; value++) {
        cudaGraph_t graph;
        cudaGraphConditionalHandle handle;
        cudaGraphNode_t node;
        cudaGraphNodeParams c = {};
        cudaGraphExec_t exec;

        GOOD(cudaGraphCreate(&graph, 0));
        GOOD(cudaGraphConditionalHandleCreate(&handle, graph, value,
                                              cudaGraphCondAssignDefault));
        c.type = cudaGraphNodeTypeConditional;
        c.conditional.handle = handle;
        c.conditional.type = cudaGraphCondTypeSwitch;
        c.conditional.size = 2;
        GOOD(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &c));
        add_kernel(c.conditional.phGraph_out[0], device, 3);
        add_kernel(c.conditional.phGraph_out[1], device + 32, 5);
        GOOD(cudaGraphInstantiate(&exec, graph, 0));
        launch(exec);
        printf("  %u: %d and %d\n", value, first(device), first(device + 32));
        GOOD(cudaGraphExecDestroy(exec));
        GOOD(cudaGraphDestroy(graph));
    }
}

static void run_generic()
{
    cudaGraph_t graph;
    cudaGraphNode_t kernel, call, copy;
    cudaGraphNodeParams k = {}, h = {}, c = {};
    cudaGraphExec_t exec;
    int *p = device, value = 4;
    void *args[] = { &p, &value };

    puts("generic nodes");
    calls = "";
    GOOD(cudaMemset(device, 0, 128));
    GOOD(cudaGraphCreate(&graph, 0));
    k.type = cudaGraphNodeTypeKernel;
    k.kernel.func = (void *)add;
    k.kernel.gridDim = dim3(1);
    k.kernel.blockDim = dim3(32);
    k.kernel.kernelParams = args;
    GOOD(cudaGraphAddNode(&kernel, graph, NULL, NULL, 0, &k));
    c.type = cudaGraphNodeTypeMemcpy;
    c.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(device, 128, 128, 1);
    c.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(host, 128, 128, 1);
    c.memcpy.copyParams.extent = make_cudaExtent(128, 1, 1);
    c.memcpy.copyParams.kind = cudaMemcpyDefault;
    GOOD(cudaGraphAddNode(&copy, graph, &kernel, NULL, 1, &c));
    h.type = cudaGraphNodeTypeHost;
    h.host.fn = note;
    h.host.userData = (void *)"g";
    GOOD(cudaGraphAddNode(&call, graph, &copy, NULL, 1, &h));
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec);
    CHECK(host[0] == 4 && calls == "g");
    value = 6;
    GOOD(cudaGraphExecNodeSetParams(exec, kernel, &k));
    GOOD(cudaGraphNodeSetParams(kernel, &k));
    launch(exec);
    CHECK(host[0] == 10 && calls == "gg");
    h.type = (cudaGraphNodeType)99;
    SHOW(cudaGraphAddNode(&call, graph, NULL, NULL, 0, &h));
    cudaLaunchAttributeValue v = {};
    v.priority = 0;
    SHOW(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &v));
    v.cooperative = 1;
    SHOW(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeCooperative, &v));
    v = {};
    SHOW(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributeCooperative, &v));
    printf("  cooperative %d\n", v.cooperative);
    SHOW(cudaGraphKernelNodeCopyAttributes(kernel, kernel));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

int main()
{
    GOOD(cudaMalloc(&device, 4096));
    GOOD(cudaMemset(device, 0, 4096));
    GOOD(cudaMallocHost(&host, 4096));
    GOOD(cudaStreamCreate(&s));
    run_kinds();
    run_edges();
    run_params();
    run_update();
    run_memory();
    run_objects();
    run_conditions();
    run_switch();
    run_generic();
    (void)cudaGetLastError();
    puts("graphs: good");
    return 0;
}
