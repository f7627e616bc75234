/* flow.cu - divergence: branches, loops, jump tables, early exits, irreducible flow. */
#include "feature.h"

// run flow_ifelse grid=3 block=96 out=288 in=288
KERNEL(flow_ifelse)
{
    u32 v = in[GID];
    if (v & 1) {
        if (v & 2) v = v * 7 + in[(GID + 1) % 288];
        else { v -= in[(GID + 2) % 288]; if (v & 64) v ^= 0x55555555; }
    } else if (v & 4) {
        v ^= in[(GID + 3) % 288];
        if (v & 8) { v = ~v; if (v & 16) v += 99; else v -= 99; }
    } else v = v >> 3 | v << 29;
    out[GID] = v;
}
// run flow_loop grid=2 block=128 out=256 in=256 n=100
KERNEL(flow_loop)
{
    u32 s = 0, start = in[GID] % 50;
    for (u32 k = start; k < n; k++) {
        u32 a = in[k];
        if (a % 7 == 3) continue;
        if (a % 53 == (GID & 31)) break;
        for (u32 j = 0; j < (k & 3); j++) {
            if ((in[j + k] & 127) == (GID & 127)) goto done;
            s += in[j] * k;
        }
    }
done:
    out[GID] = s;
}
// run flow_collatz grid=2 block=128 out=256 in=256
KERNEL(flow_collatz)
{
    u32 v = in[GID] & 0xffff, c = 0;
    while (v > 1) { v = v & 1 ? 3 * v + 1 : v >> 1; c++; }
    out[GID] = c;
}
// run flow_switch grid=2 block=128 out=256 in=256
KERNEL(flow_switch)
{
    u32 v = in[GID], r;
    switch (v % 14) {
    case 0: r = v * 3; break;
    case 1: r = v ^ in[1]; break;
    case 2: r = v + in[v % 256]; /* falls through */
    case 3: r = v / 3; break;
    case 4: r = __popc(v) * in[4]; break;
    case 5: r = v % 17; break;
    case 6: r = __brev(v); break;
    case 7: r = in[7] - v; break;
    case 8: r = v << (in[8] & 15); break;
    case 9: r = in[9] > v ? 1 : 2; break;
    case 11: r = v | 1; break;
    case 12: { r = 0; for (u32 i = 0; i < (v & 15); i++) r += in[i]; break; }
    default: r = 0xdead;
    }
    out[GID] = r;
}
// run flow_early grid=2 block=100 out=256 in=256 n=150
KERNEL(flow_early)
{
    u32 i = GID;
    if (i >= n) return;
    u32 v = in[i];
    if ((v & 7) == 0) return;
    for (u32 k = 0; k < 40; k++) {
        if ((v & 1023) == k) return;
        v = mix(v + k);
    }
    out[i] = v;
}
// run flow_irreducible grid=1 block=128 out=128 in=256
KERNEL(flow_irreducible)
{
    u32 i = GID, v = in[i] & 0xff, k = 0;
    if (v & 1) goto second;
first:
    k++;
    v += in[k & 127] & 7;
    if (v > 300) goto done;
second:
    v = v * 2 - k;
    if ((v & 31) == 5) goto third;
    if (k < 30) goto first;
    goto done;
third:
    v ^= 0x1f;
    if (k++ < 30 && v & 4) goto second;
    goto first;
done:
    out[i] = v + (k << 16);
}
// run flow_nested grid=1 block=64 out=64 in=64
KERNEL(flow_nested)
{
    u32 v = in[GID], s = 0;
    for (u32 a = 0; a < (v & 7); a++) {
        for (u32 b = a; b < (v >> 3 & 7); b++) {
            u32 c = 0;
            do {
                s = mix(s + a * b + c);
                if ((s & 15) == 1) goto next_a;
                if ((s & 15) == 2) break;
            } while (++c < (v >> 6 & 3));
            if ((s & 31) == 3) return;
        }
    next_a:;
    }
    out[GID] = s + 1;
}
// run flow_uniform grid=4 block=32 out=128 in=64 n=13
KERNEL(flow_uniform)
{
    u32 s = 0;
    for (u32 k = 0; k < n; k++) {
        if ((k * blockIdx.x) % 5 == 3) s += in[k];
        else if (blockIdx.x & 1) s ^= in[k + n];
        else s -= in[(k * n) & 63];
        if (k > blockIdx.x + 5 && (n & 1)) s = s * 5 + min(n, k) * max(blockIdx.x, 2u);
    }
    out[GID] = s + __popc(n * blockIdx.x) + __clz(n) + __brev(blockIdx.x) + (s32)(n - 20) / 3;
}
// run flow_shortcircuit grid=1 block=256 out=256 in=256
KERNEL(flow_shortcircuit)
{
    u32 v = in[GID], r = 0;
    if ((v & 1 && in[v & 255] & 2) || (v & 4 && !(in[v >> 8 & 255] & 8))) r |= 1;
    if (!(v & 16) == !(v & 32) && (v & 64 || in[v >> 16 & 255] > v)) r |= 2;
    r |= (v & 3 ? v & 12 ? 4 : 8 : v & 48 ? 16 : 32);
    out[GID] = r;
}
// run flow_exitsome grid=1 block=96 out=96 in=96
KERNEL(flow_exitsome)
{
    u32 v = in[GID];
    if (v & 1) { out[GID] = 7; return; }
    u32 m = __activemask();
    v = __popc(__ballot_sync(m, v & 2));
    if (v & 1) asm volatile("exit;");
    __syncthreads();
    out[GID] = 0x100 + __syncthreads_count(in[GID] & 4);
}
