/* coalesce.c - lanes to transactions, and conflicts of shared memory's banks.
 *
 * Global memory: GPGPU-Sim's rule for Maxwell and later, one transaction for every
 * distinct 32-byte sector, or the rule seen on an H200, one for every distinct line.
 * Atomics in GPGPU-Sim: lanes that meet in a byte get transactions of their own.
 *
 * Shared memory: the cycles are the most distinct words in one bank. GPGPU-Sim looks at
 * the first word of each lane only; hardware takes 64- and 128-bit accesses in two and
 * four phases of neighbouring lanes.
 */
#include "mem/coalesce.h"

enum { LINE = 128, SECTOR = 32 };

/* A transaction being put together, with its bytes. */
struct part {
    uint64_t key;       /* address of the sector or line */
    uint64_t low, high; /* bytes of the line that are touched */
};

struct parts {
    unsigned n, last;
    struct part at[MAX_TRANSACTIONS];
};

static bool overlaps(const struct part *p, uint64_t low, uint64_t high)
{
    return (p->low & low) | (p->high & high);
}

/* Adds bytes of one line; they belong to the sector or line of this key. */
static void add(struct parts *p, const struct lane_access *a, uint64_t key, unsigned at,
                unsigned n)
{
    uint64_t ones = ((uint64_t)1 << n) - 1;
    uint64_t low = at < 64 ? ones << at : 0;
    uint64_t high = at >= 64 ? ones << (at - 64) : at + n > 64 ? ones >> (64 - at) : 0;
    bool alone = a->atomic && a->split;

    if (p->n && p->at[p->last].key == key &&
        !(alone && overlaps(&p->at[p->last], low, high))) {
        p->at[p->last].low |= low;
        p->at[p->last].high |= high;
        return;
    }
    for (unsigned i = 0; i < p->n; i++)
        if (p->at[i].key == key && !(alone && overlaps(&p->at[i], low, high))) {
            p->at[i].low |= low;
            p->at[i].high |= high;
            p->last = i;
            return;
        }
    if (p->n == MAX_TRANSACTIONS)
        return;
    p->last = p->n++;
    p->at[p->last] = (struct part){ key, low, high };
}

static void add_lane(struct parts *p, const struct lane_access *a, uint64_t addr,
                     unsigned bytes)
{
    unsigned unit = a->lines ? LINE : SECTOR;

    while (bytes) {
        unsigned at = (unsigned)(addr & (LINE - 1));
        unsigned room = unit - (unsigned)(addr & (unit - 1));
        unsigned n = bytes < room ? bytes : room;

        add(p, a, addr & ~(uint64_t)(unit - 1), at, n);
        addr += n;
        bytes -= n;
    }
}

/* By falling address; parts of one key stay in the order they were made. */
static void sort(struct parts *p)
{
    for (unsigned i = 1; i < p->n; i++) {
        struct part x = p->at[i];
        unsigned j = i;

        while (j && p->at[j - 1].key < x.key) {
            p->at[j] = p->at[j - 1];
            j--;
        }
        p->at[j] = x;
    }
}

/* One bit for each word all of whose bytes are set. */
static uint32_t whole_words(uint64_t bytes)
{
    uint32_t words = 0;

    bytes &= bytes >> 1;
    bytes &= bytes >> 2;
    bytes &= 0x1111111111111111u;
    for (; bytes; bytes &= bytes - 1)
        words |= 1u << (__builtin_ctzll(bytes) / 4);
    return words;
}

static uint8_t sectors_of(const struct part *p)
{
    return (uint8_t)((p->low & 0xffffffff ? 1 : 0) | (p->low >> 32 ? 2 : 0) |
                     (p->high & 0xffffffff ? 4 : 0) | (p->high >> 32 ? 8 : 0));
}

/* The most lanes whose access starts in one word of the line. */
static uint8_t most_lanes(const struct lane_access *a, uint64_t line)
{
    uint8_t count[LINE / 4] = { 0 }, most = 1;

    for (uint32_t bits = a->mask; bits; bits &= bits - 1) {
        uint64_t addr = a->addr[__builtin_ctz(bits)];
        unsigned word = (unsigned)(addr & (LINE - 1)) / 4;

        if ((addr & ~(uint64_t)(LINE - 1)) == line && ++count[word] > most)
            most = count[word];
    }
    return most;
}

static unsigned finish(struct parts *p, const struct lane_access *a,
                       struct transaction *out)
{
    sort(p);
    for (unsigned i = 0; i < p->n; i++) {
        const struct part *x = &p->at[i];
        unsigned n =
            (unsigned)(__builtin_popcountll(x->low) + __builtin_popcountll(x->high));

        out[i] = (struct transaction){ .line = x->key & ~(uint64_t)(LINE - 1),
                                       .words = whole_words(x->low) |
                                                whole_words(x->high) << 16,
                                       .bytes = (uint16_t)n,
                                       .sectors = sectors_of(x),
                                       .lanes = 1 };
        if (a->atomic && !a->split)
            out[i].lanes = most_lanes(a, out[i].line);
    }
    return p->n;
}

unsigned coalesce(const struct lane_access *a, struct transaction *out)
{
    unsigned bytes = a->bytes > MAX_LANE_BYTES ? MAX_LANE_BYTES : a->bytes;
    struct parts p;

    p.n = p.last = 0;
    for (uint32_t bits = a->mask; bits; bits &= bits - 1)
        add_lane(&p, a, a->addr[__builtin_ctz(bits)], bytes ? bytes : 1);
    return finish(&p, a, out);
}

unsigned coalesce_local(const struct local_layout *l, const struct lane_access *a,
                        struct transaction *out)
{
    unsigned bytes = a->bytes > MAX_LANE_BYTES ? MAX_LANE_BYTES : a->bytes;
    unsigned n_words = bytes > 4 ? (bytes + 3) / 4 : 1;
    struct parts p;

    p.n = p.last = 0;
    for (uint32_t bits = a->mask; bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctz(bits);
        uint64_t offset = a->addr[lane] & 0xffffffff;

        for (unsigned w = 0; w < n_words; w++) {
            uint64_t word = offset / 4 + w;
            uint64_t addr = l->base + (word * l->threads + l->first + lane) * 4;
            unsigned within = (unsigned)(offset & 3);

            if (bytes >= 4)
                add_lane(&p, a, addr, 4);
            else
                add_lane(&p, a, addr + within, bytes < 4 - within ? bytes : 4 - within);
        }
    }
    return finish(&p, a, out);
}

/* The most distinct words in a bank, over the words of some lanes. */
static unsigned conflicts(const struct shared_access *a, uint32_t mask,
                          unsigned n_words)
{
    uint64_t seen[MAX_LANES][MAX_LANES];
    unsigned n[MAX_LANES] = { 0 }, most = 0;

    for (uint32_t bits = mask; bits; bits &= bits - 1) {
        uint64_t first = a->addr[__builtin_ctz(bits)] / 4;

        for (unsigned w = 0; w < n_words; w++) {
            uint64_t word = first + w;
            unsigned bank = (unsigned)word & (a->banks - 1), i = 0;

            while (i < n[bank] && (a->atomic || seen[bank][i] != word))
                i++;
            if (i < n[bank] || i == MAX_LANES)
                continue;
            seen[bank][n[bank]++] = word;
            if (n[bank] > most)
                most = n[bank];
        }
    }
    return most;
}

unsigned shared_cycles(const struct shared_access *a)
{
    unsigned n_words = (a->bytes + 3) / 4, phases, lanes, cycles = 0;

    if (!a->mask)
        return 1;
    if (!a->phases || n_words <= 1)
        return conflicts(a, a->mask, 1);
    n_words = n_words > 2 ? 4 : 2;
    phases = n_words;
    lanes = MAX_LANES / phases;
    for (unsigned i = 0; i < phases; i++) {
        uint32_t part = a->mask & (uint32_t)(((uint64_t)1 << lanes) - 1) << (i * lanes);

        cycles += conflicts(a, part, n_words);
    }
    return cycles ? cycles : 1;
}
