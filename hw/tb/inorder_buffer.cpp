// inorder_buffer.cpp - inorder_buffer.sv against windows of scheme inorder: a module per
// warp; its offer, whether it holds any, and every instruction issued.
#include "Vinorder_buffer.h"
#include "window.h"

enum { PORTS = PARAM_WB };

struct bench {
    Vinorder_buffer top[WARPS];
    judge verdict;

    void drive_before(const cycle &c) {
        unsigned port[WARPS] = {};

        for (Vinorder_buffer &m : top)
            m.start = m.wb = m.wb_reg = m.issue = m.insert = 0;
        for (const event &e : c.before) {
            unsigned w = e.number(0);

            if (e.kind == 's')
                top[w].start = 1;
            else if (e.kind == 'w') {
                verdict.same("a port for a result", w, port[w] < PORTS, 1);
                top[w].wb |= 1u << port[w];
                top[w].wb_reg |= e.number(1) << port[w]++ * 8;
            }
        }
    }

    void compare(const event &t) {
        for (unsigned w = 0; w < WARPS; w++) {
            top[w].eval();
            if (top[w].start)
                continue;
            verdict.same("an offer", w, top[w].offer, t.arg[w * 2] != "-");
            verdict.same("any", w, top[w].any, t.number(w * 2 + 1) != 0);
            verdict.same("full", w, top[w].full, t.number(w * 2 + 1) == PARAM_N);
        }
    }

    void drive_after(const cycle &c) {
        for (const event &e : c.after) {
            Vinorder_buffer &m = top[e.number(0)];

            if (e.kind == 's')
                m.start = 1;
            else if (e.kind == 'i') {
                m.issue = 1;
                m.eval();
                verdict.same("the instruction issued", e.number(0), m.issue_inst, e.hex(2));
            } else {
                verdict.same("one insertion", e.number(0), m.insert, 0);
                m.insert = 1;
                m.insert_inst = e.hex(2);
            }
        }
        for (Vinorder_buffer &m : top) {
            m.clk = 1;
            m.eval();
            m.clk = 0;
            m.eval();
        }
    }
};

int main(int argc, char **argv)
{
    return replay<bench>("inorder_buffer", argc, argv);
}
