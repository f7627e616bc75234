/* report_file.c - checks where a report is to go. */
#include "session/report_file.h"

#include <sys/stat.h>

#include "base/file.h"
#include "session/batch.h"

int report_file_check(const char *report, const char *out, struct err *err)
{
    struct buf store = { 0 };
    int failed;

    if (!report)
        return 0;
    mkdir(out, 0777);
    failed = file_out_check(report, err);
    buf_printf(&store, "%s/" BATCH_FILE, out);
    if (failed)
        err_prefix(err, "--report");
    else if (file_is_same(report, buf_text(&store)))
        failed = err_set(err, "--report %s: results are kept in that file", report);
    buf_free(&store);
    return failed;
}
