/* stream.c - streams. Work is done when a call returns, so a stream is always idle. */
#include <stdlib.h>

#include "base/buf.h"
#include "driver/capture.h"
#include "driver/internal.h"

int stream_clamp_priority(int priority)
{
    return priority < -5 ? -5 : priority > 0 ? 0 : priority;
}

/* With the hints of a new stream on an H200. */
void stream_init(struct driver_stream *s, struct context *c, unsigned flags,
                 int priority)
{
    s->context = c;
    s->flags = flags;
    s->priority = stream_clamp_priority(priority);
    s->hints.sync_policy = -1;
    s->hints.domain_map[1] = 1;
}

struct driver_stream *stream_of(struct driver *d, struct context *c, CUstream stream)
{
    struct driver_stream *s = handle_find(&d->handles, HANDLE_STREAM, stream);

    if (s)
        return s;
    return stream == CU_STREAM_PER_THREAD ? &c->thread_stream : &c->default_stream;
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

/* Streams run in order, so a priority has no effect. */
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    struct driver *d;
    struct context *c;
    struct driver_stream *s;
    CUresult result = call_begin(&d, &c, "cuStreamCreate");

    if (result)
        return result;
    if (!stream || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no place for the stream, or flags 0x%x not known", flags);
    s = calloc(1, sizeof *s);
    if (s)
        s->handle = handle_add(&d->handles, HANDLE_STREAM, s);
    if (!s || !s->handle) {
        free(s);
        return call_memory(d, "a stream");
    }
    stream_init(s, c, flags, priority);
    *stream = s->handle;
    return CUDA_SUCCESS;
}

/* The properties that a stream was created with. */
static CUresult stream_query(const char *call, CUstream stream, const void *out,
                             const struct driver_stream **s)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, stream)) ||
        (result = call_check_place(d, out)))
        return result;
    *s = stream_of(d, c, stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    const struct driver_stream *s = NULL;
    CUresult result = stream_query("cuStreamGetFlags", stream, flags, &s);

    if (!result)
        *flags = s->flags;
    return result;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    const struct driver_stream *s = NULL;
    CUresult result = stream_query("cuStreamGetPriority", stream, priority, &s);

    if (!result)
        *priority = s->priority;
    return result;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *ctx)
{
    const struct driver_stream *s = NULL;
    CUresult result = stream_query("cuStreamGetCtx", stream, ctx, &s);

    if (!result)
        *ctx = s->context->handle;
    return result;
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *dev)
{
    const struct driver_stream *s = NULL;
    CUresult result = stream_query("cuStreamGetDevice", stream, dev, &s);

    if (!result)
        *dev = 0;
    return result;
}

/* A live stream's number is its handle's. */
CUresult cuStreamGetId(CUstream stream, unsigned long long *number)
{
    const struct driver_stream *s = NULL;
    CUresult result = stream_query("cuStreamGetId", stream, number, &s);

    if (!result)
        *number = (unsigned long long)(uintptr_t)stream;
    return result;
}

void stream_free(struct driver *d, struct driver_stream *s)
{
    capture_drop_stream(d, s);
    handle_drop(&d->handles, s->handle);
    free(s->tips.list);
    free(s);
}

CUresult cuStreamDestroy(CUstream stream)
{
    struct driver *d;
    struct driver_stream *s;
    CUresult result = call_begin_bare(&d, "cuStreamDestroy");

    if (result)
        return result;
    s = handle_find(&d->handles, HANDLE_STREAM, stream);
    if (!s)
        return call_bad_handle(d, "stream", stream);
    if (s->context->sticky)
        return s->context->sticky;
    stream_free(d, s);
    return CUDA_SUCCESS;
}

static CUresult wait_for_stream(const char *call, CUstream stream)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, stream)))
        return result;
    return capture_check_wait(d, stream_of(d, c, stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    return wait_for_stream("cuStreamSynchronize", stream);
}

CUresult cuStreamQuery(CUstream stream)
{
    return wait_for_stream("cuStreamQuery", stream);
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn f, void *data)
{
    struct driver *d;
    struct context *c;
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_HOST, .host = { f, data } };
    CUresult result = call_begin(&d, &c, "cuLaunchHostFunc");

    return result ? result : operation_submit(d, c, stream, &op);
}

static CUresult check_host(struct driver *d, const struct operation *op)
{
    if (op->host.fn)
        return CUDA_SUCCESS;
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no function");
}

static CUresult run_host(struct driver *d, struct context *c,
                         const struct operation *op)
{
    (void)c;
    driver_call_host(d, op->host.fn, op->host.userData);
    return CUDA_SUCCESS;
}

static bool can_become_any(const struct driver *d, const struct operation *from,
                           const struct operation *to)
{
    (void)d;
    (void)from;
    (void)to;
    return true;
}

static void describe_host(const struct driver *d, const struct operation *op,
                          struct buf *out)
{
    (void)d;
    buf_printf(out, "fn: 0x%llx\nuserData: %p",
               (unsigned long long)(uintptr_t)op->host.fn, op->host.userData);
}

const struct operation_ops operation_host = {
    .name = "HOST",
    .shape = "rectangle",
    .check = check_host,
    .execute = run_host,
    .can_become = can_become_any,
    .describe = describe_host,
};

const struct operation_ops operation_empty = {
    .name = "EMPTY",
    .shape = "rectangle",
    .can_become = can_become_any,
};
