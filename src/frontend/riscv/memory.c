/* memory.c - the memory of a Vortex machine, and the code in it, decoded.
 *
 * All of the 32-bit space exists: the hardware has no protection, and an address that
 * was never written reads as zero. The host backs pages that are accessed. Code is
 * decoded when it is first executed and kept; the program's own writes to it take
 * effect after fence.i, a host's at the next launch.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "frontend/riscv/state.h"

#define MEMORY_BYTES ((uint64_t)1 << 32)
enum { HOST_PAGE = 4096, CHUNK_INSTS = 64 };

struct code_chunk {
    struct code_chunk *next;
    unsigned n;
    struct riscv_inst inst[CHUNK_INSTS];
};

static void *reserve_range(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

struct riscv_memory *riscv_memory_new(struct err *err)
{
    struct riscv_memory *m = calloc(1, sizeof *m);

    if (m) {
        m->bytes = reserve_range(MEMORY_BYTES + HOST_PAGE);
        m->pages = reserve_range(N_CODE_PAGES * sizeof *m->pages);
    }
    if (!m || !m->bytes || !m->pages) {
        riscv_memory_free(m);
        err_memory(err, "the 4 GiB of address space that Vortex programs have; see "
                        "ulimit -v");
        return NULL;
    }
    return m;
}

void riscv_memory_free(struct riscv_memory *m)
{
    if (!m)
        return;
    while (m->chunks) {
        struct code_chunk *c = m->chunks;

        for (unsigned n = 0; n < c->n; n++) {
            struct code_page **page = &m->pages[c->inst[n].inst.pc / CODE_PAGE];

            free(*page);
            *page = NULL;
        }
        m->chunks = c->next;
        free(c);
    }
    if (m->bytes)
        munmap(m->bytes, MEMORY_BYTES + HOST_PAGE);
    if (m->pages)
        munmap(m->pages, N_CODE_PAGES * sizeof *m->pages);
    free(m);
}

static int check_range(uint64_t addr, uint64_t n, struct err *err)
{
    if (addr <= MEMORY_BYTES && n <= MEMORY_BYTES - addr)
        return 0;
    return err_set(err, "%llu bytes at 0x%llx, expected all of them below 0x100000000",
                   (unsigned long long)n, (unsigned long long)addr);
}

int riscv_memory_write(struct riscv_memory *m, uint64_t addr, const void *bytes,
                       uint64_t n, struct err *err)
{
    if (check_range(addr, n, err))
        return -1;
    if (n)
        memcpy(m->bytes + addr, bytes, n);
    return 0;
}

int riscv_memory_read(const struct riscv_memory *m, uint64_t addr, void *bytes,
                      uint64_t n, struct err *err)
{
    if (check_range(addr, n, err))
        return -1;
    if (n)
        memcpy(bytes, m->bytes + addr, n);
    return 0;
}

/* Whole pages are given back to the host: a program may claim gigabytes of zeros. */
int riscv_memory_clear(struct riscv_memory *m, uint64_t addr, uint64_t n,
                       struct err *err)
{
    uint64_t first = (addr + HOST_PAGE - 1) & ~(uint64_t)(HOST_PAGE - 1);
    uint64_t end = (addr + n) & ~(uint64_t)(HOST_PAGE - 1);

    if (check_range(addr, n, err))
        return -1;
    if (first >= end || madvise(m->bytes + first, end - first, MADV_DONTNEED)) {
        memset(m->bytes + addr, 0, n);
        return 0;
    }
    memset(m->bytes + addr, 0, first - addr);
    memset(m->bytes + end, 0, addr + n - end);
    return 0;
}

static struct riscv_inst *new_inst(struct riscv_memory *m)
{
    struct code_chunk *chunk = m->chunks;

    if (!chunk || chunk->n == CHUNK_INSTS) {
        chunk = malloc(sizeof *chunk);
        if (!chunk)
            err_memory_exit("decoded instructions");
        chunk->next = m->chunks;
        chunk->n = 0;
        m->chunks = chunk;
    }
    return &chunk->inst[chunk->n++];
}

const struct riscv_inst *riscv_code_decode(struct riscv_memory *m, uint32_t pc)
{
    struct code_page **page = &m->pages[pc / CODE_PAGE];
    struct riscv_inst *i = new_inst(m);
    uint32_t word;

    memcpy(&word, m->bytes + pc, sizeof word);
    if (!riscv_decode(i, word, pc)) {
        m->chunks->n--;
        return NULL;
    }
    if (!*page)
        *page = calloc(1, sizeof **page);
    if (!*page)
        err_memory_exit("decoded instructions");
    return (*page)->at[pc / 4 % PAGE_INSTS] = i;
}

void riscv_code_refresh(struct riscv_memory *m)
{
    for (const struct code_chunk *c = m->chunks; c; c = c->next)
        for (unsigned n = 0; n < c->n; n++) {
            uint32_t pc = (uint32_t)c->inst[n].inst.pc;

            if (memcmp(m->bytes + pc, &c->inst[n].word, sizeof c->inst[n].word))
                m->pages[pc / CODE_PAGE]->at[pc / 4 % PAGE_INSTS] = NULL;
        }
}
