/* cmd_info.c - leno info: what is in a cubin. */
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "frontend/sass/cubin.h"

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

static void print_json(FILE *out, const char *path, const struct cubin *c)
{
    struct buf b = { 0 };

    buf_puts(&b, "{\"file\": ");
    json_string(&b, path);
    buf_printf(&b, ", \"sm\": %u, \"bytes\": %zu, \"kernels\": [", c->sm, c->size);
    for (uint32_t i = 0; i < c->n_kernels; i++) {
        const struct cubin_kernel *k = &c->kernels[i];

        buf_puts(&b, i ? ",\n {\"name\": " : "\n {\"name\": ");
        json_string(&b, k->name);
        buf_printf(&b,
                   ", \"registers\": %u, \"stack\": %u, \"shared\": %u, \"barriers\": "
                   "%u, \"parameter_bytes\": %u, \"instructions\": %llu}",
                   k->n_regs, k->stack, k->shared, k->n_barriers, k->param_size,
                   (unsigned long long)(c->sections[k->text].size / 16));
    }
    buf_puts(&b, "],\n \"sections\": [");
    for (uint32_t i = 1; i < c->n_sections; i++) {
        buf_puts(&b, i > 1 ? ",\n {\"name\": " : "\n {\"name\": ");
        json_string(&b, c->sections[i].name);
        buf_printf(&b, ", \"offset\": %llu, \"size\": %llu, \"type\": %u}",
                   (unsigned long long)c->sections[i].offset,
                   (unsigned long long)c->sections[i].size, c->sections[i].type);
    }
    buf_puts(&b, "]}");
    fprintf(out, "%s\n", buf_text(&b));
    buf_free(&b);
}

static int info_run(struct cli *cli, const void *values, const struct operands *ops,
                    struct err *err)
{
    const struct info_values *v = values;
    struct file file;
    struct cubin c;

    if (!ops->n)
        return err_set(err, "expected a cubin");
    for (int i = 0; i < ops->n; i++) {
        if (file_read(ops->at[i], MAX_CUBIN, &file, err))
            return -1;
        if (cubin_parse(&c, ops->at[i], file.data, file.size, err)) {
            file_free(&file);
            return -1;
        }
        if (v->json)
            print_json(cli->out, ops->at[i], &c);
        else
            print_text(cli->out, ops->at[i], &c);
        cubin_free(&c);
        file_free(&file);
    }
    return 0;
}

static const struct option options[] = {
    { "json", OPTION_FLAG, NULL, "for machines; one object a file",
      offsetof(struct info_values, json), NULL },
};

static const char *const examples[] = { "leno info workloads/vecadd/sm_90.cubin",
                                        "leno info kernel.cubin --json", NULL };

const struct command command_info = {
    .name = "info",
    .summary = "kernels, their needs, and sections of a cubin",
    .operands = "FILE.cubin...",
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct info_values),
    .run = info_run,
};
