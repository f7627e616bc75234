/* texmip.h - mipmaps: where their levels lie, and which of them a lookup takes. A level of
 * detail is a number with 8 bits of fraction.
 */
#ifndef LENO_SASS_TEXMIP_H
#define LENO_SASS_TEXMIP_H

#include "frontend/sass/exec/texture.h"

enum { TEXMIP_ONE = 256, TEXMIP_LEVELS = 16 };

/* The image of a level; levels lie one after another. */
struct texture_image texmip_level(const struct texture_image *m, unsigned level);

/* Bytes of all levels together. */
uint64_t texmip_bytes(const struct texture_image *m);

/* Towards zero; not a number is 0. */
int32_t texmip_fixed(float lod);

/* The level of detail of a lookup, with the object's bias, inside of its limits. */
int32_t texmip_lod(const struct texture *t, float lod);

/* How the coordinates of an image of one or two dimensions change to the right and down:
 * du/dx, du/dy, dv/dx, dv/dy. */
float texmip_gradient(const struct texture *t, const float d[4]);

#endif
