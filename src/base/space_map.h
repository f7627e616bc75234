/* space_map.h - ranges of a space whose memory is mapped into them piece by piece, as with
 * CUDA's virtual memory management. The same memory can be mapped at several addresses.
 * Everything is in whole pages of 2 MiB.
 */
#ifndef LENO_BASE_SPACE_MAP_H
#define LENO_BASE_SPACE_MAP_H

#include "base/space.h"

/* Reserves addresses at a multiple of align, at wanted if that is free; what is beyond
 * the space makes the space grow. They are no allocation: space_find() and space_near()
 * do not see them. */
int space_reserve(struct space *s, uint64_t bytes, uint64_t align, uint64_t wanted,
                  uint64_t *addr, struct err *err);
/* Gives back reserved addresses, into which nothing is mapped. */
void space_unreserve(struct space *s, uint64_t addr);

/* The reserved range that holds addr. */
bool space_find_reserved(const struct space *s, uint64_t addr, uint64_t *start,
                         uint64_t *size);

/* Memory for mappings, zeroed: a file of the host's without a name. */
int space_memory_new(struct space *s, uint64_t bytes, int *file, struct err *err);
void space_memory_free(struct space *s, uint64_t bytes, int file);

/* Maps memory, from an offset in its file on, into reserved addresses, where nothing can
 * be accessed until it is allowed; or takes it out. */
int space_map(struct space *s, uint64_t addr, uint64_t bytes, int file, uint64_t offset,
              struct err *err);
void space_unmap(struct space *s, uint64_t addr, uint64_t bytes);
void space_allow(struct space *s, uint64_t addr, uint64_t bytes, bool is_allowed);

/* Makes the pages of an allocation pages of the space's file, at the offset that they have
 * in the space, so that another process can map them too. They keep their contents, and
 * stay in the file. */
int space_share(struct space *s, uint64_t addr, uint64_t bytes, struct err *err);

#endif
