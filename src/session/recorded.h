/* recorded.h - commands become recordings: each is executed once and its launches are kept.
 *
 * Recordings are in the folder DIR/recordings:
 *   NAME-HASH.leno   what the command launched; HASH is of the command line, the folder it
 *                    starts in, the device and the choice of launches
 *   NAME-HASH.from   what it was made from: the revision of Leno, and name and hash of every
 *                    file that the program consists of or read
 *   NAME-HASH.log    what the program printed
 * A recording whose files have changed since, or that another revision made, is made again.
 * A command that fails, hangs or launches nothing is named, with the end of its output, and
 * the others go on.
 */
#ifndef LENO_SESSION_RECORDED_H
#define LENO_SESSION_RECORDED_H

#include "session/console.h"
#include "session/program.h"

struct recorded_job {
    const char *gpu;       /* the device that programs see if they have ... */
    unsigned sm;           /* ... code for it: 75, 86, 90 */
    const char *out;       /* the folder of results */
    const char *libraries; /* as in struct exec_job */
    uint64_t jobs;         /* processes; 0: as jobs.h says */
    bool fresh;            /* all are made again */
};

enum { RECORDED_TIMEOUT = 1800 }; /* seconds, if the program has none */

/* Gives every command of the list its recording as source, or says why there is none.
 * -1 with err set: nothing could be kept. A signal that asks to stop ends the process. */
int recorded_make(const struct recorded_job *job, struct program_list *l,
                  struct console *console, struct err *err);

#endif
