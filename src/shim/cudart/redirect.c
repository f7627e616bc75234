/* redirect.c - programs with CUDA's runtime linked into them, nvcc's default.
 *
 * libleno_start.so (shim/start) loads this library into such a program before any of its own
 * code runs. The functions of the runtime inside are found by the program's symbol table, and the
 * first instructions of each become a jump to the function of the same name here. A
 * program without its symbols has to be linked again; leno exec says so.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/executable.h"
#include "shim/cudart/runtime.h"

/* Every name that libcudart exports, and its function. */
#define NAME(name) cudaError_t name(void);
#include "shim/cudart/names.def"
#undef NAME

static const struct {
    const char *name;
    cudaError_t (*function)(void);
} calls[] = {
#define NAME(name) { #name, name },
#include "shim/cudart/names.def"
#undef NAME
};

/* A jump through a register that holds no argument, and where its target goes. */
#if defined(__aarch64__)
static const uint8_t jump[16] = { 0x50, 0, 0, 0x58, 0x00, 0x02, 0x1f, 0xd6 };
enum { TARGET = 8 };
#else
static const uint8_t jump[12] = { 0x48, 0xb8, [10] = 0xff, [11] = 0xe0 };
enum { TARGET = 2 };
#endif
enum { FUNCTION_ALIGN = 16 };

struct redirection {
    /* address at which the program is loaded minus the one it was linked for */
    uint64_t base;
    unsigned n;
    bool has_failed;
};

static void *find_call(const char *name)
{
    size_t lo = 0, hi = sizeof calls / sizeof *calls; /* the table is sorted */

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int order = strcmp(name, calls[mid].name);

        if (!order)
            return (void *)(uintptr_t)calls[mid].function;
        if (order < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}

static bool write_jump(uint8_t *at, void *target)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)at & ~(page - 1);
    size_t n = (uintptr_t)at + sizeof jump - first;

    if (mprotect((void *)first, n, PROT_READ | PROT_WRITE | PROT_EXEC))
        return false;
    memcpy(at, jump, sizeof jump);
    memcpy(at + TARGET, &target, sizeof target);
    __builtin___clear_cache((char *)at, (char *)at + sizeof jump);
    return !mprotect((void *)first, n, PROT_READ | PROT_EXEC);
}

/* Functions are aligned to 16 bytes, so the jump fits even where the function is
 * shorter. */
static void redirect_function(void *to, const char *name, uint64_t value, uint64_t size)
{
    struct redirection *r = to;
    void *target = find_call(name);

    if (!target)
        return;
    if ((size < sizeof jump && value % FUNCTION_ALIGN) ||
        !write_jump((uint8_t *)(uintptr_t)(r->base + value), target))
        r->has_failed = true;
    r->n++;
}

/* The load address follows from where the kernel says the program headers are. */
static bool find_base(const struct executable *p, uint64_t *base)
{
    uint64_t headers = getauxval(AT_PHDR);
    Elf64_Ehdr head;
    Elf64_Phdr segment;

    memcpy(&head, p->image.data, sizeof head);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        uint64_t at = head.e_phoff + i * sizeof segment;

        if (at > p->image.size || p->image.size - at < sizeof segment)
            return false;
        memcpy(&segment, p->image.data + at, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_offset > head.e_phoff ||
            head.e_phoff - segment.p_offset >= segment.p_filesz)
            continue;
        *base = headers - (segment.p_vaddr + head.e_phoff - segment.p_offset);
        return true;
    }
    return false;
}

__attribute__((constructor)) static void redirect_self(void)
{
    struct redirection r = { 0 };
    const char *path = getenv(EXECUTABLE_REDIRECT);
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    struct executable p;

    self[n > 0 ? n : 0] = '\0';
    if (!path || strcmp(path, self) != 0 || executable_read(&p, self, NULL))
        return;
    if (p.is_host && find_base(&p, &r.base))
        executable_functions(&p, redirect_function, &r);
    if (!r.n || r.has_failed)
        fprintf(stderr,
                "leno: CUDA's runtime inside %s could not be replaced; link it "
                "with -cudart shared\n",
                self);
    executable_free(&p);
}
