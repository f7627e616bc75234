/* link.c - cuLink*: parts of a program, linked by nvlink while the program runs.
 *
 * PTX is compiled when it is added, so that its errors are reported there.
 */
#include <ar.h>
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "driver/jit.h"

struct link {
    CUlinkState handle;
    struct jit jit;
    struct jit_part *parts;
    uint32_t n, cap;
    bool is_complete;
    struct file cubin; /* of cuLinkComplete */
};

static void link_free(struct driver *d, struct link *l)
{
    handle_drop(&d->handles, l->handle);
    for (uint32_t i = 0; i < l->n; i++)
        file_free(&l->parts[i].code);
    free(l->parts);
    file_free(&l->cubin);
    free(l);
}

void link_free_all(struct driver *d)
{
    struct link *l;
    uint32_t at = 0;

    while ((l = handle_next(&d->handles, HANDLE_LINK, &at)))
        link_free(d, l);
}

static struct link *link_begin(struct driver **d, const char *call, CUlinkState link,
                               CUresult *result)
{
    return call_begin_on(d, call, HANDLE_LINK, "link", link, result);
}

CUresult cuLinkCreate(unsigned int n, CUjit_option *options, void **values,
                      CUlinkState *link)
{
    struct driver *d;
    struct context *c;
    struct link *l;
    CUresult result = call_begin(&d, &c, "cuLinkCreate");

    if (result || (result = call_check_place(d, link)))
        return result;
    l = calloc(1, sizeof *l);
    if (!l)
        return call_memory(d, "a link");
    jit_init(&l->jit);
    result = jit_read_options(d, &l->jit, n, options, values);
    if (!result && !(l->handle = handle_add(&d->handles, HANDLE_LINK, l)))
        result = call_memory(d, "the handle of a link");
    if (result) {
        free(l);
        return result;
    }
    *link = l->handle;
    return CUDA_SUCCESS;
}

static bool has_part(const struct link *l, const char *name)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (!strcmp(l->parts[i].name, name))
            return true;
    return false;
}

/* The end that a part's file name needs: nvlink passes over files whose name says
 * nothing. */
static const char *end_of_name(const char *name, CUjitInputType type)
{
    const char *dot = strrchr(name, '.');

    if (type == CU_JIT_INPUT_LIBRARY || type == CU_JIT_INPUT_OBJECT)
        return type == CU_JIT_INPUT_LIBRARY ? ".a" : ".o";
    return dot && !strcmp(dot, ".cubin") ? "" : ".cubin";
}

/* A file name of its own in the folder of the link, which messages show. */
static void name_part(const struct link *l, struct jit_part *p, const char *name,
                      CUjitInputType type)
{
    const char *slash = name ? strrchr(name, '/') : NULL, *end;
    char text[41];

    snprintf(text, sizeof text, "%s", slash ? slash + 1 : name ? name : "");
    for (char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr(".-_", *at))
            *at = '_';
    end = end_of_name(text, type);
    snprintf(p->name, sizeof p->name, "%s%s", text, end);
    if (!isalnum((unsigned char)*text) || has_part(l, p->name))
        snprintf(p->name, sizeof p->name, "part%u-%s%s", l->n, text, end);
}

static CUresult copy_data(struct driver *d, struct file from, struct file *to)
{
    *to = (struct file){ malloc(from.size), from.size };
    if (!to->data)
        return call_memory(d, "a part of a link");
    memcpy(to->data, from.data, from.size);
    return CUDA_SUCCESS;
}

/* Code that nvlink takes as it is, if it begins as such a file must. */
static CUresult take_plain(struct driver *d, CUjitInputType type, struct file from,
                           struct file *code)
{
    bool is_elf = from.size > SELFMAG && !memcmp(from.data, ELFMAG, SELFMAG);
    bool is_archive = from.size > SARMAG && !memcmp(from.data, ARMAG, SARMAG);

    if (type == CU_JIT_INPUT_CUBIN && !is_elf)
        return call_fail(d, CUDA_ERROR_INVALID_IMAGE, "not a cubin");
    if (!is_elf && !is_archive)
        return call_fail(d, CUDA_ERROR_UNKNOWN, "neither an object nor a library");
    return copy_data(d, from, code);
}

/* The code of a part, in a form that nvlink takes. */
static CUresult take_part(struct driver *d, struct jit *j, CUjitInputType type,
                          const char *name, struct file from, struct file *code)
{
    switch (type) {
    case CU_JIT_INPUT_PTX:
        if (!jit_is_text(from))
            return jit_not_recognised(d, j);
        return jit_compile(d, j, from, true, code);
    case CU_JIT_INPUT_FATBINARY:
        return jit_take_fat(d, j, name ? name : "fat binary", from, true, code);
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
        return take_plain(d, type, from, code);
    case CU_JIT_INPUT_NVVM:
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "link-time optimisation (NVVM) is not supported");
    default:
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "kind %d of input is not known",
                         (int)type);
    }
}

/* What a call adds. */
struct input {
    CUjitInputType type;
    const char *name;
    struct file from;
};

static CUresult add_part(struct driver *d, struct link *l, struct jit *j,
                         const struct input *in)
{
    struct jit_part part = { .name = "" }, *parts;
    CUresult result;

    if (!in->from.data || !in->from.size)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no data");
    parts = grow_zeros(l->parts, &l->cap, l->n, sizeof *parts);
    if (!parts)
        return call_memory(d, "the parts of a link");
    l->parts = parts;
    result = take_part(d, j, in->type, in->name, in->from, &part.code);
    if (result)
        return result;
    name_part(l, &part, in->name, in->type);
    l->parts[l->n++] = part;
    return CUDA_SUCCESS;
}

/* Adds a part with the link's options and its own; messages go on in the link's logs. */
static CUresult add_input(struct driver *d, struct link *l, struct jit *j,
                          const struct input *in)
{
    CUresult result = add_part(d, l, j, in);

    jit_finish(j);
    if (j->info.text == l->jit.info.text)
        l->jit.info.used = j->info.used;
    if (j->error.text == l->jit.error.text)
        l->jit.error.used = j->error.used;
    return result;
}

CUresult cuLinkAddData(CUlinkState link, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int n, CUjit_option *options,
                       void **values)
{
    struct driver *d;
    struct jit j;
    CUresult result;
    struct link *l = link_begin(&d, "cuLinkAddData", link, &result);

    if (result)
        return result;
    j = l->jit;
    result = jit_read_options(d, &j, n, options, values);
    return result ? result
                  : add_input(d, l, &j, &(struct input){ type, name, { data, size } });
}

CUresult cuLinkAddFile(CUlinkState link, CUjitInputType type, const char *path,
                       unsigned int n, CUjit_option *options, void **values)
{
    struct driver *d;
    struct file file;
    struct jit j;
    CUresult result;
    struct link *l = link_begin(&d, "cuLinkAddFile", link, &result);

    if (result || (result = module_read_file(d, path, &file)))
        return result;
    j = l->jit;
    result = jit_read_options(d, &j, n, options, values);
    if (!result)
        result = add_input(d, l, &j, &(struct input){ type, path, file });
    file_free(&file);
    return result;
}

CUresult cuLinkComplete(CUlinkState link, void **cubin, size_t *size)
{
    struct driver *d;
    CUresult result;
    struct link *l = link_begin(&d, "cuLinkComplete", link, &result);

    if (result || (result = call_check_place(d, cubin)))
        return result;
    if (l->is_complete)
        return call_fail(d, CUDA_ERROR_INVALID_HANDLE, "the link is complete already");
    result = jit_link(d, &l->jit, l->parts, l->n, &l->cubin);
    jit_finish(&l->jit);
    if (result)
        return result;
    l->is_complete = true;
    *cubin = l->cubin.data;
    if (size)
        *size = l->cubin.size;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState link)
{
    struct driver *d;
    CUresult result;
    struct link *l = link_begin(&d, "cuLinkDestroy", link, &result);

    if (!result)
        link_free(d, l);
    return result;
}
