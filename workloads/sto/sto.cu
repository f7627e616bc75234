/* sto.cu - SHA-1 of every window of 52 bytes, four bytes apart.
 *
 * One thread per window. A thread's message and its message schedule lie in shared memory,
 * the words of a warp's lanes side by side, so that no banks conflict. The first word of
 * the digest is the result. A window with its padding is exactly one message of 64 bytes.
 */
enum { WARP = 32, THREADS = 128, WORDS = 16, WINDOW = 13, ROUNDS = 80 };

static __device__ unsigned rotate(unsigned x, int by)
{
    return x << by | x >> (32 - by);
}

/* Bytes come in memory order, SHA-1 counts the first as the highest. */
static __device__ unsigned swap_bytes(unsigned x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

static __device__ unsigned mix(int round, unsigned b, unsigned c, unsigned d)
{
    if (round < 20)
        return (d ^ (b & (c ^ d))) + 0x5a827999;
    if (round < 40)
        return (b ^ c ^ d) + 0x6ed9eba1;
    if (round < 60)
        return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
    return (b ^ c ^ d) + 0xca62c1d6;
}

/* Word of the schedule for a round; schedule keeps the last sixteen. */
static __device__ unsigned schedule_word(unsigned *schedule, const unsigned *message,
                                         int round)
{
    unsigned word;

    if (round < WORDS)
        word = swap_bytes(message[round * WARP]);
    else
        word = rotate(schedule[(round - 3) % WORDS * WARP] ^
                          schedule[(round - 8) % WORDS * WARP] ^
                          schedule[(round - 14) % WORDS * WARP] ^
                          schedule[round % WORDS * WARP],
                      1);
    schedule[round % WORDS * WARP] = word;
    return word;
}

static __device__ unsigned digest_word(unsigned *schedule, const unsigned *message)
{
    const unsigned start = 0x67452301;
    unsigned a = start, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;

#pragma unroll
    for (int round = 0; round < ROUNDS; round++) {
        unsigned next = rotate(a, 5) + mix(round, b, c, d) + e;

        next += schedule_word(schedule, message, round);
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    return start + a;
}

extern "C" __global__ void hash_windows(const unsigned *data, unsigned *digests)
{
    __shared__ unsigned messages[THREADS * WORDS], schedules[THREADS * WORDS];
    int first = threadIdx.x / WARP * WARP * WORDS + threadIdx.x % WARP;
    int window = blockIdx.x * THREADS + threadIdx.x;
    unsigned *message = messages + first;

    for (int i = 0; i < WINDOW; i++)
        message[i * WARP] = data[window + i];
    message[WINDOW * WARP] = 0x80;
    message[(WINDOW + 1) * WARP] = 0;
    message[(WINDOW + 2) * WARP] = swap_bytes(WINDOW * 32);
    digests[window] = digest_word(schedules + first, message);
}
