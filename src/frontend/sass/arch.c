/* arch.c - the architectures whose machine code is understood. */
#include "frontend/sass/arch.h"

#include <stddef.h>

static const struct {
    unsigned sm;
    const char *name;
} archs[N_SASS_ARCH] = {
    [SM75] = { 75, "sm_75" },    [SM80] = { 80, "sm_80" }, [SM86] = { 86, "sm_86" },
    [SM89] = { 89, "sm_89" },    [SM90] = { 90, "sm_90" }, [SM100] = { 100, "sm_100" },
    [SM120] = { 120, "sm_120" },
};

int sass_arch_of(unsigned sm)
{
    static const struct {
        unsigned sm;
        enum sass_arch like;
    } others[] = {
        { 87, SM86 }, { 88, SM86 }, { 103, SM100 }, { 110, SM100 }, { 121, SM120 }
    };

    for (int a = 0; a < N_SASS_ARCH; a++)
        if (archs[a].sm == sm)
            return a;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].sm == sm)
            return (int)others[k].like;
    return -1;
}

const char *sass_arch_name(enum sass_arch arch)
{
    return archs[arch].name;
}

unsigned sass_arch_number(enum sass_arch arch)
{
    return archs[arch].sm;
}

/* As code compiled with -G reads it. */
unsigned sass_constant_window(enum sass_arch arch)
{
    return arch >= SM100 ? 0x120 : arch == SM90 ? 0xd0 : 0x50;
}
