/* stream_attribute.c - attributes of a stream: kept and given back, as work is over when a
 * call returns. Values are checked as an H200's driver checks them.
 */
#include "driver/internal.h"

enum { N_PROPERTIES = 3, PERSISTING = 2, LAST_SYNC_POLICY = 4, N_DOMAINS = 4 };

static bool is_window(const struct driver *d, const CUaccessPolicyWindow *w)
{
    return w->num_bytes <= device_policy_window(d->device) && w->hitRatio >= 0 &&
           w->hitRatio <= 1 && (unsigned)w->hitProp < N_PROPERTIES &&
           (unsigned)w->missProp < PERSISTING;
}

/* False if the stream has no such attribute or cannot have that value. */
static bool set_attribute(const struct driver *d, struct driver_stream *s,
                          CUlaunchAttributeID id, const CUlaunchAttributeValue *v)
{
    struct stream_hints *h = &s->hints;

    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        if (!is_window(d, &v->accessPolicyWindow))
            return false;
        h->window = v->accessPolicyWindow;
        return true;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        if (v->syncPolicy < 1 || v->syncPolicy > LAST_SYNC_POLICY)
            return false;
        h->sync_policy = v->syncPolicy;
        return true;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        s->priority = stream_clamp_priority(v->priority);
        return true;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        if (v->memSyncDomainMap.default_ >= N_DOMAINS ||
            v->memSyncDomainMap.remote >= N_DOMAINS)
            return false;
        h->domain_map[0] = v->memSyncDomainMap.default_;
        h->domain_map[1] = v->memSyncDomainMap.remote;
        return true;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        if ((unsigned)v->memSyncDomain > 1)
            return false;
        h->domain = v->memSyncDomain;
        return true;
    default:
        return false;
    }
}

static bool get_attribute(const struct driver_stream *s, CUlaunchAttributeID id,
                          CUlaunchAttributeValue *v)
{
    const struct stream_hints *h = &s->hints;

    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        v->accessPolicyWindow = h->window;
        return true;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        v->syncPolicy = h->sync_policy;
        return true;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        v->priority = s->priority;
        return true;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        v->memSyncDomainMap.default_ = h->domain_map[0];
        v->memSyncDomainMap.remote = h->domain_map[1];
        return true;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        v->memSyncDomain = h->domain;
        return true;
    default:
        return false;
    }
}

/* The common beginning: finds the stream. */
static CUresult attribute_begin(struct driver **d, struct driver_stream **s,
                                const char *call, CUstream stream)
{
    struct context *c;
    CUresult result = call_begin(d, &c, call);

    if (result || (result = call_check_stream(*d, stream)))
        return result;
    *s = stream_of(*d, c, stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamSetAttribute(CUstream stream, CUlaunchAttributeID id,
                              const CUlaunchAttributeValue *value)
{
    struct driver *d;
    struct driver_stream *s;
    CUresult result = attribute_begin(&d, &s, "cuStreamSetAttribute", stream);

    if (result)
        return result;
    if (!value || !set_attribute(d, s, id, value))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "attribute %d is not known, or cannot have this value",
                         (int)id);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID id,
                              CUlaunchAttributeValue *value)
{
    struct driver *d;
    struct driver_stream *s;
    CUresult result = attribute_begin(&d, &s, "cuStreamGetAttribute", stream);

    if (result)
        return result;
    if (!value || !get_attribute(s, id, value))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "attribute %d is not known, or there is no place for it",
                         (int)id);
    return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
    struct driver *d;
    struct driver_stream *target, *source;
    CUresult result = attribute_begin(&d, &target, "cuStreamCopyAttributes", to);

    if (result ||
        (result = attribute_begin(&d, &source, "cuStreamCopyAttributes", from)))
        return result;
    target->hints = source->hints;
    target->priority = source->priority;
    return CUDA_SUCCESS;
}
