/* fatbin.h - fat binaries: one file with a program's code for several architectures.
 *
 * A container holds entries, each machine code (a cubin) or PTX, plain or compressed
 * (LZ4, zstd). Programs built by nvcc carry one a source file and register it through a
 * wrapper, a struct with a pointer to it. The layout is that of CUDA 11 to 13.
 */
#ifndef LENO_SASS_FATBIN_H
#define LENO_SASS_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

#define FATBIN_MAGIC         0xba55ed50u
#define FATBIN_WRAPPER_MAGIC 0x466243b1u

enum { FATBIN_HEADER = 16 }; /* bytes in front of the entries */

/* The container of a wrapper or of a pointer to one; NULL if it is neither. The
 * caller vouches for the memory. */
const void *fatbin_of(const void *image);
/* Bytes of a container, its header included. */
size_t fatbin_size(const void *container);

/* The cubin that runs best on sm: of the same major architecture, the highest minor
 * that is not above. *cubin is a copy. -1 with ERR_UNSUPPORTED if there is none; the
 * message says what there is, and how to build what is missing. */
int fatbin_pick(const void *container, size_t size, unsigned sm, struct file *cubin,
                struct err *err);

/* The PTX that is nearest to sm: of the highest architecture that is not above. A copy, as
 * above. */
int fatbin_pick_ptx(const void *container, size_t size, unsigned sm, struct file *ptx,
                    struct err *err);

/* The architecture of that cubin, 80 on an 86; 0: there is none, or the container is
 * damaged. */
unsigned fatbin_code_for(const void *container, size_t size, unsigned sm);

/* "sm_75, sm_90, compute_90 (PTX)": what a container holds; "nothing" if nothing. */
void fatbin_list(const void *container, size_t size, struct buf *out);

/* LZ4 blocks: true if in[0..n) expands to exactly size bytes. */
bool fatbin_lz4(uint8_t *out, size_t size, const uint8_t *in, size_t n);

#endif
