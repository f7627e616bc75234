/* timed.h - a program run on a machine with timing: a workload, a recorded stream, or a
 * program for Vortex. */
#ifndef LENO_SESSION_TIMED_H
#define LENO_SESSION_TIMED_H

#include "session/choice.h"
#include "session/intervals.h"
#include "session/jobs.h"
#include "session/loops.h"
#include "session/vortex_program.h"
#include "session/workload_run.h"
#include "sim/gpu.h"

struct timed_run {
    const struct machine *machine;
    const char *program;         /* a workload's name, or a file */
    const char *name;            /* in reports */
    struct launch_choice choice; /* of its launches: the others take no time */
    enum workload_size size;
    uint64_t seed;
    int arch;           /* enum sass_arch; -1: the machine's */
    const char *folder; /* of the workloads */
    FILE *printed;
    const struct console *console; /* takes warnings; may be NULL */
    const struct vortex_program_inputs
        *inputs;              /* of a program for Vortex; may be NULL */
    struct trace *trace;      /* may be NULL */
    struct hot_profile *hot;  /* counts per instruction go there; may be NULL */
    struct intervals *series; /* what it does every N cycles goes there; may be NULL */
    struct gpu_limits limits;
    struct run_threads threads;
    const char *energy; /* profile (cost/energy.h); NULL: the machine's own */

    /* Filled in by the run. */
    struct gpu *gpu;                 /* NULL if it could not be built */
    const struct workload *workload; /* NULL: a recording, or a program for Vortex */
    struct sample *sample;           /* with choice.sample; else NULL */
    struct loop_list loops;          /* with unroll.factor */
    double seconds;                  /* of the host, inside kernels */
    uint64_t digest;    /* of all results, for workloads; 0 for recorded streams */
    bool has_size;      /* of its input: a workload, or a program of workloads/vortex */
    bool has_seed;      /* a workload */
    char code_arch[16]; /* of the program: "sm_90", "rv32"; "" if not known */
    char warning[200];  /* ""; or what a reader of the result should know */
};

/* 0, or -1 with err set; the GPU is there in either case once it could be built. */
int timed_run(struct timed_run *r, struct err *err);
void timed_run_free(struct timed_run *r); /* what the run filled in */

/* For the kinds' files: notes what code runs, and warns if its family (sm_80 is of sm_86's)
 * is not the machine's. */
void timed_note_arch(struct timed_run *r, const char *arch, const char *family);
/* Shows the warning of a run, which its result has too. */
void timed_warn(const struct timed_run *r);

/* The run as one JSON object, as in docs/formats.md; result is NULL if there was no GPU.
 * Nothing of the host is in it: the same run gives the same bytes. The seconds that it
 * took are added with timed_json_seconds(), on a line of their own. */
void timed_json(const struct timed_run *r, const struct gpu_result *result,
                const struct err *err, struct buf *out);
void timed_json_seconds(const struct timed_run *r, const struct gpu_result *result,
                        const struct err *err, struct buf *out);
#endif
