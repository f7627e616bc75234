/* violation.c - reports what check.c finds: the kind of violation, both instructions with
 * their text and cycles, and the command that shows them in a pipeline view.
 */
#include <stdarg.h>
#include <stdio.h>

#include "vortex/check.h"

enum { VIEW_BEFORE = 200 }; /* cycles of a view before the older instruction's issue */

struct vx_party vx_party_of(const struct uop *u)
{
    struct vx_party p = { u->dyn.inst, u->dyn.seq, NEVER };

    if (u->stage != UOP_WINDOW)
        p.issued = u->issued;
    return p;
}

const char *vx_scheme_name(const struct vx_core *k)
{
    if (k->issue->ops == &vx_issue_scoreboard)
        return k->hosted.scheme->name;
    return k->issue->ops->name;
}

/* Cycles as views count them. */
static uint64_t shown_cycle(const struct vx_core *k, uint64_t cycle)
{
    return k->launch.before + cycle + 1;
}

static void print_party(const struct vx_core *k, const struct vx_party *p,
                        struct buf *out)
{
    buf_printf(out, "#%llu at 0x%llx `", (unsigned long long)p->seq,
               (unsigned long long)p->inst->pc);
    k->launch.kernel->ops->text(k->launch.kernel, p->inst, out);
    if (p->issued == NEVER)
        buf_printf(out, "` (not issued)");
    else
        buf_printf(out, "` (issued in cycle %llu)",
                   (unsigned long long)shown_cycle(k, p->issued));
}

/* From before the first of them was issued to now. */
static void print_view(const struct vx_core *k, const struct uop *u,
                       const struct vx_party *other, struct buf *out)
{
    uint64_t first = earlier(k->cycle, vx_party_of(u).issued);

    if (other && other->inst)
        first = earlier(first, other->issued);
    first = first > VIEW_BEFORE ? first - VIEW_BEFORE : 0;
    buf_printf(
        out,
        ". To see it: leno run PROGRAM --gpu %s --scheme %s --konata FILE --view "
        "\"sm=%u warps=%u cycles=%llu-%llu\"",
        vortex_config(k->gpu)->machine, vx_scheme_name(k), k->index, u->warp,
        (unsigned long long)shown_cycle(k, first),
        (unsigned long long)shown_cycle(k, k->cycle));
}

void vx_report_violation(struct vx_core *k, const char *kind, const struct uop *u,
                         const struct vx_party *other, const char *format, ...)
{
    struct vx_party one = vx_party_of(u);
    struct buf out = { 0 };
    char middle[160];
    va_list list;

    if (k->failed)
        return;
    k->failed = true;
    va_start(list, format);
    vsnprintf(middle, sizeof middle, format, list);
    va_end(list);
    print_party(k, &one, &out);
    buf_printf(&out, " %s", middle);
    if (other && other->inst) {
        buf_putc(&out, ' ');
        print_party(k, other, &out);
    }
    print_view(k, u, other, &out);
    err_kind(k->err, ERR_WRONG,
             "scheme %s on %s: %s violation in cycle %llu, core %u, block %u, warp %u: "
             "%s",
             vx_scheme_name(k), vortex_config(k->gpu)->machine, kind,
             (unsigned long long)shown_cycle(k, k->cycle), k->index, k->index, u->warp,
             buf_text(&out));
    buf_free(&out);
}
