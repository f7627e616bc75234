/* student.h - Student's t, for 95 % intervals. */
#ifndef LENO_STATS_STUDENT_H
#define LENO_STATS_STUDENT_H

/* 97.5 % of the distribution with so many degrees of freedom lie below it; at least 1. */
double student_t(unsigned freedom);

#endif
