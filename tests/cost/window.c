/* window.c - writes a window: which scheme, which cycles, and instructions in 64 bits. */
#include "window.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    const void *of; /* scheme or eliminator */
    FILE *to;
    uint64_t left;
    bool is_open, is_over;
    char line[2048]; /* that is being written */
    size_t n;
    unsigned n_idle; /* cycles in which nothing has happened, up to now */
} window;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "window: %s: %s\n", what, why);
    exit(1);
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    char *end;
    uint64_t n;

    if (!text)
        return otherwise;
    n = strtoull(text, &end, 10);
    if (end == text || *end)
        fail(name, "expected a number");
    return n;
}

static void open_window(const void *of, const char *name, unsigned n_warps)
{
    const char *path = getenv("LENO_WINDOW");

    window.is_open = true;
    if (!path)
        fail("LENO_WINDOW", "expected the name of a file to write");
    window.of = of;
    window.to = fopen(path, "w");
    if (!window.to)
        fail(path, "cannot be written");
    window.left = number("LENO_WINDOW_CYCLES", 20000);
    fprintf(window.to, "# %s, %u warps\n", name, n_warps);
}

bool window_is_on(const struct scheme *s, unsigned warp)
{
    if (!window.is_open)
        open_window(s, s->ops->name, s->shape->n_warps / s->shape->n_subcores);
    return s == window.of && !window.is_over && warp % s->shape->n_subcores == 0;
}

bool window_is_on_skip(const struct skip *s)
{
    if (!window.is_open)
        open_window(s, s->ops->name, s->shape->n_warps);
    return s == window.of && !window.is_over;
}

void window_line(const char *format, ...)
{
    size_t room = sizeof window.line - window.n;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(window.line + window.n, room, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= room)
        fail("a line", "too long");
    window.n += (size_t)n;
    if (window.line[window.n - 1] != '\n')
        return;
    fputs(window.line, window.to);
    window.n = 0;
    window.n_idle = 0;
}

unsigned window_warp(const struct scheme *s, unsigned warp)
{
    return warp / s->shape->n_subcores;
}

void window_start(struct scheme *s, unsigned warp)
{
    if (!window_is_on(s, warp))
        return;
    window_line("s %u\n", window_warp(s, warp));
    s->wants_tick = true;
}

struct scheme_ops window_scheme(const struct scheme_ops *from, const char *name,
                                const struct scheme_ops *by)
{
    struct scheme_ops to = *from;

    to.name = name;
    to.warp_start = by->warp_start;
    to.tick = by->tick;
    to.issued = by->issued;
    to.written_back = by->written_back;
    to.insert = by->insert ? by->insert : from->insert;
    to.checked = by->checked ? by->checked : from->checked;
    to.operands_read = by->operands_read ? by->operands_read : from->operands_read;
    to.resolved = by->resolved ? by->resolved : from->resolved;
    to.dispatch = by->dispatch ? by->dispatch : from->dispatch;
    return to;
}

void window_end_cycle(struct scheme *s, bool is_idle)
{
    s->wants_tick = true;
    window_end_line(is_idle);
}

void window_end_line(bool is_idle)
{
    unsigned n_idle = is_idle ? window.n_idle + 1 : 0;

    if (n_idle > 2) { /* two are enough */
        window.n = 0;
        return;
    }
    window_line("\n");
    window.n_idle = n_idle;
    if (--window.left)
        return;
    window.is_over = true;
    if (fclose(window.to))
        fail(getenv("LENO_WINDOW"), "cannot be written");
}

/* The registers of a set as names, at most n of them. */
static void take_names(const struct inst *i, const struct regset *set, unsigned n,
                       uint8_t *name)
{
    unsigned at = 0;

    for (unsigned r = 0; (r = regset_next(set, r)) < N_REGID; r++) {
        if (r >= WINDOW_NO_NAME || at == n) {
            fprintf(stderr,
                    "window: instruction at 0x%llx has more than %u operands of "
                    "a kind, or one that is no general register\n",
                    (unsigned long long)i->pc, n);
            exit(1);
        }
        name[at++] = (uint8_t)r;
    }
}

unsigned window_result(const struct inst *i)
{
    uint8_t name = WINDOW_NO_NAME;

    take_names(i, &i->writes, 1, &name);
    return name;
}

uint64_t window_inst(const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    uint8_t name[1 + WINDOW_SOURCES] = { 255, 255, 255, 255 };
    uint64_t flags, word = 0;

    take_names(i, &i->writes, 1, name);
    take_names(i, &i->reads, WINDOW_SOURCES, name + 1);
    for (unsigned k = 0; k <= WINDOW_SOURCES; k++)
        word |= (uint64_t)name[k] << k * WINDOW_NAME;
    flags = (uint64_t)inst_is_memory(i) | (uint64_t)inst_writes_memory(i) << 1 |
            (uint64_t)inst_is_branch(i) << 2 | (uint64_t)inst_is_sync(i) << 3 |
            (uint64_t)(i->class == CLASS_barrier) << 4 |
            (uint64_t)inst_converges(i) << 5;
    return word | flags << 32 | (i->pc * 0x9e3779b97f4a7c15u & 0xffffff) << 40;
}

void window_tick(struct scheme *s, void (*write_warp)(struct scheme *, unsigned))
{
    if (!window_is_on(s, 0))
        return;
    window_line("t");
    for (unsigned w = 0; w < s->shape->n_warps; w += s->shape->n_subcores)
        write_warp(s, w);
    window_end_cycle(s, true);
}
