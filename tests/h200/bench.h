/* bench.h - compiled kernels on SMs of the h200 machine, run through the driver. */
#ifndef LENO_TESTS_H200_BENCH_H
#define LENO_TESTS_H200_BENCH_H

#include "driver/driver.h"
#include "rig.h"

struct bench {
    unsigned sms; /* set it first; 0: one */
    struct rig *rig;
    struct driver *driver;
    CUcontext context;
    CUmodule module;
    uint64_t cycles; /* of the last launch */
};

/* SMs with the code of a file. Scheme NULL: control without its interlock; a setting may
 * be NULL. What goes wrong ends the test. */
void bench_start(struct bench *b, const char *file, const char *scheme,
                 const char *setting);
void bench_end(struct bench *b);
void bench_stop(const char *what, const char *why) __attribute__((noreturn));

#endif
