/* event.c - events. One is over once recorded. They read the device's clock, which only
 * launches advance.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "driver/capture.h"
#include "driver/internal.h"

/* The common beginning of calls with an event. */
static CUresult event_begin(struct driver **d, struct driver_event **e,
                            const char *call, CUevent event)
{
    CUresult result;

    *e = call_begin_on(d, call, HANDLE_EVENT, "event", event, &result);
    return result;
}

/* In a capture the stream's next node depends on what the event stands for; outside,
 * all earlier work is over. */
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    struct driver *d;
    struct driver_event *e;
    struct driver_stream *s;
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .event = event };
    CUresult result = event_begin(&d, &e, "cuStreamWaitEvent", event);

    if (result)
        return result;
    if (flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x: expected 0 or 1",
                         flags);
    if ((result = call_check_stream(d, stream)))
        return result;
    s = stream_of(d, e->context, stream);
    if (flags && !s->capture)
        return call_fail(d, CUDA_ERROR_ILLEGAL_STATE,
                         "the flag is for streams that are captured");
    if (flags)
        return operation_submit(d, e->context, stream, &op);
    return capture_wait(d, s, e);
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    const unsigned known =
        CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    struct driver *d;
    struct context *c;
    struct driver_event *e;
    CUresult result = call_begin(&d, &c, "cuEventCreate");

    if (result)
        return result;
    if (!event || flags & ~known ||
        (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING)))
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
    e->is_shared = flags & CU_EVENT_INTERPROCESS;
    *event = e->handle;
    return CUDA_SUCCESS;
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    struct driver *d;
    struct driver_event *e;
    struct driver_stream *s;
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = event };
    CUresult result = event_begin(&d, &e, "cuEventRecord", event);

    if (result || (result = call_check_stream(d, stream)))
        return result;
    if (flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x: expected 0 or 1",
                         flags);
    s = stream_of(d, e->context, stream);
    if (flags && !s->capture)
        return call_fail(d, CUDA_ERROR_ILLEGAL_STATE,
                         "the flag is for streams that are captured");
    if (s->capture && !flags)
        return capture_record(d, s, e);
    return operation_submit(d, e->context, stream, &op);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}

static CUresult check_event(struct driver *d, const struct operation *op)
{
    if (handle_find(&d->handles, HANDLE_EVENT, op->event))
        return CUDA_SUCCESS;
    return call_bad_handle(d, "event", op->event);
}

static CUresult run_record(struct driver *d, struct context *c,
                           const struct operation *op)
{
    struct driver_event *e = handle_find(&d->handles, HANDLE_EVENT, op->event);

    (void)c;
    if (!e)
        return call_bad_handle(d, "event", op->event);
    capture_forget_event(e);
    e->is_recorded = true;
    e->at = d->clock;
    return CUDA_SUCCESS;
}

static bool event_can_become(const struct driver *d, const struct operation *from,
                             const struct operation *to)
{
    (void)d;
    (void)from;
    (void)to;
    return true;
}

static void describe_event(const struct driver *d, const struct operation *op,
                           struct buf *out)
{
    (void)d;
    buf_printf(out, "event: %p", (void *)op->event);
}

const struct operation_ops operation_record = {
    .name = "EVENT_RECORD",
    .shape = "rectangle",
    .check = check_event,
    .execute = run_record,
    .can_become = event_can_become,
    .describe = describe_event,
};

/* Executed, all earlier work is over. */
const struct operation_ops operation_wait = {
    .name = "EVENT_WAIT",
    .shape = "rectangle",
    .check = check_event,
    .can_become = event_can_become,
    .describe = describe_event,
};

static CUresult wait_for_event(const char *call, CUevent event)
{
    struct driver *d;
    struct driver_event *e;
    CUresult result = event_begin(&d, &e, call, event);

    return result ? result : capture_check_event(d, e);
}

CUresult cuEventSynchronize(CUevent event)
{
    return wait_for_event("cuEventSynchronize", event);
}

CUresult cuEventQuery(CUevent event)
{
    return wait_for_event("cuEventQuery", event);
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

void event_free(struct driver *d, struct driver_event *e)
{
    handle_drop(&d->handles, e->handle);
    free(e->tips.list);
    free(e);
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
    event_free(d, e);
    return CUDA_SUCCESS;
}
