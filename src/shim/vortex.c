/* vortex.c - Vortex's host interface on top of a vortex_machine.
 *
 * Device configuration registers: 1, 2 the start address, 3, 4 that of the arguments, 5
 * the class of counters. Counters are read where a program leaves them as it ends, as
 * Vortex's runtime does. Not supported: the interface of 2.0, which uses addresses
 * instead of buffers, and access rights.
 */
#include "shim/vortex.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shim/vortex_memory.h"
#include "sim/vortex.h"

enum { MAX_FILE = 1 << 30, N_DCR = 4096, MEMORY_BANKS = 2 };
enum { DCR_START_LOW = 1, DCR_START_HIGH, DCR_ARG_LOW, DCR_ARG_HIGH, DCR_CLASS };
enum { CSR_FIRST = 0xb00, CSR_CYCLE = 0xb00, CSR_INSTRET = 0xb02, N_COUNTERS = 32 };

/* misa: RV32IMAF, user mode, extensions of its own. */
#define ISA_FLAGS 0x40901121ull

struct buffer {
    struct device *device;
    struct buffer *next;
    uint64_t addr, size;
    uint32_t start; /* of a kernel: where it begins */
};

struct device {
    struct vortex_machine *machine;
    struct riscv_memory *memory;
    struct vortex_allocator allocator;
    struct buffer *buffers;
    uint32_t dcr[N_DCR];
    bool has_run;
};

static int report_failure(const char *call, const struct err *err)
{
    fprintf(stderr, "libvortex: %s: %s\n", call, err->text);
    return -1;
}

static int refuse_call(const char *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse_call(const char *call, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "libvortex: %s: ", call);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return -1;
}

static void free_device(struct device *d)
{
    while (d->buffers) {
        struct buffer *next = d->buffers->next;

        free(d->buffers);
        d->buffers = next;
    }
    if (d->machine)
        d->machine->ops->free(d->machine);
    riscv_memory_free(d->memory);
    vortex_allocator_free(&d->allocator);
    free(d);
}

int vx_dev_open(vx_device_h *device)
{
    const char *gpu = getenv("LENO_GPU"), *profiling = getenv("VORTEX_PROFILING");
    struct device *d = calloc(1, sizeof *d);
    struct err err = { 0 };

    if (!device || !d) {
        free(d);
        if (!device)
            return refuse_call("vx_dev_open", "no handle");
        err_memory(&err, "a device");
        return report_failure("vx_dev_open", &err);
    }
    d->memory = riscv_memory_new(&err);
    if (d->memory)
        d->machine = vortex_timed_new(gpu ? gpu : "vortex-4x4", getenv("LENO_SCHEME"),
                                      getenv("LENO_SET"), &err);
    if (!d->machine) {
        free_device(d);
        return report_failure("vx_dev_open", &err);
    }
    d->dcr[DCR_START_LOW] = RISCV_START;
    d->dcr[DCR_CLASS] = profiling ? (uint32_t)strtoul(profiling, NULL, 10) : 0;
    *device = d;
    return 0;
}

/* Statistics of all launches, for whoever asks by LENO_STATS. */
static int write_stats(const struct device *d, const char *path)
{
    struct buf text = { 0 };
    struct err err = { 0 };
    int failed = d->machine->ops->print_stats(d->machine, &text, &err) ||
                 file_write(path, text.data, text.len, &err);

    buf_free(&text);
    return failed ? report_failure("vx_dev_close", &err) : 0;
}

int vx_dev_close(vx_device_h device)
{
    struct device *d = device;
    const char *stats = getenv("LENO_STATS");
    int failed = 0;

    if (!d)
        return refuse_call("vx_dev_close", "no device");
    if (d->has_run)
        vx_dump_perf(d, stdout);
    if (d->has_run && stats)
        failed = write_stats(d, stats);
    free_device(d);
    return failed;
}

int vx_dev_caps(vx_device_h device, uint32_t id, uint64_t *value)
{
    const struct device *d = device;
    const uint64_t memory = (uint64_t)1 << 32;

    if (!d || !value || id > VX_CAPS_MEM_BANK_SIZE)
        return refuse_call("vx_dev_caps",
                           "capability %u, expected 0 to %u and a place for it", id,
                           VX_CAPS_MEM_BANK_SIZE);
    *value = (const uint64_t[]){
        [VX_CAPS_VERSION] = 0, /* as Vortex has it, in all of 2.x */
        [VX_CAPS_NUM_THREADS] = d->machine->n_threads,
        [VX_CAPS_NUM_WARPS] = d->machine->n_warps,
        [VX_CAPS_NUM_CORES] = d->machine->n_cores,
        [VX_CAPS_CACHE_LINE_SIZE] = 64,
        [VX_CAPS_GLOBAL_MEM_SIZE] = memory,
        [VX_CAPS_LOCAL_MEM_SIZE] = d->machine->local_bytes,
        [VX_CAPS_ISA_FLAGS] =
            ISA_FLAGS | VX_ISA_EXT_ICACHE | VX_ISA_EXT_DCACHE | VX_ISA_EXT_LMEM,
        [VX_CAPS_NUM_MEM_BANKS] = MEMORY_BANKS,
        [VX_CAPS_MEM_BANK_SIZE] = memory / MEMORY_BANKS,
    }[id];
    return 0;
}

/* A buffer that has its place. */
static int add_buffer(struct device *d, uint64_t addr, uint64_t size,
                      vx_buffer_h *buffer, struct err *err)
{
    struct buffer *b = malloc(sizeof *b);

    if (!b) {
        vortex_release(&d->allocator, addr);
        return err_memory(err, "a buffer");
    }
    *b = (struct buffer){ d, d->buffers, addr, size, (uint32_t)addr };
    d->buffers = b;
    *buffer = b;
    return 0;
}

int vx_mem_alloc(vx_device_h device, uint64_t size, int flags, vx_buffer_h *buffer)
{
    struct device *d = device;
    struct err err = { 0 };
    uint64_t addr;

    (void)flags;
    if (!d || !buffer)
        return refuse_call("vx_mem_alloc", "no device, or no handle");
    if (vortex_alloc(&d->allocator, size, &addr, &err) ||
        add_buffer(d, addr, size, buffer, &err))
        return report_failure("vx_mem_alloc", &err);
    return 0;
}

int vx_mem_reserve(vx_device_h device, uint64_t address, uint64_t size, int flags,
                   vx_buffer_h *buffer)
{
    struct device *d = device;
    struct err err = { 0 };

    (void)flags;
    if (!d || !buffer)
        return refuse_call("vx_mem_reserve", "no device, or no handle");
    if (vortex_reserve(&d->allocator, address, size, &err) ||
        add_buffer(d, address, size, buffer, &err))
        return report_failure("vx_mem_reserve", &err);
    return 0;
}

int vx_mem_free(vx_buffer_h buffer)
{
    struct buffer *b = buffer, **link;

    if (!b)
        return 0;
    for (link = &b->device->buffers; *link != b; link = &(*link)->next)
        ;
    *link = b->next;
    vortex_release(&b->device->allocator, b->addr);
    free(b);
    return 0;
}

/* Checks that bytes lie in a buffer; reports an error if not. */
static bool is_inside(const char *call, const struct buffer *b, uint64_t offset,
                      uint64_t size)
{
    if (b && offset <= b->size && size <= b->size - offset)
        return true;
    refuse_call(call, "%llu bytes at %llu of a buffer of %llu",
                (unsigned long long)size, (unsigned long long)offset,
                (unsigned long long)(b ? b->size : 0));
    return false;
}

int vx_mem_access(vx_buffer_h buffer, uint64_t offset, uint64_t size, int flags)
{
    (void)flags;
    return is_inside("vx_mem_access", buffer, offset, size) ? 0 : -1;
}

int vx_mem_address(vx_buffer_h buffer, uint64_t *address)
{
    const struct buffer *b = buffer;

    if (!b || !address)
        return refuse_call("vx_mem_address", "no buffer, or no place for the address");
    *address = b->addr;
    return 0;
}

int vx_mem_info(vx_device_h device, uint64_t *mem_free, uint64_t *mem_used)
{
    const struct device *d = device;

    if (!d)
        return refuse_call("vx_mem_info", "no device");
    if (mem_free)
        *mem_free = vortex_capacity() - vortex_used(&d->allocator);
    if (mem_used)
        *mem_used = vortex_used(&d->allocator);
    return 0;
}

int vx_copy_to_dev(vx_buffer_h buffer, const void *from, uint64_t offset, uint64_t size)
{
    const struct buffer *b = buffer;
    struct err err = { 0 };

    if (!is_inside("vx_copy_to_dev", b, offset, size))
        return -1;
    if (riscv_memory_write(b->device->memory, b->addr + offset, from, size, &err))
        return report_failure("vx_copy_to_dev", &err);
    return 0;
}

int vx_copy_from_dev(void *to, vx_buffer_h buffer, uint64_t offset, uint64_t size)
{
    const struct buffer *b = buffer;
    struct err err = { 0 };

    if (!is_inside("vx_copy_from_dev", b, offset, size))
        return -1;
    if (riscv_memory_read(b->device->memory, b->addr + offset, to, size, &err))
        return report_failure("vx_copy_from_dev", &err);
    return 0;
}

static void print_line(void *to, unsigned stream, const char *text, size_t n)
{
    fprintf(to, "#%u: %.*s%s", stream, (int)n, text,
            n && text[n - 1] == '\n' ? "" : "\n");
    fflush(to);
}

int vx_start(vx_device_h device, vx_buffer_h kernel, vx_buffer_h arguments)
{
    const struct buffer *code = kernel, *args = arguments;
    struct device *d = device;
    struct riscv_launch l = { .name = "kernel", .print = print_line };
    struct riscv_result result;
    struct err err = { 0 };

    if (!d || !code || !args)
        return refuse_call("vx_start", "no device, kernel or arguments");
    d->dcr[DCR_START_LOW] = code->start;
    d->dcr[DCR_ARG_LOW] = (uint32_t)args->addr;
    d->dcr[DCR_START_HIGH] = d->dcr[DCR_ARG_HIGH] = 0;
    d->machine->counter_class = d->dcr[DCR_CLASS];
    l.memory = d->memory;
    l.start = d->dcr[DCR_START_LOW];
    l.arguments = d->dcr[DCR_ARG_LOW];
    l.print_to = stdout;
    d->has_run = true;
    if (d->machine->ops->run(d->machine, &l, &result, &err))
        return report_failure("vx_start", &err);
    return 0;
}

int vx_ready_wait(vx_device_h device, uint64_t timeout)
{
    (void)timeout;
    return device ? 0 : refuse_call("vx_ready_wait", "no device");
}

int vx_dcr_read(vx_device_h device, uint32_t address, uint32_t *value)
{
    const struct device *d = device;

    if (!d || !value || address >= N_DCR)
        return refuse_call("vx_dcr_read", "no register 0x%x, expected one below 0x%x",
                           address, (unsigned)N_DCR);
    *value = d->dcr[address];
    return 0;
}

int vx_dcr_write(vx_device_h device, uint32_t address, uint32_t value)
{
    struct device *d = device;

    if (!d || address >= N_DCR)
        return refuse_call("vx_dcr_write", "no register 0x%x, expected one below 0x%x",
                           address, (unsigned)N_DCR);
    d->dcr[address] = value;
    return 0;
}

static uint64_t read_counter(const struct device *d, unsigned csr, unsigned core)
{
    uint64_t at = RISCV_COUNTERS + 8 * ((uint64_t)core * N_COUNTERS + csr - CSR_FIRST);
    uint64_t value = 0;

    riscv_memory_read(d->memory, at, &value, sizeof value, NULL);
    return value;
}

int vx_mpm_query(vx_device_h device, uint32_t csr, uint32_t core, uint64_t *value)
{
    const struct device *d = device;
    bool is_all = core == UINT32_MAX; /* the sum of all cores */

    if (!d || !value || csr < CSR_FIRST || csr >= CSR_FIRST + N_COUNTERS)
        return refuse_call("vx_mpm_query", "no counter 0x%x, expected 0xb00 to 0xb1f",
                           csr);
    if (!is_all && core >= d->machine->n_cores)
        return refuse_call("vx_mpm_query", "no core %u of %u", core,
                           d->machine->n_cores);
    *value = 0;
    for (unsigned n = 0; n < d->machine->n_cores; n++)
        if (is_all || n == core)
            *value += read_counter(d, csr, n);
    return 0;
}

int vx_upload_kernel_bytes(vx_device_h device, const void *bytes, uint64_t size,
                           vx_buffer_h *buffer)
{
    struct device *d = device;
    struct riscv_image image;
    struct err err = { 0 };

    if (!d || !bytes || !buffer)
        return refuse_call("vx_upload_kernel_bytes", "no device, kernel or handle");
    if (riscv_load(NULL, "kernel", bytes, size, &image, &err) ||
        vortex_reserve(&d->allocator, image.low, image.high - image.low, &err) ||
        add_buffer(d, image.low, image.high - image.low, buffer, &err))
        return report_failure("vx_upload_kernel_bytes", &err);
    ((struct buffer *)*buffer)->start = image.start;
    return riscv_load(d->memory, "kernel", bytes, size, &image, &err);
}

int vx_upload_bytes(vx_device_h device, const void *bytes, uint64_t size,
                    vx_buffer_h *buffer)
{
    if (!bytes)
        return refuse_call("vx_upload_bytes", "no bytes");
    if (vx_mem_alloc(device, size, VX_MEM_READ, buffer))
        return -1;
    return vx_copy_to_dev(*buffer, bytes, 0, size);
}

/* A file through one of the two above. */
typedef int upload_fn(vx_device_h, const void *, uint64_t, vx_buffer_h *);

static int upload_file(vx_device_h device, const char *name, vx_buffer_h *buffer,
                       upload_fn *upload)
{
    struct err err = { 0 };
    struct file file;
    int failed;

    if (!name)
        return refuse_call("vx_upload_file", "no name");
    if (file_read(name, MAX_FILE, &file, &err))
        return report_failure("vx_upload_file", &err);
    failed = upload(device, file.data, file.size, buffer);
    file_free(&file);
    return failed;
}

int vx_upload_kernel_file(vx_device_h device, const char *name, vx_buffer_h *buffer)
{
    return upload_file(device, name, buffer, vx_upload_kernel_bytes);
}

int vx_upload_file(vx_device_h device, const char *name, vx_buffer_h *buffer)
{
    return upload_file(device, name, buffer, vx_upload_bytes);
}

/* Local memory for each of as many groups as a core runs at a time. */
int vx_check_occupancy(vx_device_h device, uint32_t group_size, uint32_t *max_localmem)
{
    const struct device *d = device;
    uint32_t n_threads, n_warps, warps;

    if (!d || !group_size)
        return refuse_call("vx_check_occupancy", "no device, or groups of none");
    n_threads = d->machine->n_threads;
    n_warps = d->machine->n_warps;
    warps = group_size / n_threads + (group_size % n_threads != 0);
    if (warps > n_warps)
        return refuse_call("vx_check_occupancy",
                           "groups of %u threads, expected at most %u", group_size,
                           n_warps * n_threads);
    if (max_localmem)
        *max_localmem = d->machine->local_bytes / (n_warps / warps);
    return 0;
}

/* Counters of the classes, worded as in Vortex's runtime. Those that this machine lacks
 * (scoreboard, banks, miss registers) are left out. */
static const struct counter_line {
    uint8_t class, csr; /* offset from CSR_FIRST */
    const char *words;
} counter_lines[] = {
    { 1, 0x05, "ibuffer stalls" },
    { 1, 0x0b, "ifetches" },
    { 1, 0x0c, "loads" },
    { 1, 0x0d, "stores" },
    { 2, 0x1b, "lmem reads" },
    { 2, 0x1c, "lmem writes" },
    { 2, 0x1d, "lmem bank stalls" },
    { 2, 0x03, "icache reads" },
    { 2, 0x04, "icache read misses" },
    { 2, 0x06, "dcache reads" },
    { 2, 0x07, "dcache writes" },
    { 2, 0x08, "dcache read misses" },
    { 2, 0x09, "dcache write misses" },
    { 2, 0x0c, "l2cache reads" },
    { 2, 0x0e, "l2cache read misses" },
    { 2, 0x18, "memory reads" },
    { 2, 0x19, "memory writes" },
    { 2, 0x1a, "memory latency" },
};

static void dump_class(const struct device *d, FILE *stream)
{
    for (size_t i = 0; i < sizeof counter_lines / sizeof *counter_lines; i++) {
        const struct counter_line *c = &counter_lines[i];

        for (unsigned n = 0; c->class == d->dcr[DCR_CLASS] && n < d->machine->n_cores;
             n++)
            fprintf(stream, "PERF: core%u: %s=%llu\n", n, c->words,
                    (unsigned long long)read_counter(d, CSR_FIRST + c->csr, n));
    }
}

static void dump_ipc(FILE *stream, const char *of, uint64_t instrs, uint64_t cycles)
{
    fprintf(stream, "PERF: %sinstrs=%llu, cycles=%llu, IPC=%f\n", of,
            (unsigned long long)instrs, (unsigned long long)cycles,
            cycles ? (double)instrs / (double)cycles : 0);
}

int vx_dump_perf(vx_device_h device, FILE *stream)
{
    const struct device *d = device;
    uint64_t instrs = 0, cycles = 0;

    if (!d || !stream)
        return refuse_call("vx_dump_perf", "no device, or no stream");
    dump_class(d, stream);
    for (unsigned n = 0; n < d->machine->n_cores; n++) {
        uint64_t core_instrs = read_counter(d, CSR_INSTRET, n);
        uint64_t core_cycles = read_counter(d, CSR_CYCLE, n);
        char core[24];

        snprintf(core, sizeof core, "core%u: ", n);
        if (d->machine->n_cores > 1)
            dump_ipc(stream, core, core_instrs, core_cycles);
        instrs += core_instrs;
        cycles = core_cycles > cycles ? core_cycles : cycles;
    }
    dump_ipc(stream, "", instrs, cycles);
    return fflush(stream) ? -1 : 0;
}
