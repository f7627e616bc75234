/* program.c - leno emu on a program for Vortex: an ELF file or a .vxbin, run without
 * timing. */
#include "cli/program.h"

#include <string.h>
#include <time.h>

#include "base/file.h"
#include "frontend/riscv/machine.h"

enum { MAX_PROGRAM = 256 << 20 };

bool program_is_one(const char *operand)
{
    const char *dot = strrchr(operand, '.');

    return strchr(operand, '/') ||
           (dot && (!strcmp(dot, ".elf") || !strcmp(dot, ".vxbin")));
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* As Vortex's own simulators show it: which of the streams, then the line. */
static void print_line(void *to, unsigned stream, const char *text, size_t n)
{
    fprintf(to, "#%u: %.*s%s", stream, (int)n, text,
            n && text[n - 1] == '\n' ? "" : "\n");
}

static void report(struct cli *cli, const char *path, const struct riscv_result *r,
                   double seconds)
{
    double rate = seconds > 0 ? (double)r->thread_insts / seconds * 1e-6 : 0;

    fprintf(cli->out, "%s: status %d, %llu warp insts, %llu thread insts, %.1f M/s\n",
            path, r->status, (unsigned long long)r->warp_insts,
            (unsigned long long)r->thread_insts, rate);
}

static void report_json(struct cli *cli, const char *path, const struct riscv_result *r,
                        double seconds)
{
    struct buf line = { 0 };

    buf_puts(&line, "{\"program\": ");
    json_string(&line, path);
    buf_printf(&line,
               ", \"status\": %d, \"warp_insts\": %llu, \"thread_insts\": %llu, "
               "\"seconds\": %.6f}\n",
               r->status, (unsigned long long)r->warp_insts,
               (unsigned long long)r->thread_insts, seconds);
    fputs(buf_text(&line), cli->out);
    buf_free(&line);
}

static int run_loaded(struct cli *cli, const char *path,
                      const struct riscv_image *image, struct riscv_launch *l,
                      const struct program_options *o, struct err *err)
{
    struct riscv_result r;
    double start = now();

    l->start = image->start;
    l->tohost = image->tohost;
    if (riscv_run(l, o->max_insts, &r, err))
        return err_prefix(err, "%s", path);
    (o->json ? report_json : report)(cli, path, &r, now() - start);
    if (r.status)
        return err_kind(err, ERR_WRONG, "%s: ended with status %d", path, r.status);
    return 0;
}

int program_run(struct cli *cli, const char *path, const struct program_options *o,
                struct err *err)
{
    struct riscv_launch l = { .name = path,
                              .print = print_line,
                              .print_to = o->json ? cli->log : cli->out };
    struct vortex_machine shape;
    struct riscv_image image;
    struct file file;
    int failed;

    if (vortex_shape(o->gpu ? o->gpu : "vortex-4x4", &shape, err))
        return -1;
    l.n_cores = shape.n_cores;
    l.n_warps = shape.n_warps;
    l.n_threads = shape.n_threads;
    if (file_read(path, MAX_PROGRAM, &file, err))
        return -1;
    l.memory = riscv_memory_new(err);
    failed = !l.memory || riscv_load(l.memory, path, file.data, file.size, &image, err);
    file_free(&file);
    if (!failed)
        failed = run_loaded(cli, path, &image, &l, o, err);
    riscv_memory_free(l.memory);
    return failed ? -1 : 0;
}
