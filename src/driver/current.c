/* current.c - the driver of the calling thread.
 *
 * The interface of cuda.h has no argument for it, so it must be kept somewhere; this
 * pointer is the only mutable variable of the program outside its objects.
 */
#include "driver/internal.h"

static _Thread_local struct driver *current;

void driver_make_current(struct driver *d)
{
    current = d;
}

struct driver *driver_current(void)
{
    return current;
}
