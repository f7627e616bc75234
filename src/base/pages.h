/* pages.h - big pages for the heap. */
#ifndef LENO_BASE_PAGES_H
#define LENO_BASE_PAGES_H

/* From now on malloc() returns memory in big pages, where the system has them (perf:
 * the state of a machine is tens of megabytes, accessed at random; TLB misses on small
 * pages took a fifth of the time). Call it once, at the start of a program; only speed
 * changes. */
void pages_use_big(void);

#endif
