// loog_unit.cpp - loog_unit.sv against windows of scheme loog: every offer, every choice of what
// leaves, units in use, ready, waiting and with known addresses, and results that are kept.
//
// The C model takes units and names from stacks, the module by number: `unit` and `name` say
// which of the module's stands for the model's.
#include "Vloog_unit.h"
#include "window.h"

enum { UNITS = PARAM_U, RESULTS = PARAM_N, PORTS = PARAM_WB };

struct bench {
    Vloog_unit top;
    judge verdict;
    unsigned unit[64] = {}, name[256] = {};
    uint64_t overlap = 0; // by older unit, then younger one: the module's numbers

    bench() {
        top.reset = 1;
        step();
        top.reset = 0;
    }

    void step() {
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
        top.clk = 0;
    }

    uint32_t units(uint64_t theirs) const {
        uint32_t mask = 0;

        for (unsigned k = 0; k < UNITS; k++)
            if (theirs >> k & 1)
                mask |= 1u << unit[k];
        return mask;
    }

    void put_result(const event &e, unsigned port) {
        verdict.same("a port for a result", e.number(0), port < PORTS, 1);
        top.wb |= 1u << port;
        top.wb_warp |= e.number(0) << port * 3;
        top.wb_name |= name[e.number(1)] << port * 4;
        top.wb_reg |= e.number(2) << port * 8;
    }

    // An instruction leaves after those that have left in this cycle.
    void dispatch(const event &e) {
        bool leaves = e.arg[0] != "-";

        top.eligible = units(e.hex(1));
        top.eval();
        verdict.same("something leaves", 0, top.pick, leaves);
        if (!leaves)
            return;
        verdict.same("the unit that leaves", 0, top.pick_unit, unit[e.number(0)]);
        top.leave |= 1u << unit[e.number(0)];
    }

    void drive_before(const cycle &c) {
        unsigned port = 0, kept = 0;

        top.start = top.resolved = top.wb = top.wb_warp = top.wb_name = top.wb_reg = 0;
        top.read = top.leave = top.eligible = top.issue = 0;
        top.overlap = overlap;
        for (const event &e : c.before)
            if (e.kind == 's')
                top.start |= 1u << e.number(0);
            else if (e.kind == 'w') {
                kept |= e.number(3) << port;
                put_result(e, port++);
            } else if (e.kind == 'o')
                top.read |= 1u << unit[e.number(0)];
            else if (e.kind == 'r')
                top.resolved |= 1u << e.number(0);
        for (const event &e : c.before)
            if (e.kind == 'd')
                dispatch(e);
        top.eval();
        verdict.same("results kept", 0, top.wb_kept, kept);
    }

    void compare(const event &t) {
        uint32_t offers = 0;

        top.head = top.head_sync = top.head_result = 0;
        for (unsigned w = 0; w < WARPS; w++) {
            unsigned head = t.number(4 + 2 * w);

            if (t.arg[4 + 2 * w] == "-")
                continue;
            top.head |= 1u << w;
            top.head_sync |= (head & 1) << w;
            top.head_result |= (head >> 1) << w;
            offers |= t.number(5 + 2 * w) << w;
        }
        top.eval();
        verdict.same("units in use", 0, top.busy, units(t.hex(0)));
        verdict.same("units ready", 0, top.ready, units(t.hex(1)));
        verdict.same("units that wait", 0, top.waits & top.busy, units(t.hex(2)));
        verdict.same("addresses known", 0, top.knows & top.busy, units(t.hex(3)));
        verdict.same("offers", 0, top.offer & ~top.start, offers & ~top.start);
    }

    void issue(const event &e) {
        top.issue = 1;
        top.issue_warp = e.number(0);
        top.issue_inst = e.hex(3);
        top.issue_kind = e.number(4);
        top.issue_partial = e.number(5);
        top.issue_address = e.number(6, 16);
        top.eval();
        unit[e.number(1)] = top.issue_unit;
        if ((e.hex(3) & NO_NAME) != NO_NAME)
            name[e.number(2)] = top.issue_name;
        for (unsigned k = 0; k < UNITS; k++)
            overlap &= ~(1ull << (k * UNITS + top.issue_unit));
        for (unsigned k = 0; k < UNITS; k++)
            if (e.hex(7) >> k & 1)
                overlap |= 1ull << (unit[k] * UNITS + top.issue_unit);
    }

    void drive_after(const cycle &c) {
        for (const event &e : c.after)
            if (e.kind == 's')
                top.start |= 1u << e.number(0);
            else if (e.kind == 'i') {
                verdict.same("one issue", e.number(0), top.issue, 0);
                issue(e);
            }
        step();
    }
};

int main(int argc, char **argv)
{
    return replay<bench>("loog_unit", argc, argv);
}
