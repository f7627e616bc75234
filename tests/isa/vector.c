/* vector.c - instruction forms against results recorded on an H200 (tools/isa/genvec.py
 * describes the file). A form that the module lacks is absent, not wrong: ptxas refused
 * it on that architecture.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#define VECTOR_SM90_ONLY 1u

struct vector_head {
    char name[32];
    uint32_t block, grid, in_bytes, out_bytes, flags;
};

struct vector_work {
    const struct suite_options *o;
    CUmodule module;
    struct vector_head head;
    const unsigned char *in, *want;
};

/* Prints the first slot that differs with the input of its thread. */
static void vector_report(const struct vector_work *w, const unsigned char *got)
{
    uint32_t threads = w->head.block * w->head.grid, bad = 0, first = 0;
    uint32_t size = w->head.out_bytes / threads, in_size = w->head.in_bytes / threads;
    for (uint32_t i = threads; i-- > 0;) {
        if (!memcmp(got + i * size, w->want + i * size, size))
            continue;
        bad++;
        first = i;
    }
    printf("WRONG vec %s: %u of %u threads, first %u:", w->head.name, bad, threads,
           first);
    for (uint32_t k = 0; k + 4 <= in_size; k += 4) {
        uint32_t v;
        memcpy(&v, w->in + first * in_size + k, 4);
        printf(" %x", v);
    }
    printf(" gives");
    for (int side = 0; side < 2; side++) {
        for (uint32_t k = 0; k + 4 <= size; k += 4) {
            uint32_t v;
            memcpy(&v, (side ? w->want : got) + first * size + k, 4);
            printf(" %x", v);
        }
        printf(side ? "\n" : ", not");
    }
}

static int vector_work(void *arg)
{
    struct vector_work *w = arg;
    struct suite_launch l = { .grid = { w->head.grid, 1, 1 },
                              .block = { w->head.block, 1, 1 } };
    CUresult r = cuModuleGetFunction(&l.f, w->module, w->head.name);
    if (r == CUDA_ERROR_NOT_FOUND)
        return SUITE_ABSENT;
    unsigned char *got = calloc(1, w->head.out_bytes);
    if (!got)
        return SUITE_FAIL;
    l.in = w->in;
    l.in_bytes = w->head.in_bytes;
    l.out = got;
    l.out_bytes = w->head.out_bytes;
    if (!r)
        r = suite_device_run(&l);
    int result = SUITE_PASS;
    if (r) {
        printf("FAIL vec %s: %s\n", w->head.name, suite_device_message(r));
        result = SUITE_FAIL;
    } else if (memcmp(got, w->want, w->head.out_bytes)) {
        vector_report(w, got);
        result = SUITE_WRONG;
    }
    free(got);
    return result;
}

static int vector_next(struct vector_work *w, const unsigned char **at,
                       const unsigned char *end)
{
    if ((size_t)(end - *at) < sizeof w->head)
        return -1;
    memcpy(&w->head, *at, sizeof w->head);
    *at += sizeof w->head;
    w->head.name[sizeof w->head.name - 1] = 0;
    uint64_t need = (uint64_t)w->head.in_bytes + w->head.out_bytes;
    if (need > (uint64_t)(end - *at) || !w->head.block || !w->head.grid)
        return -1;
    w->in = *at;
    w->want = *at + w->head.in_bytes;
    *at += need;
    return 0;
}

int suite_vectors_run(const struct suite_options *o, struct suite_counts *counts)
{
    char path[512];
    size_t size, code_size;
    struct vector_work w = { .o = o };
    snprintf(path, sizeof path, "%s/vectors.bin", o->dir);
    unsigned char *data = suite_file_read(path, &size);
    snprintf(path, sizeof path, "%s/vec.%s.cubin", o->dir, o->arch_name);
    void *code = suite_file_read(path, &code_size);
    CUresult r =
        data && code ? cuModuleLoadData(&w.module, code) : CUDA_ERROR_FILE_NOT_FOUND;
    if (r)
        printf("FAIL module vec: %s\n", suite_device_message(r));
    const unsigned char *at = data;
    while (!r && at < data + size) {
        if (vector_next(&w, &at, data + size)) {
            printf("FAIL vectors.bin: cut short\n");
            break;
        }
        if (o->only && strcmp(o->only, w.head.name))
            continue;
        if (w.head.flags & VECTOR_SM90_ONLY && o->arch < SUITE_ARCH90)
            continue;
        suite_count(counts, suite_isolate(o, vector_work, &w, w.head.name));
    }
    free(code);
    free(data);
    return r ? -1 : 0;
}
