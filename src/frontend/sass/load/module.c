/* module.c - loads a cubin into a device.
 *
 * The steps, in order: parse a private copy of the file; give code and global
 * sections their addresses; patch the copy in place with every relocation of a
 * section that is loaded; only then copy data to the device, build constant banks
 * and decode. Text sections keep their order, each at a multiple of 128 bytes; the
 * gaps hold instructions with no row, so that a jump there is seen.
 * Not modelled: texture references (gone since CUDA 12) and dynamic parallelism.
 */
#include "frontend/sass/load/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shadow.h"
#include "frontend/sass/load/passes.h"
#include "frontend/sass/load/reloc.h"
#include "frontend/sass/load/spread.h"
#include "frontend/sass/load/turns.h"

enum {
    ET_REL = 1,
    SHF_ALLOC = 2,
    SHN_ABS = 0xfff1,
    STT_OBJECT = 1,
    STT_FUNC = 2,
    STB_WEAK = 2,
    CODE_ALIGN = 128,
    MAX_ALIGN = 1 << 20,
    MAX_BANK = 1 << 16,
    N_BANKS = 8,
};

static int out_of_memory(struct err *err)
{
    return err_memory(err, "a module");
}

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_global(const struct cubin_section *s)
{
    return s->flags & SHF_ALLOC && starts_with(s->name, ".nv.global");
}

static bool is_constants(const struct cubin_section *s)
{
    return strcmp(s->name, ".nv.constant3") == 0;
}

/* A generic address of a constant: it then has a place in device memory, too. */
static bool takes_address(const struct sass_module *m, const struct cubin_reloc *r)
{
    const struct cubin_symbol *s = &m->cubin.symbols[r->symbol];

    return r->type == RELOC_G64 && m->cubin.sections[r->target].flags & SHF_ALLOC &&
           s->section > 0 && s->section < m->cubin.n_sections &&
           is_constants(&m->cubin.sections[s->section]);
}

static uint64_t round_up(uint64_t x, uint64_t align)
{
    return (x + align - 1) & ~(align - 1);
}

/* Sections of a sane file do not share bytes; checked so that memory taken stays
 * in proportion to the file. */
static int place_code(struct sass_module *m, struct err *err)
{
    const struct cubin *c = &m->cubin;
    uint64_t at = 0, bytes = 0;

    for (uint32_t i = 1; i < c->n_sections; i++) {
        const struct cubin_section *s = &c->sections[i];

        if (!s->is_text)
            continue;
        bytes += s->size;
        if (bytes > c->size)
            return err_set(err, "offset 0x%llx: %s overlaps another text section",
                           (unsigned long long)s->offset, s->name);
        at = round_up(at, CODE_ALIGN);
        m->section_addr[i] = m->code_base + at;
        at += s->size;
    }
    m->n_code = at / 16;
    return 0;
}

/* Tells --sanitize of all global sections, or that they are gone. */
static void tell_shadow(const struct sass_module *m, bool is_gone)
{
    struct shadow *shadow = m->globals ? m->space->shadow : NULL;

    for (uint32_t i = 1; shadow && i < m->cubin.n_sections; i++) {
        const struct cubin_section *s = &m->cubin.sections[i];

        if (!is_global(s) || !s->size)
            continue;
        if (is_gone)
            shadow_release(shadow, m->section_addr[i]);
        else
            shadow_add(shadow, SHADOW_VARIABLES, m->section_addr[i], s->size);
    }
}

/* One allocation holds all global sections. */
static int place_globals(struct sass_module *m, struct err *err)
{
    const struct cubin *c = &m->cubin;
    uint64_t at = 0, biggest = SPACE_GRANULE;

    for (uint32_t i = 1; i < c->n_sections; i++) {
        const struct cubin_section *s = &c->sections[i];
        uint64_t align = s->align ? s->align : 1;

        if (!is_global(s) || s->size == 0)
            continue;
        if (align & (align - 1) || align > MAX_ALIGN)
            return err_set(err, "%s has alignment 0x%llx, expected a power of two",
                           s->name, (unsigned long long)align);
        at = round_up(at, align);
        if (s->size > m->space->whole || at > m->space->whole - s->size)
            return err_kind(err, ERR_LIMIT, "%s has 0x%llx bytes, more than the device",
                            s->name, (unsigned long long)s->size);
        m->section_addr[i] = at; /* relative until the place is known */
        at += s->size;
        biggest = align > biggest ? align : biggest;
    }
    if (at == 0)
        return 0;
    if (space_alloc(m->space, at, biggest, &m->globals, err))
        return err_prefix(err, "global variables");
    for (uint32_t i = 1; i < c->n_sections; i++)
        if (is_global(&c->sections[i]) && c->sections[i].size)
            m->section_addr[i] += m->globals;
    tell_shadow(m, false);
    return 0;
}

/* Constants get a place if a relocation or an instruction asks for their address. */
static int place_constants(struct sass_module *m, bool is_needed, struct err *err)
{
    const struct cubin *c = &m->cubin;
    uint64_t size = c->sections[cubin_find_section(c, ".nv.constant3")].size;

    for (uint32_t i = 0; i < c->n_relocs && !is_needed; i++)
        is_needed = takes_address(m, &c->relocs[i]);
    if (!is_needed || !size || m->constants)
        return 0;
    if (space_alloc(m->space, size, SPACE_GRANULE, &m->constants, err))
        return err_prefix(err, "constants");
    return 0;
}

/* Every name of the vendor's system functions that is not in the table begins so. */
#define VENDOR_PREFIX "__cuda_syscall_"

/* The number (enum sass_syscall) of the function that a symbol names, or -1. */
static int64_t find_syscall(const struct cubin *c, const struct cubin_symbol *s)
{
#define RUNTIME VENDOR_PREFIX "cnpv2"
    static const char *const names[N_SYSCALL] = {
        [SYSCALL_VPRINTF] = "vprintf",
        [SYSCALL_MALLOC] = "malloc",
        [SYSCALL_FREE] = "free",
        [SYSCALL_ASSERTFAIL] = "__assertfail",
        [SYSCALL_GET_PARAMETER_BUFFER] = RUNTIME "GetParameterBufferV2",
        [SYSCALL_LAUNCH_DEVICE] = RUNTIME "LaunchDeviceV2",
        [SYSCALL_GET_LAST_ERROR] = RUNTIME "GetLastError",
        [SYSCALL_SET_LAST_ERROR] = RUNTIME "SetLastError",
        [SYSCALL_STREAM_CREATE] = RUNTIME "StreamCreate",
        [SYSCALL_STREAM_DESTROY] = RUNTIME "StreamDestroy",
        [SYSCALL_STREAM_WAIT_EVENT] = RUNTIME "StreamWaitEvent",
        [SYSCALL_EVENT_CREATE] = RUNTIME "EventCreate",
        [SYSCALL_EVENT_RECORD] = RUNTIME "EventRecord",
        [SYSCALL_EVENT_DESTROY] = RUNTIME "EventDestroy",
        [SYSCALL_GET_DEVICE] = RUNTIME "GetDevice",
        [SYSCALL_GET_DEVICE_COUNT] = RUNTIME "GetDeviceCount",
        [SYSCALL_DEVICE_GET_ATTRIBUTE] = RUNTIME "DeviceGetAttribute",
        [SYSCALL_GET_LIMIT] = RUNTIME "GetLimit",
        [SYSCALL_GET_CACHE_CONFIG] = RUNTIME "GetCacheConfig",
        [SYSCALL_FUNC_GET_ATTRIBUTE] = RUNTIME "FuncGetAttribute",
        [SYSCALL_MAX_ACTIVE_BLOCKS] =
            RUNTIME "MaxActiveBlocksPerMultiprocessorWithFlags",
        [SYSCALL_SET_CONDITIONAL] = "cudaGraphSetConditional",
    };
#undef RUNTIME

    for (unsigned i = 0; i < N_SYSCALL; i++) {
        if (!strcmp(s->name, names[i]))
            return i;
    }
    if (!strncmp(s->name, VENDOR_PREFIX, sizeof VENDOR_PREFIX - 1))
        return N_SYSCALL + (s - c->symbols);
    return -1;
}

const char *sass_syscall_name(const struct sass_module *m, unsigned number)
{
    uint64_t symbol = number - (uint64_t)N_SYSCALL;

    return symbol < m->cubin.n_symbols ? m->cubin.symbols[symbol].name : "unknown";
}

static int undefined_addr(const struct cubin *c, const struct cubin_symbol *s,
                          uint64_t *addr, struct err *err)
{
    int64_t number = find_syscall(c, s);

    if (number >= 0) {
        *addr = SASS_SYSCALL_BASE + ((uint64_t)number << SASS_SYSCALL_SHIFT);
        return 0;
    }
    *addr = 0;
    if (s->bind == STB_WEAK)
        return 0;
    return err_kind(err, ERR_UNSUPPORTED, "%s %s is not defined",
                    s->type == STT_FUNC ? "function" : "symbol", s->name);
}

/* The value a symbol stands for: an address, or in a section that has none (shared
 * memory, constants) an offset. */
static int symbol_addr(const struct sass_module *m, const struct cubin_symbol *s,
                       uint64_t *addr, struct err *err)
{
    *addr = s->value;
    if (s->section == 0)
        return undefined_addr(&m->cubin, s, addr, err);
    if (s->section == SHN_ABS)
        return 0;
    if (s->section >= m->cubin.n_sections)
        return err_set(err, "symbol %s is common, expected a linked cubin", s->name);
    *addr += m->section_addr[s->section];
    return 0;
}

/* Does a system function take device memory? */
static bool allocates(unsigned number)
{
    return number == SYSCALL_MALLOC || number == SYSCALL_GET_PARAMETER_BUFFER ||
           number == SYSCALL_LAUNCH_DEVICE;
}

static int apply_reloc(struct sass_module *m, const struct cubin_reloc *r,
                       struct err *err)
{
    const struct cubin_section *s = &m->cubin.sections[r->target];
    uint64_t addr;

    if (!(s->flags & SHF_ALLOC) || reloc_is_marker(r->type))
        return 0;
    if (!s->data)
        return err_set(err, "the section has no bytes in the file");
    if (symbol_addr(m, &m->cubin.symbols[r->symbol], &addr, err))
        return -1;
    if (sass_is_syscall(addr))
        m->allocates |= allocates(sass_syscall_number(addr));
    if (takes_address(m, r))
        addr += m->constants;
    return reloc_patch(r, m->image + s->offset + r->offset, s->size - r->offset, addr,
                       err);
}

static int relocate_all(struct sass_module *m, struct err *err)
{
    const struct cubin *c = &m->cubin;

    for (uint32_t i = 0; i < c->n_relocs; i++) {
        const struct cubin_reloc *r = &c->relocs[i];

        if (apply_reloc(m, r, err)) {
            const char *type = reloc_name(r->type);

            return err_prefix(err, "%s+0x%llx: relocation %u (%s) against %s",
                              c->sections[r->target].name,
                              (unsigned long long)r->offset, r->type,
                              type ? type : "unknown", c->symbols[r->symbol].name);
        }
    }
    return 0;
}

static void fill_globals(struct sass_module *m)
{
    for (uint32_t i = 1; i < m->cubin.n_sections; i++) {
        const struct cubin_section *s = &m->cubin.sections[i];

        if (is_global(s) && s->data)
            memcpy(m->space->bytes + (m->section_addr[i] - m->space->base), s->data,
                   s->size);
    }
}

/* A bank with the bytes of a section (none: zero) and at least size bytes. */
static int make_bank(const struct sass_module *m, uint32_t section, uint64_t size,
                     struct sass_bank *bank, struct err *err)
{
    const struct cubin_section *s = &m->cubin.sections[section];

    if (s->size > size)
        size = s->size;
    if (size == 0)
        return 0;
    if (size > MAX_BANK)
        return err_set(err, "constant bank %s of 0x%llx bytes, expected at most 0x%x",
                       s->name, (unsigned long long)size, MAX_BANK);
    bank->data = calloc(1, size);
    if (!bank->data)
        return out_of_memory(err);
    bank->size = (uint32_t)size;
    if (s->data)
        memcpy(bank->data, s->data, s->size);
    return 0;
}

static int make_kernel_banks(struct sass_module *m, struct sass_kernel *k,
                             struct err *err)
{
    for (unsigned b = 0; b < N_BANKS; b++) {
        uint64_t size = 0;

        if (b == 0)
            size = (uint64_t)k->info->param_base + k->info->param_size;
        if (make_bank(m, k->info->constants[b], size, &k->bank[b], err))
            return err_prefix(err, "kernel %s", k->info->name);
    }
    if (!k->bank[3].data)
        k->bank[3] = m->bank3;
    if (!k->bank[4].data)
        k->bank[4] = m->bank4;
    return 0;
}

static int make_kernels(struct sass_module *m, struct err *err)
{
    const struct cubin *c = &m->cubin;

    if (make_bank(m, cubin_find_section(c, ".nv.constant3"), 0, &m->bank3, err) ||
        make_bank(m, cubin_find_section(c, ".nv.constant4"), 0, &m->bank4, err))
        return -1;
    m->kernels = calloc((size_t)c->n_kernels + 1, sizeof *m->kernels);
    if (!m->kernels)
        return out_of_memory(err);
    for (m->n_kernels = 0; m->n_kernels < c->n_kernels;) {
        struct sass_kernel *k = &m->kernels[m->n_kernels];

        k->info = &c->kernels[m->n_kernels++];
        k->text_base = m->section_addr[k->info->text];
        k->entry = k->text_base + k->info->entry;
        k->n_code = c->sections[k->info->text].size / 16;
        k->n_regs = k->info->n_regs;
        if (make_kernel_banks(m, k, err))
            return -1;
    }
    return 0;
}

/* Code that is not optimised adds the address of the constants to their offsets. */
static void note_window(struct sass_module *m, const struct sass_inst *i)
{
    uint64_t window = sass_constant_window(m->arch);

    for (unsigned k = 0; k < i->n_opds; k++) {
        const struct operand *o = &i->opd[k];

        if (o->kind == OPD_CONST && o->bank == 0 && (uint64_t)o->imm - window < 8)
            m->reads_window = true;
    }
}

/* One more than the highest register of a set's n words. */
static unsigned behind_last(const uint64_t *w, unsigned n)
{
    while (n-- > 0)
        if (w[n])
            return 64 * n + 64 - (unsigned)__builtin_clzll(w[n]);
    return 0;
}

/* What a kernel declares is not believed: the executor makes room for what is named.
 * Textures have registers that are not operands. */
static void note_registers(struct sass_module *m, const struct sass_inst *i)
{
    const uint64_t *set = i->base.touches.w;
    unsigned last = behind_last(set, REGID_UR / 64);
    unsigned last_uniform = behind_last(&set[REGID_UR / 64], 1);
    unsigned last_high = behind_last(set, N_REGID / 64);

    m->reads_rpc |= i->base.op == OP_RPCMOV_FROM;
    if (last > m->n_regs)
        m->n_regs = last < REG_RZ ? last : REG_RZ;
    if (last_high > REGID_UR_HIGH)
        last_uniform = last_high - REGID_UR_HIGH + UR_LOW;
    if (last_uniform > m->n_uregs)
        m->n_uregs = last_uniform;
    for (unsigned k = 0; k < i->n_opds; k++) {
        const struct operand *o = &i->opd[k];
        bool named = o->kind == OPD_REG || o->kind == OPD_ADDR || o->kind == OPD_CONST;
        unsigned end = o->reg + (o->n_regs ? o->n_regs : 1u);

        if (named && o->reg != REG_RZ && end > m->n_regs)
            m->n_regs = end < REG_RZ ? end : REG_RZ;
        if (o->kind == OPD_BREG && o->reg >= m->n_bregs)
            m->n_bregs = o->reg + 1u;
    }
}

static int decode_all(struct sass_module *m, struct err *err)
{
    const struct cubin *c = &m->cubin;

    m->code = calloc(m->n_code + 1, sizeof *m->code);
    m->spread = spread_new();
    if (!m->code || !m->spread)
        return out_of_memory(err);
    for (uint64_t i = 0; i < m->n_code; i++)
        m->code[i].base.pc = m->code_base + 16 * i;
    for (uint32_t i = 1; i < c->n_sections; i++) {
        const struct cubin_section *s = &c->sections[i];

        if (!s->is_text)
            continue;
        for (uint64_t at = 0; at < s->size; at += 16) {
            struct word w = { cubin_u64(s->data + at), cubin_u64(s->data + at + 8) };
            uint64_t pc = m->section_addr[i] + at;

            struct sass_inst *to = &m->code[(pc - m->code_base) / 16];

            sass_decode(to, m->arch, w, pc);
            spread_bind(m->spread, to);
            note_registers(m, to);
            note_window(m, to);
        }
    }
    return 0;
}

/* 0: not a variable of the module; 1: it is; -1: one that runs out of its section. */
static int make_variable(const struct sass_module *m, const struct cubin_symbol *s,
                         struct sass_variable *v, struct err *err)
{
    const struct cubin_section *sec;

    if (s->type != STT_OBJECT || s->section == 0 || s->section >= m->cubin.n_sections)
        return 0;
    sec = &m->cubin.sections[s->section];
    v->is_constant = is_constants(sec);
    if (!v->is_constant && !is_global(sec))
        return 0;
    if (s->value > sec->size || s->size > sec->size - s->value)
        return err_set(err, "variable %s, 0x%llx bytes at 0x%llx, runs past %s",
                       s->name, (unsigned long long)s->size,
                       (unsigned long long)s->value, sec->name);
    v->name = s->name;
    v->size = s->size;
    v->addr = s->value + m->section_addr[s->section];
    return 1;
}

static int make_variables(struct sass_module *m, struct err *err)
{
    const struct cubin *c = &m->cubin;

    m->variables = calloc((size_t)c->n_symbols + 1, sizeof *m->variables);
    if (!m->variables)
        return out_of_memory(err);
    for (uint32_t i = 0; i < c->n_symbols; i++) {
        int is_one =
            make_variable(m, &c->symbols[i], &m->variables[m->n_variables], err);

        if (is_one < 0)
            return -1;
        m->n_variables += (uint32_t)is_one;
    }
    return 0;
}

static int load_parts(struct sass_module *m, struct err *err)
{
    if (m->cubin.type == ET_REL)
        return err_set(err, "is a relocatable object, expected a linked cubin (nvlink, "
                            "or nvcc without -rdc=true)");
    m->arch = m->cubin.arch;
    m->section_addr = calloc((size_t)m->cubin.n_sections + 1, sizeof *m->section_addr);
    if (!m->section_addr)
        return out_of_memory(err);
    if (place_code(m, err) || place_globals(m, err) || place_constants(m, false, err) ||
        relocate_all(m, err))
        return -1;
    fill_globals(m);
    if (make_kernels(m, err) || make_variables(m, err))
        return -1;
    if (decode_all(m, err) || sass_mark(m->code, m->n_code, m->code_base, err) ||
        place_constants(m, m->reads_window, err))
        return -1;
    sass_mark_turns(m->code, m->n_code);
    if (m->constants)
        memcpy(m->space->bytes + (m->constants - m->space->base), m->bank3.data,
               m->bank3.size);
    return 0;
}

int sass_module_load(struct sass_module *m, struct space *space, uint64_t code_base,
                     const struct sass_image *image, struct err *err)
{
    *m = (struct sass_module){ .space = space, .code_base = code_base };
    m->image = malloc(image->size ? image->size : 1);
    if (!m->image)
        return out_of_memory(err);
    if (image->size)
        memcpy(m->image, image->data, image->size);
    if (cubin_parse(&m->cubin, image->file, m->image, image->size, err)) {
        sass_module_free(m);
        return -1;
    }
    if (sass_lines_read(&m->lines, &m->cubin, image->file, err) || load_parts(m, err)) {
        sass_module_free(m);
        return err_prefix(err, "%s", image->file);
    }
    return 0;
}

static void free_kernel(const struct sass_module *m, struct sass_kernel *k)
{
    for (unsigned b = 0; b < N_BANKS; b++)
        if (k->bank[b].data != m->bank3.data && k->bank[b].data != m->bank4.data)
            free(k->bank[b].data);
}

void sass_module_free(struct sass_module *m)
{
    for (uint32_t i = 0; i < m->n_kernels; i++)
        free_kernel(m, &m->kernels[i]);
    tell_shadow(m, true);
    if (m->globals)
        space_release(m->space, m->globals, NULL);
    if (m->constants)
        space_release(m->space, m->constants, NULL);
    free(m->kernels);
    free(m->variables);
    free(m->bank3.data);
    free(m->bank4.data);
    free(m->code);
    free(m->spread);
    free(m->section_addr);
    sass_lines_free(&m->lines);
    cubin_free(&m->cubin);
    free(m->image);
    *m = (struct sass_module){ 0 };
}

const struct sass_kernel *sass_module_kernel(const struct sass_module *m,
                                             const char *name)
{
    for (uint32_t i = 0; i < m->n_kernels; i++)
        if (strcmp(m->kernels[i].info->name, name) == 0)
            return &m->kernels[i];
    return NULL;
}

const struct sass_variable *sass_module_variable(const struct sass_module *m,
                                                 const char *name)
{
    for (uint32_t i = 0; i < m->n_variables; i++)
        if (strcmp(m->variables[i].name, name) == 0)
            return &m->variables[i];
    return NULL;
}
