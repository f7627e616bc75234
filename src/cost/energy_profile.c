/* energy_profile.c - the energies that come with the program (configs/energy/NAME.ini), and
 * reading one of them or a file. */
#include <string.h>

#include "base/file.h"
#include "cost/energy.h"

enum { LARGEST_FILE = 1 << 20 };

/* energies.def has the bytes of every file of configs/energy (tools/presets.sh). */
#define PRESET(name, summary, ...)               \
    { name, (const char[]){ __VA_ARGS__, '\0' }, \
      sizeof((const char[]){ __VA_ARGS__ }) },
static const struct profile {
    const char *name, *text;
    size_t size;
} profiles[] = {
#include "energies.def"
};
#undef PRESET
enum { N_PROFILES = sizeof profiles / sizeof *profiles };

const char *energy_profile_at(size_t i)
{
    return i < N_PROFILES ? profiles[i].name : NULL;
}

static int read_text(struct energy_params *p, const struct param_source *from,
                     struct err *err)
{
    const struct param_binding b = { &energy_param_group, p };

    param_defaults(&b, 1);
    return param_read(&b, 1, from, err);
}

static int no_profile(const char *name, struct err *err)
{
    struct buf all = { 0 };

    for (size_t i = 0; i < N_PROFILES; i++)
        buf_printf(&all, " %s,", profiles[i].name);
    err_set(err, "no energies '%s'; expected%s or a file that ends with .ini", name,
            buf_text(&all));
    buf_free(&all);
    return -1;
}

static int read_file(const char *path, struct energy_params *p, struct err *err)
{
    struct file f;
    int failed;

    if (file_read(path, LARGEST_FILE, &f, err))
        return -1;
    failed = read_text(
        p, &(struct param_source){ path, (const char *)f.data, f.size, NULL, NULL },
        err);
    file_free(&f);
    return failed;
}

int energy_profile_read(const char *name, struct energy_params *p, struct err *err)
{
    size_t n = strlen(name);

    if (n > 4 && !strcmp(name + n - 4, ".ini"))
        return read_file(name, p, err);
    for (size_t i = 0; i < N_PROFILES; i++)
        if (!strcmp(profiles[i].name, name))
            return read_text(p,
                             &(struct param_source){ profiles[i].name, profiles[i].text,
                                                     profiles[i].size, NULL, NULL },
                             err);
    return no_profile(name, err);
}
