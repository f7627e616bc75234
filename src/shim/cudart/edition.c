/* edition.c - which edition of the runtime a library is: CUDART_EDITION, 13 unless the
 * makefile says otherwise.
 */
#include "shim/cudart/runtime.h"

#ifndef CUDART_EDITION
#define CUDART_EDITION 13
#endif

const int cudart_edition = CUDART_EDITION;
