/* text_list.h - a short list of texts, as an option that may be repeated collects them. */
#ifndef LENO_BASE_TEXT_LIST_H
#define LENO_BASE_TEXT_LIST_H

#include <stddef.h>

struct text_list {
    const char *at[64]; /* not owned */
    size_t n;
};

#endif
