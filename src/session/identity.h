/* identity.h - when two runs are the same: hashes of programs and of configurations. */
#ifndef LENO_SESSION_IDENTITY_H
#define LENO_SESSION_IDENTITY_H

#include "base/hash.h"
#include "frontend/sass/decode/decode.h"
#include "session/choice.h"
#include "session/workloads.h"

struct identity {
    const struct machine *machine;
    const char *program;                /* a workload, or a file */
    const char *folder;                 /* of the workloads */
    const struct launch_choice *choice; /* of its launches; NULL: all */
    enum workload_size size;
    uint64_t seed;
    enum sass_arch arch;
};

/* The machine code and everything that determines its input; the source of hosts is
 * part of the revision. */
int identity_program(const struct identity *id, uint64_t *hash, struct err *err);

/* Adds a file's bytes to a hash. */
int identity_hash_file(const char *path, uint64_t *hash, struct err *err);

/* Every parameter, the scheme, the GPU by its name, the machine code's architecture. */
uint64_t identity_config(const struct identity *id);

#endif
