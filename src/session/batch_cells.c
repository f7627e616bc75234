/* batch_cells.c - makes the machines of a batch and names its cells. */
#include "session/batch_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/revision.h"
#include "session/kind.h"
#include "session/spec.h"
#include "sim/describe.h"

size_t cells_number(const struct cells *c)
{
    return c->b->n_programs * c->b->n_columns;
}

size_t cells_program(const struct cells *c, size_t cell)
{
    return cell / c->b->n_columns;
}

size_t cells_column(const struct cells *c, size_t cell)
{
    return cell % c->b->n_columns;
}

enum sass_arch cells_arch(const struct cells *c, size_t column)
{
    return c->b->arch < 0 ? (enum sass_arch)c->machine[column]->gpu.arch
                          : (enum sass_arch)c->b->arch;
}

/* Notes what a column's machine is, and warns, once, if the code is not for it. */
static void note_machine(struct batch *b, size_t column, const struct machine *m,
                         const struct console *console)
{
    struct buf about = { 0 };

    machine_describe(m, &about);
    b->about[column] = about.data;
    if (b->arch < 0 || *b->warning)
        return;
    if (machine_warn_arch(m, sass_arch_name((enum sass_arch)b->arch), b->warning,
                          sizeof b->warning))
        fprintf(console->log, "leno: warning: %s\n", b->warning);
}

static int make_machines(struct cells *c, const struct console *console,
                         struct err *err)
{
    const struct batch *b = c->b;

    for (size_t i = 0; i < b->n_columns; i++) {
        struct machine *m;

        if (b->column[i].invalid)
            continue;
        m = spec_machine(b->column[i].gpu, b->column[i].spec, b->set.at, b->set.n, err);
        c->machine[i] = m;
        if (!m || machine_check(m, err) || (b->sms && machine_slice(m, b->sms, err)))
            return -1;
        note_machine(c->b, i, m, console);
    }
    return spec_check_set(c->machine, b->n_columns, b->set.at, b->set.n, err);
}

/* The study has one more point: this cell. */
static void add_to_study(struct cells *c, struct cell *cell)
{
    struct shard_study *study = &c->study;

    cell->point = study->n_points++;
    study->hash = hash_bytes(study->hash, &cell->key.program, sizeof cell->key.program);
    study->hash = hash_bytes(study->hash, &cell->key.config, sizeof cell->key.config);
    if (shard_has(&c->b->shard, cell->point))
        c->n_mine++;
    else
        cell->state = CELL_ELSEWHERE;
}

static bool is_same(const struct cell *a, const struct cell *b)
{
    return a->key.program == b->key.program && a->key.config == b->key.config &&
           (a->state == CELL_TODO || a->state == CELL_ELSEWHERE);
}

/* Columns may name the same machine in two ways; it is run once. */
static void find_same(struct cells *c, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (is_same(&c->at[k], &c->at[i])) {
            c->at[i].state = CELL_SAME;
            c->at[i].same = k;
            c->b->n_shared++;
            return;
        }
    add_to_study(c, &c->at[i]);
}

/* There is no such machine, or nothing to run on it. */
static void exclude_cell(struct cells *c, size_t i, const char *why, int exit_code)
{
    c->at[i].state = CELL_INVALID;
    c->b->exit_code[i] = exit_code;
    c->b->why[i] = strdup(why);
    if (!c->b->why[i])
        err_memory_exit("a message");
}

/* A program is hashed once, not for every column: recordings may be large. */
static int hash_program(struct cells *c, size_t i, const struct identity *id,
                        struct err *err)
{
    size_t column = cells_column(c, i);

    if (column && c->at[i - 1].key.program && c->machine[column - 1] &&
        session_kind(c->machine[column - 1]) == session_kind(id->machine) &&
        cells_arch(c, column - 1) == id->arch) {
        c->at[i].key.program = c->at[i - 1].key.program;
        return 0;
    }
    return identity_program(id, &c->at[i].key.program, err);
}

static int name_cells(struct cells *c, struct err *err)
{
    for (size_t i = 0; i < cells_number(c); i++) {
        const struct program *p = &c->b->program[cells_program(c, i)];
        size_t column = cells_column(c, i);
        const char *invalid = c->b->column[column].invalid;
        struct store_key *key = &c->at[i].key;
        struct identity id;

        if (invalid || p->why) {
            exclude_cell(c, i, invalid ? invalid : p->why, invalid ? 0 : p->exit_code);
            continue;
        }
        id = (struct identity){ .machine = c->machine[column],
                                .program = p->source,
                                .choice = &p->choice,
                                .folder = c->b->folder,
                                .size = c->b->size,
                                .seed = c->b->seed,
                                .arch = cells_arch(c, column) };

        if (hash_program(c, i, &id, err))
            return -1;
        key->config = extras_hash(&c->b->extra, identity_config(&id));
        key->revision = revision_text();
        find_same(c, i);
    }
    return 0;
}

int cells_make(struct cells *c, struct console *console, struct err *err)
{
    c->machine = calloc(c->b->n_columns, sizeof *c->machine);
    c->at = calloc(cells_number(c), sizeof *c->at);
    if (!c->machine || !c->at)
        return err_memory(err, "the runs");
    c->study.hash = hash_bytes(HASH_START, revision_text(), strlen(revision_text()));
    if (make_machines(c, console, err) || name_cells(c, err))
        return -1;
    c->study.hash = hash_mix(c->study.hash);
    return 0;
}

void cells_free(struct cells *c)
{
    for (size_t i = 0; c->machine && i < c->b->n_columns; i++)
        machine_free(c->machine[i]);
    free(c->machine);
    free(c->at);
}
