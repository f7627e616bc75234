/* graph_attribute.c - attributes of kernel nodes. Those that only affect time are kept. */
#include <stdlib.h>
#include <string.h>

#include "driver/graph.h"
#include "driver/launch.h"

static struct kernel_work *begin_kernel(struct driver **d, const char *call,
                                        CUgraphNode node, CUresult *result)
{
    struct graph_node *n = graph_begin_node(d, call, node, result);

    if (!n)
        return NULL;
    if (n->op.type == CU_GRAPH_NODE_TYPE_KERNEL)
        return &n->op.kernel;
    *result = call_fail(*d, CUDA_ERROR_INVALID_VALUE, "the node is not a kernel");
    return NULL;
}

static const CUlaunchAttribute *find_attribute(const struct kernel_work *w,
                                               CUlaunchAttributeID id)
{
    for (uint32_t i = 0; i < w->n_attributes; i++)
        if (w->attributes[i].id == id)
            return &w->attributes[i];
    return NULL;
}

/* What was never set is zero. */
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       CUlaunchAttributeValue *value)
{
    struct driver *d;
    CUresult result;
    struct kernel_work *w =
        begin_kernel(&d, "cuGraphKernelNodeGetAttribute", node, &result);
    struct kernel_work scratch = { 0 };
    const CUlaunchAttribute *a;
    CUlaunchAttribute unset = { .id = id, .value.clusterDim = { 1, 1, 1 } };

    if (!w || (result = call_check_place(d, value)))
        return result;
    a = find_attribute(w, id);
    if (!a && !launch_take_attribute(&scratch, &unset))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "attribute %d is not known",
                         (int)id);
    *value = a ? a->value : (CUlaunchAttributeValue){ 0 };
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        value->cooperative = w->is_cooperative;
    return CUDA_SUCCESS;
}

static CUresult set_attribute(struct driver *d, struct kernel_work *w,
                              const CUlaunchAttribute *a)
{
    CUlaunchAttribute *list = malloc((w->n_attributes + 1) * sizeof *w->attributes),
                      *place;

    if (!list)
        return call_memory(d, "the attributes of a node");
    if (w->n_attributes)
        memcpy(list, w->attributes, w->n_attributes * sizeof *list);
    place = list + w->n_attributes;
    for (uint32_t i = 0; i < w->n_attributes; i++)
        if (list[i].id == a->id)
            place = &list[i];
    if (place == list + w->n_attributes)
        w->n_attributes++;
    *place = *a;
    free((void *)(uintptr_t)w->attributes);
    w->attributes = list;
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       const CUlaunchAttributeValue *value)
{
    struct driver *d;
    CUresult result;
    struct kernel_work *w =
        begin_kernel(&d, "cuGraphKernelNodeSetAttribute", node, &result);
    CUlaunchAttribute a = { .id = id };

    if (!w || (result = call_check_place(d, value)))
        return result;
    a.value = *value;
    if (!launch_take_attribute(w, &a))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "attribute %d is not known, or cannot have this value",
                         (int)id);
    return set_attribute(d, w, &a);
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
    struct driver *d;
    CUresult result;
    struct kernel_work *target =
        begin_kernel(&d, "cuGraphKernelNodeCopyAttributes", to, &result);
    struct kernel_work *source =
        target ? begin_kernel(&d, "cuGraphKernelNodeCopyAttributes", from, &result)
               : NULL;

    if (!source || target == source)
        return result;
    target->n_attributes = 0;
    target->is_cooperative = source->is_cooperative;
    memcpy(target->cluster, source->cluster, sizeof target->cluster);
    for (uint32_t i = 0; !result && i < source->n_attributes; i++)
        result = set_attribute(d, target, &source->attributes[i]);
    return result;
}
