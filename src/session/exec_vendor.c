/* exec_vendor.c - DATA TABLE: the vendor's libraries that are not supported, by the names of
 * their files. */
#include "session/exec_vendor.h"

#include <stddef.h>
#include <string.h>

#define VENDOR " (a vendor library with kernels and a CUDA runtime of its own)"

const char *exec_vendor_library(const char *file)
{
    static const struct {
        const char *file, *name;
    } libraries[] = {
        { "libcublas", "cuBLAS" VENDOR },
        { "libcufft", "cuFFT" VENDOR },
        { "libcusparse", "cuSPARSE" VENDOR },
        { "libcurand", "cuRAND on the host" VENDOR },
        { "libcusolver", "cuSOLVER" VENDOR },
        { "libcudnn", "cuDNN" VENDOR },
        { "libnpp", "NPP" VENDOR },
        { "libnvjpeg", "nvJPEG" VENDOR },
        { "libcutensor", "cuTENSOR" VENDOR },
        { "libnccl", "NCCL" VENDOR },
    };

    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strstr(file, libraries[i].file))
            return libraries[i].name;
    return NULL;
}
