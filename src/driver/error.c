/* error.c - names and descriptions of results. */
#include "driver/cuda.h"

struct result {
    CUresult code;
    const char *name, *text;
};

static const struct result results[] = {
#define RESULT(name, number, text) { name, #name, text },
#include "driver/results.def"
#undef RESULT
};

static const struct result *find_result(CUresult code)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (results[i].code == code)
            return &results[i];
    }
    return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **text)
{
    const struct result *r = find_result(error);

    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = r ? r->name : NULL;
    return r ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const struct result *r = find_result(error);

    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = r ? r->text : NULL;
    return r ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
