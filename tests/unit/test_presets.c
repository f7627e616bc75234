/* test_presets.c - the machines that come with the program: every key is known, their
 * numbers fit together, and files may build on them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "config/gpu.h"
#include "config/hash.h"
#include "config/preset.h"
#include "core/lsu_params.h"
#include "core/params.h"
#include "json_check.h"

/* Every group that a preset may speak of. */
struct machine {
    struct gpu_params gpu;
    struct core_params core;
    struct fetch_params fetch;
    struct regfile_params regfile;
    struct sched_params sched;
    struct class_params classes;
    struct lsu_config lsu;
    struct memory_params memory;
    struct param_binding b[14];
};
enum { N = 14 };

static struct machine *machine_new(void)
{
    struct machine *m = calloc(1, sizeof *m);
    struct param_binding b[N] = {
        { &gpu_param_group, &m->gpu },
        { &core_param_group, &m->core },
        { &fetch_param_group, &m->fetch },
        { &regfile_param_group, &m->regfile },
        { &sched_param_group, &m->sched },
        { &class_param_group, &m->classes },
        { &l1_param_group, &m->lsu.l1 },
        { &shared_param_group, &m->lsu.shared },
        { &lsu_param_group, &m->lsu.lsu },
        { &const_param_group, &m->lsu.constant },
        { &l2_param_group, &m->memory.l2 },
        { &dram_param_group, &m->memory.dram },
        { &icnt_param_group, &m->memory.icnt },
        { &tlb_param_group, &m->memory.tlb },
    };

    assert_non_null(m);
    memcpy(m->b, b, sizeof b);
    param_defaults(m->b, N);
    return m;
}

static struct machine *machine_of(const char *gpu)
{
    struct machine *m = machine_new();
    struct err err = { 0 };

    if (preset_read(m->b, N, gpu, &err))
        fail_msg("%s", err.text);
    return m;
}

static void every_key_is_known(void **state)
{
    const struct preset *p;
    size_t n = 0;

    (void)state;
    for (; (p = preset_at(n)); n++) {
        free(machine_of(p->name));
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
    struct machine *m = machine_new();

    (void)state;
    for (size_t i = 0; i < N; i++) {
        const struct param_group *g = m->b[i].group;

        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(g->prefix, m->b[j].group->prefix);
        assert_true(strlen(g->help) > 2 && g->n_rows > 0);
        for (size_t r = 0; r < g->n_rows; r++)
            check_row(g, &g->rows[r]);
    }
    free(m);
}

static void numbers_fit_together(void **state)
{
    const struct preset *p;

    (void)state;
    for (size_t i = 0; (p = preset_at(i)); i++) {
        struct machine *m = machine_of(p->name);
        const struct dram_params *d = &m->memory.dram;

        assert_int_equal(m->core.threads, m->core.warps * 32);
        assert_int_equal(m->lsu.lsu.warps, m->core.warps);
        assert_int_equal(m->lsu.shared.kb * 1024, m->core.shared);
        assert_int_equal(d->for_sms, m->gpu.sms);
        assert_int_equal(1 << (d->bank_low_bits + d->bank_high_bits), d->banks);
        assert_true(m->classes.texture_latency == m->lsu.lsu.texture_latency);
        if (m->lsu.l1.unified_kb) {
            assert_int_equal(most_shared(&m->lsu.shared), m->lsu.shared.kb);
            assert_true(m->lsu.l1.unified_kb >= m->lsu.shared.kb);
        }
        free(m);
    }
}

/* Known sizes and rates of the cards themselves. */
static void machines_are_the_size_of_the_cards(void **state)
{
    static const struct {
        const char *name;
        unsigned sms, warps, l2_kb, gb_a_second;
    } cards[] = {
        { "rtx2060s", 34, 32, 4096, 448 },  { "rtx2060s-ghost", 34, 32, 4096, 448 },
        { "rtx3070", 46, 48, 4096, 448 },   { "v100", 80, 64, 6144, 870 },
        { "gtx1080ti", 28, 64, 2816, 484 }, { "h200", 132, 64, 61440, 4814 },
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
        free(m);
    }
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
    assert_memory_equal(&plain->lsu.l1, &ghost->lsu.l1, sizeof plain->lsu.l1);
    free(plain);
    free(ghost);
}

static void a_dump_is_the_same_machine(void **state)
{
    const struct preset *p;
    uint64_t hashes[16] = { 0 };

    (void)state;
    for (size_t i = 0; (p = preset_at(i)) && i < 16; i++) {
        struct machine *m = machine_of(p->name), *again = machine_new();
        struct buf b = { 0 };
        struct err err;

        param_dump(m->b, N, &b);
        assert_int_equal(param_read(again->b, N,
                                    &(struct param_source){
                                        .name = "dump", .text = b.data, .size = b.len },
                                    &err),
                         0);
        hashes[i] = param_hash(m->b, N);
        assert_int_equal(param_hash(again->b, N), hashes[i]);
        for (size_t g = 0; g < N; g++)
            assert_memory_equal(m->b[g].values, again->b[g].values,
                                m->b[g].group->size);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(hashes[i], hashes[j]);
        buf_clear(&b);
        param_json(m->b, N, &b);
        assert_true(json_is_valid(buf_text(&b)));
        buf_free(&b);
        free(m);
        free(again);
    }
}

/* Reads text as a file of that name; what it says, or "". */
static const char *read_file(struct machine *m, const char *text, struct err *err)
{
    char path[] = "/tmp/leno-test-XXXXXX.ini";
    int fd = mkstemps(path, 4), rc;

    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(file_write(path, text, strlen(text), err), 0);
    rc = preset_read(m->b, N, path, err);
    unlink(path);
    return rc ? strchr(err->text, ':') + 1 : "";
}

static void files_may_build_on_presets(void **state)
{
    struct machine *m = machine_new();
    struct err err = { 0 };

    (void)state;
    assert_string_equal(read_file(m, "base = rtx3070\n[gpu]\nsms = 4\n", &err), "");
    assert_int_equal(m->gpu.sms, 4);
    assert_int_equal(m->core.warps, 48);
    assert_string_equal(read_file(m, "base = rtx307\n", &err),
                        "1: no GPU 'rtx307' (did you mean 'rtx3070'?); leno list gpus "
                        "names them, a file ends with .ini");
    assert_string_equal(read_file(m, "\n[core]\nwarps = 99\n", &err),
                        "3: core.warps: expected a number from 1 to 64, got '99'");
    free(m);
}

static void names_that_are_not_there_are_refused(void **state)
{
    struct machine *m = machine_new();
    struct err err = { 0 };

    (void)state;
    assert_int_equal(preset_read(m->b, N, "h100", &err), -1);
    assert_string_equal(err.text,
                        "no GPU 'h100' (did you mean 'h200'?); leno list gpus "
                        "names them, a file ends with .ini");
    assert_int_equal(preset_read(m->b, N, "", &err), -1);
    assert_int_equal(preset_read(m->b, N, ".ini", &err), -1);
    assert_non_null(strstr(err.text, "no GPU '.ini'"));
    assert_int_equal(preset_read(m->b, N, "/nowhere/x.ini", &err), -1);
    assert_string_equal(err.text, "/nowhere/x.ini: No such file or directory");
    free(m);
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
        cmocka_unit_test(names_that_are_not_there_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
