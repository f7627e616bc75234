/* image.c - the images that kernels of the suite look into, as the key tex writes them:
 *
 *     KIND:FORMATxCHANNELS:WIDTH[xHEIGHT[xDEPTH]][:FLAG,FLAG...]
 *
 * KIND: linear, pitch, 1d, 2d, 3d, cube, 1da, 2da, cubea (DEPTH counts layers and
 * faces). FORMAT: u8 s8 u16 s16 u32 s32 f16 f32. FLAGs: linear, unit (coordinates from 0
 * to 1), wrap, mirror, border, color (of the border), int (8 and 16 bits are not read as
 * fractions), gather, surf (a surface as well), two (t2 is a surface as well), back (the
 * image is the end of the output).
 *
 * No CUDA here: the computation on a CPU uses it too.
 */
#include "image.h"

#include <stdio.h>
#include <string.h>

static int image_word(const char *const *names, int n, const char *s, size_t len)
{
    for (int i = 0; i < n; i++)
        if (strlen(names[i]) == len && !strncmp(names[i], s, len))
            return i;
    return -1;
}

static int image_flags(struct suite_image *m, const char *s)
{
    static const char *const names[] = { "linear", "unit",  "wrap", "mirror",
                                         "border", "color", "int",  "gather",
                                         "surf",   "two",   "back" };
    while (*s) {
        size_t len = strcspn(s, ",");
        int i = image_word(names, 11, s, len);
        if (i < 0)
            return -1;
        m->flags |= 1u << i;
        s += len + (s[len] == ',');
    }
    return 0;
}

int suite_image_read(struct suite_image *m, const char *s)
{
    static const char *const kinds[] = { "linear", "pitch", "1d",  "2d",   "3d",
                                         "cube",   "1da",   "2da", "cubea" };
    static const char *const formats[] = { "u8",  "s8",  "u16", "s16",
                                           "u32", "s32", "f16", "f32" };
    static const uint8_t bytes[] = { 1, 1, 2, 2, 4, 4, 2, 4 };
    int used = 0;
    memset(m, 0, sizeof *m);
    size_t len = strcspn(s, ":");
    int kind = image_word(kinds, 9, s, len);
    if (kind < 0 || s[len] != ':')
        return -1;
    m->kind = (enum suite_image_kind)(kind + 1);
    s += len + 1;
    len = strcspn(s, "x");
    int format = image_word(formats, 8, s, len);
    if (format < 0)
        return -1;
    m->format = (enum suite_image_format)format;
    m->channel_bytes = bytes[format];
    if (sscanf(s + len, "x%u:%u%n", &m->channels, &m->size[0], &used) != 2)
        return -1;
    s += len + (size_t)used;
    for (int i = 1; i < 3 && *s == 'x'; i++) {
        if (sscanf(s, "x%u%n", &m->size[i], &used) != 1)
            return -1;
        s += used;
    }
    return *s == ':' ? image_flags(m, s + 1) : *s ? -1 : 0;
}

uint32_t suite_image_texel(const struct suite_image *m)
{
    return m->channel_bytes * m->channels;
}

uint32_t suite_image_bytes(const struct suite_image *m)
{
    uint32_t n = m->size[0] * suite_image_texel(m);
    return n * (m->size[1] ? m->size[1] : 1) * (m->size[2] ? m->size[2] : 1);
}
