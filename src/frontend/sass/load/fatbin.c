/* fatbin.c - reads fat binaries and takes the right cubin out.
 *
 * Every length is checked against the container's before it is used. What compressed
 * entries say of their size is believed up to a limit, and must then hold exactly.
 * Entries of other kinds (link-time IR, indices) are passed over.
 */
#include "frontend/sass/load/fatbin.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { KIND_PTX = 1, KIND_ELF = 2, MIN_ENTRY = 64 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
#define MAX_CUBIN ((uint64_t)1 << 30)

/* The wrapper that programs register: magic, version, the container. */
struct wrapper {
    uint32_t magic, version;
    const void *container;
};

struct entry {
    uint16_t kind;
    uint32_t sm;
    uint64_t flags;
    const uint8_t *data;
    uint64_t n;    /* bytes stored */
    uint64_t size; /* bytes once expanded */
    bool is_packed;
};

struct walk {
    const uint8_t *at, *end;
};

static uint64_t load_number(const uint8_t *p, unsigned bytes)
{
    uint64_t value = 0;

    memcpy(&value, p, bytes);
    return value;
}

/* Byte by byte, since an image may be a text shorter than a number. */
static bool starts_with(const void *image, uint32_t magic)
{
    return !strncmp(image, (const char *)&magic, sizeof magic);
}

const void *fatbin_of(const void *image)
{
    struct wrapper w;

    if (starts_with(image, FATBIN_MAGIC))
        return image;
    if (!starts_with(image, FATBIN_WRAPPER_MAGIC))
        return NULL;
    memcpy(&w, image, sizeof w);
    return w.container && starts_with(w.container, FATBIN_MAGIC) ? w.container : NULL;
}

size_t fatbin_size(const void *container)
{
    return FATBIN_HEADER + load_number((const uint8_t *)container + 8, 8);
}

static int walk_begin(struct walk *w, const void *container, size_t size,
                      struct err *err)
{
    const uint8_t *p = container;
    uint64_t head;

    if (size < FATBIN_HEADER || load_number(p, 4) != FATBIN_MAGIC)
        return err_set(err, "not a fat binary: expected the magic number %08x",
                       FATBIN_MAGIC);
    head = load_number(p + 6, 2);
    if (head < FATBIN_HEADER || head > size || load_number(p + 8, 8) > size - head)
        return err_set(err, "fat binary of %zu bytes: its header promises %llu", size,
                       (unsigned long long)load_number(p + 8, 8));
    *w = (struct walk){ p + head, p + head + load_number(p + 8, 8) };
    return 0;
}

/* 1: *e is the next entry; 0: there is none; -1: it is damaged. */
static int walk_next(struct walk *w, struct entry *e, struct err *err)
{
    uint64_t left = (uint64_t)(w->end - w->at), head, payload, packed;

    if (left < MIN_ENTRY)
        return 0;
    head = load_number(w->at + 4, 4);
    payload = load_number(w->at + 8, 8);
    packed = load_number(w->at + 16, 4);
    if (head < MIN_ENTRY || head > left || payload > left - head || packed > payload)
        return err_set(err,
                       "fat binary: an entry of %llu + %llu bytes where %llu are left",
                       (unsigned long long)head, (unsigned long long)payload,
                       (unsigned long long)left);
    *e = (struct entry){ .kind = (uint16_t)load_number(w->at, 2),
                         .sm = (uint32_t)load_number(w->at + 28, 4),
                         .flags = load_number(w->at + 40, 8),
                         .data = w->at + head,
                         .n = packed ? packed : payload,
                         .is_packed = packed != 0 };
    e->size = e->is_packed ? load_number(w->at + 56, 8) : payload;
    w->at += head + payload;
    return 1;
}

/* A length of LZ4: 15 in the token goes on in bytes, up to one that is not 255. */
static bool lz4_length(const uint8_t **in, const uint8_t *end, size_t *length)
{
    uint8_t byte = 255;

    if (*length < 15)
        return true;
    while (byte == 255) {
        if (*in == end)
            return false;
        byte = *(*in)++;
        *length += byte;
    }
    return true;
}

bool fatbin_lz4(uint8_t *out, size_t size, const uint8_t *in, size_t n)
{
    const uint8_t *end = in + n;
    size_t at = 0;

    while (in < end) {
        uint8_t token = *in++;
        size_t literals = token >> 4, match = token & 15, back;

        if (!lz4_length(&in, end, &literals) || literals > (size_t)(end - in) ||
            literals > size - at)
            return false;
        memcpy(out + at, in, literals);
        at += literals;
        in += literals;
        if (in == end)
            break; /* the last sequence has no match */
        if (end - in < 2)
            return false;
        back = load_number(in, 2);
        in += 2;
        if (!back || back > at || !lz4_length(&in, end, &match) ||
            match + 4 > size - at)
            return false;
        for (match += 4; match; match--, at++) /* may overlap itself */
            out[at] = out[at - back];
    }
    return at == size;
}

static int expand_entry(const struct entry *e, struct file *cubin, struct err *err)
{
    bool good;

    if (e->size > MAX_CUBIN)
        return err_set(err, "fat binary: a cubin of %llu bytes",
                       (unsigned long long)e->size);
    *cubin = (struct file){ malloc(e->size ? e->size : 1), e->size };
    if (!cubin->data)
        return err_memory(err, "a cubin");
    if (!e->is_packed) {
        memcpy(cubin->data, e->data, e->n);
        return 0;
    }
    if (e->flags & FLAG_ZSTD)
        good = ZSTD_decompress(cubin->data, e->size, e->data, e->n) == e->size;
    else
        good = e->flags & FLAG_LZ4 && fatbin_lz4(cubin->data, e->size, e->data, e->n);
    if (good)
        return 0;
    file_free(cubin);
    return err_set(err,
                   "fat binary: sm_%u is compressed in a way that is not known, or "
                   "damaged",
                   e->sm);
}

void fatbin_list(const void *container, size_t size, struct buf *out)
{
    struct walk w;
    struct entry e;
    size_t start = out->len;

    if (walk_begin(&w, container, size, NULL)) {
        buf_puts(out, "nothing");
        return;
    }
    while (walk_next(&w, &e, NULL) > 0) {
        const char *comma = out->len > start ? ", " : "";

        if (e.kind == KIND_ELF)
            buf_printf(out, "%ssm_%u", comma, e.sm);
        else if (e.kind == KIND_PTX)
            buf_printf(out, "%scompute_%u (PTX)", comma, e.sm);
    }
    if (out->len == start)
        buf_puts(out, "nothing");
}

static int none_fits(const void *container, size_t size, unsigned sm, struct err *err)
{
    struct buf has = { 0 };

    fatbin_list(container, size, &has);
    err_kind(
        err, ERR_UNSUPPORTED,
        "it holds %s; this device runs machine code for sm_%u, or PTX for it or an "
        "earlier one. Build it with nvcc -gencode arch=compute_%u,code=sm_%u, or "
        "choose a --gpu whose code it holds",
        buf_text(&has), sm, sm, sm);
    buf_free(&has);
    return -1;
}

/* The machine code that runs best on sm; best->sm is 0 if there is none. */
static int find_best(const void *container, size_t size, unsigned sm,
                     struct entry *best, struct err *err)
{
    struct entry e;
    struct walk w;
    int more;

    *best = (struct entry){ 0 };
    if (walk_begin(&w, container, size, err))
        return -1;
    while ((more = walk_next(&w, &e, err)) > 0) {
        if (e.kind == KIND_ELF && e.sm / 10 == sm / 10 && e.sm <= sm && e.sm > best->sm)
            *best = e;
    }
    return more;
}

int fatbin_pick_ptx(const void *container, size_t size, unsigned sm, struct file *ptx,
                    struct err *err)
{
    struct entry e, best = { 0 };
    struct walk w;
    int more;

    if (walk_begin(&w, container, size, err))
        return -1;
    while ((more = walk_next(&w, &e, err)) > 0) {
        if (e.kind == KIND_PTX && e.sm <= sm && e.sm > best.sm)
            best = e;
    }
    if (more)
        return -1;
    return best.sm ? expand_entry(&best, ptx, err)
                   : none_fits(container, size, sm, err);
}

unsigned fatbin_code_for(const void *container, size_t size, unsigned sm)
{
    struct entry best;

    return find_best(container, size, sm, &best, NULL) ? 0 : best.sm;
}

int fatbin_pick(const void *container, size_t size, unsigned sm, struct file *cubin,
                struct err *err)
{
    struct entry best;

    if (find_best(container, size, sm, &best, err))
        return -1;
    return best.sm ? expand_entry(&best, cubin, err)
                   : none_fits(container, size, sm, err);
}
