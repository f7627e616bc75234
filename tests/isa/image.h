/* image.h - the images that kernels of the suite look into; see image.c. */
#ifndef ISA_IMAGE_H
#define ISA_IMAGE_H

#include <stdint.h>

enum suite_image_kind {
    SUITE_IMAGE_NONE,
    SUITE_IMAGE_LINEAR,
    SUITE_IMAGE_PITCH,
    SUITE_IMAGE_1D,
    SUITE_IMAGE_2D,
    SUITE_IMAGE_3D,
    SUITE_IMAGE_CUBE,
    SUITE_IMAGE_1DA,
    SUITE_IMAGE_2DA,
    SUITE_IMAGE_CUBEA
};

enum suite_image_format {
    SUITE_IMAGE_U8,
    SUITE_IMAGE_S8,
    SUITE_IMAGE_U16,
    SUITE_IMAGE_S16,
    SUITE_IMAGE_U32,
    SUITE_IMAGE_S32,
    SUITE_IMAGE_F16,
    SUITE_IMAGE_F32
};

enum {
    SUITE_IMAGE_FILTER = 1,
    SUITE_IMAGE_UNIT = 2,
    SUITE_IMAGE_WRAP = 4,
    SUITE_IMAGE_MIRROR = 8,
    SUITE_IMAGE_BORDER = 16,
    SUITE_IMAGE_COLOR = 32,
    SUITE_IMAGE_INT = 64,
    SUITE_IMAGE_GATHER = 128,
    SUITE_IMAGE_SURF = 256,
    SUITE_IMAGE_TWO = 512,
    SUITE_IMAGE_BACK = 1024
};

struct suite_image {
    enum suite_image_kind kind;
    enum suite_image_format format;
    uint32_t channel_bytes, channels;
    uint32_t size[3]; /* in texels; 0 where the kind has no such side */
    uint32_t flags;
};

int suite_image_read(struct suite_image *m, const char *text);
uint32_t suite_image_texel(const struct suite_image *m); /* bytes */
uint32_t suite_image_bytes(const struct suite_image *m);

#endif
