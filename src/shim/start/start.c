/* start.c - replaces CUDA's runtime in each process that has it inside, nvcc's default.
 *
 * libleno_start.so is loaded into the program that leno exec starts, and into every process
 * that this one starts, such as the programs of a script, before any of their own code
 * runs. Where the runtime is inside, it loads the libcudart of the same edition, which
 * takes over (cudart/redirect.c).
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/executable.h"

/* libcudart lies beside this library. */
static void load_runtime(int edition)
{
    static const char *const editions[] = { [11] = "11.0", [12] = "12", [13] = "13" };
    char path[PATH_MAX];
    Dl_info own;
    int folder;

    if (!dladdr(editions, &own))
        return;
    folder = (int)(strrchr(own.dli_fname, '/') - own.dli_fname);
    snprintf(path, sizeof path, "%.*s/libcudart.so.%s", folder, own.dli_fname,
             editions[edition]);
    if (!dlopen(path, RTLD_NOW))
        fprintf(stderr, "leno: %s\n", dlerror());
}

__attribute__((constructor)) static void start_process(void)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    struct executable p;
    struct err err = { 0 };

    self[n > 0 ? n : 0] = '\0';
    if (executable_read(&p, self, NULL))
        return;
    if (executable_check(&p, self, &err)) {
        fprintf(stderr, "leno: %s\n", err.text);
    } else if (executable_is_runtime_inside(&p)) {
        setenv(EXECUTABLE_REDIRECT, self, 1);
        load_runtime(p.own_edition);
        unsetenv(EXECUTABLE_REDIRECT);
    }
    executable_free(&p);
}
