/* cause_words.c - names and colours of stall causes; see cause_words.h. */
#include "session/cause_words.h"

#include "base/json.h"

/* Similar causes have similar colours: green for issues, blue for memory, orange for arithmetic
 * and units, purple for order and scheme, yellow for fetch and branches, red for other warps and
 * the end, grey for no warp. */
static const struct {
    const char *label, *color;
} cause_words[N_STALL] = {
    [STALL_issued] = { "issued", "#2e8b57" },
    [STALL_turn] = { "not selected", "#7cc49a" },
    [STALL_pipe] = { "math pipe full", "#f0a35e" },
    [STALL_lsu] = { "memory unit full", "#9ecae1" },
    [STALL_scheme] = { "scheme's queues full", "#c774c0" },
    [STALL_collectors] = { "operand collectors full", "#f7c99b" },
    [STALL_compute] = { "arithmetic result", "#e07b28" },
    [STALL_memory] = { "load (long scoreboard)", "#1f77b4" },
    [STALL_shared] = { "shared memory (short scoreboard)", "#5aa3d8" },
    [STALL_war] = { "register still in use", "#7b5ea7" },
    [STALL_order] = { "memory order", "#9a7fc1" },
    [STALL_stall_count] = { "stall count", "#b5651d" },
    [STALL_window] = { "window full", "#5c3d8f" },
    [STALL_branch] = { "branch", "#d9b800" },
    [STALL_fence] = { "memory fence, atomic", "#c0392b" },
    [STALL_barrier] = { "barrier", "#e57368" },
    [STALL_skip] = { "eliminator", "#a08a00" },
    [STALL_fetch] = { "no instruction", "#f2d94e" },
    [STALL_drain] = { "end of warp (drain)", "#f3b4ad" },
    [STALL_idle] = { "no warp", "#d8d8d8" },
};

const char *cause_label(enum stall cause)
{
    return cause_words[cause].label;
}

const char *cause_color(enum stall cause)
{
    return cause_words[cause].color;
}

void cause_words_json(struct buf *out)
{
    static const struct {
        const char *nsight, *help;
    } meaning[] = {
#define CAUSE(name, ghost, nsight, help) { nsight, help },
        STALL_CAUSES(CAUSE)
#undef CAUSE
    };

    for (unsigned c = 0; c < N_STALL; c++) {
        buf_puts(out, c ? ",\n " : "{");
        json_string(out, stall_name((enum stall)c));
        buf_puts(out, ": {\"label\": ");
        json_string(out, cause_words[c].label);
        buf_printf(out, ", \"color\": \"%s\", \"nsight\": \"%s\", \"help\": ",
                   cause_words[c].color, meaning[c].nsight);
        json_string(out, meaning[c].help);
        buf_putc(out, '}');
    }
    buf_putc(out, '}');
}
