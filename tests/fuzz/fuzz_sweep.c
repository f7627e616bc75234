/* fuzz_sweep.c - libFuzzer: any bytes as a study of leno sweep. */
#include "session/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep s;
    struct err err;

    sweep_read(&s, "fuzz", (const char *)data, size, &err);
    sweep_free(&s);
    return 0;
}
