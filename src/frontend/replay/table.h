/* table.h - the static instructions of a recorded kernel, numbered.
 *
 * Numbers are given in the order in which instructions are first seen and never change;
 * what an instruction's number leads to is kept by address, so that the usual successor
 * (the instruction after it) needs no bytes in a recording.
 */
#ifndef LENO_REPLAY_TABLE_H
#define LENO_REPLAY_TABLE_H

#include "base/buf.h"
#include "base/err.h"
#include "isa/inst.h"

#define TABLE_NONE 0xffffffffu

enum { TABLE_MAX = 1 << 22 }; /* instructions of a kernel */

struct inst_table {
    const struct inst **inst; /* by number; each stays where it is */
    uint32_t *fall;           /* number of the next instruction; TABLE_NONE */
    char **text;              /* NULL where there is none */
    uint32_t n, cap;
    uint32_t *slots; /* hash of addresses: numbers, TABLE_NONE where empty */
    uint32_t n_slots;
};

void table_free(struct inst_table *t);

/* Number of the instruction at an address, or TABLE_NONE. */
uint32_t table_find(const struct inst_table *t, uint64_t pc);

/* Adds a copy; -1 with err set if its address is taken or there is no room. */
int table_add(struct inst_table *t, const struct inst *i, struct err *err);

/* Takes a copy of the text of the newest instruction. */
void table_set_text(struct inst_table *t, const char *text, size_t n);

/* The whole table as bytes, and back: table_get() returns the first byte after it, or
 * NULL with err set. */
struct reader;
void table_put(const struct inst_table *t, struct buf *out);
int table_get(struct inst_table *t, struct reader *r, bool is_old, struct err *err);

/* Not where a recording was made from a trace of Accel-Sim. */
bool table_has_control_words(const struct inst_table *t);

/* The distances of its instructions (analysis/distance.h), which are not in those
 * bytes: older recordings lack them. */
void table_put_distances(const struct inst_table *t, struct buf *out);
int table_get_distances(struct inst_table *t, struct reader *r, struct err *err);

#endif
