/* test_twins.c - the ways an instruction can be executed agree.
 *
 * Handlers have a short way for instructions whose operands are bound to rows, and in a
 * program for any host they are there twice, once for AVX2 (docs/decisions/017-twins.md).
 * Every word of tests/data/disasm/reference.txt.zst that computes, or accesses shared
 * memory, is executed in all of these ways on the same registers; they must leave the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec_rig.h"
#include "frontend/sass/exec/scalars.h"
#include "frontend/sass/load/spread.h"
#include "zst.h"

/* What an instruction can change. */
struct left {
    uint32_t rows[RIG_REGS + 9][WARP_LANES], uniform[64][WARP_LANES];
    uint32_t p[8], up[8];
    uint8_t shared[RIG_SHARED];
    enum exec_result result;
};

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 20;
}

/* Any bits, numbers near those that are special, and small ones. */
static uint32_t draw_word(uint64_t *state)
{
    static const uint32_t special[] = {
        0,          0x80000000, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000,
        0x00800000, 0x00000001, 0x7fffffff, 0xffffffff, 0x3ff00000, 0x7ff00000
    };
    uint32_t v = (uint32_t)draw(state);

    switch (draw(state) % 4) {
    case 0:
        return special[v % (sizeof special / sizeof *special)] + v % 3 - 1;
    case 1:
        return v % 64;
    default:
        return v;
    }
}

/* Registers, so that addresses are good ones if it is to be a memory access. */
static void draw_state(struct rig *r, struct left *before, bool is_access,
                       uint64_t *state)
{
    memset(before, 0, sizeof *before);
    for (unsigned n = 1; n <= RIG_REGS; n++)
        LANES(l)
            before->rows[n][l] =
                is_access ? (uint32_t)draw(state) % 48 * 16 : draw_word(state);
    for (unsigned n = 0; n < UR_LOW - 1; n++) {
        uint32_t v = is_access ? (uint32_t)draw(state) % 8 * 16 : draw_word(state);

        LANES(l)
            before->uniform[n][l] = v;
    }
    for (unsigned n = 0; n < 8; n++) {
        before->p[n] = n == PRED_PT ? ALL_LANES : (uint32_t)draw(state);
        before->up[n] = n == PRED_PT || draw(state) % 2 ? ALL_LANES : 0;
    }
    for (unsigned n = 0; n < RIG_SHARED; n++)
        before->shared[n] = (uint8_t)draw(state);
    for (unsigned n = 0; n < sizeof r->bank; n++)
        r->bank[n] = (uint8_t)draw(state);
}

static void execute(struct rig *r, const struct left *before, exec_fn *fn,
                    const struct sass_inst *i, uint32_t mask, struct left *after)
{
    memcpy(r->rows, before->rows, sizeof r->rows);
    memcpy(r->uniform, before->uniform, sizeof r->uniform);
    memcpy(r->w.p, before->p, sizeof r->w.p);
    memcpy(r->w.up, before->up, sizeof r->w.up);
    memcpy(r->shared, before->shared, sizeof r->shared);
    r->w.active = mask;
    after->result = fn(&r->w, i, mask);
    memcpy(after->rows, r->rows, sizeof r->rows);
    memcpy(after->uniform, r->uniform, sizeof r->uniform);
    memcpy(after->p, r->w.p, sizeof r->w.p);
    memcpy(after->up, r->w.up, sizeof r->w.up);
    memcpy(after->shared, r->shared, sizeof r->shared);
}

static bool is_computed(const struct sass_inst *i)
{
    const uint64_t *set = i->base.touches.w;

    if (!i->row || !sass_handlers[i->base.op] || set[1] | set[2] | set[3] ||
        set[0] >> (RIG_REGS - 16))
        return false;
    switch (i->base.class) {
    case CLASS_load:
    case CLASS_store:
    case CLASS_atomic:
        return i->base.space == SPACE_SHARED;
    case CLASS_branch:
    case CLASS_exit:
    case CLASS_barrier:
    case CLASS_texture:
    case CLASS_fence:
    case CLASS_misc:
        return false;
    default:
        return true;
    }
}

/* Both ways of these handlers, and the long way of the plain ones: an instruction that is
 * not bound has all its operands the long way. */
static bool agree(struct rig *r, exec_fn *const *handlers,
                  const struct sass_inst *bound, uint32_t mask, uint64_t *state)
{
    static struct left before, want, got;
    struct sass_inst unbound = *bound;
    bool same;

    unbound.is_bound = false;
    for (unsigned k = 0; k < unbound.n_opds; k++)
        unbound.opd[k].way = WAY_ANY;
    draw_state(r, &before, bound->base.space != SPACE_NONE, state);
    r->w.scalars = scalar_rows(&r->grid);
    assert_non_null(r->w.scalars);
    execute(r, &before, sass_handlers[bound->base.op], &unbound, mask, &want);
    execute(r, &before, handlers[bound->base.op], bound, mask, &got);
    same = !memcmp(&want, &got, sizeof want);
    execute(r, &before, handlers[bound->base.op], &unbound, mask, &got);
    same = same && !memcmp(&want, &got, sizeof want);
    free(r->w.scalars);
    return same;
}

static struct word parse_word(const char *hex)
{
    struct word w;

    assert_int_equal(sscanf(hex, "%16lx%16lx", &w.hi, &w.lo), 2);
    return w;
}

/* True if it was executed. */
static bool check_word(struct rig *r, exec_fn *const *handlers, const char *line,
                       uint64_t *state)
{
    int arch = sass_arch_of((unsigned)atoi(line));
    struct sass_inst i;

    assert_true(arch >= 0);
    sass_decode(&i, (enum sass_arch)arch, parse_word(line + 3), 0);
    if (!is_computed(&i))
        return false;
    r->grid.arch = (enum sass_arch)arch;
    r->module.spread = spread_new();
    spread_bind(r->module.spread, &i);
    for (unsigned k = 0; k < 2; k++) {
        uint32_t mask = k ? (uint32_t)draw(state) : ALL_LANES;

        if (!agree(r, handlers, &i, mask, state))
            fail_msg("%s, lanes %08x: the ways do not agree", line, mask);
    }
    free(r->module.spread);
    return true;
}

static void check_words(struct rig *r, exec_fn *const *handlers)
{
    uint64_t random = 1;
    unsigned n = 0;
    char *text = zst_text("tests/data/disasm/reference.txt.zst");

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        n += check_word(r, handlers, line, &random);
    assert_true(n > 5000);
    free(text);
}

static void test_rows(void **state)
{
    check_words(*state, sass_handlers);
}

#ifdef SASS_WIDE
static void test_avx2(void **state)
{
    if (sass_handlers_of_host() != sass_handlers_wide)
        skip(); /* this processor has none */
    check_words(*state, sass_handlers_wide);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, rig_setup, rig_teardown),
#ifdef SASS_WIDE
        cmocka_unit_test_setup_teardown(test_avx2, rig_setup, rig_teardown),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
