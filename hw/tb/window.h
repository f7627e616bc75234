// window.h - reads a window that a recorded scheme has written (tests/cost/window.h) and
// compares what a module says with it, cycle by cycle.
//
// A testbench fulfils `bench`: it drives the module and compares the outputs. The parts of
// the baseline around a module that every testbench needs are here: instruction buffers and
// the scoreboard.
#ifndef LENO_HW_TB_WINDOW_H
#define LENO_HW_TB_WINDOW_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

enum { WARPS = 8, NO_NAME = 255, NAMES = 4 };

struct fetched {
    uint32_t mask;
    uint64_t inst;
};

struct event {
    char kind;                    // first letter of its line
    std::vector<std::string> arg; // the words after it
    unsigned number(size_t n, int base = 10) const {
        return n < arg.size() ? (unsigned)strtoul(arg[n].c_str(), nullptr, base) : ~0u;
    }
    uint64_t hex(size_t n) const {
        return n < arg.size() ? strtoull(arg[n].c_str(), nullptr, 16) : 0;
    }
};

struct cycle {
    std::vector<event> before; // starts, ends, results, resolved branches
    event tick;                // outputs
    std::vector<event> after;  // starts, issues and fetches
};

struct window {
    std::vector<cycle> cycles;
    std::string path;

    // False with a message if it is no window.
    bool read(const char *name) {
        FILE *f = fopen(name, "r");
        char line[4096];
        cycle next;
        unsigned n = 0;

        path = name;
        if (!f)
            return complain(0, "cannot be read");
        while (fgets(line, sizeof line, f)) {
            event e = split(line);

            n++;
            if (!strchr("#sewrcodtifnamql", e.kind))
                return complain(n, "unknown line");
            if (e.kind == '#')
                continue;
            if (e.kind == 't') {
                next.tick = e;
                cycles.push_back(next);
                next = cycle();
            } else if (strchr("sif", e.kind) && !cycles.empty())
                cycles.back().after.push_back(e);
            else
                next.before.push_back(e);
        }
        fclose(f);
        return cycles.size() >= 100 || complain(n, "expected at least 100 cycles");
    }

    bool complain(unsigned line, const char *what) {
        fprintf(stderr, "%s:%u: %s\n", path.c_str(), line, what);
        return false;
    }

    static event split(char *line) {
        event e = { line[0], {} };
        for (char *word = strtok(line + 1, " \n"); word; word = strtok(nullptr, " \n"))
            e.arg.push_back(word);
        return e;
    }
};

// Registers with a pending write, by warp.
struct scoreboard {
    bool pending[WARPS][256] = {};
    void set(unsigned warp, unsigned name, bool is) {
        if (name != NO_NAME)
            pending[warp][name] = is;
    }
    void clear(unsigned warp) { memset(pending[warp], 0, sizeof pending[warp]); }
};

// What two sides say, counted; the first few differences are printed.
struct judge {
    uint64_t cycle = 0, compared = 0, wrong = 0;
    void same(const char *what, unsigned warp, uint64_t module, uint64_t model) {
        compared++;
        if (module == model || wrong++ >= 8)
            return;
        printf("cycle %llu, warp %u: %s is %llx, expected %llx\n", (unsigned long long)cycle,
               warp, what, (unsigned long long)module, (unsigned long long)model);
    }
    int verdict(const char *name, const window &w) {
        printf("%s  %s: %s: %zu cycles, %llu values, %llu wrong\n", wrong ? "FAIL" : "ok", name,
               w.path.c_str(), w.cycles.size(), (unsigned long long)compared,
               (unsigned long long)wrong);
        return wrong != 0;
    }
};

// Runs a testbench over windows; 0 if all of them agree.
template <class Bench> int replay(const char *name, int argc, char **argv) {
    int bad = argc < 2;

    for (int i = 1; i < argc; i++) {
        window w;
        Bench b;

        if (!w.read(argv[i]))
            return 1;
        for (const cycle &c : w.cycles) {
            b.drive_before(c);
            b.compare(c.tick);
            b.drive_after(c);
            b.verdict.cycle++;
        }
        bad |= b.verdict.verdict(name, w);
    }
    return bad;
}

// Bits of a wide port of Verilator's.
template <class P> void put_bits(P &port, unsigned at, unsigned n, uint64_t value) {
    for (unsigned k = 0; k < n; k++, at++)
        port[at / 32] = (port[at / 32] & ~(1u << at % 32)) | (uint32_t)(value >> k & 1) << at % 32;
}
template <class P> uint64_t get_bits(const P &port, unsigned at, unsigned n) {
    uint64_t value = 0;
    for (unsigned k = 0; k < n; k++, at++)
        value |= (uint64_t)(port[at / 32] >> at % 32 & 1) << k;
    return value;
}

#endif
