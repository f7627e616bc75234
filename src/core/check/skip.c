/* skip.c - checks the claims of a redundancy eliminator (core/skip.h).
 *
 * The front end executes every instruction, dropped or not, so a claim about a dropped
 * or reused instruction can be compared with its executed value. A claim of equality is
 * compared with the value of an instruction that the core itself has recorded
 * (skip_keep()), so the eliminator cannot be wrong about that side; that instruction
 * must have been executed and written back. For a claim of base and stride the front
 * end has compared all lanes. An instruction that does more than write registers is
 * never dropped or reused.
 */
#include <stdlib.h>

#include "core/stages.h"

/* A recorded instruction that was executed. */
struct skip_kept {
    const struct inst *inst; /* NULL: none */
    uint64_t pc, block, seq;
    struct value value;
    uint32_t mask;
    uint16_t warp;  /* its slot in the SM */
    uint16_t index; /* index of the warp in its block */
    uop_id id;      /* while it is in flight */
    /* number of the launch: nothing is known any more of earlier ones */
    uint32_t launch;
};

struct skip_ledger {
    const struct sm *sm;
    const struct uop *asked; /* the instruction that the eliminator is asked about */
    bool is_misused;         /* skip_keep() was called in a forbidden way */
    unsigned n_fresh, fresh[SKIP_MAX_KEPT]; /* slots that record that instruction */
    unsigned n;
    struct skip_kept at[];
};

int check_skip_new(struct sm *s, struct err *err)
{
    unsigned n = s->skip->n_slots;
    struct skip_ledger *l = calloc(1, sizeof *l + n * sizeof l->at[0]);

    if (!l)
        return err_memory(err, "%s", s->skip->ops->name);
    l->sm = s;
    l->n = n;
    s->skip->ledger = l;
    return 0;
}

void skip_keep(struct skip *s, unsigned slot, const struct uop *u)
{
    struct skip_ledger *l = s->ledger;
    const struct warp *w = &l->sm->warp[u->warp];

    if (u != l->asked || slot >= l->n || l->n_fresh == SKIP_MAX_KEPT) {
        l->is_misused = true;
        return;
    }
    l->fresh[l->n_fresh++] = slot;
    l->at[slot] = (struct skip_kept){ .inst = u->dyn.inst,
                                      .pc = u->dyn.inst->pc,
                                      .block = l->sm->blocks.at[w->block].index,
                                      .seq = u->dyn.seq,
                                      .value = u->dyn.value,
                                      .mask = u->dyn.mask,
                                      .warp = u->warp,
                                      .index = w->index,
                                      .id = u->id,
                                      .launch = l->sm->launch.number };
}

/* ---- messages about violations ---- */

static void put_line(uint64_t line, struct buf *out)
{
    uint32_t base = (uint32_t)line;
    int32_t stride = (int32_t)(line >> 32);

    if (stride)
        buf_printf(out, "0x%x + lane * %d", base, stride);
    else
        buf_printf(out, "0x%x in every lane", base);
}

static void put_value(const struct value *v, struct buf *out)
{
    static const char *const shapes[] = { "uniform", "affine", "not affine" };

    if (v->form == VALUE_LINE)
        put_line(v->digest, out);
    else if (v->form == VALUE_HASH)
        buf_printf(out, "0x%x in lane 0, %s, hash %llx", v->first, shapes[v->shape],
                   (unsigned long long)v->digest);
    else
        buf_printf(out, "%s, %llx by name", shapes[v->shape],
                   (unsigned long long)v->digest);
}

static int report_verdict(const struct sm *s, const struct uop *u, enum skip_verdict v,
                          const char *what, struct err *err)
{
    return violation_of_skip(s, u, v == SKIP_DROP ? "drop" : "reuse", what, err);
}

/* Reports a violation that involves the instruction it was claimed to be equal to. */
static int report_unequal(const struct sm *s, const struct uop *u, enum skip_verdict v,
                          const struct skip_kept *from, const char *why,
                          struct err *err)
{
    struct buf what = { 0 };

    buf_puts(&what, "is claimed to be equal to ");
    /* A narrowed instruction may have been reused for another one since. */
    violation_put_code(s, from->inst->pc == from->pc ? from->inst : NULL, from->seq,
                       &what);
    buf_printf(&what, " of block %llu, warp %u, ", (unsigned long long)from->block,
               from->index);
    if (why) {
        buf_puts(&what, why);
    } else {
        buf_puts(&what, "which is ");
        put_value(&from->value, &what);
        buf_puts(&what, "; executed, it is ");
        put_value(&u->dyn.value, &what);
    }
    report_verdict(s, u, v, buf_text(&what), err);
    buf_free(&what);
    return -1;
}

static int report_not_affine(const struct sm *s, const struct uop *u,
                             enum skip_verdict v, struct err *err)
{
    uint64_t claimed = s->skip->claim.affine;
    struct buf what = { 0 };

    buf_puts(&what, "is claimed to be ");
    if (u->dyn.value.form != VALUE_NAME && u->dyn.inst->list.n_writes == 1)
        put_line(claimed, &what);
    else
        buf_printf(&what, "affine, %llx", (unsigned long long)claimed);
    buf_puts(&what, "; executed, it is ");
    put_value(&u->dyn.value, &what);
    if (u->dyn.mask != UINT32_MAX)
        buf_printf(&what, ", in lanes %08x alone", u->dyn.mask);
    report_verdict(s, u, v, buf_text(&what), err);
    buf_free(&what);
    return -1;
}

/* ---- the checks ---- */

static bool has_written(const struct sm *s, const struct skip_kept *k)
{
    const struct uop *u = &s->pool[k->id];

    return !uop_is_in_flight(u) || u->warp != k->warp || u->dyn.seq != k->seq ||
           s->blocks.at[s->warp[u->warp].block].index != k->block;
}

static int check_equal(const struct sm *s, const struct uop *u, enum skip_verdict v,
                       struct err *err)
{
    const struct skip_ledger *l = s->skip->ledger;
    unsigned slot = s->skip->claim.slot;
    const struct skip_kept *from = slot < l->n ? &l->at[slot] : NULL;

    if (!from || !from->inst || from->launch != s->launch.number)
        return report_verdict(
            s, u, v, "is claimed to be equal to an instruction that was not executed",
            err);
    if (from->mask != u->dyn.mask)
        return report_unequal(s, u, v, from, "which wrote other lanes", err);
    if (from->value.digest != u->dyn.value.digest ||
        from->value.shape != u->dyn.value.shape)
        return report_unequal(s, u, v, from, NULL, err);
    if (!has_written(s, from))
        return report_unequal(s, u, v, from, "which has not written yet", err);
    return 0;
}

static int check_claim(const struct sm *s, const struct uop *u, enum skip_verdict v,
                       struct err *err)
{
    const struct value *value = &u->dyn.value;

    switch (s->skip->claim.kind) {
    case SKIP_EQUAL:
        return check_equal(s, u, v, err);
    case SKIP_AFFINE:
        return value->shape == VALUE_OTHER || value->digest != s->skip->claim.affine
                   ? report_not_affine(s, u, v, err)
                   : 0;
    default:
        return report_verdict(s, u, v, "has no claim about its result", err);
    }
}

/* True if an older instruction of the warp has yet to write, or to read, a register
 * that this one writes. */
static bool is_register_needed(const struct sm *s, const struct uop *u)
{
    const struct regset *writes = &u->dyn.inst->writes;

    for (unsigned k = 0; k < s->n_pool; k++) {
        const struct uop *o = &s->pool[k];

        if (o == u || !uop_is_in_flight(o) || o->warp != u->warp)
            continue;
        if (regset_meets(&o->dyn.inst->writes, writes) ||
            (o->stage == UOP_WINDOW && regset_meets(&o->dyn.inst->reads, writes)))
            return true;
    }
    return false;
}

/* Why this verdict is not allowed for the instruction at all; NULL: it is. */
static const char *find_objection(const struct sm *s, const struct uop *u,
                                  enum skip_verdict v)
{
    const struct inst *i = u->dyn.inst;
    const struct skip_ops *ops = s->skip->ops;

    if (inst_writes_memory(i))
        return "writes memory";
    if (!inst_computes(i))
        return "does more than write registers";
    if (v == SKIP_REUSE && u->stage == UOP_FREE)
        return "is reused before it is fetched";
    if (v == SKIP_REUSE && !ops->reuses)
        return "is reused by an eliminator that does not declare this in its table";
    if ((v == SKIP_REUSE || !ops->renames) && inst_is_load(i))
        return "reads memory";
    if (v == SKIP_DROP && (!ops->renames || s->skip->is_strict) &&
        is_register_needed(s, u))
        return "writes a register that an older instruction has yet to write or read";
    return NULL;
}

static void forget_fresh_slots(struct skip_ledger *l)
{
    for (unsigned k = 0; k < l->n_fresh; k++)
        l->at[l->fresh[k]].inst = NULL;
}

void check_skip_ask(struct sm *s, const struct uop *u)
{
    struct skip_ledger *l = s->skip->ledger;

    l->asked = u;
    l->n_fresh = 0;
    s->skip->claim.kind = SKIP_NO_CLAIM;
}

int check_skip_said(struct sm *s, const struct uop *u, enum skip_verdict v,
                    struct err *err)
{
    struct skip_ledger *l = s->skip->ledger;
    const char *why;

    l->asked = NULL;
    if (l->is_misused)
        return err_kind(
            err, ERR_WRONG,
            "eliminator %s: skip_keep() for an instruction that is not in question, "
            "for more than %d slots, or for none of its %u slots",
            s->skip->ops->name, SKIP_MAX_KEPT, l->n);
    if (v == SKIP_EXECUTE && u->stage != UOP_FREE)
        return 0;
    forget_fresh_slots(l); /* it is not executed, or not yet: at_fetch() is to come */
    if (v == SKIP_WAIT || v == SKIP_EXECUTE)
        return 0;
    why = find_objection(s, u, v);
    if (why)
        return report_verdict(s, u, v, why, err);
    return s->check.unchecked ? 0 : check_claim(s, u, v, err);
}
