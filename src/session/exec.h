/* exec.h - one program's simulated GPU: a machine, a driver on it, and its launches.
 * Each is timed, executed functionally, or recorded, as the options say, and reported.
 */
#ifndef LENO_SESSION_EXEC_H
#define LENO_SESSION_EXEC_H

#include "driver/driver.h"
#include "session/exec_options.h"

struct exec_session;

/* A machine as the options describe it; also how leno exec checks them. chosen: its GPU
 * instead of the one that they name; NULL: theirs, or the default. */
struct machine *exec_session_machine(const struct exec_options *o, const char *chosen,
                                     struct err *err);

/* The options and what they point at must live as long. The file descriptor log gets
 * the statistics of launches, unless the options name a file or ask for quiet, and at
 * the end the summary; -1: nowhere. */
struct exec_session *exec_session_new(const struct exec_options *o, const char *program,
                                      int log, struct err *err);
struct driver *exec_session_driver(struct exec_session *s);
/* Notes a call, or code, that is not supported, for the last line; ends the program
 * instead if the options ask for that. */
void exec_session_refuse(struct exec_session *s, const char *name);
/* Finishes recordings; -1 if they cannot be written. Prints the summary, and
 * whether the run is to be trusted. Frees everything. */
int exec_session_finish(struct exec_session *s, struct err *err);

#endif
