/* kanata_reader.h - reads a Kanata log as strictly as the format and Konata's parser
 * allow, and says which rule is broken first.
 */
#ifndef LENO_TESTS_KANATA_READER_H
#define LENO_TESTS_KANATA_READER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* What the reader knows of a row. */
enum { MAX_ROWS = 4096, N_LANES = 2, LABEL = 160 };
struct row {
    bool live, ended, flushed;
    uint64_t start, end, sim_id, tid, rid;
    char label[LABEL], detail[3 * LABEL];
    char open[N_LANES][8]; /* "": no stage */
    uint64_t since[N_LANES];
    char stages[LABEL], causes[LABEL];
    bool has_stage;
};

struct log {
    struct row row[MAX_ROWS];
    uint64_t n_rows, n_unfinished, n_arrows, cycle, n_rids;
    const char *wrong; /* first broken rule; NULL: none */
};

static inline struct row *row_of(struct log *l, const char *field)
{
    uint64_t id = strtoull(field, NULL, 10);

    if (id >= l->n_rows || l->row[id].ended) {
        l->wrong = id >= l->n_rows ? "undefined id" : "command after R";
        return NULL;
    }
    return &l->row[id];
}

static inline void close_stage(struct log *l, struct row *r, unsigned lane)
{
    if (r->open[lane][0] && r->since[lane] >= l->cycle)
        l->wrong = "stage of no length";
    if (r->open[lane][0] && !l->cycle)
        l->wrong = "end in cycle 0";
    r->open[lane][0] = '\0';
}

static inline unsigned lane_of(struct log *l, const char *field)
{
    if (strcmp(field, "0") != 0 && strcmp(field, "1") != 0)
        l->wrong = "lane";
    return field[0] == '1';
}

static inline void read_i(struct log *l, char **f)
{
    struct row *r;
    uint64_t id = strtoull(f[1], NULL, 10);

    if (id != l->n_rows) {
        l->wrong = id < l->n_rows ? "redefined id" : "ids are not dense";
        return;
    }
    r = &l->row[l->n_rows++];
    *r = (struct row){ .live = true, .start = l->cycle };
    r->sim_id = strtoull(f[2], NULL, 10);
    r->tid = strtoull(f[3], NULL, 10);
}

static inline void append(char *to, size_t size, const char *text)
{
    snprintf(to + strlen(to), size - strlen(to), "%s", text);
}

static inline void read_l(struct log *l, struct row *r, char **f)
{
    if (!strcmp(f[2], "0"))
        append(r->label, sizeof r->label, f[3]);
    else if (!strcmp(f[2], "1"))
        append(r->detail, sizeof r->detail, f[3]);
    else if (strcmp(f[2], "2") != 0)
        l->wrong = "type of L";
    else if (!r->has_stage)
        l->wrong = "L 2 without a stage";
    else {
        append(r->causes, sizeof r->causes, f[3]);
        append(r->causes, sizeof r->causes, " ");
    }
}

static inline void read_s(struct log *l, struct row *r, char **f)
{
    unsigned lane = lane_of(l, f[2]);

    close_stage(l, r, lane);
    if (!f[3][0] || strlen(f[3]) > 3)
        l->wrong = "stage name";
    if (lane == 1 && strcmp(f[3], "stl") != 0)
        l->wrong = "lane 1 is for stl";
    snprintf(r->open[lane], sizeof r->open[lane], "%s", f[3]);
    r->since[lane] = l->cycle;
    r->has_stage = true;
    if (lane == 0) {
        append(r->stages, sizeof r->stages, f[3]);
        append(r->stages, sizeof r->stages, " ");
    }
}

static inline void read_r(struct log *l, struct row *r, char **f)
{
    r->rid = strtoull(f[2], NULL, 10);
    r->flushed = !strcmp(f[3], "1");
    if (!r->flushed && strcmp(f[3], "0") != 0)
        l->wrong = "type of R";
    for (unsigned lane = 0; lane < N_LANES; lane++)
        close_stage(l, r, lane);
    if (r->start >= l->cycle)
        l->wrong = "instruction of no length";
    if (strspn(f[2], "0123456789") != strlen(f[2]))
        l->wrong = "retire id";
    r->ended = true;
    r->end = l->cycle;
    if (!r->flushed && r->rid >= l->n_rids)
        l->n_rids = r->rid + 1;
    for (uint64_t i = 0; i < l->n_rows && !r->flushed; i++) {
        if (&l->row[i] != r && l->row[i].ended && !l->row[i].flushed &&
            l->row[i].rid == r->rid)
            l->wrong = "retire id twice";
    }
}

static inline void read_w(struct log *l, struct row *consumer, char **f)
{
    uint64_t producer = strtoull(f[2], NULL, 10);

    if (producer >= l->n_rows)
        l->wrong = "undefined producer";
    else if (producer >= (uint64_t)(consumer - l->row))
        l->wrong = "producer after consumer";
    if (strcmp(f[3], "0") != 0)
        l->wrong = "type of W";
    l->n_arrows++;
}

static inline void read_e(struct log *l, struct row *r, char **f)
{
    unsigned lane = lane_of(l, f[2]);

    if (strcmp(r->open[lane], f[3]) != 0)
        l->wrong = "E of a stage that is not open";
    close_stage(l, r, lane);
}

static inline void read_line(struct log *l, char *line)
{
    static const char commands[] = "ILSERW";
    char *f[5] = { NULL }, *p = line;
    struct row *r = NULL;
    unsigned n = 0;

    for (; n < 5 && p; n++) {
        f[n] = p;
        p = strchr(p, '\t');
        if (p)
            *p++ = '\0';
    }
    if (!strcmp(f[0], "C") && n == 2) {
        if (f[1][0] == '-' || !strtoull(f[1], NULL, 10))
            l->wrong = "time does not go on";
        l->cycle += strtoull(f[1], NULL, 10);
        return;
    }
    if (n != 4 || strlen(f[0]) != 1 || !strchr(commands, f[0][0])) {
        l->wrong = n == 4 ? "unknown command" : "number of fields";
        return;
    }
    if (f[0][0] == 'I') {
        read_i(l, f);
        return;
    }
    r = row_of(l, f[1]);
    if (!r)
        return;
    switch (f[0][0]) {
    case 'L':
        read_l(l, r, f);
        break;
    case 'S':
        read_s(l, r, f);
        break;
    case 'E':
        read_e(l, r, f);
        break;
    case 'R':
        read_r(l, r, f);
        break;
    default:
        read_w(l, r, f);
        break;
    }
}

/* Reads a log as strictly as the format allows; text is taken apart. */
static inline struct log *read_log(char *text)
{
    struct log *l = calloc(1, sizeof *l);
    static const char head[] = "Kanata\t0004\nC=\t0\n";
    char *line = text + strlen(head), *end;
    unsigned number = 3;

    if (strncmp(text, head, strlen(head)) != 0) {
        l->wrong = "header";
        return l;
    }
    for (; *line && !l->wrong; line = end + 1, number++) {
        end = strchr(line, '\n');
        if (!end || l->n_rows == MAX_ROWS) {
            l->wrong = "last line";
            return l;
        }
        *end = '\0';
        read_line(l, line);
    }
    if (l->wrong)
        print_message("line %u: %s\n", number - 1, l->wrong);
    for (uint64_t i = 0; i < l->n_rows; i++)
        l->n_unfinished += !l->row[i].ended;
    return l;
}

#endif
