/* demangle.c - asks the C++ library of the process for the plain name of a function. */
#include "session/demangle.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* __cxa_demangle() of the C++ ABI: the text is malloc'ed; NULL: not such a name. */
typedef char *demangler(const char *name, char *out, size_t *size, int *status);

static demangler *find_demangler(void)
{
    void *at = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    void *library = at ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

    if (library)
        at = dlsym(library, "__cxa_demangle");
    return (demangler *)(uintptr_t)at;
}

/* nvcc calls a kernel's own copy of a function $KERNEL$FUNCTION: the part from _Z on. */
static const char *find_mangled(const char *name)
{
    const char *last = *name == '$' ? strrchr(name, '$') + 1 : name;

    return strncmp(last, "_Z", 2) ? NULL : last;
}

void demangle_put(struct buf *out, const char *name, size_t max)
{
    static const char dots[] = "...", type[] = "void ";
    const char *mangled = find_mangled(name);
    demangler *demangle = mangled ? find_demangler() : NULL;
    char *plain = demangle ? demangle(mangled, NULL, NULL, &(int){ 0 }) : NULL;
    const char *text = plain ? plain : name;

    if (plain && !strncmp(text, type, strlen(type)))
        text += strlen(type); /* templates have the type of their result in front */
    if (strlen(text) > max)
        buf_printf(out, "%.*s%s", (int)(max - strlen(dots)), text, dots);
    else
        buf_puts(out, text);
    free(plain);
}
