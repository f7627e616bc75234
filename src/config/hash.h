/* hash.h - one number for a whole configuration, to name results by. */
#ifndef LENO_CONFIG_HASH_H
#define LENO_CONFIG_HASH_H

#include "config/param.h"

/* A hash of every "key=value". It stays the same when tables are put in another order
 * or reworded; a new parameter changes it. */
uint64_t param_hash(const struct param_binding *b, size_t n);

#endif
