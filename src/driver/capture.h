/* capture.h - streams that are captured: their work becomes nodes of a graph.
 *
 * A capture begins on one stream; others join it by waiting for an event recorded in it.
 * Each stream of a capture has a set of nodes that its next node depends on. An error in
 * a capture invalidates it: its streams stay in it until it is ended.
 */
#ifndef LENO_DRIVER_CAPTURE_H
#define LENO_DRIVER_CAPTURE_H

#include "driver/internal.h"
#include "driver/operation.h"

struct capture {
    struct capture *next;
    uint64_t id;
    struct graph *graph;
    bool is_own; /* the graph was made by the capture */
    struct driver_stream *origin;
    CUstreamCaptureMode mode;
    uintptr_t thread;
    bool is_invalid;
};

/* Whether work may go into the stream: not into the legacy stream while a stream that
 * synchronizes with it is captured, nor into a capture that is invalid. */
CUresult capture_admit(struct driver *d, struct driver_stream *s);

/* Makes the operation the next node of a captured stream. */
CUresult capture_operation(struct driver *d, struct driver_stream *s,
                           const struct operation *op);

/* For calls that are unsafe while a stream is captured (allocation, waiting): an error,
 * and the captures that forbid the call become invalid. */
CUresult capture_check_unsafe(struct driver *d);
/* The same for calls that wait for a stream, or for all work. */
CUresult capture_check_wait(struct driver *d, const struct driver_stream *s);
CUresult capture_check_wait_all(struct driver *d, const struct context *c);
CUresult capture_check_event(struct driver *d, const struct driver_event *e);

/* Events in captures: they stand for the nodes that the stream's next one depends on. */
CUresult capture_record(struct driver *d, struct driver_stream *s,
                        struct driver_event *e);
CUresult capture_wait(struct driver *d, struct driver_stream *s,
                      const struct driver_event *e);
/* A record outside of captures. */
void capture_forget_event(struct driver_event *e);

/* Whether the stream's work is captured at present. */
bool capture_is_on(struct driver *d, struct context *c, CUstream stream);
/* Stream-ordered allocation in a captured stream. */
CUresult capture_alloc(struct driver *d, struct context *c, CUstream stream,
                       CUdeviceptr *at, size_t bytes);
CUresult capture_free(struct driver *d, struct context *c, CUstream stream,
                      CUdeviceptr at);

/* Before a stream, a graph or a context goes away: its captures end. */
void capture_drop_stream(struct driver *d, struct driver_stream *s);
void capture_drop_context(struct driver *d, const struct context *c);
bool capture_uses_graph(const struct driver *d, const struct graph *g);

#endif
