/* check.h - the check of registers, memory order and an eliminator's claims against
 * program order: state, and what stages call (check.c, skip.c, violation.c).
 */
#ifndef LENO_CORE_CHECK_CHECK_H
#define LENO_CORE_CHECK_CHECK_H

#include "base/err.h"
#include "core/skip.h"

struct sm;
struct warp;

enum {
    VERSION_WORDS = 65536 / 64, /* one bit per 16-bit version */
    MAX_AHEAD = 1 << 14         /* of the window's oldest: versions have 16 bits */
};

/* Versions of a register, by number of the writer. */
struct reg_version {
    uint16_t newest; /* version of the youngest fetched writer */
    uint16_t held;   /* version that the register holds */
};

/* With renaming, of 64 versions: those with a pending write, and by what kind of
 * unit. */
struct version_bits {
    uint64_t pending, far, near;
};

/* An issued instruction, kept for reports of violations after it may have retired. */
enum { ISSUE_NOTES = 16 };
struct issue_note {
    const struct inst *inst; /* NULL: none */
    uint32_t seq, cycle;     /* lower half */
};

/* Written by check/ and, at issue and write-back, through pending.h; sm.c says for each
 * kernel whether there are values. */
struct sm_check {
    struct pending *pending;       /* per warp: registers with a pending write */
    struct version_bits *versions; /* renaming: VERSION_WORDS per warp; else NULL */
    bool has_values; /* its streams give values, for the eliminator and its claims */
    const char *unchecked;     /* why its claims are not checked; NULL: they are */
    const char *was_unchecked; /* the same for any kernel so far */
};

/* With renaming: the word that contains the bit of a version, bit version % 64. */
static inline struct version_bits *check_version_bits(const struct sm_check *c,
                                                      unsigned warp, uint16_t version)
{
    return &c->versions[warp * VERSION_WORDS + version / 64];
}

/* Registers: 0, or -1 with the violation in err. check_issued() is in stages.h. */
void check_fetched(struct sm *s, struct warp *w, struct uop *u);
void check_dropped(struct sm *s, struct uop *u); /* counts as written at once */
int check_version(struct sm *s, struct warp *w, struct uop *u, struct err *err);
/* reg: a register read before it was forwarded, or N_REGID. */
int check_forwarded(struct sm *s, const struct uop *u, unsigned reg, struct err *err);
int check_written(struct sm *s, struct warp *w, struct uop *u, struct err *err);
/* Stations: checks that sources are where the scheme takes them from, and that results
 * are in the register file. */
int check_captured(struct sm *s, const struct uop *u, struct err *err);
void check_filed(struct sm *s, const struct uop *u);

/* The point at which a memory operation reaches memory, or a fence or barrier takes
 * effect. Operations that the LSU does not see (a texture in a unit of its own) do so
 * when they leave for their unit. */
enum performed { PERFORMED_AT_ISSUE, PERFORMED_AT_DISPATCH, PERFORMED_BY_LSU };
int check_performed(struct sm *s, struct uop *u, struct err *err);

/* Products of warpgroups (products.c): one issues; its warp waits for all groups below a
 * number. Instructions after a product must not touch what it writes before that. */
void check_product(struct sm *s, const struct uop *u);
void check_waited(struct sm *s, unsigned warp, uint32_t up_to);
int check_products(const struct sm *s, const struct uop *u, struct err *err);

/* Claims of an eliminator (skip.c): 0, or -1 with the violation in err. Call the last
 * two before and after asking the eliminator about an instruction. */
int check_skip_new(struct sm *s, struct err *err);
void check_skip_ask(struct sm *s, const struct uop *u);
int check_skip_said(struct sm *s, const struct uop *u, enum skip_verdict v,
                    struct err *err);

/* Reports of violations (violation.c); all that return int return -1. */
#define VIOLATION_NOBODY UINT64_MAX
struct violation {
    const char *kind;    /* "RAW", "WAR", "WAW", "memory order" */
    const struct uop *u; /* the offending instruction ... */
    uint64_t other;      /* ... and the number of the one it conflicts with */
    const char *rest;    /* text after that one, e.g. " has written it"; may be NULL */
    bool at_issue;       /* u issues in this cycle */
};
/* does: text between the two, e.g. "reads R4 before". */
int violation_report(const struct sm *s, const struct violation *v, struct err *err,
                     const char *does, ...) __attribute__((cold, format(printf, 4, 5)));
/* Reports a wrong verdict of an eliminator, "drop" or "reuse". */
int violation_of_skip(const struct sm *s, const struct uop *u, const char *verdict,
                      const char *what, struct err *err);
/* "#7 at 0x70 `IADD3 ...`"; i NULL: only its number is known. */
void violation_put_code(const struct sm *s, const struct inst *i, uint64_t seq,
                        struct buf *out);
/* The same with "(issued in cycle 12)", as far as it is known. */
void violation_put_inst(const struct sm *s, unsigned warp, uint64_t seq,
                        struct buf *out);
/* The youngest writer of a register before u, if it is recent; else
 * VIOLATION_NOBODY. */
uint64_t violation_last_writer(const struct sm *s, const struct uop *u, unsigned reg);

#endif
