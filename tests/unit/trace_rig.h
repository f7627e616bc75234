/* trace_rig.h - a program of a few instructions to report to a pipeline view, and a
 * folder for the view's file.
 */
#ifndef LENO_TESTS_TRACE_RIG_H
#define LENO_TESTS_TRACE_RIG_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "trace/trace.h"

static const char *const toy_text[] = {
    "S2R R0, SR_TID.X",
    "IMAD R2, R0, 0x4, R3",
    "LDG.E R4, [R2.64]",
    "FADD R5, R4, 1",
    "MUFU.RCP R6, R7",
    "@!P0 STG.E [R2.64], R5",
    "BAR.SYNC 0x0",
    "LDS R8, [R9]",
    "HMMA.1688 R10, R12, R14, RZ",
    "BRA `(.L_x_0) \t\\n\"\x01",
};
static const uint8_t toy_class[] = {
    CLASS_sreg,  CLASS_imul,    CLASS_load, CLASS_fp32,   CLASS_sfu,
    CLASS_store, CLASS_barrier, CLASS_load, CLASS_tensor, CLASS_branch,
};
enum { TOY_INSTS = sizeof toy_text / sizeof *toy_text };

static inline void toy_kernel_text(const struct kernel *k, const struct inst *i,
                                   struct buf *out)
{
    (void)k;
    buf_puts(out, toy_text[i->op]);
}

static const struct kernel_ops toy_kernel_ops = { .text = toy_kernel_text };

struct toy {
    struct kernel kernel;
    struct inst inst[TOY_INSTS];
    char dir[64], path[128];
};

static inline int toy_setup(void **state)
{
    struct toy *toy = calloc(1, sizeof *toy);

    toy->kernel = (struct kernel){ .ops = &toy_kernel_ops,
                                   .name = "toy",
                                   .n_blocks = 4,
                                   .threads = 128,
                                   .first_pc = 0x700 };
    for (unsigned i = 0; i < TOY_INSTS; i++)
        toy->inst[i] = (struct inst){ .pc = 0x700 + 16 * i,
                                      .op = (uint16_t)i,
                                      .class = toy_class[i] };
    toy->inst[2].space = SPACE_GLOBAL;
    toy->inst[7].space = SPACE_SHARED;
    strcpy(toy->dir, "/tmp/leno-trace-XXXXXX");
    assert_non_null(mkdtemp(toy->dir));
    snprintf(toy->path, sizeof toy->path, "%s/view", toy->dir);
    *state = toy;
    return 0;
}

static inline unsigned toy_files(const struct toy *toy)
{
    DIR *d = opendir(toy->dir);
    struct dirent *e;
    unsigned n = 0;

    while (d && (e = readdir(d)))
        n += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

static inline int toy_teardown(void **state)
{
    struct toy *toy = *state;

    unlink(toy->path);
    assert_int_equal(toy_files(toy), 0); /* nothing is left behind */
    rmdir(toy->dir);
    free(toy);
    return 0;
}

/* The whole file as text; the caller frees. */
static inline char *toy_read(const char *path)
{
    struct file f;
    struct err err;
    char *text;

    if (file_read(path, 1 << 26, &f, &err))
        fail_msg("%s", err.text);
    text = calloc(1, f.size + 1);
    memcpy(text, f.data, f.size);
    file_free(&f);
    return text;
}

/* One instruction of a warp, as it is reported. */
struct toy_inst {
    struct dyn dyn;
    struct trace_inst i;
};

static inline void toy_make(struct toy *toy, struct toy_inst *x, uint64_t block,
                            unsigned warp_of, uint64_t seq)
{
    const struct inst *inst = &toy->inst[seq % TOY_INSTS];

    *x = (struct toy_inst){ .dyn = { .inst = inst,
                                     .seq = seq,
                                     .active = 0xffffffff,
                                     .mask = 0xffff00ff,
                                     .space = inst->space },
                            .i = { .block = block,
                                   .warp_of = warp_of,
                                   .warp = (uint16_t)warp_of,
                                   .source = &toy->kernel } };
    x->i.dyn = &x->dyn;
}

#endif
