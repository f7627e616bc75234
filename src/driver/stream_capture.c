/* stream_capture.c - streams whose work becomes nodes of a graph instead of being executed:
 * which calls are allowed meanwhile, and how events carry a capture from stream to stream.
 * Results are an H200's.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "driver/capture.h"
#include "driver/graph.h"
#include "driver/node_set.h"

/* What a thread has chosen instead of the default, CU_STREAM_CAPTURE_MODE_GLOBAL. */
struct thread_mode {
    uintptr_t thread;
    CUstreamCaptureMode mode;
};

static uintptr_t this_thread(void)
{
    return (uintptr_t)pthread_self();
}

static struct thread_mode *find_mode(const struct driver *d)
{
    for (uint32_t i = 0; i < d->n_modes; i++)
        if (d->modes[i].thread == this_thread())
            return &d->modes[i];
    return NULL;
}

static bool is_mode(CUstreamCaptureMode mode)
{
    return (unsigned)mode <= CU_STREAM_CAPTURE_MODE_RELAXED;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    struct driver *d;
    struct thread_mode *m, *list;
    CUstreamCaptureMode wanted;
    CUresult result = call_begin_bare(&d, "cuThreadExchangeStreamCaptureMode");

    if (result)
        return result;
    if (!mode || !is_mode(*mode))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no mode, or not one of 0 to 2");
    m = find_mode(d);
    wanted = *mode;
    if (!m) {
        list = realloc(d->modes, (d->n_modes + 1) * sizeof *list);
        if (!list)
            return call_memory(d, "a thread's mode");
        d->modes = list;
        m = &list[d->n_modes++];
        *m = (struct thread_mode){ this_thread(), CU_STREAM_CAPTURE_MODE_GLOBAL };
    }
    *mode = m->mode;
    m->mode = wanted;
    if (wanted == CU_STREAM_CAPTURE_MODE_GLOBAL)
        *m = d->modes[--d->n_modes];
    return CUDA_SUCCESS;
}

/* The streams of a capture, one after another; at starts at 0. */
static struct driver_stream *next_stream(const struct driver *d,
                                         const struct capture *capture, uint32_t *at)
{
    struct driver_stream *s = &capture->origin->context->thread_stream;

    if (!*at) {
        *at = 1; /* slot 0 is the context's, never a stream's */
        if (s->capture == capture)
            return s;
    }
    while ((s = handle_next(&d->handles, HANDLE_STREAM, at)))
        if (s->capture == capture)
            return s;
    return NULL;
}

/* Streams leave the capture; its graph goes to the caller, or away. */
static void end_capture(struct driver *d, struct capture *capture, bool keeps_graph)
{
    struct capture **at = &d->captures;
    struct driver_stream *s;
    uint32_t slot = 0;

    while ((s = next_stream(d, capture, &slot))) {
        s->capture = NULL;
        s->tips.n = 0;
    }
    while (*at != capture)
        at = &(*at)->next;
    *at = capture->next;
    if (capture->is_own && !keeps_graph)
        graph_free(d, capture->graph);
    free(capture);
}

/* A stream that joined must have come back: its last nodes are depended on. */
static bool stream_is_joined(const struct driver_stream *s)
{
    const struct capture *p = s->capture;

    for (uint32_t i = 0; s != p->origin && i < s->tips.n; i++) {
        bool is_depended_on = node_set_has(&p->origin->tips, s->tips.list[i]);

        for (uint32_t k = 0; !is_depended_on && k < p->graph->n_edges; k++)
            is_depended_on = p->graph->edges[k].from->handle == s->tips.list[i];
        if (!is_depended_on)
            return false;
    }
    return true;
}

void capture_drop_stream(struct driver *d, struct driver_stream *s)
{
    if (!s->capture)
        return;
    if (s->capture->origin == s) {
        end_capture(d, s->capture, false);
        return;
    }
    if (!stream_is_joined(s))
        s->capture->is_invalid = true;
    s->capture = NULL;
}

void capture_drop_context(struct driver *d, const struct context *c)
{
    for (struct capture *p = d->captures, *next; p; p = next) {
        next = p->next;
        if (p->origin->context == c)
            end_capture(d, p, false);
    }
}

bool capture_uses_graph(const struct driver *d, const struct graph *g)
{
    for (const struct capture *p = d->captures; p; p = p->next)
        if (p->graph == g)
            return true;
    return false;
}

/* A stream that waits for the legacy stream's work, and it for the stream's. */
static bool has_blocking_stream(const struct driver *d, const struct capture *capture)
{
    const struct driver_stream *s;
    uint32_t at = 0;

    while ((s = next_stream(d, capture, &at)))
        if (!(s->flags & CU_STREAM_NON_BLOCKING))
            return true;
    return false;
}

static CUresult admit_legacy(struct driver *d, const struct driver_stream *s)
{
    bool is_bad = false;

    for (struct capture *p = d->captures; p; p = p->next)
        if (p->origin->context == s->context && has_blocking_stream(d, p))
            is_bad = p->is_invalid = true;
    if (!is_bad)
        return CUDA_SUCCESS;
    return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                     "the legacy stream waits for a stream that is captured");
}

CUresult capture_admit(struct driver *d, struct driver_stream *s)
{
    if (!d->captures)
        return CUDA_SUCCESS;
    if (s == &s->context->default_stream)
        return admit_legacy(d, s);
    if (s->capture && s->capture->is_invalid)
        return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                         "an earlier error made the capture invalid");
    return CUDA_SUCCESS;
}

/* Makes a node the one that the stream's next work depends on. */
static CUresult advance_stream(struct driver *d, struct driver_stream *s,
                               const struct graph_node *n)
{
    s->tips.n = 0;
    return node_set_add(&s->tips, n->handle) ? CUDA_SUCCESS
                                             : call_memory(d, "a captured stream");
}

/* An error in a capture makes it invalid. */
static CUresult end_step(struct driver *d, struct driver_stream *s,
                         const struct graph_node *n, CUresult result)
{
    if (!result)
        result = advance_stream(d, s, n);
    if (result)
        s->capture->is_invalid = true;
    return result;
}

CUresult capture_operation(struct driver *d, struct driver_stream *s,
                           const struct operation *op)
{
    struct graph_node *n = NULL;
    CUresult result = operation_check(d, op);

    if (!result)
        result = graph_add_node(d, s->capture->graph, op, &s->tips, &n);
    return end_step(d, s, n, result);
}

bool capture_is_on(struct driver *d, struct context *c, CUstream stream)
{
    return d->captures && stream_of(d, c, stream)->capture;
}

CUresult capture_alloc(struct driver *d, struct context *c, CUstream stream,
                       CUdeviceptr *at, size_t bytes)
{
    static const int pool[4] = { 1, 0, 1, 0 }; /* pinned memory of device 0 */
    struct driver_stream *s = stream_of(d, c, stream);
    CUDA_MEM_ALLOC_NODE_PARAMS params = { .bytesize = bytes };
    struct graph_node *n = NULL;
    CUresult result = capture_admit(d, s);

    if (result || (result = call_check_place(d, at)))
        return result;
    memcpy(params.poolProps, pool, sizeof pool);
    result = graph_add_alloc(d, s->capture->graph, &s->tips, &params, &n);
    if (!result)
        *at = params.dptr;
    return end_step(d, s, n, result);
}

CUresult capture_free(struct driver *d, struct context *c, CUstream stream,
                      CUdeviceptr at)
{
    struct driver_stream *s = stream_of(d, c, stream);
    struct graph_node *n = NULL;
    CUresult result = capture_admit(d, s);

    if (result)
        return result;
    result = graph_add_free(d, s->capture->graph, &s->tips, at, &n);
    return end_step(d, s, n, result);
}

/* Whether a capture forbids this thread calls that are unsafe. */
static bool forbids_unsafe(const struct capture *p, CUstreamCaptureMode mode)
{
    if (mode == CU_STREAM_CAPTURE_MODE_RELAXED ||
        p->mode == CU_STREAM_CAPTURE_MODE_RELAXED)
        return false;
    if (p->thread == this_thread())
        return true;
    return mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
           p->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

CUresult capture_check_unsafe(struct driver *d)
{
    const struct thread_mode *m = d->captures ? find_mode(d) : NULL;
    CUstreamCaptureMode mode = m ? m->mode : CU_STREAM_CAPTURE_MODE_GLOBAL;
    bool is_bad = false;

    for (struct capture *p = d->captures; p; p = p->next)
        if (forbids_unsafe(p, mode))
            is_bad = p->is_invalid = true;
    if (!is_bad)
        return CUDA_SUCCESS;
    return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "the call is unsafe while a stream is captured in this mode");
}

CUresult capture_check_wait(struct driver *d, const struct driver_stream *s)
{
    if (!s->capture)
        return capture_check_unsafe(d);
    s->capture->is_invalid = true;
    return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "the stream is captured: nothing is executed");
}

CUresult capture_check_wait_all(struct driver *d, const struct context *c)
{
    bool is_bad = false;

    for (struct capture *p = d->captures; p; p = p->next)
        if (p->origin->context == c)
            is_bad = p->is_invalid = true;
    if (!is_bad)
        return CUDA_SUCCESS;
    return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "a stream of the context is captured");
}

static struct capture *capture_of_event(const struct driver *d,
                                        const struct driver_event *e)
{
    struct capture *p = d->captures;

    while (p && p->id != e->capture)
        p = p->next;
    return p;
}

/* What an event stood for is gone with its capture. */
static CUresult fail_stale(struct driver *d)
{
    return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                     "the event was last recorded in a capture that has ended");
}

CUresult capture_check_event(struct driver *d, const struct driver_event *e)
{
    struct capture *p;

    if (!e->capture)
        return capture_check_unsafe(d);
    p = capture_of_event(d, e);
    if (!p)
        return fail_stale(d);
    p->is_invalid = true;
    return call_fail(d, CUDA_ERROR_CAPTURED_EVENT,
                     "the event was recorded in a stream that is captured");
}

void capture_forget_event(struct driver_event *e)
{
    e->capture = 0;
    e->tips.n = 0;
}

CUresult capture_record(struct driver *d, struct driver_stream *s,
                        struct driver_event *e)
{
    CUresult result = capture_admit(d, s);

    if (result)
        return result;
    if (!node_set_copy(&e->tips, &s->tips))
        return call_memory(d, "an event of a capture");
    e->capture = s->capture->id;
    return CUDA_SUCCESS;
}

/* The stream's next node depends on the event's nodes too. */
static CUresult join_tips(struct driver *d, struct driver_stream *s,
                          const struct node_set *tips)
{
    for (uint32_t i = 0; i < tips->n; i++)
        if (!node_set_add(&s->tips, tips->list[i]))
            return call_memory(d, "a captured stream");
    return CUDA_SUCCESS;
}

/* In a capture the stream cannot wait for anything outside. */
static CUresult fail_wait(struct driver *d, struct driver_stream *s, CUresult code,
                          const char *why)
{
    if (s->capture)
        s->capture->is_invalid = true;
    return call_fail(d, code, "%s", why);
}

CUresult capture_wait(struct driver *d, struct driver_stream *s,
                      const struct driver_event *e)
{
    CUresult result = capture_admit(d, s);
    struct capture *p;

    if (result)
        return result;
    if (!e->capture)
        return s->capture ? fail_wait(d, s, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                                      "the event was recorded outside of the capture")
                          : CUDA_SUCCESS;
    p = capture_of_event(d, e);
    if (!p) {
        fail_stale(d);
        return fail_wait(d, s, CUDA_ERROR_INVALID_VALUE,
                         "the event was last recorded in a capture that has ended");
    }
    if (s->capture && s->capture != p) {
        p->is_invalid = true;
        return fail_wait(d, s, CUDA_ERROR_STREAM_CAPTURE_MERGE,
                         "the event belongs to another capture");
    }
    if (p->is_invalid)
        return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                         "an earlier error made the capture invalid");
    s->capture = p;
    return join_tips(d, s, &e->tips);
}

/* The common beginning of calls on a stream's capture. */
static CUresult begin_on_stream(struct driver **d, struct driver_stream **s,
                                const char *call, CUstream stream)
{
    struct context *c;
    CUresult result = call_begin(d, &c, call);

    if (result || (result = call_check_stream(*d, stream)))
        return result;
    *s = stream_of(*d, c, stream);
    return CUDA_SUCCESS;
}

static CUresult begin_capture(const char *call, CUstream stream, CUgraph into,
                              const struct node_set *from, CUstreamCaptureMode mode)
{
    struct driver *d;
    struct driver_stream *s;
    struct capture *p;
    struct graph *g = NULL;
    CUresult result = begin_on_stream(&d, &s, call, stream);

    if (result)
        return result;
    if (!is_mode(mode))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "mode %d: expected 0 to 2",
                         (int)mode);
    if (s == &s->context->default_stream)
        return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                         "the legacy stream cannot be captured");
    if (s->capture)
        return call_fail(d, CUDA_ERROR_ILLEGAL_STATE, "the stream is captured already");
    if (from && !(g = handle_find(&d->handles, HANDLE_GRAPH, into)))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%p is not a live graph",
                         (void *)into);
    for (uint32_t i = 0; from && i < from->n; i++)
        if (!graph_node_of(d, g, from->list[i], &result))
            return result;
    p = calloc(1, sizeof *p);
    if (!p || (from && !node_set_copy(&s->tips, from))) {
        free(p);
        return call_memory(d, "a capture");
    }
    if (!g && (result = graph_new(d, s->context, &g))) {
        free(p);
        return result;
    }
    *p = (struct capture){ .next = d->captures,
                           .id = ++d->n_captures,
                           .graph = g,
                           .is_own = !from,
                           .origin = s,
                           .mode = mode,
                           .thread = this_thread() };
    d->captures = s->capture = p;
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    return begin_capture("cuStreamBeginCapture", stream, NULL, NULL, mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode *from,
                                     const CUgraphEdgeData *data, size_t n,
                                     CUstreamCaptureMode mode)
{
    struct node_set set = { (CUgraphNode *)(uintptr_t)from, from ? (uint32_t)n : 0, 0 };

    (void)data; /* ports only let work begin earlier */
    return begin_capture("cuStreamBeginCaptureToGraph", stream, graph, &set, mode);
}

static bool is_joined(const struct driver *d, const struct capture *capture)
{
    struct driver_stream *s;
    uint32_t slot = 0;

    while ((s = next_stream(d, capture, &slot)))
        if (!stream_is_joined(s))
            return false;
    return true;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    struct driver *d;
    struct driver_stream *s;
    struct capture *p;
    CUresult result = begin_on_stream(&d, &s, "cuStreamEndCapture", stream);

    if (result)
        return result;
    p = s->capture;
    if (graph) /* who captured into a graph of his own need not ask for it */
        *graph = NULL;
    if (!p)
        return call_fail(d, CUDA_ERROR_ILLEGAL_STATE, "the stream is not captured");
    if (p->origin != s) {
        p->is_invalid = true;
        return call_fail(d, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
                         "the capture began on another stream");
    }
    if (p->mode != CU_STREAM_CAPTURE_MODE_RELAXED && p->thread != this_thread())
        result = call_fail(d, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
                           "the capture began in another thread");
    else if (p->is_invalid)
        result = call_fail(d, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                           "an earlier error made the capture invalid");
    else if (!is_joined(d, p))
        result = call_fail(d, CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                           "work of another stream was captured that this one does not "
                           "wait for");
    else if (graph)
        *graph = p->graph->handle;
    end_capture(d, p, !result && graph);
    return result;
}

static CUstreamCaptureStatus status_of(const struct driver_stream *s)
{
    if (!s->capture)
        return CU_STREAM_CAPTURE_STATUS_NONE;
    return s->capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                  : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    struct driver *d;
    struct driver_stream *s;
    CUresult result = begin_on_stream(&d, &s, "cuStreamIsCapturing", stream);

    if (result || (result = call_check_place(d, status)) ||
        (result = capture_admit(d, s)) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        return result;
    *status = status_of(s);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status,
                                uint64_t *id, CUgraph *graph, const CUgraphNode **from,
                                const CUgraphEdgeData **data, size_t *n)
{
    struct driver *d;
    struct driver_stream *s;
    CUresult result = begin_on_stream(&d, &s, "cuStreamGetCaptureInfo", stream);

    if (result || (result = call_check_place(d, status)) ||
        (result = capture_admit(d, s)) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        return result;
    *status = status_of(s);
    if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_SUCCESS;
    if (id)
        *id = s->capture->id;
    if (graph)
        *graph = s->capture->graph->handle;
    if (from)
        *from = s->tips.list;
    if (data)
        *data = NULL; /* all edges are ordinary ones */
    if (n)
        *n = s->tips.n;
    return CUDA_SUCCESS;
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *from,
                                           const CUgraphEdgeData *data, size_t n,
                                           unsigned int flags)
{
    struct driver *d;
    struct driver_stream *s;
    struct node_set set = { from, (uint32_t)n, 0 };
    CUresult result =
        begin_on_stream(&d, &s, "cuStreamUpdateCaptureDependencies", stream);

    (void)data;
    if (result)
        return result;
    if (!s->capture)
        return call_fail(d, CUDA_ERROR_ILLEGAL_STATE, "the stream is not captured");
    if ((result = capture_admit(d, s)))
        return result;
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES || (n && !from) || n > UINT32_MAX)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "flags 0x%x: expected 0 or 1; or no list of nodes", flags);
    for (uint32_t i = 0; i < set.n; i++)
        if (!graph_node_of(d, s->capture->graph, from[i], &result))
            return result;
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        s->tips.n = 0;
    return join_tips(d, s, &set);
}
