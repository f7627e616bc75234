/* interrupt.h - SIGINT and SIGTERM as a question that long runs ask now and then.
 *
 * The first signal is only noted, so that a run can end in order and say how far it came; a
 * second one ends the process at once. The handler can be told nothing, so this is state of
 * the process.
 */
#ifndef LENO_BASE_INTERRUPT_H
#define LENO_BASE_INTERRUPT_H

/* From now on signals are noted, where they would have ended the process: one that ignores
 * them or handles them itself is left alone. */
void interrupt_watch(void);
/* As before; what came is still known. */
void interrupt_unwatch(void);

/* The signal that came, 0 for none, and its name: "SIGINT". */
int interrupt_signal(void);
const char *interrupt_name(void);

/* Ends the process by the signal that came, as whoever sent it expects; returns if none
 * did. */
void interrupt_obey(void);

#endif
