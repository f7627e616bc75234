/* identity.c - hashes of what decides a result. */
#include "session/identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "config/hash.h"
#include "session/workloads.h"

static int hash_file(const char *path, uint64_t *hash, struct err *err)
{
    FILE *f = fopen(path, "rb");
    char bytes[1 << 16];
    size_t n;
    int failed;

    if (!f)
        return err_set(err, "%s: %s", path, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
        *hash = hash_bytes(*hash, bytes, n);
    failed = ferror(f) ? err_set(err, "%s: %s", path, strerror(errno)) : 0;
    fclose(f);
    return failed;
}

static int hash_workload(const struct identity *id, uint64_t *hash, struct err *err)
{
    struct buf text = { 0 };
    int failed;

    buf_printf(&text, "%s %s %llu", id->program, workload_size_name(id->size),
               (unsigned long long)id->seed);
    *hash = hash_bytes(*hash, text.data, text.len);
    buf_clear(&text);
    buf_printf(&text, "%s/%s/%s.cubin", id->folder, id->program,
               sass_arch_name(id->arch));
    failed = hash_file(buf_text(&text), hash, err);
    buf_free(&text);
    return failed;
}

static int hash_vortex(const struct identity *id, uint64_t *hash, struct err *err)
{
    struct buf path = { 0 };
    int failed = workload_vortex(id->folder, id->program, id->size, &path, err);

    if (!failed)
        failed = hash_file(buf_text(&path), hash, err);
    buf_free(&path);
    return failed;
}

int identity_program(const struct identity *id, uint64_t *hash, struct err *err)
{
    const char *name = id->program;
    size_t n = strlen(name);

    *hash = HASH_START;
    if (n > 2 && !strcmp(name + n - 2, ".g"))
        return err_set(err,
                       "%s: a list of files; leno record %s -o FILE.leno makes one "
                       "file of it",
                       name, name);
    if (strchr(name, '.'))
        return hash_file(name, hash, err);
    if (id->machine->gpu.core == GPU_CORE_VORTEX)
        return hash_vortex(id, hash, err);
    return workload_find(name, err) ? hash_workload(id, hash, err) : -1;
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
