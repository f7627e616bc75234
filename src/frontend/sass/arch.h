/* arch.h - the architectures whose machine code is understood. */
#ifndef LENO_SASS_ARCH_H
#define LENO_SASS_ARCH_H

enum sass_arch { SM75, SM86, SM90, N_SASS_ARCH };

/* 75, 86, 90 -> the enum; 80, 87, 89 share sm_86's encoding, 70, 72 are not known.
 * -1 for any other number. */
int sass_arch_of(unsigned sm);

/* The enum -> "sm_75", "sm_86", "sm_90". */
const char *sass_arch_name(enum sass_arch arch);

/* Where in bank 0 the address of bank 3 is, eight bytes. */
unsigned sass_constant_window(enum sass_arch arch);

#endif
