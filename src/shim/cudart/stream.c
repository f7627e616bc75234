/* stream.c - streams and events. Work is over when a call returns; events read the
 * simulated clock.
 */
#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority)
{
    RUNTIME(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    RUNTIME(cuStreamCreate(stream, flags));
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    RUNTIME(cuStreamDestroy(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    RUNTIME(cuStreamSynchronize(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    RUNTIME(cuStreamQuery(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    RUNTIME(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    RUNTIME(cuStreamGetFlags(stream, flags));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    RUNTIME(cuStreamGetPriority(stream, priority));
}

/* Values are laid out as the driver's. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int id,
                                   const CUlaunchAttributeValue *value)
{
    RUNTIME(cuStreamSetAttribute(stream, (CUlaunchAttributeID)id, value));
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, int id,
                                   CUlaunchAttributeValue *value)
{
    RUNTIME(cuStreamGetAttribute(stream, (CUlaunchAttributeID)id, value));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    RUNTIME(cuStreamCopyAttributes(to, from));
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *number)
{
    RUNTIME(cuStreamGetId(stream, number));
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    RUNTIME(cuStreamGetDevice(stream, device));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    RUNTIME(cuEventCreate(event, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    RUNTIME(cuEventRecord(event, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned flags)
{
    RUNTIME(cuEventRecordWithFlags(event, stream, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    RUNTIME(cuEventQuery(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    RUNTIME(cuEventSynchronize(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                 cudaEvent_t end)
{
    RUNTIME(cuEventElapsedTime(milliseconds, start, end));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    RUNTIME(cuEventDestroy(event));
}

VARIANT(cudaStreamSynchronize_ptsz, cudaStreamSynchronize)
VARIANT(cudaStreamQuery_ptsz, cudaStreamQuery)
VARIANT(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent)
VARIANT(cudaStreamGetFlags_ptsz, cudaStreamGetFlags)
VARIANT(cudaStreamGetPriority_ptsz, cudaStreamGetPriority)
VARIANT(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute)
VARIANT(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute)
VARIANT(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes)
VARIANT(cudaStreamGetId_ptsz, cudaStreamGetId)
VARIANT(cudaStreamGetDevice_ptsz, cudaStreamGetDevice)
VARIANT(cudaEventRecord_ptsz, cudaEventRecord)
VARIANT(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags)
VARIANT(cudaEventElapsedTime_v2, cudaEventElapsedTime)
