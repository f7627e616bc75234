/* nvinfo.c - what .nv.info and the sections named after a kernel say about it.
 *
 * .nv.info holds records by symbol (registers, stack), .nv.info.KERNEL those of one
 * kernel (parameters, limits, code offsets). Attributes that only tools or hardware
 * workarounds need are passed over. Static shared memory and constant banks are
 * found through the names of their sections.
 */
#include "frontend/sass/load/nvinfo.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REGS = 255, FORMAT_NONE = 1, FORMAT_U8, FORMAT_U16, FORMAT_BYTES };
enum { COMPAT_ISA_CLASS = 9 };

int nvinfo_next(const struct cubin *c, uint32_t section, uint64_t *at,
                struct nvinfo_record *r, struct err *err)
{
    const struct cubin_section *s = &c->sections[section];
    uint64_t left = s->data ? s->size - *at : 0;
    const uint8_t *p;
    uint8_t format;

    if (left == 0)
        return 0;
    p = s->data + *at;
    *r = (struct nvinfo_record){ .offset = s->offset + *at };
    if (left < 4)
        return err_set(err, "offset 0x%llx: record of %s cut short",
                       (unsigned long long)r->offset, s->name);
    format = p[0];
    r->attr = p[1];
    r->value = cubin_u16(p + 2);
    if (format < FORMAT_NONE || format > FORMAT_BYTES)
        return err_set(err,
                       "offset 0x%llx: record of %s has format %u, expected 1 to 4",
                       (unsigned long long)r->offset, s->name, format);
    *at += 4;
    if (format == FORMAT_U8)
        r->value &= 0xff;
    if (format != FORMAT_BYTES)
        return 1;
    r->size = r->value;
    r->data = p + 4;
    if (r->size > left - 4)
        return err_set(err,
                       "offset 0x%llx: record of %s has %u bytes, past the end of the "
                       "section",
                       (unsigned long long)r->offset, s->name, r->size);
    *at += r->size;
    return 1;
}

/* The payload must have at least n bytes. */
static int need_bytes(const struct nvinfo_record *r, uint32_t n, struct err *err)
{
    if (r->data && r->size >= n)
        return 0;
    return err_set(err, "offset 0x%llx: attribute 0x%02x has %u bytes, expected %u",
                   (unsigned long long)r->offset, r->attr, r->data ? r->size : 0, n);
}

/* Records of .nv.info: a symbol and a number. by_symbol gives kernel index + 1. */
static int read_module_info(struct cubin *c, uint32_t section,
                            const uint32_t *by_symbol, struct err *err)
{
    struct nvinfo_record r;
    uint64_t at = 0;
    int more;

    while ((more = nvinfo_next(c, section, &at, &r, err)) > 0) {
        struct cubin_kernel *k;
        uint32_t symbol, value;

        if (r.attr != NVINFO_REGCOUNT && r.attr != NVINFO_FRAME_SIZE &&
            r.attr != NVINFO_MIN_STACK_SIZE)
            continue;
        if (need_bytes(&r, 8, err))
            return -1;
        symbol = cubin_u32(r.data);
        value = cubin_u32(r.data + 4);
        if (symbol >= c->n_symbols)
            return err_set(err, "offset 0x%llx: attribute 0x%02x of symbol %u of %u",
                           (unsigned long long)r.offset, r.attr, symbol, c->n_symbols);
        if (by_symbol[symbol] == 0)
            continue; /* a device function: its needs are in its callers' numbers */
        k = &c->kernels[by_symbol[symbol] - 1];
        if (r.attr == NVINFO_REGCOUNT)
            k->n_regs = value;
        else if (r.attr == NVINFO_FRAME_SIZE)
            k->frame = value;
        else /* all ones: recursion, so that nobody can know */
            k->stack = value == UINT32_MAX ? 0 : value;
    }
    return more;
}

static int read_triple(const struct nvinfo_record *r, uint32_t v[3], struct err *err)
{
    if (need_bytes(r, 12, err))
        return -1;
    for (unsigned i = 0; i < 3; i++)
        v[i] = cubin_u32(r->data + 4 * i);
    return 0;
}

static int read_param(struct cubin_kernel *k, const struct nvinfo_record *r,
                      struct err *err)
{
    uint32_t ordinal, last;

    if (need_bytes(r, 12, err))
        return -1;
    ordinal = cubin_u16(r->data + 4);
    last = cubin_u32(r->data + 8);
    if (ordinal >= k->n_params)
        return err_set(err, "offset 0x%llx: parameter %u of %u",
                       (unsigned long long)r->offset, ordinal, k->n_params);
    k->params[ordinal].offset = cubin_u16(r->data + 6);
    /* The older record packs the size above 18 bits of space and alignment. */
    k->params[ordinal].size = r->attr == NVINFO_KPARAM_INFO ? last >> 18 : last;
    return 0;
}

static int read_exits(const struct cubin *c, struct cubin_kernel *k,
                      const struct nvinfo_record *r, struct err *err)
{
    uint32_t n = r->size / 4;

    if (need_bytes(r, 0, err))
        return -1;
    if (k->exits)
        return err_set(err, "offset 0x%llx: second list of exits",
                       (unsigned long long)r->offset);
    k->exits = calloc(n ? n : 1, sizeof *k->exits);
    if (!k->exits)
        return err_memory(err, "the attributes of a cubin");
    for (k->n_exits = 0; k->n_exits < n; k->n_exits++) {
        uint32_t at = cubin_u32(r->data + 4 * (size_t)k->n_exits);

        if (at >= c->sections[k->text].size || at % 16)
            return err_set(err, "offset 0x%llx: exit at 0x%x is not in %s",
                           (unsigned long long)r->offset, at,
                           c->sections[k->text].name);
        k->exits[k->n_exits] = at;
    }
    return 0;
}

static int read_record(const struct cubin *c, struct cubin_kernel *k,
                       const struct nvinfo_record *r, struct err *err)
{
    switch (r->attr) {
    case NVINFO_PARAM_CBANK:
        if (need_bytes(r, 8, err))
            return -1;
        k->param_base = cubin_u16(r->data + 4);
        k->param_size = cubin_u16(r->data + 6);
        return 0;
    case NVINFO_CBANK_PARAM_SIZE:
        if (k->param_size == 0)
            k->param_size = r->value;
        return 0;
    case NVINFO_KPARAM_INFO:
    case NVINFO_KPARAM_INFO_V2:
        return read_param(k, r, err);
    case NVINFO_NUM_BARRIERS:
        k->n_barriers = r->value & 0xff;
        return 0;
    case NVINFO_MAX_THREADS:
        return read_triple(r, k->max_threads, err);
    case NVINFO_REQNTID:
        return read_triple(r, k->req_threads, err);
    case NVINFO_CTA_PER_CLUSTER:
        return read_triple(r, k->cluster, err);
    case NVINFO_EXIT_OFFSETS:
        return read_exits(c, k, r, err);
    default:
        return 0;
    }
}

static int read_kernel_info(const struct cubin *c, struct cubin_kernel *k,
                            struct err *err)
{
    struct nvinfo_record r;
    uint64_t at = 0;
    int more;

    while ((more = nvinfo_next(c, k->nv_info, &at, &r, err)) > 0)
        k->n_params += r.attr == NVINFO_KPARAM_INFO || r.attr == NVINFO_KPARAM_INFO_V2;
    if (more < 0)
        return -1;
    k->params = calloc(k->n_params ? k->n_params : 1, sizeof *k->params);
    if (!k->params)
        return err_memory(err, "the attributes of a cubin");
    at = 0;
    while ((more = nvinfo_next(c, k->nv_info, &at, &r, err)) > 0)
        if (read_record(c, k, &r, err))
            return -1;
    return more;
}

/* The kernel that a section ".nv.info.KERNEL" belongs to. Its sh_info normally names
 * the kernel's text section, which spares the search. */
static struct cubin_kernel *kernel_of(const struct cubin *c, uint32_t section,
                                      const char *name, const uint32_t *by_text)
{
    uint32_t info = c->sections[section].info;
    const struct cubin_kernel *k = NULL;

    if (info < c->n_sections && by_text[info])
        k = &c->kernels[by_text[info] - 1];
    if (!k || strcmp(k->name, name) != 0)
        k = cubin_find_kernel(c, name);
    return k ? &c->kernels[k - c->kernels] : NULL;
}

/* Files a section under the kernel it is named after. */
static int place_section(struct cubin *c, uint32_t i, const uint32_t *by_text,
                         struct err *err)
{
    const struct cubin_section *s = &c->sections[i];
    const char *name = s->name;
    struct cubin_kernel *k;

    if (strncmp(name, ".nv.info.", 9) == 0) {
        k = kernel_of(c, i, name + 9, by_text);
        if (k && k->nv_info == 0)
            k->nv_info = i;
    } else if (strncmp(name, ".nv.shared.", 11) == 0) {
        k = kernel_of(c, i, name + 11, by_text);
        if (k && s->size > UINT32_MAX)
            return err_set(err, "%s has 0x%llx bytes", name,
                           (unsigned long long)s->size);
        if (k)
            k->shared = (uint32_t)s->size;
    } else if (strncmp(name, ".nv.constant", 12) == 0 && name[12] >= '0' &&
               name[12] <= '7' && name[13] == '.') {
        k = kernel_of(c, i, name + 14, by_text);
        if (k)
            k->constants[name[12] - '0'] = i;
    }
    return 0;
}

/* Parameters follow each other, and bank 0 has room for all of them: a launch copies as
 * many bytes from its host as are named here. */
static int check_params(const struct cubin *c, struct cubin_kernel *k, struct err *err)
{
    const struct cubin_section *bank = &c->sections[k->constants[0]];
    uint64_t end = 0;

    for (uint32_t i = 0; i < k->n_params; i++) {
        const struct cubin_param *p = &k->params[i];

        if (!p->size || p->offset < end)
            return err_set(err,
                           "has parameter %u of %u bytes at 0x%x, expected at least 1 "
                           "at 0x%llx or above",
                           i, p->size, p->offset, (unsigned long long)end);
        end = (uint64_t)p->offset + p->size;
    }
    if (k->param_size == 0)
        k->param_size = end > CUBIN_MAX_PARAMS ? CUBIN_MAX_PARAMS : (uint32_t)end;
    if (end > k->param_size)
        return err_set(err, "has a parameter that ends at 0x%llx of 0x%x",
                       (unsigned long long)end, k->param_size);
    if (k->param_size > CUBIN_MAX_PARAMS)
        return err_set(err, "has %u bytes of parameters, expected at most %u",
                       k->param_size, CUBIN_MAX_PARAMS);
    if (k->constants[0] && bank->size < (uint64_t)k->param_base + k->param_size)
        return err_set(err, "has parameters up to 0x%llx, %s ends at 0x%llx",
                       (unsigned long long)k->param_base + k->param_size, bank->name,
                       (unsigned long long)bank->size);
    return 0;
}

/* Fallbacks for what older files leave out, and the checks that need it all. */
static int finish_kernel(const struct cubin *c, struct cubin_kernel *k, struct err *err)
{
    const struct cubin_section *text = &c->sections[k->text];

    if (k->n_regs == 0)
        k->n_regs = text->info >> 24;
    if (k->n_regs == 0 || k->n_regs > MAX_REGS)
        return err_set(err, "has %u registers, expected 1 to %d", k->n_regs, MAX_REGS);
    if (k->n_barriers == 0)
        k->n_barriers = text->flags >> 20 & 0x7f;
    if (k->param_base == 0)
        k->param_base = c->arch >= SM100 ? 0x380 : c->arch == SM90 ? 0x210 : 0x160;
    if (k->stack < k->frame)
        k->stack = k->frame;
    if (check_params(c, k, err))
        return -1;
    if (k->entry >= text->size)
        return err_set(err, "starts at the end of %s", text->name);
    return 0;
}

/* .nv.compat holds records of the same form; attribute 9 is 1 for sm_90a. */
static int read_compat(struct cubin *c, uint32_t section, struct err *err)
{
    struct nvinfo_record r;
    uint64_t at = 0;
    int more;

    while ((more = nvinfo_next(c, section, &at, &r, err)) > 0)
        if (r.attr == COMPAT_ISA_CLASS && !r.data)
            c->is_specific = r.value == 1;
    return more;
}

static int read_all(struct cubin *c, uint32_t *by_symbol, uint32_t *by_text,
                    struct err *err)
{
    for (uint32_t i = 0; i < c->n_kernels; i++) {
        by_symbol[c->kernels[i].symbol] = i + 1;
        by_text[c->kernels[i].text] = i + 1;
    }
    for (uint32_t i = 1; i < c->n_sections; i++) {
        if (strcmp(c->sections[i].name, ".nv.info") == 0) {
            if (read_module_info(c, i, by_symbol, err))
                return -1;
        } else if (strcmp(c->sections[i].name, ".nv.compat") == 0) {
            if (read_compat(c, i, err))
                return -1;
        } else if (place_section(c, i, by_text, err)) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < c->n_kernels; i++) {
        struct cubin_kernel *k = &c->kernels[i];

        if (k->nv_info && read_kernel_info(c, k, err))
            return -1;
        if (finish_kernel(c, k, err))
            return err_prefix(err, "kernel %s", k->name);
    }
    return 0;
}

int nvinfo_read(struct cubin *c, struct err *err)
{
    uint32_t *by_symbol = calloc((size_t)c->n_symbols + 1, sizeof *by_symbol);
    uint32_t *by_text = calloc((size_t)c->n_sections + 1, sizeof *by_text);
    int rc = by_symbol && by_text ? read_all(c, by_symbol, by_text, err)
                                  : err_memory(err, "the attributes of a cubin");

    free(by_symbol);
    free(by_text);
    return rc;
}
