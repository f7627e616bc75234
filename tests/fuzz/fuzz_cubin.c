/* fuzz_cubin.c - libFuzzer: any bytes as a cubin, parsed, listed and loaded. */
#include "base/space.h"
#include "frontend/sass/load/module.h"
#include "frontend/sass/print/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void list(const struct cubin *c, struct listing_options o)
{
    struct buf out = { 0 };
    struct err err;

    sass_listing(&out, c, &o, &err);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cubin c;
    struct sass_module m;
    struct space space;
    struct err err;

    if (cubin_parse(&c, "fuzz", data, size, &err))
        return 0;
    list(&c, (struct listing_options){ .hex = true, .control = true });
    list(&c, (struct listing_options){ .json = true });
    cubin_free(&c);
    if (space_init(&space, 0x10000000, 1 << 22, &err))
        return 0;
    if (sass_module_load(&m, &space, SASS_CODE_BASE,
                         &(struct sass_image){ "fuzz", data, size }, &err) == 0) {
        char place[64];

        sass_module_place(&m, m.code_base + 16, place, sizeof place);
        sass_module_free(&m);
    }
    space_free_all(&space);
    return 0;
}
