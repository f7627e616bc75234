/* jit.c - options and logs of compiling PTX. */
#include "driver/jit.h"

#include <string.h>

#include "base/seconds.h"

void jit_init(struct jit *j)
{
    *j = (struct jit){ .level = -1, .start = wall_seconds() };
}

/* The limit of registers per thread for blocks of this size to fit an SM; 0: none. */
static unsigned registers_for(const struct driver *d, size_t threads)
{
    size_t fit = threads ? d->device->regs_per_sm / threads & ~(size_t)7 : 0;

    return fit < 255 ? (unsigned)fit : 0;
}

/* False: an option that would change the code, and is not supported. */
static bool take_option(const struct driver *d, struct jit *j, CUjit_option option,
                        void **value)
{
    size_t number = (size_t)*value;

    switch (option) {
    case CU_JIT_MAX_REGISTERS:
        j->max_registers = (unsigned)number;
        return true;
    case CU_JIT_THREADS_PER_BLOCK:
        j->max_registers = registers_for(d, (unsigned)number);
        return true;
    case CU_JIT_WALL_TIME:
        j->seconds = value;
        return true;
    case CU_JIT_INFO_LOG_BUFFER:
        j->info.text = *value;
        return true;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        j->info.size = (unsigned)number;
        j->info.told = value;
        return true;
    case CU_JIT_ERROR_LOG_BUFFER:
        j->error.text = *value;
        return true;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        j->error.size = (unsigned)number;
        j->error.told = value;
        return true;
    case CU_JIT_OPTIMIZATION_LEVEL:
        j->level = (int)number;
        return number <= 4;
    case CU_JIT_TARGET:
        j->target = number & 0xffff;
        return true;
    case CU_JIT_GENERATE_DEBUG_INFO:
        j->has_debug = number != 0;
        return true;
    case CU_JIT_LOG_VERBOSE:
        j->is_verbose = number != 0;
        return true;
    case CU_JIT_GENERATE_LINE_INFO:
        j->has_lines = number != 0;
        return true;
    case CU_JIT_GLOBAL_SYMBOL_NAMES: /* with addresses, the next option */
        return false;
    case CU_JIT_GLOBAL_SYMBOL_COUNT:
    case CU_JIT_LTO:
        return !number;
    default: /* hints, and what concerns link-time optimisation only */
        return (unsigned)option < CU_JIT_NUM_OPTIONS;
    }
}

/* A log that gets no line is an empty string. */
static void log_begin(const struct jit_log *log)
{
    if (log->text && log->size && !log->used)
        log->text[0] = '\0';
}

CUresult jit_read_options(struct driver *d, struct jit *j, unsigned n,
                          const CUjit_option *options, void **values)
{
    if (n && (!options || !values))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "options without values");
    for (unsigned i = 0; i < n; i++) {
        if ((unsigned)options[i] >= CU_JIT_NUM_OPTIONS)
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "JIT option %d is not known",
                             (int)options[i]);
        if (!take_option(d, j, options[i], &values[i]))
            return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                             "JIT option %d with value %p is not supported",
                             (int)options[i], values[i]);
    }
    log_begin(&j->info);
    log_begin(&j->error);
    return CUDA_SUCCESS;
}

static void tell_length(const struct jit_log *log)
{
    if (log->told)
        *log->told = (void *)log->used;
}

void jit_finish(const struct jit *j)
{
    float milliseconds = (float)((wall_seconds() - j->start) * 1000);

    tell_length(&j->info);
    tell_length(&j->error);
    if (j->seconds)
        memcpy(j->seconds, &milliseconds, sizeof milliseconds);
}

struct jit jit_silent(const struct jit *j)
{
    struct jit silent = *j;

    silent.info = silent.error = (struct jit_log){ 0 };
    silent.seconds = NULL;
    return silent;
}

bool jit_is_text(struct file image)
{
    static const char version[] = ".version";

    return image.size && image.data[0] < 0x7f &&
           memmem(image.data, image.size, version, sizeof version - 1);
}

void jit_log_add(struct jit_log *log, const char *text, size_t n)
{
    size_t room;

    if (log->used && log->text && log->used + 1 < log->size)
        log->text[log->used++] = '\n';
    room = log->text && log->size > log->used + 1 ? log->size - log->used - 1 : 0;
    n -= n && text[n - 1] == '\n';
    n = n < room ? n : room;
    if (!n)
        return;
    memcpy(log->text + log->used, text, n);
    log->used += n;
    log->text[log->used] = '\0';
}

CUresult jit_not_recognised(struct driver *d, struct jit *j)
{
    static const char line[] =
        "error   : Binary format for key='0', ident='' is not recognized";

    jit_log_add(&j->error, line, sizeof line - 1);
    return call_fail(d, CUDA_ERROR_INVALID_IMAGE,
                     "neither PTX nor an ELF file nor a fat binary");
}
