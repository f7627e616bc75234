/* replay.h - recorded instruction streams: Leno's own files, and Accel-Sim's.
 *
 * A recording holds the kernels of one run of a program, in order. Each comes out as a
 * struct kernel like the one that was recorded: blocks are opened in any order and
 * number, and every instruction carries what it carried then. A replayed stream never
 * waits: what other warps had to do first was done when it was recorded; the timing
 * model models barriers from the facts in struct dyn. Addresses of lanes outside an
 * instruction's mask are not kept.
 *
 * Files are not trusted: a damaged one gives a message with file and offset or line.
 */
#ifndef LENO_REPLAY_REPLAY_H
#define LENO_REPLAY_REPLAY_H

#include "analysis/hybrid.h"
#include "base/err.h"
#include "isa/stream.h"

/* What was recorded. */
struct replay_info {
    const char *program;  /* what ran, in words; "" if not known */
    unsigned sm;          /* 75, 86, 90; 0 if not known */
    struct naming naming; /* of its operands */
    uint64_t n_kernels;
};

/* What a recorded kernel consists of. */
struct replay_counts {
    uint64_t warp_insts, thread_insts; /* executed; lanes that fetched them */
    uint64_t memory_insts;             /* of warp_insts: with addresses */
    uint64_t static_insts;
    uint64_t raw_bytes, file_bytes; /* of the blocks, before and after compression */
};

/* Writing: the file appears whole with replay_writer_finish(), or not at all. Kernels are
 * counted as they come. */
struct replay_writer;
struct replay_writer *
replay_writer_new(const char *path, const struct replay_info *info, struct err *err);
/* Executes a kernel to its end, functionally, and records it. *counts may be NULL. */
int replay_record_kernel(struct replay_writer *w, struct kernel *k,
                         struct replay_counts *counts, struct err *err);
int replay_writer_finish(struct replay_writer *w, struct err *err);
void replay_writer_abandon(struct replay_writer *w); /* also after a failure */

/* The same for Accel-Sim (traceg.h): a folder gets kernel-N.traceg for each kernel, and
 * kernelslist.g at the end. The SM must be one whose instructions Accel-Sim knows. */
struct traceg_writer;
struct traceg_writer *traceg_writer_new(const char *folder, unsigned sm,
                                        struct err *err);
int traceg_record_kernel(struct traceg_writer *w, struct kernel *k,
                         struct replay_counts *counts, struct err *err);
int traceg_writer_finish(struct traceg_writer *w, struct err *err);
void traceg_writer_abandon(struct traceg_writer *w);

/* Reading. The path is a .leno file, a kernelslist.g, or one .traceg or .traceg.xz. */
struct replay_options {
    bool rz_is_register; /* traceg: R255 is an operand like others, as in Accel-Sim */
};
struct replay;
struct replay *replay_open(const char *path, const struct replay_options *options,
                           struct err *err);
/* One file in memory; a list of files is refused. The bytes must stay. */
struct replay *replay_open_memory(const char *name, const void *data, size_t size,
                                  const struct replay_options *options,
                                  struct err *err);
void replay_close(struct replay *r); /* after its kernels have been freed */
const struct replay_info *replay_info(const struct replay *r);

/* The next kernel. 1: *k is set, and is freed with replay_kernel_free(); 0: there is
 * none; -1: err is set. Any number of kernels may exist at a time. */
int replay_next_kernel(struct replay *r, struct kernel **k, struct err *err);
void replay_kernel_free(struct replay *r, struct kernel *k); /* closes its blocks */

/* What is in a kernel; false if its file does not say (traceg). */
bool replay_kernel_counts(const struct replay *r, const struct kernel *k,
                          struct replay_counts *counts);

#endif
