/* batch_cells.h - the cells of a batch: which there are, and which of them are the same or
 * cannot be run. For batch*.c only.
 */
#ifndef LENO_SESSION_BATCH_CELLS_H
#define LENO_SESSION_BATCH_CELLS_H

#include "frontend/sass/arch.h"
#include "session/batch.h"
#include "session/store.h"

enum cell_state {
    CELL_TODO,
    CELL_RUNNING,
    CELL_DONE,
    CELL_FAILED,
    CELL_SAME,
    CELL_INVALID,
    CELL_ELSEWHERE /* in another slice */
};

struct cell {
    struct store_key key;
    enum cell_state state;
    size_t same;  /* CELL_SAME: the cell before it that has the same key */
    size_t point; /* else, unless CELL_INVALID: its number among those of the study */
    bool is_told; /* the store has a damaged row for it, which was reported */
    double start; /* while it runs */
};

struct cells {
    struct batch *b;
    struct machine **machine; /* by column */
    struct cell *at;          /* as the batch's facts are */
    struct shard_study study;
    size_t n_mine; /* of its points: in the batch's slice */
};

/* 0, or -1 with err set; cells_free() in any case. */
int cells_make(struct cells *c, struct console *console, struct err *err);
void cells_free(struct cells *c);

size_t cells_number(const struct cells *c);
size_t cells_program(const struct cells *c, size_t cell);
size_t cells_column(const struct cells *c, size_t cell);
enum sass_arch cells_arch(const struct cells *c, size_t column);

#endif
