/* launches.c - launches added up by kernel and shape. */
#include "session/launches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "frontend/sass/exec/exec.h"

static struct launch_shape *find_shape(struct launch_shapes *l,
                                       const struct sass_launch *launch)
{
    const char *name = launch->kernel->info->name;
    struct launch_shape *s;

    for (size_t i = 0; i < l->n; i++)
        if (!strncmp(l->at[i].kernel, name, sizeof l->at[i].kernel - 1) &&
            !memcmp(l->at[i].block, launch->block, sizeof launch->block))
            return &l->at[i];
    s = realloc(l->at, (l->n + 1) * sizeof *s);
    if (!s)
        err_memory_exit("the launches");
    l->at = s;
    s += l->n++;
    *s = (struct launch_shape){ .shared = launch->dynamic_shared };
    snprintf(s->kernel, sizeof s->kernel, "%s", name);
    memcpy(s->block, launch->block, sizeof s->block);
    return s;
}

void launch_shapes_add(struct launch_shapes *l, const struct sass_launch *launch,
                       uint64_t warp_insts)
{
    struct launch_shape *s = find_shape(l, launch);
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];

    s->launches++;
    s->warp_insts += warp_insts;
    if (blocks > s->blocks)
        s->blocks = blocks;
    if (launch->dynamic_shared > s->shared)
        s->shared = launch->dynamic_shared;
}

void launch_shapes_free(struct launch_shapes *l)
{
    free(l->at);
    *l = (struct launch_shapes){ 0 };
}

void launch_shapes_title(struct buf *csv)
{
    buf_puts(csv,
             "program,size,code_arch,kernel,launches,blocks,block,shared,warp_insts\n");
}

void launch_shapes_write(const struct launch_shapes *l, const char *program,
                         const char *size, const char *arch, struct buf *csv)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct launch_shape *s = &l->at[i];

        buf_printf(csv, "%s,%s,%s,", program, size, arch);
        csv_field(csv, s->kernel);
        buf_printf(csv, ",%" PRIu64 ",%" PRIu64 ",%ux%ux%u,%u,%" PRIu64 "\n",
                   s->launches, s->blocks, s->block[0], s->block[1], s->block[2],
                   s->shared, s->warp_insts);
    }
}
