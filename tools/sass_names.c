/* sass_names.c - makes the names of SASS operand slots and fields (build/gen/sass_names.h).
 *
 * Reads the formats of opcodes.def and the fields of fields.def, as the decoder does, and
 * writes one constant per name: OPCODE_NAME, and GROUP_NAME for the fields of fields.def.
 * An opcode also has the fields of the groups that its {=name} and @name refer to. It
 * stops the build if an operand has no name, if a name has two meanings, or if an opcode
 * that is declared LIKE another differs from it.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/sass/decode/field.h"
#include "frontend/sass/decode/format.h"
#include "frontend/sass/decode/modifiers.h"

enum { MAX_NAMES = 64, MAX_WRITTEN = 8192 };

struct name {
    char text[48];
    unsigned value; /* a slot, or a field as field.h has it */
    bool is_slot;
};

/* The names of one opcode or one group. */
struct list {
    const char *owner, *like; /* like NULL: it has names of its own only */
    struct name name[MAX_NAMES];
    unsigned n;
};

/* The tables to be read: an opcode has a format, a group of fields only modifiers. */
struct source {
    const char *owner, *text;
};

static const struct source opcodes[] = {
#define OP(id, opcode, forms, archs, class, format) { #id, format },
#include "frontend/sass/decode/opcodes.def"
#undef OP
};

static const struct source groups[] = {
#define FIELDS(group, fields) { #group, fields },
#include "frontend/sass/decode/fields.def"
#undef FIELDS
};

static const struct source likes[] = {
#define OP(id, opcode, forms, archs, class, format)
#define LIKE(id, other) { #id, #other },
#include "frontend/sass/decode/opcodes.def"
#undef OP
};

enum { N_OPCODES = sizeof opcodes / sizeof *opcodes };
enum { N_GROUPS = sizeof groups / sizeof *groups };
enum { N_LIKES = sizeof likes / sizeof *likes };

static _Noreturn void fail(const char *owner, const char *what, const char *name)
{
    fprintf(stderr, "opcodes.def, fields.def: %s: %s %s\n", owner, what, name);
    exit(1);
}

static const struct name *find_name(const struct list *l, const char *text)
{
    for (unsigned k = 0; k < l->n; k++)
        if (!strcmp(l->name[k].text, text))
            return &l->name[k];
    return NULL;
}

static struct list *find_list(struct list *lists, unsigned n, const char *owner)
{
    for (unsigned k = 0; k < n; k++)
        if (!strcmp(lists[k].owner, owner))
            return &lists[k];
    return NULL;
}

static bool is_same(const struct name *a, const struct name *b)
{
    return a->value == b->value && a->is_slot == b->is_slot;
}

/* Adds a name in capitals; the same once more does no harm. */
static void add_name(struct list *l, const char *text, size_t len, unsigned value,
                     bool is_slot)
{
    struct name new = { .value = value, .is_slot = is_slot };
    const struct name *old;

    if (len >= sizeof new.text || l->n == MAX_NAMES)
        fail(l->owner, "too long or too many:", text);
    for (size_t k = 0; k < len; k++)
        new.text[k] = (char)toupper((unsigned char)text[k]);
    old = find_name(l, new.text);
    if (old && !is_same(old, &new))
        fail(l->owner, "two meanings of", new.text);
    if (!old)
        l->name[l->n++] = new;
}

static void add_group(struct list *l, struct list *from, const char *group, size_t len)
{
    for (unsigned k = 0; from && k < N_GROUPS; k++)
        if (strlen(from[k].owner) == len && !strncmp(from[k].owner, group, len))
            for (unsigned j = 0; j < from[k].n; j++)
                add_name(l, from[k].name[j].text, strlen(from[k].name[j].text),
                         from[k].name[j].value, false);
}

static void add_modifiers(struct list *l, struct list *from, const char *text)
{
    struct mod_spec m;

    while (format_modifier(&text, &m)) {
        const struct mod_table *t = NULL;
        unsigned width = m.width;

        if (m.how == '=')
            add_group(l, from, m.text, m.len);
        if (!m.how || m.how == '=')
            continue;
        if (m.how == '@' && !width)
            t = modifier_table(m.text, m.len);
        if (m.how == '@' && !width && !t)
            fail(l->owner, "no such table:", m.text);
        width = t ? t->width : width ? width : 1;
        add_name(l, m.name_len ? m.name : m.text, m.name_len ? m.name_len : m.len,
                 SASS_FIELD(m.at, width, m.how == '!'), false);
    }
}

static void add_operands(struct list *l, struct list *from, const char *text)
{
    struct opd_spec o;

    for (unsigned slot = 0; format_operand(&text, &o); slot++) {
        const char *usual = format_slot_name(&o);

        if (o.kind == '@')
            add_group(l, from, o.name, strlen(o.name));
        if (o.slot_len)
            add_name(l, o.slot, o.slot_len, slot, true);
        else if (usual)
            add_name(l, usual, strlen(usual), slot, true);
        else
            fail(l->owner, "an operand without a name before", text);
    }
}

/* What the names of another opcode promise: its fields are here too, in the same bits,
 * and the slots of both have the same names as far as both have slots. */
static void check_like(const struct list *l, const struct list *other)
{
    for (unsigned k = 0; k < other->n; k++) {
        const struct name *theirs = &other->name[k];
        const struct name *ours = find_name(l, theirs->text);

        if (ours ? !is_same(ours, theirs) : !theirs->is_slot)
            fail(l->owner, "not like the other opcode:", theirs->text);
    }
    for (unsigned k = 0; k < l->n; k++)
        for (unsigned j = 0; j < other->n; j++)
            if (l->name[k].is_slot && is_same(&l->name[k], &other->name[j]) &&
                strcmp(l->name[k].text, other->name[j].text) != 0)
                fail(l->owner, "not like the other opcode:", l->name[k].text);
}

/* Everything that is written, so that two lists cannot give one constant two values. */
struct written {
    struct name name[MAX_WRITTEN];
    unsigned n;
};

static void write_name(struct written *all, const char *owner, const struct name *m)
{
    struct name new = *m;
    char text[2 * sizeof new.text];

    snprintf(text, sizeof text, "%s_%s", owner, m->text);
    if (strlen(text) >= sizeof new.text || all->n == MAX_WRITTEN)
        fail(owner, "too long or too many:", text);
    for (size_t k = 0; k <= strlen(text); k++)
        new.text[k] = (char)toupper((unsigned char)text[k]);
    for (unsigned k = 0; k < all->n; k++)
        if (!strcmp(new.text, all->name[k].text)) {
            if (!is_same(&new, &all->name[k]))
                fail(owner, "two meanings of", new.text);
            return;
        }
    all->name[all->n++] = new;
    printf(m->is_slot ? "    %s = %u,\n" : "    %s = 0x%x,\n", new.text, m->value);
}

/* The slots or the fields of all lists; names of the opcode that one is like are that
 * opcode's. */
static void write_names(struct written *all, struct list *lists, unsigned n,
                        bool is_slot)
{
    for (unsigned k = 0; k < n; k++) {
        const struct list *l = &lists[k];
        const struct list *like = l->like ? find_list(lists, n, l->like) : NULL;

        for (unsigned j = 0; j < l->n; j++)
            if (l->name[j].is_slot == is_slot &&
                !(like && find_name(like, l->name[j].text)))
                write_name(all, l->owner, &l->name[j]);
    }
}

static void read_lists(struct list *group, struct list *op)
{
    for (unsigned k = 0; k < N_GROUPS; k++) {
        group[k].owner = groups[k].owner;
        add_modifiers(&group[k], NULL, groups[k].text);
    }
    for (unsigned k = 0; k < N_OPCODES; k++) {
        op[k].owner = opcodes[k].owner;
        add_modifiers(&op[k], group, opcodes[k].text);
        add_operands(&op[k], group, format_operands(opcodes[k].text));
    }
    for (unsigned k = 0; k < N_LIKES; k++) {
        struct list *l = find_list(op, N_OPCODES, likes[k].owner);
        struct list *other = find_list(op, N_OPCODES, likes[k].text);

        if (!l || !other || other->like)
            fail(likes[k].owner, "cannot be like", likes[k].text);
        check_like(l, other);
        l->like = other->owner;
    }
}

int main(void)
{
    struct list *group = calloc(N_GROUPS, sizeof *group);
    struct list *op = calloc(N_OPCODES, sizeof *op);
    struct written *all = calloc(1, sizeof *all);

    if (!group || !op || !all)
        return 1;
    read_lists(group, op);
    printf("/* Made from opcodes.def and fields.def by tools/sass_names.c. */\n"
           "enum sass_slot {\n");
    write_names(all, op, N_OPCODES, true);
    printf("};\n\nenum sass_field {\n");
    write_names(all, group, N_GROUPS, false);
    write_names(all, op, N_OPCODES, false);
    printf("};\n");
    free(group);
    free(op);
    free(all);
    return 0;
}
