/* nest.c - loops within loops: of those that have a block, the smallest is its innermost. */
#include "analysis/nest.h"

#include <stdlib.h>

/* The smallest loop other than `but` that has the block and is larger than it; NO_LOOP:
 * none. */
static uint32_t smallest_with(const struct flow_loops *l, uint32_t block, uint32_t but)
{
    uint32_t best = NO_LOOP;

    for (uint32_t k = 0; k < l->n; k++) {
        bool is_wider = but == NO_LOOP || l->loop[k].n_blocks > l->loop[but].n_blocks;

        if (k != but && is_wider && flow_in_loop(&l->loop[k], block) &&
            (best == NO_LOOP || l->loop[k].n_blocks < l->loop[best].n_blocks))
            best = k;
    }
    return best;
}

static struct kernel_loop describe(const struct flow *f, const struct flow_loops *l,
                                   uint32_t k)
{
    const struct flow_loop *loop = &l->loop[k];
    const struct flow_block *last = &f->block[loop->block[loop->n_blocks - 1]];

    return (struct kernel_loop){
        .header = f->code[f->block[loop->header].first].inst->pc,
        .last = f->code[last->end - 1].inst->pc,
        .parent = smallest_with(l, loop->header, k),
    };
}

int nest_find(const struct flow *f, struct kernel_loops *l, struct err *err)
{
    struct flow_loops all;

    *l = (struct kernel_loops){ 0 };
    if (flow_find_all_loops(f, &all, err))
        return -1;
    *l = (struct kernel_loops){
        .base = f->n_insts ? f->code[0].inst->pc : 0,
        .length = f->n_insts ? f->code[0].inst->length : 0,
        .n_insts = f->n_insts,
        .n = all.n,
        .innermost = malloc((f->n_insts + 1ull) * sizeof *l->innermost),
        .loop = calloc(all.n + 1ull, sizeof *l->loop),
    };
    if (!l->innermost || !l->loop) {
        nest_free(l);
        flow_loops_free(&all);
        return err_memory(err, "the loops of a kernel");
    }
    for (uint32_t k = 0; k < all.n; k++)
        l->loop[k] = describe(f, &all, k);
    for (uint32_t b = 0; b < f->n_blocks; b++) {
        uint32_t loop = smallest_with(&all, b, NO_LOOP);

        for (uint32_t i = f->block[b].first; i < f->block[b].end; i++)
            l->innermost[i] = loop;
    }
    flow_loops_free(&all);
    return 0;
}

void nest_free(struct kernel_loops *l)
{
    free(l->innermost);
    free(l->loop);
    *l = (struct kernel_loops){ 0 };
}
