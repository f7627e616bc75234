/* leno.h - Leno as a library: a program on a simulated GPU, from C.
 *
 *     struct leno *l = leno_new();
 *     if (leno_set(l, "scheme", "ghost") || leno_set(l, "size", "tiny") ||
 *         leno_load(l, "hotspot") || leno_run(l))
 *         fprintf(stderr, "%s\n", leno_error(l));
 *     leno_stat(l, "gpu.cycles", &cycles);
 *     leno_free(l);
 *
 * cc program.c $(pkg-config --cflags --libs leno). Functions return 0, or the exit status that
 * the program leno would have (1 usage, 2 unsupported, 3 wrong result, 4 deadlock, 5 limit, 6 the
 * program failed), and then leno_error() says why. Texts belong to the library and hold until the
 * next call for the same struct leno. One struct leno is used by one thread at a time, and in a
 * process one run at a time. The number of the interface rises when a function changes; the
 * library's name has it (libleno.so.1).
 */
#ifndef LENO_H
#define LENO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LENO_INTERFACE 1
int leno_interface(void);        /* LENO_INTERFACE of the library */
const char *leno_version(void);  /* "0.1" */
const char *leno_revision(void); /* of the source, 12 digits */

struct leno;
struct leno *leno_new(void); /* NULL: out of memory */
void leno_free(struct leno *l);
const char *leno_error(const struct leno *l); /* "" if nothing went wrong */

/* Before leno_run(): "gpu", "scheme", "size" (tiny, small, paper), "seed", "sms",
 * "workloads" (a folder), "threads", "max-cycles", or a parameter by its key, "inorder.entries". */
int leno_set(struct leno *l, const char *name, const char *value);
/* A workload's name or a recording's file. */
int leno_load(struct leno *l, const char *program);

/* Called a few times per second while a program runs; other than 0 stops it with status 5. */
typedef int (*leno_progress)(void *to, const char *kernel, uint64_t cycles,
                             uint64_t warp_insts);
void leno_on_progress(struct leno *l, leno_progress call, void *to);

int leno_run(struct leno *l);

/* After leno_run(): a statistic or a ratio by name ("sm.warp_insts", "ipc"; leno list stats);
 * number n of all, counted from 0, with its name: 1 after the last; issue slots by cause. */
int leno_stat(struct leno *l, const char *name, double *value);
int leno_stat_at(struct leno *l, unsigned n, const char **name, double *value);
int leno_slot_at(struct leno *l, unsigned n, const char **cause, uint64_t *slots);
/* The run as JSON, as in leno run --json (object "run" of docs/formats.md). */
const char *leno_json(struct leno *l);

#ifdef __cplusplus
}
#endif
#endif
