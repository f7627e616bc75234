/* utf8.h - names of files and kernels are bytes; JSON and HTML are UTF-8. */
#ifndef LENO_BASE_UTF8_H
#define LENO_BASE_UTF8_H

/* The bytes of the character that a text starts with, 1 to 4; 0 if that is none: a stray or
 * missing byte, a longer form than needed, half of a pair, beyond U+10FFFF, or the end. */
unsigned utf8_length(const char *text);

#endif
