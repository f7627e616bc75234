/* preset.c - the machines that come with the program, and reading one or a file. */
#include "config/preset.h"

#include <string.h>

#include "base/file.h"
#include "base/suggest.h"

enum { LARGEST_FILE = 1 << 20, LONGEST_CHAIN = 8 };

/* presets.def has the bytes of every file of configs/ (tools/presets.sh). */
#define PRESET(name, summary, ...)                        \
    { name, summary, (const char[]){ __VA_ARGS__, '\0' }, \
      sizeof((const char[]){ __VA_ARGS__ }) },
static const struct preset presets[] = {
#include "presets.def"
};
#undef PRESET
enum { N_PRESETS = sizeof presets / sizeof *presets };

const struct preset *preset_at(size_t i)
{
    return i < N_PRESETS ? &presets[i] : NULL;
}

const struct preset *preset_find(const char *name)
{
    for (size_t i = 0; i < N_PRESETS; i++) {
        if (!strcmp(presets[i].name, name))
            return &presets[i];
    }
    return NULL;
}

static const char *name_at(const void *from, size_t i)
{
    (void)from;
    return i < N_PRESETS ? presets[i].name : NULL;
}

/* The bindings that a base is read into. */
struct chain {
    const struct param_binding *b;
    size_t n;
    unsigned depth;
};

static int read_preset(void *to, const char *name, struct err *err)
{
    const struct chain *c = to;
    const struct preset *p = preset_find(name);
    struct chain next = { c->b, c->n, c->depth + 1 };
    struct buf near = { 0 };

    if (!p) {
        suggest_word(&near, name, name_at, NULL);
        err_set(err, "no GPU '%s'%s; leno list gpus names them, a file ends with .ini",
                name, buf_text(&near));
        buf_free(&near);
        return -1;
    }
    if (next.depth > LONGEST_CHAIN)
        return err_set(err, "%s is its own base", name);
    return param_read(
        c->b, c->n,
        &(struct param_source){ p->name, p->text, p->size, read_preset, &next }, err);
}

static bool is_file(const char *gpu)
{
    size_t n = strlen(gpu);

    return n > 4 && !strcmp(gpu + n - 4, ".ini");
}

int preset_read(const struct param_binding *b, size_t n, const char *gpu,
                struct err *err)
{
    struct chain c = { b, n, 0 };
    struct file f;
    int rc;

    if (!is_file(gpu))
        return read_preset(&c, gpu, err);
    if (file_read(gpu, LARGEST_FILE, &f, err))
        return -1;
    rc = param_read(
        b, n,
        &(struct param_source){ gpu, (const char *)f.data, f.size, read_preset, &c },
        err);
    file_free(&f);
    return rc;
}
