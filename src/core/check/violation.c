/* violation.c - reports violations of program order by a scheme or an eliminator: the
 * kind of hazard, both instructions with their text, the place, and how to see it.
 *
 * An instruction that issues before an older one may have retired when that finds its
 * register overwritten, so each warp notes the last few that did; with control words alone
 * it notes all. Others of a violation are still in flight.
 */
#include <stdarg.h>

#include "core/stages.h"

/* One of the two instructions. */
struct party {
    const struct inst *inst; /* NULL: no longer known */
    uint64_t seq;
    bool has_issued;
    uint64_t issued; /* cycle */
};

/* The recent cycle whose lower half is known. */
static uint64_t whole_cycle(const struct sm *s, uint32_t low)
{
    return s->cycle - (uint32_t)((uint32_t)s->cycle - low);
}

static const struct uop *find_uop(const struct sm *s, unsigned warp, uint64_t seq)
{
    for (const struct uop *u = s->pool; u < sm_uops_end(s); u++)
        if (u->stage != UOP_FREE && u->warp == warp && u->dyn.seq == seq)
            return u;
    return NULL;
}

/* The cycle in which an instruction that is still there issued; false: not known. */
static bool find_cycle(const struct sm *s, const struct uop *u, uint64_t *cycle)
{
    if (u->stage == UOP_WINDOW || u->stage == UOP_FREE)
        return false;
    if (u->pipe == PIPE_mem || ops_of(s)->wants_cycles)
        *cycle = u->issued;
    else
        *cycle = s->cycle - (uint16_t)((uint16_t)s->cycle - u->issued_low);
    return u->pipe == PIPE_mem || ops_of(s)->wants_cycles || !has_stations(s);
}

static struct party find_party(const struct sm *s, unsigned warp, uint64_t seq)
{
    const struct issue_note *n = &s->warp[warp].note[seq % ISSUE_NOTES];
    const struct uop *u = find_uop(s, warp, seq);
    struct party p = { .seq = seq };

    if (u) {
        p.inst = u->dyn.inst;
        p.has_issued = find_cycle(s, u, &p.issued);
    } else if (n->inst && n->seq == (uint32_t)seq) {
        p.has_issued = true;
        p.issued = whole_cycle(s, n->cycle);
        p.inst =
            s->fetch.narrow ? NULL : n->inst; /* narrowed instructions are reused */
    }
    return p;
}

uint64_t violation_last_writer(const struct sm *s, const struct uop *u, unsigned reg)
{
    uint64_t seq = u->dyn.seq;

    for (unsigned k = 0; k < ISSUE_NOTES && seq; k++) {
        struct party p = find_party(s, u->warp, --seq);

        if (p.inst && regset_has(&p.inst->writes, reg))
            return seq;
    }
    return VIOLATION_NOBODY;
}

void violation_put_code(const struct sm *s, const struct inst *i, uint64_t seq,
                        struct buf *out)
{
    const struct kernel *k = s->launch.kernel;

    buf_printf(out, "#%llu", (unsigned long long)seq);
    if (i)
        buf_printf(out, " at 0x%llx", (unsigned long long)(i->pc - k->first_pc));
    if (i && k->ops && k->ops->text) {
        buf_puts(out, " `");
        k->ops->text(k, i, out);
        buf_putc(out, '`');
        kernel_put_line(k, i, out);
    }
}

static void put_party(const struct sm *s, const struct party *p, struct buf *out)
{
    violation_put_code(s, p->inst, p->seq, out);
    if (p->has_issued)
        buf_printf(out, " (issued in cycle %llu)", (unsigned long long)p->issued);
    else if (p->inst)
        buf_puts(out, " (not issued)");
}

void violation_put_inst(const struct sm *s, unsigned warp, uint64_t seq,
                        struct buf *out)
{
    struct party p = find_party(s, warp, seq);

    put_party(s, &p, out);
}

static void put_scheme(const struct sm *s, struct buf *out)
{
    buf_puts(out, s->scheme->ops->name);
    if (has_skip(s))
        buf_printf(out, "+%s", s->skip->ops->name);
}

/* Prints the command that draws what happened around this cycle. */
static void put_command(const struct sm *s, const struct uop *u, struct buf *out)
{
    enum { BEFORE = 200, AFTER = 20 };

    buf_puts(out, ". To see it: leno run PROGRAM --scheme ");
    put_scheme(s, out);
    buf_printf(out, " --konata FILE --view \"sm=%u warps=%u cycles=%llu-%llu\"",
               s->index, u->warp,
               (unsigned long long)(s->cycle > BEFORE ? s->cycle - BEFORE : 0),
               (unsigned long long)s->cycle + AFTER);
}

static void put_place(const struct sm *s, const struct uop *u, struct buf *out)
{
    const struct warp *w = &s->warp[u->warp];

    buf_printf(out, " in cycle %llu, SM %u, block %llu, warp %u: ",
               (unsigned long long)s->cycle, s->index,
               (unsigned long long)s->blocks.at[w->block].index, w->index);
}

static void put_offender(const struct sm *s, const struct violation *v, struct buf *out)
{
    struct party p = find_party(s, v->u->warp, v->u->dyn.seq);

    p.inst = v->u->dyn.inst;
    if (v->at_issue) {
        p.has_issued = true;
        p.issued = s->cycle;
    }
    put_party(s, &p, out);
}

int violation_report(const struct sm *s, const struct violation *v, struct err *err,
                     const char *does, ...)
{
    struct buf out = { 0 };
    va_list args;

    buf_puts(&out, "scheme ");
    put_scheme(s, &out);
    buf_printf(&out, ": %s violation", v->kind);
    put_place(s, v->u, &out);
    put_offender(s, v, &out);
    buf_putc(&out, ' ');
    va_start(args, does);
    buf_vprintf(&out, does, args);
    va_end(args);
    if (v->other != VIOLATION_NOBODY) {
        buf_putc(&out, ' ');
        violation_put_inst(s, v->u->warp, v->other, &out);
    }
    buf_printf(&out, "%s", v->rest ? v->rest : "");
    put_command(s, v->u, &out);
    err_kind(err, ERR_WRONG, "%s", buf_text(&out));
    buf_free(&out);
    return -1;
}

int violation_of_skip(const struct sm *s, const struct uop *u, const char *verdict,
                      const char *what, struct err *err)
{
    struct buf out = { 0 };

    buf_printf(&out, "eliminator %s: unsound %s", s->skip->ops->name, verdict);
    put_place(s, u, &out);
    violation_put_code(s, u->dyn.inst, u->dyn.seq, &out);
    buf_printf(&out, " %s", what);
    put_command(s, u, &out);
    err_kind(err, ERR_WRONG, "%s", buf_text(&out));
    buf_free(&out);
    return -1;
}
