/* interrupt.h - SIGINT and SIGTERM as a flag that long runs poll.
 *
 * The first signal is only noted, so that a run can stop cleanly and report how far it
 * got; a second one ends the process at once. A signal handler has no argument of ours,
 * so this is global state.
 */
#ifndef LENO_BASE_INTERRUPT_H
#define LENO_BASE_INTERRUPT_H

/* From now on signals that would have ended the process are noted. A program that
 * ignores or handles them itself is left alone. */
void interrupt_watch(void);
/* Restores the previous state; a signal that came is still known. */
void interrupt_unwatch(void);

/* The signal that came, 0 for none, and its name: "SIGINT". */
int interrupt_signal(void);
const char *interrupt_name(void);

/* Ends the process by the signal that came, as its sender expects; returns if none
 * came. */
void interrupt_obey(void);

#endif
