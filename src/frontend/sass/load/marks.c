/* marks.c - what is redundant in a kernel's code, and where redundancy comes from.
 *
 * As in DARSIE (ASPLOS 2020, section 4.2): block numbers, block sizes, constants,
 * parameters and the base of shared memory are the same in all warps of a block; of the
 * thread numbers x is, in blocks of some shapes, and y in some of three dimensions. A load is as redundant as its address. The
 * paper has no word on lane numbers, clocks and the like: not redundant. Nor are loads by
 * generic addresses, which may be of local memory, loads that must see what other SMs store,
 * and results of atomics or of attempts to get registers. Local memory is each thread's own: whether loads from it are
 * redundant depends on what was stored there (analysis/redundancy.c).
 */
#include "frontend/sass/load/marks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/redundancy.h"
#include "frontend/sass/decode/sreg.h"
#include "frontend/sass/load/flow.h"

static uint8_t of_special(int64_t sreg)
{
    switch (sreg) {
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
    case SREG_CGACTAID: /* sm_90 makes the base of shared memory of it */
    case SREG_SRZ:
        return REDUNDANT;
    case SREG_TID_X:
        return REDUNDANT_BY_SHAPE;
    case SREG_TID_Y:
        return REDUNDANT_BY_PLANE;
    default:
        return NOT_REDUNDANT;
    }
}

static uint8_t of_load(const struct inst *i)
{
    bool is_known = i->space == SPACE_GLOBAL || i->space == SPACE_SHARED ||
                    i->space == SPACE_CONST || i->space == SPACE_LOCAL;

    return is_known && !(i->flags & (INST_BYPASS_L1 | INST_ASYNC)) ? REDUNDANT
                                                                   : NOT_REDUNDANT;
}

static uint8_t own_level(const struct sass_inst *i)
{
    if (i->base.flags & INST_PHASE)
        return NOT_REDUNDANT;
    switch (i->base.class) {
    case CLASS_load:
        return of_load(&i->base);
    case CLASS_atomic:
    case CLASS_barrier:
    case CLASS_misc:
        return NOT_REDUNDANT;
    default:
        break;
    }
    for (unsigned k = 0; k < i->n_opds; k++)
        if (i->opd[k].kind == OPD_SREG)
            return of_special(i->opd[k].imm);
    return REDUNDANT;
}

/* The same, where every lane of a warp must have the same: lanes that get different parts
 * of what they read do not. */
static uint8_t own_uniformity(const struct sass_inst *i)
{
    switch (i->base.class) {
    case CLASS_shuffle:
    case CLASS_tensor:
    case CLASS_tensor_small:
    case CLASS_tensor_fp64:
        return NOT_REDUNDANT;
    default:
        break;
    }
    if (i->base.op == OP_LDSM || i->base.op == OP_FSWZADD)
        return NOT_REDUNDANT;
    return own_level(i);
}

typedef uint8_t level_fn(const struct sass_inst *i);

static int mark_flow(const struct sass_flow *s, level_fn *level, uint8_t *marks,
                     struct err *err)
{
    uint8_t *own = malloc((size_t)s->n + 1);
    struct flow *f = own ? flow_new(s->flow, s->n, err) : NULL;
    int rc = -1;

    if (!own)
        err_memory(err, "the marks of a kernel");
    for (uint32_t i = 0; f && i < s->n; i++)
        own[i] = s->inst[i].row ? level(&s->inst[i]) : NOT_REDUNDANT;
    if (f)
        rc = redundancy_mark(f, own, marks, err);
    flow_free(f);
    free(own);
    return rc;
}

static uint8_t *marks_by(const struct sass_module *m, const struct sass_kernel *k,
                         level_fn *level, uint32_t *n, struct err *err)
{
    enum sass_flow_known known;
    struct sass_flow s;
    uint8_t *marks;

    if (sass_flow_make(&s, m, k, &known, err))
        return NULL;
    *n = s.n;
    marks = malloc((size_t)s.n + 1);
    if (!marks) {
        err_memory(err, "the marks of a kernel");
    } else if (known != FLOW_IS_KNOWN) {
        memset(marks, NOT_REDUNDANT, s.n);
    } else if (mark_flow(&s, level, marks, err)) {
        free(marks);
        marks = NULL;
    }
    sass_flow_free(&s);
    return marks;
}

uint8_t *sass_marks(const struct sass_module *m, const struct sass_kernel *k,
                    uint32_t *n, struct err *err)
{
    return marks_by(m, k, own_level, n, err);
}

uint8_t *sass_uniform_marks(const struct sass_module *m, const struct sass_kernel *k,
                            uint32_t *n, struct err *err)
{
    return marks_by(m, k, own_uniformity, n, err);
}

void sass_marks_free(uint8_t **marks, const struct sass_module *m)
{
    for (uint32_t i = 0; marks && i < m->cubin.n_sections; i++)
        free(marks[i]);
    free(marks);
}

uint8_t **sass_marks_all(const struct sass_module *m, struct err *err)
{
    uint8_t **marks = calloc((size_t)m->cubin.n_sections + 1, sizeof *marks);

    if (!marks)
        err_memory(err, "the marks of a kernel");
    for (uint32_t i = 0; marks && i < m->n_kernels; i++) {
        uint8_t **at = &marks[m->kernels[i].info->text];
        uint32_t n;

        free(*at); /* kernels that share a section have the marks of the last */
        *at = sass_marks(m, &m->kernels[i], &n, err);
        if (!*at) {
            sass_marks_free(marks, m);
            return NULL;
        }
    }
    return marks;
}
