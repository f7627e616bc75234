/* workload_facts.c - reads workloads/facts.txt. */
#include "session/workload_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "session/workloads.h"

enum { MAX_FACTS = 4 << 20 };

static int find_size(const char *name)
{
    for (int size = 0; size < N_WORKLOAD_SIZE; size++)
        if (!strcmp(workload_size_name((enum workload_size)size), name))
            return size;
    return -1;
}

/* One line, which ends with a NUL. */
static bool read_fact(const char *line, struct workload_fact *fact)
{
    struct launch_shape *s = &fact->shape;
    char size[16], arch[16];
    int end = 0, found;

    *fact = (struct workload_fact){ 0 };
    if (sscanf(line,
               "%31[^,],%15[^,],%15[^,],%63[^,],%" SCNu64 ",%" SCNu64
               ",%ux%ux%u,%u,%" SCNu64 "%n",
               fact->program, size, arch, s->kernel, &s->launches, &s->blocks,
               &s->block[0], &s->block[1], &s->block[2], &s->shared, &s->warp_insts,
               &end) != 11 ||
        line[end])
        return false;
    found = find_size(size);
    if (found < 0)
        return false;
    fact->size = (enum workload_size)found;
    return true;
}

static int add_fact(struct workload_facts *f, const char *path, unsigned number,
                    const char *line, struct err *err)
{
    struct workload_fact *at = realloc(f->at, (f->n + 1) * sizeof *at);

    if (!at)
        return err_memory(err, "facts of workloads");
    f->at = at;
    if (!read_fact(line, &at[f->n]))
        return err_set(err,
                       "%s:%u: expected a line of leno emu --launches; tools/facts.sh "
                       "writes the file again",
                       path, number);
    f->n++;
    return 0;
}

static int read_lines(struct workload_facts *f, const char *path, char *text,
                      struct err *err)
{
    unsigned number = 0;
    char *rest = text;

    for (char *line; (line = strsep(&rest, "\n"));)
        if (++number > 1 && *line && add_fact(f, path, number, line, err))
            return -1;
    return 0;
}

int workload_facts_read(struct workload_facts *f, const char *folder, struct err *err)
{
    struct buf path = { 0 };
    struct file file;
    char *text = NULL;
    int failed = 0;

    *f = (struct workload_facts){ 0 };
    buf_printf(&path, "%s/facts.txt", folder);
    if (!access(buf_text(&path), F_OK)) {
        failed = file_read(buf_text(&path), MAX_FACTS, &file, err);
        if (!failed) {
            text = strndup((const char *)file.data, file.size);
            failed = text ? read_lines(f, buf_text(&path), text, err)
                          : err_memory(err, "facts of workloads");
            file_free(&file);
        }
    }
    free(text);
    buf_free(&path);
    return failed;
}

void workload_facts_free(struct workload_facts *f)
{
    free(f->at);
    *f = (struct workload_facts){ 0 };
}

uint64_t workload_facts_insts(const struct workload_facts *f, const char *program,
                              enum workload_size size)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < f->n; i++)
        if (f->at[i].size == size && !strcmp(f->at[i].program, program))
            sum += f->at[i].shape.warp_insts;
    return sum;
}

const struct launch_shape *workload_facts_kernel(const struct workload_facts *f,
                                                 const char *program,
                                                 enum workload_size size)
{
    const struct launch_shape *most = NULL;

    for (size_t i = 0; i < f->n; i++) {
        const struct launch_shape *s = &f->at[i].shape;

        if (f->at[i].size == size && !strcmp(f->at[i].program, program) &&
            (!most || s->warp_insts > most->warp_insts))
            most = s;
    }
    return most;
}
