/* option_rows.h - options that several commands have: each row is stated here once.
 *
 * A row takes the offset of its value in the command's values; where commands have
 * different defaults, the default as well, as a string.
 */
#ifndef LENO_CLI_OPTION_ROWS_H
#define LENO_CLI_OPTION_ROWS_H

#include "cli/cli.h"
#include "session/intervals.h"
#include "session/prepare.h"
#include "session/shard.h"

/* Choices, in the order of enum workload_size and enum sass_arch; the choice after the
 * architectures means the GPU's own, or all of them. */
extern const char *const option_sizes[];
extern const char *const option_archs[];
extern const char *const option_archs_gpu[];
extern const char *const option_archs_all[];
enum { OPTION_ARCH_GPU = 7, OPTION_ARCH_ALL = 7 };

#define ROW_GPU(at, preset)                                                 \
    {                                                                       \
        "gpu", OPTION_TEXT, "NAME|FILE.ini",                                \
            "GPU model (default: " preset "); see leno list gpus", at, NULL \
    }
#define ROW_ENERGY(at)                                                         \
    {                                                                          \
        "energy", OPTION_FLAG, NULL,                                           \
            "also print energy over the baseline's (docs/energy.md)", at, NULL \
    }
#define ROW_SCHEME(at)                                                             \
    {                                                                              \
        "scheme", OPTION_TEXT, "NAME[+SKIP]",                                      \
            "issue scheme, redundancy eliminator; see leno list schemes", at, NULL \
    }
#define ROW_SET(at)                                                        \
    {                                                                      \
        "set", OPTION_LIST, "KEY=VALUE",                                   \
            "set a parameter (repeatable); see leno list params", at, NULL \
    }
#define ROW_SMS(at)                                                                   \
    {                                                                                 \
        "sms", OPTION_COUNT, "N", "simulate N SMs, with memory scaled in proportion", \
            at, NULL                                                                  \
    }
#define ROW_ALL(at)                                              \
    {                                                            \
        "all", OPTION_FLAG, NULL, "run every workload", at, NULL \
    }
#define ROW_ARCH(at, choices, preset)                                                \
    {                                                                                \
        "arch", OPTION_CHOICE, NULL, "which cubin to run (default: " preset ")", at, \
            choices                                                                  \
    }
#define ROW_SIZE(at, preset)                                                 \
    {                                                                        \
        "size", OPTION_CHOICE, NULL, "input size (default: " preset ")", at, \
            option_sizes                                                     \
    }
#define ROW_SEED(at)                                                                  \
    {                                                                                 \
        "seed", OPTION_NUMBER, "N", "seed for generating the input (default: 1)", at, \
            NULL                                                                      \
    }
#define ROW_JOBS(at)                                                                 \
    {                                                                                \
        "jobs", OPTION_COUNT, "N",                                                   \
            "number of parallel runs (default: one per core, if memory allows)", at, \
            NULL                                                                     \
    }
#define ROW_SHARD(at)                                                                 \
    {                                                                                 \
        "shard", OPTION_TEXT, "I/N", "run slice I of N into a file (leno merge)", at, \
            NULL                                                                      \
    }
#define ROW_THREADS(at, preset)                                                     \
    {                                                                               \
        "threads", OPTION_COUNT, "N",                                               \
            "threads per run; results are the same (default: " preset ")", at, NULL \
    }
#define ROW_OUT(at)                                                                    \
    {                                                                                  \
        "out", OPTION_TEXT, "DIR", "folder of cached results (default: leno-out)", at, \
            NULL                                                                       \
    }
#define ROW_FRESH(at)                                                                 \
    {                                                                                 \
        "fresh", OPTION_FLAG, NULL, "ignore cached results and rerun everything", at, \
            NULL                                                                      \
    }
#define ROW_JSON(at)                                         \
    {                                                        \
        "json", OPTION_FLAG, NULL, "print as JSON", at, NULL \
    }
#define ROW_CSV(at, what)                                                      \
    {                                                                          \
        "csv", OPTION_FLAG, NULL, "print as CSV, one line per " what, at, NULL \
    }
#define ROW_WORKLOADS(at)                                                          \
    {                                                                              \
        "workloads", OPTION_TEXT, "DIR",                                           \
            "folder of the workloads' cubins (default: $LENO_WORKLOADS)", at, NULL \
    }
#define ROWS_HOT(hot_at, file_at, top_at)                                        \
    { "hot",  OPTION_FLAG,                                                       \
      NULL,   "print where issue slots went: per line, loop and instruction",    \
      hot_at, NULL },                                                            \
        { "hot-file", OPTION_TEXT,                                               \
          "FILE",     "write that to FILE.txt, .csv, .json or .html",            \
          file_at,    NULL },                                                    \
    {                                                                            \
        "top", OPTION_COUNT, "N", "--hot: rows per table of text (default: 20)", \
            top_at, NULL                                                         \
    }
#define ROWS_SERIES(every_at, file_at)                                                \
    { "series",                                                                       \
      OPTION_COUNT,                                                                   \
      "N",                                                                            \
      "cycles per row of --series-out (default: " INTERVALS_EVERY_TEXT                \
      "; not --every)",                                                               \
      every_at,                                                                       \
      NULL },                                                                         \
    {                                                                                 \
        "series-out", OPTION_TEXT, "FILE.csv",                                        \
            "write IPC, stalls, bandwidth and hit rates per N cycles (CSV)", file_at, \
            NULL                                                                      \
    }
#define ROW_ARGS(at)                                                                   \
    {                                                                                  \
        "args", OPTION_TEXT, "FILE", "Vortex programs: a file with the arguments", at, \
            NULL                                                                       \
    }
#define ROW_LOAD(at)                                                              \
    {                                                                             \
        "load", OPTION_LIST, "ADDRESS=FILE",                                      \
            "Vortex programs: put FILE into memory, e.g. 0x10000=a.bin", at, NULL \
    }

/* Which programs, and which of their launches: for commands that run programs. */
struct program_values {
    const char *suite, *kernels, *match, *libraries;
    uint64_t every, first, cap_cycles, cap_insts, sample_goal;
    bool sample;
};

#define ROWS_CHOICE(values)                                                  \
    { "kernels",                                                             \
      OPTION_TEXT,                                                           \
      "N-M",                                                                 \
      "time only these launches, counted from 1",                            \
      AT(values.kernels),                                                    \
      NULL },                                                                \
        { "match",          OPTION_TEXT,                                     \
          "PATTERN",        "time only kernels of this name; * and ? match", \
          AT(values.match), NULL },                                          \
        { "every",                                                           \
          OPTION_COUNT,                                                      \
          "N",                                                               \
          "time only every Nth launch of each kernel (cycles: --series)",    \
          AT(values.every),                                                  \
          NULL },                                                            \
        { "first",                                                           \
          OPTION_COUNT,                                                      \
          "N",                                                               \
          "time only the first N launches of each kernel",                   \
          AT(values.first),                                                  \
          NULL },                                                            \
        { "cap-cycles",                                                      \
          OPTION_COUNT,                                                      \
          "N",                                                               \
          "time only the first N cycles per launch",                         \
          AT(values.cap_cycles),                                             \
          NULL },                                                            \
        { "cap-insts",                                                       \
          OPTION_COUNT,                                                      \
          "N",                                                               \
          "the same, in warp instructions per launch",                       \
          AT(values.cap_insts),                                              \
          NULL },                                                            \
        { "sample",                                                          \
          OPTION_FLAG,                                                       \
          NULL,                                                              \
          "time some launches and blocks, estimate the cycles of all",       \
          AT(values.sample),                                                 \
          NULL },                                                            \
        { "sample-goal",                                                     \
          OPTION_COUNT,                                                      \
          "PERCENT",                                                         \
          "--sample: half-width of the 95 % interval (default: 2)",          \
          AT(values.sample_goal),                                            \
          NULL },                                                            \
    {                                                                        \
        "libraries", OPTION_TEXT, "DIR",                                     \
            "folder of Leno's CUDA libraries (default: $LENO_LIBRARIES)",    \
            AT(values.libraries), NULL                                       \
    }
#define ROWS_PROGRAMS(values)                                     \
    {                                                             \
        "suite",          OPTION_TEXT,                            \
        "FILE.ini",       "programs of a suite file (see above)", \
        AT(values.suite), NULL                                    \
    },                                                            \
        ROWS_CHOICE(values)

/* The launches that a command line chooses, without --kernels. */
int options_choice(struct launch_choice *c, const struct program_values *v,
                   struct err *err);
/* For commands that time nothing: -1 with err set if there is a cap or a sample. */
int options_refuse_cap(const struct program_values *v, const char *why,
                       struct err *err);

/* What a command line asks for. */
int options_programs(struct prepare_job *job, const struct program_values *v,
                     const struct operands *ops, struct err *err);

/* Is it one program, by its name or as a command? */
bool options_are_one(const struct program_values *v, const struct operands *ops);

/* Checks that programs are either named or all. */
int options_check_all(const struct prepare_job *job, struct err *err);

/* The slice of --shard, NULL: all. A slice has no table to be printed. */
int options_shard(struct shard *shard, const char *text, bool prints, struct err *err);

/* Checks that at most one of two output formats is chosen. */
int options_check_format(bool json, bool csv, struct err *err);

#endif
