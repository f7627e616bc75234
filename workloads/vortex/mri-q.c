/* mri-q.c - Q of a magnetic resonance image: at every voxel a sum of waves, one per sample
 * in frequency space. A first kernel makes the samples' magnitudes. */
#include "maths.h"
#include "rig.h"

enum { VOXELS = TINY ? 64 : 512, SAMPLES = TINY ? 16 : 32 };

struct sample {
    float x, y, z; /* frequencies */
    float magnitude;
};

struct voxel {
    float x, y, z;
};

static struct sample RIG_ARRAY samples[SAMPLES];
static float RIG_ARRAY phi_real[SAMPLES], phi_imaginary[SAMPLES];
static struct voxel RIG_ARRAY voxels[VOXELS];
static float RIG_ARRAY q_real[VOXELS], q_imaginary[VOXELS];

/* Frequencies are sixteenths and voxels have whole coordinates. */
static uint32_t frequency(uint32_t axis, uint32_t s)
{
    return rig_value(axis, s * (axis + 1));
}

static uint32_t coordinate(uint32_t axis, uint32_t v)
{
    return v >> 3 * axis & 7;
}

static void fill_sample(uint32_t s, void *arg)
{
    (void)arg;
    samples[s] = (struct sample){
        .x = (float)frequency(0, s) / 16,
        .y = (float)frequency(1, s) / 16,
        .z = (float)frequency(2, s) / 16,
    };
    phi_real[s] = (float)rig_value(4, s);
    phi_imaginary[s] = (float)rig_value(5, s);
}

static void fill_voxel(uint32_t v, void *arg)
{
    (void)arg;
    voxels[v] = (struct voxel){ (float)coordinate(0, v), (float)coordinate(1, v),
                                (float)coordinate(2, v) };
}

static void compute_magnitude(void *arg)
{
    uint32_t s = blockIdx.x;

    (void)arg;
    samples[s].magnitude =
        phi_real[s] * phi_real[s] + phi_imaginary[s] * phi_imaginary[s];
}

static void compute_q(void *arg)
{
    struct voxel v = voxels[blockIdx.x];
    float real = 0, imaginary = 0;

    (void)arg;
    for (uint32_t s = 0; s < SAMPLES; s++) {
        struct sample k = samples[s];
        struct maths_turn wave = maths_turn(k.x * v.x + k.y * v.y + k.z * v.z);

        real += k.magnitude * wave.cos;
        imaginary += k.magnitude * wave.sin;
    }
    q_real[blockIdx.x] = real;
    q_imaginary[blockIdx.x] = imaginary;
}

/* The sines of sixteenths of a turn; cosines are a quarter further on. */
static const float sines[20] = {
    0,  0.382683432f,  0.707106781f,  0.923879533f,
    1,  0.923879533f,  0.707106781f,  0.382683432f,
    0,  -0.382683432f, -0.707106781f, -0.923879533f,
    -1, -0.923879533f, -0.707106781f, -0.382683432f,
    0,  0.382683432f,  0.707106781f,  0.923879533f,
};

static uint32_t is_wrong(uint32_t v)
{
    float real = 0, imaginary = 0;

    for (uint32_t s = 0; s < SAMPLES; s++) {
        uint32_t re = rig_value(4, s), im = rig_value(5, s), turns = 0;
        float magnitude = (float)(re * re + im * im);

        for (uint32_t axis = 0; axis < 3; axis++)
            turns += frequency(axis, s) * coordinate(axis, v);
        real += magnitude * sines[(turns & 15) + 4];
        imaginary += magnitude * sines[turns & 15];
    }
    return (maths_abs(q_real[v] - real) >= 0.01f) |
           (maths_abs(q_imaginary[v] - imaginary) >= 0.01f);
}

int main(void)
{
    uint32_t n_samples[] = { SAMPLES }, n_voxels[] = { VOXELS };

    rig_each(SAMPLES, fill_sample, NULL);
    rig_each(VOXELS, fill_voxel, NULL);
    vx_spawn_threads(1, n_samples, NULL, compute_magnitude, NULL);
    rig_sync();
    vx_spawn_threads(1, n_voxels, NULL, compute_q, NULL);
    rig_sync();
    return rig_end("mri-q", rig_sum(VOXELS, is_wrong));
}
