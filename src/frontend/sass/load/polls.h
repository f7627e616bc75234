/* polls.h - instructions that warps execute only because, or again because, something they
 * wait for had not come: how often depends on timing, from run to run of one GPU. */
#ifndef LENO_SASS_POLLS_H
#define LENO_SASS_POLLS_H

#include "frontend/sass/load/module.h"

enum poll {
    POLL_NOT,
    POLL_BRANCH, /* which way it goes tells if an attempt succeeded */
    POLL_RETRY,  /* on the way from an attempt that failed to one that succeeds */
};

/* An enum poll for each instruction of the kernel's section, from its beginning: *n of them,
 * to be freed. A kernel whose flow is not known polls nowhere. NULL with err set: out of
 * memory. */
uint8_t *sass_polls(const struct sass_module *m, const struct sass_kernel *k,
                    uint32_t *n, struct err *err);

#endif
