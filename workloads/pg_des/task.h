/* task.h - packets under triple DES as tasks, for pg_des and pg_multiwork. */
#ifndef PG_DES_TASK_H
#define PG_DES_TASK_H

#include "../workload.h"
#include "des.h"

struct des_tasks {
    int packets, groups; /* of eight bytes, per packet */
    unsigned threads;    /* per packet */
};

/* The first byte of a group is its highest. */
static inline uint64_t des_read_group(const uint8_t *at)
{
    uint64_t group = 0;

    for (int i = 0; i < 8; i++)
        group = group << 8 | at[i];
    return group;
}

static inline void des_write_group(uint8_t *at, uint64_t group)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(group >> (56 - 8 * i));
}

static inline void des_launch_packets(struct rig *r, const struct des_tasks *t,
                                      const struct des *d, CUdeviceptr packet,
                                      CUdeviceptr coded, CUdeviceptr plain)
{
    const struct launch l = { "des_packet", { 1 }, { t->threads }, 0 };
    CUdeviceptr to_code = rig_upload(r, d->to_code, sizeof d->to_code);
    CUdeviceptr to_plain = rig_upload(r, d->to_plain, sizeof d->to_plain);
    CUdeviceptr boxes = rig_global(r, "des_boxes", sizeof d->boxes);

    rig_write(r, boxes, d->boxes, sizeof d->boxes);
    for (int i = 0; i < t->packets; i++) {
        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(to_code), RIG_ARG(to_plain), RIG_ARG(packet),
                            RIG_ARG(coded), RIG_ARG(plain), RIG_ARG(t->groups)));
        packet += 8 * (size_t)t->groups;
        coded += 8 * (size_t)t->groups;
        plain += 8 * (size_t)t->groups;
    }
}

/* Launches one block per packet and hands over all packets, encrypted and decrypted. */
static inline void des_run_tasks(struct rig *r, const struct des_tasks *t)
{
    struct rng rng = rng_start(r->env, 104);
    size_t bytes = 8 * (size_t)t->groups * (size_t)t->packets;
    uint64_t keys[DES_STAGES];
    uint8_t *packet = rig_host(r, bytes, 1), *want = rig_host(r, bytes, 1);
    struct des *d = rig_host(r, 1, sizeof *d);
    CUdeviceptr coded = rig_alloc(r, bytes), plain = rig_alloc(r, bytes);

    if (r->failed)
        return;
    for (int i = 0; i < DES_STAGES; i++)
        keys[i] = rng_next(&rng);
    for (size_t i = 0; i < bytes; i++)
        packet[i] = (uint8_t)rng_below(&rng, 256);
    des_make(d, keys);
    des_launch_packets(r, t, d, rig_upload(r, packet, bytes), coded, plain);
    for (size_t i = 0; i < bytes; i += 8)
        des_write_group(&want[i],
                        des_crypt(d, d->to_code[0], des_read_group(&packet[i])));
    rig_result(r, "coded", coded, want, bytes / 4);
    rig_result(r, "plain", plain, packet, bytes / 4);
}

#endif
