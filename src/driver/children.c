/* children.c - grids that kernels launch: kept until the grid is complete, then executed. */
#include "driver/children.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "driver/jit.h"

/* Streams with a meaning of their own in kernels. All others are in order anyway. */
enum { STREAM_TAIL = 3, FIRST_HANDLE = 16 };

struct thread_error {
    uint64_t thread;
    uint32_t code;
};

struct child_list {
    struct child *first, **end;
};

struct children {
    struct driver *driver;
    struct context *context;
    struct module *module; /* of the grid that is executed */
    struct sass_runtime runtime;
    struct child *prepared;        /* with a buffer, not launched */
    struct child_list plain, tail; /* launched by this grid */
    struct child *queue;           /* to be executed */
    struct thread_error *errors;   /* of threads that had one */
    uint32_t n_errors, cap_errors;
    uint64_t n_handles; /* of streams and events given out */
};

static void list_clear(struct child_list *l)
{
    l->first = NULL;
    l->end = &l->first;
}

static void child_free(struct driver *d, struct child *child)
{
    if (child->buffer)
        space_release(&d->space, child->buffer, NULL);
    free(child->params);
    free(child);
}

static void free_list(struct driver *d, struct child **list)
{
    while (*list) {
        struct child *next = (*list)->next;

        child_free(d, *list);
        *list = next;
    }
}

/* The kernel that begins at a code address. */
static struct function *function_at(struct children *s, uint64_t entry)
{
    const struct sass_module *m = &s->module->sass;
    struct function *f = NULL;

    for (uint32_t i = 0; i < m->n_kernels; i++)
        if (m->kernels[i].entry == entry)
            module_function(s->driver, s->module, m->kernels[i].info->name, &f);
    return f;
}

static uint64_t prepare_child(void *to, const struct sass_child *shape)
{
    struct children *s = to;
    struct driver *d = s->driver;
    struct child *child = calloc(1, sizeof *child);
    uint32_t size;

    if (!child)
        return 0;
    *child =
        (struct child){ .function = function_at(s, shape->kernel), .shape = *shape };
    size = child->function ? child->function->kernel->info->param_size : 0;
    if (!child->function || launch_check_child(d, child) ||
        space_alloc(&d->space, size ? size : 1, SPACE_GRANULE, &child->buffer, NULL)) {
        child->buffer = 0;
        child_free(d, child);
        return 0;
    }
    child->next = s->prepared;
    s->prepared = child;
    return child->buffer;
}

static void append_child(struct child_list *l, struct child *child)
{
    child->next = NULL;
    *l->end = child;
    l->end = &child->next;
}

/* Takes over the parameters, so that the buffer can be used again. */
static enum sass_answer launch_child(void *to, uint64_t params, uint64_t stream)
{
    struct children *s = to;
    struct driver *d = s->driver;
    struct child **at = &s->prepared, *child;
    uint32_t size;

    while (*at && (*at)->buffer != params)
        at = &(*at)->next;
    child = *at;
    if (!child)
        return SASS_ANSWER_INVALID_VALUE;
    size = child->function->kernel->info->param_size;
    child->params = malloc(size ? size : 1);
    if (!child->params)
        return SASS_ANSWER_NO_MEMORY;
    *at = child->next;
    memcpy(child->params, d->space.bytes + (child->buffer - d->space.base), size);
    space_release(&d->space, child->buffer, NULL);
    child->buffer = 0;
    append_child(stream == STREAM_TAIL ? &s->tail : &s->plain, child);
    return SASS_ANSWER_GOOD;
}

static enum sass_answer answer_of(CUresult result)
{
    return !result                                  ? SASS_ANSWER_GOOD
           : result == CUDA_ERROR_UNSUPPORTED_LIMIT ? SASS_ANSWER_NO_SUCH_LIMIT
                                                    : SASS_ANSWER_INVALID_VALUE;
}

/* Attributes of kernels and their occupancy. */
static enum sass_answer query_function(struct children *s, unsigned what,
                                       const uint64_t *a, int *number)
{
    bool is_attribute = what == SYSCALL_FUNC_GET_ATTRIBUTE;
    struct function *f = function_at(s, is_attribute ? a[1] : a[0]);

    if (!f)
        return SASS_ANSWER_INVALID_VALUE;
    if (is_attribute)
        return answer_of(cuFuncGetAttribute(
            number, (CUfunction_attribute)(uint32_t)a[0], f->handle));
    return answer_of(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        number, f->handle, (int)a[1], a[2], (unsigned)a[3]));
}

static enum sass_answer run_query(struct children *s, unsigned what, const uint64_t *a,
                                  uint64_t *value)
{
    enum { EVENT_WITHOUT_TIME = 2 };
    enum sass_answer answer = SASS_ANSWER_GOOD;
    int number = 0;
    size_t limit = 0;

    switch (what) {
    case SYSCALL_EVENT_CREATE:
    case SYSCALL_STREAM_CREATE:
        if (what == SYSCALL_EVENT_CREATE && (uint32_t)a[0] != EVENT_WITHOUT_TIME)
            return SASS_ANSWER_INVALID_VALUE;
        *value = FIRST_HANDLE + s->n_handles++;
        return SASS_ANSWER_GOOD;
    case SYSCALL_GET_DEVICE_COUNT:
        *value = 1;
        return SASS_ANSWER_GOOD;
    case SYSCALL_GET_LIMIT:
        answer = answer_of(cuCtxGetLimit(&limit, (CUlimit)(uint32_t)a[0]));
        *value = limit;
        return answer;
    case SYSCALL_DEVICE_GET_ATTRIBUTE: /* of the one device, whichever is named */
        answer = answer_of(
            cuDeviceGetAttribute(&number, (CUdevice_attribute)(uint32_t)a[0], 0));
        break;
    case SYSCALL_FUNC_GET_ATTRIBUTE:
    case SYSCALL_MAX_ACTIVE_BLOCKS:
        answer = query_function(s, what, a, &number);
        break;
    default: /* device 0, no preference for a cache; streams and events need nothing */
        break;
    }
    *value = (uint32_t)number;
    return answer;
}

/* The driver's own calls answer; the current one keeps its name for messages. */
static enum sass_answer query_driver(void *to, unsigned what, const uint64_t *arguments,
                                     uint64_t *value)
{
    struct children *s = to;
    const char *call = s->driver->call;
    enum sass_answer answer = run_query(s, what, arguments, value);

    s->driver->call = call;
    return answer;
}

static uint32_t *last_error(void *to, uint64_t thread)
{
    struct children *s = to;
    struct thread_error *grown;

    for (uint32_t i = 0; i < s->n_errors; i++)
        if (s->errors[i].thread == thread)
            return &s->errors[i].code;
    /* Threads without an error share the last place, which stays free. */
    grown = grow_zeros(s->errors, &s->cap_errors, s->n_errors + 1, sizeof *grown);
    if (!grown)
        return NULL;
    s->errors = grown;
    if (s->n_errors && !s->errors[s->n_errors - 1].code)
        s->n_errors--; /* the last one was only looked at */
    s->errors[s->n_errors] = (struct thread_error){ thread, 0 };
    return &s->errors[s->n_errors++].code;
}

const struct sass_runtime *children_begin(struct driver *d, struct context *c,
                                          struct module *m)
{
    struct children *s = c->children;

    if (!s) {
        s = c->children = calloc(1, sizeof *s);
        if (!s)
            return NULL;
        s->runtime = (struct sass_runtime){ .to = s,
                                            .prepare = prepare_child,
                                            .launch = launch_child,
                                            .query = query_driver,
                                            .last_error = last_error };
        list_clear(&s->plain);
        list_clear(&s->tail);
    }
    s->driver = d;
    s->context = c;
    s->module = m;
    s->n_errors = 0;
    return &s->runtime;
}

/* The children of the grid that has ended come before all that wait. */
static void queue_children(struct children *s)
{
    *s->tail.end = s->queue;
    *s->plain.end = s->tail.first;
    s->queue = s->plain.first;
    list_clear(&s->plain);
    list_clear(&s->tail);
    free_list(s->driver, &s->prepared);
}

CUresult children_run(struct driver *d, struct context *c)
{
    struct children *s = c->children;
    CUresult result = CUDA_SUCCESS;

    if (!s)
        return CUDA_SUCCESS;
    for (queue_children(s); s->queue && !result; queue_children(s)) {
        struct child *child = s->queue;

        s->queue = child->next;
        result = launch_run_child(d, c, child);
        child_free(d, child);
    }
    if (result)
        children_drop(d, c);
    return result;
}

void children_drop(struct driver *d, struct context *c)
{
    struct children *s = c->children;

    if (!s)
        return;
    s->driver = d;
    queue_children(s);
    free_list(d, &s->queue);
    free(s->errors);
    free(s);
    c->children = NULL;
}
