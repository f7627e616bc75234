/* copy.c - a module whose code is its own copy. */
#include "frontend/sass/unroll/copy.h"

#include <stdlib.h>
#include <string.h>

enum { AFTER = 8 /* instructions: added code begins at 128 bytes */ };

int sass_copy_reserve(struct sass_module *m, uint64_t n, struct err *err)
{
    struct sass_inst *code = realloc(m->code, (m->n_code + n + 1) * sizeof *code);

    if (!code)
        return err_memory(err, "a rewritten kernel");
    m->code = code;
    memset(&code[m->n_code], 0, (size_t)(n + 1) * sizeof *code);
    return 0;
}

int sass_copy_code(struct sass_module *to, const struct sass_module *from,
                   struct err *err)
{
    *to = *from;
    to->code = NULL;
    to->n_code = (from->n_code + AFTER - 1) / AFTER * AFTER;
    if (sass_copy_reserve(to, 0, err))
        return -1;
    memset(to->code, 0, (size_t)to->n_code * sizeof *to->code);
    memcpy(to->code, from->code, (size_t)from->n_code * sizeof *to->code);
    return 0;
}

struct word sass_copy_word(unsigned op, unsigned form)
{
    enum { STALL = 5, NO_BARRIER = 7 };
    struct word w = { 0, 0 };

    word_set_field(&w, WORD_OPCODE, sass_rows()[op].opcode);
    word_set_field(&w, WORD_FORM, form);
    word_set_field(&w, WORD_GUARD, PRED_PT);
    word_set_field(&w, WORD_STALL, STALL);
    word_set_field(&w, WORD_NO_YIELD, true);
    word_set_field(&w, WORD_WRITE_BARRIER, NO_BARRIER);
    word_set_field(&w, WORD_READ_BARRIER, NO_BARRIER);
    return w;
}
