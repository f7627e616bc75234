/* timed_setup.c - prepares the programs of leno run and leno view; see timed_setup.h. */
#include "cli/timed_setup.h"

#include <string.h>

#include "base/interrupt.h"
#include "session/machine_options.h"

static int run_programs(const struct timed_setup *t,
                        const struct program_list *programs, struct err *err)
{
    struct buf folder = { 0 };
    struct timed_series s = { .each = t->each,
                              .programs = programs,
                              .max_insts = t->max_insts,
                              .console = t->console };
    int failed = programs_folder(programs->at, programs->n, t->folder, &folder, err);

    s.each.size = (enum workload_size)t->size;
    s.each.seed = t->seed;
    s.each.arch = t->arch == OPTION_ARCH_GPU ? -1 : t->arch;
    s.each.printed = t->console->log;
    s.each.console = t->console;
    s.each.folder = buf_text(&folder);
    if (!failed)
        failed = t->run(t->to, &s, err);
    buf_free(&folder);
    return failed;
}

int timed_setup_run(const struct timed_setup *t, struct err *err)
{
    const char *gpu = t->machine->gpu;
    struct prepare_job prepare = { .gpu = gpu ? gpu : MACHINE_DEFAULT_GPU,
                                   .out = t->out,
                                   .arch = t->arch == OPTION_ARCH_GPU ? -1 : t->arch,
                                   .all = t->all };
    struct program_list programs = { 0 };
    int failed = options_programs(&prepare, t->programs, t->ops, err);

    if (!failed)
        failed =
            prepare_programs(&programs, &prepare, t->each.machine, t->console, err);
    interrupt_watch(); /* before there are files to be removed */
    if (!failed)
        failed = run_programs(t, &programs, err);
    program_list_free(&programs);
    return failed;
}

int timed_each_scheme(const struct scheme_list *l, struct err *err)
{
    struct buf names = { 0 };
    char *name, *rest;
    int failed = 0;

    buf_puts(&names, l->text ? l->text : "");
    buf_putc(&names, '\0');
    name = names.data;
    for (unsigned n = 0; !failed && name; n++, name = rest) {
        rest = strchr(name, ',');
        if (rest)
            *rest++ = '\0';
        failed = n < l->most
                     ? l->run(l->to, *name ? name : NULL, n, err)
                     : err_set(err, "%s: at most %u schemes, as in inorder,ghost",
                               l->option, l->most);
    }
    buf_free(&names);
    return failed;
}
