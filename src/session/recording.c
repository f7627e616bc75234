/* recording.c - a recording of either format, and its table of kernels. */
#include "session/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

bool recording_is_file(const char *path)
{
    static const char *const ends[] = { ".leno", ".g", ".traceg", ".traceg.xz" };
    size_t n = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t m = strlen(ends[i]);

        if (n > m && !strcmp(path + n - m, ends[i]))
            return true;
    }
    return false;
}

int recording_open_leno(struct recording *r, const char *path,
                        const struct replay_info *info, struct err *err)
{
    r->leno = replay_writer_new(path, info, err);
    r->naming = info->naming;
    return r->leno ? 0 : -1;
}

/* Whether the name is ours now. Other reasons why it cannot be are for the one who writes. */
static bool reserve_name(struct recording *r, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0)
        return errno != EEXIST;
    close(fd);
    r->reserved = strdup(path);
    if (!r->reserved)
        err_memory_exit("a name");
    r->live = file_live_add(path);
    return true;
}

/* The empty file is replaced when the recording is finished. */
static void release_name(struct recording *r, bool is_kept)
{
    if (!r->reserved)
        return;
    if (!is_kept)
        unlink(r->reserved);
    file_live_remove(r->live);
    free(r->reserved);
    r->reserved = NULL;
}

int recording_open_new(struct recording *r, const char *folder, const char *name,
                       const struct replay_info *info, struct err *err)
{
    struct buf path = { 0 };
    unsigned n = 0;
    int failed;

    mkdir(folder, 0777);
    do {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, name);
        if (n++)
            buf_printf(&path, "-%u", n);
        buf_puts(&path, ".leno");
    } while (!reserve_name(r, buf_text(&path)));
    failed = recording_open_leno(r, buf_text(&path), info, err);
    if (failed)
        release_name(r, false);
    buf_free(&path);
    return failed;
}

int recording_open_traceg(struct recording *r, const char *folder, unsigned sm,
                          struct err *err)
{
    r->traceg = traceg_writer_new(folder, sm, err);
    return r->traceg ? 0 : -1;
}

bool recording_is_open(const struct recording *r)
{
    return r->leno || r->traceg;
}

static void print_row(FILE *out, const char *name, uint64_t blocks,
                      const struct replay_counts *c)
{
    double per = c->warp_insts ? (double)c->file_bytes / (double)c->warp_insts : 0;

    fprintf(out, "%-32s %10llu %14llu %14llu %12.3f\n", name,
            (unsigned long long)blocks, (unsigned long long)c->warp_insts,
            (unsigned long long)c->file_bytes, per);
}

static void print_kernel(const struct recording *r, const struct kernel *k,
                         const struct replay_counts *c)
{
    if (!r->rows)
        return;
    if (!r->n_kernels)
        fprintf(r->rows, "%-32s %10s %14s %14s %12s\n", "kernel", "blocks",
                "warp insts", "bytes", "bytes/inst");
    print_row(r->rows, k->name, k->n_blocks, c);
}

int recording_add_kernel(struct recording *r, struct kernel *k,
                         struct replay_counts *counts, struct err *err)
{
    int failed = r->leno ? replay_record_kernel(r->leno, k, counts, err)
                         : traceg_record_kernel(r->traceg, k, counts, err);

    if (r->meter)
        meter_clear(r->meter);
    if (failed) {
        recording_abandon(r);
        return -1;
    }
    print_kernel(r, k, counts);
    r->n_kernels++;
    r->n_blocks += k->n_blocks;
    r->total.warp_insts += counts->warp_insts;
    r->total.file_bytes += counts->file_bytes;
    return 0;
}

int recording_finish(struct recording *r, struct err *err)
{
    int failed = r->leno ? replay_writer_finish(r->leno, err)
                         : traceg_writer_finish(r->traceg, err);

    r->leno = NULL;
    r->traceg = NULL;
    release_name(r, !failed);
    if (!failed && r->rows && r->n_kernels > 1)
        print_row(r->rows, "total", r->n_blocks, &r->total);
    return failed;
}

void recording_abandon(struct recording *r)
{
    replay_writer_abandon(r->leno);
    traceg_writer_abandon(r->traceg);
    release_name(r, false);
    *r = (struct recording){ .rows = r->rows, .meter = r->meter };
}
