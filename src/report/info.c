/* info.c - prints what a cubin or a recording contains. */
#include "report/info.h"

#include "base/document.h"
#include "base/file.h"
#include "base/json.h"
#include "frontend/replay/replay.h"
#include "frontend/sass/load/cubin.h"
#include "session/recording.h"

enum { MAX_CUBIN = 1 << 30 };

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

static void print_cubin(FILE *out, const char *path, const struct cubin *c)
{
    fprintf(out,
            "%s: sm_%u, bytes %zu, kernels %u, sections %u, symbols %u, relocations "
            "%u\n",
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

static void put_file_json(struct buf *out, const char *path, const char *kind,
                          unsigned sm)
{
    buf_puts(out, "{\"file\": ");
    json_string(out, path);
    document_text(out, "kind", kind);
    if (sm)
        buf_printf(out, ", \"code_arch\": \"sm_%u\"", sm);
    else
        document_text(out, "code_arch", NULL);
}

static void put_cubin_json(struct buf *out, const char *path, const struct cubin *c)
{
    put_file_json(out, path, "cubin", c->sm);
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

static void print_recorded_kernel(FILE *out, const struct kernel *k,
                                  const struct replay_counts *c)
{
    fprintf(out, "kernel %s\n", k->name);
    fprintf(out, "  grid %u x %u x %u, block %u x %u x %u", k->grid[0], k->grid[1],
            k->grid[2], k->block[0], k->block[1], k->block[2]);
    if (k->cluster > 1)
        fprintf(out, ", clusters of %u", k->cluster);
    fprintf(out, ", registers %u, shared %u\n", k->registers, k->shared);
    if (!c)
        return;
    fprintf(out,
            "  warp instructions %llu (%.1f lanes each), memory %llu, static %llu\n",
            (unsigned long long)c->warp_insts,
            c->warp_insts ? (double)c->thread_insts / (double)c->warp_insts : 0,
            (unsigned long long)c->memory_insts, (unsigned long long)c->static_insts);
    fprintf(out, "  bytes %llu, decompressed %llu (%.2f and %.2f per instruction)\n",
            (unsigned long long)c->file_bytes, (unsigned long long)c->raw_bytes,
            c->warp_insts ? (double)c->file_bytes / (double)c->warp_insts : 0,
            c->warp_insts ? (double)c->raw_bytes / (double)c->warp_insts : 0);
}

static void put_recorded_kernel(struct buf *b, const struct kernel *k,
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

static int put_recorded_kernels(FILE *out, struct replay *r, struct buf *json,
                                struct err *err)
{
    struct kernel *k;
    bool is_first = true;
    int got;

    while ((got = replay_next_kernel(r, &k, err)) > 0) {
        struct replay_counts c, *known = replay_kernel_counts(r, k, &c) ? &c : NULL;

        if (json) {
            buf_puts(json, is_first ? "\n " : ",\n ");
            put_recorded_kernel(json, k, known);
        } else {
            print_recorded_kernel(out, k, known);
        }
        is_first = false;
        replay_kernel_free(r, k);
    }
    return got;
}

static int put_recording(FILE *out, struct buf *json, const char *path, struct err *err)
{
    struct replay *r = replay_open(path, NULL, err);
    const struct replay_info *info;
    int failed;

    if (!r)
        return -1;
    info = replay_info(r);
    if (json) {
        put_file_json(json, path, "recording", info->sm);
        document_text(json, "program", *info->program ? info->program : NULL);
        buf_puts(json, ", \"kernels\": [");
    } else {
        fprintf(out, "%s: recording, kernels %llu", path,
                (unsigned long long)info->n_kernels);
        if (*info->program)
            fprintf(out, ": %s", info->program);
        fputc('\n', out);
    }
    failed = put_recorded_kernels(out, r, json, err);
    if (json)
        buf_puts(json, "]}");
    replay_close(r);
    return failed;
}

static int put_cubin(FILE *out, struct buf *json, const char *path, struct err *err)
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
        put_cubin_json(json, path, &c);
    else
        print_cubin(out, path, &c);
    cubin_free(&c);
    file_free(&file);
    return 0;
}

int info_put_file(const char *path, FILE *out, struct buf *json, struct err *err)
{
    return recording_is_file(path) ? put_recording(out, json, path, err)
                                   : put_cubin(out, json, path, err);
}
