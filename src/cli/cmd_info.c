/* cmd_info.c - leno info: what is in a cubin or a recording. */
#include <string.h>

#include "base/document.h"
#include "base/file.h"
#include "cli/option_rows.h"
#include "frontend/replay/replay.h"
#include "frontend/sass/load/cubin.h"

enum { MAX_CUBIN = 1 << 30 };

struct info_values {
    bool json;
};

static void print_kernel(FILE *out, const struct cubin *c, const struct cubin_kernel *k)
{
    fprintf(out, "kernel %s\n", k->name);
    fprintf(out,
            "  registers %u, stack %u, shared %u, barriers %u, parameters %u (%u bytes "
            "at c[0][0x%x])\n",
            k->n_regs, k->stack, k->shared, k->n_barriers, k->n_params, k->param_size,
            k->param_base);
    fprintf(out, "  instructions %llu",
            (unsigned long long)(c->sections[k->text].size / 16));
    for (unsigned b = 0; b < 8; b++) {
        if (k->constants[b])
            fprintf(out, ", constant bank %u %llu bytes", b,
                    (unsigned long long)c->sections[k->constants[b]].size);
    }
    if (k->max_threads[0])
        fprintf(out, ", at most %u x %u x %u threads", k->max_threads[0],
                k->max_threads[1], k->max_threads[2]);
    if (k->req_threads[0])
        fprintf(out, ", exactly %u x %u x %u threads", k->req_threads[0],
                k->req_threads[1], k->req_threads[2]);
    if (k->cluster[0])
        fprintf(out, ", clusters of %u x %u x %u", k->cluster[0], k->cluster[1],
                k->cluster[2]);
    fputc('\n', out);
}

static void print_text(FILE *out, const char *path, const struct cubin *c)
{
    fprintf(out,
            "%s: sm_%u, %zu bytes, %u kernels, %u sections, %u symbols, %u "
            "relocations\n",
            path, c->sm, c->size, c->n_kernels, c->n_sections, c->n_symbols,
            c->n_relocs);
    for (uint32_t i = 0; i < c->n_kernels; i++)
        print_kernel(out, c, &c->kernels[i]);
    fprintf(out, "sections\n  %4s %10s %10s %6s  %s\n", "", "offset", "size", "type",
            "name");
    for (uint32_t i = 1; i < c->n_sections; i++)
        fprintf(out, "  %4u %10llx %10llx %6x  %s\n", i,
                (unsigned long long)c->sections[i].offset,
                (unsigned long long)c->sections[i].size,
                c->sections[i].type & 0xffffffu, c->sections[i].name);
}

static void put_file(struct buf *out, const char *path, const char *kind, unsigned sm)
{
    buf_puts(out, "{\"file\": ");
    json_string(out, path);
    document_text(out, "kind", kind);
    if (sm)
        buf_printf(out, ", \"code_arch\": \"sm_%u\"", sm);
    else
        document_text(out, "code_arch", NULL);
}

static void put_json(struct buf *out, const char *path, const struct cubin *c)
{
    put_file(out, path, "cubin", c->sm);
    buf_printf(out, ", \"bytes\": %zu, \"kernels\": [", c->size);
    for (uint32_t i = 0; i < c->n_kernels; i++) {
        const struct cubin_kernel *k = &c->kernels[i];

        buf_puts(out, i ? ",\n {\"kernel\": " : "\n {\"kernel\": ");
        json_string(out, k->name);
        buf_printf(out,
                   ", \"registers\": %u, \"stack\": %u, \"shared\": %u, \"barriers\": "
                   "%u, \"parameter_bytes\": %u, \"instructions\": %llu}",
                   k->n_regs, k->stack, k->shared, k->n_barriers, k->param_size,
                   (unsigned long long)(c->sections[k->text].size / 16));
    }
    buf_puts(out, "],\n \"sections\": [");
    for (uint32_t i = 1; i < c->n_sections; i++) {
        buf_puts(out, i > 1 ? ",\n {\"name\": " : "\n {\"name\": ");
        json_string(out, c->sections[i].name);
        buf_printf(out, ", \"offset\": %llu, \"bytes\": %llu, \"type\": %u}",
                   (unsigned long long)c->sections[i].offset,
                   (unsigned long long)c->sections[i].size, c->sections[i].type);
    }
    buf_puts(out, "]}");
}

/* ---- recordings ---- */

static void print_recorded(struct console *console, const struct kernel *k,
                           const struct replay_counts *c)
{
    fprintf(console->out, "kernel %s\n", k->name);
    fprintf(console->out, "  grid %u x %u x %u, block %u x %u x %u", k->grid[0],
            k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2]);
    if (k->cluster > 1)
        fprintf(console->out, ", clusters of %u", k->cluster);
    fprintf(console->out, ", registers %u, shared %u\n", k->registers, k->shared);
    if (!c)
        return;
    fprintf(console->out,
            "  warp instructions %llu (%.1f lanes each), memory %llu, static %llu\n",
            (unsigned long long)c->warp_insts,
            c->warp_insts ? (double)c->thread_insts / (double)c->warp_insts : 0,
            (unsigned long long)c->memory_insts, (unsigned long long)c->static_insts);
    fprintf(console->out,
            "  bytes %llu, decompressed %llu (%.2f and %.2f an instruction)\n",
            (unsigned long long)c->file_bytes, (unsigned long long)c->raw_bytes,
            c->warp_insts ? (double)c->file_bytes / (double)c->warp_insts : 0,
            c->warp_insts ? (double)c->raw_bytes / (double)c->warp_insts : 0);
}

static void recorded_json(struct buf *b, const struct kernel *k,
                          const struct replay_counts *c)
{
    buf_puts(b, "{\"kernel\": ");
    json_string(b, k->name);
    buf_printf(b,
               ", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"cluster\": %u, "
               "\"registers\": %u, \"shared\": %u",
               k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
               k->block[2], k->cluster, k->registers, k->shared);
    if (c)
        buf_printf(
            b,
            ", \"warp_insts\": %llu, \"thread_insts\": %llu, \"memory_insts\": "
            "%llu, \"static_insts\": %llu, \"bytes\": %llu, \"raw_bytes\": %llu",
            (unsigned long long)c->warp_insts, (unsigned long long)c->thread_insts,
            (unsigned long long)c->memory_insts, (unsigned long long)c->static_insts,
            (unsigned long long)c->file_bytes, (unsigned long long)c->raw_bytes);
    buf_puts(b, "}");
}

static int recorded_kernels(struct console *console, struct replay *r, struct buf *json,
                            struct err *err)
{
    struct kernel *k;
    bool is_first = true;
    int got;

    while ((got = replay_next_kernel(r, &k, err)) > 0) {
        struct replay_counts c, *known = replay_kernel_counts(r, k, &c) ? &c : NULL;

        if (json) {
            buf_puts(json, is_first ? "\n " : ",\n ");
            recorded_json(json, k, known);
        } else {
            print_recorded(console, k, known);
        }
        is_first = false;
        replay_kernel_free(r, k);
    }
    return got;
}

static int recording_info(struct console *console, struct buf *json, const char *path,
                          struct err *err)
{
    struct replay *r = replay_open(path, NULL, err);
    const struct replay_info *info;
    int failed;

    if (!r)
        return -1;
    info = replay_info(r);
    if (json) {
        put_file(json, path, "recording", info->sm);
        document_text(json, "program", *info->program ? info->program : NULL);
        buf_puts(json, ", \"kernels\": [");
    } else {
        fprintf(console->out, "%s: recording, %llu kernels", path,
                (unsigned long long)info->n_kernels);
        if (*info->program)
            fprintf(console->out, ": %s", info->program);
        fputc('\n', console->out);
    }
    failed = recorded_kernels(console, r, json, err);
    if (json)
        buf_puts(json, "]}");
    replay_close(r);
    return failed;
}

/* Recordings are known by their names. */
static bool is_recording(const char *path)
{
    static const char *const ends[] = { ".leno", ".traceg", ".traceg.xz", ".g" };
    size_t n = strlen(path);

    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        size_t m = strlen(ends[k]);

        if (n >= m && !strcmp(path + n - m, ends[k]))
            return true;
    }
    return false;
}

static int cubin_info(struct console *console, struct buf *json, const char *path,
                      struct err *err)
{
    struct file file;
    struct cubin c;

    if (file_read(path, MAX_CUBIN, &file, err))
        return -1;
    if (cubin_parse(&c, path, file.data, file.size, err)) {
        file_free(&file);
        return -1;
    }
    if (json)
        put_json(json, path, &c);
    else
        print_text(console->out, path, &c);
    cubin_free(&c);
    file_free(&file);
    return 0;
}

/* As JSON all files are one document, which is there only if all could be read. */
static int info_run(struct console *console, const void *values,
                    const struct operands *ops, struct err *err)
{
    const struct info_values *v = values;
    struct buf out = { 0 }, *json = v->json ? &out : NULL;
    int failed = 0;

    if (!ops->n)
        return err_set(err, "expected a cubin or a recording");
    if (json) {
        document_begin(json, "info");
        buf_puts(json, ", \"files\": [");
    }
    for (int i = 0; !failed && i < ops->n; i++) {
        if (json)
            buf_puts(json, i ? ",\n" : "\n");
        failed = is_recording(ops->at[i])
                     ? recording_info(console, json, ops->at[i], err)
                     : cubin_info(console, json, ops->at[i], err);
    }
    if (json && !failed)
        fprintf(console->out, "%s]}\n", buf_text(json));
    buf_free(&out);
    return failed ? -1 : 0;
}

static const struct option options[] = {
    ROW_JSON(offsetof(struct info_values, json)),
};

static const char *const examples[] = { "leno info workloads/vecadd/sm_90.cubin",
                                        "leno info a.cubin b.cubin --json",
                                        "leno info vecadd.leno",
                                        "leno info traces/kernelslist.g", NULL };

const struct command command_info = {
    .name = "info",
    .summary = "what is in a cubin or a recording",
    .operands = "FILE...",
    .details =
        "Of a cubin: kernels, their needs, and sections. Of a recording (.leno,\n"
        ".traceg, kernelslist.g; see leno record): kernels with grid and block,\n"
        "and of a .leno how much was executed and how many bytes that takes.\n",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct info_values),
    .run = info_run,
};
