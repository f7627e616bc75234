/* console.h - where a command writes results, messages and progress. */
#ifndef LENO_SESSION_CONSOLE_H
#define LENO_SESSION_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

struct console {
    FILE *out, *log;
    bool shows_progress; /* log is a terminal */
};

#endif
