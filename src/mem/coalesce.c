/* coalesce.c - turns the lanes of an instruction into memory transactions.
 *
 * GPGPU-Sim's rule for Maxwell and later, one transaction per distinct 32-byte sector,
 * or the rule seen on an H200, one per distinct line. Atomics as in GPGPU-Sim: lanes
 * that touch the same byte get separate transactions.
 */
#include "mem/coalesce.h"

#include <string.h>

enum { LINE = 128, SECTOR = 32, SECTORS = 4, SECTOR_WORDS = 8 };
enum {
    TABLE = 64 * SECTOR
}; /* bytes around the first lane's word that the table covers */

/* A sector and its touched bytes. */
struct sector {
    uint64_t addr;
    uint32_t bytes;
};

struct sectors {
    unsigned n;
    struct sector at[MAX_TRANSACTIONS]; /* by falling address */
};

/* Atomics: a transaction being assembled, with the bytes of its line. */
struct part {
    uint64_t key; /* address of the sector or line */
    uint32_t bytes[SECTORS];
};

/* Parts are found by key: those with equal low bits are linked in the order they were
 * made. */
enum { CHAINS = 64, NO_PART = MAX_TRANSACTIONS };
struct parts {
    unsigned n;
    struct part at[MAX_TRANSACTIONS];
    uint8_t next[MAX_TRANSACTIONS], first[CHAINS];
};

/* Inserts a sector somewhere before the last one. */
static void insert_sector(struct sectors *p, uint64_t addr, uint32_t bytes)
{
    unsigned i = p->n;

    while (i && p->at[i - 1].addr < addr)
        i--;
    if (i && p->at[i - 1].addr == addr) {
        p->at[i - 1].bytes |= bytes;
        return;
    }
    if (p->n == MAX_TRANSACTIONS)
        return;
    for (unsigned k = p->n++; k > i; k--)
        p->at[k] = p->at[k - 1];
    p->at[i] = (struct sector){ addr, bytes };
}

/* Adds a sector. Lanes come from the last to the first, so most sectors belong at the
 * end. */
static inline void add_sector(struct sectors *p, uint64_t addr, uint32_t bytes)
{
    unsigned n = p->n;

    if (n && p->at[n - 1].addr == addr)
        p->at[n - 1].bytes |= bytes;
    else if (n && (p->at[n - 1].addr < addr || n == MAX_TRANSACTIONS))
        insert_sector(p, addr, bytes);
    else
        p->at[p->n++] = (struct sector){ addr, bytes };
}

/* Adds the sectors of a range, from the last to the first like the lanes. */
static inline void add_extent(struct sectors *p, struct extent e)
{
    for (uint64_t left = e.high - e.low; left;) {
        uint64_t last = e.low + left - 1;
        unsigned end = (unsigned)last % SECTOR + 1;
        unsigned n = left < end ? (unsigned)left : end;

        add_sector(p, last & ~(uint64_t)(SECTOR - 1),
                   UINT32_MAX >> (SECTOR - n) << (end - n));
        left -= n;
    }
}

/* Adds bytes of one sector to the part with its key (its sector or line). */
static void add_bytes(struct parts *p, const struct lane_access *a, uint64_t addr,
                      uint32_t mask)
{
    uint64_t key = addr & ~(uint64_t)((a->lines ? LINE : SECTOR) - 1);
    unsigned sector = (unsigned)(addr / SECTOR) & (SECTORS - 1);
    uint32_t alone = a->atomic && a->split ? mask : 0;
    uint8_t *link = &p->first[key / SECTOR % CHAINS];

    for (; *link != NO_PART; link = &p->next[*link]) {
        struct part *x = &p->at[*link];

        if (x->key != key || x->bytes[sector] & alone)
            continue;
        x->bytes[sector] |= mask;
        return;
    }
    if (p->n == MAX_TRANSACTIONS)
        return;
    p->at[p->n] = (struct part){ .key = key };
    p->at[p->n].bytes[sector] = mask;
    p->next[p->n] = NO_PART;
    *link = (uint8_t)p->n++;
}

static void add_lane(struct parts *p, const struct lane_access *a, uint64_t addr,
                     unsigned bytes)
{
    unsigned at = (unsigned)addr & (SECTOR - 1);
    uint64_t mask = (((uint64_t)1 << bytes) - 1) << at;

    add_bytes(p, a, addr, (uint32_t)mask);
    if (mask >> SECTOR)
        add_bytes(p, a, addr + SECTOR - at, (uint32_t)(mask >> SECTOR));
}

/* Orders parts by falling address; parts with equal keys stay in order. */
static void sort_parts(const struct parts *p, uint8_t *order)
{
    for (unsigned i = 0; i < p->n; i++) {
        uint64_t key = p->at[i].key;
        unsigned j = i;

        for (; j && p->at[order[j - 1]].key < key; j--)
            order[j] = order[j - 1];
        order[j] = (uint8_t)i;
    }
}

/* One bit per word whose bytes are all set. */
static uint32_t whole_words(uint32_t bytes)
{
    bytes &= bytes >> 1;
    bytes &= bytes >> 2;
    bytes &= 0x11111111u;
    /* gathers every fourth bit */
    bytes = (bytes | bytes >> 3) & 0x03030303u;
    bytes = (bytes | bytes >> 6) & 0x000f000fu;
    return (bytes | bytes >> 12) & 0xff;
}

static bool is_whole(const struct transaction *t)
{
    return t->bytes == 4 * __builtin_popcount(t->words);
}

/* Makes one transaction per sector, or per line. */
static unsigned make_transactions(const struct sectors *p, const struct lane_access *a,
                                  struct transaction *out)
{
    unsigned n = 0;

    for (unsigned i = 0; i < p->n; i++) {
        unsigned s = (unsigned)(p->at[i].addr / SECTOR) & (SECTORS - 1);
        uint32_t bytes = p->at[i].bytes;
        struct transaction t = {
            .line = p->at[i].addr & ~(uint64_t)(LINE - 1),
            .words = whole_words(bytes) << s * SECTOR_WORDS,
            .bytes = (uint16_t)__builtin_popcount(bytes),
            .sectors = (uint8_t)(1u << s),
            .lanes = 1,
        };

        if (n && out[n - 1].line == t.line &&
            (a->lines || (a->join && is_whole(&t) && is_whole(&out[n - 1])))) {
            t.words |= out[n - 1].words;
            t.bytes = (uint16_t)(t.bytes + out[n - 1].bytes);
            t.sectors |= out[--n].sectors;
        }
        out[n++] = t;
    }
    return n;
}

/* The most lanes whose access starts in the same word of the line. */
static uint8_t most_lanes(const struct lane_access *a, uint64_t line)
{
    uint8_t count[LINE / 4] = { 0 }, most = 1;

    for (uint32_t bits = a->mask; bits; bits &= bits - 1) {
        uint64_t addr = addresses_at(a->addr, (unsigned)__builtin_ctz(bits));
        unsigned word = (unsigned)(addr & (LINE - 1)) / 4;

        if ((addr & ~(uint64_t)(LINE - 1)) == line && ++count[word] > most)
            most = count[word];
    }
    return most;
}

static unsigned finish_parts(const struct parts *p, const struct lane_access *a,
                             struct transaction *out)
{
    uint8_t order[MAX_TRANSACTIONS];

    sort_parts(p, order);
    for (unsigned i = 0; i < p->n; i++) {
        const struct part *x = &p->at[order[i]];
        struct transaction t = { .line = x->key & ~(uint64_t)(LINE - 1), .lanes = 1 };

        for (unsigned s = 0; s < SECTORS; s++) {
            if (!x->bytes[s])
                continue;
            t.sectors |= (uint8_t)(1u << s);
            t.words |= whole_words(x->bytes[s]) << s * SECTOR_WORDS;
            t.bytes = (uint16_t)(t.bytes + __builtin_popcount(x->bytes[s]));
        }
        if (a->atomic && !a->split)
            t.lanes = most_lanes(a, t.line);
        out[i] = t;
    }
    return p->n;
}

/* One bit per byte that is not 0; all bytes are below 128. */
static uint32_t used_bytes(uint64_t bytes, uint64_t *ones)
{
    *ones = (bytes + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    return (uint32_t)(*ones * 0x0102040810204080u >> 56);
}

/* Makes the transactions of a sector: as many as the most lanes on one of its words.
 * `lanes`: lanes per word, one byte each. */
static unsigned split_sector(uint64_t addr, uint64_t lanes, struct transaction *out)
{
    unsigned sector = (unsigned)(addr / SECTOR) & (SECTORS - 1), n = 0;
    uint64_t ones;

    for (; lanes; lanes -= ones) {
        uint32_t words = used_bytes(lanes, &ones);

        out[n++] = (struct transaction){
            .line = addr & ~(uint64_t)(LINE - 1),
            .words = words << sector * SECTOR_WORDS,
            .bytes = (uint16_t)(4 * __builtin_popcount(words)),
            .sectors = (uint8_t)(1u << sector),
            .lanes = 1,
        };
    }
    return n;
}

/* Atomics on the words of a small table, such as counters; 0 if they are not. Each lane
 * on a word adds a transaction, so counting the lanes per word is enough. */
static unsigned coalesce_table(const struct lane_access *a, struct transaction *out)
{
    uint64_t lanes[TABLE / SECTOR] = { 0 }; /* lanes per word, one byte each */
    uint64_t seen = 0, off = 0, room[WARP_LANES];
    const uint64_t *addr = addresses_each(a->addr, room);
    uint64_t middle = addr[__builtin_ctz(a->mask)] & ~(uint64_t)(SECTOR - 1);
    unsigned n = 0;

    for (uint32_t bits = a->mask; bits; bits &= bits - 1) {
        uint64_t at = addr[__builtin_ctz(bits)] - (middle - TABLE / 2);
        unsigned sector = (unsigned)(at / SECTOR) & (TABLE / SECTOR - 1);

        off |= at & ~(uint64_t)(TABLE - 4);
        seen |= (uint64_t)1 << sector;
        lanes[sector] += (uint64_t)1 << (at / 4 & (SECTOR_WORDS - 1)) * 8;
    }
    while (seen && !off) {
        unsigned sector = 63 - (unsigned)__builtin_clzll(seen);

        seen ^= (uint64_t)1 << sector;
        n += split_sector(middle - TABLE / 2 + sector * SECTOR, lanes[sector], out + n);
    }
    return n;
}

static unsigned coalesce_atomic(const struct lane_access *a, unsigned bytes,
                                struct transaction *out)
{
    struct parts p;
    unsigned n = bytes == 4 && a->split && !a->lines ? coalesce_table(a, out) : 0;

    if (n)
        return n;
    p.n = 0;
    memset(p.first, NO_PART, sizeof p.first);
    for (uint32_t bits = a->mask; bits; bits &= bits - 1)
        add_lane(&p, a, addresses_at(a->addr, (unsigned)__builtin_ctz(bits)), bytes);
    return finish_parts(&p, a, out);
}

/* Cuts a range of whole words: the most common case. */
static unsigned cut_extent(struct extent e, bool lines, struct transaction *out)
{
    unsigned n = 0;

    while (e.high != e.low) {
        uint64_t key = (e.high - 1) & ~(uint64_t)((lines ? LINE : SECTOR) - 1);
        uint64_t from = e.high - key < e.high - e.low ? key : e.low;
        unsigned word = (unsigned)(from & (LINE - 1)) / 4;
        unsigned words = (unsigned)(e.high - from) / 4;
        unsigned end = (word + words - 1) / SECTOR_WORDS;

        out[n++] = (struct transaction){
            .line = key & ~(uint64_t)(LINE - 1),
            .words = (uint32_t)((((uint64_t)1 << words) - 1) << word),
            .bytes = (uint16_t)(4 * words),
            .sectors = (uint8_t)((2u << end) - (1u << word / SECTOR_WORDS)),
            .lanes = 1,
        };
        e.high = from;
    }
    return n;
}

/* True if no two lanes touch the same word of the range e of all lanes. */
static bool is_apart(const struct lane_access *a, unsigned bytes, struct extent e)
{
    return bytes >= 4 &&
           e.high - e.low == bytes * (unsigned)__builtin_popcount(a->mask);
}

unsigned coalesce_lanes(const struct lane_access *a, struct transaction *out)
{
    unsigned wanted = a->bytes > MAX_LANE_BYTES ? MAX_LANE_BYTES : a->bytes;
    unsigned bytes = wanted ? wanted : 1;
    uint32_t left = a->mask;
    struct sectors p;
    struct extent e;

    if (!left)
        return 0;
    e = addresses_take(a->addr, bytes, &left);
    if (!left && !((e.low | e.high) & 3) && (!a->atomic || is_apart(a, bytes, e)))
        return cut_extent(e, a->lines || a->join, out);
    if (a->atomic)
        return coalesce_atomic(a, bytes, out);
    p.n = 0;
    add_extent(&p, e);
    while (left)
        add_extent(&p, addresses_take(a->addr, bytes, &left));
    return make_transactions(&p, a, out);
}

/* The bytes of one word of one lane. */
static struct extent local_word(const struct local_layout *l,
                                const struct lane_access *a, unsigned lane, unsigned w)
{
    unsigned bytes = a->bytes < 4 ? a->bytes : 4;
    uint64_t offset = addresses_at(a->addr, lane) & 0xffffffff;
    uint64_t word = offset / 4 + w;
    uint64_t addr = l->base + (word * l->threads + l->first + lane) * 4;
    unsigned within = bytes < 4 ? (unsigned)(offset & 3) : 0;

    addr += within;
    return (struct extent){ addr, addr + (bytes < 4 - within ? bytes : 4 - within) };
}

unsigned coalesce_local(const struct local_layout *l, const struct lane_access *a,
                        struct transaction *out)
{
    unsigned bytes = a->bytes > MAX_LOCAL_BYTES ? MAX_LOCAL_BYTES : a->bytes;
    struct sectors p;

    p.n = 0;
    for (unsigned w = bytes > 4 ? (bytes + 3) / 4 : 1; w-- > 0;)
        for (unsigned lane = WARP_LANES; lane-- > 0;)
            if (a->mask >> lane & 1)
                add_extent(&p, local_word(l, a, lane, w));
    return make_transactions(&p, a, out);
}
