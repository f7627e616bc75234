/* arch.h - the architectures whose machine code is understood. */
#ifndef LENO_SASS_ARCH_H
#define LENO_SASS_ARCH_H

#include <stdbool.h>

/* In order of age: what one has, the later ones mostly have too. */
enum sass_arch { SM75, SM80, SM86, SM89, SM90, SM100, SM120, N_SASS_ARCH };

/* 75, 80 ... -> the enum. An architecture that is not in it counts as the one whose code
 * is like its own: 87 and 88 as 86, 103 and 110 as 100, 121 as 120. -1 for numbers that
 * are not known, such as 70. */
int sass_arch_of(unsigned sm);

/* The enum -> "sm_75", "sm_80" ... and 75, 80 ... */
const char *sass_arch_name(enum sass_arch arch);
unsigned sass_arch_number(enum sass_arch arch);

/* sm_80 to sm_89, which encode instructions alike. */
static inline bool sass_is_ampere(enum sass_arch arch)
{
    return arch >= SM80 && arch <= SM89;
}

/* Where in bank 0 the address of bank 3 is, eight bytes. */
unsigned sass_constant_window(enum sass_arch arch);

#endif
