/* test_presets.c - the machines that come with the program: every key is known, their
 * numbers fit together, and files may build on them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "config/hash.h"
#include "config/preset.h"
#include "driver/device.h"
#include "json_check.h"
#include "sim/machine.h"

static struct machine *machine_of(const char *gpu)
{
    struct err err = { 0 };
    struct machine *m = machine_new(gpu, NULL, &err);

    if (!m || machine_check(m, &err))
        fail_msg("%s", err.text);
    return m;
}

static void every_key_is_known(void **state)
{
    const struct preset *p;
    size_t n = 0;

    (void)state;
    for (; (p = preset_at(n)); n++) {
        machine_free(machine_of(p->name));
        assert_ptr_equal(preset_find(p->name), p);
        assert_int_equal(strlen(p->text), p->size);
        assert_memory_equal(p->text, "; ", 2);
        assert_memory_equal(p->text + 2, p->summary, strlen(p->summary));
        assert_int_equal(p->text[2 + strlen(p->summary)], '\n');
        assert_true(strlen(p->summary) > 10 && strlen(p->summary) < 70);
    }
    assert_true(n >= 6);
    assert_null(preset_find("rtx"));
    assert_null(preset_find(""));
}

static uint32_t most_shared(const struct shared_params *s)
{
    const uint32_t kb[] = { s->carve0_kb, s->carve1_kb, s->carve2_kb, s->carve3_kb,
                            s->carve4_kb, s->carve5_kb, s->carve6_kb, s->carve7_kb };
    uint32_t most = kb[0];

    for (size_t i = 1; i < 8 && kb[i]; i++) {
        assert_true(kb[i] > most);
        most = kb[i];
    }
    return most;
}

static void check_row(const struct param_group *g, const struct param_desc *row)
{
    size_t n = 1;

    for (const struct param_desc *other = g->rows; other < row; other++)
        assert_string_not_equal(other->name, row->name);
    assert_true(strlen(row->help) > 2);
    assert_null(strpbrk(row->help, "\n\t"));
    for (const char *c = row->choices; *c; c++)
        n += *c == '|';
    if (row->type == PARAM_TYPE_NUM)
        assert_in_range(row->def, row->min, row->max);
    else if (row->type == PARAM_TYPE_ENUM)
        assert_true(n > 1 && row->def < n);
    else
        assert_in_range(row->def, 0, 1);
    assert_true(row->offset < g->size);
}

static void tables_are_sound(void **state)
{
    const struct param_group *groups[64];
    size_t n = machine_groups(groups, 64);

    (void)state;
    assert_true(n > 14 && n < 64);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(groups[i]->prefix, groups[j]->prefix);
        assert_true(strlen(groups[i]->help) > 2 && groups[i]->n_rows > 0);
        for (size_t r = 0; r < groups[i]->n_rows; r++)
            check_row(groups[i], &groups[i]->rows[r]);
    }
}

static void numbers_fit_together(void **state)
{
    const struct preset *p;

    (void)state;
    for (size_t i = 0; (p = preset_at(i)); i++) {
        struct machine *m = machine_of(p->name);
        const struct dram_params *d = &m->memory.dram;

        if (m->gpu.core == GPU_CORE_VORTEX) { /* has none of these */
            machine_free(m);
            continue;
        }
        assert_int_equal(m->core.threads, m->core.warps * 32);
        assert_int_equal(m->lsu.lsu.warps, m->core.warps);
        assert_int_equal(d->for_sms, m->gpu.sms);
        assert_int_equal(1 << (d->bank_low_bits + d->bank_high_bits), d->banks);
        assert_true(m->classes.texture_latency == m->lsu.lsu.texture_latency);
        if (m->lsu.l1.unified_kb) {
            assert_int_equal(most_shared(&m->lsu.shared), m->lsu.shared.kb);
            assert_true(m->lsu.l1.unified_kb >= m->lsu.shared.kb);
        }
        machine_free(m);
    }
}

/* Known sizes and rates of the cards themselves. */
static void machines_are_the_size_of_the_cards(void **state)
{
    static const struct {
        const char *name;
        unsigned sms, warps, l2_kb, gb_a_second;
    } cards[] = {
        { "rtx2060s", 34, 32, 4096, 448 },   { "rtx2060s-ghost", 34, 32, 4096, 448 },
        { "rtx3070", 46, 48, 4096, 448 },    { "rtx3070-ghost", 46, 48, 4096, 448 },
        { "v100", 80, 64, 6144, 870 },       { "gtx1080ti", 28, 64, 2816, 484 },
        { "h200", 132, 64, 61440, 4814 },    { "a100", 108, 64, 40960, 1555 },
        { "rtx4090", 128, 48, 73728, 1008 }, { "b200", 148, 64, 129024, 7672 },
        { "rtx5090", 170, 48, 98304, 1792 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        struct machine *m = machine_of(cards[i].name);
        const struct l2_params *l2 = &m->memory.l2;
        const struct dram_params *d = &m->memory.dram;
        uint64_t kb = (uint64_t)l2->sets * l2->ways * l2->slices_per_channel *
                      d->channels * 128 / 1024;
        uint64_t rate = (uint64_t)d->clock * 1000 * d->data_rate * d->bus_bytes *
                        d->channels / 1000000000;

        assert_int_equal(m->gpu.sms, cards[i].sms);
        assert_int_equal(m->core.warps, cards[i].warps);
        assert_in_range(kb, cards[i].l2_kb, cards[i].l2_kb + cards[i].l2_kb / 100);
        assert_in_range(rate, cards[i].gb_a_second, cards[i].gb_a_second + 1);
        machine_free(m);
    }
}

/* A preset may speak of schemes, too. */
static unsigned inorder_entries(const struct machine *m)
{
    struct buf b = { 0 };
    const char *at;
    unsigned n = 0;

    param_json(m->bind, m->n_bind, &b);
    at = strstr(buf_text(&b), "\"inorder.entries\": ");
    if (at)
        n = (unsigned)strtoul(strchr(at, ':') + 1, NULL, 10);
    buf_free(&b);
    return n;
}

static void a_base_gives_what_is_not_said(void **state)
{
    struct machine *plain = machine_of("rtx2060s"),
                   *ghost = machine_of("rtx2060s-ghost");

    (void)state;
    assert_int_equal(plain->sched.policy, SCHED_LRR);
    assert_int_equal(ghost->sched.policy, SCHED_GTO);
    assert_int_equal(plain->classes.fp32_latency, 2);
    assert_int_equal(ghost->classes.fp32_latency, 4);
    assert_int_equal(plain->classes.fp64_pipe, PIPE_sfu);
    assert_int_equal(ghost->classes.fp64_pipe, PIPE_sfu);
    assert_true(plain->fetch.perfect);
    assert_false(ghost->fetch.perfect);
    assert_memory_equal(&plain->memory, &ghost->memory, sizeof plain->memory);
    assert_int_equal(inorder_entries(plain), 2);
    assert_int_equal(inorder_entries(ghost), 4);
    assert_memory_equal(&plain->lsu.l1, &ghost->lsu.l1, sizeof plain->lsu.l1);
    machine_free(plain);
    machine_free(ghost);
}

static void a_dump_is_the_same_machine(void **state)
{
    const struct preset *p;
    uint64_t hashes[16] = { 0 };

    (void)state;
    for (size_t i = 0; (p = preset_at(i)) && i < 16; i++) {
        struct machine *m = machine_of(p->name), *again = machine_of(p->name);
        struct buf b = { 0 };
        struct err err;

        param_dump(m->bind, m->n_bind, &b);
        param_defaults(again->bind, again->n_bind);
        assert_int_equal(param_read(again->bind, again->n_bind,
                                    &(struct param_source){
                                        .name = "dump", .text = b.data, .size = b.len },
                                    &err),
                         0);
        hashes[i] = param_hash(m->bind, m->n_bind);
        assert_int_equal(param_hash(again->bind, again->n_bind), hashes[i]);
        for (size_t g = 0; g < m->n_bind; g++)
            assert_memory_equal(m->bind[g].values, again->bind[g].values,
                                m->bind[g].group->size);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(hashes[i], hashes[j]);
        buf_clear(&b);
        param_json(m->bind, m->n_bind, &b);
        assert_true(json_is_valid(buf_text(&b)));
        buf_free(&b);
        machine_free(m);
        machine_free(again);
    }
}

/* The machine of a file with this text; NULL with the words behind its name. */
static struct machine *machine_of_text(const char *text, struct err *err)
{
    char path[] = "/tmp/leno-test-XXXXXX.ini";
    int fd = mkstemps(path, 4);
    struct machine *m;

    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(file_write(path, text, strlen(text), err), 0);
    m = machine_new(path, NULL, err);
    unlink(path);
    if (!m)
        memmove(err->text, strchr(err->text, ':') + 1, strlen(strchr(err->text, ':')));
    return m;
}

static void files_may_build_on_presets(void **state)
{
    struct err err = { 0 };
    struct machine *m = machine_of_text("base = rtx3070\n[gpu]\nsms = 4\n", &err);

    (void)state;
    assert_non_null(m);
    assert_int_equal(m->gpu.sms, 4);
    assert_int_equal(m->core.warps, 48);
    machine_free(m);
    assert_null(machine_of_text("base = rtx307\n", &err));
    assert_string_equal(err.text,
                        "1: no GPU 'rtx307' (did you mean 'rtx3070'?); leno list gpus "
                        "names them, a file ends with .ini");
    assert_null(machine_of_text("\n[core]\nwarps = 129\n", &err));
    assert_string_equal(err.text,
                        "3: core.warps: expected a number from 1 to 128, got '129'");
}

static void a_subcore_has_64_warps_at_most(void **state)
{
    struct err err = { 0 };
    struct machine *m = machine_new("v100", NULL, &err);

    (void)state;
    assert_non_null(m);
    assert_int_equal(machine_set(m, "core.warps=128", &err), 0);
    assert_int_equal(machine_set(m, "lsu.warps=128", &err), 0);
    assert_int_equal(machine_set(m, "core.subcores=2", &err), 0);
    assert_int_equal(machine_check(m, &err), 0);
    assert_int_equal(machine_set(m, "core.subcores=1", &err), 0);
    assert_int_equal(machine_check(m, &err), -1);
    assert_string_equal(err.text,
                        "core.warps = 128, expected at most 64 x core.subcores = 64");
    machine_free(m);
}

static void every_warp_has_its_own_local_memory(void **state)
{
    struct err err = { 0 };
    struct machine *m = machine_new("v100", NULL, &err);

    (void)state;
    assert_non_null(m);
    assert_int_equal(machine_set(m, "lsu.warps=63", &err), 0);
    assert_int_equal(machine_check(m, &err), -1);
    assert_string_equal(err.text, "lsu.warps = 63, expected at least core.warps = 64");
    assert_int_equal(machine_set(m, "lsu.warps=65", &err), 0);
    assert_int_equal(machine_check(m, &err), 0);
    machine_free(m);
}

static void names_that_are_not_there_are_refused(void **state)
{
    struct err err = { 0 };

    (void)state;
    assert_null(machine_new("h100", NULL, &err));
    assert_string_equal(err.text,
                        "no GPU 'h100' (did you mean 'a100'?); leno list gpus "
                        "names them, a file ends with .ini");
    assert_null(machine_new("", NULL, &err));
    assert_null(machine_new(".ini", NULL, &err));
    assert_non_null(strstr(err.text, "no GPU '.ini'"));
    assert_null(machine_new("/nowhere/x.ini", NULL, &err));
    assert_string_equal(err.text, "/nowhere/x.ini: No such file or directory");
}

/* Clusters of a size that GPCs hold with one block per SM: GPCs in order, then pairs. */
static uint32_t clusters_of(const struct cluster_params *p, uint32_t n_sms,
                            uint32_t size)
{
    const uint32_t gpc[CLUSTER_GPCS] = { p->gpc0_sms, p->gpc1_sms, p->gpc2_sms,
                                         p->gpc3_sms, p->gpc4_sms, p->gpc5_sms,
                                         p->gpc6_sms, p->gpc7_sms };
    uint32_t n = 0;

    for (uint32_t k = 0; n_sms; k++) {
        uint32_t sms = k < CLUSTER_GPCS ? gpc[k] : CLUSTER_TPC_SMS;

        sms = sms < n_sms ? sms : n_sms;
        n += sms / size;
        n_sms -= sms;
    }
    return n;
}

/* The driver tells programs of the GPCs that the model places clusters on. */
static void driver_and_h200_agree_on_gpcs(void **state)
{
    struct machine *m = machine_of("h200");

    (void)state;
    for (uint32_t sms = 1; sms <= m->gpu.sms; sms++)
        for (uint32_t size = 1; size <= MAX_CLUSTER_BLOCKS; size++)
            assert_int_equal(device_clusters(sms, 1, size),
                             clusters_of(&m->cluster, sms, size));
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_known),
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(numbers_fit_together),
        cmocka_unit_test(machines_are_the_size_of_the_cards),
        cmocka_unit_test(a_base_gives_what_is_not_said),
        cmocka_unit_test(a_dump_is_the_same_machine),
        cmocka_unit_test(files_may_build_on_presets),
        cmocka_unit_test(a_subcore_has_64_warps_at_most),
        cmocka_unit_test(every_warp_has_its_own_local_memory),
        cmocka_unit_test(names_that_are_not_there_are_refused),
        cmocka_unit_test(driver_and_h200_agree_on_gpcs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
