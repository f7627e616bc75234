/* arch.c - the architectures whose machine code is understood. */
#include "frontend/sass/arch.h"

int sass_arch_of(unsigned sm)
{
    switch (sm) {
    case 75:
        return SM75;
    case 80:
    case 86:
    case 87:
    case 89:
        return SM86;
    case 90:
        return SM90;
    default:
        return -1;
    }
}

const char *sass_arch_name(enum sass_arch arch)
{
    static const char *const names[N_SASS_ARCH] = { "sm_75", "sm_86", "sm_90" };

    return names[arch];
}

/* As code compiled with -G reads it. */
unsigned sass_constant_window(enum sass_arch arch)
{
    return arch == SM90 ? 0xd0 : 0x50;
}
