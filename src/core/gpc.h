/* gpc.h - clusters of blocks on SMs of one GPC: their barrier, and messages between
 * their SMs (gpc.c).
 *
 * SMs run through a window of cycles one after another (sim/clusters.c), and no message
 * arrives in the window in which it was sent: gpc_window() is the most that a window may
 * have. So every SM finds the messages of a cycle when it comes to that cycle, and takes them
 * in the order of their senders.
 */
#ifndef LENO_CORE_GPC_H
#define LENO_CORE_GPC_H

#include "config/param.h"
#include "core/uop.h"

enum { MAX_CLUSTER_BLOCKS = 16, CLUSTER_GPCS = 8, CLUSTER_TPC_SMS = 2 };

#define CLUSTER_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(gpc0_sms, 0, 0, 1024, "SM", "SMs of GPC 0, the first ones")                    \
    NUM(gpc1_sms, 0, 0, 1024, "SM", "SMs of GPC 1, those after them")                  \
    NUM(gpc2_sms, 0, 0, 1024, "SM", "SMs of GPC 2, and so on")                         \
    NUM(gpc3_sms, 0, 0, 1024, "SM", "SMs of GPC 3")                                    \
    NUM(gpc4_sms, 0, 0, 1024, "SM", "SMs of GPC 4")                                    \
    NUM(gpc5_sms, 0, 0, 1024, "SM", "SMs of GPC 5")                                    \
    NUM(gpc6_sms, 0, 0, 1024, "SM", "SMs of GPC 6")                                    \
    NUM(gpc7_sms, 0, 0, 1024, "SM", "SMs of GPC 7; those after it are in pairs")       \
    NUM(blocks, 8, 1, 32, "block", "blocks of clusters that an SM holds at most")      \
    NUM(start, 128, 1, 100000, "cycle",                                                \
        "from the end of a block to the start of a cluster that takes its place")      \
    NUM(barrier, 250, 1, 10000, "cycle",                                               \
        "from the arrival of the last warp of a block at the barrier of its cluster, " \
        "until other blocks know")                                                     \
    NUM(arrive, 200, 1, 10000, "cycle",                                                \
        "from the issue of an arrival at a barrier in another SM to its effect there") \
    NUM(cast, 64, 1, 10000, "cycle",                                                   \
        "from the last byte of a copy into shared memory of other blocks, until "      \
        "their barriers know")
struct cluster_params {
    CLUSTER_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group cluster_param_group;

/* Longest window, in cycles, while a kernel with clusters runs. */
uint64_t gpc_window(const struct cluster_params *p);

struct sm;

/* The blocks of a cluster, by rank. */
struct cluster_members {
    uint32_t n;
    uint16_t sm[MAX_CLUSTER_BLOCKS];
    uint64_t block[MAX_CLUSTER_BLOCKS]; /* number in the grid */
};

/* A block's view of its cluster. */
struct cluster_block {
    struct cluster_members members;
    uint32_t rank;
    uint32_t came, exited; /* its warps at the barrier, and gone, as bits */
    uint32_t n_open;       /* phases of the barrier that are over */
    uint32_t heard[MAX_CLUSTER_BLOCKS]; /* arrivals of each block that it knows of */
    uint32_t left;                      /* blocks that have ended, as bits */
};

enum cluster_message_kind {
    CLUSTER_ARRIVED, /* block `rank` has arrived at the barrier */
    CLUSTER_LEFT,    /* it has ended */
    CLUSTER_TOLD,    /* a copy's bytes, or arrivals, for a barrier in shared memory */
    CLUSTER_SENT,    /* to the sender itself: everybody has been told */
};

struct cluster_message {
    uint64_t at;    /* cycle */
    uint64_t block; /* that it is for */
    uint32_t order; /* of its sender's messages */
    uint16_t from;  /* SM */
    uint8_t kind;   /* enum cluster_message_kind */
    uint8_t rank;   /* of the sender; CLUSTER_TOLD: of the receiver */
    struct stream *stream;
    struct copy *copy;
};

/* Cluster state of an SM: its blocks and the messages in flight to it. Written by gpc.c. */
struct sm_gpc {
    struct sm *const *peers;     /* all SMs of the GPU */
    struct cluster_block *block; /* by slot */
    /* Messages that have not arrived, the next one last. It grows; has_failed: it could not,
     * and the SM says so in its next cycle. */
    struct cluster_message *inbox;
    uint32_t n, room;
    uint32_t n_sent; /* messages, to any SM */
    bool has_failed;
};

/* For who places clusters: all SMs of the GPU; a block that has started belongs to a
 * cluster. */
void sm_set_peers(struct sm *s, struct sm *const *peers);
void sm_join_cluster(struct sm *s, uint64_t block, const struct cluster_members *m);

int gpc_init(struct sm *s, struct err *err);
void gpc_free(struct sm *s);
void gpc_forget(struct sm *s);
void gpc_start_block(struct sm *s, unsigned slot);

/* UCGABAR_ARV or UCGABAR_WAIT issues; bar_kind speaks for the whole warp. */
void gpc_arrive(struct sm *s, const struct uop *u);
/* A warp has exited. */
void gpc_exit(struct sm *s, unsigned warp);
/* Tells the barriers that a copy reports to, in so many cycles; the block of the warp stays
 * until all know. */
void gpc_send_copy(struct sm *s, unsigned slot, struct copy *c, uint64_t delay);
/* Takes the messages of this cycle. */
int gpc_tick(struct sm *s, struct err *err);
/* The cycle of the next message; NEVER: none. */
uint64_t gpc_next(const struct sm *s);
/* The kernel ends early: nobody waits for warps that never come. */
void gpc_cut(struct sm *s);

#endif
