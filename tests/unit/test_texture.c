/* test_texture.c - arrays, texture and surface objects, lookups, and the registers that
 * texture instructions take. Words of instructions are the compiler's.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "driver/driver.h"
#include "frontend/sass/decode/texops.h"
#include "frontend/sass/exec/exec.h"
#include "frontend/sass/exec/texture.h"

#define OK(call)          assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal(call, CUDA_ERROR_##code)

static int setup(void **state)
{
    struct driver_config config = { .arch = SM90 };
    struct driver *d = driver_new(&config, NULL);
    CUcontext c;

    assert_non_null(d);
    driver_make_current(d);
    OK(cuInit(0));
    OK(cuCtxCreate(&c, 0, 0));
    *state = d;
    return 0;
}

static int teardown(void **state)
{
    driver_free(*state);
    return 0;
}

static CUarray new_array(size_t w, size_t h, size_t d, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR desc = { w, h, d, CU_AD_FORMAT_FLOAT, 1, flags };
    CUarray a;

    OK(cuArray3DCreate(&a, &desc));
    return a;
}

static void arrays_have_a_shape(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR d = { 4, 4, 5, CU_AD_FORMAT_FLOAT, 1, 0 }, back;
    CUDA_ARRAY_DESCRIPTOR flat = { 7, 3, CU_AD_FORMAT_HALF, 4 }, got;
    CUarray a;

    (void)state;
    d.Flags = CUDA_ARRAY3D_CUBEMAP; /* six faces, not five */
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    d.Depth = 12;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    d.Flags |= CUDA_ARRAY3D_LAYERED;
    OK(cuArray3DCreate(&a, &d));
    OK(cuArray3DGetDescriptor(&back, a));
    assert_memory_equal(&back, &d, sizeof d);
    OK(cuArrayDestroy(a));
    FAILS(INVALID_HANDLE, cuArrayDestroy(a));
    d.NumChannels = 3;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    d.NumChannels = 1;
    d.Width = (size_t)1 << 40;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    d = (CUDA_ARRAY3D_DESCRIPTOR){ 4, 0, 4, CU_AD_FORMAT_FLOAT, 1, 0 };
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    OK(cuArrayCreate(&a, &flat));
    OK(cuArrayGetDescriptor(&got, a));
    assert_memory_equal(&got, &flat, sizeof flat);
}

static void copies_of_boxes(void **state)
{
    CUarray a = new_array(5, 4, 3, 0);
    float in[3][4][5], out[2][2][8] = { { { 0 } } };
    CUDA_MEMCPY3D to = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = in },
                  from = { .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = a };

    (void)state;
    for (int i = 0; i < 60; i++)
        in[i / 20][i / 5 % 4][i % 5] = (float)i;
    to.srcPitch = 20;
    to.srcHeight = 4;
    to.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    to.dstArray = a;
    to.WidthInBytes = 20;
    to.Height = 4;
    to.Depth = 3;
    OK(cuMemcpy3D(&to));
    from.srcXInBytes = 8;
    from.srcY = 1;
    from.srcZ = 1;
    from.dstMemoryType = CU_MEMORYTYPE_HOST;
    from.dstHost = out;
    from.dstPitch = 32;
    from.dstHeight = 2;
    from.WidthInBytes = 12;
    from.Height = 2;
    from.Depth = 2;
    OK(cuMemcpy3D(&from));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 3; x++)
                assert_true(out[z][y][x] == in[z + 1][y + 1][x + 2]);
            assert_true(out[z][y][3] == 0);
        }
    from.srcXInBytes = 12; /* one texel too far */
    FAILS(INVALID_VALUE, cuMemcpy3D(&from));
    from.srcXInBytes = 2;
    FAILS(INVALID_VALUE, cuMemcpy3D(&from));
    from.srcXInBytes = SIZE_MAX - 3;
    FAILS(INVALID_VALUE, cuMemcpy3D(&from));
    from.srcXInBytes = 0;
    from.srcZ = 2;
    FAILS(INVALID_VALUE, cuMemcpy3D(&from));
    from.srcZ = 0;
    from.srcArray = (CUarray)16;
    FAILS(INVALID_HANDLE, cuMemcpy3D(&from));
    FAILS(INVALID_VALUE, cuMemcpyHtoA(a, 0, in, 20));
}

static unsigned fill_at(CUdeviceptr at)
{
    unsigned v = 0;

    OK(cuMemcpyDtoH(&v, at, sizeof v));
    return v;
}

static void copies_of_lines(void **state)
{
    CUarray a = new_array(8, 0, 0, 0);
    float in[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[3] = { 0 };
    CUdeviceptr memory;

    (void)state;
    OK(cuMemcpyHtoA(a, 0, in, sizeof in));
    OK(cuMemcpyAtoH(out, a, 8, sizeof out));
    assert_true(out[0] == 3 && out[1] == 4 && out[2] == 5);
    OK(cuMemAlloc(&memory, 64));
    OK(cuMemcpyAtoD(memory, a, 16, 16));
    OK(cuMemcpyDtoA(a, 0, memory, 8));
    OK(cuMemcpyAtoH(out, a, 0, sizeof out));
    assert_true(out[0] == 5 && out[1] == 6 && out[2] == 3);
    FAILS(INVALID_VALUE, cuMemcpyAtoH(out, a, 24, sizeof out));
    OK(cuMemcpyAtoA(a, 4, a, 16, 4));
    OK(cuMemcpyHtoAAsync(a, 8, in, 4, NULL));
    OK(cuMemcpyAtoHAsync(out, a, 0, sizeof out, NULL));
    assert_true(out[0] == 5 && out[1] == 5 && out[2] == 1);
    FAILS(INVALID_VALUE, cuMemcpyAtoA(a, 0, a, 30, 4));
    FAILS(INVALID_HANDLE, cuMemcpyAtoA((CUarray)16, 0, a, 0, 4));
    FAILS(INVALID_HANDLE, cuMemcpyHtoAAsync(a, 0, in, 4, (CUstream)64));
    OK(cuMemsetD2D8Async(memory, 16, 1, 3, 2, NULL));
    OK(cuMemsetD2D16Async(memory + 4, 16, 2, 2, 2, NULL));
    OK(cuMemsetD2D32Async(memory + 8, 16, 3, 1, 2, NULL));
    assert_int_equal(fill_at(memory + 16), 0x010101);
    assert_int_equal(fill_at(memory + 20), 0x020002);
    assert_int_equal(fill_at(memory + 24), 3);
}

/* Of device memory, and of none. */
static void attributes_of_pointers(void **state)
{
    CUpointer_attribute what[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                   CU_POINTER_ATTRIBUTE_RANGE_SIZE };
    unsigned type = 9;
    int ordinal = 9;
    void *host = &type;
    size_t size = 9;
    void *values[] = { &type, &ordinal, &host, &size };
    CUdeviceptr memory;

    (void)state;
    OK(cuMemAlloc(&memory, 1000));
    OK(cuPointerGetAttributes(4, what, values, memory + 8));
    assert_true(type == CU_MEMORYTYPE_DEVICE && !ordinal && !host && size == 1000);
    OK(cuPointerGetAttributes(4, what, values, 16));
    assert_true(!type && ordinal == CU_DEVICE_INVALID && !host && !size);
    FAILS(INVALID_VALUE, cuPointerGetAttributes(4, NULL, values, memory));
}

static void mipmaps_have_levels(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR d = { .Width = 20,
                                  .Height = 10,
                                  .Format = CU_AD_FORMAT_FLOAT,
                                  .NumChannels = 1 },
                            got;
    CUmipmappedArray m;
    CUarray a, again;

    (void)state;
    OK(cuMipmappedArrayCreate(&m, &d, 99));
    OK(cuMipmappedArrayGetLevel(&a, m, 2));
    OK(cuMipmappedArrayGetLevel(&again, m, 2));
    assert_ptr_equal(a, again);
    OK(cuArray3DGetDescriptor(&got, a));
    assert_true(got.Width == 5 && got.Height == 2 && !got.Depth);
    OK(cuMipmappedArrayGetLevel(&a, m, 4));
    FAILS(INVALID_VALUE, cuMipmappedArrayGetLevel(&a, m, 5));
    OK(cuArrayDestroy(again)); /* stays with the others */
    OK(cuArray3DGetDescriptor(&got, again));
    OK(cuMipmappedArrayDestroy(m));
    FAILS(INVALID_HANDLE, cuArray3DGetDescriptor(&got, again));
    FAILS(INVALID_HANDLE, cuMipmappedArrayDestroy(m));
    OK(cuMipmappedArrayCreate(&m, &d, 3)); /* goes with the context */
    OK(cuMipmappedArrayGetLevel(&a, m, 1));
}

static void objects_are_checked(void **state)
{
    CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_LINEAR }, got;
    CUDA_TEXTURE_DESC d = { .flags = 0 };
    CUarray a = new_array(8, 8, 0, 0);
    CUdeviceptr memory;
    CUtexObject t, t2;
    CUsurfObject s;

    (void)state;
    OK(cuMemAlloc(&memory, 4096));
    r.res.linear.devPtr = memory;
    r.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
    r.res.linear.numChannels = 2;
    r.res.linear.sizeInBytes = 4096;
    OK(cuTexObjectCreate(&t, &r, &d, NULL));
    assert_int_equal(t & 0xfffff, 1);
    assert_true(t <= UINT32_MAX);
    OK(cuTexObjectGetResourceDesc(&got, t));
    assert_memory_equal(&got, &r, sizeof r);
    FAILS(INVALID_VALUE, cuSurfObjectDestroy(t));
    r.res.linear.sizeInBytes = 4104;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&t2, &r, &d, NULL));
    r.res.linear.sizeInBytes = 64;
    r.res.linear.devPtr = memory + 16;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&t2, &r, &d, NULL));
    r = (CUDA_RESOURCE_DESC){ .resType = CU_RESOURCE_TYPE_ARRAY };
    r.res.array.hArray = a;
    OK(cuTexObjectCreate(&t2, &r, &d, NULL));
    assert_true(t2 != t);
    FAILS(INVALID_VALUE, cuSurfObjectCreate(&s, &r)); /* not made for it */
    d.flags = CU_TRSF_SRGB;
    FAILS(NOT_SUPPORTED, cuTexObjectCreate(&t2, &r, &d, NULL));
    d.flags = 0;
    d.maxAnisotropy = 4;
    FAILS(NOT_SUPPORTED, cuTexObjectCreate(&t2, &r, &d, NULL));
    r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    FAILS(INVALID_HANDLE, cuTexObjectCreate(&t2, &r, &d, NULL)); /* an array */
    OK(cuTexObjectDestroy(t));
    FAILS(INVALID_VALUE, cuTexObjectDestroy(t));
    for (int i = 0; i < 100; i++) { /* the table grows */
        r.resType = CU_RESOURCE_TYPE_ARRAY;
        d.maxAnisotropy = 0;
        OK(cuTexObjectCreate(&t, &r, &d, NULL));
    }
}

/* A texture of floats in a space of its own. */
struct picture {
    struct space space;
    struct texture texture;
    float *texels;
};

static void open_picture(struct picture *p, uint32_t w, uint32_t h)
{
    struct texture_image *m = &p->texture.image;

    memset(p, 0, sizeof *p);
    assert_int_equal(space_init(&p->space, 1 << 20, 1 << 20, NULL), 0);
    assert_int_equal(space_alloc(&p->space, 4096, 512, &m->addr, NULL), 0);
    p->texels = (float *)(void *)(p->space.bytes + (m->addr - p->space.base));
    m->shape = TEXTURE_2D;
    m->type = TEXTURE_FLOAT;
    m->channel_bytes = 4;
    m->n_channels = 1;
    m->width = w;
    m->height = h;
    m->depth = 1;
    m->pitch = 4 * w;
    for (uint32_t i = 0; i < w * h; i++)
        p->texels[i] = (float)i;
    memset(p->texture.address, ADDRESS_CLAMP, 3);
}

static float look(struct picture *p, float x, float y)
{
    struct texture_point at = { .at = { x, y, 0 } };
    struct texture_result r;
    float f;

    texture_sample(&p->texture, &p->space, &at, &r);
    assert_int_equal(r.bad, 0);
    memcpy(&f, &r.channel[0], sizeof f);
    return f;
}

static void nearest_texels(void **state)
{
    struct picture p;

    (void)state;
    open_picture(&p, 8, 4);
    assert_true(look(&p, 2.75f, 1.25f) == 10);
    assert_true(look(&p, -5, 99) == 24);
    assert_true(look(&p, INFINITY, -INFINITY) == 7);
    assert_true(look(&p, NAN, 0) == 0);
    p.texture.has_unit_coords = true;
    assert_true(look(&p, 0.3f, 0.3f) == 10);
    memset(p.texture.address, ADDRESS_WRAP, 3);
    assert_true(look(&p, 7.3f, -3.7f) == 10);
    assert_true(look(&p, -1e-30f, 0.3f) == 15); /* just left of the first texel */
    assert_true(look(&p, -1e-40f, 0.3f) == 8);  /* not a normal number */
    memset(p.texture.address, ADDRESS_MIRROR, 3);
    assert_true(look(&p, 1.7f, -0.3f) == 10);
    memset(p.texture.address, ADDRESS_BORDER, 3);
    p.texture.border[0] = -2;
    assert_true(look(&p, 1.01f, 0.5f) == -2);
    assert_true(look(&p, 1e30f, 0.5f) == -2);
    /* The nearest fraction of a byte; the bits themselves of what is no fraction. */
    p.texture.image.type = TEXTURE_UNSIGNED;
    p.texture.border[0] = 0.25f;
    assert_true(look(&p, 1.01f, 0.5f) == 0.25f);
    p.texture.image.channel_bytes = 1;
    p.texture.reads_unit = true;
    assert_true(look(&p, 1.01f, 0.5f) == 64 / 255.0f);
    space_free_all(&p.space);
}

static void blended_texels(void **state)
{
    struct picture p;

    (void)state;
    open_picture(&p, 8, 4);
    p.texture.is_linear = true;
    assert_true(look(&p, 2.5f, 1.5f) == 10); /* in the middle of a texel */
    assert_true(look(&p, 2.75f, 1.5f) == 10.25f);
    assert_true(look(&p, 2.75f, 2.0f) == 14.25f);
    assert_true(look(&p, 0.25f, 0.5f) == 0); /* clamped */
    /* An eighth bit of fraction counts, a tenth does not. */
    assert_true(look(&p, 2.5f + 1.0f / 256, 1.5f) == 10 + 1.0f / 256);
    assert_true(look(&p, 2.5f + 1.0f / 1024, 1.5f) == 10);
    memset(p.texture.address, ADDRESS_BORDER, 3);
    p.texture.border[0] = 100;
    assert_true(look(&p, 0, 0.5f) == 50);
    p.texture.image.shape = TEXTURE_1D; /* y = 0: half of the border */
    p.texture.image.height = 1;
    assert_true(look(&p, 2.5f, 0) == 51);
    p.texture.image.shape = TEXTURE_2D;
    p.texture.image.height = 4;
    p.texels[11] = INFINITY; /* beside the texel that is looked at: not touched */
    assert_true(look(&p, 2.5f, 1.5f) == 10);
    space_free_all(&p.space);
}

static void gathered_texels(void **state)
{
    static const uint32_t want[4] = { 17, 18, 10, 9 };
    struct texture_point at = { .at = { 2.0f, 2.0f, 0 } };
    struct texture_result r;
    struct picture p;

    (void)state;
    open_picture(&p, 8, 4);
    texture_gather(&p.texture, &p.space, &at, 0, &r);
    for (int i = 0; i < 4; i++) {
        float f;

        memcpy(&f, &r.channel[i], sizeof f);
        assert_int_equal((uint32_t)f, want[i]);
    }
    space_free_all(&p.space);
}

static void fetched_texels(void **state)
{
    const int32_t at[3] = { 9, 0, 0 }, outside[3] = { 32, 0, 0 };
    struct texture_result r;
    struct picture p;

    (void)state;
    open_picture(&p, 32, 1);
    p.texture.image.shape = TEXTURE_BUFFER;
    p.texture.image.type = TEXTURE_SIGNED;
    p.texture.image.channel_bytes = 1;
    p.texture.image.n_channels = 2;
    memcpy(p.texels, "0123456789abcdefgh\x80\x7f", 20);
    texture_fetch(&p.texture, &p.space, at, 0, &r);
    assert_int_equal((int32_t)r.channel[0], -128);
    assert_int_equal(r.channel[1], 127);
    p.texture.reads_unit = true; /* both ends of the range */
    texture_fetch(&p.texture, &p.space, at, 0, &r);
    assert_int_equal(r.channel[0], 0xbf800000u);
    assert_int_equal(r.channel[1], 0x3f800000u);
    assert_int_equal(r.channel[3], 0);              /* a channel it does not have */
    texture_fetch(&p.texture, &p.space, at, 1, &r); /* nor a layer */
    assert_int_equal(r.channel[1], 0);
    texture_fetch(&p.texture, &p.space, outside, 0, &r);
    assert_int_equal(r.channel[0], 0);
    assert_int_equal(r.channel[3], 0);
    p.texture.image.addr = 16; /* memory that is gone */
    texture_fetch(&p.texture, &p.space, at, 0, &r);
    assert_int_equal(r.bad, 16 + 18);
    space_free_all(&p.space);
}

static void stored_channels(void **state)
{
    struct texture_image m = { .type = TEXTURE_SIGNED, .channel_bytes = 1 };

    (void)state;
    assert_int_equal(texture_pack(&m, (uint32_t)-1000), (uint32_t)-128);
    assert_int_equal(texture_pack(&m, 1000), 127);
    m.type = TEXTURE_UNSIGNED;
    assert_int_equal(texture_pack(&m, 256), 255);
    m.type = TEXTURE_FLOAT;
    m.channel_bytes = 2;
    assert_int_equal(texture_pack(&m, 0x3f800000), 0x3c00);
    assert_int_equal(texture_pack(&m, 0xbf801fff), 0xbc00); /* cut off */
    assert_int_equal(texture_pack(&m, 0x4fffffff), 0x7bff);
    assert_int_equal(texture_pack(&m, 0xffc00001), 0xffff);
}

/* One instruction and where its arguments are; Z: nowhere. */
#define Z 255
struct packing {
    enum sass_arch arch;
    uint64_t lo, hi;
    uint8_t n_coords, coord[3], layer, handle, lod, offset, result[4];
};

static const struct packing rows[] = {
    /* TEX.SCR.LL RZ, R5, R6, R4, 0x0, 0x5a, ARRAY_2D, 0x1 */
    { SM86,
      0xb0005a0406057b60,
      0x000f4200019e01ff,
      2,
      { 7, 4, Z },
      6,
      Z,
      5,
      Z,
      { 5, Z, Z, Z } },
    /* TLD.SCR.B.LL.CL R8, R6, R6, R8, 1D */
    { SM86,
      0x1800000806067367,
      0x004f4200019e2f08,
      1,
      { 6, Z, Z },
      Z,
      7,
      8,
      Z,
      { 6, 7, 8, 9 } },
    /* TXD.B.AOFFI R6, R4, R4, R8, ARRAY_2D */
    { SM86,
      0xa80000080404736d,
      0x004f4200001e1f06,
      2,
      { 5, 6, Z },
      7,
      4,
      Z,
      7,
      { 4, 5, 6, 7 } },
    /* TEX.LL RZ, R5, R4, R11, UR4, 0x0, ARRAY_2D, 0x1 */
    { SM90,
      0xa000040b04057f60,
      0x000f6200099e01ff,
      2,
      { 5, 6, Z },
      4,
      Z,
      11,
      Z,
      { 5, Z, Z, Z } },
    /* TLD.SCR.B.LZ R8, R6, R6, R8, 3D */
    { SM86,
      0x5800000806067367,
      0x004f4200009e0f08,
      3,
      { 6, 7, 8 },
      Z,
      9,
      Z,
      Z,
      { 6, 7, 8, 9 } },
    /* TLD.LZ R6, R4, R9, UR4, 0x0, 1D */
    { SM90,
      0x000004ff09047f66,
      0x001f6600089e0f06,
      1,
      { 9, Z, Z },
      Z,
      Z,
      Z,
      Z,
      { 4, 5, 6, 7 } },
    /* TEX.B.LL.AOFFI R10, R8, R12, R8, ARRAY_2D */
    { SM86,
      0xa80000080c087361,
      0x004f4200019e1f0a,
      2,
      { 13, 14, Z },
      12,
      8,
      9,
      10,
      { 8, 9, 10, 11 } },
    /* TLD.SCR.LZ R6, R4, R4, R5, 0x0, 0x5a, 2D */
    { SM75,
      0x30005a0504047b66,
      0x000f4200009e0f06,
      2,
      { 4, 5, Z },
      Z,
      Z,
      Z,
      Z,
      { 4, 5, 6, 7 } },
    /* TXQ.B RZ, R9, R8, TEX_HEADER_DIMENSION, 0x1 */
    { SM86,
      0x0800000008097370,
      0x004f4200000001ff,
      0,
      { Z, Z, Z },
      Z,
      8,
      9,
      Z,
      { 9, Z, Z, Z } },
};

static void arguments_of_lookups(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct packing *p = &rows[k];
        struct sass_inst i;
        struct texops t;

        assert_true(sass_decode(&i, p->arch, (struct word){ p->lo, p->hi }, 0));
        texops_layout(&i, &t);
        assert_int_equal(t.n_coords, p->n_coords);
        assert_memory_equal(t.coord, p->coord, p->n_coords);
        assert_int_equal(t.layer, p->layer);
        assert_int_equal(t.handle, p->handle);
        assert_int_equal(t.lod, p->lod);
        assert_int_equal(t.offset, p->offset);
        assert_memory_equal(t.result, p->result, 4);
        for (int c = 0; c < p->n_coords; c++)
            assert_true(regset_has(&i.base.reads, REGID_R + p->coord[c]));
        for (int c = 0; c < 4; c++)
            if (p->result[c] != Z)
                assert_true(regset_has(&i.base.writes, REGID_R + p->result[c]));
        assert_int_equal(regset_has(&i.base.reads, REGID_UR + 4), p->arch == SM90);
    }
}

static void arguments_of_surfaces(void **state)
{
    struct sass_inst i;
    struct texops t;

    (void)state;
    /* SUST.D.BA.2D.STRONG.SM.TRAP [R6], R2, R5 */
    assert_true(sass_decode(
        &i, SM86, (struct word){ 0x700000020600799e, 0x004fe2000010a905 }, 0));
    texops_layout(&i, &t);
    assert_int_equal(t.coord[0], 6);
    assert_int_equal(t.coord[1], 7);
    assert_int_equal(t.handle, 5);
    assert_int_equal(t.data, 2);
    assert_int_equal(t.n_data, 1);
    /* SULD.D.BA.2D_ARRAY.STRONG.SM.TRAP R5, [R4], UR4, 0x0 */
    assert_true(sass_decode(
        &i, SM90, (struct word){ 0x9000040004057f99, 0x002f6200081ea900 }, 0));
    texops_layout(&i, &t);
    assert_int_equal(t.layer, 6);
    assert_int_equal(t.data, 5);
    assert_true(regset_has(&i.base.reads, REGID_R + 6));
    /* SURED.D.BA.2D.ADD.U64.STRONG.SYS.IGN [R4], R2, UR4, 0x0 */
    assert_true(sass_decode(
        &i, SM90, (struct word){ 0x6000040204007f9f, 0x004fe20008114500 }, 0));
    texops_layout(&i, &t);
    assert_int_equal(t.n_data, 2);
    assert_true(regset_has(&i.base.reads, REGID_R + 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays_have_a_shape, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_of_boxes, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_of_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(attributes_of_pointers, setup, teardown),
        cmocka_unit_test_setup_teardown(mipmaps_have_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(objects_are_checked, setup, teardown),
        cmocka_unit_test(nearest_texels),
        cmocka_unit_test(blended_texels),
        cmocka_unit_test(gathered_texels),
        cmocka_unit_test(fetched_texels),
        cmocka_unit_test(stored_channels),
        cmocka_unit_test(arguments_of_lookups),
        cmocka_unit_test(arguments_of_surfaces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
