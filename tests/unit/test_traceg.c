/* test_traceg.c - traces for Accel-Sim: what is written comes back as far as the format
 * goes, and files that are not right are refused with file and line.
 */
#include <lzma.h>

#include "frontend/replay/traceg.h"
#include "frontend/sass/decode/decode.h"
#include "frontend/sass/print/disasm.h"
#include "replay_rig.h"
#include "zst.h"

struct recorder {
    struct traceg_writer *w;
    struct spies spies;
};

static int record_launch(void *to, const struct sass_launch *l,
                         struct driver_cost *cost, struct err *err)
{
    struct recorder *r = to;
    struct replay_counts counts;
    struct spy *spy = spies_add(&r->spies, l, err);
    int failed = traceg_record_kernel(r->w, &spy->base, &counts, err);

    spy_finish(spy, &counts, cost);
    return failed;
}

static char *joined(const char *folder, const char *name)
{
    struct buf b = { 0 };

    buf_printf(&b, "%s/%s", folder, name);
    return b.data;
}

static void remove_traces(const char *folder, unsigned n_kernels)
{
    char name[32], *path = joined(folder, "kernelslist.g");

    unlink(path);
    free(path);
    for (unsigned n = 1; n <= n_kernels; n++) {
        snprintf(name, sizeof name, "kernel-%u.traceg", n);
        path = joined(folder, name);
        unlink(path);
        free(path);
    }
    rmdir(folder);
}

/* ---- what comes back ---- */

/* The first register of each operand, those of constants aside. The tracer knows one result:
 * the second of a texture is among the sources. */
static void same_registers(const struct inst *a, const struct inst *b)
{
    unsigned more = b->n_dst > 1 ? b->n_dst - 1u : 0;

    assert_int_equal(a->n_dst, b->n_dst ? 1 : 0);
    if (b->n_dst)
        assert_int_equal(a->dst[0].reg, b->dst[0].reg);
    assert_int_equal(a->n_src, b->n_src + more);
    for (unsigned k = 0; k < a->n_src; k++)
        assert_int_equal(a->src[k].reg,
                         k < more ? b->dst[1 + k].reg : b->src[k - more].reg);
}

static void same_inst(const struct inst *a, const struct inst *b, uint64_t first_pc)
{
    assert_int_equal(a->pc, b->pc - first_pc);
    assert_int_equal(a->class, b->class);
    assert_int_equal(a->space, b->space);
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->flags & ~(INST_SETS_PRED | INST_REDO | INST_TIME),
                     b->flags & ~(INST_SETS_PRED | INST_REDO | INST_TIME));
    assert_int_equal(a->control.write_barrier, 7);
    assert_int_equal(a->control.read_barrier, 7);
    assert_int_equal(a->control.stall, 0);
    same_registers(a, b);
}

static bool is_traced(const struct dyn *d)
{
    return d->space != SPACE_NONE && d->space != SPACE_CONST &&
           d->space != SPACE_TEXTURE;
}

static void same_dyn(const struct dyn *a, const struct kept_warp *w, size_t n,
                     uint64_t first_pc)
{
    const struct dyn *b = &w->at[n];

    same_inst(a->inst, &w->inst[n], first_pc);
    assert_int_equal(a->seq, b->seq);
    assert_int_equal(a->mask, b->mask);
    if (b->next_pc)
        assert_int_equal(a->next_pc, b->next_pc - first_pc);
    assert_int_equal(a->bar_kind, b->bar_kind);
    assert_int_equal(a->space, b->space == SPACE_CONST ? SPACE_NONE : b->space);
    if (!is_traced(b))
        return;
    assert_int_equal(a->inst->bytes, w->inst[n].bytes);
    for (unsigned l = 0; l < WARP_LANES; l++)
        if (b->mask >> l & 1)
            assert_int_equal(addresses_at(&a->addr, l), w->addr[n][l]);
}

static void same_warp(struct stream *s, unsigned warp, const struct kept_warp *w,
                      uint64_t first_pc)
{
    uint64_t list[WARP_LANES];
    struct dyn d = { .addr.list = list };
    struct err err = { 0 };

    for (size_t n = 0; n < w->n; n++) {
        if (stream_next(s, warp, &d, &err) != STREAM_INST)
            fail_msg("instruction %zu of %zu: %s", n, w->n, err.text);
        same_dyn(&d, w, n, first_pc);
    }
    assert_int_equal(stream_next(s, warp, &d, &err), STREAM_END);
}

static void same_block(struct kernel *k, uint64_t b, const struct spy *spy)
{
    struct err err = { 0 };
    struct stream *s = k->ops->open(k, b, &err);

    if (!s)
        fail_msg("%s", err.text);
    for (unsigned w = 0; w < s->n_warps; w++)
        same_warp(s, w, &spy->warps[b * s->n_warps + w], spy->base.first_pc);
    k->ops->close(k, s);
}

static void same_kernel(struct kernel *k, const struct spy *spy)
{
    assert_string_equal(k->name, spy->base.name);
    assert_int_equal(k->n_blocks, spy->base.n_blocks);
    assert_memory_equal(k->grid, spy->base.grid, sizeof k->grid);
    assert_memory_equal(k->block, spy->base.block, sizeof k->block);
    assert_int_equal(k->threads, spy->base.threads);
    assert_int_equal(k->registers, spy->base.registers);
    assert_int_equal(k->shared, spy->base.shared);
    assert_int_equal(k->cluster, 1);
    /* The last one first, then all, so the last one again. */
    same_block(k, k->n_blocks - 1, spy);
    for (uint64_t b = 0; b < k->n_blocks; b++)
        same_block(k, b, spy);
}

static void compare(const char *path, const struct spies *spies)
{
    struct err err = { 0 };
    struct replay *r = replay_open(path, NULL, &err);
    struct kernel *k;

    if (!r)
        fail_msg("%s", err.text);
    assert_int_equal(replay_info(r)->n_kernels, spies->n);
    for (unsigned n = 0; n < spies->n; n++) {
        if (replay_next_kernel(r, &k, &err) != 1)
            fail_msg("%s", err.text);
        same_kernel(k, spies->at[n]);
        replay_kernel_free(r, k);
    }
    assert_int_equal(replay_next_kernel(r, &k, &err), 0);
    replay_close(r);
}

static void record(struct recorder *r, const char *folder, const struct workload *w,
                   enum sass_arch arch)
{
    struct err err = { 0 };

    r->w = traceg_writer_new(folder, arch == SM75 ? 75 : 86, &err);
    assert_non_null(r->w);
    run_workload(w, arch, record_launch, r);
    assert_int_equal(traceg_writer_finish(r->w, &err), 0);
}

static void every_workload_comes_back(void **state)
{
    char *folder = scratch("traceg"), *list = joined(folder, "kernelslist.g");

    (void)state;
    for (unsigned n = 0; n < N_WORKLOADS; n += sample_step()) {
        enum sass_arch arch = n % 2 ? SM75 : SM86;
        struct recorder r = { 0 };
        unsigned n_kernels;

        if (!workload_has_code(all_workloads[n], arch))
            continue;
        record(&r, folder, all_workloads[n], arch);
        compare(list, &r.spies);
        n_kernels = r.spies.n;
        spies_free(&r.spies);
        remove_traces(folder, n_kernels);
    }
    free(list);
    free(folder);
}

/* The same through xz: blocks out of order, and one a second time. */
static void compressed_ones_too(void **state)
{
    char *folder = scratch("traceg"), *path = joined(folder, "kernel-1.traceg");
    char *packed_path = scratch("kernel-1.traceg.xz");
    struct recorder r = { 0 };
    struct file text;
    struct err err = { 0 };
    uint8_t *packed;
    size_t n = 0;

    (void)state;
    record(&r, folder, &workload_vecadd, SM75);
    assert_int_equal(file_read(path, 1 << 28, &text, &err), 0);
    packed = malloc(text.size + 1024);
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, text.data,
                                             text.size, packed, &n, text.size + 1024),
                     LZMA_OK);
    assert_int_equal(file_write(packed_path, packed, n, &err), 0);
    compare(packed_path, &r.spies);
    assert_int_equal(file_write(packed_path, packed, n / 2, &err), 0);
    {
        struct replay *p = replay_open(packed_path, NULL, &err);
        struct kernel *k;

        assert_non_null(p);
        assert_int_equal(replay_next_kernel(p, &k, &err), 1);
        assert_null(k->ops->open(k, k->n_blocks - 1, &err));
        assert_non_null(strstr(err.text, "cut off"));
        replay_kernel_free(p, k);
        replay_close(p);
    }
    free(packed);
    file_free(&text);
    unlink(packed_path);
    remove_traces(folder, r.spies.n);
    spies_free(&r.spies);
    free(packed_path);
    free(path);
    free(folder);
}

/* ---- files by hand ---- */

#define HEAD                                                                 \
    "-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n"                \
    "-block dim = (33,1,1)\n-shmem = 64\n-nregs = 8\n-binary version = 75\n" \
    "-shmem base_addr = 0x7f0000000000\n"                                    \
    "-local mem base_addr = 0x7f0001000000\n"                                \
    "-accelsim tracer version = 3\n-some new key = 1\n#traces format = x\n"
#define BLOCK(n, lines)                                         \
    "#BEGIN_TB\n\nthread block = " n ",0,0\n\nwarp = 0\n" lines \
    "\nwarp = 1\ninsts = 1\n0010 00000001 0 EXIT 0 0\n#END_TB\n"

static struct replay *open_text(const char *text, struct kernel **k,
                                const struct replay_options *o)
{
    struct err err = { 0 };
    struct replay *r = replay_open_memory("hand", text, strlen(text), o, &err);

    if (!r)
        fail_msg("%s", err.text);
    if (replay_next_kernel(r, k, &err) != 1)
        fail_msg("%s", err.text);
    return r;
}

static void take(struct kernel *k, uint64_t block, struct dyn *d,
                 uint64_t (*list)[WARP_LANES], unsigned n)
{
    struct err err = { 0 };
    struct stream *s = k->ops->open(k, block, &err);

    if (!s)
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < n; i++) {
        d[i].addr.list = list[i];
        if (stream_next(s, 0, &d[i], &err) != STREAM_INST)
            fail_msg("%s", err.text);
    }
    k->ops->close(k, s);
}

static void the_three_address_modes(void **state)
{
    static const char text[] =
        HEAD BLOCK("0", "insts = 4\n"
                        "0000 00000007 1 R4 LDG.E.64.SYS 1 R2 8 0 0x1000 0x2000 30f8\n"
                        "0010 0000006c 1 R4 LDS.U.128 1 R255 16 1 0x40 -16\n"
                        "0020 80000003 0 STG.E.U8 2 R2 R4 1 2 0x1000 -32 64\n"
                        "0030 ffffffff 0 EXIT 0 0\n");
    struct dyn d[4];
    uint64_t list[4][WARP_LANES];
    struct kernel *k;
    struct replay *r = open_text(text, &k, NULL);

    (void)state;
    take(k, 0, d, list, 4);
    assert_int_equal(k->threads, 33);
    assert_int_equal(d[0].space, SPACE_GLOBAL);
    assert_int_equal(d[0].inst->bytes, 8);
    assert_int_equal(addresses_at(&d[0].addr, 1), 0x2000);
    assert_int_equal(addresses_at(&d[0].addr, 2), 0x30f8);
    assert_int_equal(d[0].next_pc, 0x10);
    assert_int_equal(d[1].inst->n_src, 0);
    assert_int_equal(d[1].inst->bytes, 16);
    assert_int_equal(addresses_at(&d[1].addr, 2), 0x40);
    assert_int_equal(addresses_at(&d[1].addr, 3), 0x30);
    assert_int_equal(addresses_at(&d[1].addr, 5),
                     0); /* behind the first gap: as Accel-Sim */
    assert_int_equal(addresses_at(&d[2].addr, 0), 0x1000);
    assert_int_equal(addresses_at(&d[2].addr, 1), 0xfe0);
    assert_int_equal(addresses_at(&d[2].addr, 31), 0x1020);
    assert_int_equal(d[2].inst->class, CLASS_store);
    assert_int_equal(d[3].next_pc, 0);
    assert_true(d[3].inst->flags & INST_EXIT);
    replay_kernel_free(r, k);
    replay_close(r);
}

static void what_traces_do_not_say(void **state)
{
    static const char text[] =
        HEAD BLOCK("0", "insts = 10\n"
                        "0000 0000ffff 1 R0 IADD3 3 R1 R255 R2 0\n"
                        "0010 00000000 1 R0 MOV 1 R3 0\n"
                        "0020 0000ffff 0 BAR.SYNC 0 0\n"
                        "0020 ffff0000 0 BAR.SYNC 0 0\n"
                        "0030 00000001 1 R0 LD.E 1 R2 4 0 0x7f0000000010\n"
                        "0030 00000001 1 R0 LD.E 1 R2 4 0 0x7f0001000010\n"
                        "0030 00000001 1 R0 LD.E 1 R2 4 0 0x10000\n"
                        "0010 00000001 0 BAR.ARV 0 0\n"
                        "0040 00000001 0 EXIT 0 0\n"
                        "0050 fffffffe 0 BAR.ARV 0 0\n");
    struct dyn d[10];
    uint64_t list[10][WARP_LANES];
    struct kernel *k;
    struct replay *r = open_text(text, &k, &(struct replay_options){ true });

    (void)state;
    take(k, 0, d, list, 10);
    assert_int_equal(d[0].inst->n_src, 3);
    assert_true(regset_has(&d[0].inst->reads, 255));
    assert_int_equal(d[0].active, 0xffff);
    assert_int_equal(d[1].active, 0xffff);
    assert_int_equal(d[1].mask, 0);
    assert_int_equal(d[2].bar_kind, BAR_NONE);
    assert_int_equal(d[3].bar_kind, BAR_SYNC);
    assert_int_equal(d[4].space, SPACE_SHARED);
    assert_int_equal(d[5].space, SPACE_LOCAL);
    assert_int_equal(d[6].space, SPACE_GLOBAL);
    assert_int_equal(d[6].inst->space, SPACE_GENERIC);
    /* Two functions, one PC. */
    assert_int_equal(d[7].inst->pc, 0x100000010);
    assert_int_equal(d[7].inst->class, CLASS_barrier);
    assert_int_equal(d[1].inst->pc, 0x10);
    /* A barrier of its own again; lanes that are gone are not waited for. */
    assert_int_equal(d[7].bar_kind, BAR_NONE);
    assert_int_equal(d[9].bar_kind, BAR_ARRIVE);
    replay_kernel_free(r, k);
    replay_close(r);
}

/* A file with blank lines, as the tracer's own tools leave it; the blocks backwards. */
static void a_file_as_tracers_write_it(void **state)
{
    static const char *const paths[] = { "tests/data/replay/pair.traceg",
                                         "tests/data/replay/pair.traceg.xz" };

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct err err = { 0 };
        struct replay *r = replay_open(paths[n], NULL, &err);
        struct kernel *k;
        struct dyn d[6];
        uint64_t list[6][WARP_LANES];

        assert_non_null(r);
        assert_int_equal(replay_next_kernel(r, &k, &err), 1);
        assert_int_equal(replay_info(r)->sm, 86);
        assert_int_equal(k->shared, 1024);
        take(k, 1, d, list, 2);
        take(k, 0, d, list, 6);
        assert_int_equal(d[0].inst->n_src, 0);
        assert_int_equal(addresses_at(&d[2].addr, 31), 0x7f2c4800007c);
        assert_int_equal(d[3].bar_kind, BAR_SYNC);
        assert_int_equal(d[4].mask, 0xffff);
        assert_int_equal(d[4].space, SPACE_SHARED);
        assert_int_equal(addresses_at(&d[4].addr, 15), 60);
        replay_kernel_free(r, k);
        replay_close(r);
    }
}

/* A file of one warp and one instruction, by version of the tracer and SM. */
#define NAMED_HEAD(version, sm)                                      \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n" \
    "-binary version = " #sm "\n-accelsim tracer version = " #version "\n#\n"
#define NAMED_BLOCK(line)                                                       \
    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n0020 ffffffff " line \
    " \n0030 ffffffff 0 EXIT 0 0 0 0 NoVal \n#END_TB\n"

/* Registers by id; the last of each list is 0. */
struct named_line {
    const char *text;
    unsigned writes[3], reads[5];
    unsigned n_dst, n_src; /* of them general */
    const char *name;
};

static void expect_set(const struct regset *set, const unsigned *ids)
{
    struct regset expected = { 0 };

    for (; *ids; ids++)
        regset_add(&expected, *ids);
    assert_memory_equal(set, &expected, sizeof expected);
}

/* Version 6: uniform registers and predicates have names; URZ, PT and UPT are none. */
static void newer_tracers_name_all_registers(void **state)
{
    static const struct named_line lines[] = {
        { NAMED_HEAD(6, 75) NAMED_BLOCK("1 UR4 S2UR 0 0 0 0 NoVal"),
          { REGID_UR + 4 },
          { 0 },
          0,
          0,
          "S2UR UR4" },
        { NAMED_HEAD(6, 75) NAMED_BLOCK("2 UR4 UP1 UIADD3 3 UR5 UR63 UP7 0 -1 0 NoVal"),
          { REGID_UR + 4, REGID_UP + 1 },
          { REGID_UR + 5 },
          0,
          0,
          "UIADD3 UR4, UP1, UR5, URZ, UP7" },
        { NAMED_HEAD(6, 75) NAMED_BLOCK("2 R8 P0 IADD3 4 R2 UR6 P1 R255 0 0 0 NoVal"),
          { 8, REGID_P },
          { 2, REGID_UR + 6, REGID_P + 1 },
          1,
          1,
          "IADD3 R8, P0, R2, UR6, P1, RZ" },
        { NAMED_HEAD(6, 100) NAMED_BLOCK("1 UR63 UMOV 2 UR95 UR255 0 0 0 NoVal"),
          { REGID_UR + 63 },
          { REGID_UR_HIGH + 31 },
          0,
          0,
          "UMOV UR63, UR95, URZ" },
        { NAMED_HEAD(6, 75)
              NAMED_BLOCK("1 R4 LDG.E 2 R2 UR4 4 1 0x1000 4 16 0 Val 1 00000001"),
          { 4 },
          { 2, REGID_UR + 4 },
          1,
          1,
          "LDG.E R4, R2, UR4" },
    };

    (void)state;
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        struct kernel *k;
        struct replay *r = open_text(lines[n].text, &k, NULL);
        uint64_t list[2][WARP_LANES];
        struct buf text = { 0 };
        struct dyn d[2];

        take(k, 0, d, list, 2);
        expect_set(&d[0].inst->writes, lines[n].writes);
        expect_set(&d[0].inst->reads, lines[n].reads);
        assert_int_equal(d[0].inst->n_dst, lines[n].n_dst);
        assert_int_equal(d[0].inst->n_src, lines[n].n_src);
        k->ops->text(k, d[0].inst, &text);
        assert_string_equal(buf_text(&text), lines[n].name);
        buf_free(&text);
        replay_kernel_free(r, k);
        replay_close(r);
    }
}

static void older_tracers_repeat_the_block(void **state)
{
    static const char text[] =
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
        "-accelsim tracer version = 2\n#\n#BEGIN_TB\nthread block = 0,0,0\n"
        "warp = 0\ninsts = 1\n0 0 0 0 0008 ffffffff 0 EXIT 0 0\n#END_TB\n";
    struct kernel *k;
    struct replay *r = open_text(text, &k, NULL);
    uint64_t list[1][WARP_LANES];
    struct dyn d;

    (void)state;
    take(k, 0, &d, list, 1);
    assert_int_equal(d.inst->pc, 8);
    replay_kernel_free(r, k);
    replay_close(r);
}

static void bad_files_are_named(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        { "-kernel name = k\n", "hand:1: the file ends in its head" },
        { "-kernel name = k\n#\n", "hand:2: the head has no '-grid dim'" },
        { "-grid dim = (0,1)\n#\n", "hand:1: -grid dim" },
        { "hello\n", "hand: not a kernel" },
        { HEAD, "block 0,0,0 is not in the file" },
        { HEAD "x\n", "hand:13: expected #BEGIN_TB" },
        { HEAD "#BEGIN_TB\nthread block = 2,0,0\n",
          "hand:14: block 2,0,0 is not in the grid" },
        { HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n#END_TB\n",
          "expected 'insts = n'" },
        { HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n", "warp = n" },
        { HEAD "#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n", "without its warp 0" },
        { HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n"
               "0000 1 0 EXIT 0 0\n#END_TB\n",
          "hand:18: expected 1 more" },
        { HEAD BLOCK("0", "insts = 1\n0000 ffffffff 0 FOO.BAR 0 0\n"),
          "hand:19: unknown opcode FOO.BAR" },
        { HEAD BLOCK("0", "insts = 1\n0000 fffffffff 0 EXIT 0 0\n"), "a mask" },
        { HEAD BLOCK("0", "insts = 1\n0000 ffffffff 3 R1 R2 R3 MOV 0 0\n"),
          "hand:19: expected at most 2 destinations in general registers, found 3" },
        { HEAD BLOCK("0", "insts = 1\n0000 3 1 R1 LDG 1 R2 4 2 0x10\n"),
          "LDG: addresses damaged" },
        { HEAD BLOCK("0", "insts = 1\n0000 3 1 R1 LDG 1 R2 4 3 0x10\n"),
          "LDG: addresses damaged" },
        { HEAD BLOCK("0", "insts = 1\n0000 3 1 R256 MOV 0 0\n"),
          "destinations: expected a register (R4), found 'R256'" },
        { HEAD BLOCK("0", "insts = 1\n0000 3 1 UR4 S2UR 0 0\n"),
          "destinations: expected a register (R4), found 'UR4'" },
        { HEAD BLOCK("0", "insts = 1\n0000 3 x MOV 0 0\n"),
          "hand:19: expected the number of destinations, at most 16, found 'x'" },
        { HEAD BLOCK("0", "insts = 1\n0000 3 0 MOV\n"),
          "expected the number of sources, at most 16, found ''" },
        { HEAD BLOCK("0", "insts = 1\n0000 3 0 MOV 0 x\n"),
          "MOV: expected a memory width, found 'x'" },
        { NAMED_HEAD(7, 75), "hand:5: tracer version 7, expected at most 6" },
        { NAMED_HEAD(6, 75) NAMED_BLOCK("0 S2UR 1 UR64 0 0 0 NoVal"),
          "hand:11: sources: expected a register (R4, UR4, P0, UP0), found 'UR64'" },
        { NAMED_HEAD(6, 100) NAMED_BLOCK("0 S2UR 1 UR96 0 0 0 NoVal"), "found 'UR96'" },
        { NAMED_HEAD(6, 75) NAMED_BLOCK("1 P8 ISETP 0 0 0 0 NoVal"), "found 'P8'" },
        { NAMED_HEAD(6, 75) NAMED_BLOCK("1 B0 BMOV 0 0 0 0 NoVal"), "found 'B0'" },
        { NAMED_HEAD(6, 75) NAMED_BLOCK("1 UR4 S2UR 0 0 0 0"),
          "hand:11: S2UR: expected immediates, then Val or NoVal" },
        { NAMED_HEAD(6, 75) NAMED_BLOCK("1 UR4 S2UR 0 0 0 0 Nov"), "Val or NoVal" },
    };

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct err err = { 0 };
        struct kernel *k;
        struct replay *r = replay_open_memory("hand", cases[n].text,
                                              strlen(cases[n].text), NULL, &err);

        if (r && replay_next_kernel(r, &k, &err) == 1) {
            if (k->ops->open(k, 0, &err))
                fail_msg("case %zu is not refused", n);
            replay_kernel_free(r, k);
        }
        replay_close(r);
        assert_int_equal(err.code, ERR_INPUT);
        if (!strstr(err.text, cases[n].words))
            fail_msg("case %zu: '%s', expected '%s'", n, err.text, cases[n].words);
    }
}

/* ---- names ---- */

static void the_table_is_sorted(void **state)
{
    (void)state;
    for (size_t n = 1; traceg_mnemonic_at(n); n++)
        assert_true(
            strcmp(traceg_mnemonic_at(n - 1)->name, traceg_mnemonic_at(n)->name) < 0);
}

/* Every instruction the SASS front end knows has a row. */
static void no_name_is_missing(void **state)
{
    (void)state;
    for (unsigned op = 0; op < N_SASS_OP; op++) {
        char name[64];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(sass_rows()[op].format, " {"),
                 sass_rows()[op].format);
        if (!strcmp(name, "F")) /* "F{=mixed}": FADD or FFMA with the operands' types */
            strcpy(name, "FADD");
        if (!strcmp(name, "UTC")) /* "UTC{=...}": a product, with the operands' type */
            strcpy(name, "UTCHMMA");
        if (!traceg_find(name))
            fail_msg("%s", name);
    }
}

/* "SM WORD TEXT" lines of tests/data/disasm: every shape of every instruction. */
static bool decode_line(const char *line, struct sass_inst *i)
{
    unsigned sm = (unsigned)strtoul(line, NULL, 10);
    char part[17] = { 0 };
    struct word w;

    memcpy(part, strchr(line, ' ') + 1, 16);
    w.hi = strtoull(part, NULL, 16);
    memcpy(part, strchr(line, ' ') + 17, 16);
    w.lo = strtoull(part, NULL, 16);
    return sass_decode(i, sm == 75 ? SM75 : sm == 86 ? SM86 : SM90, w, 0x1000);
}

/* The name says of an instruction what its decoder says. */
static void names_agree_with_the_decoder(void **state)
{
    /* For what is executed as it issues, which a trace is not. */
    const unsigned executed = INST_SETS_PRED | INST_TIME;
    char *text = zst_text("tests/data/disasm/reference.txt.zst");
    unsigned n = 0;

    (void)state;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), n++) {
        struct sass_inst i;
        struct inst named = { 0 };
        struct buf out = { 0 };
        char *opcode;

        assert_true(decode_line(line, &i));
        sass_print(&out, &i, NULL);
        opcode = out.data;
        if (*opcode == '@')
            opcode += strcspn(opcode, " ") + 1;
        opcode[strcspn(opcode, " ")] = '\0';
        if (!traceg_classify(&named, opcode))
            fail_msg("%s is not known", opcode);
        if (i.base.op == OP_ATOM_ARRIVE) /* its space is known once it is executed */
            named.space = i.base.space;
        if (i.base.class == CLASS_uniform_move) /* of sm_90 only; a name is of all */
            named.class = i.base.class;
        if (i.base.op == OP_ARRIVES || i.base.op == OP_LDGDEPBAR) /* of sm_90, too */
            named.flags |= i.base.flags & (INST_PHASE | INST_COPIES);
        if (i.base.op == OP_LDGSTS) /* so is its way around L1 */
            named.flags |= i.base.flags & INST_BYPASS_L1;
        if (named.class != i.base.class || named.space != i.base.space ||
            named.memory != i.base.memory || (named.flags ^ i.base.flags) & ~executed)
            fail_msg("%s: class %u, expected %u; space %u, %u; flags %x, %x; "
                     "memory %x, %x",
                     opcode, named.class, i.base.class, named.space, i.base.space,
                     named.flags, i.base.flags, named.memory, i.base.memory);
        buf_free(&out);
    }
    assert_true(n > 1000);
    free(text);
}

static void operands_from_text(void **state)
{
    static const struct {
        const char *text, *line;
        struct inst i;
    } cases[] = {
        { "@!P0 FFMA R1, R2.reuse, -R3, RZ",
          "1 R1 FFMA 3 R2 R3 R255",
          { .class = CLASS_fp32,
            .n_dst = 1,
            .dst = { { .reg = 1, .n = 1, .slot = 3 } } } },
        { "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]",
          "1 R1 IMAD.MOV.U32 2 R255 R255",
          { .class = CLASS_imul,
            .n_dst = 1,
            .dst = { { .reg = 1, .n = 1, .slot = 3 } } } },
        { "STG.E.SYS [R2.64+UR4], R5",
          "0 STG.E.SYS 2 R2 R5",
          { .class = CLASS_store } },
        { "ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], R0",
          "1 R0 ATOMG.E.ADD.STRONG.GPU 2 R2 R0",
          { .class = CLASS_atomic,
            .n_dst = 1,
            .dst = { { .reg = 0, .n = 1, .slot = 3 } } } },
        { "S2R R0, SR_TID.X",
          "1 R0 S2R 0",
          { .class = CLASS_sreg,
            .n_dst = 1,
            .dst = { { .reg = 0, .n = 1, .slot = 3 } } } },
        { "IADD3 RZ, P0, R4, R6, RZ",
          "1 R255 IADD3 3 R4 R6 R255",
          { .class = CLASS_int } },
        { "RET.REL.NODEC R4", "0 RET.REL.NODEC 1 R4", { .class = CLASS_branch } },
        { "ULDC UR4, c[0x0][0x160]", "0 ULDC 0", { .class = CLASS_uniform } },
        { "EXIT", "0 EXIT 0", { .class = CLASS_branch } },
    };

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct buf out = { 0 };
        struct err err = { 0 };

        assert_int_equal(
            traceg_put_operands(&out, &cases[n].i, cases[n].text, TURING, &err), 0);
        assert_string_equal(buf_text(&out), cases[n].line);
        buf_free(&out);
    }
}

static void unknown_to_accelsim(void **state)
{
    struct inst i = { .class = CLASS_vote };
    struct buf out = { 0 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(traceg_put_operands(&out, &i, "ELECT P0, PT", AMPERE, &err), -1);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_null(traceg_writer_new("nowhere", 90, &err));
    assert_non_null(strstr(err.text, "sm_75 or sm_86"));
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_comes_back),
        cmocka_unit_test(compressed_ones_too),
        cmocka_unit_test(the_three_address_modes),
        cmocka_unit_test(what_traces_do_not_say),
        cmocka_unit_test(a_file_as_tracers_write_it),
        cmocka_unit_test(older_tracers_repeat_the_block),
        cmocka_unit_test(newer_tracers_name_all_registers),
        cmocka_unit_test(bad_files_are_named),
        cmocka_unit_test(the_table_is_sorted),
        cmocka_unit_test(no_name_is_missing),
        cmocka_unit_test(names_agree_with_the_decoder),
        cmocka_unit_test(operands_from_text),
        cmocka_unit_test(unknown_to_accelsim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
