/* texture.h - texture and surface objects, and what a lookup in one gives.
 *
 * The driver keeps a table of objects; a launch sees it. A kernel holds an object's
 * handle, of which hardware uses 32 bits: the low 20 are the object's place in the
 * table, the upper 12 name a sampler (for surfaces they are 0). Texels lie in device
 * memory in rows and slices, whatever the resource was made from.
 */
#ifndef LENO_SASS_TEXTURE_H
#define LENO_SASS_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/space.h"

enum texture_shape {
    TEXTURE_NONE,   /* an empty place in the table */
    TEXTURE_BUFFER, /* linear memory: fetched by element, never sampled */
    TEXTURE_1D,
    TEXTURE_2D,
    TEXTURE_3D,
    TEXTURE_CUBE,
    TEXTURE_1D_ARRAY,
    TEXTURE_2D_ARRAY,
    TEXTURE_CUBE_ARRAY
};

enum texture_type { TEXTURE_UNSIGNED, TEXTURE_SIGNED, TEXTURE_FLOAT };

enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };

/* Where texels are. A cube's faces, and layers of layers of faces, are slices. */
struct texture_image {
    uint64_t addr, pitch, slice;   /* bytes from row to row, from slice to slice */
    uint32_t width, height, depth; /* in texels, at least 1; depth: slices */
    uint8_t shape;                 /* enum texture_shape */
    uint8_t type;                  /* enum texture_type of a channel */
    uint8_t channel_bytes;         /* 1, 2, 4 */
    uint8_t n_channels;            /* 1, 2, 4 */
    uint8_t n_levels;              /* of a mipmap (texmip.h); else 1 or 0 */
};

struct texture {
    struct texture_image image;
    bool is_surface;
    bool is_linear;       /* filtered, else the nearest texel */
    bool has_unit_coords; /* coordinates run from 0 to 1 */
    bool reads_unit;      /* 8- and 16-bit integers are read as fractions */
    uint8_t address[3];   /* enum texture_address of x, y, z */
    float border[4];
    bool is_mip_linear;                    /* between levels, else the nearest one */
    int32_t mip_bias, mip_least, mip_most; /* in 256ths of a level */
};

struct texture_table {
    const struct texture *at;
    uint32_t n;
};

enum { TEXTURE_INDEX_BITS = 20, TEXTURE_SAMPLERS = 4096 };

/* The handle of the object at a place of the table, and the object of a handle: NULL if
 * there is none of that kind. */
uint32_t texture_handle(const struct texture_table *t, uint32_t index);
const struct texture *texture_find(const struct texture_table *t, uint32_t handle,
                                   bool is_surface);

/* Bytes of a texel; slices of one layer; layers (1 unless the shape has some). */
uint32_t texture_texel_bytes(const struct texture_image *m);
uint32_t texture_layers(const struct texture_image *m);

/* Where to look. Cubes take the three parts of a direction whose largest is 1. */
struct texture_point {
    float at[3];
    uint32_t layer;
    int32_t offset[3]; /* in texels */
    float lod;         /* of a mipmap, before bias and limits */
};

/* What came of it. addr: the first texel that was read, 0 for none. */
struct texture_result {
    uint32_t channel[4];
    uint64_t addr;
    uint64_t bad; /* a texel that is not in allocated memory, else 0 */
};

/* TEX: filtered as the object says. */
void texture_sample(const struct texture *t, const struct space *s,
                    const struct texture_point *p, struct texture_result *r);

/* TLD4: one channel of the four texels that a linear filter would take. */
void texture_gather(const struct texture *t, const struct space *s,
                    const struct texture_point *p, unsigned channel,
                    struct texture_result *r);

/* TLD: one texel by number; outside of the image all channels are 0. */
void texture_fetch(const struct texture *t, const struct space *s, const int32_t at[3],
                   uint32_t layer, struct texture_result *r);

/* A texel's address. */
uint64_t texture_texel(const struct texture_image *m, uint32_t x, uint32_t y,
                       uint32_t z);

/* A register as a channel of a surface stores it, for formatted stores. */
uint32_t texture_pack(const struct texture_image *m, uint32_t value);

#endif
