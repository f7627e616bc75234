/* interrupt.c - a flag, and the handler that sets it. */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "base/file.h"

static volatile sig_atomic_t came;

static const int asked[] = { SIGINT, SIGTERM };
enum { N_ASKED = sizeof asked / sizeof *asked };

static void end_by_signal(int number)
{
    file_discard_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

/* Inside its handler a signal is blocked: the second one ends the process on return. */
static void note_signal(int number)
{
    if (came)
        end_by_signal(number);
    came = number;
}

void interrupt_watch(void)
{
    struct sigaction ours = { .sa_handler = note_signal, .sa_flags = SA_RESTART }, old;

    sigemptyset(&ours.sa_mask);
    for (int i = 0; i < N_ASKED; i++)
        if (!sigaction(asked[i], NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
            old.sa_handler == SIG_DFL)
            sigaction(asked[i], &ours, NULL);
}

void interrupt_unwatch(void)
{
    struct sigaction plain = { .sa_handler = SIG_DFL }, old;

    for (int i = 0; i < N_ASKED; i++)
        if (!sigaction(asked[i], NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
            old.sa_handler == note_signal)
            sigaction(asked[i], &plain, NULL);
}

int interrupt_signal(void)
{
    return came;
}

const char *interrupt_name(void)
{
    return came == SIGINT ? "SIGINT" : came == SIGTERM ? "SIGTERM" : "";
}

void interrupt_obey(void)
{
    if (!came)
        return;
    fflush(NULL);
    end_by_signal(came);
}
