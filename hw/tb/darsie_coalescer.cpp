// darsie_coalescer.cpp - darsie_coalescer.sv against windows of eliminator darsie: who gets a
// port in each cycle.
#include "Vdarsie_coalescer.h"
#include "window.h"

enum { REQUESTS = PARAM_Q, PC = 48 };

struct bench {
    Vdarsie_coalescer top;
    judge verdict;

    void drive_before(const cycle &c) {
        uint64_t request = 0, granted = 0;
        unsigned n = 0;

        for (const event &e : c.before)
            if (e.kind == 'q' && n < REQUESTS) {
                put_bits(top.request_pc, n * PC, PC, e.hex(0));
                request |= 1ull << n;
                granted |= (uint64_t)e.number(1) << n++;
            } else if (e.kind == 'q') {
                verdict.same("a place for a request", 0, 0, 1);
            }
        top.request = request;
        top.eval();
        top.clk = 1;
        top.eval();
        top.clk = 0;
        verdict.same("ports granted", 0, top.grant, granted);
    }

    void compare(const event &) {}
    void drive_after(const cycle &) {}
};

int main(int argc, char **argv)
{
    return replay<bench>("darsie_coalescer", argc, argv);
}
