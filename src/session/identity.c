/* identity.c - hashes of everything that determines a result. */
#include "session/identity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "config/hash.h"
#include "session/kind.h"

int identity_hash_file(const char *path, uint64_t *hash, struct err *err)
{
    uint64_t size;
    FILE *f = file_open(path, &size, err);
    char bytes[1 << 16];
    size_t n;
    int failed;

    if (!f)
        return -1;
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
        *hash = hash_bytes(*hash, bytes, n);
    failed = ferror(f) ? err_set(err, "%s: %s", path, strerror(errno)) : 0;
    fclose(f);
    return failed;
}

/* A trace that a list names, from the list's folder. */
static int hash_listed(const char *list, const char *line, uint64_t *hash,
                       struct err *err)
{
    const char *slash = strrchr(list, '/');
    struct buf path = { 0 };
    int failed;

    if (slash)
        buf_add(&path, list, (size_t)(slash - list) + 1);
    buf_add(&path, line, strcspn(line, " \t\r\n"));
    failed = identity_hash_file(buf_text(&path), hash, err);
    buf_free(&path);
    return failed;
}

/* A list of Accel-Sim's: itself, and the traces of the lines that begin with "kernel". */
static int hash_list(const char *path, uint64_t *hash, struct err *err)
{
    uint64_t file_size;
    FILE *f = file_open(path, &file_size, err);
    size_t size = 0;
    char *line = NULL;
    int failed = 0;

    if (!f)
        return -1;
    while (!failed && getline(&line, &size, f) > 0) {
        *hash = hash_bytes(*hash, line, strlen(line));
        if (!strncmp(line, "kernel", strlen("kernel")))
            failed = hash_listed(path, line, hash, err);
    }
    free(line);
    fclose(f);
    return failed;
}

/* Launches that are left out, capped or sampled make it another program; all of them, whole, leave
 * the hash as it is. */
static uint64_t hash_choice(const struct launch_choice *c)
{
    uint64_t hash = HASH_START;

    if (!c || (choice_takes_all(c) && !choice_has_cap(c) && !c->sample))
        return hash;
    hash = hash_bytes(hash, &c->first, sizeof c->first);
    hash = hash_bytes(hash, &c->last, sizeof c->last);
    hash = hash_bytes(hash, &c->every, sizeof c->every);
    hash = hash_bytes(hash, &c->first_of_each, sizeof c->first_of_each);
    if (choice_has_cap(c)) {
        hash = hash_bytes(hash, &c->cap_cycles, sizeof c->cap_cycles);
        hash = hash_bytes(hash, &c->cap_insts, sizeof c->cap_insts);
    }
    if (c->sample)
        hash = hash_bytes(hash, &c->sample, sizeof c->sample);
    return c->match ? hash_bytes(hash, c->match, strlen(c->match)) : hash;
}

int identity_program(const struct identity *id, uint64_t *hash, struct err *err)
{
    const char *name = id->program;
    size_t n = strlen(name);

    *hash = hash_choice(id->choice);
    if (n > 2 && !strcmp(name + n - 2, ".g"))
        return hash_list(name, hash, err);
    if (strchr(name, '.'))
        return identity_hash_file(name, hash, err);
    return session_kind(id->machine)->hash_program(id, hash, err);
}

uint64_t identity_config(const struct identity *id)
{
    const struct machine *m = id->machine;
    struct buf text = { 0 };
    uint64_t hash = param_hash(m->bind, m->n_bind);

    buf_printf(&text, "%s %s+%s %s", m->name, m->scheme->name,
               m->skip ? m->skip->name : "", sass_arch_name(id->arch));
    hash += hash_mix(hash_bytes(HASH_START, text.data, text.len));
    buf_free(&text);
    return hash;
}
