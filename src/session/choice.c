/* choice.c - the choice of launches by number, name and turn. */
#include "session/choice.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "session/demangle.h"

struct choice_kernel {
    char *name;
    bool is_match;
    uint64_t n_offered; /* launches that number and name choose */
};

bool choice_takes_all(const struct launch_choice *c)
{
    return !c->first && !c->match && !c->every && !c->first_of_each;
}

bool choice_has_cap(const struct launch_choice *c)
{
    return c->cap_cycles || c->cap_insts;
}

bool choice_matches(const char *pattern, const char *name)
{
    struct buf plain = { 0 };
    bool is_match;

    demangle_put(&plain, name, SIZE_MAX);
    is_match = !fnmatch(pattern, name, 0) || !fnmatch(pattern, buf_text(&plain), 0);
    if (!is_match && plain.len) {
        plain.len = strcspn(plain.data, "<(");
        plain.data[plain.len] = '\0';
        is_match = !fnmatch(pattern, buf_text(&plain), 0);
    }
    buf_free(&plain);
    return is_match;
}

static struct choice_kernel *find_kernel(const struct launch_choice *c,
                                         struct choice_count *seen, const char *name)
{
    struct choice_kernel *k;

    for (size_t i = 0; i < seen->n; i++) {
        if (!strcmp(seen->kernels[i].name, name))
            return &seen->kernels[i];
    }
    k = realloc(seen->kernels, (seen->n + 1) * sizeof *k);
    if (!k)
        err_memory_exit("the names of kernels");
    seen->kernels = k;
    k += seen->n++;
    k->name = strdup(name);
    if (!k->name)
        err_memory_exit("the names of kernels");
    k->is_match = !c->match || choice_matches(c->match, name);
    k->n_offered = 0;
    return k;
}

bool choice_takes_next(const struct launch_choice *c, struct choice_count *seen,
                       const char *name)
{
    uint64_t number = ++seen->n_launches, every = c->every ? c->every : 1, before;
    struct choice_kernel *k;

    if (c->first && (number < c->first || number > c->last))
        return false;
    k = find_kernel(c, seen, name);
    if (!k->is_match)
        return false;
    before = k->n_offered++;
    if (before % every)
        return false;
    return !c->first_of_each || before / every < c->first_of_each;
}

bool choice_found_none(const struct launch_choice *c, const struct choice_count *seen)
{
    for (size_t i = 0; i < seen->n; i++) {
        if (seen->kernels[i].is_match)
            return false;
    }
    return c->match && seen->n;
}

void choice_count_free(struct choice_count *seen)
{
    for (size_t i = 0; i < seen->n; i++)
        free(seen->kernels[i].name);
    free(seen->kernels);
    *seen = (struct choice_count){ 0 };
}

int choice_read_range(struct launch_choice *c, const char *text, struct err *err)
{
    char *end;

    errno = 0;
    c->first = c->last = strtoull(text, &end, 10);
    if (*end == '-') {
        c->last = UINT64_MAX;
        if (end[1])
            c->last = strtoull(end + 1, &end, 10);
        else
            end++;
    }
    if (errno || *text < '0' || *text > '9' || *end || !c->first || c->last < c->first)
        return err_set(err, "'%s': expected launches as N, N-M or N-, counted from 1",
                       text);
    return 0;
}
