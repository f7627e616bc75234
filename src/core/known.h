/* known.h - questions that the stages ask the SM. When the stages are compiled together
 * with a scheme (sim/fused.c), the answers are constants: the scheme's functions, and
 * the common case.
 */
#ifndef LENO_CORE_KNOWN_H
#define LENO_CORE_KNOWN_H

#include "base/hash.h"
#include "core/state.h"

#ifdef FUSED_OPS
enum { IS_FUSED_WITH_PORTS = FUSED_PORTS };
#define SM_CORE FUSED_CORE
#else
enum { IS_FUSED_WITH_PORTS = false };
#define SM_CORE sm_core_any
#endif
extern const struct sm_core SM_CORE, sm_core_any;

static inline const struct scheme_ops *ops_of(const struct sm *s)
{
    return SCHEME_OPS(s->scheme);
}

/* Calls a hook of the scheme, if it has one. */
#define TELL(s, op, ...) \
    (ops_of(s)->op ? ops_of(s)->op((s)->scheme, __VA_ARGS__) : (void)0)

/* Steps of collection per cycle, as a shift; with ports there are none. */
enum { COMMON_STEP_SHIFT = 1, PORTS_STEP_SHIFT = 0 };
static inline unsigned step_shift(const struct sm *s)
{
    if (IS_FUSED)
        return IS_FUSED_WITH_PORTS ? PORTS_STEP_SHIFT : COMMON_STEP_SHIFT;
    return s->collect.step_shift;
}

/* Does not matter with ports. */
static inline bool has_wide_reads(const struct sm *s)
{
    return !IS_FUSED && s->config.regfile.wide_reads;
}

/* Warps are distributed over sub-cores in turn; those of a sub-core are the bits of a
 * word. */
static inline unsigned n_subcores(const struct sm *s)
{
    return IS_FUSED ? COMMON_SUBCORES : s->shape.n_subcores;
}

static inline struct subcore *subcore_of(struct sm *s, unsigned warp)
{
    return &s->sub[warp % n_subcores(s)];
}

static inline unsigned bit_of(const struct sm *s, unsigned warp)
{
    return warp / n_subcores(s);
}

static inline unsigned warp_slot(const struct sm *s, const struct subcore *c,
                                 unsigned bit)
{
    return bit * n_subcores(s) + c->index;
}

static inline bool has_view(const struct sm *s)
{
    return !IS_FUSED && s->trace;
}

/* Are there counters per instruction? Fused stages are compiled with and without. */
#ifndef FUSED_HOT
#define FUSED_HOT 0
#endif
static inline bool has_hot(const struct sm *s)
{
    return IS_FUSED ? FUSED_HOT : s->hot != NULL;
}

static inline bool has_skip(const struct sm *s)
{
    return !IS_FUSED && s->skip;
}

/* Does it work in front of fetch? */
static inline bool has_skip_stage(const struct sm *s)
{
    return has_skip(s) && s->skip->ops->before_fetch;
}

static inline bool has_narrow(const struct sm *s)
{
    return !IS_FUSED && s->fetch.narrow;
}

static inline bool has_ports(const struct sm *s)
{
    return IS_FUSED ? IS_FUSED_WITH_PORTS : s->shape.has_ports;
}

static inline bool has_pipe_order(const struct sm *s)
{
    return !IS_FUSED && s->config.regfile.pipe_order;
}

/* Sub-cores issue one after another, or a warp issues twice in a cycle (issue.c). */
static inline bool has_turns(const struct sm *s)
{
    return !IS_FUSED && s->config.core.turns;
}

static inline bool has_dual(const struct sm *s)
{
    return !IS_FUSED && s->config.sched.dual;
}

/* Fetch as in Accel-Sim's replay of traces (fetch.c): for warps that wait at a barrier too,
 * and by what was decoded last. */
static inline bool fetches_at_barrier(const struct sm *s)
{
    return !IS_FUSED && s->config.fetch.at_barrier;
}

static inline bool follows_decode(const struct sm *s)
{
    return !IS_FUSED && s->config.fetch.follow_decode;
}

/* Collectors have numbers, and the lowest that is ready leaves (choose.c). */
static inline bool has_choice(const struct sm *s)
{
    return has_pipe_order(s) && s->config.regfile.choice == CHOICE_LOWEST;
}

static inline bool is_eager(const struct sm *s)
{
    return !IS_FUSED && s->config.core.eager;
}

static inline bool has_stations(const struct sm *s)
{
    return ops_of(s)->dispatch;
}

/* What few schemes do (struct scheme). */
static inline bool scheme_renames(const struct sm *s)
{
    return (ops_of(s)->may_rename || has_stations(s)) && s->scheme->renames;
}

static inline bool is_exposed(const struct sm *s)
{
    return ops_of(s)->may_be_exposed && s->scheme->is_exposed;
}

/* Are registers renamed, by the scheme or by the eliminator? */
static inline bool has_names(const struct sm *s)
{
    return scheme_renames(s) || (has_skip(s) && s->skip->ops->renames);
}

static inline bool wants_tick(const struct sm *s)
{
    return ops_of(s)->tick && s->scheme->wants_tick;
}

/* For tests: does this part (a sub-core or, beyond those, memory or fetch) refuse in
 * this cycle? One time in four; a refused instruction is tried again in the next
 * cycle. */
enum { CHAOS_MEMORY = MAX_SUBCORES, CHAOS_FETCH };
static inline bool chaos(struct sm *s, unsigned part)
{
    if (IS_FUSED || !s->config.core.chaos)
        return false;
    if (hash_mix(s->cycle * 64 + s->index * 8 + part + s->config.core.chaos * 977) & 3)
        return false;
    wake_next(&s->wake);
    return true;
}

/* Is its register file, with ports or collectors, one that fused.c is compiled for? */
static inline bool has_common_file(const struct sm *s)
{
    const struct regfile_params *p = &s->config.regfile;

    if (s->shape.has_ports)
        return s->collect.step_shift == PORTS_STEP_SHIFT;
    return s->collect.step_shift == COMMON_STEP_SHIFT && !p->wide_reads;
}

/* Is it the case that fused.c is compiled for (see there)? */
static inline bool is_common(const struct sm *s)
{
    const struct sm_config *c = &s->config;

    return s->shape.n_subcores == COMMON_SUBCORES && has_common_file(s) &&
           !c->regfile.pipe_order && !s->trace && !s->skip && !s->fetch.narrow &&
           !c->core.chaos && !c->core.eager && !c->core.turns && !c->sched.dual &&
           !c->fetch.at_barrier && !c->fetch.follow_decode;
}

#endif
