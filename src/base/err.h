/* err.h - what went wrong, in words and as an exit code.
 *
 * A function that can fail takes a struct err and returns 0, or -1 with the message
 * set: return err_set(err, "..."). The message names the file, the place, what was
 * expected and, where there is one, the nearest valid choice. Only cli/ prints it and
 * exits. An err may be NULL where the caller does not need the message.
 */
#ifndef LENO_BASE_ERR_H
#define LENO_BASE_ERR_H

/* Exit codes of the program, and kinds of error inside it; see err_exit(). */
enum err_code {
    ERR_NONE = 0,
    ERR_INPUT = 1,       /* usage, or a file that is not what it should be */
    ERR_UNSUPPORTED = 2, /* an instruction or feature that is not modelled */
    ERR_WRONG = 3,       /* a result that is not the expected one */
    ERR_DEADLOCK = 4,    /* nothing can make progress */
    ERR_LIMIT = 5, /* a limit was reached: one the user set, or one of the device */
    ERR_FAULT = 6, /* the simulated program itself failed: a bad address */
    ERR_MISALIGNED = 7, /* as ERR_FAULT: an address that is not aligned */
    ERR_TRAP = 8,       /* as ERR_FAULT: it trapped */
    ERR_ASSERT = 9,     /* as ERR_FAULT: an assertion did not hold */
    ERR_MEMORY = 10,    /* as ERR_LIMIT: the host is out of memory */
    ERR_ILLEGAL = 11,   /* as ERR_FAULT: an instruction that a GPU does not execute */
    ERR_PC = 12,        /* as ERR_FAULT: a jump to where no instruction can begin */
};

struct err {
    enum err_code code;
    char text[1024];
};

/* Sets an ERR_INPUT message and returns -1. */
int err_set(struct err *err, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* Sets a message of the given kind and returns -1. */
int err_kind(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

/* Reports that the host is out of memory; nothing else does. Sets an ERR_MEMORY message
 * that says what the memory was for, and returns -1. The exit code is 5. */
int err_memory(struct err *err, const char *what, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* The same where no caller could continue, for small allocations that practically never
 * fail: prints the message and ends the program with that exit code. */
_Noreturn void err_memory_exit(const char *what);

/* The exit code for an error: its kind, with all kinds of fault as one and all kinds of
 * limit as one. */
int err_exit(const struct err *err);

/* Puts "prefix: " before a message already set; returns -1. */
int err_prefix(struct err *err, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* Appends to a message already set; returns -1. */
int err_suffix(struct err *err, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

#endif
