/* icnt.c - one direction of the crossbar between SMs and L2 slices.
 *
 * Only outputs that some input wants are visited: each keeps the set of inputs whose
 * first packet is for it. An input sends one packet per cycle.
 *
 * LIMIT: one packet is one transfer, whatever its size, unless icnt.serialise is set,
 * as in Accel-Sim's crossbar. Flits are counted.
 */
#include "mem/icnt.h"

#include <stdlib.h>

#include "base/invariant.h"

#define NO_INPUT UINT32_MAX

/* True if it writes every word of its sectors. */
static bool writes_whole_sectors(const struct mem_request *r)
{
    uint32_t words = 0;

    for (unsigned s = 0; s < LINE_SECTORS; s++)
        words |= r->sectors >> s & 1 ? (uint32_t)0xff << s * 8 : 0;
    return r->words == words;
}

/* A request with data carries a byte mask, unless it writes whole sectors or is a word
 * to be added without a result. */
uint8_t icnt_request_flits(const struct icnt_params *p, const struct mem_request *r)
{
    bool atomic = r->kind == MEM_ATOMIC, lone = is_single_word(r->words);
    uint32_t bytes = lone ? 4 : n_sectors(r->sectors) * SECTOR_BYTES;

    if (!atomic && r->kind != MEM_WRITE)
        return (uint8_t)icnt_flits(p, 0);
    if (atomic ? r->has_result || !lone : !writes_whole_sectors(r))
        bytes += p->mask_bytes;
    return (uint8_t)icnt_flits(p, bytes);
}

int xbar_init(struct xbar *x, const struct icnt_params *p, uint32_t n_in,
              uint32_t n_out, struct err *err)
{
    uint32_t n = n_in > n_out ? n_in : n_out;

    *x = (struct xbar){ .p = p,
                        .n_in = n_in,
                        .n_out = n_out,
                        .in_words = (n_in + 63) / 64,
                        .in_limit = p->in_buffer,
                        .out_limit = p->out_buffer,
                        .is_islip = p->arbiter != ICNT_ROUND_ROBIN,
                        .step = p->arbiter == ICNT_ISLIP_SKIP ? 2 : 1 };
    if (n > XBAR_MAX_PORTS)
        return err_set(
            err,
            "the interconnect would need %u ports, at most %d are supported: use "
            "fewer SMs or L2 slices",
            n, XBAR_MAX_PORTS);
    x->ports = calloc(n, sizeof *x->ports);
    x->want = calloc((size_t)n_out * x->in_words, sizeof *x->want);
    x->later = calloc((size_t)XBAR_AHEAD * x->in_words, sizeof *x->later);
    if (!x->ports || !x->want || !x->later) {
        xbar_free(x);
        return err_memory(err, "the interconnect");
    }
    return 0;
}

void xbar_free(struct xbar *x)
{
    free(x->ports);
    free(x->want);
    free(x->later);
    x->ports = NULL;
    x->want = x->later = NULL;
}

static inline bool is_empty(const uint64_t *set, uint32_t words)
{
    uint64_t any = set[0];

    for (uint32_t w = 1; w < words; w++)
        any |= set[w];
    return !any;
}

bool xbar_begin(struct xbar *x, uint64_t cycle)
{
    uint64_t from = x->begun + 1;
    uint32_t before = x->n_later;

    if (cycle - x->begun > XBAR_AHEAD)
        from = cycle - XBAR_AHEAD + 1;
    for (; x->n_later && from <= cycle; from++) {
        uint64_t *set = xbar_later(x, from);

        for (uint32_t w = 0; w < x->in_words; w++) {
            x->n_later -= (uint32_t)__builtin_popcountll(set[w]);
            x->due[w] |= set[w];
            set[w] = 0;
        }
    }
    x->begun = cycle;
    return x->n_later != before;
}

uint64_t xbar_next(const struct xbar *x)
{
    uint64_t cycle = x->begun + 1;

    if (x->n_waiting)
        return cycle;
    if (!x->n_later)
        return UINT64_MAX;
    while (is_empty(xbar_later(x, cycle), x->in_words))
        cycle++;
    return cycle;
}

/* The first input of a set at or after start, wrapping around. */
static inline uint32_t xbar_first_input(const uint64_t *set, uint32_t words,
                                        uint32_t start)
{
    uint32_t w = words == 1 ? 0 : start / 64;
    uint64_t bits = set[w] & ~(uint64_t)0 << (start & 63);

    if (words == 1)
        return (uint32_t)__builtin_ctzll(bits ? bits : set[0]);
    while (!bits) {
        w = w + 1 == words ? 0 : w + 1;
        bits = set[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* (perf) The number of words per set and whether ports are held rarely vary:
 * xbar_tick() expands these functions for the common values. */
#define EXPANDED static inline __attribute__((always_inline))

/* The input that may send to an output, or NO_INPUT. */
EXPANDED uint32_t xbar_choose_input(const struct xbar *x, uint32_t words, bool holds,
                                    uint32_t out, uint64_t cycle)
{
    const struct xbar_port *o = &x->ports[out];
    uint32_t in;

    if (o->out.n >= x->out_limit || (holds && o->out_free > cycle))
        return NO_INPUT;
    in = xbar_first_input(&x->want[(size_t)out * words], words,
                          x->is_islip ? o->next : x->start);
    return holds && x->ports[in].in_free > cycle ? NO_INPUT : in;
}

/* An input no longer wants an output; true if no input does any more. */
EXPANDED bool xbar_drop_want(struct xbar *x, uint32_t words, uint32_t in, uint32_t out)
{
    uint64_t *set = &x->want[(size_t)out * words];

    set[words == 1 ? 0 : in / 64] &= ~((uint64_t)1 << (in & 63));
    return is_empty(set, words);
}

/* Moves one packet to each output that can take one. (perf: whether other inputs want
 * the output is unpredictable, so it is computed without a branch) */
EXPANDED void xbar_move_all(struct xbar *x, uint32_t words, bool holds, uint64_t cycle)
{
    const uint32_t step = x->step, n_in = x->n_in;
    uint32_t n_last = 0;
    struct xbar_move *to = x->moved;

    for (uint32_t w = 0; w < (x->n_out + 63) / 64; w++) {
        uint64_t heads = x->heads[w];

        for (uint64_t bits = heads; bits; bits &= bits - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(bits), out = w * 64 + bit;
            uint32_t in = xbar_choose_input(x, words, holds, out, cycle);
            bool is_last;

            if (in == NO_INPUT)
                continue;
            is_last = xbar_drop_want(x, words, in, out);
            heads ^= (uint64_t)is_last << bit;
            n_last += is_last;
            x->ports[out].next = in + step >= n_in ? 0 : in + step;
            *to++ = (struct xbar_move){ (uint16_t)in, (uint16_t)out };
        }
        x->heads[w] = heads;
    }
    x->n_moved = (uint32_t)(to - x->moved);
    x->n_conflicts += x->n_moved - n_last;
}

static void xbar_end_tick(struct xbar *x)
{
    x->start = x->start + 1 == x->n_in ? 0 : x->start + 1;
}

/* The first output from this one on that some head wants; n_out: none. */
static uint32_t xbar_next_head(const struct xbar *x, uint32_t out)
{
    while (out < x->n_out && !(x->heads[out / 64] >> (out & 63)))
        out = (out / 64 + 1) * 64;
    if (out >= x->n_out)
        return x->n_out;
    return out + (uint32_t)__builtin_ctzll(x->heads[out / 64] >> (out & 63));
}

bool xbar_chain(struct xbar *x, uint64_t cycle, uint32_t *out, struct xbar_move *move)
{
    uint32_t at = *out, in = NO_INPUT;
    bool is_last;

    for (; (at = xbar_next_head(x, at)) < x->n_out; at++) {
        in = xbar_choose_input(x, x->in_words, x->holds, at, cycle);
        if (in != NO_INPUT)
            break;
    }
    *out = at + 1;
    if (in == NO_INPUT) {
        xbar_end_tick(x);
        return false;
    }
    is_last = xbar_drop_want(x, x->in_words, in, at);
    x->heads[at / 64] &= ~((uint64_t)is_last << (at & 63));
    x->n_conflicts += !is_last;
    x->ports[at].next = in + x->step >= x->n_in ? 0 : in + x->step;
    x->n_waiting--;
    *move = (struct xbar_move){ (uint16_t)in, (uint16_t)at };
    return true;
}

void xbar_tick(struct xbar *x, uint64_t cycle)
{
    if (x->in_words == 1 && !x->holds)
        xbar_move_all(x, 1, false, cycle);
    else
        xbar_move_all(x, x->in_words, x->holds, cycle);
    INVARIANT(x->n_moved <= x->n_waiting);
    x->n_waiting -= x->n_moved;
    xbar_end_tick(x);
}
