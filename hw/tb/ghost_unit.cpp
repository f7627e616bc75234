// ghost_unit.cpp - ghost_unit.sv against windows of scheme ghost: its offers, what it takes
// from the instruction buffers, its picks, every IB-dep bit, and every instruction issued.
#include "Vghost_unit.h"
#include "window.h"

enum { ENTRIES = 8, INDEX = 3, CHECKERS = 4, PORTS = PARAM_WB };

struct bench {
    Vghost_unit top;
    std::deque<fetched> buffer[WARPS];
    scoreboard board;
    judge verdict;

    void start(unsigned w) {
        top.start |= 1u << w;
        buffer[w].clear();
        board.clear(w);
    }

    void drive_before(const cycle &c) {
        unsigned port = 0;

        top.start = top.finish = top.wb = top.resolve = top.wb_warp = 0;
        top.wb_reg = 0;
        for (const event &e : c.before) {
            unsigned w = e.number(0);

            if (e.kind == 's')
                start(w);
            else if (e.kind == 'e')
                top.finish |= 1u << w;
            else if (e.kind == 'r')
                top.resolve |= 1u << w;
            else if (e.kind == 'w') {
                verdict.same("a port for a result", w, port < PORTS, 1);
                board.set(w, e.number(1), false);
                top.wb |= 1u << port;
                top.wb_warp |= w << port * 3;
                top.wb_reg |= e.number(1) << port * 8;
                port++;
            }
        }
        for (unsigned w = 0; w < WARPS; w++) {
            fetched f = buffer[w].empty() ? fetched() : buffer[w].front();

            top.ib_valid = (top.ib_valid & ~(1u << w)) | (unsigned)!buffer[w].empty() << w;
            put_bits(top.ib_mask, w * 32, 32, f.mask);
            put_bits(top.ib_inst, w * 64, 64, f.inst);
        }
    }

    void answer_checkers() {
        top.eval();
        top.pending = 0;
        for (unsigned k = 0; k < CHECKERS * NAMES; k++) {
            unsigned warp = top.check_warp >> k / NAMES * 3 & 7;
            unsigned name = (unsigned)get_bits(top.check_names, k * 8, 8);

            top.pending |= (unsigned)board.pending[warp][name] << k;
        }
        top.issue = 0;
        top.eval();
    }

    void compare(const event &t) {
        size_t at = 1;

        answer_checkers();
        verdict.same("instruction buffers taken from", 0, top.ib_pop, t.number(0, 16));
        for (unsigned w = 0; w < WARPS; w++, at++) {
            bool offers = t.arg[at] != "-";

            verdict.same("an offer", w, top.offer >> w & 1, offers);
            if (offers)
                verdict.same("the place offered", w, top.offer_place >> w * INDEX & 7,
                             t.number(at));
        }
        if (t.arg[at] == "-") {
            verdict.same("a pick", 0, top.pick, 0);
            at++;
        } else {
            unsigned n = t.number(at + 1);

            verdict.same("the warp picked", 0, top.pick_warp | !top.pick << 8, t.number(at));
            verdict.same("the number of picks", 0, top.pick_valid, (1u << n) - 1);
            for (unsigned k = 0; k < n; k++)
                verdict.same("a pick's place", k, top.pick_place >> k * INDEX & 7,
                             t.number(at + 2 + k));
            at += 2 + n;
        }
        for (unsigned w = 0; w < WARPS; w++)
            verdict.same("IB-dep", w, get_bits(top.dep, w * 64, 64), t.hex(at + w));
    }

    void drive_after(const cycle &c) {
        for (const event &e : c.after)
            if (e.kind == 'i') {
                verdict.same("one issue", e.number(0), top.issue, 0);
                top.issue = 1;
                top.issue_warp = e.number(0);
                top.issue_place = e.number(1);
                top.eval();
                verdict.same("the mask issued", e.number(0), top.issue_mask, e.hex(2));
                verdict.same("the instruction issued", e.number(0), top.issue_inst, e.hex(3));
                board.set(e.number(0), (unsigned)(e.hex(3) & 255), true);
            }
        for (unsigned w = 0; w < WARPS; w++)
            if (top.ib_pop >> w & 1 && !buffer[w].empty())
                buffer[w].pop_front();
        for (const event &e : c.after)
            if (e.kind == 's')
                start(e.number(0));
            else if (e.kind == 'f')
                buffer[e.number(0)].push_back({ (uint32_t)e.hex(1), e.hex(2) });
        top.clk = 1;
        top.eval();
        top.clk = 0;
        top.eval();
    }

    bench() {
        top.reset = 1;
        drive_after(cycle());
        drive_after(cycle());
        top.reset = 0;
    }
};

int main(int argc, char **argv)
{
    return replay<bench>("ghost_unit", argc, argv);
}
