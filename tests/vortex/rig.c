/* rig.c - programs out of words, and their run on a Vortex processor. */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "sim/machine.h"

enum {
    DATA = 0x00100000,
    DATA_WORDS = 64,
    CSR_WARP = 0xcc1,
    MAX_FILE = 1 << 20,
};

void put(struct code *c, uint32_t word)
{
    if (c->n == RIG_WORDS)
        abort();
    c->word[c->n++] = word;
}

uint32_t op_r(uint32_t base, unsigned rd, unsigned rs1, unsigned rs2)
{
    return base | rd << 7 | rs1 << 15 | rs2 << 20;
}

uint32_t op_i(uint32_t base, unsigned rd, unsigned rs1, int imm)
{
    return base | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

uint32_t op_s(uint32_t base, unsigned rs1, unsigned rs2, int imm)
{
    uint32_t i = (uint32_t)imm;

    return base | rs1 << 15 | rs2 << 20 | (i & 31) << 7 | (i >> 5 & 127) << 25;
}

uint32_t op_b(uint32_t base, unsigned rs1, unsigned rs2, int offset)
{
    uint32_t i = (uint32_t)offset;

    return base | rs1 << 15 | rs2 << 20 | (i >> 11 & 1) << 7 | (i >> 1 & 15) << 8 |
           (i >> 5 & 63) << 25 | (i >> 12 & 1) << 31;
}

uint32_t op_j(unsigned rd, int offset)
{
    uint32_t i = (uint32_t)offset;

    return 0x6f | rd << 7 | (i >> 12 & 255) << 12 | (i >> 11 & 1) << 20 |
           (i >> 1 & 1023) << 21 | (i >> 20 & 1) << 31;
}

static uint32_t lui(unsigned rd, uint32_t value)
{
    return 0x37 | rd << 7 | (value & 0xfffff000u);
}

static uint32_t csrr(unsigned rd, unsigned csr)
{
    return OP_CSRRS | rd << 7 | csr << 20;
}

/* Starts the warps, which all go on after wspawn with every lane. */
static void prologue(const struct rig *r, struct code *c)
{
    put(c, op_i(OP_ADDI, 1, 0, (int)r->n_warps));
    put(c, 0x17 | 2 << 7); /* auipc */
    put(c, op_i(OP_ADDI, 2, 2, 12));
    put(c, op_r(OP_WSPAWN, 0, 1, 2));
    put(c, op_i(OP_ADDI, RIG_ONES, 0, -1));
    put(c, op_r(OP_TMC, 0, RIG_ONES, 0));
    put(c, op_i(OP_ADDI, RIG_ONES, 0, -1)); /* in the other lanes too */
    put(c, op_i(OP_ADDI, RIG_ONE, 0, 1));
    put(c, lui(RIG_DATA, DATA));
}

/* A chain has all its registers set, and begins in a new line. */
static void set_registers(const struct rig *r, struct code *c)
{
    for (unsigned n = 0; n < 32; n++)
        put(c, op_i(0xd0000053u, n, RIG_ONE, 0)); /* fcvt.s.w */
    put(c, op_i(OP_ADDI, RIG_PASS, 0, (int)r->passes));
    put(c, op_j(0, 4));
    for (unsigned n = 7; n < 16; n++)
        put(c, op_i(OP_ADDI, n, RIG_DATA, 0));
}

static void mark(struct rig *r, struct code *c, unsigned n)
{
    r->mark[n] = RISCV_START + 4 * c->n;
    put(c, csrr(RIG_MARK, CSR_WARP));
}

static void build(struct rig *r, struct code *c, const struct code *body)
{
    unsigned pass;

    prologue(r, c);
    set_registers(r, c);
    pass = c->n;
    mark(r, c, 0);
    for (unsigned n = 0; n < body->n; n++)
        put(c, body->word[n]);
    mark(r, c, 1);
    put(c, op_i(OP_ADDI, RIG_PASS, RIG_PASS, -1));
    put(c, op_b(OP_BNE, RIG_PASS, 0, 8)); /* bodies are longer than a branch reaches */
    put(c, op_j(0, 8));
    put(c, op_j(0, 4 * ((int)pass - (int)c->n)));
    put(c, op_r(OP_TMC, 0, 0, 0));
}

static void taken(void *to, unsigned core, const struct uop *u, uint64_t cycle)
{
    struct rig *r = to;
    uint64_t pc = u->dyn.inst->pc;

    (void)core;
    for (unsigned n = 0; n < 2; n++)
        if (pc == r->mark[n])
            r->at[n][u->warp] = cycle;
    if (!u->warp && pc > r->mark[0] && pc < r->mark[1])
        r->body[(pc - r->mark[0]) / 4 - 1] = cycle;
}

static void *defaults(const struct param_group *g)
{
    struct param_binding b = { g, NULL };

    if (!g)
        return NULL;
    b.values = calloc(1, g->size);
    if (!b.values)
        abort();
    param_defaults(&b, 1);
    return b.values;
}

void rig_init(struct rig *r, const char *scheme, unsigned warps, unsigned threads)
{
    const struct vx_issue_ops *const stages[] = { &vx_issue_scoreboard, &vx_issue_ghost,
                                                  &vx_issue_loog, &vx_issue_rrs };
    struct vortex_config *c = &r->config;
    struct param_binding b[] = { { &vortex_param_group, &c->core },
                                 { &vxcache_param_group, &c->cache },
                                 { &vxmem_param_group, &c->memory } };
    struct param_binding host;
    void *values;

    memset(r, 0, sizeof *r);
    r->passes = 1;
    c->machine = "rig";
    param_defaults(b, 3);
    c->core.warps = warps;
    c->core.threads = threads;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (!strcmp(stages[i]->name, scheme))
            c->issue = stages[i];
    if (!c->issue)
        abort();
    c->issue_params = defaults(c->issue->params);
    c->hosted.scheme = scheme_find("inorder", NULL);
    c->hosted.params = values = defaults(c->hosted.scheme->params);
    host = (struct param_binding){ c->hosted.scheme->params, values };
    param_set(&host, 1, "inorder.entries", "6", "rig", NULL);
    param_set(&host, 1, "inorder.refill", "room", "rig", NULL);
}

static int launch(struct rig *r, struct riscv_memory *m)
{
    struct riscv_launch l = { .memory = m,
                              .name = "rig",
                              .n_cores = r->config.core.cores,
                              .n_warps = r->config.core.warps,
                              .n_threads = r->config.core.threads,
                              .start = RISCV_START,
                              .counter = vortex_counter,
                              .counter_from = r->vortex };
    struct kernel *k = riscv_kernel_new(&l, &r->err);
    int failed;

    if (!k)
        return -1;
    failed = vortex_run(r->vortex, k, &r->err);
    riscv_kernel_free(k);
    return failed;
}

static int load_code(struct rig *r, struct riscv_memory *m, const struct code *c)
{
    uint32_t addr = DATA; /* a chase that stays where it is */

    for (uint32_t n = 0; n < DATA_WORDS; n++)
        if (riscv_memory_write(m, DATA + 4 * n, &addr, 4, &r->err))
            return -1;
    return riscv_memory_write(m, RISCV_START, c->word, 4 * c->n, &r->err);
}

/* A new processor, and its memory. */
static struct riscv_memory *set_up(struct rig *r)
{
    struct vx_listener listener = { taken, r };
    struct vortex_limits limits = { .max_cycles = r->max_cycles };
    struct riscv_memory *m = riscv_memory_new(&r->err);

    vortex_free(r->vortex);
    r->vortex = vortex_new(&r->config, &r->err);
    if (!r->vortex || !m)
        abort();
    vortex_set_limits(r->vortex, &limits);
    if (!r->is_alone)
        vortex_set_listener(r->vortex, &listener);
    return m;
}

int rig_launch(struct rig *r, const struct code *c)
{
    struct riscv_memory *m = set_up(r);
    int failed = load_code(r, m, c) || launch(r, m) ? -1 : 0;

    riscv_memory_free(m);
    return failed;
}

static int load_file(struct rig *r, struct riscv_memory *m, const char *path)
{
    struct riscv_image image;
    struct file f;
    int failed;

    if (file_read(path, MAX_FILE, &f, &r->err))
        return -1;
    failed = riscv_load(m, path, f.data, f.size, &image, &r->err);
    file_free(&f);
    return failed;
}

int rig_run_file(struct rig *r, const char *path, uint32_t addr, void *bytes, size_t n)
{
    struct riscv_memory *m = set_up(r);
    int failed = load_file(r, m, path) || launch(r, m) ||
                         riscv_memory_read(m, addr, bytes, n, &r->err)
                     ? -1
                     : 0;

    riscv_memory_free(m);
    return failed;
}

int rig_run(struct rig *r, const struct code *body, unsigned warps)
{
    struct code *c = calloc(1, sizeof *c);
    int failed;

    if (!c)
        abort();
    r->n_warps = warps;
    build(r, c, body);
    failed = rig_launch(r, c);
    free(c);
    return failed;
}

uint64_t rig_cycles(const struct rig *r, unsigned warp)
{
    return r->at[1][warp] - r->at[0][warp];
}

static void drop(const void *values)
{
    free((void *)(uintptr_t)values);
}

void rig_free(struct rig *r)
{
    vortex_free(r->vortex);
    drop(r->config.issue_params);
    drop(r->config.hosted.params);
}
