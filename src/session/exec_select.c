/* exec_select.c - the selection of launches under leno exec. */
#include "session/exec_select.h"

#include <fnmatch.h>
#include <string.h>

#include "session/demangle.h"

bool exec_select_matches(const char *pattern, const char *name)
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

static bool is_named(const struct exec_options *o, struct exec_sum *kernel)
{
    if (!o->match)
        return true;
    if (!kernel->is_compared)
        kernel->is_match = exec_select_matches(o->match, kernel->name);
    kernel->is_compared = true;
    return kernel->is_match;
}

bool exec_select_launch(const struct exec_options *o, struct exec_sum *kernel,
                        uint64_t number)
{
    uint64_t every = o->every ? o->every : 1, before;

    if (o->first && (number < o->first || number > o->last))
        return false;
    if (!is_named(o, kernel))
        return false;
    before = kernel->n_offered++;
    if (before % every)
        return false;
    return !o->first_of_each || before / every < o->first_of_each;
}

bool exec_select_found_none(const struct exec_options *o, const struct exec_summary *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!s->kernels[i].is_compared || s->kernels[i].is_match)
            return false;
    }
    return o->match && s->n;
}
