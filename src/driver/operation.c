/* operation.c - the way of all stream-ordered work: checked, then executed or captured. */
#include "driver/operation.h"

#include "driver/capture.h"
#include "driver/internal.h"

static const struct operation_ops *const kinds[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = &operation_kernel,
    [CU_GRAPH_NODE_TYPE_MEMCPY] = &operation_copy,
    [CU_GRAPH_NODE_TYPE_MEMSET] = &operation_fill,
    [CU_GRAPH_NODE_TYPE_HOST] = &operation_host,
    [CU_GRAPH_NODE_TYPE_GRAPH] = &operation_child,
    [CU_GRAPH_NODE_TYPE_EMPTY] = &operation_empty,
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = &operation_wait,
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = &operation_record,
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = &operation_alloc,
    [CU_GRAPH_NODE_TYPE_MEM_FREE] = &operation_release,
    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = &operation_condition,
};

const struct operation_ops *operation_ops_of(CUgraphNodeType type)
{
    return (unsigned)type < sizeof kinds / sizeof *kinds ? kinds[type] : NULL;
}

CUresult operation_check(struct driver *d, const struct operation *op)
{
    const struct operation_ops *ops = kinds[op->type];

    return ops->check ? ops->check(d, op) : CUDA_SUCCESS;
}

CUresult operation_execute(struct driver *d, struct context *c,
                           const struct operation *op)
{
    const struct operation_ops *ops = kinds[op->type];

    return ops->execute ? ops->execute(d, c, op) : CUDA_SUCCESS;
}

CUresult operation_clone(struct driver *d, struct operation *to,
                         const struct operation *from)
{
    const struct operation_ops *ops = kinds[from->type];

    *to = *from;
    return ops->adopt ? ops->adopt(d, to) : CUDA_SUCCESS;
}

void operation_free(struct driver *d, struct operation *op)
{
    const struct operation_ops *ops = kinds[op->type];

    if (ops->release)
        ops->release(d, op);
}

CUresult operation_submit(struct driver *d, struct context *c, CUstream stream,
                          const struct operation *op)
{
    CUresult result = call_check_stream(d, stream);
    struct driver_stream *s;

    if (result)
        return result;
    s = stream_of(d, c, stream);
    result = capture_admit(d, s);
    if (result)
        return result;
    if (s->capture)
        return capture_operation(d, s, op);
    result = operation_check(d, op);
    return result ? result : operation_execute(d, c, op);
}
