/* user.c - a user of libleno: runs a program, reads statistics, stops another one. */
#include <leno.h>
#include <stdio.h>
#include <string.h>

static int stop(void *to, const char *kernel, uint64_t cycles, uint64_t warp_insts)
{
    (void)cycles, (void)warp_insts;
    snprintf(to, 64, "%s", kernel);
    return 1;
}

int main(void)
{
    struct leno *l = leno_new();
    char kernel[64] = "";
    const char *name;
    double cycles = 0, issued = 0, x;
    uint64_t slots, sum = 0;
    int status;

    if (leno_interface() != LENO_INTERFACE || leno_stat(l, "gpu.cycles", &x) != 1)
        return 1;
    if (leno_set(l, "scheme", "ghost") || leno_set(l, "size", "tiny") ||
        leno_set(l, "sms", "2") || leno_load(l, "vecadd") || leno_run(l)) {
        fprintf(stderr, "%s\n", leno_error(l));
        return 1;
    }
    if (leno_stat(l, "gpu.cycles", &cycles) || leno_stat(l, "sm.warp_insts", &issued))
        return 1;
    for (unsigned n = 0; !leno_slot_at(l, n, &name, &slots); n++)
        sum += slots;
    if ((double)sum != cycles * 4 * 2 || !strstr(leno_json(l), "\"scheme\": \"ghost\""))
        return 1;
    printf("%.0f %.0f\n", cycles, issued);
    /* Mistakes are explained, with the status that leno would have. */
    if (leno_set(l, "size", "huge") != 1 ||
        !strstr(leno_error(l), "tiny, small or paper") ||
        leno_stat(l, "sm.nothing", &x) != 1)
        return 1;
    /* A callback that stops the run. */
    leno_on_progress(l, stop, kernel);
    leno_set(l, "size", "small");
    status = leno_run(l);
    if (status != 5 || strcmp(kernel, "vecadd") != 0) {
        fprintf(stderr, "status %d, kernel '%s': %s\n", status, kernel, leno_error(l));
        return 1;
    }
    leno_free(l);
    return 0;
}
