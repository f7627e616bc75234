/* sweep_points.c - makes the points of a sweep and finds the valid ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/spec.h"
#include "session/sweep.h"

static int out_of_memory(struct err *err)
{
    return err_memory(err, "the points of a sweep");
}

/* ---- which scheme has which parameter ---- */

/* Machines by GPU and scheme, for questions only. */
struct machines {
    struct machine **at;
    size_t n;
};

static struct machine *machine_at(const struct sweep *s, const struct machines *m,
                                  size_t gpu, size_t scheme)
{
    return m->at[gpu * s->schemes.n + scheme];
}

static void machines_free(struct machines *m)
{
    for (size_t i = 0; m->at && i < m->n; i++)
        machine_free(m->at[i]);
    free(m->at);
}

/* The machine of a line of [columns], or of a scheme on a GPU. */
static struct machine *make_machine(const struct sweep *s, size_t i, struct err *err)
{
    if (s->n_named)
        return spec_machine(s->named[i].gpu, s->named[i].spec, NULL, 0, err);
    return spec_machine(s->gpus.at[i / s->schemes.n], s->schemes.at[i % s->schemes.n],
                        NULL, 0, err);
}

static int machines_new(const struct sweep *s, struct machines *m, struct err *err)
{
    m->n = s->n_named ? s->n_named : s->gpus.n * s->schemes.n;
    m->at = calloc(m->n, sizeof(struct machine *));
    if (!m->at)
        return out_of_memory(err);
    for (size_t i = 0; i < m->n; i++) {
        m->at[i] = make_machine(s, i, err);
        if (m->at[i])
            continue;
        return s->n_named ? err_prefix(err, "%s:%u", s->file, s->named[i].line)
                          : err_prefix(err, "%s", s->file);
    }
    return 0;
}

/* A parameter must be one that some machine has; the first one suggests another. */
static int check_param(const struct sweep *s, const struct sweep_param *p,
                       const struct machines *m, struct err *err)
{
    char where[256];

    for (size_t i = 0; i < m->n; i++)
        if (spec_has(m->at[i], p->key))
            return 0;
    snprintf(where, sizeof where, "%s:%u", s->file, s->axis[p->axis].line);
    return param_set(m->at[0]->bind, m->at[0]->n_bind, p->key, p->value[0], where, err);
}

/* What is set for all is tried on every machine that has it; some machine must. */
static int check_setting(const struct sweep *s, size_t n, const struct machines *m,
                         struct err *err)
{
    const char *setting = s->setting[n];
    bool is_taken = false;
    char where[256];

    snprintf(where, sizeof where, "%s:%u", s->file, s->set_line[n]);
    for (size_t i = 0; i < m->n; i++) {
        if (!spec_takes(m->at[i], setting))
            continue;
        is_taken = true;
        if (param_set(m->at[i]->bind, m->at[i]->n_bind, setting, NULL, where, err))
            return -1;
    }
    return is_taken
               ? 0
               : param_set(m->at[0]->bind, m->at[0]->n_bind, setting, NULL, where, err);
}

static int check_all(const struct sweep *s, const struct machines *m, struct err *err)
{
    for (size_t i = 0; i < s->n_set; i++)
        if (check_setting(s, i, m, err))
            return -1;
    for (size_t i = 0; i < s->n_params; i++)
        if (check_param(s, &s->param[i], m, err))
            return -1;
    return 0;
}

/* ---- columns ---- */

/* A message without the spec that it begins with: the column has that. */
static const char *without_spec(const char *text, const char *spec)
{
    size_t n = strlen(spec);

    return !strncmp(text, spec, n) && !strncmp(text + n, ": ", 2) ? text + n + 2 : text;
}

/* Can the machine of a column be built? If not, the column says why. */
static int validate_column(const struct sweep *s, struct grid_column *c,
                           struct err *err)
{
    struct err why = { 0 };
    struct machine *m =
        spec_machine(c->gpu, c->spec, (const char *const *)s->setting, s->n_set, &why);
    int failed = 0;

    if (!m || machine_check(m, &why) || (s->sms && machine_slice(m, s->sms, &why))) {
        c->invalid = strdup(without_spec(why.text, c->spec));
        failed = c->invalid && why.code != ERR_MEMORY ? 0 : out_of_memory(err);
    }
    machine_free(m);
    return failed;
}

/* The column of a machine, which is added if it is a new one. The spec becomes the column's
 * or is freed. */
static int find_column(struct sweep *s, const char *gpu, char *spec, size_t *column,
                       struct err *err)
{
    size_t c = 0;

    while (c < s->n_columns &&
           (strcmp(s->column[c].gpu, gpu) || strcmp(s->column[c].spec, spec)))
        c++;
    *column = c;
    if (c < s->n_columns) {
        free(spec);
        return 0;
    }
    s->column[s->n_columns++] = (struct grid_column){ .gpu = gpu, .spec = spec };
    return validate_column(s, &s->column[c], err);
}

/* A scheme with those values of a point that it has parameters for. */
static char *spec_of(const struct sweep *s, const char *scheme, const struct machine *m,
                     const char *const *value)
{
    struct buf spec = { 0 };

    buf_puts(&spec, scheme);
    for (size_t i = 0; i < s->n_params; i++)
        if (value[i] && spec_has(m, s->param[i].key))
            buf_printf(&spec, ":%s=%s", s->param[i].key, value[i]);
    return spec.data;
}

/* ---- points ---- */

static bool is_known(const struct sweep *s, const struct sweep_point *p)
{
    for (size_t i = 0; i < s->n_points; i++)
        if (s->point[i].column == p->column && s->point[i].scheme == p->scheme)
            return true;
    return false;
}

/* A combination that differs from another one only in parameters that the scheme does not
 * have is the same point. */
static int add_point(struct sweep *s, struct sweep_point *p, const struct machine *m,
                     const struct machine *base, struct err *err)
{
    if (find_column(s, p->gpu, spec_of(s, p->scheme, m, p->value), &p->column, err))
        return -1;
    if (is_known(s, p))
        return 0;
    if (s->n_points == SWEEP_MAX_POINTS)
        return err_set(err, "%s: more than %d combinations", s->file, SWEEP_MAX_POINTS);
    if (find_column(s, p->gpu, spec_of(s, s->baseline.at[0], base, p->value), &p->base,
                    err))
        return -1;
    s->n_invalid += !!s->column[p->column].invalid;
    s->point[s->n_points++] = *p;
    return 0;
}

static bool has_axis(const struct sweep *s, const struct machine *m,
                     const struct sweep_axis *a)
{
    for (size_t i = 0; i < a->n_params; i++)
        if (spec_has(m, s->param[a->first + i].key))
            return true;
    return false;
}

/* The next combination, the last line of [sweep] first; false after the last one. */
static bool next_combination(const struct sweep *s, const struct machine *m,
                             size_t *index)
{
    for (size_t i = s->n_axes; i-- > 0;) {
        if (!has_axis(s, m, &s->axis[i]))
            continue;
        if (++index[i] < s->axis[i].values.n)
            return true;
        index[i] = 0;
    }
    return false;
}

static int add_points(struct sweep *s, const char *gpu, const char *scheme,
                      const struct machine *m, const struct machine *base,
                      struct err *err)
{
    size_t index[SWEEP_MAX_PARAMS] = { 0 };

    do {
        struct sweep_point p = { .gpu = gpu, .scheme = scheme };

        for (size_t i = 0; i < s->n_params; i++)
            if (spec_has(m, s->param[i].key))
                p.value[i] = s->param[i].value[index[s->param[i].axis]];
        if (add_point(s, &p, m, base, err))
            return -1;
    } while (next_combination(s, m, index));
    return 0;
}

static int add_points_of_gpu(struct sweep *s, const struct machines *m, size_t gpu,
                             struct err *err)
{
    struct machine *base =
        spec_machine(s->gpus.at[gpu], s->baseline.at[0], NULL, 0, err);
    int failed = 0;

    if (!base)
        return err_prefix(err, "%s: baseline", s->file);
    for (size_t i = 0; i < s->schemes.n && !failed; i++)
        failed = add_points(s, s->gpus.at[gpu], s->schemes.at[i],
                            machine_at(s, m, gpu, i), base, err);
    machine_free(base);
    return failed;
}

/* The column of a line of [columns]. */
static int find_named_column(struct sweep *s, size_t n, size_t *column, struct err *err)
{
    char *spec = strdup(s->named[n].spec);

    if (!spec)
        return out_of_memory(err);
    return find_column(s, s->named[n].gpu, spec, column, err);
}

static int add_named_points(struct sweep *s, struct err *err)
{
    for (size_t i = 0; i < s->n_named; i++) {
        struct sweep_point p = { .gpu = s->named[i].gpu, .scheme = s->named[i].name };

        if (find_named_column(s, i, &p.column, err) ||
            find_named_column(s, sweep_named_base(s, i), &p.base, err))
            return -1;
        s->n_invalid += !!s->column[p.column].invalid;
        s->point[s->n_points++] = p;
    }
    return 0;
}

static void count_combinations(struct sweep *s)
{
    if (s->n_named) {
        s->n_combinations = s->n_points;
        return;
    }
    s->n_combinations = s->gpus.n * s->schemes.n;
    for (size_t i = 0; i < s->n_axes; i++)
        s->n_combinations *= s->axis[i].values.n;
}

/* At least one point must be valid. */
static int check_points(const struct sweep *s, struct err *err)
{
    if (s->n_invalid < s->n_points)
        return 0;
    if (s->n_points == 1)
        return err_set(err, "%s: its only point is invalid: %s", s->file,
                       sweep_why_invalid(s, 0));
    return err_set(err, "%s: all points are invalid; the first: %s", s->file,
                   sweep_why_invalid(s, 0));
}

int sweep_make_points(struct sweep *s, struct err *err)
{
    struct machines m = { 0 };
    int failed = machines_new(s, &m, err) || check_all(s, &m, err) ? -1 : 0;

    s->point = calloc(SWEEP_MAX_POINTS, sizeof *s->point);
    /* Each has its own column and its baseline's; and one more for the point too many. */
    s->column = calloc(2 * SWEEP_MAX_POINTS + 1, sizeof *s->column);
    if (!failed && (!s->point || !s->column))
        failed = out_of_memory(err);
    if (!failed && s->n_named)
        failed = add_named_points(s, err);
    for (size_t g = 0; g < s->gpus.n && !failed && !s->n_named; g++)
        failed = add_points_of_gpu(s, &m, g, err);
    machines_free(&m);
    count_combinations(s);
    return failed ? -1 : check_points(s, err);
}
