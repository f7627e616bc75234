/* hot_file.c - the formats of --hot-file; see hot_file.h. */
#include "session/hot_file.h"

#include <string.h>

#include "base/file.h"
#include "session/page_template.h"

enum format { TEXT, CSV, JSON, HTML, N_FORMAT };

static enum format format_of(const char *path)
{
    static const char *const endings[] = { ".txt", ".csv", ".json", ".html" };
    size_t n = strlen(path);

    for (unsigned f = 0; f < N_FORMAT; f++)
        if (n > strlen(endings[f]) &&
            !strcmp(path + n - strlen(endings[f]), endings[f]))
            return (enum format)f;
    return N_FORMAT;
}

int hot_file_check(const char *path, struct err *err)
{
    if (format_of(path) == N_FORMAT)
        return err_set(err,
                       "--hot-file %s: expected a name that ends in .txt, .csv, "
                       ".json or .html",
                       path);
    return file_out_check(path, err);
}

int hot_file_write(const struct hot_runs *r, const char *path, uint32_t top,
                   struct err *err)
{
    struct buf out = { 0 }, json = { 0 };
    int failed;

    switch (format_of(path)) {
    case CSV:
        hot_put_csv(r, &out);
        break;
    case JSON:
        hot_put_json(r, &out);
        break;
    case HTML:
        hot_put_json(r, &json);
        page_fill(PAGE_HOT, &json, &out);
        break;
    default:
        hot_put_text(r, top, &out);
        break;
    }
    failed = file_write(path, out.data, out.len, err);
    buf_free(&json);
    buf_free(&out);
    return failed;
}
