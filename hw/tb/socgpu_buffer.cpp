// socgpu_buffer.cpp - socgpu_buffer.sv against windows of scheme socgpu: a module per warp;
// its offer, its entries, every row of the matrix, and every instruction issued.
#include "Vsocgpu_buffer.h"
#include "window.h"

struct bench {
    Vsocgpu_buffer top[WARPS];
    judge verdict;

    void drive_before(const cycle &c) {
        for (Vsocgpu_buffer &m : top)
            m.start = m.leave = m.issue = m.insert = 0;
        for (const event &e : c.before)
            if (e.kind == 's')
                top[e.number(0)].start = 1;
            else if (e.kind == 'c')
                top[e.number(0)].leave |= 1u << e.number(1);
    }

    void compare(const event &t) {
        for (unsigned w = 0; w < WARPS; w++) {
            bool offers = t.arg[w * 4] != "-";
            uint64_t rows = 0;

            top[w].eval();
            if (top[w].start)
                continue;
            for (unsigned k = 0; k < 8; k++)
                if (top[w].valid & ~top[w].issued & 1u << k)
                    rows |= top[w].rows & 0xffull << k * 8;
            verdict.same("an offer", w, top[w].offer, offers);
            if (offers)
                verdict.same("the entry offered", w, top[w].offer_entry, t.number(w * 4));
            verdict.same("valid entries", w, top[w].valid, t.hex(w * 4 + 1));
            verdict.same("issued entries", w, top[w].issued, t.hex(w * 4 + 2));
            verdict.same("the matrix", w, rows, t.hex(w * 4 + 3));
        }
    }

    void drive_after(const cycle &c) {
        for (const event &e : c.after) {
            unsigned w = e.number(0);
            Vsocgpu_buffer &m = top[w];

            if (e.kind == 's')
                m.start = 1;
            else if (e.kind == 'i') {
                m.issue = 1;
                m.issue_entry = e.number(1);
                m.eval();
                verdict.same("the instruction issued", w, m.issue_inst, e.hex(2));
                verdict.same("the PC issued", w, m.issue_pc, e.hex(3));
                verdict.same("the next PC issued", w, m.issue_next, e.hex(4));
            } else {
                verdict.same("one insertion", w, m.insert, 0);
                verdict.same("the entry inserted", w, m.insert_entry, e.number(1));
                m.insert = 1;
                m.insert_inst = e.hex(2);
                m.insert_type = e.hex(2) >> 32 & 31;
                m.insert_pc = (uint32_t)e.hex(3);
                m.insert_next = (uint32_t)e.hex(4);
            }
        }
        for (Vsocgpu_buffer &m : top) {
            m.clk = 1;
            m.eval();
            m.clk = 0;
            m.eval();
        }
    }
};

int main(int argc, char **argv)
{
    return replay<bench>("socgpu_buffer", argc, argv);
}
