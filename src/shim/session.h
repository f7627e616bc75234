/* session.h - one program's simulated GPU: a machine, a driver on it, and what becomes of
 * its launches. Each is timed, executed functionally, or recorded, as the options say,
 * and reported.
 */
#ifndef LENO_SHIM_SESSION_H
#define LENO_SHIM_SESSION_H

#include "driver/driver.h"
#include "shim/options.h"

struct session;

/* A machine as the options describe it; also how leno exec checks them. */
struct machine *session_machine(const struct shim_options *o, struct err *err);

/* The options and what they point at must live as long. Statistics go to the file
 * descriptor log unless the options name a file; -1: nowhere. */
struct session *session_new(const struct shim_options *o, const char *program, int log,
                            struct err *err);
struct driver *session_driver(struct session *s);
/* Recordings appear now; -1 if they cannot be written. Then frees everything. */
int session_finish(struct session *s, struct err *err);

#endif
