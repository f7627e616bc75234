/* cmd_disasm.c - leno disasm: the machine code of a cubin, or of a program for Vortex, as
 * text. */
#include <string.h>

#include "base/file.h"
#include "cli/option_rows.h"
#include "frontend/sass/load/marks.h"
#include "frontend/sass/print/listing.h"
#include "session/vortex_program.h"

enum { MAX_CUBIN = 1 << 30 };

/* Device memory that a module's variables are put into; nothing reads it. */
#define MARKS_BASE  UINT64_C(0x10000000)
#define MARKS_BYTES (UINT64_C(1) << 32)

struct disasm_values {
    bool control, hex, json, marks, distances;
    const char *kernel;
};

#define AT(field) offsetof(struct disasm_values, field)
static const struct option options[] = {
    { "control", OPTION_FLAG, NULL, "show stall counts, barriers and waits",
      AT(control), NULL },
    { "hex", OPTION_FLAG, NULL, "show encodings", AT(hex), NULL },
    { "distances", OPTION_FLAG, NULL,
      "show how many instructions ago sources were produced (turbulence)",
      AT(distances), NULL },
    { "kernel", OPTION_TEXT, "NAME", "only the code of this kernel", AT(kernel), NULL },
    { "marks", OPTION_FLAG, NULL,
      "show redundancy in a block: DR definitely, CR and CY conditionally, V not",
      AT(marks), NULL },
    ROW_JSON(AT(json)),
};

static const char *next_kernel(const void *from, size_t i)
{
    const struct cubin *c = from;

    return i < c->n_kernels ? c->kernels[i].name : NULL;
}

/* Restricts the listing to the code of one kernel. */
static int keep_kernel(struct cubin *c, const char *name, struct err *err)
{
    const struct cubin_kernel *k = cubin_find_kernel(c, name);
    struct buf b = { 0 };

    if (!k) {
        suggest_word(&b, name, next_kernel, c);
        err_set(err, "no kernel '%s'%s; see leno info", name, buf_text(&b));
        buf_free(&b);
        return -1;
    }
    for (uint32_t i = 0; i < c->n_sections; i++)
        c->sections[i].is_text = c->sections[i].is_text && i == k->text;
    return 0;
}

/* The listing; with marks, which only loaded code has. */
static int list_cubin(const struct disasm_values *v, const struct cubin *c,
                      const struct sass_image *image, struct buf *out, struct err *err)
{
    struct listing_options o = {
        .hex = v->hex, .control = v->control, .distances = v->distances, .json = v->json
    };
    struct sass_module m;
    struct space space;
    uint8_t **marks;
    int failed = -1;

    if (!v->marks)
        return sass_listing(out, c, &o, err);
    if (v->json)
        return err_set(err, "--marks and --json cannot be combined");
    if (space_init(&space, MARKS_BASE, MARKS_BYTES, err))
        return -1;
    if (!sass_module_load(&m, &space, SASS_CODE_BASE, image, err)) {
        o.marks = marks = sass_marks_all(&m, err);
        failed = marks ? sass_listing(out, c, &o, err) : -1;
        sass_marks_free(marks, &m);
        sass_module_free(&m);
    }
    space_free_all(&space);
    return failed;
}

static int disasm_command(struct console *console, const void *values,
                          const struct operands *ops, struct err *err)
{
    const struct disasm_values *v = values;
    struct buf out = { 0 };
    struct file file;
    struct cubin c;
    int failed = 0;

    if (ops->n != 1)
        return err_set(err, "expected one cubin, .elf or .vxbin");
    if (v->distances && v->json)
        return err_set(err, "--distances and --json cannot be combined");
    if (vortex_program_is_riscv(ops->at[0])) {
        if (v->control || v->json || v->kernel || v->marks || v->distances)
            return err_set(err, "%s: only --hex goes with a program for Vortex",
                           ops->at[0]);
        return vortex_program_list(console, ops->at[0], v->hex, err);
    }
    if (file_read(ops->at[0], MAX_CUBIN, &file, err))
        return -1;
    if (cubin_parse(&c, ops->at[0], file.data, file.size, err)) {
        file_free(&file);
        return -1;
    }
    if (v->kernel)
        failed = keep_kernel(&c, v->kernel, err);
    if (!failed)
        failed = list_cubin(
            v, &c, &(struct sass_image){ ops->at[0], file.data, file.size }, &out, err);
    if (!failed)
        fwrite(out.data, 1, out.len, console->out);
    buf_free(&out);
    cubin_free(&c);
    file_free(&file);
    return failed;
}

const struct command command_disasm = {
    COMMAND_NAMED(disasm),
    .summary = "print the machine code of a cubin, as nvdisasm does",
    .operands = "FILE.cubin|FILE.elf|FILE.vxbin",
    .details =
        "A program for Vortex (.elf, .vxbin) is listed with one instruction per line.\n",
    .examples = "  leno disasm workloads/vecadd/sm_90.cubin\n"
                "  leno disasm kernel.cubin --kernel main --control --hex\n"
                "  leno disasm workloads/vortex/tiny/sgemm.elf\n",
};
