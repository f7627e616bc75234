/* vortex_program.c - programs for Vortex: an ELF file or a .vxbin, run without timing, or
 * listed. */
#include "session/vortex_program.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/file.h"
#include "base/json.h"
#include "base/seconds.h"
#include "frontend/riscv/machine.h"
#include "sim/describe.h"

enum { MAX_PROGRAM = 256 << 20 };

/* An ELF file for RISC-V, as its first bytes say: tests have no ending. */
static bool is_elf(const char *path)
{
    uint8_t head[20] = { 0 };
    uint64_t size;
    FILE *file = file_open(path, &size, NULL);
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;

    if (file)
        fclose(file);
    return n == sizeof head && !memcmp(head, ELFMAG, SELFMAG) && head[18] == EM_RISCV;
}

bool vortex_program_is_riscv(const char *operand)
{
    const char *dot = strrchr(operand, '.');

    return (dot && (!strcmp(dot, ".elf") || !strcmp(dot, ".vxbin"))) || is_elf(operand);
}

bool vortex_program_is_file(const char *operand)
{
    return strchr(operand, '/') || vortex_program_is_riscv(operand);
}

/* A program in a memory of its own; NULL with err set. */
static struct riscv_memory *load_image(const char *path, struct riscv_image *image,
                                       struct err *err)
{
    struct riscv_memory *m;
    struct file file;

    if (file_read(path, MAX_PROGRAM, &file, err))
        return NULL;
    m = riscv_memory_new(err);
    if (m && riscv_load(m, path, file.data, file.size, image, err)) {
        riscv_memory_free(m);
        m = NULL;
    }
    file_free(&file);
    return m;
}

/* A file's bytes at an address, or where they end at the program's. */
enum { BELOW_PROGRAM = 0 };
static int load_file(struct riscv_memory *m, uint32_t *addr, const char *path,
                     struct err *err)
{
    struct file file;
    int failed;

    if (file_read(path, MAX_PROGRAM, &file, err))
        return -1;
    if (*addr == BELOW_PROGRAM)
        *addr = RISCV_START - ((uint32_t)file.size + 63) / 64 * 64;
    failed = riscv_memory_write(m, *addr, file.data, file.size, err);
    file_free(&file);
    return failed ? err_prefix(err, "%s", path) : 0;
}

/* ADDRESS=FILE */
static int load_given(struct riscv_memory *m, const char *given, struct err *err)
{
    unsigned long long value;
    uint32_t addr;
    char *file;

    errno = 0;
    value = strtoull(given, &file, 0);
    if (errno || file == given || *file != '=' || !value || value > UINT32_MAX)
        return err_set(err, "--load %s: expected ADDRESS=FILE, as 0x10000=a.bin",
                       given);
    addr = (uint32_t)value;
    return load_file(m, &addr, file + 1, err);
}

static int load_inputs(const struct vortex_program_inputs *in, struct riscv_launch *l,
                       struct err *err)
{
    for (size_t i = 0; i < in->load.n; i++)
        if (load_given(l->memory, in->load.at[i], err))
            return -1;
    l->arguments = BELOW_PROGRAM;
    return in->args ? load_file(l->memory, &l->arguments, in->args, err) : 0;
}

int vortex_program_load(const char *path, const struct vortex_program_inputs *in,
                        struct riscv_launch *l, struct err *err)
{
    struct riscv_image image;

    l->memory = load_image(path, &image, err);
    if (!l->memory)
        return -1;
    l->start = image.start;
    l->tohost = image.tohost;
    if (!load_inputs(in, l, err))
        return 0;
    riscv_memory_free(l->memory);
    l->memory = NULL;
    return -1;
}

void vortex_program_print(void *to, unsigned stream, const char *text, size_t n)
{
    fprintf(to, "#%u: %.*s%s", stream, (int)n, text,
            n && text[n - 1] == '\n' ? "" : "\n");
}

const char *vortex_program_gpu(const struct vortex_program_run *r)
{
    return r->options->gpu ? r->options->gpu : "vortex-4x4";
}

static int run_loaded(struct vortex_program_run *r, const struct riscv_launch *l)
{
    double start = cpu_seconds();
    int failed = riscv_run(l, r->options->max_insts, &r->result, &r->err);

    r->seconds = cpu_seconds() - start;
    if (failed)
        return err_prefix(&r->err, "%s", r->path);
    r->has_ended = true;
    return riscv_verdict(&r->result, r->path, &r->err);
}

int vortex_program_run(struct vortex_program_run *r, FILE *console)
{
    struct riscv_launch l = { .name = r->path,
                              .print = vortex_program_print,
                              .print_to = console,
                              .watch = r->watch };
    struct vortex_machine shape;
    int failed;

    if (vortex_shape(vortex_program_gpu(r), &shape, &r->err))
        return -1;
    l.n_cores = shape.n_cores;
    l.n_warps = shape.n_warps;
    l.n_threads = shape.n_threads;
    if (vortex_program_load(r->path, &r->options->inputs, &l, &r->err))
        return -1;
    failed = run_loaded(r, &l);
    riscv_memory_free(l.memory);
    return failed;
}

static int list_code(struct console *console, const struct riscv_memory *m,
                     const struct riscv_image *image, bool hex, struct err *err)
{
    struct buf out = { 0 };
    uint32_t word;
    int failed = 0;

    for (uint64_t pc = image->code_low; !failed && pc + 4 <= image->code_high;
         pc += 4) {
        failed = riscv_memory_read(m, pc, &word, sizeof word, err);
        buf_printf(&out, "%08llx:  ", (unsigned long long)pc);
        if (hex)
            buf_printf(&out, "%08x  ", word);
        riscv_disasm(word, (uint32_t)pc, &out);
        buf_putc(&out, '\n');
        fputs(buf_text(&out), console->out);
        buf_clear(&out);
    }
    buf_free(&out);
    return failed;
}

int vortex_program_list(struct console *console, const char *path, bool hex,
                        struct err *err)
{
    struct riscv_image image;
    struct riscv_memory *m = load_image(path, &image, err);
    int failed;

    if (!m)
        return -1;
    failed = list_code(console, m, &image, hex, err);
    riscv_memory_free(m);
    return failed;
}
