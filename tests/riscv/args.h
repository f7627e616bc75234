/* args.h - what the host hands to the kernel of args.c. */
#ifndef ARGS_H
#define ARGS_H

#include <stdint.h>

struct args {
    uint32_t n;
    uint32_t a, b, sum; /* addresses: n words each */
};

#endif
