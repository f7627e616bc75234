/* copy.h - what copies of memory and of arrays share. */
#ifndef LENO_SHIM_CUDART_COPY_H
#define LENO_SHIM_CUDART_COPY_H

#include "shim/cudart/runtime.h"

bool copy_kind_is_good(enum cudaMemcpyKind kind);
CUresult copy_bytes(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                    cudaStream_t stream);

/* The memory of a part of a variable, which must lie within it. */
cudaError_t copy_symbol_part(const void *symbol, size_t offset, size_t bytes,
                             void **at);

/* A copy as the driver describes it, and back. */
CUmemorytype copy_side_of(enum cudaMemcpyKind kind, bool is_from);
CUresult copy_describe(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c);
struct cudaMemcpy3DParms copy_described(const CUDA_MEMCPY3D *c);

/* A format as the driver names it; false if it has no name for it. */
bool format_of(const struct cudaChannelFormatDesc *d, CUarray_format *format,
               unsigned *n_channels);
struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned n_channels);

#endif
