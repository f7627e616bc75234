/* icnt.c - one direction of the crossbar between SMs and slices of L2.
 *
 * Only outputs that some input wants are looked at: each keeps the set of inputs whose
 * first packet is for it. An input sends one packet a cycle.
 *
 * LIMIT: one packet is one transfer, whatever its size, unless icnt.serialise is set;
 * as Accel-Sim's crossbar. Its flits are counted.
 */
#include "mem/icnt.h"

#include <stdlib.h>

/* True if it writes every word of its sectors. */
static bool is_whole(const struct mem_request *r)
{
    uint32_t words = 0;

    for (unsigned s = 0; s < LINE_SECTORS; s++)
        words |= r->sectors >> s & 1 ? (uint32_t)0xff << s * 8 : 0;
    return r->words == words;
}

/* One that brings data has a mask of bytes with it, unless it writes whole sectors, or is
 * a word to be added and forgotten. */
uint8_t request_flits(const struct icnt_params *p, const struct mem_request *r)
{
    bool atomic = r->kind == MEM_ATOMIC, lone = is_lone(r->words);
    uint32_t bytes = lone ? 4 : n_sectors(r->sectors) * SECTOR_BYTES;

    if (!atomic && r->kind != MEM_WRITE)
        return (uint8_t)icnt_flits(p, 0);
    if (atomic ? r->has_result || !lone : !is_whole(r))
        bytes += p->mask_bytes;
    return (uint8_t)icnt_flits(p, bytes);
}

int xbar_init(struct xbar *x, const struct icnt_params *p, struct packets *packets,
              uint32_t n_in, uint32_t n_out, struct err *err)
{
    uint32_t n = n_in > n_out ? n_in : n_out;

    *x = (struct xbar){ .packets = packets,
                        .p = p,
                        .n_in = n_in,
                        .n_out = n_out,
                        .in_words = (n_in + 63) / 64,
                        .in_limit = p->in_buffer,
                        .out_limit = p->out_buffer,
                        .is_islip = p->arbiter != ICNT_ROUND_ROBIN,
                        .step = p->arbiter == ICNT_ISLIP_SKIP ? 2 : 1 };
    if (n > XBAR_MAX_PORTS)
        return err_set(err, "%u ports of the interconnect, at most %d", n,
                       XBAR_MAX_PORTS);
    x->ports = calloc(n, sizeof *x->ports);
    x->want = calloc((size_t)n_out * x->in_words, sizeof *x->want);
    if (!x->ports || !x->want) {
        xbar_free(x);
        return err_set(err, "no memory for the interconnect");
    }
    for (uint32_t i = 0; i < n; i++) {
        queue_init(&x->ports[i].in);
        queue_init(&x->ports[i].out);
    }
    return 0;
}

void xbar_free(struct xbar *x)
{
    free(x->ports);
    free(x->want);
    x->ports = NULL;
    x->want = NULL;
}

/* Where the packet that has come to the head of an input goes. */
static inline uint32_t output_of(const struct xbar *x, packet_id p)
{
    const struct packet *at = packet_at(x->packets, p);

    packet_expect_next(x->packets, at);
    return x->is_reply ? at->sm : at->slice;
}

/* Cycles that a packet holds its ports when they serialise. A request goes whole, and
 * comes back in parts; lanes of an atomic that meet in a word go one after another. */
static uint32_t flits_of(const struct xbar *x, packet_id p)
{
    const struct packet *at = packet_at(x->packets, p);

    if (!x->is_reply)
        return at->kind == MEM_ATOMIC ? (uint32_t)at->flits * at->lanes : at->flits;
    return icnt_flits(
        x->p, at->kind != MEM_WRITE ? n_sectors(at->sectors) * SECTOR_BYTES : 0);
}

/* Cycles by which a packet's last flit comes after its first. */
static inline uint32_t last_flit(const struct xbar *x, packet_id p)
{
    return x->holds ? flits_of(x, p) - 1 : 0;
}

/* The first input of a set at or after start, around the end. */
static inline uint32_t pick(const uint64_t *set, uint32_t words, uint32_t start)
{
    uint32_t w = start / 64;
    uint64_t bits = set[w] & ~(uint64_t)0 << (start & 63);

    while (!bits) {
        w = w + 1 == words ? 0 : w + 1;
        bits = set[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

static inline bool is_empty(const uint64_t *set, uint32_t words)
{
    uint64_t any = set[0];

    for (uint32_t w = 1; w < words; w++)
        any |= set[w];
    return !any;
}

/* Keeps the ports of a packet for as many cycles as it has flits. */
static void hold_ports(const struct xbar *x, packet_id p, struct xbar_port *in,
                       struct xbar_port *out, uint64_t cycle)
{
    in->in_free = cycle + flits_of(x, p);
    if (x->p->serialise == ICNT_BOTH)
        out->out_free = in->in_free;
}

static inline void move_one(struct xbar *x, uint32_t out, uint64_t cycle,
                            uint64_t ready)
{
    uint64_t *set = &x->want[(size_t)out * x->in_words];
    struct xbar_port *o = &x->ports[out], *i;
    uint32_t in;
    packet_id p;

    if (o->out.n >= x->out_limit || o->out_free > cycle)
        return;
    in = pick(set, x->in_words, x->is_islip ? o->next : x->start);
    i = &x->ports[in];
    if (i->in_free > cycle)
        return;
    p = queue_pop(x->packets, &i->in);
    set[in / 64] &= ~((uint64_t)1 << (in & 63));
    if (is_empty(set, x->in_words))
        x->heads[out / 64] &= ~((uint64_t)1 << (out & 63));
    else
        x->n_conflicts++;
    o->next = in + x->step >= x->n_in ? 0 : in + x->step;
    if (x->holds)
        hold_ports(x, p, i, o, cycle);
    packet_at(x->packets, p)->ready = (uint32_t)(ready + last_flit(x, p));
    queue_push(x->packets, &o->out, p);
    x->full[out / 64] |= (uint64_t)1 << (out & 63);
    x->n_waiting--;
    /* An input sends only one packet a cycle, so its next one is put up for the next:
     * xbar_tick() does it. */
    if (i->in.n)
        x->moved[x->n_moved++] = (uint16_t)in;
}

void xbar_tick(struct xbar *x, uint64_t cycle, uint64_t ready)
{
    x->n_moved = 0;
    for (uint32_t w = 0; w < (x->n_out + 63) / 64; w++)
        for (uint64_t bits = x->heads[w]; bits; bits &= bits - 1)
            move_one(x, w * 64 + (uint32_t)__builtin_ctzll(bits), cycle, ready);
    for (uint32_t i = 0; i < x->n_moved; i++)
        xbar_want(x, x->moved[i], output_of(x, x->ports[x->moved[i]].in.head));
    x->start = x->start + 1 == x->n_in ? 0 : x->start + 1;
}
