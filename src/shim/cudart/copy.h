/* copy.h - what copies of memory and of arrays share. */
#ifndef LENO_SHIM_CUDART_COPY_H
#define LENO_SHIM_CUDART_COPY_H

#include "shim/cudart/runtime.h"

bool copy_kind_is_good(enum cudaMemcpyKind kind);
CUresult copy_bytes(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                    cudaStream_t stream);

/* A format as the driver names it; false if it has no name for it. */
bool format_of(const struct cudaChannelFormatDesc *d, CUarray_format *format,
               unsigned *n_channels);
struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned n_channels);

#endif
