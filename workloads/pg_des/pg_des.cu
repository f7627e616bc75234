/* pg_des.cu - triple DES of one packet: encrypted, then decrypted again.
 *
 * A task is one block; a thread takes every blockDim-th group of eight bytes, byte by
 * byte. The S boxes lie in constant memory, each already followed by the permutation of
 * its round; lanes look up different entries. Keys come as two words per round, six bits
 * for each box: the odd boxes' in the first, the even ones' in the second.
 */
enum { BOXES = 8, ENTRIES = 64, STAGES = 3, ROUNDS = 16, GROUP = 8 };

__constant__ unsigned des_boxes[BOXES][ENTRIES];

/* Exchanges the bits of mask in b with those shift higher in a. */
static __device__ void exchange(unsigned *a, unsigned *b, int shift, unsigned mask)
{
    unsigned differ = (*a >> shift ^ *b) & mask;

    *b ^= differ;
    *a ^= differ << shift;
}

static __device__ void permute_first(unsigned *left, unsigned *right)
{
    exchange(left, right, 4, 0x0f0f0f0f);
    exchange(left, right, 16, 0x0000ffff);
    exchange(right, left, 2, 0x33333333);
    exchange(right, left, 8, 0x00ff00ff);
    exchange(left, right, 1, 0x55555555);
}

static __device__ void permute_last(unsigned *left, unsigned *right)
{
    exchange(left, right, 1, 0x55555555);
    exchange(right, left, 8, 0x00ff00ff);
    exchange(right, left, 2, 0x33333333);
    exchange(left, right, 16, 0x0000ffff);
    exchange(left, right, 4, 0x0f0f0f0f);
}

/* What one half of the group adds to the other. */
static __device__ unsigned mangle(unsigned half, const unsigned *key)
{
    unsigned odd = (half >> 3 | half << 29) ^ key[0];
    unsigned even = (half << 1 | half >> 31) ^ key[1];

    return des_boxes[0][odd >> 24 & 63] ^ des_boxes[2][odd >> 16 & 63] ^
           des_boxes[4][odd >> 8 & 63] ^ des_boxes[6][odd & 63] ^
           des_boxes[1][even >> 24 & 63] ^ des_boxes[3][even >> 16 & 63] ^
           des_boxes[5][even >> 8 & 63] ^ des_boxes[7][even & 63];
}

static __device__ unsigned load_word(const unsigned char *at)
{
    return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

static __device__ void store_word(unsigned char *at, unsigned word)
{
    at[0] = word >> 24;
    at[1] = word >> 16;
    at[2] = word >> 8;
    at[3] = word;
}

static __device__ void crypt_group(const unsigned *keys, const unsigned char *in,
                                   unsigned char *out)
{
    unsigned left = load_word(in), right = load_word(in + 4);

    permute_first(&left, &right);
    for (int stage = 0; stage < STAGES; stage++) {
        unsigned swap;

#pragma unroll 1
        for (int round = 0; round < ROUNDS; round += 2, keys += 4) {
            left ^= mangle(right, keys);
            right ^= mangle(left, keys + 2);
        }
        swap = left;
        left = right;
        right = swap;
    }
    permute_last(&left, &right);
    store_word(out, left);
    store_word(out + 4, right);
}

extern "C" __global__ void des_packet(const unsigned *to_code, const unsigned *to_plain,
                                      const unsigned char *packet, unsigned char *coded,
                                      unsigned char *plain, int groups)
{
    for (int i = threadIdx.x; i < groups; i += blockDim.x)
        crypt_group(to_code, packet + i * GROUP, coded + i * GROUP);
    for (int i = threadIdx.x; i < groups; i += blockDim.x)
        crypt_group(to_plain, coded + i * GROUP, plain + i * GROUP);
}
