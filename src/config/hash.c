/* hash.c - one number for a whole configuration. */
#include "config/hash.h"

#include "base/hash.h"

uint64_t param_hash(const struct param_binding *b, size_t n)
{
    struct buf line = { 0 };
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < b[i].group->n_rows; r++) {
            buf_clear(&line);
            buf_printf(&line, "%s.%s=", b[i].group->prefix, b[i].group->rows[r].name);
            param_value(&b[i].group->rows[r], b[i].values, &line);
            /* A sum, so that order does not matter. */
            sum += hash_mix(hash_bytes(HASH_START, line.data, line.len));
        }
    }
    buf_free(&line);
    return sum;
}
