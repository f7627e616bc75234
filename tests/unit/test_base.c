/* test_base.c - errors, buffers, files, and the simulated address space. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/agenda.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/space.h"
#include "base/space_map.h"
#include "check.h"

static void err_keeps_kind_and_words(void **state)
{
    struct err e = { 0 };

    (void)state;
    assert_int_equal(err_set(&e, "%s: %d", "file", 7), -1);
    assert_int_equal(e.code, ERR_INPUT);
    assert_string_equal(e.text, "file: 7");
    assert_int_equal(err_kind(&e, ERR_DEADLOCK, "stuck"), -1);
    assert_int_equal(e.code, ERR_DEADLOCK);
    assert_int_equal(err_prefix(&e, "warp %d", 3), -1);
    assert_string_equal(e.text, "warp 3: stuck");
    assert_int_equal(e.code, ERR_DEADLOCK);
    assert_int_equal(err_set(NULL, "nobody cares"), -1);
}

static void an_agenda_wakes_for_the_first_of_its_sources(void **state)
{
    static const char *const names[] = { "result", "reply", "timer" };
    struct agenda a;
    struct buf text = { 0 };

    (void)state;
    agenda_init(&a);
    assert_true(agenda_first(&a) == NEVER);
    agenda_set(&a, 1, 30);
    agenda_add(&a, 1, 40);
    agenda_add(&a, 2, 35);
    assert_int_equal(agenda_first(&a), 30);
    agenda_set(&a, 1, NEVER);
    assert_int_equal(agenda_first(&a), 35);
    agenda_set(&a, AGENDA_SOURCES - 1, 7);
    assert_int_equal(agenda_first(&a), 7);
    agenda_print(&a, names, 3, &text);
    assert_string_equal(buf_text(&text),
                        "  wakes: result never; reply never; timer in cycle 35\n");
    buf_free(&text);
}

static void err_cuts_long_words(void **state)
{
    struct err e = { 0 };
    char *words = malloc(5000);

    (void)state;
    memset(words, 'x', 4999);
    words[4999] = '\0';
    err_set(&e, "%s", words);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    err_prefix(&e, "%s", words);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    free(words);
}

static void err_memory_has_one_wording(void **state)
{
    struct err e = { 0 };

    (void)state;
    assert_int_equal(err_memory(&e, "%u MSHRs", 7u), -1);
    assert_int_equal(e.code, ERR_MEMORY);
    assert_string_equal(e.text, "out of memory for 7 MSHRs");
    assert_int_equal(err_exit(&e), 5);
    assert_int_equal(err_memory(NULL, "nothing"), -1);
}

/* The end of a program that cannot go on: the same words and exit code, and nothing of what
 * its parent has yet to print. */
static void err_memory_ends_a_process(void **state)
{
    int ends[2], status;
    char text[64] = "";
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        err_memory_exit("text");
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 5);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    assert_string_equal(text, "leno: out of memory for text\n");
    close(ends[0]);
    close(ends[1]);
}

static void buf_grows_and_ends_with_nul(void **state)
{
    struct buf b = { 0 };

    (void)state;
    assert_string_equal(buf_text(&b), "");
    for (int i = 0; i < 1000; i++)
        buf_printf(&b, "%d,", i % 10);
    assert_int_equal(b.len, 2000);
    assert_int_equal(strlen(b.data), 2000);
    assert_memory_equal(b.data + 1998, "9,", 3);
    buf_clear(&b);
    assert_string_equal(buf_text(&b), "");
    buf_add(&b, "a\0b", 3);
    buf_putc(&b, 'c');
    assert_int_equal(b.len, 4);
    assert_memory_equal(b.data, "a\0bc", 5);
    buf_free(&b);
    assert_null(b.data);
}

static void file_comes_back_as_written(void **state)
{
    char path[] = "/tmp/leno-test-XXXXXX";
    struct file f;
    struct err e;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(file_write(path, "ab\0c", 4, &e), 0);
    assert_int_equal(file_read(path, 4, &f, &e), 0);
    assert_int_equal(f.size, 4);
    assert_memory_equal(f.data, "ab\0c", 4);
    file_free(&f);
    assert_int_equal(file_read(path, 3, &f, &e), -1);
    assert_non_null(strstr(e.text, "expected at most 3"));
    assert_null(f.data);
    unlink(path);
    assert_int_equal(file_read(path, 3, &f, &e), -1);
    assert_int_equal(file_read("/tmp", 1 << 20, &f, &e), -1);
    assert_int_equal(file_write("/nowhere/at/all", "x", 1, &e), -1);
}

enum { BASE = 0x10000, MB = 1 << 20 };

static void space_hands_out_zeroed_pieces(void **state)
{
    struct space s;
    uint64_t a, b, start, size;

    (void)state;
    assert_int_equal(space_init(&s, BASE, MB, NULL), 0);
    assert_int_equal(space_alloc(&s, 1000, 512, &a, NULL), 0);
    assert_int_equal(space_alloc(&s, 10, 4096, &b, NULL), 0);
    assert_int_equal(a % 512, 0);
    assert_int_equal(b % 4096, 0);
    assert_true(a >= BASE && b >= BASE && (b >= a + 1000 + 256 || a >= b + 10 + 256));
    assert_true(space_find(&s, a + 999, &start, &size));
    assert_int_equal(start, a);
    assert_int_equal(size, 1000);
    assert_false(space_find(&s, a + 1000, &start, &size));
    assert_true(space_has(&s, a, 1000));
    assert_true(space_has(&s, a + 1000 - 1, 1));
    assert_false(space_has(&s, a, 1001));
    assert_false(space_has(&s, a + 1, UINT64_MAX));
    assert_false(space_has(&s, a - 1, 2));
    memset(space_at(&s, a), 0xff, 1000);
    assert_int_equal(space_release(&s, a, NULL), 0);
    assert_int_equal(space_alloc(&s, 1000, 512, &a, NULL), 0);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(((uint8_t *)space_at(&s, a))[i], 0);
    space_free_all(&s);
}

static void space_refuses_what_is_not_allocated(void **state)
{
    struct space s;
    uint64_t a;

    (void)state;
    assert_int_equal(space_init(&s, BASE, MB, NULL), 0);
    assert_int_equal(space_alloc(&s, 256, 256, &a, NULL), 0);
    assert_non_null(space_at(&s, a));
    assert_non_null(space_at(&s, a + 255));
    assert_null(space_at(&s, a + 256));
    assert_null(space_at(&s, BASE - 1));
    assert_null(space_at(&s, BASE + MB));
    assert_null(space_at(&s, 0));
    assert_int_equal(space_release(&s, a + 8, NULL), -1);
    assert_int_equal(space_release(&s, a, NULL), 0);
    assert_null(space_at(&s, a));
    assert_int_equal(space_release(&s, a, NULL), -1);
    assert_int_equal(s.used, 0);
    space_free_all(&s);
}

#ifndef __SANITIZE_ADDRESS__ /* which reserves more than any limit for itself */
/* In a process of its own: the same space under a limit of so many bytes. Its exit status
 * is the check that failed. */
static int limited(rlim_t bytes, uint64_t first)
{
    const struct rlimit l = { bytes, bytes };
    uint64_t whole = (uint64_t)16 << 30, addr;
    struct err e = { 0 };
    struct space s;

    setrlimit(RLIMIT_AS, &l);
    if (space_init(&s, BASE, whole, &e))
        return e.code == ERR_MEMORY && strstr(e.text, "ulimit -v") ? 1 : 2;
    if (s.whole != whole || s.size >= bytes / 2 || s.size < SPACE_LEAST)
        return 3;
    if (space_alloc(&s, 1000, 256, &addr, &e) || addr != first)
        return 4;
    if (!space_alloc(&s, bytes, 256, &addr, &e) || e.code != ERR_LIMIT ||
        !strstr(e.text, "simulated memory is exhausted"))
        return 5;
    while (!space_alloc(&s, 1 << 20, 256, &addr, &e))
        memset(space_at(&s, addr), 1, 256);
    if (!strstr(e.text, "ulimit -v") || space_at(&s, BASE + s.size))
        return 6;
    space_free_all(&s);
    return 0;
}

static void space_is_smaller_where_the_host_sets_a_limit(void **state)
{
    static const struct {
        rlim_t bytes;
        int status;
    } rows[] = { { (rlim_t)2 << 30, 0 }, { (rlim_t)256 << 20, 0 }, { 1 << 20, 1 } };
    struct space s;
    uint64_t first;

    (void)state;
    assert_int_equal(space_init(&s, BASE, MB, NULL), 0);
    assert_int_equal(space_alloc(&s, 1000, 256, &first, NULL), 0);
    space_free_all(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = -1;
        pid_t child = fork();

        if (!child)
            _exit(limited(rows[i].bytes, first));
        assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), rows[i].status);
    }
}
#endif

/* Fills the space with the smallest pieces, then frees every other one: gaps must be
 * found again, and only gaps that fit. */
static void space_uses_gaps(void **state)
{
    struct space s;
    struct err e;
    uint64_t addr[MB / 512], again;
    int n = 0;

    (void)state;
    assert_int_equal(space_init(&s, BASE, MB, NULL), 0);
    while (n < MB / 512 && !space_alloc(&s, 256, 256, &addr[n], &e))
        n++;
    assert_int_equal(n, MB / 512);
    assert_int_equal(space_alloc(&s, 256, 256, &again, &e), -1);
    assert_int_equal(e.code, ERR_LIMIT);
    assert_int_equal(space_release(&s, addr[10], NULL), 0);
    assert_int_equal(space_alloc(&s, 512, 256, &again, &e), -1);
    assert_int_equal(space_alloc(&s, 256, 256, &again, &e), 0);
    assert_int_equal(again, addr[10]);
    assert_int_equal(space_alloc(&s, (uint64_t)MB * 2, 256, &again, &e), -1);
    assert_int_equal(space_alloc(&s, UINT64_MAX - 3, 256, &again, &e), -1);
    space_free_all(&s);
}

static uint64_t piece(struct space *s, uint64_t bytes)
{
    uint64_t addr;

    assert_int_equal(space_alloc(s, bytes, 512, &addr, NULL), 0);
    return addr - s->base;
}

/* As an H200's memory lies, from the space's second page on. */
static void space_in_pages_is_laid_out_as_on_a_gpu(void **state)
{
    enum { PAGED = 1 << 28 };
    struct space s;

    (void)state;
    assert_int_equal(space_init(&s, PAGED, 64 * MB, NULL), 0);
    s.is_paged = true;
    assert_int_equal(piece(&s, 1), 2 * MB);
    assert_int_equal(piece(&s, 513), 2 * MB + 0x200);
    assert_int_equal(piece(&s, 100000), 2 * MB + 0x600);
    assert_int_equal(piece(&s, MB), 2 * MB + 0x18e00); /* still in the page */
    assert_int_equal(piece(&s, MB), 4 * MB);
    assert_int_equal(piece(&s, MB), 5 * MB);
    assert_int_equal(piece(&s, MB + 1), 6 * MB);
    assert_int_equal(piece(&s, MB + 1), 8 * MB);
    assert_int_equal(piece(&s, 900000), 2 * MB + 0x118e00);
    assert_int_equal(piece(&s, 900000), 7 * MB + 0x200); /* the rest of a page */
    space_free_all(&s);
}

static void space_in_pages_has_more_than_its_allocations(void **state)
{
    enum { PAGED = 1 << 28 };
    struct space s;
    struct space_neighbour n = { 0 };
    uint64_t a, b, mapped = PAGED + 4 * MB;
    uint8_t *p;

    (void)state;
    assert_int_equal(space_init(&s, PAGED, 64 * MB, NULL), 0);
    assert_int_equal(space_alloc(&s, 1000, 512, &a, NULL), 0);
    assert_null(space_near(&s, a + 1024, &n)); /* not paged */
    assert_int_equal(space_release(&s, a, NULL), 0);
    s.is_paged = true;
    assert_int_equal(space_alloc(&s, 1000, 512, &a, NULL), 0);
    assert_null(space_at(&s, a + 1024));
    p = space_near(&s, a + 1024, &n);
    assert_true(p == (uint8_t *)space_at(&s, a) + 1024);
    assert_int_equal(n.start, a);
    assert_int_equal(n.size, 1000);
    assert_int_equal(n.distance, 24);
    assert_false(n.is_before);
    assert_non_null(space_near(&s, a - 8, &n));
    assert_int_equal(n.distance, 8);
    assert_true(n.is_before);
    assert_non_null(space_near(&s, mapped - 1, &n));
    assert_null(space_near(&s, mapped, &n));
    assert_null(space_near(&s, PAGED - 1, &n));
    assert_null(space_near(&s, PAGED + 64 * (uint64_t)MB, &n));
    *p = 7; /* stays while the page is mapped, and no longer */
    assert_int_equal(space_alloc(&s, 10, 512, &b, NULL), 0);
    assert_int_equal(space_release(&s, a, NULL), 0);
    assert_int_equal(*p, 7);
    assert_int_equal(space_release(&s, b, NULL), 0);
    assert_null(space_near(&s, a + 1024, &n));
    assert_int_equal(*p, 0);
    space_free_all(&s);
}

static void exact_space_ends_with_the_last_byte(void **state)
{
    struct space s;
    uint64_t a, b;

    (void)state;
    assert_int_equal(space_init(&s, 1 << 28, 64 * MB, NULL), 0);
    s.is_exact = true;
    assert_int_equal(space_alloc(&s, 1000, 512, &a, NULL), 0);
    assert_int_equal(space_alloc(&s, 512, 512, &b, NULL), 0);
    assert_non_null(space_at(&s, a + 767));
    assert_null(space_at(&s, a + 768));
    assert_true(space_tail(&s, a + 768, 232) == (uint8_t *)space_at(&s, a) + 768);
    assert_true(space_reach(&s, a + 992, 8) == (uint8_t *)space_at(&s, a) + 992);
    assert_null(space_reach(&s, a + 996, 8));
    assert_null(space_reach(&s, a + 1000, 1));
    assert_non_null(space_at(&s, b + 511));
    assert_null(space_reach(&s, b + 512, 1));
    assert_int_equal(space_release(&s, a, NULL), 0);
    assert_null(space_reach(&s, a + 992, 8));
    s.is_exact = false;
    assert_int_equal(space_alloc(&s, 1000, 512, &a, NULL), 0);
    assert_non_null(space_at(&s, a + 1023));
    assert_null(space_tail(&s, a + 992, 8));
    space_free_all(&s);
}

/* The rest of the host's page. */
static void space_in_pages_lends_whole_pages(void **state)
{
    static uint8_t lent[16384];
    uint64_t page = ((uint64_t)(uintptr_t)lent + 4095) & ~(uint64_t)4095;
    struct space s;
    struct space_neighbour n = { 0 };

    (void)state;
    assert_int_equal(space_init(&s, BASE, MB, NULL), 0);
    assert_int_equal(space_lend(&s, page + 1024, 10, NULL), 0);
    assert_null(space_near(&s, page + 4095, &n));
    s.is_paged = true;
    assert_null(space_at(&s, page + 1280));
    assert_true(space_near(&s, page + 1280, &n) == (void *)(uintptr_t)(page + 1280));
    assert_int_equal(n.distance, 246);
    assert_non_null(space_near(&s, page + 4095, &n));
    assert_non_null(space_near(&s, page, &n));
    assert_true(n.is_before && n.distance == 1024);
    assert_null(space_near(&s, page - 1, &n));
    assert_null(space_near(&s, page + 4096, &n));
    space_free_all(&s);
}

static void move_where_it_can_grow(struct space *s, size_t bytes)
{
    void *hole = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_ptr_not_equal(hole, MAP_FAILED);
    munmap(hole, bytes);
    s->bytes = mremap(s->bytes, s->size, s->size, MREMAP_MAYMOVE | MREMAP_FIXED, hole);
    assert_ptr_equal(s->bytes, hole);
}

/* Pages that become a file's keep what they hold, and what another mapping of the file
 * writes is seen; memory that is given back is zero again. */
static void space_shares_the_pages_of_an_allocation(void **state)
{
    enum { PAGED = 1 << 28, PAGE = 2 * MB };
    struct space s;
    struct err e;
    uint64_t small, a, other;
    int *there;

    (void)state;
    assert_int_equal(space_init(&s, PAGED, 8 * PAGE, NULL), 0);
    s.is_paged = true;
    assert_int_equal(space_alloc(&s, 100, 256, &small, &e), 0);
    assert_int_equal(space_alloc(&s, PAGE + 4096, 256, &a, &e), 0);
    *(int *)space_at(&s, small) = 5;
    *(int *)space_at(&s, a + PAGE) = 6;
    assert_int_equal(space_share(&s, a, PAGE + 4096, &e), 0);
    assert_int_equal(*(int *)space_at(&s, small), 5);
    assert_int_equal(*(int *)space_at(&s, a + PAGE), 6);
    assert_int_equal(space_reserve(&s, PAGE, 0, 0, &other, &e), 0);
    assert_int_equal(space_map(&s, other, PAGE, s.file, a + PAGE - s.base, &e), 0);
    space_allow(&s, other, PAGE, true);
    there = space_at(&s, other);
    assert_int_equal(there[0], 6);
    there[1] = 7;
    assert_int_equal(((int *)space_at(&s, a + PAGE))[1], 7);
    assert_int_equal(space_share(&s, a, PAGE, &e), 0); /* again: nothing is lost */
    assert_int_equal(((int *)space_at(&s, a + PAGE))[1], 7);
    assert_int_equal(space_release(&s, a, &e), 0);
    assert_true(!there[0] && !there[1]);
    space_free_all(&s);
}

/* Memory at two addresses, in a space of fewer addresses than are reserved. */
static void space_maps_memory_at_any_number_of_places(void **state)
{
    enum { PAGED = 1 << 28, PAGE = 2 * MB };
    struct space s;
    struct err e;
    struct space_neighbour n;
    uint64_t a, b, start, size, used;
    int file;

    (void)state;
    assert_int_equal(space_init(&s, PAGED, 4 * PAGE, NULL), 0);
    move_where_it_can_grow(&s, 64 * PAGE);
    s.is_paged = true;
    assert_int_equal(space_reserve(&s, 2 * PAGE, 0, 0, &a, &e), 0);
    assert_int_equal(space_reserve(&s, 16 * PAGE, 4 * PAGE, 0, &b, &e), 0);
    assert_true(a % PAGE == 0 && b % (4 * PAGE) == 0 && s.size > 16 * PAGE);
    assert_int_equal(s.whole, 4 * PAGE);
    assert_true(space_find_reserved(&s, b + PAGE, &start, &size));
    assert_true(start == b && size == 16 * PAGE);
    assert_false(space_find(&s, b, &start, &size));
    assert_int_equal(space_release(&s, b, &e), -1);
    used = s.used;
    assert_int_equal(space_memory_new(&s, PAGE, &file, &e), 0);
    assert_int_equal(s.used, used + PAGE);
    assert_int_equal(space_map(&s, a, PAGE, file, 0, &e), 0);
    assert_int_equal(space_map(&s, b + PAGE, PAGE, file, 0, &e), 0);
    assert_null(space_at(&s, a));
    space_allow(&s, a, PAGE, true);
    space_allow(&s, b + PAGE, PAGE, true);
    *(int *)space_at(&s, a + 4096) = 77;
    assert_int_equal(*(int *)space_at(&s, b + PAGE + 4096), 77);
    assert_true(space_has(&s, b + PAGE, PAGE));
    assert_false(space_has(&s, b + PAGE, PAGE + 1));
    assert_false(space_has(&s, b + PAGE - 1, 2));
    assert_null(space_near(&s, b + 2 * PAGE, &n));
    space_unmap(&s, a, PAGE);
    assert_null(space_at(&s, a));
    assert_int_equal(*(int *)space_at(&s, b + PAGE + 4096), 77);
    space_unmap(&s, b + PAGE, PAGE);
    space_memory_free(&s, PAGE, file);
    assert_int_equal(s.used, used);
    assert_int_equal(space_memory_new(&s, 5 * PAGE, &file, &e), -1);
    assert_int_equal(e.code, ERR_LIMIT);
    space_unreserve(&s, a);
    assert_int_equal(space_reserve(&s, PAGE, 0, a, &start, &e), 0);
    assert_int_equal(start, a); /* as wanted */
    assert_int_equal(space_reserve(&s, PAGE, 0, a, &start, &e), 0);
    assert_int_not_equal(start, a);
    space_free_all(&s);
}

/* Every size up to a few words of the bitmap, from every granule of one. */
static void space_marks_exactly_its_granules(void **state)
{
    struct space s;
    uint64_t a, pad;

    (void)state;
    for (uint64_t from = 1; from < 70; from++) {
        for (uint64_t n = 1; n < 200; n += 7) {
            assert_int_equal(space_init(&s, BASE, MB, NULL), 0);
            assert_int_equal(space_alloc(&s, from * 256, 256, &pad, NULL), 0);
            assert_int_equal(space_alloc(&s, n * 256, 256, &a, NULL), 0);
            for (uint64_t g = 0; g < n; g++)
                assert_non_null(space_at(&s, a + g * 256));
            assert_null(space_at(&s, a - 256));
            assert_null(space_at(&s, a + n * 256));
            assert_int_equal(space_release(&s, a, NULL), 0);
            for (uint64_t g = 0; g < n; g++)
                assert_null(space_at(&s, a + g * 256));
            assert_non_null(space_at(&s, a - 512));
            space_free_all(&s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(err_keeps_kind_and_words),
        cmocka_unit_test(an_agenda_wakes_for_the_first_of_its_sources),
        cmocka_unit_test(err_cuts_long_words),
        cmocka_unit_test(err_memory_has_one_wording),
        cmocka_unit_test(err_memory_ends_a_process),
        cmocka_unit_test(buf_grows_and_ends_with_nul),
        cmocka_unit_test(file_comes_back_as_written),
        cmocka_unit_test(space_hands_out_zeroed_pieces),
        cmocka_unit_test(space_refuses_what_is_not_allocated),
        cmocka_unit_test(space_uses_gaps),
        cmocka_unit_test(space_in_pages_is_laid_out_as_on_a_gpu),
        cmocka_unit_test(space_in_pages_has_more_than_its_allocations),
        cmocka_unit_test(exact_space_ends_with_the_last_byte),
        cmocka_unit_test(space_in_pages_lends_whole_pages),
        cmocka_unit_test(space_maps_memory_at_any_number_of_places),
        cmocka_unit_test(space_shares_the_pages_of_an_allocation),
        cmocka_unit_test(space_marks_exactly_its_granules),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(space_is_smaller_where_the_host_sets_a_limit),
#endif
    };

    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
