/* together.c - where all lanes of a warp run together: forwards over all paths, from the
 * beginning of a kernel.
 *
 * Each instruction has a set of bits: all lanes execute it; and for each convergence
 * barrier, it notes all lanes. A bit is set if that holds on every path.
 *
 * A lane that waits apart from the others, for the block or a while, may let lanes pass a
 * convergence barrier that is not complete. In code with such a place no barrier counts.
 *
 * LIMIT: so may a lane that loops a million times while the others wait at a convergence
 * barrier; that is not looked for.
 */
#include "analysis/together.h"

#include <stdlib.h>

#include "analysis/internal.h"

enum { ALL_HERE = 1, NOTHING = 0, NOT_REACHED = -1 };

struct pass {
    struct code_line *code;
    size_t n;
    uint32_t *before; /* by place: bits that hold before it */
    bool is_complete; /* no lane passes a convergence barrier before the others */
    bool has_changed;
};

static uint32_t bits_after(const struct pass *p, const struct code_line *line,
                           uint32_t bits)
{
    uint32_t noted = (uint32_t)line->barriers << 1;

    if (flow_may_go_anywhere(line->inst))
        return NOTHING;
    switch (line->lanes) {
    case LANES_PART:
        return bits & ~(uint32_t)ALL_HERE;
    case LANES_SAVE:
        return bits & ALL_HERE ? bits | noted : bits & ~noted;
    case LANES_MEET:
        return (bits & ~noted) | (p->is_complete && bits & noted ? ALL_HERE : 0);
    case LANES_LOSE:
        return bits & ~noted;
    default:
        return bits;
    }
}

static void flow_bits(struct pass *p, size_t to, uint32_t bits)
{
    if (to >= p->n)
        return;
    p->has_changed |= (p->before[to] & ~bits) != 0;
    p->before[to] &= bits;
}

static void walk_all(struct pass *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct code_line *line = &p->code[i];
        uint32_t bits = bits_after(p, line, p->before[i]);

        if (p->before[i] == (uint32_t)NOT_REACHED)
            continue;
        if (line->target >= 0)
            flow_bits(p, (size_t)line->target, bits);
        if (!line->stops)
            flow_bits(p, i + 1, bits);
    }
}

static void solve_bits(struct pass *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->before[i] = p->code[i].is_entry ? (uint32_t)NOTHING : (uint32_t)NOT_REACHED;
    if (!p->code[0].is_entry)
        p->before[0] = ALL_HERE;
    do {
        p->has_changed = false;
        walk_all(p);
    } while (p->has_changed);
}

static bool waits_apart(const struct pass *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->code[i].lanes == LANES_WAIT && !(p->before[i] & ALL_HERE))
            return true;
    return false;
}

/* A convergence barrier that a program has restored is come to twice: it has to be noted
 * here. */
static bool keeps_together(const struct code_line *line, uint32_t bits)
{
    if (line->lanes == LANES_MEET && !(bits & (uint32_t)line->barriers << 1))
        return false;
    return bits & ALL_HERE && line->lanes != LANES_PART &&
           !flow_may_go_anywhere(line->inst);
}

int together_mark(struct code_line *code, size_t n, struct err *err)
{
    struct pass p = { .code = code, .n = n, .is_complete = true };

    p.before = malloc((n + 1) * sizeof *p.before);
    if (!p.before)
        return err_memory(err, "the lanes of a kernel");
    if (n)
        solve_bits(&p);
    if (waits_apart(&p)) {
        p.is_complete = false;
        solve_bits(&p);
    }
    for (size_t i = 0; i < n; i++)
        code[i].keeps_together = keeps_together(&code[i], p.before[i]);
    free(p.before);
    return 0;
}
