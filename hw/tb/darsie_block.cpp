// darsie_block.cpp - darsie_block.sv against windows of eliminator darsie: a module per block;
// every answer to a look-up and at decode, registers allocated and held, and at the end of a
// cycle the majority path, entries and free registers.
//
// Events of a cycle are in order. As many as a module does in one clock in the same order go
// into one clock; the next starts a clock more.
#include "Vdarsie_block.h"
#include "window.h"

enum { BLOCKS = 64, PORTS = PARAM_P, RESULTS = PARAM_WB, PC = 48 };
enum { ANSWER_NONE, ANSWER_WAITS, ANSWER_SKIPS, ANSWER_ALONE, ANSWER_LEADS };
enum stage { NOTHING, WRITES, PATH, LOOKS, DECODES, FORGETS };

struct block {
    Vdarsie_block m;
    stage at = NOTHING;
    unsigned n_writes = 0, n_looks = 0;
    uint64_t pc[PORTS];

    void put_nothing() {
        m.start = m.regroup = m.arrive = m.taken = m.leave = m.own = m.publish = m.look = 0;
        m.look_warps = m.decode = m.shares = m.forget = m.forget_global = 0;
        put_bits(m.let_go, 0, 64, 0);
        put_bits(m.let_go, 64, 32, 0);
        n_writes = n_looks = 0;
        at = NOTHING;
    }

    // A clock, if there is anything for it.
    void step() {
        if (at != NOTHING) {
            m.clk = 1;
            m.eval();
            m.clk = 0;
        }
        put_nothing();
        m.eval();
    }

    // An event of this stage goes into this clock, or into the next one.
    void enter(stage next) {
        if (next < at || (next == at && (at == PATH || at == DECODES)) ||
            (next == PATH && at == WRITES) || (next == WRITES && n_writes == RESULTS))
            step();
        at = next;
    }
};

struct bench {
    block b[BLOCKS];
    judge verdict;

    bench() {
        for (block &k : b)
            k.step();
    }

    void drive_path(const event &e, block &k) {
        uint32_t warp = 1u << e.number(1);

        k.enter(PATH);
        if (e.kind == 'n') {
            k.m.start = 1;
            k.m.usable = e.number(2, 16);
        }
        k.m.regroup = e.kind == 'm';
        k.m.mask = e.number(1, 16);
        k.m.leave = e.kind == 'e' ? warp : 0;
        k.m.own = e.kind == 'o' ? warp : 0;
    }

    void write_back(const event &e, block &k) {
        unsigned led = e.number(2);

        k.enter(WRITES);
        put_bits(k.m.let_go, k.n_writes++ * 32, 32, e.hex(1));
        if (led)
            k.m.publish |= 1u << (led - 1);
    }

    void resolve(const event &e, block &k) {
        k.enter(WRITES);
        k.m.arrive |= 1u << e.number(1);
        k.m.taken |= e.number(2) << e.number(1);
    }

    // Equal PCs share a port; a warp that skips another instruction does so in another clock.
    void look_up(const event &e, block &k) {
        uint64_t pc = e.hex(2), all = k.m.look_warps | k.m.look_warps >> 32;
        unsigned port = 0, warp = e.number(1), answer;

        k.enter(LOOKS);
        while (port < k.n_looks && k.pc[port] != pc)
            port++;
        if (port == PORTS || all >> warp & 1) {
            k.step();
            k.enter(LOOKS);
            port = 0;
        }
        k.n_looks += port == k.n_looks;
        k.pc[port] = pc;
        put_bits(k.m.look_pc, port * PC, PC, pc);
        k.m.look |= 1u << port;
        k.m.look_warps |= 1ull << (port * 32 + warp);
        k.m.eval();
        answer = k.m.look_skips >> port & 1 ? ANSWER_SKIPS :
                 k.m.look_waits >> port & 1 ? ANSWER_WAITS :
                                              ANSWER_NONE;
        verdict.same("the answer before fetch", warp, answer, e.number(3));
    }

    void decode(const event &e, block &k) {
        unsigned warp = e.number(1), answer;
        Vdarsie_block &m = k.m;

        k.enter(DECODES);
        m.decode = 1;
        m.decode_pc = e.hex(2);
        m.shares = e.number(3);
        m.decode_warp = 1u << warp;
        m.decode_dst = e.number(4);
        m.decode_source = e.hex(5);
        m.decode_past = e.number(6, 16);
        m.decode_load = e.number(7);
        m.decode_global = e.number(8);
        m.eval();
        answer = m.decode_skips ? ANSWER_SKIPS : m.decode_waits ? ANSWER_WAITS :
                 m.lead         ? ANSWER_LEADS : ANSWER_ALONE;
        verdict.same("the answer at decode", warp, answer, e.number(9));
        if (answer == ANSWER_LEADS)
            verdict.same("the register of a leader", warp, m.lead_at + 1u, e.number(10));
        verdict.same("registers held", warp, m.held, e.hex(11));
        verdict.same("warps wait for registers", warp, m.starved, 0);
    }

    void forget(const event &e, block &k) {
        k.enter(FORGETS);
        k.m.forget |= !e.number(1);
        k.m.forget_global |= e.number(1);
    }

    void drive(const event &e, block &k) {
        switch (e.kind) {
        case 'a': resolve(e, k); break;
        case 'w': write_back(e, k); break;
        case 'l': look_up(e, k); break;
        case 'd': decode(e, k); break;
        case 'r': forget(e, k); break;
        default: drive_path(e, k);
        }
    }

    void drive_before(const cycle &c) {
        for (const event &e : c.before)
            if (e.kind != 'q')
                drive(e, b[e.number(0)]);
        for (block &k : b)
            k.step();
    }

    void compare(const event &t) {
        for (size_t i = 0; i + 5 <= t.arg.size(); i += 5) {
            const Vdarsie_block &m = b[t.number(i)].m;

            verdict.same("the majority path", t.number(i), m.majority, t.hex(i + 1));
            verdict.same("free registers", t.number(i), m.free, t.hex(i + 2));
            verdict.same("entries", t.number(i), m.valid, t.hex(i + 3));
            verdict.same("written entries", t.number(i), m.written & m.valid, t.hex(i + 4));
        }
    }

    void drive_after(const cycle &) {}
};

int main(int argc, char **argv)
{
    return replay<bench>("darsie_block", argc, argv);
}
