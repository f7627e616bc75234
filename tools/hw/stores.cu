// stores.cu: which words that a thread has stored it finds in L1 afterwards, depending on
// the cycles between its stores.
// nvcc -O3 -arch=sm_90 -cubin -o stores.cubin stores.cu; nvcc -O2 -o stores stores.cu -lcuda
// python3 stores.py | ./stores stores.cubin > stores.txt
// A pattern is STRIDE MODE OFFSET:WIDTH+CYCLES...: the stores, each with the cycles to the
// next one, are written into a loop of the cubin, which repeats them STRIDE bytes further
// on. Then all 8-byte words are read three times, one by one. The result is the pattern
// and, for each time and line of 128 bytes, the words that took longer than a hit.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <elf.h>
#include <map>
#include <string>
#include <vector>

enum { READ_DOWN = 2, READ_FIRST = 4, LAPS = 3, MAX_LINES = 1024 };

static __device__ __forceinline__ void spin(unsigned n)
{
    unsigned t = clock();
    while (clock() - t < n)
        ;
}
static __device__ __forceinline__ unsigned long long read_word(char *p,
                                                               unsigned *cycles)
{
    unsigned t0, t1;
    unsigned long long v;
    asm volatile(
        "{ .reg .pred q; setp.ne.u64 q, %1, 7; mov.u32 %0, 0; @q mov.u32 %0, %%clock; }"
        : "=r"(t0)
        : "l"(p)
        : "memory");
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    asm volatile(
        "{ .reg .pred q; setp.ne.u64 q, %1, 7; mov.u32 %0, 0; @q mov.u32 %0, %%clock; }"
        : "=r"(t1)
        : "l"(v)
        : "memory");
    *cycles = t1 - t0;
    return v;
}
// touches the page, then reads everything if asked to
static __device__ __forceinline__ void before(char *a, int n, int mode)
{
    unsigned long long v = 0;
    unsigned t;
    asm volatile("st.global.u64 [%0], %1;" ::"l"(a + (1 << 19)), "l"(0ll) : "memory");
    asm volatile("ld.global.u64 %0, [%1];"
                 : "=l"(v)
                 : "l"(a + (1 << 19) + 4096)
                 : "memory");
    spin(4000 + (unsigned)v);
#pragma unroll 1
    for (int i = 0; mode & READ_FIRST && i < n; i += 32)
        v = read_word(a + i + v, &t);
    spin(100 + (unsigned)v); // uses it, so that the loads stay
}
static __device__ __forceinline__ void after(char *a, int n, int mode, unsigned *out)
{
    unsigned long long v = 0;
    spin(20000);
    for (int l = 0; l < LAPS; l++) {
#pragma unroll 1
        for (int i = 0; i < n; i += 128) {
            unsigned m = 0;
#pragma unroll
            for (int k = 0; k < 16; k++) {
                unsigned t;
                int w = mode & READ_DOWN ? 15 - k : k;
                v = read_word(a + i + 8 * w + v, &t);
                m |= (t > 120) << w;
            }
            asm volatile(
                "red.global.or.b32 [%0], %1;" ::"l"(out + l * MAX_LINES + i / 128),
                "r"(m)
                : "memory");
        }
    }
}
// a loop with room for instructions, which main() writes
#define S1(k) "st.global.v2.u64 [%0+" #k "], {%1, %2};\n"
#define S16                                                                           \
    S1(0)                                                                             \
    S1(16) S1(32) S1(48) S1(64) S1(80) S1(96) S1(112) S1(128) S1(144) S1(160) S1(176) \
        S1(192) S1(208) S1(224) S1(240)
#define S64 S16 S16 S16 S16
#define KERNEL(NAME, BODY)                                                         \
    extern "C" __global__ void NAME(char *a, int n, int mode, int stride,          \
                                    unsigned long long z0, unsigned long long z1,  \
                                    unsigned *out)                                 \
    {                                                                              \
        char *b = a;                                                               \
        before(a, n, mode);                                                        \
        _Pragma("unroll 1") for (int i = 0; i < n;                                 \
                                 i += stride,                                      \
                                 b += stride) asm volatile(BODY ::"l"(b), "l"(z0), \
                                                           "l"(z1) : "memory");    \
        after(a, n, mode, out);                                                    \
    }
KERNEL(slot32, S16 S16)
KERNEL(slot128, S64 S64)
KERNEL(slot512, S64 S64 S64 S64 S64 S64 S64 S64)

#define CK(x)                           \
    do {                                \
        CUresult e_ = (x);              \
        if (e_ != CUDA_SUCCESS) {       \
            const char *s_;             \
            cuGetErrorString(e_, &s_);  \
            printf("%s: %s\n", #x, s_); \
            exit(1);                    \
        }                               \
    } while (0)

struct store {
    int offset, width, cycles;
};

// Machine code of sm_90. A stall count above 11 would need the yield flag.
static const uint64_t NOP = 0x7918, NOP_CONTROL = 0x000fe00000000000ull;
static const int STALL_AT = 41, MOST_STALL = 11;

static uint64_t word(const char *at)
{
    uint64_t v;
    memcpy(&v, at, 8);
    return v;
}
static void put(char *at, uint64_t lo, uint64_t hi)
{
    memcpy(at, &lo, 8);
    memcpy(at + 8, &hi, 8);
}
static bool is_store(const char *at)
{
    return (word(at) & 0xfff) == 0x986;
}

// Overwrites the longest run of stores; false: the pattern does not fit.
static bool write_code(char *code, size_t n, const std::vector<store> &seq)
{
    size_t first = 0, run = 0;
    for (size_t i = 0; i < n && !run; i++) {
        size_t j = i;
        while (j < n && is_store(code + 16 * j))
            j++;
        if (j - i >= 16)
            first = i, run = j - i;
    }
    uint64_t lo = word(code + 16 * first), hi = word(code + 16 * first + 8);
    for (size_t i = first; i-- > first - 4;) // the store before it only waits
        if (is_store(code + 16 * i))
            put(code + 16 * i, NOP,
                (word(code + 16 * i + 8) & 0x03f1fe0000000000ull) |
                    0x000fc00000000000ull);
    size_t at = first, end = first + run;
    for (const store &s : seq) {
        uint64_t size = s.width == 16 ? 0xd : s.width == 8 ? 0xb : 0x9;
        for (int left = s.cycles, k = 0; !k || left > 0; k++) {
            uint64_t stall = left > MOST_STALL ? MOST_STALL : left;
            if (at == end)
                return false;
            if (k)
                put(code + 16 * at++, NOP, NOP_CONTROL | stall << STALL_AT);
            else
                put(code + 16 * at++, (lo & 0xffffffffffull) | (uint64_t)s.offset << 40,
                    (hi & ~((15ull << STALL_AT) | (15ull << 8))) | stall << STALL_AT |
                        size << 8 | 1ull << 45);
            left -= (int)stall;
        }
    }
    while (at < end)
        put(code + 16 * at++, NOP, NOP_CONTROL | 1ull << STALL_AT);
    return true;
}

static bool write_kernel(std::vector<char> &f, const char *kernel,
                         const std::vector<store> &seq)
{
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)f.data();
    const Elf64_Shdr *s = (const Elf64_Shdr *)(f.data() + e->e_shoff);
    const char *names = f.data() + s[e->e_shstrndx].sh_offset;
    for (int k = 0; k < e->e_shnum; k++)
        if (std::string(".text.") + kernel == names + s[k].sh_name)
            return write_code(f.data() + s[k].sh_offset, s[k].sh_size / 16, seq);
    return false;
}

static void print_line(const unsigned *masks, int line, int unit, int lines)
{
    std::map<unsigned, int> times;
    for (int i = line + 4 * unit; i < lines; i += unit)
        times[masks[i]]++;
    if (times.size() == 1)
        printf(" %04x", times.begin()->first);
    else
        printf(" ?");
}

int main(int argc, char **argv)
{
    static const char *kernels[] = { "slot32", "slot128", "slot512" };
    static unsigned masks[LAPS * MAX_LINES];
    static char line[16384];
    std::vector<char> file;
    CUdevice d;
    CUcontext c;
    CUdeviceptr big, out;
    size_t at = 0;
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;

    if (!f)
        return fprintf(stderr, "usage: stores stores.cubin < patterns\n"), 2;
    for (int ch; (ch = fgetc(f)) != EOF;)
        file.push_back((char)ch);
    CK(cuInit(0));
    CK(cuDeviceGet(&d, 0));
    CK(cuDevicePrimaryCtxRetain(&c, d));
    CK(cuCtxSetCurrent(c));
    CK(cuMemAlloc(&big, 512ull << 20));
    CK(cuMemAlloc(&out, 1 << 16));
    CK(cuMemsetD8(big, 0, 512ull << 20));
    while (fgets(line, sizeof line, stdin)) {
        int stride, mode, used, k;
        unsigned long long zero = 0;
        std::vector<store> seq;
        std::vector<char> image;
        if (sscanf(line, "%d %d%n", &stride, &mode, &used) != 2)
            continue;
        line[strcspn(line, "\n")] = '\0';
        std::string rest = line + used;
        for (char *t = strtok(line + used, " "); t; t = strtok(NULL, " ")) {
            store s;
            if (sscanf(t, "%d:%d+%d", &s.offset, &s.width, &s.cycles) == 3)
                seq.push_back(s);
        }
        for (k = 0; k < 3; k++) {
            image = file;
            if (write_kernel(image, kernels[k], seq))
                break;
        }
        if (k == 3)
            continue;
        CUmodule m;
        CUfunction fn;
        CK(cuModuleLoadData(&m, image.data()));
        CK(cuModuleGetFunction(&fn, m, kernels[k]));
        int unit = stride % 128 ? stride / 32 : stride / 128,
            n = unit * 128 * (unit == 17 ? 12 : 32);
        at = (at + (2 << 20)) % (500u << 20);
        CUdeviceptr a = big + at;
        void *args[] = { &a, &n, &mode, &stride, &zero, &zero, &out };
        CK(cuMemsetD8(out, 0, sizeof masks));
        CK(cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, 0, args, 0));
        CK(cuMemcpyDtoH(masks, out, sizeof masks));
        CK(cuModuleUnload(m));
        printf("%d %d%s", stride, mode, rest.c_str());
        for (int l = 0; l < LAPS; l++) {
            printf(" |");
            for (int u = 0; u < unit; u++)
                print_line(masks + l * MAX_LINES, u, unit, n / 128);
        }
        printf("\n");
    }
    return 0;
}
