/* fuzz_fatbin.c - libFuzzer: any bytes as a fat binary, listed, and asked for a cubin of
 * every architecture. A container's size is set right, so that entries are reached.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/sass/load/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned sms[] = { 75, 86, 90 };
    static const uint8_t head[8] = { 0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0 };
    uint8_t *fat = malloc(FATBIN_HEADER + size);
    uint64_t rest = size;
    struct buf list = { 0 };

    if (!fat)
        return 0;
    memcpy(fat, head, sizeof head);
    memcpy(fat + sizeof head, &rest, sizeof rest);
    if (size)
        memcpy(fat + FATBIN_HEADER, data, size);
    for (size_t i = 0; i < 3; i++) {
        struct file cubin;
        struct err err;

        if (!fatbin_pick(fat, FATBIN_HEADER + size, sms[i], &cubin, &err))
            file_free(&cubin);
        if (!fatbin_pick(data, size, sms[i], &cubin, &err))
            file_free(&cubin);
    }
    fatbin_list(fat, FATBIN_HEADER + size, &list);
    buf_free(&list);
    free(fat);
    return 0;
}
