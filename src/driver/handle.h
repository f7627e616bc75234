/* handle.h - the objects that cuda.h's handles stand for.
 *
 * A handle is a number in the form of a pointer: slot, generation, kind, and a mark of
 * the driver that gave it out. It is never followed, so a stale one, one of another
 * kind or another driver, or any stray pointer is recognised and refused.
 */
#ifndef LENO_DRIVER_HANDLE_H
#define LENO_DRIVER_HANDLE_H

#include <stdint.h>

enum handle_kind {
    HANDLE_NONE,
    HANDLE_CONTEXT,
    HANDLE_MODULE,
    HANDLE_FUNCTION,
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_ARRAY,
    HANDLE_POOL,
    HANDLE_PHYSICAL,
    HANDLE_LINK,
    HANDLE_LIBRARY,
    HANDLE_KERNEL,
    HANDLE_MIPMAP,
    HANDLE_GRAPH,
    HANDLE_NODE,
    HANDLE_GRAPH_EXEC,
    HANDLE_USER_OBJECT,
    N_HANDLE_KINDS
};

struct handle_slot {
    void *object; /* NULL: free */
    uint16_t generation;
    uint8_t kind;
};

struct handles {
    struct handle_slot *slots;
    uint32_t n, cap;
    uint32_t low;  /* no slot before it is free */
    uint32_t mark; /* of the driver */
};

/* A handle for the object, NULL when memory runs out. The table does not own it. */
void *handle_add(struct handles *h, enum handle_kind kind, void *object);

/* The object, NULL if the handle is not a live one of that kind. */
void *handle_find(const struct handles *h, enum handle_kind kind, const void *handle);
void handle_drop(struct handles *h, const void *handle);

/* The next live object of a kind from slot *at on, NULL at the end. */
void *handle_next(const struct handles *h, enum handle_kind kind, uint32_t *at);
void handle_free_all(struct handles *h);

#endif
