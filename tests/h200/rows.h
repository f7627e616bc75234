/* rows.h - the measurements of an H200 beside what the h200 machine takes, row by row. */
#ifndef LENO_TESTS_H200_ROWS_H
#define LENO_TESTS_H200_ROWS_H

#include <stdbool.h>
#include <stdio.h>

/* How near is near: legal stalls exactly, cycles of a chain within 1, rates and
 * bandwidths within 5 %. */
enum row_kind { ROW_EXACT, ROW_CYCLES, ROW_RATE };

struct row {
    const char *section; /* of the measurements */
    char name[96];
    double measured, ours;
    enum row_kind kind;
};

struct report {
    struct row *row;
    size_t n, room;
};

#define ROW(section, kind, measured, ours) \
    ((struct row){ section, "", measured, ours, kind })

/* Adds a row under a name. */
void row_add(struct report *r, struct row row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool row_fits(const struct row *r);
void report_free(struct report *r);

/* A row that does not fit: what it is now, and why. */
struct misfit {
    const char *section, *name;
    double ours;
    const char *why;
};
extern const struct misfit misfits[]; /* ends with a NULL section */
const struct misfit *misfit_of(const struct row *r);

/* The parts; each adds its rows. */
void rows_pipes(struct report *r);
void rows_banks(struct report *r);
void rows_fixed(struct report *r);
void rows_latency(struct report *r);
void rows_control(struct report *r);
void rows_compiled(struct report *r);
void rows_scheduler(struct report *r);
void rows_memory(struct report *r);
void rows_bandwidth(struct report *r);
void rows_fetch(struct report *r);
void rows_async(struct report *r);

/* Asynchronous copies under other schemes, and with nothing asleep: what is not as it should
 * be. */
unsigned async_count_wrong(void);

/* As Markdown. */
void report_print(const struct report *r, FILE *to);

#endif
