/* sparse.h - large arrays of which little is ever used.
 *
 * They are zero at first and lie outside the heap, whose pages are huge (base/pages.h): only
 * the pages that are used take the host's memory.
 */
#ifndef LENO_BASE_SPARSE_H
#define LENO_BASE_SPARSE_H

#include <stddef.h>

void *sparse_new(size_t bytes);          /* NULL: no memory */
void sparse_free(void *p, size_t bytes); /* p may be NULL */

#endif
