/* parse.c - reads a cycle test.
 *
 *     # 310-alu-chain: what it shows
 *     block warps=2 blocks=1 regs=32 shared=0 rows=1 planes=1
 *     set key=value                       for every run
 *     warp 0,2:                           a program for these warps (default: all)
 *     top:                                a label
 *     ffma r4 p0, r1:2, ur3, 5 mask=0xff  destinations, then sources
 *     ldg r4, r4, [0x1000+4l+128i]        l: lane, i: how often it was executed, or its
 *                                         number within repeat
 *     repeat 8 ... end                    the lines between, again and again
 *     bra top times=3
 *     expect rtx2060s,v100 inorder key=value: issue 0 7:compute 14
 * Keys of instructions: mask active bytes stall wait wr rd reuse depbar=N:LEFT all bar
 * count times takers copy=BYTES map=ADDRESS (tma) product=COLUMNS left=GROUPS; words: yield
 * bypass async param (the map is one) arrive none factors (both in shared memory) ends (a group
 * of products); what is redundant: same, shape (in blocks of some shapes); its value: affine,
 * other; by_warp, by_round: differs.
 */
#include "parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LABELS = 16, MAX_REPEAT_LINES = 64 };

struct parser {
    struct cycle_test *t;
    struct err *err;
    const char *path;
    unsigned line, round;
    struct rig_code *code;
    char label[MAX_LABELS][16];
    unsigned label_at[MAX_LABELS], n_labels;
    bool in_repeat;
    unsigned times, n_kept;
    char kept[MAX_REPEAT_LINES][MAX_LINE];
};

static int fail(struct parser *p, const char *what, const char *found)
{
    return err_set(p->err, "%s:%u: %s: '%s'", p->path, p->line, what, found);
}

static char *trim(char *s)
{
    char *end;

    while (isspace((unsigned char)*s))
        s++;
    end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return s;
}

/* "r4:2": an id and how many. */
static bool parse_register(const char *s, unsigned *id, unsigned *n)
{
    static const struct {
        const char *prefix;
        unsigned first, count;
    } spaces[] = { { "ur", REGID_UR, 64 },
                   { "up", REGID_UP, 8 },
                   { "r", REGID_R, 255 },
                   { "p", REGID_P, 8 },
                   { "b", REGID_B, 16 } };

    for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++) {
        size_t len = strlen(spaces[k].prefix);
        char *end;
        unsigned long at;

        if (strncmp(s, spaces[k].prefix, len) || !isdigit((unsigned char)s[len]))
            continue;
        at = strtoul(s + len, &end, 10);
        *n = *end == ':' ? (unsigned)strtoul(end + 1, &end, 10) : 1;
        if (*end || !*n || at + *n > spaces[k].count)
            return false;
        *id = spaces[k].first + (unsigned)at;
        return true;
    }
    return false;
}

/* "[0x1000+4l+128i]" */
static bool parse_address(struct parser *p, const char *s, struct rig_op *o)
{
    s++;
    for (;;) {
        char *end;
        uint64_t n = strtoull(s, &end, 0);

        if (end == s)
            return false;
        if (*end == 'l') {
            o->lane = n;
            end++;
        } else if (*end == 'i') {
            o->round = n;
            o->base += n * p->round;
            end++;
        } else {
            o->base += n;
        }
        if (*end == ']')
            return !end[1];
        if (*end != '+')
            return false;
        s = end + 1;
    }
}

static bool parse_flag(struct rig_op *o, const char *word)
{
    if (!strcmp(word, "yield"))
        o->inst.control.yield = true;
    else if (!strcmp(word, "bypass"))
        o->inst.flags |= INST_BYPASS_L1;
    else if (!strcmp(word, "async"))
        rig_make_copy(o);
    else if (!strcmp(word, "param"))
        o->has_param = true;
    else if (!strcmp(word, "arrive"))
        o->bar_kind = BAR_ARRIVE;
    else if (!strcmp(word, "none"))
        o->bar_kind = BAR_NONE;
    else if (!strcmp(word, "factors"))
        o->inst.product_is |= PRODUCT_SHARED;
    else if (!strcmp(word, "ends"))
        o->inst.product_is |= PRODUCT_ENDS;
    else if (!strcmp(word, "same"))
        o->mark = REDUNDANT;
    else if (!strcmp(word, "shape"))
        o->mark = REDUNDANT_BY_SHAPE;
    else if (!strcmp(word, "plane"))
        o->mark = REDUNDANT_BY_PLANE;
    else if (!strcmp(word, "affine"))
        o->shape = VALUE_AFFINE;
    else if (!strcmp(word, "other"))
        o->shape = VALUE_OTHER;
    else if (!strcmp(word, "by_warp"))
        o->by_warp = true;
    else if (!strcmp(word, "by_round"))
        o->by_round = true;
    else
        return false;
    return true;
}

static bool parse_key(struct rig_op *o, const char *key, const char *value)
{
    struct inst_control *c = &o->inst.control;
    char *end;
    unsigned long n = strtoul(value, &end, 0);

    if (!strcmp(key, "mask"))
        o->mask = (uint32_t)n;
    else if (!strcmp(key, "active"))
        o->active = (uint32_t)n;
    else if (!strcmp(key, "takers"))
        o->takers = n;
    else if (!strcmp(key, "bytes"))
        o->inst.bytes = (uint8_t)n;
    else if (!strcmp(key, "stall"))
        c->stall = (uint8_t)n;
    else if (!strcmp(key, "wait"))
        c->wait_mask = (uint8_t)n;
    else if (!strcmp(key, "wr"))
        c->write_barrier = (uint8_t)n;
    else if (!strcmp(key, "rd"))
        c->read_barrier = (uint8_t)n;
    else if (!strcmp(key, "reuse"))
        c->reuse = (uint8_t)n;
    else if (!strcmp(key, "all"))
        o->inst.depbar_all = (uint8_t)n;
    else if (!strcmp(key, "bar"))
        o->barrier = (uint8_t)n;
    else if (!strcmp(key, "count"))
        o->bar_warps = (uint16_t)n;
    else if (!strcmp(key, "copy"))
        o->copied = (uint32_t)n;
    else if (!strcmp(key, "map"))
        o->map = n;
    else if (!strcmp(key, "product"))
        o->inst.product = (uint8_t)(n / 8);
    else if (!strcmp(key, "left"))
        o->inst.products_left = (uint8_t)(n + 1);
    else if (!strcmp(key, "times"))
        o->times = (unsigned)n;
    else if (!strcmp(key, "depbar") && *end == ':') {
        o->inst.depbar = (uint8_t)n;
        o->inst.depbar_max = (uint8_t)strtoul(end + 1, &end, 0);
    } else
        return false;
    return end != value && !*end;
}

static int parse_word(struct parser *p, struct rig_op *o, char *word, bool is_dst)
{
    unsigned id, n;
    char *eq = strchr(word, '=');

    if (*word == '[')
        return parse_address(p, word, o) ? 0 : fail(p, "no address", word);
    if (eq) {
        *eq = '\0';
        return parse_key(o, word, eq + 1) ? 0 : fail(p, "no such key", word);
    }
    if (parse_flag(o, word) || isdigit((unsigned char)*word))
        return 0;
    if (parse_register(word, &id, &n)) {
        is_dst ? rig_writes(o, id, n) : rig_reads(o, id, n);
        return 0;
    }
    for (unsigned k = 0; k < p->n_labels; k++)
        if (!strcmp(p->label[k], word)) {
            o->target = (int)p->label_at[k];
            return 0;
        }
    if (o->inst.class == CLASS_branch && !strcmp(word, "next2")) {
        o->target = (int)p->code->n + 1; /* over the one behind it */
        return 0;
    }
    return fail(p, "expected a register, an address, a key or a label above", word);
}

static struct rig_code *code_of(struct parser *p)
{
    if (!p->code) {
        p->code = &p->t->kernel.code[0];
        p->t->kernel.n_codes = 1;
    }
    return p->code;
}

static int parse_op(struct parser *p, char *text)
{
    char *rest = text + strcspn(text, " \t"), *save = NULL;
    const struct rig_kind *kind;
    struct rig_op *o;
    bool is_dst;

    if (*rest)
        *rest++ = '\0';
    kind = rig_kind(text);
    if (!kind)
        return fail(p, "no such operation", text);
    o = rig_add_kind(code_of(p), kind);
    o->times = RIG_NEVER;
    is_dst = kind->has_dst;
    for (char *word = strtok_r(rest, " \t", &save); word;
         word = strtok_r(NULL, " \t", &save)) {
        size_t len = strlen(word);
        bool ends = len && word[len - 1] == ',';

        if (ends)
            word[len - 1] = '\0';
        if (*word && parse_word(p, o, word, is_dst))
            return -1;
        if (ends)
            is_dst = false;
    }
    return 0;
}

/* "joins", or with the largest distance "relay4": how operands are to be named. */
static void parse_naming(struct parser *p, const char *text)
{
    static const char *const kinds[] = {
        [NAMING_JOINS] = "joins", [NAMING_MOVES] = "moves", [NAMING_RELAY] = "relay"
    };

    for (unsigned k = NAMING_JOINS; k <= NAMING_RELAY; k++)
        if (!strncmp(text, kinds[k], 5))
            p->t->naming = (struct naming){ .kind = (enum naming_kind)k,
                                            .max_distance = (unsigned)atoi(text + 5),
                                            .orders_writes = true };
}

/* "warps=2 blocks=1 regs=32 shared=0" */
static int parse_block(struct parser *p, char *text)
{
    struct kernel *k = &p->t->kernel.base;
    char *save = NULL;

    for (char *word = strtok_r(text, " \t", &save); word;
         word = strtok_r(NULL, " \t", &save)) {
        char *eq = strchr(word, '=');
        unsigned long n = eq ? strtoul(eq + 1, NULL, 0) : 0;

        if (!eq)
            return fail(p, "expected key=value", word);
        if (!strncmp(word, "warps", 5) && n && n <= RIG_WARPS)
            k->threads = (uint32_t)n * 32;
        else if (!strncmp(word, "blocks", 6) && n && n <= 64)
            k->n_blocks = n;
        else if (!strncmp(word, "regs", 4))
            k->registers = (uint32_t)n;
        else if (!strncmp(word, "shared", 6))
            k->shared = (uint32_t)n;
        else if (!strncmp(word, "rows", 4) && n)
            p->t->kernel.rows = (unsigned)n;
        else if (!strncmp(word, "planes", 6) && n)
            p->t->kernel.planes = (unsigned)n;
        else if (!strncmp(word, "recorded", 8))
            p->t->kernel.is_recorded = n;
        else if (!strncmp(word, "naming", 6))
            parse_naming(p, eq + 1);
        else
            return fail(p,
                        "expected warps, blocks, regs, shared, rows, planes, recorded "
                        "or naming",
                        word);
    }
    return 0;
}

/* "0,2:" */
static int parse_warps(struct parser *p, char *text)
{
    struct rig_kernel *k = &p->t->kernel;
    char *save = NULL;

    if (k->n_codes == RIG_CODES)
        return fail(p, "too many programs", text);
    for (char *word = strtok_r(text, ",: ", &save); word;
         word = strtok_r(NULL, ",: ", &save)) {
        unsigned long w = strtoul(word, NULL, 10);

        if (w >= RIG_WARPS)
            return fail(p, "no such warp", word);
        k->code_of[w] = (uint8_t)k->n_codes;
    }
    p->code = &k->code[k->n_codes++];
    p->n_labels = 0;
    return 0;
}

static int parse_expect(struct parser *p, const char *text)
{
    struct cycle_test *t = p->t;
    struct cycle_expect *e = &t->expect[t->n_expects];
    char *colon, *save = NULL, *word;

    if (t->n_expects == MAX_EXPECTS)
        return fail(p, "too many expectations", text);
    e->line = p->line;
    snprintf(e->text, sizeof e->text, "%s", text);
    colon = strstr(e->text, ": ");
    if (!colon)
        return fail(p, "expected MACHINES [SCHEME] [key=value]: WHAT", text);
    *colon = '\0';
    snprintf(e->what, sizeof e->what, "%s", trim(colon + 1));
    e->gpus = strtok_r(e->text, " \t", &save);
    while ((word = strtok_r(NULL, " \t", &save)) != NULL) {
        if (strchr(word, '=') && e->n_set < RIG_SETS - 8)
            e->set[e->n_set++] = word;
        else
            e->scheme = word;
    }
    t->n_expects++;
    return e->gpus ? 0 : fail(p, "expected a machine", text);
}

static int parse_line(struct parser *p, char *text);

static int end_repeat(struct parser *p)
{
    char line[MAX_LINE];

    p->in_repeat = false;
    for (p->round = 0; p->round < p->times; p->round++)
        for (unsigned k = 0; k < p->n_kept; k++) {
            snprintf(line, sizeof line, "%s", p->kept[k]);
            if (parse_line(p, line))
                return -1;
        }
    p->round = 0;
    return 0;
}

static int parse_line(struct parser *p, char *text)
{
    struct cycle_test *t = p->t;
    size_t len;

    if (p->in_repeat && strcmp(text, "end")) {
        if (p->n_kept == MAX_REPEAT_LINES)
            return fail(p, "too many lines in repeat", text);
        snprintf(p->kept[p->n_kept++], MAX_LINE, "%s", text);
        return 0;
    }
    if (!strcmp(text, "end"))
        return p->in_repeat ? end_repeat(p) : fail(p, "no repeat above", text);
    if (!strncmp(text, "repeat ", 7)) {
        p->in_repeat = true;
        p->times = (unsigned)strtoul(text + 7, NULL, 10);
        p->n_kept = 0;
        return 0;
    }
    if (!strncmp(text, "expect ", 7))
        return parse_expect(p, text + 7);
    if (!strncmp(text, "block ", 6))
        return parse_block(p, text + 6);
    if (!strncmp(text, "warp ", 5))
        return parse_warps(p, text + 5);
    if (!strncmp(text, "set ", 4)) {
        if (t->n_set == 8)
            return fail(p, "too many settings", text);
        snprintf(t->set[t->n_set++], 64, "%s", trim(text + 4));
        return 0;
    }
    len = strlen(text);
    if (text[len - 1] == ':' && !strchr(text, ' ')) {
        if (p->n_labels == MAX_LABELS)
            return fail(p, "too many labels", text);
        snprintf(p->label[p->n_labels], 16, "%.*s", (int)(len - 1 < 15 ? len - 1 : 15),
                 text);
        p->label_at[p->n_labels++] = code_of(p)->n;
        return 0;
    }
    return parse_op(p, text);
}

int cycle_parse(const char *path, struct cycle_test *t, struct err *err)
{
    struct parser *p = calloc(1, sizeof *p);
    FILE *f = fopen(path, "r");
    char line[MAX_LINE];
    int failed = 0;

    memset(t, 0, sizeof *t);
    t->kernel.base = (struct kernel){ .n_blocks = 1, .threads = 32, .registers = 32 };
    if (!f || !p) {
        free(p);
        return err_set(err, "%s: cannot read it", path);
    }
    *p = (struct parser){ .t = t, .err = err, .path = path };
    while (!failed && fgets(line, sizeof line, f)) {
        char *text = trim(line);

        p->line++;
        if (*text == '#' && !*t->title)
            snprintf(t->title, sizeof t->title, "%s", trim(text + 1));
        text[strcspn(text, "#")] = '\0';
        text = trim(text);
        if (*text)
            failed = parse_line(p, text);
    }
    if (!failed && !t->n_expects)
        failed = fail(p, "no expectation", "");
    if (!failed && p->in_repeat)
        failed = fail(p, "repeat without end", "");
    fclose(f);
    free(p);
    if (!t->kernel.n_codes)
        t->kernel.n_codes = 1; /* nothing but an exit */
    for (unsigned n = 0; n < t->kernel.n_codes; n++)
        rig_convert(&t->kernel.code[n], &t->naming);
    rig_finish(&t->kernel);
    return failed;
}

void cycle_free(struct cycle_test *t)
{
    rig_free(&t->kernel);
}
