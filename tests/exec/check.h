/* check.h - what the programs of tests/exec share. Each is an ordinary CUDA program: it
 * checks its own results, prints to stdout what its .out file holds, and ends with 0.
 */
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

#define GOOD(call)                                                            \
    do {                                                                      \
        cudaError_t error_ = (call);                                          \
        if (error_ != cudaSuccess) {                                          \
            fprintf(stderr, "%s:%d: %s: %s, %s\n", __FILE__, __LINE__, #call, \
                    cudaGetErrorName(error_), cudaGetErrorString(error_));    \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

#define GIVES(error, call) CHECK((call) == (error))

#endif
