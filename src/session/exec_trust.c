/* exec_trust.c - collects what went wrong in a run, for its last line. */
#include "session/exec_trust.h"

#include <string.h>

#include "session/demangle.h"

enum { MAX_NAME = 96 };

void exec_trust_free(struct exec_trust *t)
{
    buf_free(&t->first_failed);
    buf_free(&t->unsupported);
    *t = (struct exec_trust){ 0 };
}

void exec_trust_note_launch(struct exec_trust *t, const struct launch_report *r)
{
    if (!r->err->code || t->n_failed++)
        return;
    buf_printf(&t->first_failed, "launch %llu, ", (unsigned long long)r->number);
    demangle_put(&t->first_failed, r->launch->kernel->info->name, MAX_NAME);
    buf_printf(&t->first_failed, ": %s", r->err->text);
}

/* Is name one of the names in a list, which commas separate? */
static bool is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at += n) {
        bool is_start = at == list || (at - list >= 2 && !memcmp(at - 2, ", ", 2));

        if (is_start && (!at[n] || at[n] == ','))
            return true;
    }
    return false;
}

void exec_trust_note_unsupported(struct exec_trust *t, const char *name)
{
    if (is_listed(buf_text(&t->unsupported), name))
        return;
    buf_printf(&t->unsupported, "%s%s", t->unsupported.len ? ", " : "", name);
}

void exec_trust_put(const struct exec_trust *t, uint64_t n_launches, struct buf *out)
{
    if (!t->n_failed && !t->unsupported.len)
        return;
    buf_puts(out, "leno: NOT TO BE TRUSTED: ");
    if (t->unsupported.len)
        buf_printf(out, "not supported: %s%s", buf_text(&t->unsupported),
                   t->n_failed ? "; " : "");
    if (t->n_failed)
        buf_printf(out, "%llu of %llu launch%s failed, first %s",
                   (unsigned long long)t->n_failed, (unsigned long long)n_launches,
                   n_launches == 1 ? "" : "es", buf_text(&t->first_failed));
    buf_putc(out, '\n');
}
