/* record.c - what a kernel left, short enough to keep: a hash, the first words in
 * clear, and a short hash of every 64 words that says where a difference lies.
 *
 * Line: NAME WORDS HASH first... : chunk...   all but WORDS in hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static uint64_t record_hash(const uint32_t *w, uint32_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (uint32_t i = 0; i < n; i++) {
        h = (h ^ w[i]) * 0x100000001b3ull;
        h ^= h >> 29;
    }
    return h;
}

int suite_record_make(struct suite_record *r, const char *name, const uint32_t *out,
                      uint32_t words)
{
    memset(r, 0, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", name);
    r->words = words;
    r->n_chunks = (words + SUITE_CHUNK - 1) / SUITE_CHUNK;
    r->chunks = calloc(r->n_chunks ? r->n_chunks : 1, sizeof *r->chunks);
    if (!r->chunks)
        return -1;
    r->hash = record_hash(out, words);
    for (uint32_t i = 0; i < words && i < SUITE_FIRST; i++)
        r->first[i] = out[i];
    for (uint32_t k = 0; k < r->n_chunks; k++) {
        uint32_t at = k * SUITE_CHUNK, left = words - at;
        r->chunks[k] =
            (uint32_t)record_hash(out + at, left < SUITE_CHUNK ? left : SUITE_CHUNK);
    }
    return 0;
}

void suite_record_write(const struct suite_record *r, void *stream)
{
    FILE *f = stream;
    fprintf(f, "%s %u %016" PRIx64, r->name, r->words, r->hash);
    for (uint32_t i = 0; i < r->words && i < SUITE_FIRST; i++)
        fprintf(f, " %x", r->first[i]);
    fprintf(f, " :");
    for (uint32_t k = 0; k < r->n_chunks; k++)
        fprintf(f, " %x", r->chunks[k]);
    fprintf(f, "\n");
}

static int record_parse(struct suite_record *r, char *line)
{
    char *save = NULL, *w = strtok_r(line, " \n", &save);
    memset(r, 0, sizeof *r);
    if (!w)
        return -1;
    snprintf(r->name, sizeof r->name, "%s", w);
    if (!(w = strtok_r(NULL, " \n", &save)))
        return -1;
    r->words = (uint32_t)strtoul(w, NULL, 10);
    if (r->words == 0 || r->words > 1u << 20)
        return -1;
    if (!(w = strtok_r(NULL, " \n", &save)))
        return -1;
    r->hash = strtoull(w, NULL, 16);
    for (uint32_t i = 0; i < r->words && i < SUITE_FIRST; i++) {
        if (!(w = strtok_r(NULL, " \n", &save)))
            return -1;
        r->first[i] = (uint32_t)strtoul(w, NULL, 16);
    }
    r->n_chunks = (r->words + SUITE_CHUNK - 1) / SUITE_CHUNK;
    r->chunks = calloc(r->n_chunks, sizeof *r->chunks);
    if (!r->chunks || !strtok_r(NULL, " \n", &save))
        return -1;
    for (uint32_t k = 0; k < r->n_chunks; k++) {
        if (!(w = strtok_r(NULL, " \n", &save)))
            return -1;
        r->chunks[k] = (uint32_t)strtoul(w, NULL, 16);
    }
    return 0;
}

int suite_records_read(struct suite_records *r, const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int bad = 0;
    if (!f)
        return -1;
    while (!bad && getline(&line, &room, f) > 0) {
        if (line[0] == '#' || line[0] == '\n' || !strncmp(line, "form ", 5))
            continue;
        struct suite_record *more = realloc(r->at, (r->n + 1) * sizeof *more);
        if (!more) {
            bad = 1;
            break;
        }
        r->at = more;
        bad = record_parse(&r->at[r->n], line);
        if (bad)
            fprintf(stderr, "%s: bad record %s\n", path, r->at[r->n].name);
        r->n++;
    }
    free(line);
    fclose(f);
    return bad ? -1 : 0;
}

void suite_records_free(struct suite_records *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        free(r->at[i].chunks);
    free(r->at);
    r->at = NULL;
    r->n = 0;
}

const struct suite_record *suite_records_find(const struct suite_records *r,
                                              const char *name)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (!strcmp(r->at[i].name, name))
            return &r->at[i];
    return NULL;
}

int suite_record_same(const struct suite_record *want, const struct suite_record *got,
                      char *text, size_t size)
{
    size_t at = 0;
    uint32_t n = 0;
    if (want->words != got->words) {
        snprintf(text, size, "%u words, not %u", got->words, want->words);
        return 0;
    }
    if (want->hash == got->hash)
        return 1;
    for (uint32_t i = 0; i < want->words && i < SUITE_FIRST; i++) {
        if (want->first[i] == got->first[i])
            continue;
        at += (size_t)snprintf(text + at, size - at, "word %u is %08x, not %08x; ", i,
                               got->first[i], want->first[i]);
        break;
    }
    at += (size_t)snprintf(text + at, size - at, "wrong 64-word chunks:");
    for (uint32_t k = 0; k < want->n_chunks; k++) {
        if (want->chunks[k] == got->chunks[k])
            continue;
        if (n++ < 12)
            at += (size_t)snprintf(text + at, size - at, " %u", k);
    }
    snprintf(text + at, size - at, "%s (%u of %u)", n > 12 ? " ..." : "", n,
             want->n_chunks);
    return 0;
}
