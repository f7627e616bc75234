/* run.cpp - runs feature kernels on fibers and writes what they leave, in the suite's record format. */
#include "cuda_host.hpp"
#include <cstdio>
#include <ucontext.h>
#include <vector>
extern "C" {
#include "suite.h"
}

typedef void (*kernel)(uint32_t *, const uint32_t *, uint32_t);
struct entry { const char *name; kernel f; };
extern const entry host_kernels[];

suite_image host_image;
std::vector<uint8_t> host_pixels; /* the image, packed */
dim threadIdx, blockIdx, blockDim, gridDim;

enum state { RUN, BARRIER, WARP, DONE };
struct fiber { ucontext_t ctx; state st; dim tid; uint32_t mask; uint64_t value, snap[32]; uint32_t pred, result; int how; std::vector<char> stack; };
static std::vector<fiber> fibers;
static uint32_t n_threads, now;
static ucontext_t home;
static kernel fn;
static uint32_t *arg_out, arg_n;
static const uint32_t *arg_in;

static void body() { fn(arg_out, arg_in, arg_n); fibers[now].st = DONE; swapcontext(&fibers[now].ctx, &home); }
static void pause_as(state s) { fibers[now].st = s; swapcontext(&fibers[now].ctx, &home); }
void host_yield() { pause_as(RUN); }
void host_barrier() { fibers[now].how = -1; pause_as(BARRIER); }
uint32_t host_reduce(uint32_t v, int how) { fibers[now].pred = v; fibers[now].how = how; pause_as(BARRIER); return fibers[now].result; }
const uint64_t *host_exchange(uint32_t mask, uint64_t v, uint32_t *lane) { fibers[now].value = v; fibers[now].mask = mask; *lane = now & 31; pause_as(WARP); return fibers[now].snap; }
uint32_t host_live() { uint32_t m = 0, w = now & ~31u; for (uint32_t i = 0; i < 32 && w + i < n_threads; i++) if (fibers[w + i].st != DONE) m |= 1u << i; return m; }

static bool release_barrier()
{
    uint32_t live = 0, sum = 0;
    for (uint32_t i = 0; i < n_threads; i++) { if (fibers[i].st == DONE) continue; if (fibers[i].st != BARRIER) return false; live++; sum += fibers[i].pred; }
    if (!live) return false;
    for (uint32_t i = 0; i < n_threads; i++) if (fibers[i].st == BARRIER) { fiber &f = fibers[i]; f.result = f.how == 0 ? sum : f.how == 1 ? sum == live : sum != 0; f.st = RUN; }
    for (uint32_t i = 0; i < n_threads; i++) fibers[i].pred = 0;
    return true;
}

static bool release_warp(uint32_t w)
{
    bool any = false;
    for (uint32_t i = 0; i < 32 && w + i < n_threads; i++) {
        if (fibers[w + i].st != WARP) continue;
        uint32_t m = fibers[w + i].mask; bool all = true;
        for (uint32_t k = 0; k < 32; k++) if (m >> k & 1 && w + k < n_threads && fibers[w + k].st != DONE && !(fibers[w + k].st == WARP && fibers[w + k].mask == m)) all = false;
        if (!all) continue;
        any = true;
        uint64_t snap[32] = {0};
        for (uint32_t k = 0; k < 32 && w + k < n_threads; k++) snap[k] = fibers[w + k].value;
        for (uint32_t k = 0; k < 32 && w + k < n_threads; k++) if (m >> k & 1 && fibers[w + k].st == WARP) { memcpy(fibers[w + k].snap, snap, sizeof snap); fibers[w + k].st = RUN; }
    }
    return any;
}

static bool run_block()
{
    for (uint32_t i = 0; i < n_threads; i++) {
        fiber &f = fibers[i];
        f.tid = {i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y}; f.st = RUN; f.pred = 0;
        if (f.stack.empty()) f.stack.resize(256 << 10);
        getcontext(&f.ctx); f.ctx.uc_stack.ss_sp = f.stack.data(); f.ctx.uc_stack.ss_size = f.stack.size(); f.ctx.uc_link = &home; makecontext(&f.ctx, body, 0);
    }
    for (;;) {
        bool moved = false, left = false;
        for (now = 0; now < n_threads; now++) {
            if (fibers[now].st == RUN) { moved = true; threadIdx = fibers[now].tid; swapcontext(&home, &fibers[now].ctx); }
            if (fibers[now].st != DONE) left = true;
        }
        if (!left) return true;
        for (uint32_t w = 0; w < n_threads; w += 32) moved |= release_warp(w);
        moved |= release_barrier();
        if (!moved) return false;
    }
}

static void run_case(const suite_case *c, kernel f)
{
    std::vector<uint32_t> in(c->in_words + 64), out(c->out_words + 64);
    suite_input_fill(in.data(), c);
    host_image = c->image;
    if (c->image.kind) host_pixels.assign((uint8_t *)in.data(), (uint8_t *)in.data() + suite_image_bytes(&c->image));
    fn = f; arg_out = out.data(); arg_in = in.data(); arg_n = c->n;
    gridDim = {c->grid[0], c->grid[1], c->grid[2]}; blockDim = {c->block[0], c->block[1], c->block[2]};
    n_threads = blockDim.x * blockDim.y * blockDim.z;
    if (fibers.size() < n_threads) fibers.resize(n_threads);
    for (uint32_t z = 0; z < gridDim.z; z++) for (uint32_t y = 0; y < gridDim.y; y++) for (uint32_t x = 0; x < gridDim.x; x++) {
        blockIdx = {x, y, z};
        if (!run_block()) { fprintf(stderr, "%s: stuck\n", c->name); return; }
    }
    if (c->image.flags & SUITE_IMAGE_BACK) memcpy((uint8_t *)out.data() + 4 * c->out_words - host_pixels.size(), host_pixels.data(), host_pixels.size());
    suite_record r;
    if (!suite_record_make(&r, c->name, out.data(), c->out_words)) suite_record_write(&r, stdout);
}

int main(int argc, char **argv)
{
    static suite_table t;
    if (argc < 2 || suite_table_read(&t, argv[1])) return 2;
    printf("# computed on a CPU by tools/isa/host; see there which kernels\n");
    for (uint32_t i = 0; i < t.n; i++)
        for (const entry *e = host_kernels; e->name; e++)
            if (!strcmp(e->name, t.cases[i].name) && (argc < 3 || !strcmp(argv[2], e->name))) run_case(&t.cases[i], e->f);
    return 0;
}
