/* traceg_block.c - one block of a .traceg file, turned into what the codec decodes.
 *
 * Facts that a trace lacks are derived as follows. Active lanes: those of the mask; of
 * an instruction no lane executed, those of the one before it. Barriers: number 0, all
 * warps; a warp has arrived when all its lanes that have not exited have. Generic
 * addresses belong to a space as in Accel-Sim. Two instructions with one PC (functions
 * are counted from 0 each) are kept apart by an upper half of the PC.
 */
#include "frontend/replay/traceg_block.h"

#include <stdlib.h>
#include <string.h>

enum { LOCAL_BYTES = 16 << 10, MAX_TWINS = 1024 };

/* A warp being read. */
struct warp_reader {
    struct encoder e;
    uint32_t lanes, exited, come, active;
    uint64_t seq;
    uint32_t pending; /* instruction that waits for its successor's address */
    struct dyn dyn;
    uint64_t list[WARP_LANES]; /* lent to it */
    bool is_read;
};

void traceg_page_free(struct traceg_page *p)
{
    if (p)
        buf_free(&p->bytes);
    free(p);
}

/* ---- static instructions ---- */

/* Has it a value that can change? */
static bool is_register(const struct traceg_reader *r, unsigned id)
{
    enum { PT = REGID_P + 7, UPT = REGID_UP + 7 };

    if (id == TRACEG_RZ)
        return r->rz_is_register;
    return id != TRACEG_URZ && id != PT && id != UPT;
}

/* Adds the registers of a list to a set, general ones to the operands too. */
static uint8_t add_registers(const struct traceg_reader *r,
                             const struct traceg_registers *l, struct regset *set,
                             struct inst_operand *operands)
{
    uint8_t n = 0;

    for (unsigned k = 0; k < l->n; k++) {
        if (!is_register(r, l->id[k]))
            continue;
        regset_add(set, l->id[k]);
        if (l->id[k] < REGID_UR)
            operands[n++] =
                (struct inst_operand){ .reg = (uint8_t)l->id[k], .n = 1, .slot = 3 };
    }
    return n;
}

static void put_registers(struct buf *text, const struct traceg_registers *l,
                          const char **separator)
{
    char name[REGID_NAME];

    for (unsigned k = 0; k < l->n; k++) {
        if (l->id[k] == TRACEG_RZ || l->id[k] == TRACEG_URZ)
            snprintf(name, sizeof name, l->id[k] == TRACEG_RZ ? "RZ" : "URZ");
        else
            regid_name(l->id[k], name);
        buf_printf(text, "%s%s", *separator, name);
        *separator = ", ";
    }
}

static void put_text(struct inst_table *t, const struct traceg_line *l)
{
    struct buf text = { 0 };
    const char *separator = " ";

    buf_puts(&text, l->opcode);
    put_registers(&text, &l->dst, &separator);
    put_registers(&text, &l->src, &separator);
    table_set_text(t, buf_text(&text), text.len);
    buf_free(&text);
}

static int keep_key(struct traceg_reader *r, const struct traceg_line *l,
                    struct err *err)
{
    if (r->n_keys == r->cap_keys) {
        uint32_t cap = r->cap_keys ? 2 * r->cap_keys : 64;
        char **keys = realloc(r->keys, cap * sizeof(char *));
        size_t *len;

        if (keys)
            r->keys = keys;
        len = realloc(r->key_len, cap * sizeof *len);
        if (len)
            r->key_len = len;
        if (!keys || !len)
            return err_memory(err, "the instructions of a trace");
        r->cap_keys = cap;
    }
    r->keys[r->n_keys] = malloc(l->key_len + 1);
    if (!r->keys[r->n_keys])
        return err_memory(err, "the instructions of a trace");
    memcpy(r->keys[r->n_keys], l->key, l->key_len);
    r->key_len[r->n_keys++] = l->key_len;
    return 0;
}

static int add_inst(struct traceg_reader *r, const struct traceg_line *l, uint64_t pc,
                    struct err *err)
{
    struct inst i = { .pc = pc,
                      .length = r->head->sm && r->head->sm < 70 ? 8 : 16,
                      .control = { .write_barrier = 7, .read_barrier = 7 } };

    if (!traceg_classify(&i, l->opcode))
        return input_error(r->in, err, "unknown opcode %s", l->opcode);
    if (l->width && i.space != SPACE_NONE)
        i.bytes = (uint8_t)l->width;
    i.n_dst = add_registers(r, &l->dst, &i.writes, i.dst);
    i.n_src = add_registers(r, &l->src, &i.reads, i.src);
    i.depbar = 7;
    inst_index(&i);
    if (keep_key(r, l, err))
        return -1;
    if (table_add(r->table, &i, err))
        return input_error(r->in, err, "too many instructions");
    put_text(r->table, l);
    return 0;
}

static int number_of(struct traceg_reader *r, const struct traceg_line *l,
                     uint32_t *number, struct err *err)
{
    for (uint64_t twin = 0; twin < MAX_TWINS; twin++) {
        uint64_t pc = l->pc | twin << 32;

        *number = table_find(r->table, pc);
        if (*number == TABLE_NONE) {
            *number = r->table->n;
            return add_inst(r, l, pc, err);
        }
        if (r->key_len[*number] == l->key_len &&
            !memcmp(r->keys[*number], l->key, l->key_len))
            return 0;
    }
    return input_error(r->in, err, "more than %d instructions at PC %llx", MAX_TWINS,
                       (unsigned long long)l->pc);
}

/* ---- executed ones ---- */

static enum inst_space space_of(const struct traceg_reader *r, const struct inst *i,
                                const struct traceg_line *l)
{
    const struct traceg_head *h = r->head;
    uint64_t a;

    if (!l->width) /* a trace has no addresses of textures */
        return i->space == SPACE_TEXTURE ? SPACE_TEXTURE : SPACE_NONE;
    if (i->space != SPACE_GENERIC || !l->mask)
        return (enum inst_space)i->space;
    a = l->addr[__builtin_ctz(l->mask)];
    if (!h->shared_base && !h->local_base)
        return SPACE_SHARED;
    if (a >= h->shared_base && a < h->local_base)
        return SPACE_SHARED;
    if (a >= h->local_base && a - h->local_base < LOCAL_BYTES)
        return SPACE_LOCAL;
    return SPACE_GLOBAL;
}

static enum bar_kind barrier_kind(struct warp_reader *w, const struct traceg_line *l)
{
    bool has_come;

    w->come |= l->mask;
    has_come = !(w->lanes & ~w->come & ~w->exited);
    if (!has_come)
        return BAR_NONE;
    w->come = 0;
    return strstr(l->opcode, ".ARV") ? BAR_ARRIVE : BAR_SYNC;
}

/* The instruction before this one now has a successor. */
static void put_pending(struct traceg_reader *r, struct warp_reader *w,
                        uint64_t next_pc)
{
    if (w->pending == TABLE_NONE)
        return;
    w->dyn.next_pc = next_pc;
    encode_inst(&w->e, r->table, w->pending, &w->dyn);
}

static int take_line(struct traceg_reader *r, struct warp_reader *w, char *text,
                     struct err *err)
{
    struct traceg_line l;
    const struct inst *i;
    uint32_t number;

    if (traceg_parse_line(r->in, r->head, text, &l, err) ||
        number_of(r, &l, &number, err))
        return -1;
    i = r->table->inst[number];
    put_pending(r, w, i->pc);
    if (l.mask)
        w->active = l.mask;
    w->pending = number;
    w->dyn.inst = i;
    w->dyn.seq = w->seq++;
    w->dyn.active = w->active;
    w->dyn.mask = l.mask;
    w->dyn.space = (uint8_t)space_of(r, i, &l);
    w->dyn.bar_kind =
        (uint8_t)(i->class == CLASS_barrier ? barrier_kind(w, &l) : BAR_NONE);
    if (l.width)
        addresses_set(&w->dyn.addr, l.addr, l.mask);
    if (i->flags & INST_EXIT)
        w->exited |= l.mask;
    return 0;
}

/* ---- blocks ---- */

static bool scan_number(const char *line, const char *key, unsigned long *v)
{
    size_t n = strlen(key);
    char *end;

    if (strncmp(line, key, n))
        return false;
    line += n + strspn(line + n, " =");
    if (*line < '0' || *line > '9')
        return false;
    *v = strtoul(line, &end, 10);
    return !end[strspn(end, " ")];
}

int traceg_next_block(struct traceg_reader *r, uint64_t *block, struct err *err)
{
    const uint32_t *grid = r->k->grid;
    unsigned long x, y, z;
    char *line;
    int got;

    while ((got = input_line(r->in, &line, err)) > 0 && strncmp(line, "#BEGIN_TB", 9))
        if (*line != '#')
            return input_error(r->in, err, "expected #BEGIN_TB, found '%.40s'", line);
    if (got <= 0)
        return got;
    if (input_line(r->in, &line, err) <= 0 ||
        sscanf(line, "thread block = %10lu,%10lu,%10lu", &x, &y, &z) != 3)
        return input_error(r->in, err, "expected 'thread block = x,y,z'");
    if (x >= grid[0] || y >= grid[1] || z >= grid[2])
        return input_error(r->in, err,
                           "block %lu,%lu,%lu is not in the grid of %u x %u x %u", x, y,
                           z, grid[0], grid[1], grid[2]);
    *block = (z * grid[1] + y) * grid[0] + x;
    return 1;
}

int traceg_skip_block(struct traceg_reader *r, struct err *err)
{
    char *line;
    int got;

    while ((got = input_line(r->in, &line, err)) > 0)
        if (!strncmp(line, "#END_TB", 7))
            return 0;
    return got < 0 ? -1 : input_error(r->in, err, "the file ends within a block");
}

static void start_warp(const struct traceg_reader *r, struct warp_reader *w,
                       unsigned index)
{
    uint32_t n = r->k->threads - WARP_LANES * index;

    w->lanes = n >= WARP_LANES ? ~0u : (1u << n) - 1;
    w->active = w->lanes;
    w->pending = TABLE_NONE;
    w->dyn.addr.list = w->list;
    encode_begin(&w->e);
}

/* "insts = n" and its lines. */
static int read_warp(struct traceg_reader *r, struct warp_reader *w, struct err *err)
{
    unsigned long n;
    char *line;

    if (input_line(r->in, &line, err) <= 0 || !scan_number(line, "insts", &n))
        return input_error(r->in, err, "expected 'insts = n' after 'warp = n'");
    for (; n; n--) {
        int got = input_line(r->in, &line, err);

        if (got < 0)
            return -1;
        if (!got || *line == '#' || *line == 'w')
            return input_error(r->in, err, "expected %lu more instructions", n);
        if (take_line(r, w, line, err))
            return -1;
    }
    put_pending(r, w, 0);
    encode_end(&w->e, r->table);
    w->is_read = true;
    return 0;
}

static int read_warps(struct traceg_reader *r, struct warp_reader *warps,
                      unsigned n_warps, struct err *err)
{
    unsigned long w;
    char *line;
    int got;

    while ((got = input_line(r->in, &line, err)) > 0) {
        if (!strncmp(line, "#END_TB", 7))
            break;
        if (!scan_number(line, "warp", &w) || w >= n_warps || warps[w].is_read)
            return input_error(r->in, err,
                               "expected '#END_TB' or 'warp = n' with another n below "
                               "%u, found '%.40s'",
                               n_warps, line);
        if (read_warp(r, &warps[w], err))
            return -1;
    }
    if (got < 0)
        return -1;
    if (!got)
        return input_error(r->in, err, "the file ends within a block");
    for (unsigned k = 0; k < n_warps; k++)
        if (!warps[k].is_read)
            return input_error(r->in, err, "the block ends without its warp %u", k);
    return 0;
}

static struct traceg_page *make_page(const struct warp_reader *warps, unsigned n,
                                     uint64_t block)
{
    static const char pad[CODEC_PAD];
    struct traceg_page *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->block = block;
    for (unsigned k = 0; k < n; k++) {
        buf_add(&p->bytes, warps[k].e.out.data, warps[k].e.out.len);
        p->end[k] = p->bytes.len;
    }
    buf_add(&p->bytes, pad, sizeof pad);
    return p;
}

struct traceg_page *traceg_read_block(struct traceg_reader *r, uint64_t block,
                                      struct err *err)
{
    unsigned n = kernel_warps(r->k);
    struct warp_reader *warps = calloc(n, sizeof *warps);
    struct traceg_page *page = NULL;

    if (!warps) {
        err_memory(err, "the warps of a block");
        return NULL;
    }
    for (unsigned k = 0; k < n; k++)
        start_warp(r, &warps[k], k);
    if (!read_warps(r, warps, n, err)) {
        page = make_page(warps, n, block);
        if (!page)
            err_memory(err, "a block of a trace");
    }
    for (unsigned k = 0; k < n; k++)
        encode_free(&warps[k].e);
    free(warps);
    return page;
}
