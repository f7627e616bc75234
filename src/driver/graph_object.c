/* graph_object.c - objects of the program that live as long as the graphs that retain
 * them. The last reference calls the program's function.
 */
#include <limits.h>
#include <stdlib.h>

#include "driver/graph.h"

static void release_object(struct driver *d, struct user_object *o, uint64_t count)
{
    o->refs -= count;
    if (o->refs)
        return;
    handle_drop(&d->handles, o->handle);
    driver_call_host(d, o->destroy, o->data);
    free(o);
}

static struct graph_hold *find_hold(const struct graph *g, const struct user_object *o)
{
    for (uint32_t i = 0; i < g->n_holds; i++)
        if (g->holds[i].object == o)
            return &g->holds[i];
    return NULL;
}

static CUresult add_hold(struct driver *d, struct graph *g, struct user_object *o,
                         uint64_t count)
{
    struct graph_hold *hold = find_hold(g, o);

    if (!hold) {
        struct graph_hold *list = realloc(g->holds, (g->n_holds + 1) * sizeof *list);

        if (!list)
            return call_memory(d, "the objects of a graph");
        g->holds = list;
        hold = &list[g->n_holds++];
        *hold = (struct graph_hold){ o, 0 };
    }
    hold->count += count;
    return CUDA_SUCCESS;
}

CUresult graph_share_objects(struct driver *d, struct graph *to,
                             const struct graph *from)
{
    CUresult result = CUDA_SUCCESS;

    for (uint32_t i = 0; !result && i < from->n_holds; i++) {
        result = add_hold(d, to, from->holds[i].object, from->holds[i].count);
        if (!result)
            from->holds[i].object->refs += from->holds[i].count;
    }
    return result;
}

void graph_drop_objects(struct driver *d, struct graph *g)
{
    for (uint32_t i = 0; i < g->n_holds; i++)
        release_object(d, g->holds[i].object, g->holds[i].count);
    free(g->holds);
}

static struct user_object *begin_object(struct driver **d, const char *call,
                                        CUuserObject object, unsigned int count,
                                        CUresult *result)
{
    struct context *c;
    struct user_object *o;

    *result = call_begin(d, &c, call);
    if (*result)
        return NULL;
    o = handle_find(&(*d)->handles, HANDLE_USER_OBJECT, object);
    if (o && count && count <= INT_MAX)
        return o;
    *result = call_fail(*d, CUDA_ERROR_INVALID_VALUE,
                        "%u references of object %p, which is not live, or too many",
                        count, (void *)object);
    return NULL;
}

CUresult cuUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy,
                            unsigned int count, unsigned int flags)
{
    struct driver *d;
    struct context *c;
    struct user_object *o;
    CUresult result = call_begin(&d, &c, "cuUserObjectCreate");

    if (result)
        return result;
    if (!object || !destroy || !count || count > INT_MAX ||
        flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return call_fail(
            d, CUDA_ERROR_INVALID_VALUE,
            "no place, no function, %u references, or flags 0x%x: expected "
            "1",
            count, flags);
    o = calloc(1, sizeof *o);
    if (o)
        o->handle = handle_add(&d->handles, HANDLE_USER_OBJECT, o);
    if (!o || !o->handle) {
        free(o);
        return call_memory(d, "an object");
    }
    o->context = c;
    o->destroy = destroy;
    o->data = data;
    o->refs = count;
    *object = o->handle;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count)
{
    struct driver *d;
    CUresult result;
    struct user_object *o =
        begin_object(&d, "cuUserObjectRetain", object, count, &result);

    if (o)
        o->refs += count;
    return result;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)
{
    struct driver *d;
    CUresult result;
    struct user_object *o =
        begin_object(&d, "cuUserObjectRelease", object, count, &result);

    if (!o)
        return result;
    if (count > o->refs)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%u references, there are %llu",
                         count, (unsigned long long)o->refs);
    release_object(d, o, count);
    return CUDA_SUCCESS;
}

/* References are new, or the caller's own that move to the graph. */
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                 unsigned int flags)
{
    const char *call = "cuGraphRetainUserObject";
    struct driver *d;
    CUresult result;
    struct user_object *o = begin_object(&d, call, object, count, &result);
    struct graph *g = o ? graph_begin(&d, call, graph, &result) : NULL;

    if (!g)
        return result;
    if (flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x: expected 0 or 1",
                         flags);
    result = add_hold(d, g, o, count);
    if (!result && !flags)
        o->refs += count;
    return result;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object,
                                  unsigned int count)
{
    const char *call = "cuGraphReleaseUserObject";
    struct driver *d;
    CUresult result;
    struct user_object *o = begin_object(&d, call, object, count, &result);
    struct graph *g = o ? graph_begin(&d, call, graph, &result) : NULL;
    struct graph_hold *hold;

    if (!g)
        return result;
    hold = find_hold(g, o);
    if (!hold || hold->count < count)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the graph does not hold %u references", count);
    hold->count -= count;
    if (!hold->count)
        *hold = g->holds[--g->n_holds];
    release_object(d, o, count);
    return CUDA_SUCCESS;
}
