// turbulence_warp.cpp - turbulence_warp.sv against windows of scheme turbulence: a module per
// warp; all that may issue, the offer, the window's size, every slot of the ring, room, and
// every instruction issued with its slot and lanes.
#include "Vturbulence_warp.h"
#include "window.h"

enum { PORTS = PARAM_WB, SLOT = 5, DST = 4 };

struct bench {
    Vturbulence_warp top[WARPS];
    judge verdict;

    void drive_before(const cycle &c) {
        unsigned port[WARPS] = {};

        for (Vturbulence_warp &m : top)
            m.start = m.resolved = m.wb = m.wb_slot = m.wb_dst = m.wb_filed = m.issue =
                m.insert = 0;
        for (const event &e : c.before) {
            unsigned w = e.number(0);
            Vturbulence_warp &m = top[w];

            if (e.kind == 's')
                m.start = 1;
            else if (e.kind == 'r')
                m.resolved = 1;
            else if (e.kind == 'w') {
                verdict.same("a port for a result", w, port[w] < PORTS, 1);
                m.wb |= 1u << port[w];
                m.wb_slot |= e.number(1) << port[w] * SLOT;
                m.wb_dst |= e.number(2) << port[w] * 8;
                m.wb_filed |= e.number(3, 16) << port[w]++ * DST;
            }
        }
    }

    void compare(const event &t) {
        for (unsigned w = 0; w < WARPS; w++) {
            Vturbulence_warp &m = top[w];
            bool offers = t.arg[w * 6] != "-";

            m.eval();
            if (m.start)
                continue;
            verdict.same("an offer", w, m.offer, offers);
            if (offers)
                verdict.same("the place offered", w, m.offer_place, t.number(w * 6));
            verdict.same("places that may issue", w, m.may, t.hex(w * 6 + 1));
            verdict.same("valid places", w, m.valid, (1u << t.number(w * 6 + 2)) - 1);
            verdict.same("pending slots", w, m.pending, t.hex(w * 6 + 3));
            verdict.same("an unresolved branch", w, m.branch, t.number(w * 6 + 4));
            verdict.same("room", w, m.room, t.number(w * 6 + 5));
        }
    }

    void issue(const event &e, Vturbulence_warp &m) {
        m.issue = 1;
        m.issue_place = e.number(1);
        m.eval();
        verdict.same("the slot issued", e.number(0), m.issue_slot, e.number(2));
        verdict.same("the instruction issued", e.number(0), m.issue_inst, e.hex(3));
        verdict.same("the lanes issued", e.number(0), m.issue_lanes, e.hex(4));
    }

    void insert(const event &e, Vturbulence_warp &m) {
        verdict.same("one insertion", e.number(0), m.insert, 0);
        verdict.same("the slot inserted", e.number(0), m.insert_slot, e.number(1));
        m.insert = 1;
        m.insert_inst = (uint32_t)e.hex(2);
        m.insert_lanes = (uint32_t)e.hex(3);
        m.insert_near = e.number(4, 16);
        m.insert_source = e.hex(5);
        m.insert_dst = e.number(6);
        m.insert_filed = e.number(7, 16);
        m.insert_result = e.number(8);
        m.insert_kind = e.number(9, 16);
    }

    void drive_after(const cycle &c) {
        for (const event &e : c.after)
            if (e.kind == 's')
                top[e.number(0)].start = 1;
            else if (e.kind == 'i')
                issue(e, top[e.number(0)]);
            else
                insert(e, top[e.number(0)]);
        for (Vturbulence_warp &m : top) {
            m.clk = 1;
            m.eval();
            m.clk = 0;
            m.eval();
        }
    }
};

int main(int argc, char **argv)
{
    return replay<bench>("turbulence_warp", argc, argv);
}
