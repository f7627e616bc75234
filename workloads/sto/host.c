/* host.c - sto: hashes of all windows of a piece of data, as a storage system compares. */
#include "../workload.h"

enum { THREADS = 128, WINDOW = 13, WORDS = 16, ROUNDS = 80 };

static uint32_t rotate(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static uint32_t mix(int round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20)
        return ((b & c) | (~b & d)) + 0x5a827999;
    if (round >= 40 && round < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    return (b ^ c ^ d) + (round < 40 ? 0x6ed9eba1 : 0xca62c1d6);
}

/* First word of the SHA-1 of a window; bytes lie in data as in memory, lowest first. */
static uint32_t sha1_word(const uint32_t *data)
{
    const uint32_t start = 0x67452301;
    uint32_t w[ROUNDS] = { [WINDOW] = 0x80000000, [WORDS - 1] = WINDOW * 32 };
    uint32_t a = start, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;

    for (int i = 0; i < WINDOW; i++)
        w[i] = data[i] << 24 | (data[i] & 0xff00) << 8 | (data[i] >> 8 & 0xff00) |
               data[i] >> 24;
    for (int i = WORDS; i < ROUNDS; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t next = rotate(a, 5) + mix(i, b, c, d) + e + w[i];

        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    return start + a;
}

static int sto_run(struct workload_env *env)
{
    static const unsigned sizes[N_WORKLOAD_SIZE] = { 8, 384, 384 };
    unsigned blocks = sizes[env->size];
    size_t windows = (size_t)blocks * THREADS, words = windows + WINDOW - 1;
    struct launch l = { "hash_windows", { blocks }, { THREADS }, 0 };
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 123);
    uint32_t *data = rig_host(&r, words, sizeof *data);
    uint32_t *want = rig_host(&r, windows, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < words; i++)
        data[i] = (uint32_t)(rng_next(&rng) >> 32);
    for (size_t i = 0; i < windows; i++)
        want[i] = sha1_word(&data[i]);

    CUdeviceptr d_data = rig_upload(&r, data, words * sizeof *data);
    CUdeviceptr digests = rig_alloc(&r, windows * sizeof *want);
    rig_launch(&r, &l, RIG_ARGS(RIG_ARG(d_data), RIG_ARG(digests)));
    rig_result(&r, "digests", digests, want, windows);
    return rig_end(&r);
}

const struct workload workload_sto = {
    .name = "sto",
    .summary = "SHA-1 of sliding windows, as StoreGPU computes them",
    .suite = "ISPASS",
    .theirs = "STO",
    .papers = "ghost",
    .sizes = { "1024 windows", "49152 windows", "49152 windows" },
    .run = sto_run,
};
