/* registry.c - the lists of schemes and skippers, made from the names of their files. */
#include <string.h>

#include "base/suggest.h"
#include "sim/machine.h"

#define SCHEME(name) extern const struct scheme_ops scheme_##name;
#include "schemes.def"
#undef SCHEME
static const struct scheme_ops *const schemes[] = {
#define SCHEME(name) &scheme_##name,
#include "schemes.def"
#undef SCHEME
    NULL
};

#ifdef HAS_FUSED
#define SCHEME(name)                                                \
    extern const struct sm_core fused_##name, fused_##name##_ports, \
        fused_##name##_hot, fused_##name##_ports_hot;
#include "schemes.def"
#undef SCHEME
#define FUSED(name)                           \
    { { &fused_##name, &fused_##name##_hot }, \
      { &fused_##name##_ports, &fused_##name##_ports_hot } },
#else
#define FUSED(name) { { NULL, NULL }, { NULL, NULL } },
#endif
static const struct sm_core *const fused[][2][2] = {
#define SCHEME(name) FUSED(name)
#include "schemes.def"
#undef SCHEME
    { { NULL, NULL }, { NULL, NULL } }
};

#define SKIP(name) extern const struct skip_ops skip_##name;
#include "skips.def"
#undef SKIP
static const struct skip_ops *const skips[] = {
#define SKIP(name) &skip_##name,
#include "skips.def"
#undef SKIP
    NULL
};

const struct scheme_ops *scheme_at(size_t i)
{
    return i < sizeof schemes / sizeof *schemes ? schemes[i] : NULL;
}

const struct sm_core *scheme_fused(const struct scheme_ops *ops, bool has_ports,
                                   bool is_hot)
{
    size_t i = 0;

    while (schemes[i] && schemes[i] != ops)
        i++;
    return fused[i][has_ports][is_hot];
}

const struct skip_ops *skip_at(size_t i)
{
    return i < sizeof skips / sizeof *skips ? skips[i] : NULL;
}

/* Names for suggestions. */
static const char *scheme_name(const void *from, size_t i)
{
    (void)from;
    return schemes[i] ? schemes[i]->name : NULL;
}

static const char *skip_name(const void *from, size_t i)
{
    (void)from;
    return skips[i] ? skips[i]->name : NULL;
}

/* Reports an unknown name of this kind, with the nearest of those that next lists. */
static void report_unknown(const char *kind, const char *name,
                           const char *(*next)(const void *from, size_t i),
                           struct err *err)
{
    struct buf near = { 0 };

    suggest_word(&near, name, next, NULL);
    err_set(err, "no %s named '%s'%s; see leno list schemes", kind, name,
            buf_text(&near));
    buf_free(&near);
}

const struct scheme_ops *scheme_find(const char *name, struct err *err)
{
    for (size_t n = 0; schemes[n]; n++)
        if (!strcmp(schemes[n]->name, name))
            return schemes[n];
    report_unknown("scheme", name, scheme_name, err);
    return NULL;
}

const struct skip_ops *skip_find(const char *name, struct err *err)
{
    for (size_t n = 0; skips[n]; n++)
        if (!strcmp(skips[n]->name, name))
            return skips[n];
    report_unknown("redundancy eliminator", name, skip_name, err);
    return NULL;
}
