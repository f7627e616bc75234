/* stream.c - streams and events. Work is done when a call returns, so a stream is
 * always idle and an event is over once recorded. Events read the device's clock, which
 * only launches advance.
 */
#include <stdlib.h>

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

    return s ? s : &c->default_stream;
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
    handle_drop(&d->handles, stream);
    free(s);
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuStreamSynchronize");

    return result ? result : call_check_stream(d, stream);
}

CUresult cuStreamQuery(CUstream stream)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuStreamQuery");

    return result ? result : call_check_stream(d, stream);
}

/* The common beginning of calls with an event. */
static CUresult event_begin(struct driver **d, struct driver_event **e,
                            const char *call, CUevent event)
{
    CUresult result;

    *e = call_begin_on(d, call, HANDLE_EVENT, "event", event, &result);
    return result;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    struct driver *d;
    struct driver_event *e;
    CUresult result = event_begin(&d, &e, "cuStreamWaitEvent", event);

    if (result)
        return result;
    if (flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x: expected 0", flags);
    return call_check_stream(d, stream);
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    const unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;
    struct driver *d;
    struct context *c;
    struct driver_event *e;
    CUresult result = call_begin(&d, &c, "cuEventCreate");

    if (result)
        return result;
    if (!event || flags & ~known)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "no place for the event, or flags 0x%x not supported", flags);
    e = calloc(1, sizeof *e);
    if (e)
        e->handle = handle_add(&d->handles, HANDLE_EVENT, e);
    if (!e || !e->handle) {
        free(e);
        return call_memory(d, "an event");
    }
    e->context = c;
    e->has_timing = !(flags & CU_EVENT_DISABLE_TIMING);
    *event = e->handle;
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    struct driver *d;
    struct driver_event *e;
    CUresult result = event_begin(&d, &e, "cuEventRecord", event);

    if (result || (result = call_check_stream(d, stream)))
        return result;
    e->is_recorded = true;
    e->at = d->clock;
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
    struct driver *d;
    struct driver_event *e;

    return event_begin(&d, &e, "cuEventSynchronize", event);
}

CUresult cuEventQuery(CUevent event)
{
    struct driver *d;
    struct driver_event *e;

    return event_begin(&d, &e, "cuEventQuery", event);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    struct driver *d;
    struct driver_event *from, *to;
    CUresult result = event_begin(&d, &from, "cuEventElapsedTime", start);

    if (result)
        return result;
    to = handle_find(&d->handles, HANDLE_EVENT, end);
    if (!to)
        return call_bad_handle(d, "event", end);
    if (!milliseconds || !from->is_recorded || !to->is_recorded || !from->has_timing ||
        !to->has_timing)
        return call_fail(
            d, CUDA_ERROR_INVALID_HANDLE,
            "an event was not recorded, or was made without timing, or there "
            "is no place for the answer");
    *milliseconds = (float)(((double)to->at - (double)from->at) * 1e-6);
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event)
{
    struct driver *d;
    struct driver_event *e;
    CUresult result = call_begin_bare(&d, "cuEventDestroy");

    if (result)
        return result;
    e = handle_find(&d->handles, HANDLE_EVENT, event);
    if (!e)
        return call_bad_handle(d, "event", event);
    if (e->context->sticky)
        return e->context->sticky;
    handle_drop(&d->handles, event);
    free(e);
    return CUDA_SUCCESS;
}
