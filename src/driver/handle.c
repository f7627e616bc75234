/* handle.c - the objects that cuda.h's handles stand for. From the lowest bit: kind
 * (5), slot number plus one (20), generation (16), the driver's mark (23). No handle is
 * below 32, where the interface keeps its reserved streams.
 */
#include "driver/handle.h"

#include <stdlib.h>

enum { KIND_BITS = 5, SLOT_BITS = 20, GENERATION_BITS = 16, MARK_BITS = 23 };
_Static_assert(N_HANDLE_KINDS <= 1 << KIND_BITS, "the kind does not fit");
#define SLOT_MAX ((1u << SLOT_BITS) - 1)

static void *handle_encode(const struct handles *h, uint32_t slot)
{
    const struct handle_slot *s = &h->slots[slot];
    uint64_t v = h->mark & ((1u << MARK_BITS) - 1);

    v = v << GENERATION_BITS | s->generation;
    v = v << SLOT_BITS | (slot + 1);
    v = v << KIND_BITS | s->kind;
    return (void *)(uintptr_t)v;
}

static struct handle_slot *slot_of(const struct handles *h, const void *handle)
{
    uint64_t v = (uint64_t)(uintptr_t)handle;
    uint32_t slot = (uint32_t)(v >> KIND_BITS) & SLOT_MAX;

    if (!slot || slot > h->n || !h->slots[slot - 1].object ||
        handle_encode(h, slot - 1) != handle)
        return NULL;
    return &h->slots[slot - 1];
}

void *handle_add(struct handles *h, enum handle_kind kind, void *object)
{
    uint32_t i = h->low;

    while (i < h->n && h->slots[i].object)
        i++;
    if (i == SLOT_MAX)
        return NULL;
    h->low = i;
    if (i == h->cap) {
        uint32_t cap = h->cap ? 2 * h->cap : 64;
        struct handle_slot *slots = realloc(h->slots, cap * sizeof *slots);

        if (!slots)
            return NULL;
        h->slots = slots;
        h->cap = cap;
    }
    if (i == h->n) {
        h->slots[i].generation = 0;
        h->n++;
    }
    h->slots[i].object = object;
    h->slots[i].kind = (uint8_t)kind;
    h->slots[i].generation++;
    return handle_encode(h, i);
}

void *handle_find(const struct handles *h, enum handle_kind kind, const void *handle)
{
    const struct handle_slot *s = slot_of(h, handle);

    return s && s->kind == kind ? s->object : NULL;
}

void handle_drop(struct handles *h, const void *handle)
{
    struct handle_slot *s = slot_of(h, handle);

    if (!s)
        return;
    s->object = NULL;
    if ((uint32_t)(s - h->slots) < h->low)
        h->low = (uint32_t)(s - h->slots);
}

void *handle_next(const struct handles *h, enum handle_kind kind, uint32_t *at)
{
    while (*at < h->n) {
        const struct handle_slot *s = &h->slots[(*at)++];

        if (s->object && s->kind == kind)
            return s->object;
    }
    return NULL;
}

void handle_free_all(struct handles *h)
{
    free(h->slots);
    *h = (struct handles){ 0 };
}
