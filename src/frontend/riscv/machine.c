/* machine.c - machines by name, and the one without timing. */
#include "frontend/riscv/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number and the 'x' or the end after it; the place after both, or NULL. */
static const char *read_number(const char *text, uint32_t *value)
{
    unsigned long number;
    char *end;

    errno = 0;
    number = strtoul(text, &end, 10);
    if (errno || end == text || *text < '0' || *text > '9' || number > UINT16_MAX ||
        (*end && *end != 'x'))
        return NULL;
    *value = (uint32_t)number;
    return *end ? end + 1 : end;
}

int vortex_shape(const char *name, struct vortex_machine *m, struct err *err)
{
    static const char prefix[] = "vortex-";
    uint32_t *const numbers[] = { &m->n_warps, &m->n_threads, &m->n_cores };
    const char *at = name + sizeof prefix - 1;
    unsigned n = 0;

    m->n_cores = 1;
    m->local_bytes = RISCV_LOCAL_BYTES;
    if (strncmp(name, prefix, sizeof prefix - 1))
        at = NULL;
    while (at && *at && n < 3)
        at = read_number(at, numbers[n++]);
    if (at && !*at && n >= 2 && at[-1] != 'x')
        return 0;
    return err_set(err, "%s: expected vortex-WxT, warps and threads, as vortex-4x4",
                   name);
}

static int run_machine(struct vortex_machine *m, const struct riscv_launch *launch,
                       struct riscv_result *r, struct err *err)
{
    struct riscv_launch l = *launch;

    l.n_cores = m->n_cores;
    l.n_warps = m->n_warps;
    l.n_threads = m->n_threads;
    l.local_bytes = m->local_bytes;
    return riscv_run(&l, 0, r, err);
}

static void free_machine(struct vortex_machine *m)
{
    free(m);
}

static const struct vortex_machine_ops functional_ops = { .run = run_machine,
                                                          .free = free_machine };

struct vortex_machine *vortex_functional_new(const char *name, struct err *err)
{
    struct vortex_machine *m = calloc(1, sizeof *m);

    if (!m) {
        err_memory(err, "the cores");
        return NULL;
    }
    m->ops = &functional_ops;
    if (vortex_shape(name, m, err)) {
        free(m);
        return NULL;
    }
    return m;
}
