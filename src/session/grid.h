/* grid.h - the results of a batch: programs x machines. */
#ifndef LENO_SESSION_GRID_H
#define LENO_SESSION_GRID_H

#include "session/facts.h"

struct grid_column {
    const char *gpu, *spec; /* as spec.h reads it */
    const char *invalid;    /* why there is no such machine; NULL: there is */
};

struct grid {
    const char *const *program;
    const struct grid_column *column;
    size_t n_programs, n_columns;
    const struct facts *facts; /* one row per program; cycles 0: no result */
    char *const *why;     /* the same order: why a run failed, or NULL; may be NULL */
    const int *exit_code; /* the same order: of the runs that failed; may be NULL */
    char *const *about;   /* by column: members of machine_describe(); may be NULL */
    /* the same order as facts: members "series" and "hot" of a run, each before a comma, or
     * NULL; may be NULL */
    char *const *extras;
};

/* NULL where there is no result. */
const struct facts *grid_at(const struct grid *g, size_t program, size_t column);

/* Why there is none; "" if unknown. */
const char *grid_why(const struct grid *g, size_t program, size_t column);

/* "spec" and the machine of a column in JSON, each after a comma. */
void grid_column_json(const struct grid *g, size_t column, struct buf *out);
/* "ok", "exit_code" and "message" of a run in JSON, each after a comma. */
void grid_outcome_json(const struct grid *g, size_t program, size_t column,
                       struct buf *out);

#endif
