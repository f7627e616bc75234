/* fuzz_decode.c - libFuzzer: any words as instructions of each architecture, decoded
 * and printed.
 */
#include <string.h>

#include "frontend/sass/decode/decode.h"
#include "frontend/sass/print/disasm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names some targets and leaves the others to be printed as numbers. */
static bool name_target(const struct sass_labels *l, struct buf *out, uint64_t target)
{
    (void)l;
    if (target & 16)
        return false;
    buf_puts(out, "`(.L_x_0)");
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sass_labels labels = { .print = name_target, .section_base = 0x1000 };
    struct buf out = { 0 };

    for (size_t at = 0; at + 16 <= size; at += 16) {
        struct word w;

        memcpy(&w, data + at, sizeof w);
        for (int arch = 0; arch < N_SASS_ARCH; arch++) {
            struct sass_inst i;

            if (!sass_decode(&i, (enum sass_arch)arch, w, 0x1000 + at))
                continue;
            buf_clear(&out);
            sass_print(&out, &i, &labels);
            sass_print(&out, &i, NULL);
        }
    }
    buf_free(&out);
    return 0;
}
