/* test_values.c - results in recordings: equal ones have equal names, most need no bytes,
 * and bytes that nobody wrote are told or do no harm. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "base/hash.h"
#include "check.h"
#include "frontend/replay/replay.h"
#include "frontend/replay/section.h"
#include "frontend/replay/values.h"
#include "replay_all.h"

enum { N_INSTS = 40 };

/* ---- one warp, written and read ---- */

/* Blocks of two rows of 32 threads, 4 x 3 of them. Instruction 0 is redundant, 1 is by
 * shape, 2 is not, 3 is a load, 4 a redundant load, 5 writes nothing. */
struct rig {
    struct kernel k;
    struct inst inst[6];
    uint8_t marks[6];
    struct value_writer writer;
    struct value_block block;
    struct value_encoder e;
    uint64_t seq;
};

static void rig_begin(struct rig *r)
{
    static const uint8_t marks[] = { REDUNDANT,     REDUNDANT_BY_SHAPE, NOT_REDUNDANT,
                                     NOT_REDUNDANT, REDUNDANT,          REDUNDANT };

    memset(r, 0, sizeof *r);
    memcpy(r->marks, marks, sizeof marks);
    r->k = (struct kernel){ .grid = { 4, 3, 1 }, .block = { 32, 2, 1 }, .threads = 64 };
    r->k.marks = r->marks;
    r->k.n_marks = 6;
    r->writer.k = &r->k;
    for (unsigned n = 0; n < 6; n++) {
        r->inst[n] = (struct inst){ .pc = 16 * n, .length = 16, .class = CLASS_int };
        if (n == 3 || n == 4)
            r->inst[n].class = CLASS_load, r->inst[n].memory = INST_READS;
        if (n < 5)
            regset_add(&r->inst[n].writes, n);
        inst_index(&r->inst[n]);
    }
}

/* The next warp to write: first of its block, or not. */
static void warp_begin(struct rig *r, uint64_t block, bool is_first)
{
    value_encoder_free(&r->e);
    r->e = (struct value_encoder){ 0 };
    if (is_first) {
        value_block_free(&r->block);
        r->block = (struct value_block){ 0 };
    }
    value_begin(&r->e.s, &r->k, block);
    r->seq = 0;
}

static void rig_end(struct rig *r)
{
    value_encoder_free(&r->e);
    value_block_free(&r->block);
    value_writer_free(&r->writer);
}

static struct dyn result_of(struct rig *r, unsigned inst, uint8_t shape, uint64_t value)
{
    return (struct dyn){ .inst = &r->inst[inst],
                         .seq = r->seq++,
                         .active = UINT32_MAX,
                         .mask = UINT32_MAX,
                         .value = { .digest = hash_mix(value + 1), .shape = shape } };
}

static void put(struct rig *r, unsigned inst, uint8_t shape, uint64_t value)
{
    struct dyn d = result_of(r, inst, shape, value);
    struct err err = { 0 };

    assert_int_equal(value_put(&r->writer, &r->block, &r->e, inst, &d, &err), 0);
}

/* Reads the bytes that were written of a warp; the results must be asked for in the same
 * order. */
struct reading {
    struct value_decoder d;
    struct value_last last[N_INSTS];
    uint64_t seq;
};

static void read_begin(struct rig *r, struct reading *v, uint64_t block)
{
    const uint8_t *p;

    value_end(&r->e);
    p = (const uint8_t *)buf_text(&r->e.out);
    memset(v, 0, sizeof *v);
    v->d.s.last = v->last;
    v->d.apart = hash_mix(block + 1);
    value_begin(&v->d.s, &r->k, block);
    value_turn(&v->d, (struct reader){ p, p + r->e.out.len, false });
}

static uint64_t get(struct rig *r, struct reading *v, unsigned inst, uint8_t shape)
{
    struct dyn d = result_of(r, inst, VALUE_UNIFORM, 0);

    d.seq = v->seq++;
    assert_true(value_get(&v->d, value_kind(&r->k, d.inst), inst, &d));
    assert_int_equal(d.value.shape, shape);
    return d.value.digest;
}

static void kinds(void **state)
{
    struct rig r;

    (void)state;
    rig_begin(&r);
    assert_int_equal(value_kind(&r.k, &r.inst[0]), KEEP_NAME);
    assert_int_equal(value_kind(&r.k, &r.inst[1]), KEEP_NAME);
    assert_int_equal(value_kind(&r.k, &r.inst[2]), KEEP_UNIFORM_NAME);
    assert_int_equal(value_kind(&r.k, &r.inst[3]), KEEP_SHAPE);
    assert_int_equal(value_kind(&r.k, &r.inst[4]), KEEP_NAME);
    assert_int_equal(value_kind(&r.k, &r.inst[5]), KEEP_NOTHING);
    r.k.block[1] = 1; /* thread numbers in x do not repeat */
    assert_int_equal(value_kind(&r.k, &r.inst[1]), KEEP_UNIFORM_NAME);
    r.inst[0].length = 0; /* as a file may have it */
    assert_int_equal(value_kind(&r.k, &r.inst[0]), KEEP_UNIFORM_NAME);
    rig_end(&r);
}

static void equal_results_have_equal_digests(void **state)
{
    struct reading v;
    struct rig r;
    uint64_t first[4];

    (void)state;
    rig_begin(&r);
    warp_begin(&r, 5, true);
    put(&r, 0, VALUE_UNIFORM, 7);
    put(&r, 0, VALUE_UNIFORM, 8);
    put(&r, 2, VALUE_UNIFORM, 7);
    put(&r, 4, VALUE_OTHER, 9);
    read_begin(&r, &v, 5);
    for (unsigned n = 0; n < 4; n++)
        first[n] = get(&r, &v, n < 2 ? 0 : n == 2 ? 2 : 4, n == 3 ? 2 : 0);
    assert_int_not_equal(first[0], first[1]);
    assert_int_not_equal(first[0], first[2]); /* another instruction's */

    /* In another order, in another warp of the block. */
    warp_begin(&r, 5, false);
    put(&r, 4, VALUE_OTHER, 9);
    put(&r, 0, VALUE_UNIFORM, 8);
    put(&r, 0, VALUE_UNIFORM, 7);
    put(&r, 0, VALUE_UNIFORM, 99);
    read_begin(&r, &v, 5);
    assert_int_equal(get(&r, &v, 4, VALUE_OTHER), first[3]);
    assert_int_equal(get(&r, &v, 0, VALUE_UNIFORM), first[1]);
    assert_int_equal(get(&r, &v, 0, VALUE_UNIFORM), first[0]);
    assert_int_not_equal(get(&r, &v, 0, VALUE_UNIFORM), first[0]);

    /* In another block what is computed and uniform; what was loaded is forgotten. */
    warp_begin(&r, 6, true);
    put(&r, 2, VALUE_UNIFORM, 7);
    put(&r, 0, VALUE_UNIFORM, 8);
    put(&r, 4, VALUE_OTHER, 9);
    read_begin(&r, &v, 6);
    assert_int_equal(get(&r, &v, 2, VALUE_UNIFORM), first[2]);
    assert_int_equal(get(&r, &v, 0, VALUE_UNIFORM), first[1]);
    assert_int_not_equal(get(&r, &v, 4, VALUE_OTHER), first[3]);
    rig_end(&r);
}

static void others_are_equal_to_none(void **state)
{
    struct reading v;
    struct rig r;
    uint64_t a, b;

    (void)state;
    rig_begin(&r);
    warp_begin(&r, 1, true);
    put(&r, 2, VALUE_AFFINE, 7);
    put(&r, 2, VALUE_AFFINE, 7);
    read_begin(&r, &v, 1);
    a = get(&r, &v, 2, VALUE_AFFINE);
    b = get(&r, &v, 2, VALUE_AFFINE);
    assert_int_not_equal(a, b);
    read_begin(&r, &v, 2);
    assert_int_not_equal(get(&r, &v, 2, VALUE_AFFINE), a);
    rig_end(&r);
}

/* Only what all lanes wrote is looked at. */
static void lanes_that_are_off(void **state)
{
    struct err err = { 0 };
    struct rig r;
    struct dyn d;

    (void)state;
    rig_begin(&r);
    warp_begin(&r, 0, true);
    d = result_of(&r, 0, VALUE_OTHER, 3);
    d.mask = 1;
    assert_int_equal(value_put(&r.writer, &r.block, &r.e, 0, &d, &err), 0);
    put(&r, 5, VALUE_OTHER, 3);
    value_end(&r.e);
    assert_int_equal(r.e.out.len, 0);
    rig_end(&r);
}

/* What a warp's bytes are; the caller frees them. */
static struct buf bytes_of(struct rig *r, uint64_t block, const uint64_t *value,
                           unsigned n)
{
    struct buf copy = { 0 };

    warp_begin(r, block, true);
    for (unsigned k = 0; k < n; k++)
        put(r, 2, VALUE_UNIFORM, value[k]);
    value_end(&r->e);
    buf_add(&copy, r->e.out.data, r->e.out.len);
    return copy;
}

/* A constant, the number of the block, that in x and that in y take the same bytes in all
 * blocks that are not at the edge; and a loop that grows longer takes no more. */
static void blocks_are_alike(void **state)
{
    struct rig r;
    struct buf first = { 0 };

    (void)state;
    rig_begin(&r);
    for (uint64_t block = 0; block < 12; block++) {
        uint64_t x = block % 4, y = block / 4;
        uint64_t value[] = { 1000, 2000 + block, 3000 + x, 4000 + y, 3000 + x };
        struct buf b = bytes_of(&r, block, value, 5);

        if (x && y && !first.len)
            buf_add(&first, b.data, b.len);
        else if (x && y) {
            assert_int_equal(b.len, first.len);
            assert_memory_equal(b.data, first.data, b.len);
        }
        buf_free(&b);
    }
    buf_free(&first);
    rig_end(&r);
}

static void loops_are_counted(void **state)
{
    struct rig r;

    (void)state;
    rig_begin(&r);
    for (uint64_t block = 0; block < 4; block++) {
        uint64_t value[4000];
        unsigned n = 1000 * ((unsigned)block + 1);
        struct buf b;

        for (unsigned k = 0; k < n; k++)
            value[k] = k;
        b = bytes_of(&r, block, value, n);
        assert_in_range(b.len, 1, 4);
        buf_free(&b);
    }
    rig_end(&r);
}

static void constants_are_counted(void **state)
{
    static const uint64_t value[1000] = { 0 };
    struct rig r;

    (void)state;
    rig_begin(&r);
    for (uint64_t block = 0; block < 4; block++) {
        struct buf b = bytes_of(&r, block, value, 1000);

        assert_in_range(b.len, 1, 3);
        buf_free(&b);
    }
    rig_end(&r);
}

/* Cut behind any instruction but the one held, as pieces are. */
static void pieces(void **state)
{
    static const uint64_t value[] = { 5, 5, 5, 6, 7, 5, 5, 9, 9, 9 };
    enum { N = sizeof value / sizeof *value };

    (void)state;
    for (unsigned cut = 1; cut < N; cut++) {
        struct value_last last[N_INSTS] = { 0 };
        struct value_decoder d = { .s.last = last };
        struct buf piece[2] = { { 0 } };
        uint64_t digest[N];
        struct rig r;

        rig_begin(&r);
        warp_begin(&r, 3, true);
        for (unsigned k = 0; k < N; k++) {
            put(&r, 0, VALUE_UNIFORM, value[k]);
            if (k != cut)
                continue;
            value_cut(&r.e);
            buf_add(&piece[0], r.e.out.data, r.e.out.len);
            buf_clear(&r.e.out);
        }
        value_end(&r.e);
        buf_add(&piece[1], r.e.out.data, r.e.out.len);
        value_begin(&d.s, &r.k, 3);
        for (unsigned k = 0; k < N; k++) {
            struct buf *b = &piece[k >= cut];
            struct dyn dyn = result_of(&r, 0, VALUE_OTHER, 0);

            if (k == 0 || k == cut)
                value_turn(&d, (struct reader){ (uint8_t *)b->data,
                                                (uint8_t *)b->data + b->len, false });
            assert_true(value_get(&d, KEEP_NAME, 0, &dyn));
            digest[k] = dyn.value.digest;
        }
        for (unsigned k = 0; k < N; k++)
            for (unsigned i = 0; i < N; i++)
                assert_int_equal(digest[k] == digest[i], value[k] == value[i]);
        buf_free(&piece[0]);
        buf_free(&piece[1]);
        rig_end(&r);
    }
}

/* ---- bytes that nobody wrote ---- */

/* Can two results be read from these bytes? */
static bool reads_two(const uint8_t *bytes, size_t n)
{
    struct value_last last[1] = { 0 };
    struct value_decoder d = { .s.last = last };
    struct inst inst = { .length = 16 };
    struct dyn dyn = { .inst = &inst, .active = UINT32_MAX, .mask = UINT32_MAX };

    value_turn(&d, (struct reader){ bytes, bytes + n, false });
    return value_get(&d, KEEP_NAME, 0, &dyn) && value_get(&d, KEEP_NAME, 0, &dyn);
}
#define READS_TWO(...)                          \
    reads_two((const uint8_t[]){ __VA_ARGS__ }, \
              sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void broken_bytes(void **state)
{
    struct value_decoder d = { .s.run = 1 };

    (void)state;
    assert_true(READS_TWO(0x23));                /* two usual ones */
    assert_true(READS_TWO(0x00, 0x04));          /* the same, the next */
    assert_true(READS_TWO(0x0c, 0x09, 5, 0x00)); /* the fifth of block 1 */
    assert_false(READS_TWO(0x13));               /* there is one only */
    assert_false(READS_TWO(0x00));
    assert_false(READS_TWO(0x00, 0x03)); /* no result where there is one */
    assert_false(READS_TWO(0xf3));       /* the number is missing */
    assert_false(READS_TWO(0xf3, 0x80));
    assert_false(READS_TWO(0x08));          /* the count */
    assert_false(READS_TWO(0x08, 0, 0x00)); /* none is 0 */
    assert_false(READS_TWO(0x0c, 1));
    assert_false(READS_TWO(0x08, 0x80, 0x80, 0x80, 0x80, 0x10, 0x00)); /* 2^32 */
    assert_false(READS_TWO(0x0c, 0x88, 0x80, 0x80, 0x80, 0x10, 1, 0x00));
    value_turn(&d, (struct reader){ 0 }); /* more were counted than came */
    assert_true(d.r.is_short);
}

/* ---- whole files, with checksums that are right ---- */

struct made {
    struct kernel base; /* first */
    struct inst inst[N_INSTS];
    uint8_t marks[N_INSTS];
};

struct made_stream {
    struct stream base; /* first */
    struct made *of;
    uint64_t block, at[2];
};

static enum stream_status made_next(struct stream *s, unsigned w, struct dyn *d,
                                    struct err *err)
{
    struct made_stream *m = (struct made_stream *)s;
    uint64_t n = m->at[w]++, at = n % N_INSTS;

    (void)err;
    if (n == 3 * N_INSTS)
        return STREAM_END;
    d->inst = &m->of->inst[at];
    d->seq = n;
    d->active = d->mask = UINT32_MAX;
    d->bar_kind = BAR_NONE;
    d->space = SPACE_NONE;
    d->next_pc = n + 1 == 3 * N_INSTS ? 0 : m->of->inst[(n + 1) % N_INSTS].pc;
    d->value.digest = hash_mix(at % 3 ? at % 3 * m->block + n / N_INSTS : at + 1);
    d->value.shape = (uint8_t)(d->value.digest % 3);
    return STREAM_INST;
}

static const struct stream_ops made_stream_ops = { .next = made_next };

static struct stream *made_open(struct kernel *k, uint64_t block, struct err *err)
{
    struct made_stream *s = calloc(1, sizeof *s);

    (void)err;
    assert_non_null(s);
    s->base = (struct stream){ .ops = &made_stream_ops, .n_warps = 2 };
    s->of = (struct made *)k;
    s->block = block;
    return &s->base;
}

static void made_close(struct kernel *k, struct stream *s)
{
    (void)k;
    free(s);
}

static int made_mark(struct kernel *k, struct err *err)
{
    (void)err;
    k->marks = ((struct made *)k)->marks;
    k->n_marks = N_INSTS;
    return 0;
}

static const struct kernel_ops made_ops = { .open = made_open,
                                            .close = made_close,
                                            .mark = made_mark };

/* So many launches; the class of instruction 7 changes with every other one. */
static void record_made(const char *path, unsigned launches)
{
    struct made m = { .base = { .ops = &made_ops,
                                .name = "made",
                                .n_blocks = 6,
                                .grid = { 3, 2, 1 },
                                .block = { 32, 2, 1 },
                                .threads = 64,
                                .cluster = 1,
                                .cluster_shape = { 1, 1, 1 } } };
    struct err err = { 0 };
    struct replay_writer *w =
        replay_writer_new(path, &(struct replay_info){ .program = "made" }, &err);

    for (unsigned n = 0; n < N_INSTS; n++) {
        m.inst[n] = (struct inst){ .pc = 16 * n, .length = 16 };
        regset_add(&m.inst[n].reads, n);
        regset_add(&m.inst[n].writes, n + 1);
        inst_index(&m.inst[n]);
        m.inst[n].has_distances = n % 4 != 0;
        m.marks[n] = (uint8_t)(n % N_REDUNDANCY);
    }
    assert_non_null(w);
    for (unsigned n = 0; n < launches; n++) {
        m.inst[7].class = n % 2 ? CLASS_fp32 : CLASS_int;
        assert_int_equal(replay_record_kernel(w, &m.base, NULL, &err), 0);
    }
    assert_int_equal(replay_writer_finish(w, &err), 0);
}

/* A section behind what there is; its place. */
static uint64_t add_section(struct buf *file, unsigned kind, const struct buf *raw)
{
    size_t bound = ZSTD_compressBound(raw->len);
    char *packed = malloc(bound);
    uint64_t n, at = file->len, sum;
    struct buf head = { 0 };

    assert_non_null(packed);
    n = ZSTD_compress(packed, bound, raw->data, raw->len, 3);
    buf_add(&head, "SECT", 4);
    put_fixed(&head, kind, 4);
    put_fixed(&head, raw->len, 8);
    put_fixed(&head, n, 8);
    sum = section_checksum(at, head.data, head.len);
    put_fixed(&head, section_checksum(sum, packed, n), 8);
    buf_add(file, head.data, head.len);
    buf_add(file, packed, n);
    buf_free(&head);
    free(packed);
    return at;
}

/* The sections of the one kernel of a recording, decompressed. */
enum part { PART_DATA, PART_VALUES, PART_CODE, PART_KERNEL, N_PARTS };
static const enum section_kind part_kinds[N_PARTS] = { SECTION_DATA, SECTION_VALUES,
                                                       SECTION_CODE, SECTION_KERNEL };

/* Where code is put: values before it may become longer by being changed. */
enum { CODE_AT = 1 << 12 };

/* Tells a kernel section that its code is there. */
static void move_code(struct buf *kernel, uint64_t from)
{
    struct buf old = { 0 }, moved = { 0 };
    char *at;

    put_varint(&old, from);
    at = memmem(kernel->data, kernel->len, old.data, old.len);
    assert_non_null(at);
    buf_add(&moved, kernel->data, (size_t)(at - kernel->data));
    put_varint(&moved, CODE_AT);
    at += old.len;
    buf_add(&moved, at, kernel->len - (size_t)(at - kernel->data));
    buf_free(&old);
    buf_free(kernel);
    *kernel = moved;
}

static void read_parts(const char *path, struct buf part[N_PARTS])
{
    struct section_in in;
    struct err err = { 0 };
    uint64_t at = FILE_HEAD, code = 0;

    assert_int_equal(section_open(&in, path, &err), 0);
    for (unsigned k = 0; k < N_PARTS; k++) {
        struct section_want want = { at, part_kinds[k], 0 };

        code = k == PART_CODE ? at : code;
        assert_int_equal(section_read(&in, &want, &part[k], &at, &err), 0);
    }
    section_close(&in);
    move_code(&part[PART_KERNEL], code);
}

/* A file of them. */
static void make_file(const struct buf part[N_PARTS], struct buf *file)
{
    struct buf program = { 0 }, tail = { 0 };
    uint64_t at = 0;

    buf_clear(file);
    buf_add(file, "LENOREC", 8);
    put_fixed(file, REPLAY_VERSION, 8);
    for (unsigned k = 0; k < N_PARTS; k++) {
        while (k == PART_CODE && file->len < CODE_AT)
            buf_add(file, "", 1);
        at = add_section(file, part_kinds[k], &part[k]);
    }
    put_string(&program, "made", 4);
    for (unsigned k = 0; k < 4; k++) /* SM, how operands are named */
        put_varint(&program, 0);
    put_varint(&program, at);
    put_varint(&program, 0);
    put_fixed(&tail, add_section(file, SECTION_PROGRAM, &program), 8);
    put_fixed(&tail, section_checksum(file->len, tail.data, 8), 8);
    buf_add(&tail, "LENOEND", 8);
    buf_add(file, tail.data, tail.len);
    buf_free(&program);
    buf_free(&tail);
}

static struct err replay_file(const struct buf *file, uint64_t *n)
{
    return replay_all("forged", file->data, file->len, n);
}

/* The caller frees it. */
static char *scratch_path(void)
{
    const char *folder = getenv("TMPDIR");
    struct buf path = { 0 };

    buf_printf(&path, "%s/leno-%ld-values.leno", folder ? folder : "/tmp",
               (long)getpid());
    return path.data;
}

/* The same code is in a file once, however often it is launched. */
static void code_is_shared(void **state)
{
    unsigned n_kinds[SECTION_CODE + 1] = { 0 };
    char *path = scratch_path();
    struct err err = { 0 };
    struct file f;
    uint64_t n;

    (void)state;
    record_made(path, 5);
    assert_int_equal(file_read(path, 1 << 20, &f, &err), 0);
    for (uint64_t at = FILE_HEAD; !memcmp(f.data + at, "SECT", 4);) {
        uint64_t kind = get_fixed(f.data + at + 4, 4);

        assert_in_range(kind, SECTION_DATA, SECTION_CODE);
        n_kinds[kind]++;
        at += SECTION_HEAD + get_fixed(f.data + at + 16, 8);
    }
    assert_int_equal(n_kinds[SECTION_KERNEL], 5);
    assert_int_equal(n_kinds[SECTION_CODE], 2);
    err = replay_all("made", f.data, f.size, &n);
    assert_int_equal(err.code, ERR_NONE);
    assert_int_equal(n, 5 * 6 * 2 * 3 * N_INSTS);
    file_free(&f);
    unlink(path);
    free(path);
}

static void forged_files(void **state)
{
    struct buf part[N_PARTS] = { { 0 } }, file = { 0 };
    char *path = scratch_path();
    unsigned n_told = 0;
    uint64_t n;

    (void)state;
    record_made(path, 1);
    read_parts(path, part);
    make_file(part, &file);
    assert_int_equal(replay_file(&file, &n).code, ERR_NONE);
    assert_int_equal(n, 6 * 2 * 3 * N_INSTS);
    for (unsigned k = PART_VALUES; k < N_PARTS; k++)
        for (size_t at = 0; at < part[k].len; at++)
            for (size_t bit = at % 7; bit < 8; bit += 7 - at % 7) {
                struct err err;

                part[k].data[at] = (char)(part[k].data[at] ^ 1 << bit);
                make_file(part, &file);
                err = replay_file(&file, &n);
                n_told += err.code == ERR_INPUT;
                if (err.code && !strstr(err.text, "forged"))
                    fail_msg("part %u, byte %zu: no file: %s", k, at, err.text);
                part[k].data[at] = (char)(part[k].data[at] ^ 1 << bit);
            }
    assert_true(n_told > 500);
    for (unsigned k = PART_CODE; k < N_PARTS; k++)
        for (size_t len = 0; len < part[k].len; len++) { /* cut off */
            struct buf cut[N_PARTS] = { part[0], part[1], part[2], part[3] };

            cut[k].len = len;
            make_file(cut, &file);
            assert_int_equal(replay_file(&file, &n).code, ERR_INPUT);
        }
    for (unsigned k = 0; k < N_PARTS; k++)
        buf_free(&part[k]);
    unlink(path);
    free(path);
    buf_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(equal_results_have_equal_digests),
        cmocka_unit_test(others_are_equal_to_none),
        cmocka_unit_test(lanes_that_are_off),
        cmocka_unit_test(blocks_are_alike),
        cmocka_unit_test(loops_are_counted),
        cmocka_unit_test(constants_are_counted),
        cmocka_unit_test(pieces),
        cmocka_unit_test(broken_bytes),
        cmocka_unit_test(code_is_shared),
        cmocka_unit_test(forged_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
