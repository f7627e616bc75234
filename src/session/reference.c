/* reference.c - a run compared with what a real GPU did with the same cubin.
 *
 * Compared are all outputs, byte for byte by their hashes, and at size tiny how often
 * each instruction was executed: by warps, by active threads, by threads whose guard
 * was true. A difference that is known must be exactly as known.txt says; one that has
 * disappeared is a difference, too. How often warps poll is excused, for it differs between
 * runs of one GPU.
 */
#include "session/reference.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/sass/load/polls.h"

/* One comparison. */
struct match {
    struct reference *ref;
    const struct workload_run *run;
    const struct hw_record *record;
    uint64_t n_differences;
};

int reference_open(struct reference *ref, const char *folder, FILE *out,
                   struct err *err)
{
    struct buf path = { 0 };
    int failed = 0;

    *ref = (struct reference){ .folder = folder, .out = out };
    buf_printf(&path, "%s/known.txt", folder);
    if (!access(buf_text(&path), F_OK))
        failed = hw_record_known_read(&ref->known, buf_text(&path), err);
    buf_free(&path);
    if (failed)
        return -1;
    ref->seen = calloc(ref->known.n + 1, sizeof *ref->seen);
    if (ref->seen)
        return 0;
    hw_record_known_free(&ref->known);
    return err_memory(err, "the known differences");
}

void reference_close(struct reference *ref)
{
    hw_record_known_free(&ref->known);
    free(ref->seen);
    ref->seen = NULL;
}

__attribute__((format(printf, 2, 3))) static void
note_difference(struct match *m, const char *format, ...)
{
    va_list args;

    m->n_differences++;
    fprintf(m->ref->out, "%s: ", m->run->workload->name);
    va_start(args, format);
    vfprintf(m->ref->out, format, args);
    va_end(args);
    fputc('\n', m->ref->out);
}

static const struct workload_output *find_output(const struct workload_run *run,
                                                 const char *name)
{
    for (size_t i = 0; i < run->n_outputs && i < WORKLOAD_MAX_OUTPUTS; i++) {
        if (!strcmp(run->outputs[i].name, name))
            return &run->outputs[i];
    }
    return NULL;
}

static void compare_output(struct match *m, const struct hw_record_output *want)
{
    const struct workload_output *got = find_output(m->run, want->name);

    m->ref->n_outputs++;
    if (!got) {
        note_difference(m, "output %s is missing", want->name);
    } else if (got->bytes != want->bytes) {
        note_difference(m, "output %s: %llu bytes, hardware %llu", want->name,
                        (unsigned long long)got->bytes,
                        (unsigned long long)want->bytes);
    } else if (got->hash == want->hash) {
        return;
    } else if (m->run->workload->float_atomics) {
        m->ref->n_excused++;
        fprintf(m->ref->out,
                "%s: output %s differs from the hardware's: excused, its float atomics "
                "depend on the order of threads\n",
                m->run->workload->name, want->name);
    } else {
        note_difference(m, "output %s: hash %016llx, hardware %016llx", want->name,
                        (unsigned long long)got->hash, (unsigned long long)want->hash);
    }
}

/* 0, or -1 if the record has nothing for this size. */
static int compare_outputs(struct match *m, struct err *err)
{
    const struct hw_record *r = m->record;
    size_t n = 0;

    for (size_t i = 0; i < r->n_outputs; i++) {
        if (r->outputs[i].size == m->run->size) {
            compare_output(m, &r->outputs[i]);
            n++;
        }
    }
    if (!n)
        return err_set(err, "%s/%s.txt: no outputs of this size", m->ref->folder,
                       m->run->workload->name);
    if (m->run->n_outputs != n)
        note_difference(m, "%zu outputs, hardware %zu", m->run->n_outputs, n);
    return 0;
}

/* The entry of known.txt for a place, NULL if there is none. */
static const struct hw_record_known *find_known(const struct match *m,
                                                const char *kernel, uint64_t pc,
                                                enum hw_record_count what)
{
    const struct hw_record_list *l = &m->ref->known;

    for (size_t i = 0; i < l->n; i++) {
        const struct hw_record_known *k = &l->at[i];

        if (k->pc == pc && k->what == what && !strcmp(k->kernel, kernel) &&
            !strcmp(k->workload, m->run->workload->name)) {
            m->ref->seen[i] = true;
            return k;
        }
    }
    return NULL;
}

/* Does the count depend on how often a warp has to ask for what it waits for? */
static bool polls_decide(const struct counted_kernel *k, uint64_t i,
                         enum hw_record_count what)
{
    return k->polls[i] == POLL_RETRY ||
           (k->polls[i] == POLL_BRANCH && what == HW_RECORD_ON);
}

static void count_differs(struct match *m, const struct counted_kernel *k, uint64_t i,
                          enum hw_record_count what, const uint64_t pair[2])
{
    const struct hw_record_known *known = find_known(m, k->name, 16 * i, what);
    const char *text = buf_text(&k->texts[i]), *unit = hw_record_count_name(what);
    unsigned long long ours = pair[0], theirs = pair[1];

    if (polls_decide(k, i, what)) {
        m->ref->n_polls++;
        return;
    }
    if (known && known->ours == ours && known->hardware == theirs) {
        m->ref->n_known++;
        return;
    }
    if (known)
        note_difference(
            m,
            "%s+0x%llx %s: %llu %s, hardware %llu; known.txt says %llu and %llu: "
            "update it",
            k->name, 16ull * i, text, ours, unit, theirs,
            (unsigned long long)known->ours, (unsigned long long)known->hardware);
    else
        note_difference(m, "%s+0x%llx %s: %llu %s, hardware %llu", k->name, 16ull * i,
                        text, ours, unit, theirs);
}

static void compare_kernel(struct match *m, const struct counted_kernel *k,
                           const struct hw_record_kernel *want)
{
    const uint64_t *const ours[N_HW_RECORD_COUNT] = { [HW_RECORD_WARPS] = k->warps,
                                                      [HW_RECORD_THREADS] = k->threads,
                                                      [HW_RECORD_ON] = k->on };

    if (k->launches != want->launches)
        note_difference(m, "%s: %llu launches, hardware %llu", k->name,
                        (unsigned long long)k->launches,
                        (unsigned long long)want->launches);
    if (k->n != want->n)
        note_difference(m, "%s: %llu instructions, hardware %llu", k->name,
                        (unsigned long long)k->n, (unsigned long long)want->n);
    for (uint64_t i = 0; i < k->n && i < want->n; i++) {
        m->ref->n_insts++;
        for (int what = 0; what < N_HW_RECORD_COUNT; what++) {
            uint64_t pair[2] = { ours[what][i], want->at[i][what] };

            if (pair[0] != pair[1])
                count_differs(m, k, i, (enum hw_record_count)what, pair);
        }
    }
}

static const struct hw_record_kernel *find_kernel(const struct hw_record *r,
                                                  const char *name)
{
    for (size_t i = 0; i < r->n_kernels; i++) {
        if (!strcmp(r->kernels[i].name, name))
            return &r->kernels[i];
    }
    return NULL;
}

static void compare_counts(struct match *m, const struct inst_counts *counts)
{
    const struct hw_record_list *l = &m->ref->known;
    struct counted_kernel k;
    size_t n = 0;

    for (; inst_counts_kernel(counts, n, &k); n++) {
        const struct hw_record_kernel *want = find_kernel(m->record, k.name);

        if (want)
            compare_kernel(m, &k, want);
        else
            note_difference(m, "kernel %s: not in the record", k.name);
    }
    if (n != m->record->n_kernels)
        note_difference(m, "%zu kernels, hardware %zu", n, m->record->n_kernels);
    for (size_t i = 0; i < l->n; i++) {
        if (!m->ref->seen[i] && !strcmp(l->at[i].workload, m->run->workload->name))
            note_difference(
                m,
                "%s+0x%llx: as on hardware; known.txt says that its %s differ: "
                "update it",
                l->at[i].kernel, (unsigned long long)l->at[i].pc,
                hw_record_count_name(l->at[i].what));
    }
}

static int compare_run(struct match *m, const struct inst_counts *counts,
                       struct err *err)
{
    const char *name = m->run->workload->name;

    if (m->record->cubin_bytes != m->run->cubin_bytes ||
        m->record->cubin_hash != m->run->cubin_hash)
        return err_set(err, "%s/%s.txt: belongs to another cubin; record again",
                       m->ref->folder, name);
    if (compare_outputs(m, err))
        return -1;
    if (counts)
        compare_counts(m, counts);
    m->ref->n_runs++;
    m->ref->n_differences += m->n_differences;
    if (!m->n_differences)
        return 0;
    return err_kind(err, ERR_WRONG, "differs from hardware in %llu places",
                    (unsigned long long)m->n_differences);
}

int reference_compare(struct reference *ref, const struct workload_run *run,
                      const struct inst_counts *counts, struct err *err)
{
    struct buf path = { 0 };
    struct hw_record record;
    int failed;

    buf_printf(&path, "%s/%s.txt", ref->folder, run->workload->name);
    if (ref->may_lack && access(buf_text(&path), F_OK)) {
        ref->n_lacking++;
        fprintf(ref->out, "%s: not recorded on hardware, not compared\n",
                run->workload->name);
        buf_free(&path);
        return 0;
    }
    failed = hw_record_read(&record, buf_text(&path), err);
    buf_free(&path);
    if (failed)
        return -1;
    failed = compare_run(&(struct match){ .ref = ref, .run = run, .record = &record },
                         run->size == SIZE_TINY ? counts : NULL, err);
    hw_record_free(&record);
    return failed;
}

void reference_summary(const struct reference *ref)
{
    fprintf(ref->out,
            "hardware: %llu runs compared, %llu outputs, %llu instructions; "
            "differences: %llu, known: %llu, excused: %llu, polls: %llu, not recorded: "
            "%llu\n",
            (unsigned long long)ref->n_runs, (unsigned long long)ref->n_outputs,
            (unsigned long long)ref->n_insts, (unsigned long long)ref->n_differences,
            (unsigned long long)ref->n_known, (unsigned long long)ref->n_excused,
            (unsigned long long)ref->n_polls, (unsigned long long)ref->n_lacking);
}
