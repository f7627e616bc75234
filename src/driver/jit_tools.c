/* jit_tools.c - ptxas and nvlink: run, their messages handed on, their results kept.
 *
 * A program that loads the same text twice, with the same options, has it compiled once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "driver/jit.h"
#include "frontend/sass/load/fatbin.h"

enum { MAX_ARGS = 16, HOPPER = 90 };

/* What the vendor's driver calls a text that it is given, in messages of ptxas. */
static const char input[] = "application ptx input";
static const char output[] = "code.cubin";

/* Sends the lines of a tool that failed to the logs; adds the first that names an error
 * to first. */
static void log_failure(struct jit *j, const struct buf *said, struct buf *first)
{
    const char *at = buf_text(said);

    while (*at) {
        size_t n = strcspn(at, "\n");
        bool is_error = memmem(at, n, "error", 5) || memmem(at, n, "fatal", 5);

        if (is_error && !first->len)
            buf_add(first, at, n);
        jit_log_add(is_error ? &j->error : &j->info, at, n);
        at += n + (at[n] == '\n');
    }
}

static CUresult tool_failed(struct driver *d, struct jit *j, CUresult code,
                            const struct buf *said)
{
    struct buf line = { 0 };
    CUresult result;

    log_failure(j, said, &line);
    result = call_fail(d, code, "%s", line.len ? buf_text(&line) : "failed in silence");
    buf_free(&line);
    return result;
}

static CUresult not_found(struct driver *d, const char *what, const struct err *err)
{
    return call_fail(d, CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                     "%s: %s. Or build the program with machine code for sm_%u: nvcc "
                     "-gencode arch=compute_%u,code=sm_%u",
                     what, err->text, d->device->sm, d->device->sm, d->device->sm);
}

/* "sm_90a" for an H200, whose driver always compiles for that variant; else "sm_100", or
 * "sm_100a" for a text that asks for that variant of the same architecture. */
static void name_target(const struct driver *d, const struct jit *j, struct file ptx,
                        struct buf *name)
{
    static const char word[] = ".target";
    unsigned sm = j->target ? j->target : d->device->sm, asked;
    const char *at =
        ptx.size ? memmem(ptx.data, ptx.size, word, sizeof word - 1) : NULL;
    char text[32] = "", suffix = 0;

    buf_printf(name, "sm_%u", sm);
    if (sm == HOPPER && !j->target)
        buf_putc(name, 'a');
    if (!at || sm == HOPPER)
        return;
    at += sizeof word - 1;
    memcpy(text, at,
           (size_t)((const char *)ptx.data + ptx.size - at) < sizeof text - 1
               ? (size_t)((const char *)ptx.data + ptx.size - at)
               : sizeof text - 1);
    if (sscanf(text, " sm_%u%c", &asked, &suffix) == 2 && asked == sm &&
        (suffix == 'a' || suffix == 'f'))
        buf_putc(name, suffix);
}

struct command {
    struct buf text[MAX_ARGS];
    char *argv[MAX_ARGS + 1];
    unsigned n;
};

static struct buf *command_word(struct command *c)
{
    return &c->text[c->n++];
}

static void command_add(struct command *c, const char *word)
{
    buf_puts(command_word(c), word);
}

static void command_free(struct command *c)
{
    for (unsigned i = 0; i < c->n; i++)
        buf_free(&c->text[i]);
}

static void ptxas_arguments(struct command *c, const struct driver *d,
                            const struct jit *j, struct file ptx, bool is_part)
{
    command_add(c, "-arch");
    name_target(d, j, ptx, command_word(c));
    if (is_part)
        command_add(c, "-c");
    if (j->max_registers)
        buf_printf(command_word(c), "-maxrregcount=%u", j->max_registers);
    if (j->has_debug)
        command_add(c, "-g");
    else if (j->level >= 0)
        buf_printf(command_word(c), "-O%d", j->level);
    if (j->has_lines)
        command_add(c, "-lineinfo");
    if (j->is_verbose)
        command_add(c, "-v");
    command_add(c, input);
    command_add(c, "-o");
    command_add(c, output);
}

/* Runs a tool in a folder that holds its input. 0 with *cubin set, 1 with its messages
 * in said if it failed, -1 with err set. */
static int run_tool(struct command *c, const struct scratch *s, struct buf *said,
                    struct file *cubin, struct err *err)
{
    int failed;

    for (unsigned i = 0; i < c->n; i++)
        c->argv[i] = c->text[i].data;
    failed = program_run(c->argv, s->path, said, err);
    if (!failed)
        failed = scratch_read(s, output, cubin, err);
    return failed;
}

/* The driver marks lines that continue a message of ptxas. */
static void mark_continued(struct buf *said)
{
    struct buf marked = { 0 };

    for (const char *at = buf_text(said); *at;) {
        size_t n = strcspn(at, "\n");

        n += at[n] == '\n';
        if (strncmp(at, "ptxas", 5) != 0)
            buf_puts(&marked, "ptxas         . ");
        buf_add(&marked, at, n);
        at += n;
    }
    buf_free(said);
    *said = marked;
}

static CUresult code_of_failure(const struct buf *said)
{
    return strstr(buf_text(said), "Unsupported .version")
               ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
               : CUDA_ERROR_INVALID_PTX;
}

static CUresult run_ptxas(struct driver *d, struct jit *j, struct command *c,
                          struct file ptx, struct jit_kept *kept)
{
    struct scratch s = { 0 };
    struct err err = { 0 };
    int failed = scratch_open(&s, &err);

    if (!failed)
        failed = scratch_write(&s, input, ptx.data, ptx.size, &err);
    if (!failed)
        failed = run_tool(c, &s, &kept->log, &kept->cubin, &err);
    scratch_close(&s);
    if (failed < 0)
        return call_fail_as(d, CUDA_ERROR_OPERATING_SYSTEM, &err);
    mark_continued(&kept->log);
    return failed ? tool_failed(d, j, code_of_failure(&kept->log), &kept->log)
                  : CUDA_SUCCESS;
}

static struct jit_kept *find_kept(const struct driver *d, const struct buf *key)
{
    struct jit_kept *k = d->jit_kept;

    while (k && (k->key.len != key->len || memcmp(k->key.data, key->data, key->len)))
        k = k->next;
    return k;
}

void jit_kept_free(struct jit_kept *k)
{
    while (k) {
        struct jit_kept *next = k->next;

        buf_free(&k->key);
        buf_free(&k->log);
        file_free(&k->cubin);
        free(k);
        k = next;
    }
}

static CUresult copy_code(struct driver *d, const struct file *from, struct file *to)
{
    *to = (struct file){ malloc(from->size ? from->size : 1), from->size };
    if (!to->data)
        return call_memory(d, "a cubin");
    memcpy(to->data, from->data, from->size);
    return CUDA_SUCCESS;
}

/* Compiles what was not compiled before. */
static CUresult compile_new(struct driver *d, struct jit *j, struct command *c,
                            struct file ptx, struct buf *key)
{
    struct jit_kept *k = calloc(1, sizeof *k);
    CUresult result;

    if (!k)
        return call_memory(d, "compiled PTX");
    result = run_ptxas(d, j, c, ptx, k);
    if (result) {
        jit_kept_free(k);
        return result;
    }
    k->key = *key;
    *key = (struct buf){ 0 };
    k->next = d->jit_kept;
    d->jit_kept = k;
    return CUDA_SUCCESS;
}

CUresult jit_compile(struct driver *d, struct jit *j, struct file ptx, bool is_part,
                     struct file *cubin)
{
    struct command c = { .n = 0 };
    struct buf key = { 0 };
    struct err err = { 0 };
    struct jit_kept *k;
    CUresult result = CUDA_SUCCESS;

    while (ptx.size && !ptx.data[ptx.size - 1])
        ptx.size--; /* ptxas takes no zeros at the end */
    if (program_find("ptxas", command_word(&c), &err)) {
        command_free(&c);
        return not_found(d, "PTX", &err);
    }
    ptxas_arguments(&c, d, j, ptx, is_part);
    for (unsigned i = 0; i < c.n; i++)
        buf_add(&key, c.text[i].data, c.text[i].len + 1);
    buf_add(&key, ptx.data, ptx.size);
    k = find_kept(d, &key);
    if (!k && !(result = compile_new(d, j, &c, ptx, &key)))
        k = d->jit_kept;
    if (!result) {
        if (k->log.len)
            jit_log_add(&j->info, buf_text(&k->log), k->log.len);
        result = copy_code(d, &k->cubin, cubin);
    }
    buf_free(&key);
    command_free(&c);
    return result;
}

CUresult jit_take_fat(struct driver *d, struct jit *j, const char *name,
                      struct file image, bool is_part, struct file *cubin)
{
    struct file ptx;
    struct err err, none;
    CUresult result;

    if (!fatbin_pick(image.data, image.size, d->device->sm, cubin, &err))
        return CUDA_SUCCESS;
    if (err.code != ERR_UNSUPPORTED)
        return call_fail(d, CUDA_ERROR_INVALID_IMAGE, "%s: %s", name, err.text);
    if (fatbin_pick_ptx(image.data, image.size, d->device->sm, &ptx, &none))
        return call_fail(d, CUDA_ERROR_NO_BINARY_FOR_GPU, "%s: %s", name, err.text);
    result = jit_compile(d, j, ptx, is_part, cubin);
    file_free(&ptx);
    return result;
}

static int write_parts(const struct scratch *s, const struct jit_part *parts, size_t n,
                       struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (scratch_write(s, parts[i].name, parts[i].code.data, parts[i].code.size,
                          err))
            return -1;
    return 0;
}

/* The parts are named in a file, since there may be any number of them. */
static int write_list(const struct scratch *s, const struct jit_part *parts, size_t n,
                      struct err *err)
{
    struct buf list = { 0 };
    int failed;

    for (size_t i = 0; i < n; i++)
        buf_printf(&list, "%s\n", parts[i].name);
    failed = scratch_write(s, "parts.txt", buf_text(&list), list.len, err);
    buf_free(&list);
    return failed;
}

/* Shortens each occurrence of a word in a text to its first bytes. */
static void drop_word(struct buf *text, const char *word, size_t kept)
{
    struct buf rest = { 0 };
    const char *at = buf_text(text), *next;

    while ((next = strstr(at, word))) {
        buf_add(&rest, at, (size_t)(next - at) + kept);
        at = next + strlen(word);
    }
    buf_puts(&rest, at);
    buf_free(text);
    *text = rest;
}

/* Messages of nvlink as the vendor's driver has them: without its name, and with the
 * names that the program gave to its parts. */
static void name_as_driver(struct buf *said)
{
    drop_word(said, "nvlink ", 0);
    drop_word(said, ".ptx.cubin", sizeof ".ptx" - 1);
}

static CUresult link_parts(struct driver *d, struct jit *j, struct command *c,
                           const struct jit_part *parts, size_t n, struct file *cubin)
{
    struct scratch s = { 0 };
    struct buf said = { 0 };
    struct err err = { 0 };
    CUresult result = CUDA_SUCCESS;
    int failed = scratch_open(&s, &err) || write_parts(&s, parts, n, &err) ||
                 write_list(&s, parts, n, &err);

    failed = failed ? -1 : run_tool(c, &s, &said, cubin, &err);
    name_as_driver(&said);
    if (failed < 0)
        result = call_fail_as(d, CUDA_ERROR_OPERATING_SYSTEM, &err);
    else if (failed)
        result = tool_failed(d, j, CUDA_ERROR_UNKNOWN, &said);
    else if (said.len)
        jit_log_add(&j->info, buf_text(&said), said.len);
    scratch_close(&s);
    buf_free(&said);
    return result;
}

/* nvlink wants a part at least. */
static CUresult link_nothing(struct driver *d, struct jit *j, struct file *cubin)
{
    static const char text[] = ".version 6.3\n.target sm_70\n.address_size 64\n";
    struct jit silent = jit_silent(j);
    struct jit_part part = { .name = "nothing.ptx" };
    CUresult result = jit_compile(
        d, &silent, (struct file){ (uint8_t *)(uintptr_t)text, sizeof text }, true,
        &part.code);

    if (!result)
        result = jit_link(d, j, &part, 1, cubin);
    file_free(&part.code);
    return result;
}

CUresult jit_link(struct driver *d, struct jit *j, const struct jit_part *parts,
                  size_t n, struct file *cubin)
{
    struct command c = { .n = 0 };
    struct err err = { 0 };
    CUresult result;

    if (!n)
        return link_nothing(d, j, cubin);
    if (program_find("nvlink", command_word(&c), &err)) {
        command_free(&c);
        return not_found(d, "linking", &err);
    }
    command_add(&c, "-arch");
    name_target(d, j, (struct file){ 0 }, command_word(&c));
    if (j->is_verbose)
        command_add(&c, "-v");
    command_add(&c, "--options-file");
    command_add(&c, "parts.txt");
    command_add(&c, "-o");
    command_add(&c, output);
    result = link_parts(d, j, &c, parts, n, cubin);
    command_free(&c);
    return result;
}
