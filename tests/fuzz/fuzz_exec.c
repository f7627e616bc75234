/* fuzz_exec.c - libFuzzer: any words as the code of a kernel, loaded and executed, a
 * block of two warps, a bounded number of steps. The words replace the code of a
 * committed cubin; the first byte chooses the architecture.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/space.h"
#include "frontend/sass/exec/exec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_STEPS = 400 };

static void no_print(void *to, const char *text, size_t n)
{
    (void)to;
    (void)text;
    (void)n;
}

/* The first kernel's code, overwritten from its entry on; the rest stays. */
static void patch(uint8_t *image, size_t n, const uint8_t *data, size_t size)
{
    struct cubin c;
    struct err err;

    if (cubin_parse(&c, "fuzz", image, n, &err))
        abort();
    {
        const struct cubin_section *s = &c.sections[c.kernels[0].text];
        uint64_t room = s->size - c.kernels[0].entry;

        memcpy(image + s->offset + c.kernels[0].entry, data, size < room ? size : room);
    }
    cubin_free(&c);
}

static void run_block(struct stream *s, struct err *err)
{
    for (unsigned n = 0; n < MAX_STEPS; n++) {
        bool progress = false;

        for (unsigned warp = 0; warp < s->n_warps; warp++) {
            uint64_t list[WARP_LANES];
            struct dyn dyn = { .addr.list = list };
            enum stream_status status = stream_next(s, warp, &dyn, err);

            if (status == STREAM_ERROR)
                return;
            progress |= status == STREAM_INST;
        }
        if (!progress)
            return;
    }
}

static void run(struct sass_module *m, struct space *space)
{
    struct err err;
    uint64_t params[64];
    struct sass_launch l = { .module = m,
                             .kernel = &m->kernels[0],
                             .grid = { 2, 1, 1 },
                             .block = { 48, 1, 1 },
                             .cluster = { 1, 1, 1 },
                             .params = params,
                             .space = space,
                             .n_sms = 4,
                             .heap_bytes = 1 << 16,
                             .print = no_print };
    struct sass_grid *g;
    struct sass_block *b = NULL;
    uint64_t buffer;

    if (space_alloc(space, 4096, 256, &buffer, &err))
        return;
    for (unsigned i = 0; i < 64; i++)
        params[i] = buffer + 16 * i;
    l.params_size = m->kernels[0].info->param_size;
    if (l.params_size > sizeof params)
        l.params_size = sizeof params;
    g = sass_grid_new(&l, &err);
    if (g)
        b = sass_block_new(g, 0, &err);
    if (b)
        run_block(sass_block_stream(b), &err);
    sass_block_free(b);
    sass_grid_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = { "tests/data/cubin/data.sm_75.cubin",
                                         "tests/data/cubin/data.sm_86.cubin",
                                         "tests/data/cubin/data.sm_90.cubin" };
    struct file f;
    struct err err;
    struct space space;
    struct sass_module m;

    if (size < 17)
        return 0;
    if (file_read(files[data[0] % 3], 1 << 24, &f, &err))
        abort();
    patch(f.data, f.size, data + 1, size - 1);
    if (space_init(&space, 0x10000000, 1 << 24, &err))
        abort();
    if (!sass_module_load(&m, &space, SASS_CODE_BASE,
                          &(struct sass_image){ "fuzz", f.data, f.size }, &err)) {
        run(&m, &space);
        sass_module_free(&m);
    }
    space_free_all(&space);
    file_free(&f);
    return 0;
}
