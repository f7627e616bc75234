/* program.h - what commands run: programs, by name or from a suite file.
 *
 * A program is a workload, a recording of either format, a program for Vortex, or a command
 * line that starts a CUDA program. A command is executed once, functionally, and recorded
 * (recorded.h); from then on it is that recording.
 *
 * A suite is an ini file with one section per program:
 *
 *     [bfs]                          ; its name in tables
 *     command = ./bfs graph65536.txt ; or: program = lud, or traces/bfs.leno
 *     folder  = rodinia/bfs          ; in which it starts, from the suite file (default: .)
 *     kernels = 3-9                  ; launches to keep, and as for leno exec:
 *     match   = Kernel*              ;   match, every, first, cap-cycles, cap-insts
 *     inputs  = a.txt, b.txt         ; more files whose change makes the recording old
 *     timeout = 60                   ; seconds
 *     paper   = RBF                  ; its name in the paper, for leno reproduce
 */
#ifndef LENO_SESSION_PROGRAM_H
#define LENO_SESSION_PROGRAM_H

#include "base/buf.h"
#include "base/text_list.h"
#include "session/choice.h"

struct program {
    char *name;  /* in tables and messages */
    char *paper; /* what a paper calls it; NULL: its name */
    char
        *source; /* a workload's name, or a file; NULL: a command not recorded so far */
    char *why;   /* it cannot run: a message; NULL: it can */
    int exit_code; /* for that */
    char **argv;   /* of a command; NULL after the last. NULL: it is none */
    char *folder;  /* in which the command starts; NULL: the current one */
    char *inputs; /* paths separated by commas, from its folder; NULL: none are named */
    uint64_t timeout; /* of the command, in seconds; 0: the default */
    struct launch_choice choice;
    char *match; /* what the choice points to */
};

struct program_list {
    struct program *at;
    size_t n;
};

/* What a command line asks for. */
struct program_request {
    const char *const *named; /* programs by name */
    size_t n_named;
    char *const *command; /* after "--"; NULL after the last. NULL: there is none */
    const char *suite;    /* a file; NULL: none */
    struct text_list as;  /* "NAME=PROGRAM" each: a name of a paper's, and a workload, a
                           * recording or a command line */
    struct launch_choice choice; /* of all, except where the suite has another */
};

/* Adds what is asked for, in that order. -1 with err set, which for a suite names file and
 * line. program_list_free() in any case. */
int program_list_read(struct program_list *l, const struct program_request *from,
                      struct err *err);
/* Adds one by its name. */
void program_list_add(struct program_list *l, const char *name);
void program_free(struct program *p); /* what it points to */
void program_list_free(struct program_list *l);

/* The folder of the workloads (workload_folder()), for programs that are prepared. Where
 * none is named and all programs are files, none is needed, and it may be missing. */
int programs_folder(const struct program *p, size_t n, const char *given,
                    struct buf *folder, struct err *err);

/* The programs of a suite file's text; folders are relative to the file's. */
int suite_read(struct program_list *l, const char *file, const char *text, size_t size,
               const struct launch_choice *choice, struct err *err);

/* Words of a command line: separated by spaces, with '...', "..." and \ as in a shell;
 * nothing else is special. NULL with err set: a quote that is not closed, or no
 * words, or an empty first one. */
char **command_split(const char *text, struct err *err);
void command_free(char **argv);

#endif
