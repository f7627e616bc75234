/* file_live.c - the files with temporary names, so that a signal which ends the process
 * can remove them.
 *
 * A signal handler has no argument but a number, so this is global state. It belongs to
 * the process that made the files; children have a copy and leave it alone. Handlers
 * are installed only while there is such a file, and only where the program has none.
 */
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { MAX_LIVE = 16, MAX_PATH = 4096 };
enum { FREE, TAKEN, LIVE };

static struct {
    atomic_int state;
    pid_t owner;
    char path[MAX_PATH];
} live[MAX_LIVE];

static const int ending[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ };
enum { N_ENDING = sizeof ending / sizeof *ending };

void file_discard_temporaries(void)
{
    for (int i = 0; i < MAX_LIVE; i++)
        if (atomic_load(&live[i].state) == LIVE && live[i].owner == getpid())
            unlink(live[i].path);
}

/* After this the signal has its default effect (SA_RESETHAND). */
static void discard_and_raise(int number)
{
    file_discard_temporaries();
    raise(number);
}

static void take_signals(void)
{
    struct sigaction ours = { .sa_handler = discard_and_raise,
                              .sa_flags = (int)SA_RESETHAND },
                     old;

    for (int i = 0; i < N_ENDING; i++)
        if (!sigaction(ending[i], NULL, &old) && old.sa_handler == SIG_DFL)
            sigaction(ending[i], &ours, NULL);
}

static void return_signals(void)
{
    struct sigaction plain = { .sa_handler = SIG_DFL }, old;

    for (int i = 0; i < N_ENDING; i++)
        if (!sigaction(ending[i], NULL, &old) && old.sa_handler == discard_and_raise)
            sigaction(ending[i], &plain, NULL);
}

static bool has_live(void)
{
    for (int i = 0; i < MAX_LIVE; i++)
        if (atomic_load(&live[i].state) != FREE && live[i].owner == getpid())
            return true;
    return false;
}

int file_live_add(const char *path)
{
    size_t n = strlen(path) + 1;

    for (int i = 0; n <= MAX_PATH && i < MAX_LIVE; i++) {
        int expected = FREE;

        if (!atomic_compare_exchange_strong(&live[i].state, &expected, TAKEN))
            continue;
        memcpy(live[i].path, path, n);
        live[i].owner = getpid();
        atomic_store(&live[i].state, LIVE);
        take_signals();
        return i;
    }
    return -1;
}

void file_live_remove(int number)
{
    if (number < 0)
        return;
    atomic_store(&live[number].state, FREE);
    if (!has_live())
        return_signals();
}
