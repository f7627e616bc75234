/* registry.h - fat binaries, kernels and variables that the program registered before
 * main. Modules are loaded when something of theirs is first used. The caller holds the
 * runtime's lock.
 */
#ifndef LENO_SHIM_CUDART_REGISTRY_H
#define LENO_SHIM_CUDART_REGISTRY_H

#include "shim/cudart/runtime.h"

/* Pointers, so that handles stay valid as the tables grow. */
struct registry {
    struct image **images;
    struct entry **entries;
    struct variable **variables;
    size_t n_images, n_entries, n_variables;
};

struct registry *runtime_registry(void);

/* NULL when memory runs out. */
struct image *registry_add_image(struct registry *r, const void *fatbin);
struct entry *registry_add_entry(struct registry *r, struct entry e);
struct variable *registry_add_variable(struct registry *r, struct variable v);

/* Drops an image and everything registered with it. */
void registry_drop_image(struct registry *r, struct image *image);
/* Modules and functions are gone with their context; names and addresses stay. */
void registry_forget(struct registry *r);

CUresult registry_load(struct registry *r, struct image *image);

#endif
