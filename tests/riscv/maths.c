/* maths.c - the functions of lib/maths.h at places where their parts meet; a line and
 * status 1 for the first that is off. */
#include "maths.h"

#include "vx_print.h"

struct value {
    float x, y;
};

static const struct value exps[] = {
    { 0, 1 },
    { 1, 2.71828183f },
    { -1, 0.367879441f },
    { 0.34375f, 1.41022603f },
    { -5.5f, 0.00408677144f },
    { 10, 22026.4658f },
    { -86, 4.47377931e-38f },
    { 86, 2.2352466e+37f },
};

static const struct value logs[] = {
    { 1, 0 },
    { 0.75f, -0.287682072f },
    { 1.5f, 0.405465108f },
    { 0.0078125f, -4.85203026f },
    { 2, 0.693147181f },
    { 1e10f, 23.0258509f },
    { 1.0009765625f, 0.000976085973f },
    { 3, 1.09861229f },
};

/* Turns, and their sines and cosines. */
static const struct turn {
    float x, sin, cos;
} turns[] = {
    { 0, 0, 1 },
    { 0.0625f, 0.382683432f, 0.923879533f },
    { 0.125f, 0.707106781f, 0.707106781f },
    { -0.3125f, -0.923879533f, -0.382683432f },
    { 0.40625f, 0.555570233f, -0.831469612f },
    { -3.1875f, -0.923879533f, 0.382683432f },
    { 100.03125f, 0.195090322f, 0.98078528f },
};

static int is_near(float got, float expected, float scale)
{
    return maths_abs(got - expected) <= 5e-7f * scale;
}

static int report(const char *function, unsigned n)
{
    vx_printf("maths: %s, value %u\n", function, n);
    return 1;
}

int main(void)
{
    for (unsigned n = 0; n < sizeof exps / sizeof *exps; n++)
        if (!is_near(maths_exp(exps[n].x), exps[n].y, exps[n].y))
            return report("exp", n);
    for (unsigned n = 0; n < sizeof logs / sizeof *logs; n++)
        if (!is_near(maths_log(logs[n].x), logs[n].y, maths_abs(logs[n].y)))
            return report("log", n);
    for (unsigned n = 0; n < sizeof turns / sizeof *turns; n++) {
        struct maths_turn t = maths_turn(turns[n].x);

        if (!is_near(t.sin, turns[n].sin, 1) || !is_near(t.cos, turns[n].cos, 1))
            return report("turn", n);
    }
    if (maths_sqrt(2.25f) != 1.5f || maths_max(-1, 2) != 2 || maths_round(2.5f) != 2 ||
        maths_round(-1.5f) != -2 || maths_select(1, 3, 4) != 3 ||
        maths_select(0, 3, 4) != 4)
        return report("one of the others", 0);
    vx_printf("maths: ok\n");
    return 0;
}
