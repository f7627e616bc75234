/* pages.h - big pages for the heap. */
#ifndef LENO_BASE_PAGES_H
#define LENO_BASE_PAGES_H

/* From now on what malloc() gives lies in big pages, where the system has them: the state
 * of a machine is tens of megabytes that are visited in leaps, and a fifth of the time
 * went into finding its small pages. To be called once, at the start of a program; it
 * changes nothing but speed. */
void pages_use_big(void);

#endif
