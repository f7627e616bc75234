/* paper.c - papers, their figures and their programs, by name. */
#include "report/paper.h"

#include <ctype.h>
#include <string.h>

#include "base/suggest.h"
#include "report/papers.h"

const struct paper *paper_at(size_t i)
{
    static const struct paper *const papers[] = {
        &paper_ghost,  &paper_socgpu,      &paper_turbulence,
        &paper_darsie, &paper_loog_vortex, &paper_results,
        NULL
    };

    return papers[i];
}

static const char *paper_name(const void *from, size_t i)
{
    (void)from;
    return paper_at(i) ? paper_at(i)->name : NULL;
}

const struct paper *paper_find(const char *name, struct err *err)
{
    struct buf near = { 0 };

    for (size_t i = 0; paper_at(i); i++)
        if (!strcmp(paper_at(i)->name, name))
            return paper_at(i);
    suggest_word(&near, name, paper_name, NULL);
    err_set(err, "no paper named '%s'%s; see leno reproduce --list", name,
            buf_text(&near));
    buf_free(&near);
    return NULL;
}

static const char *figure_name(const void *from, size_t i)
{
    const struct paper *p = from;

    return i < p->n_figures ? p->figures[i].name : NULL;
}

const struct figure *paper_figure(const struct paper *p, const char *name,
                                  struct err *err)
{
    struct buf all = { 0 };

    for (size_t i = 0; i < p->n_figures; i++)
        if (!strcmp(p->figures[i].name, name))
            return &p->figures[i];
    for (size_t i = 0; i < p->n_figures; i++)
        buf_printf(&all, "%s%s", i ? ", " : "", p->figures[i].name);
    suggest_word(&all, name, figure_name, p);
    err_set(err, "%s has no figure '%s' here; expected one of %s", p->name, name,
            buf_text(&all));
    buf_free(&all);
    return NULL;
}

/* ---- programs ---- */

/* Compares names as people write them: B+tree, b_tree and btree are the same. */
static bool is_same_name(const char *a, size_t n_a, const char *b)
{
    const char *end = a + n_a;

    for (;;) {
        while (a < end && !isalnum((unsigned char)*a))
            a++;
        while (*b && !isalnum((unsigned char)*b))
            b++;
        if (a == end || !*b)
            return a == end && !*b;
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return false;
    }
}

/* Is the name one of those in a list with blanks between them? */
static bool is_among(const char *names, const char *name)
{
    while (*names) {
        size_t n = strcspn(names, " ");

        if (is_same_name(names, n, name))
            return true;
        names += n + strspn(names + n, " ");
    }
    return false;
}

bool paper_has_workload(const struct paper *p, const struct workload *w)
{
    return w->papers && is_among(w->papers, p->name);
}

static const struct paper_program *find_by_workload(const struct paper *p,
                                                    const struct workload *w)
{
    for (size_t i = 0; paper_has_workload(p, w) && i < p->n_programs; i++) {
        const struct paper_program *x = &p->programs[i];

        if (w->suite && is_same_name(w->suite, strlen(w->suite), x->suite) &&
            (is_among(x->names, w->name) ||
             (w->theirs && is_among(x->names, w->theirs))))
            return x;
    }
    return NULL;
}

void paper_list_programs(const struct paper *p, const char *name, struct buf *to)
{
    for (size_t i = 0; i < p->n_programs; i++)
        if (is_among(p->programs[i].names, name))
            buf_printf(to, "%s%s", to->len ? " or " : "", p->programs[i].theirs);
}

static const struct paper_program *find_by_name(const struct paper *p, const char *name)
{
    const struct paper_program *found = NULL;
    size_t n = 0;

    for (size_t i = 0; i < p->n_programs; i++) {
        if (is_same_name(name, strlen(name), p->programs[i].theirs))
            return &p->programs[i];
        if (is_among(p->programs[i].names, name)) {
            found = &p->programs[i];
            n++;
        }
    }
    return n == 1 ? found : NULL;
}

const struct paper_program *paper_program_of(const struct paper *p,
                                             const struct program *program)
{
    const struct workload *w =
        program->source ? workload_find(program->source, NULL) : NULL;

    if (program->paper)
        return find_by_name(p, program->paper);
    return w ? find_by_workload(p, w) : find_by_name(p, program->name);
}
