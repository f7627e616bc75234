/* kept.c - reads the lines of launches that leno exec has written. */
#include "session/kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static const size_t max_bytes = (size_t)1 << 31;

/* Is it the line of a launch that went well? Its outcome stands before its numbers. */
static bool is_whole(const char *line)
{
    const char *outcome = strstr(line, "\", \"ok\": ");

    return outcome && !strncmp(outcome, "\", \"ok\": true,", 13) &&
           line[strlen(line) - 1] == '}';
}

/* The bytes up to the first line that does not count. */
static size_t whole_lines(char *text)
{
    char *at = text, *end;

    while ((end = strchr(at, '\n'))) {
        bool counts;

        *end = '\0';
        counts = end > at && is_whole(at);
        *end = '\n';
        if (!counts)
            break;
        at = end + 1;
    }
    return (size_t)(at - text);
}

int kept_open(struct kept *k, const char *path, struct err *err)
{
    struct file file = { 0 };
    size_t n;

    *k = (struct kept){ .path = path };
    if (access(path, F_OK))
        return 0;
    if (file_read(path, max_bytes, &file, err))
        return -1;
    k->text = k->next = strndup((const char *)file.data, file.size);
    file_free(&file);
    if (!k->text)
        return err_memory(err, "%s", path);
    n = whole_lines(k->text);
    k->text[n] = '\0';
    if (truncate(path, (off_t)n))
        return err_set(err, "%s: %s; --resume adds launches to it", path,
                       strerror(errno));
    return 0;
}

void kept_close(struct kept *k)
{
    free(k->text);
    *k = (struct kept){ 0 };
}

/* A number of the line; 0 if there is none of that name. */
static uint64_t find_number(const char *line, const char *name)
{
    char key[64];
    const char *at;

    snprintf(key, sizeof key, "\"%s\": ", name);
    at = strstr(line, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* The sums over schedulers, one object each. */
static void read_slots(const char *line, double slots[N_STALL])
{
    const char *from = strstr(line, "\"slots\": [");

    for (unsigned c = 0; c < N_STALL && from; c++) {
        char key[64];

        snprintf(key, sizeof key, "\"%s\": ", stall_name((enum stall)c));
        for (const char *at = from; (at = strstr(at, key));) {
            at += strlen(key);
            slots[c] += (double)strtoull(at, NULL, 10);
        }
    }
}

static struct sample_launch read_sampled(const char *line, const struct kept_launch *l)
{
    uint64_t timed = l->is_timed ? l->warp_insts + find_number(line, "sm.skipped") : 0;

    return (struct sample_launch){
        .warp_insts = (l->is_timed ? timed : l->warp_insts) + l->rest_insts,
        .timed_insts = timed,
        .cycles = (double)find_number(line, "estimated_cycles"),
        .half_width = (double)find_number(line, "estimated_half_width"),
        .blocks = find_number(line, "timed_blocks"),
        .is_cut = strstr(line, "\"functional_warp_insts\": "),
        .is_unstable = strstr(line, "\"unstable\": true"),
    };
}

static void read_launch(const char *line, struct kept_launch *l)
{
    *l = (struct kept_launch){
        .is_timed = !strncmp(line, "\"timed\"", 7),
        .is_capped = strstr(line, "\"capped\": true"),
        .warp_insts = find_number(line, "warp_insts"),
        .rest_insts = find_number(line, "functional_warp_insts"),
        .cycles = find_number(line, "cycles"),
        .nanoseconds = find_number(line, "nanoseconds"),
    };
    read_slots(line, l->slots);
    l->sampled = read_sampled(line, l);
}

int kept_take(struct kept *k, const char *head, struct kept_launch *l, struct err *err)
{
    char *line = k->next, *end = line ? strchr(line, '\n') : NULL;

    if (!end)
        return 0;
    *end = '\0';
    k->n++;
    k->next = end + 1;
    if (strncmp(line, head, strlen(head)))
        return err_set(err,
                       "%s:%llu: not launch %llu of this program on this machine; "
                       "--resume continues the same run, so name another file",
                       k->path, (unsigned long long)k->n, (unsigned long long)k->n);
    read_launch(line + strlen(head), l);
    return 1;
}
