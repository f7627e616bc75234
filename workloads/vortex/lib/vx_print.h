/* vx_print.h - the console: one line at a time and thread. */
#ifndef VX_PRINT_H
#define VX_PRINT_H

void vx_putchar(int c);
/* %d %u %x %c %s %p %%, widths and padding with zeros. No floats: they would come as
 * doubles, which the machine has not. */
int vx_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
