/* tensor_cases.cuh - the cases of tensor.cu: some by hand, many at random (always the same). */
#ifndef TENSOR_CASES_CUH
#define TENSOR_CASES_CUH

#define T(name) CU_TENSOR_MAP_DATA_TYPE_##name
#define SWIZZLE(name) CU_TENSOR_MAP_SWIZZLE_##name
#define NAN_FILL CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA

enum { MAX_CASES = 1000, RANDOM_TILED = 60, RANDOM_PIXELS = 40, RANDOM_STORES = 30 };

static struct tensor *list;
static int n_cases;
static u32 seed = 1;

static u32 draw(u32 n)
{
    seed = hash(seed + 0x9e3779b9u);
    return seed % n;
}

static struct tensor *add(const char *format, int number)
{
    struct tensor *t = &list[n_cases++];

    CHECK(n_cases <= MAX_CASES);
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, format, number);
    t->rank = 2;
    t->type = T(UINT16);
    return t;
}

static void set5(u32 *to, u32 a, u32 b, u32 c, u32 d, u32 e)
{
    u32 v[5] = { a, b, c, d, e };

    memcpy(to, v, sizeof v);
}

static void set_dims(struct tensor *t, u32 rank, u32 a, u32 b, u32 c, u32 d, u32 e)
{
    u32 v[5] = { a, b, c, d, e };

    t->rank = rank;
    for (int k = 0; k < 5; k++)
        t->dim[k] = v[k];
}

static void set_at(struct tensor *t, int a, int b, int c, int d, int e)
{
    int v[5] = { a, b, c, d, e };

    memcpy(t->at, v, sizeof v);
}

/* A box of 16 bytes (or 32) by 3 by 2 by 2 by 2 in every rank, type by type. */
static void add_types()
{
    for (int type = 0; type <= T(TFLOAT32_FTZ); type++)
        for (u32 rank = 1; rank <= 5; rank++) {
            struct tensor *t = add("type%d", type * 10 + (int)rank);

            t->type = (CUtensorMapDataType)type;
            set_dims(t, rank, 64, 9, 5, 4, 3);
            set5(t->box, 64 / bytes_of(t->type), 3, 2, 2, 2);
            set_at(t, 16, 2, 1, 1, 1);
        }
    for (int type = 0; type <= T(TFLOAT32_FTZ); type++)
        for (int fill = 0; fill <= (type >= T(FLOAT16)); fill++) {
            struct tensor *t = add("outside%d", type * 10 + fill);

            t->type = (CUtensorMapDataType)type;
            t->fill = (CUtensorMapFloatOOBfill)fill;
            set_dims(t, 2, 64, 9, 1, 1, 1);
            set5(t->box, 64 / bytes_of(t->type), 4, 1, 1, 1);
            set_at(t, 64 - 32 / bytes_of(t->type), 7, 0, 0, 0);
            if (fill)
                set_at(t, -16 / bytes_of(t->type), -1, 0, 0, 0);
        }
}

/* Swizzles, also of lines that are shorter, and from other places. */
static void add_swizzles()
{
    static const u32 places[] = { 0, 128, 256, 384, 512, 1024, 1152 };

    for (int s = 0; s <= SWIZZLE(128B); s++)
        for (u32 chunks = 1; chunks <= 8; chunks++)
            for (u32 p = 0; p < 7; p++) {
                struct tensor *t;

                if (s && chunks * 16 > 16u << s)
                    continue;
                if (p && chunks != 1u << (s ? s : 3) && chunks != 2 && chunks != 3)
                    continue;
                t = add("swizzle%d", s * 100 + (int)chunks * 10 + (int)p);
                t->swizzle = (CUtensorMapSwizzle)s;
                set_dims(t, 3, 128, 20, 3, 1, 1);
                set5(t->box, chunks * 8, 11, 2, 1, 1);
                set_at(t, 8, 3, 1, 0, 0);
                t->to = places[p];
            }
}

static void add_steps()
{
    for (int k = 0; k < 12; k++) {
        struct tensor *t = add("steps%d", k);

        set_dims(t, 1 + k % 5, 64, 20, 9, 8, 6);
        set5(t->box, 16, 7, 5, 3, 2);
        set5(t->step, 1, 1 + k % 3, 1 + k / 2 % 4, 1 + k % 2, 1 + k / 3 % 2);
        set_at(t, k % 4 * 8 - 8, k - 2, k / 2 - 1, 1, 1);
        if (k == 11)
            set5(t->step, 2, 2, 2, 2, 2);
    }
}

static void add_interleaved()
{
    for (int k = 0; k < 32; k++) {
        struct tensor *t = add("slices%d", k);
        u32 wide = k & 1;

        t->interleave =
            wide ? CU_TENSOR_MAP_INTERLEAVE_32B : CU_TENSOR_MAP_INTERLEAVE_16B;
        t->swizzle = wide ? SWIZZLE(32B) : k & 4 ? (CUtensorMapSwizzle)(k / 4 % 4) : SWIZZLE(NONE);
        t->type = k & 8 ? T(UINT8) : T(UINT16);
        set_dims(t, 3 + k % 3, 32, 10, 6, 5, 3);
        for (int d = 0; d < 4; d++) {
            static const u64 stride[] = { 32, 352, 2112, 10560 };

            t->stride[d] = stride[d];
        }
        set5(t->box, k & 2 ? 8 : 16, 5, 3, 2, 2);
        set_at(t, k / 4 % 3 * 8 - 3 * (k & 1), k / 8 - 1, k / 6, 1, 0);
        if (k >= 16)
            set5(t->step, 1 + k % 2, 2, 1, 1, 1);
        if (k >= 24) { /* more channels than a slice holds */
            set5(t->step, 1, 1, 1, 1, 1);
            set5(t->box, 16, 2, 2, 1, 1);
            t->box[t->rank - 2] = 9 + (u32)k % 12;
            t->at[t->rank - 2] = k % 3;
        }
    }
}

static struct tensor *add_image(const char *format, int k, u32 rank)
{
    struct tensor *t = add(format, k);

    set_dims(t, rank, 32, 9, rank > 3 ? 7 : 3, rank > 4 ? 5 : 2, 2);
    t->channels = 16;
    t->pixels = 24;
    return t;
}

static void add_pixels()
{
    for (u32 rank = 3; rank <= 5; rank++)
        for (int k = 0; k < 14; k++) {
            struct tensor *t = add_image("pixels%d", (int)rank * 100 + k, rank);
            u32 n = rank - 2, bits = rank == 3 ? 16 : rank == 4 ? 8 : 5;

            for (u32 d = 0; d < n; d++) {
                t->lower[d] = k >= 1 ? -1 : 0;
                t->upper[d] = k >= 2 ? -(int)d - 1 : 0;
                t->at[1 + d] = t->lower[d] + (k >= 3 ? (int)d + 1 : 0);
                if (k >= 4)
                    t->offset |= (u32)(d + 1) % 3 << bits * d;
            }
            t->at[0] = k >= 5 ? 8 : 0;
            if (k >= 6)
                set5(t->step, 1, 2, k & 1 ? 2 : 1, 2, 1);
            t->at[rank - 1] = k >= 7;
            if (k >= 8)
                t->swizzle = (CUtensorMapSwizzle)(k % 4);
            if (k == 9 || k == 13)
                t->pixels = 100;
            if (k == 10)
                t->at[0] = 24;
            if (k == 11)
                t->fill = NAN_FILL, t->type = T(FLOAT16);
            for (u32 d = 0; d < n; d++) /* within the corners */
                if (t->at[1 + d] >= (int)t->dim[1 + d] + t->upper[d])
                    t->at[1 + d] = (int)t->dim[1 + d] + t->upper[d] - 1;
        }
}

static void add_stores()
{
    for (int k = 0; k < 24; k++) {
        struct tensor *t = add("store%d", k);

        t->what = STORE;
        t->type = (CUtensorMapDataType)(k % 13);
        set_dims(t, 1 + k % 5, 64, 9, 5, 4, 3);
        set5(t->box, 32 / bytes_of(t->type), 5, 2, 2, 2);
        t->swizzle = (CUtensorMapSwizzle)(k / 6);
        set_at(t, k % 3 * 32, k % 4 * 3, k % 5, 1, 1);
        if (k >= 18)
            set5(t->step, 1, 2, 1, 2, 1);
    }
    for (u32 rank = 3; rank <= 5; rank++)
        add_image("pixelstore%d", (int)rank * 10, rank)->what = STORE;
}

static bool can_reduce(int type, int op)
{
    bool is_float = type >= T(FLOAT16);

    if (type == T(UINT8) || type == T(UINT16))
        return false;
    if (type == T(INT64))
        return op == MIN || op == MAX;
    if (type == T(UINT64))
        return op == ADD || op == MIN || op == MAX || op >= AND;
    if (!is_float)
        return type == T(UINT32) || (op != INC && op != DEC);
    if (type == T(FLOAT16) || type == T(BFLOAT16))
        return op <= MAX;
    return op == ADD && type == T(FLOAT32);
}

static void add_reductions(bool all)
{
    for (int type = 0; type <= T(TFLOAT32_FTZ); type++)
        for (int op = ADD; op <= XOR; op++) {
            struct tensor *t;

            if (!all && !can_reduce(type, op))
                continue;
            t = add("reduce%d", type * 10 + op);
            t->what = REDUCE;
            t->op = op;
            t->type = (CUtensorMapDataType)type;
            set_dims(t, 1 + op % 5, 64, 9, 5, 4, 3);
            set5(t->box, 64 / bytes_of(t->type), 5, 2, 2, 2);
            set_at(t, 64 - 32 / bytes_of(t->type), 5, 0, 0, 0);
        }
}

static void add_clusters()
{
    for (int k = 0; k < 10; k++) {
        struct tensor *t = add("cast%d", k);

        t->what = k < 2 ? REMOTE : CAST;
        t->offset = k < 2 ? 0 : k == 2 ? 15 : k == 3 ? 2 : (u32)k;
        set_dims(t, 1 + k % 5, 64, 9, 5, 4, 3);
        set5(t->box, 32, 5, 2, 2, 2);
        set_at(t, k * 8 - 16, k % 4, 1, 1, 1);
        t->swizzle = k & 1 ? SWIZZLE(64B) : SWIZZLE(NONE);
        t->to = k & 2 ? 256 : 0;
    }
    {
        struct tensor *t = add("replace%d", 0);

        t->what = REPLACE;
        t->type = T(FLOAT32);
        t->fill = NAN_FILL;
        t->swizzle = SWIZZLE(128B);
        set_dims(t, 3, 64, 9, 5, 1, 1);
        set5(t->box, 32, 4, 2, 1, 1);
        set_at(t, 28, 3, 0, 0, 0);
    }
}

static void add_random()
{
    for (int k = 0; k < RANDOM_TILED + RANDOM_STORES; k++) {
        bool is_store = k >= RANDOM_TILED;
        struct tensor *t = add(is_store ? "anystore%d" : "any%d", k);
        u32 bytes, line, room = SHARED;

        t->what = is_store ? STORE : LOAD;
        t->type = (CUtensorMapDataType)draw(T(FLOAT32_FTZ));
        bytes = (u32)bytes_of(t->type);
        set_dims(t, 1 + draw(5), 8 + draw(120), 1 + draw(12), 1 + draw(6), 1 + draw(4), 1 + draw(3));
        t->swizzle = (CUtensorMapSwizzle)draw(4);
        t->promotion = (CUtensorMapL2promotion)draw(4);
        t->fill = (CUtensorMapFloatOOBfill)(t->type >= T(FLOAT16) && draw(2));
        t->box[0] = (1 + draw(t->swizzle ? 1u << t->swizzle : 8)) * 16 / bytes;
        line = t->swizzle ? 16u << t->swizzle : t->box[0] * bytes; /* lines are that far apart */
        room /= line;
        for (u32 d = 1; d < 5; d++) {
            t->box[d] = 1 + draw(room < 8 ? room : 8);
            room /= t->box[d];
            t->step[d] = draw(3) ? 1 : 1 + draw(4);
        }
        for (u32 d = 0; d < 5; d++)
            t->at[d] = (int)draw((u32)t->dim[d] + 6) - 3;
        t->at[0] = (t->at[0] + 3) / (16 / (int)bytes) * (16 / (int)bytes) - 16 / (int)bytes;
        for (u32 d = 0; is_store && d < 5; d++) /* one that begins before the tensor is illegal */
            t->at[d] = t->at[d] < 0 ? 0 : t->at[d];
        t->to = draw(4) ? 0 : draw(8) * 128;
        if (t->to + line * t->box[1] * t->box[2] * t->box[3] * t->box[4] > SHARED)
            t->to = 0;
    }
    for (int k = 0; k < RANDOM_PIXELS; k++) {
        u32 rank = 3 + draw(3), n = rank - 2, bits = rank == 3 ? 16 : rank == 4 ? 8 : 5;
        struct tensor *t = add_image("anypixels%d", k, rank);

        t->channels = 8 << draw(3);
        t->swizzle = (CUtensorMapSwizzle)(t->channels == 8 ? draw(4) : 3 * draw(2));
        t->pixels = 1 + draw(100);
        for (u32 d = 0; d < n; d++) {
            t->lower[d] = (int)draw(4) - 2;
            t->upper[d] = (int)draw(4) - 2;
            t->at[1 + d] = t->lower[d] + (int)draw(2);
            t->offset |= draw(4) << bits * d;
            t->step[1 + d] = 1 + draw(3);
        }
        t->at[0] = (int)draw(4) * 8;
        t->at[rank - 1] = (int)draw(2);
    }
}

/* With all, also those that a GPU may not like. */
static int make_cases(struct tensor **to, bool all)
{
    list = (struct tensor *)malloc(MAX_CASES * sizeof *list);
    CHECK(list);
    add_types();
    add_swizzles();
    add_steps();
    add_interleaved();
    add_pixels();
    add_stores();
    add_reductions(all);
    add_clusters();
    add_random();
    if (all) { /* not at a multiple of 16 bytes */
        struct tensor *t = add("wrong%d", 0);

        set_dims(t, 2, 64, 9, 1, 1, 1);
        set5(t->box, 8, 2, 1, 1, 1);
        set_at(t, 1, 0, 0, 0, 0);
        t = add("wrong%d", 1);
        t->what = STORE;
        set_dims(t, 2, 64, 9, 1, 1, 1);
        set5(t->box, 16, 2, 1, 1, 1);
        set_at(t, 0, -1, 0, 0, 0);
        t = add_image("wrong%d", 2, 3);
        t->what = STORE;
        t->lower[0] = -1;
    }
    *to = list;
    return n_cases;
}

static void show_map(const struct tensor *t, u64 base)
{
    alignas(64) CUtensorMap map;
    CUresult r;

    memset(&map, 0x3c, sizeof map);
    r = encode(&map, (void *)base, t);
    printf("%s: %d", t->name, (int)r);
    for (int k = 0; r == CUDA_SUCCESS && k < CU_TENSOR_MAP_NUM_QWORDS; k++)
        if (map.opaque[k])
            printf(" %d:%llx", k, (unsigned long long)map.opaque[k]);
    printf("\n");
}

/* One thing wrong at a time, or at its limit. */
static void add_limits()
{
    for (int k = 0; k < 75; k++) {
        struct tensor *t = add("limit%d", k);

        set_dims(t, 3, 64, 9, 5, 4, 3);
        set5(t->box, 32, 4, 2, 2, 2);
        t->swizzle = SWIZZLE(64B);
        switch (k) {
        case 0: t->rank = 0; break;
        case 1: t->rank = 6; break;
        case 2: t->dim[0] = 0; break;
        case 3: t->dim[1] = 1ull << 32; t->stride[0] = 16, t->stride[1] = 1ull << 39; break;
        case 4: t->dim[1] = (1ull << 32) + 1; t->stride[0] = 16, t->stride[1] = 1ull << 39; break;
        case 5: t->stride[0] = 136; break;
        case 6: t->stride[1] = 1ull << 40; break;
        case 7: t->stride[1] = (1ull << 40) - 16; break;
        case 8: t->stride[0] = 16; break;
        case 9: t->stride[1] = 16; break;
        case 10: t->box[1] = 0; break;
        case 11: t->box[1] = 256; break;
        case 12: t->box[1] = 257; break;
        case 13: t->box[0] = 36; break;
        case 14: t->box[0] = 12; break;
        case 15: t->box[0] = 4; break;
        case 16: t->step[1] = 8; break;
        case 17: t->step[1] = 9; break;
        case 18: t->step[0] = 2; break;
        case 19: t->step[0] = 9; break;
        case 20: t->swizzle = SWIZZLE(32B); break;
        case 21: t->swizzle = (CUtensorMapSwizzle)4; break;
        case 22: t->swizzle = (CUtensorMapSwizzle)5; break;
        case 23: t->swizzle = (CUtensorMapSwizzle)6; break;
        case 24: t->swizzle = (CUtensorMapSwizzle)7; break;
        case 25: t->fill = NAN_FILL; break;
        case 26: t->fill = (CUtensorMapFloatOOBfill)2; break;
        case 27: t->promotion = (CUtensorMapL2promotion)4; break;
        case 28: t->interleave = (CUtensorMapInterleave)3; break;
        case 29: t->interleave = CU_TENSOR_MAP_INTERLEAVE_16B; break;
        case 30: t->interleave = CU_TENSOR_MAP_INTERLEAVE_32B; break;
        case 31: t->interleave = CU_TENSOR_MAP_INTERLEAVE_32B; t->swizzle = SWIZZLE(32B); break;
        case 32: t->interleave = CU_TENSOR_MAP_INTERLEAVE_16B; t->rank = 2; break;
        case 33: t->interleave = CU_TENSOR_MAP_INTERLEAVE_16B; t->box[0] = 3; break;
        case 34: t->interleave = CU_TENSOR_MAP_INTERLEAVE_16B; t->step[0] = 3; break;
        case 35: t->interleave = CU_TENSOR_MAP_INTERLEAVE_32B; t->swizzle = SWIZZLE(32B); t->stride[0] = 48; break;
        case 36: t->type = (CUtensorMapDataType)12; break;
        case 37: t->box[0] = 256; t->swizzle = SWIZZLE(NONE); break;
        case 38: t->box[0] = 256; t->box[1] = 256; t->box[2] = 256; t->swizzle = SWIZZLE(NONE); break;
        case 39: t->promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_64B; break;
        case 40: t->promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_128B; break;
        case 41: t->promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B; break;
        case 42: t->dim[2] = 1ull << 32; break;
        case 43: t->step[1] = 5; break; /* more than the box */
        case 44: t->rank = 1; t->dim[0] = 1ull << 32; break;
        case 45: t->rank = 1; t->box[0] = 8; t->swizzle = SWIZZLE(NONE); break;
        case 46: t->rank = 5; break;
        case 47: t->rank = 4; break;
        case 48: t->type = T(FLOAT32); t->fill = NAN_FILL; t->box[0] = 16; break;
        default: /* im2col */
            t->channels = 16;
            t->pixels = 24;
            switch (k) {
            case 50: t->rank = 2; break;
            case 51: t->pixels = 1024; break;
            case 52: t->pixels = 1025; break;
            case 53: t->channels = 256; t->swizzle = SWIZZLE(NONE); break;
            case 54: t->channels = 257; t->swizzle = SWIZZLE(NONE); break;
            case 55: t->channels = 12; break;
            case 56: t->lower[0] = -32768; break;
            case 57: t->lower[0] = -32769; break;
            case 58: t->upper[0] = 32767; break;
            case 59: t->upper[0] = -9; break;
            case 60: t->upper[0] = -8; break;
            case 61: t->rank = 4; t->lower[0] = -128; t->lower[1] = -3; t->upper[0] = 5; t->upper[1] = 7; break;
            case 62: t->rank = 4; t->lower[1] = -129; break;
            case 63: t->rank = 4; t->upper[1] = 127; break;
            case 64: t->rank = 5; t->lower[0] = -16; t->lower[1] = -5; t->lower[2] = 3; break;
            case 65: t->rank = 5; t->upper[0] = 15; t->upper[1] = 4; t->upper[2] = -2; break;
            case 66: t->rank = 5; t->lower[2] = -17; break;
            case 67: t->step[1] = 3; t->step[2] = 4; break;
            case 68: t->channels = 40; t->swizzle = SWIZZLE(64B); break;
            case 69: t->interleave = CU_TENSOR_MAP_INTERLEAVE_16B; break;
            case 70: t->interleave = CU_TENSOR_MAP_INTERLEAVE_32B; t->swizzle = SWIZZLE(32B); break;
            case 71: t->pixels = 1; break;
            case 72: t->rank = 4; t->upper[0] = 1; t->upper[1] = 2; break;
            case 73: t->rank = 4; t->lower[0] = 1; t->lower[1] = 2; break;
            case 74: t->rank = 5; t->pixels = 513; t->step[1] = 2, t->step[2] = 3, t->step[3] = 4, t->step[4] = 5; break;
            default: break;
            }
        }
    }
}

static void show_maps()
{
    struct tensor *t;
    struct tensor one;
    alignas(64) char room[192];
    CUresult r;
    void *entry = NULL;
    int n = -1;
    cudaDriverEntryPointQueryResult found;

    make_cases(&t, false);
    add_limits();
    for (int k = 0; k < n_cases; k++)
        show_map(&t[k], 0x7f1234567000ull + (u64)(k % 8) * 32);
    one = t[n_cases - 75 + 49];
    for (u64 low = 4; low <= 32; low *= 2) {
        snprintf(one.name, sizeof one.name, "address%d", (int)low);
        show_map(&one, 0x7f1234567000ull + low);
    }
    show_map(&one, 0);
    one = t[0];
    r = encode((CUtensorMap *)(room + 16), (void *)0x7f1234567000ull, &one);
    printf("place: %d\n", (int)r);
    r = encode(NULL, (void *)0x7f1234567000ull, &one);
    printf("no place: %d\n", (int)r);
    r = encode((CUtensorMap *)room, (void *)0x7f1234567000ull, &one);
    printf("replaced: %d", (int)r);
    r = cuTensorMapReplaceAddress((CUtensorMap *)room, (void *)0x7fabcdef0120ull);
    printf(" %d %llx", (int)r, (unsigned long long)*(u64 *)room);
    r = cuTensorMapReplaceAddress((CUtensorMap *)room, (void *)0x7fabcdef0121ull);
    printf(" %d %llx\n", (int)r, (unsigned long long)*(u64 *)room);
    GOOD(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000,
                                          cudaEnableDefault, &found));
    printf("entry: %d %d\n", entry != NULL, (int)found);
    CHECK(!cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 0));
    printf("attribute: %d\n", n);
}

#endif
