/* fuzz_config.c - libFuzzer: any bytes as a configuration file. What is accepted must
 * come back the same from its own dump.
 */
#include <stdlib.h>

#include "config/gpu.h"
#include "config/hash.h"
#include "config/preset.h"
#include "core/lsu/params.h"
#include "core/params.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N = 4 };

static int read_base(void *to, const char *preset, struct err *err)
{
    (void)to;
    return preset_find(preset) ? 0 : err_set(err, "no GPU '%s'", preset);
}

static int read_text(const struct param_binding *b, const void *text, size_t size)
{
    struct err err;

    param_defaults(b, N);
    return param_read(
        b, N, &(struct param_source){ "fuzz", text, size, read_base, NULL }, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gpu_params gpu;
    struct class_params classes;
    struct l1_params l1;
    struct dram_params dram;
    const struct param_binding b[N] = { { &gpu_param_group, &gpu },
                                        { &class_param_group, &classes },
                                        { &l1_param_group, &l1 },
                                        { &dram_param_group, &dram } };
    struct buf dump = { 0 }, json = { 0 };
    uint64_t hash;

    if (read_text(b, data, size))
        return 0;
    hash = param_hash(b, N);
    param_dump(b, N, &dump);
    param_json(b, N, &json);
    if (read_text(b, dump.data, dump.len) || param_hash(b, N) != hash)
        abort();
    buf_free(&dump);
    buf_free(&json);
    return 0;
}
