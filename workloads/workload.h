/* workload.h - what a workload's host is, and what it may use.
 *
 * A host is C against the CUDA driver API's own names, so the same file runs on Leno
 * and on a real GPU. Whoever runs it (Leno, or tools/hw/runner.c) finds and loads the
 * cubin, makes a context current and calls run(). The host makes its input from the
 * seed, launches, hands every result buffer to output(), and checks it.
 *
 * Invariants every workload keeps, so that runs can be compared bit for bit:
 * - results and the number of executions of each instruction do not depend on the
 *   order of blocks or warps, unless float_atomics says so;
 * - no memory that nobody wrote reaches an output;
 * - input and expected output use only operations that are exactly rounded in IEEE
 *   arithmetic (+ - * / sqrt fma): nothing from libm that differs between versions.
 *   Kernels name every fused operation with fma(), so no contraction is left to the
 *   compiler's choice and the check can be exact. A kernel that needs exp() and its kin
 *   is checked within a bound instead (rig_near()), against the functions of reference.h; that its bits are a GPU's is for the recorded outputs to show.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum workload_size { SIZE_TINY, SIZE_SMALL, SIZE_PAPER, N_WORKLOAD_SIZE };

/* The seed when nobody names one; recorded results belong to it. */
enum { WORKLOAD_SEED = 1 };

/* Given by whoever runs the workload. */
struct workload_env {
    enum workload_size size;
    uint64_t seed;
    CUmodule module; /* the workload's cubin, loaded */
    /* Called once for every result buffer, after it was copied back. */
    void (*output)(struct workload_env *env, const char *name, const void *bytes,
                   size_t n);
    char message[256];     /* why run() failed */
    bool is_out_of_memory; /* it failed because the host is */
};

struct workload {
    const char *name, *summary;
    const char *suite;  /* that has it: "Rodinia" */
    const char *theirs; /* its name there; NULL: the same */
    const char *papers; /* that measured it, as leno reproduce names them; NULL: none */
    const char *sizes[N_WORKLOAD_SIZE]; /* in words: "64x64" */
    unsigned
        sm[2]; /* architectures with a cubin, first and last: 80, 120; zeros: all */
    bool float_atomics; /* output depends on order: differences from hardware excused */
    int (*run)(struct workload_env *env); /* 0: output right; -1: message set */
};

/* ---- input: a small generator of our own, the same numbers everywhere ---- */

struct rng {
    uint64_t state;
};

/* Streams with different salts are independent for the same seed. */
static inline struct rng rng_start(const struct workload_env *env, uint64_t salt)
{
    return (struct rng){ env->seed * 0xd1342543de82ef95u ^ salt * 0xaf251af3b0f025b5u };
}

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Uniform in [0, n). */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* Uniform in [0, 1), a multiple of 2^-24: exact in float. */
static inline float rng_unit(struct rng *r)
{
    return (float)(rng_next(r) >> 40) * 0x1p-24f;
}

/* ---- the rig: what a host holds while it runs ----
 *
 * Thin wrappers over the driver API with a sticky failure: the first one that fails
 * sets the message, later calls do nothing, rig_end() frees everything and returns
 * the verdict. So a host reads as a straight line. After its rig_host() calls it must
 * look at failed once, since those return NULL on failure.
 */
enum {
    RIG_MAX_DEVICE = 32,
    RIG_MAX_HOST = 32,
    RIG_MAX_TEXTURE = 4,
    RIG_MAX_ARGS = 1024,
    RIG_PLAIN_SHARED = 48 << 10 /* a kernel may have without asking */
};

/* An array, NULL if it is device memory, and the texture that kernels read it through. */
struct rig_texture {
    CUarray array;
    CUtexObject object; /* the kernel's argument */
    size_t row, rows;   /* bytes per row, number of rows */
};

struct rig {
    struct workload_env *env;
    bool failed; /* a call failed: nothing more is done */
    bool wrong;  /* a result differed: the run goes on, so that all are handed over */
    uint8_t n_device, n_host, n_texture;
    CUdeviceptr device[RIG_MAX_DEVICE];
    void *host[RIG_MAX_HOST];
    struct rig_texture texture[RIG_MAX_TEXTURE];
};

struct launch {
    const char *kernel;
    unsigned grid[3], block[3]; /* x, y, z; 0 means 1 */
    unsigned shared;            /* bytes of dynamic shared memory */
};

/* The kernel's parameters, in order: RIG_ARGS(RIG_ARG(a), RIG_ARG(b)). */
struct rig_arg {
    const void *at;
    size_t size;
};
#define RIG_ARG(x)      \
    {                   \
        &(x), sizeof(x) \
    }
#define RIG_ARGS(...) ((const struct rig_arg[]){ __VA_ARGS__, { NULL, 0 } })

struct rig rig_begin(struct workload_env *env);
int rig_end(struct rig *r);

/* Sets failed, and the message unless there is one already. */
void rig_fail(struct rig *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* n zeroed elements of host memory, freed by rig_end(). */
void *rig_host(struct rig *r, size_t n, size_t size);
/* Frees such an array before the end. */
void rig_drop(struct rig *r, void *p);

CUdeviceptr rig_alloc(struct rig *r, size_t bytes);
CUdeviceptr rig_upload(struct rig *r, const void *bytes, size_t n);
/* Frees device memory before the end. */
void rig_free(struct rig *r, CUdeviceptr at);
void rig_fill(struct rig *r, CUdeviceptr at, uint32_t word, size_t n_words);
void rig_write(struct rig *r, CUdeviceptr at, const void *bytes, size_t n);
void rig_download(struct rig *r, void *to, CUdeviceptr from, size_t n);

/* Address of a module variable, which must hold exactly bytes. */
CUdeviceptr rig_global(struct rig *r, const char *name, size_t bytes);

/* A two-dimensional texture of texels with n_channels of a format. Kernels read the nearest
 * texel, by its place in texels, clamped to the edge; integers of 8 and 16 bits as fractions
 * of 1. */
struct rig_texture rig_texture(struct rig *r, CUarray_format format,
                               unsigned n_channels, unsigned width, unsigned height);

/* A one-dimensional texture over n floats of device memory, for tex1Dfetch() of one or
 * four of them at a time. */
CUtexObject rig_texture_floats(struct rig *r, CUdeviceptr at, unsigned n_channels,
                               size_t n);

/* Fills the texture from device memory, rows without gaps. */
void rig_texture_copy(struct rig *r, const struct rig_texture *to, CUdeviceptr from);

/* A matrix whose rows are lines of elements without gaps, as tensor copies see it: boxes are
 * 128 bytes of box_rows rows, with the swizzle of that width, and zeros beyond the edges.
 * Elements of TF32 are floats. */
enum rig_element { RIG_F16, RIG_BF16, RIG_TF32, RIG_E4M3 };
enum { RIG_LINE = 128 };
struct rig_matrix {
    enum rig_element element;
    unsigned rows, cols, box_rows;
};

unsigned rig_element_bytes(enum rig_element element);
void rig_tensor_map(struct rig *r, CUtensorMap *map, CUdeviceptr at,
                    const struct rig_matrix *m);

/* Launches and waits, so that a fault is reported for the right kernel. A kernel with other
 * parameters than these is refused. */
void rig_launch(struct rig *r, const struct launch *launch, const struct rig_arg *args);

/* Hands over n 32-bit words already on the host as a result, and compares them bit
 * for bit with what is expected (want may be NULL: only handed over). */
void rig_output(struct rig *r, const char *name, const void *got, const void *want,
                size_t n);

/* The same for a result that is still on the device. */
void rig_result(struct rig *r, const char *name, CUdeviceptr at, const void *want,
                size_t n);

/* The same for n floats that may each be off by bound * max(1, |want|). */
void rig_near(struct rig *r, const char *name, CUdeviceptr at, const float *want,
              size_t n, float bound);

static inline unsigned div_up(unsigned n, unsigned by)
{
    return (n + by - 1) / by;
}

#endif
