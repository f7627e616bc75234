/* parse.h - a cycle test as a text file: a program, and what machines make of it. */
#ifndef LENO_TESTS_CYCLE_PARSE_H
#define LENO_TESTS_CYCLE_PARSE_H

#include "rig.h"

enum { MAX_EXPECTS = 64, MAX_LINE = 512 };

struct cycle_expect {
    unsigned line;
    char text[MAX_LINE]; /* machine part, cut into words */
    char what[MAX_LINE]; /* behind the colon */
    char *gpus, *scheme; /* scheme NULL: the machine's own */
    const char *set[RIG_SETS];
    unsigned n_set;
};

struct cycle_test {
    char title[MAX_LINE];
    struct rig_kernel kernel;
    struct naming naming; /* of its operands, by distance; as in a program by itself */
    struct cycle_expect expect[MAX_EXPECTS];
    unsigned n_expects;
    char set[8][64]; /* of every run */
    unsigned n_set;
};

/* 0, or -1 with file and line in err. Free it in either case. */
int cycle_parse(const char *path, struct cycle_test *t, struct err *err);
void cycle_free(struct cycle_test *t);

#endif
