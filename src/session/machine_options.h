/* machine_options.h - a machine as a user describes it: a GPU, a scheme, settings. */
#ifndef LENO_SESSION_MACHINE_OPTIONS_H
#define LENO_SESSION_MACHINE_OPTIONS_H

#include "base/text_list.h"
#include "sim/machine.h"

#define MACHINE_DEFAULT_GPU "rtx2060s"

struct machine_options {
    const char *gpu;      /* a preset or an ini file; NULL: MACHINE_DEFAULT_GPU */
    const char *scheme;   /* NULL: the GPU's own */
    struct text_list set; /* "key=value" each */
    uint64_t sms;         /* a slice of this many SMs; 0: all */
};

/* NULL with err set. The combination of parameters is not checked yet (machine_check()). */
struct machine *machine_from_options(const struct machine_options *o, struct err *err);

#endif
