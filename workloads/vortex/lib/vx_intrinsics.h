/* vx_intrinsics.h - Vortex's instructions and CSRs for kernels in C.
 *
 * The names are those of Vortex's own kernel library, so that kernels compile with
 * either. A compiler that does not know the machine must be told where lanes part:
 * VX_IF and VX_WHILE do it.
 */
#ifndef VX_INTRINSICS_H
#define VX_INTRINSICS_H

#include <stddef.h>
#include <stdint.h>

#define VX_CSR_THREAD_ID      0xcc0
#define VX_CSR_WARP_ID        0xcc1
#define VX_CSR_CORE_ID        0xcc2
#define VX_CSR_ACTIVE_WARPS   0xcc3
#define VX_CSR_ACTIVE_THREADS 0xcc4
#define VX_CSR_NUM_THREADS    0xfc0
#define VX_CSR_NUM_WARPS      0xfc1
#define VX_CSR_NUM_CORES      0xfc2
#define VX_CSR_LOCAL_MEM_BASE 0xfc3
#define VX_CSR_MHARTID        0xf14
#define VX_CSR_MSCRATCH       0x340
#define VX_CSR_MCYCLE         0xb00
#define VX_CSR_MINSTRET       0xb02

#define csr_read(csr)                                              \
    ({                                                             \
        uint32_t value_;                                           \
        __asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(csr)); \
        value_;                                                    \
    })
#define csr_write(csr, value) \
    __asm__ volatile("csrw %0, %1" ::"i"(csr), "r"((uint32_t)(value)) : "memory")

static inline void vx_tmc(uint32_t mask)
{
    __asm__ volatile(".insn r 0x0b, 0, 0, x0, %0, x0" ::"r"(mask) : "memory");
}

static inline void vx_wspawn(uint32_t n, void (*at)(void))
{
    __asm__ volatile(".insn r 0x0b, 1, 0, x0, %0, %1" ::"r"(n), "r"(at) : "memory");
}

/* Until all other warps have ended. */
static inline void vx_wspawn_wait(void)
{
    vx_wspawn(1, NULL);
}

static inline uint32_t vx_split(uint32_t predicate)
{
    uint32_t pointer;

    __asm__ volatile(".insn r 0x0b, 2, 0, %0, %1, x0"
                     : "=r"(pointer)
                     : "r"(predicate)
                     : "memory");
    return pointer;
}

static inline void vx_join(uint32_t pointer)
{
    __asm__ volatile(".insn r 0x0b, 3, 0, x0, %0, x0" ::"r"(pointer) : "memory");
}

static inline void vx_pred(uint32_t predicate, uint32_t mask)
{
    __asm__ volatile(".insn r 0x0b, 5, 0, x0, %0, %1" ::"r"(predicate), "r"(mask)
                     : "memory");
}

/* Waits for n warps of the core; for n cores with VX_GLOBAL in the number. */
#define VX_GLOBAL 0x80000000u
static inline void vx_barrier(uint32_t barrier, uint32_t n)
{
    __asm__ volatile(".insn r 0x0b, 4, 0, x0, %0, %1" ::"r"(barrier), "r"(n)
                     : "memory");
}

static inline void vx_fence(void)
{
    __asm__ volatile("fence iorw, iorw" ::: "memory");
}

static inline uint32_t vx_thread_id(void)
{
    return csr_read(VX_CSR_THREAD_ID);
}

static inline uint32_t vx_warp_id(void)
{
    return csr_read(VX_CSR_WARP_ID);
}

static inline uint32_t vx_core_id(void)
{
    return csr_read(VX_CSR_CORE_ID);
}

static inline uint32_t vx_hart_id(void)
{
    return csr_read(VX_CSR_MHARTID);
}

static inline uint32_t vx_thread_mask(void)
{
    return csr_read(VX_CSR_ACTIVE_THREADS);
}

static inline uint32_t vx_num_threads(void)
{
    return csr_read(VX_CSR_NUM_THREADS);
}

static inline uint32_t vx_num_warps(void)
{
    return csr_read(VX_CSR_NUM_WARPS);
}

static inline uint32_t vx_num_cores(void)
{
    return csr_read(VX_CSR_NUM_CORES);
}

/* VX_IF(condition) ... VX_ELSE ... VX_END; VX_ELSE may be left out. The compiler must not
 * know what the predicate is, or it would move code across the split. */
#define VX_IF(condition)                      \
    {                                         \
        uint32_t vx_p_ = (condition), vx_sp_; \
        __asm__ volatile("" : "+r"(vx_p_));   \
        vx_sp_ = vx_split(vx_p_);             \
        if (vx_p_) {
#define VX_ELSE \
    }           \
    else        \
    {
#define VX_END       \
    }                \
    vx_join(vx_sp_); \
    }

/* VX_WHILE(condition) ... VX_END_WHILE: each lane as often as it wants to. */
#define VX_WHILE(condition)                     \
    {                                           \
        uint32_t vx_m_ = vx_thread_mask();      \
        for (;;) {                              \
            uint32_t vx_p_ = (condition);       \
            __asm__ volatile("" : "+r"(vx_p_)); \
            vx_pred(vx_p_, vx_m_);              \
            if (!vx_p_)                         \
                break;
#define VX_END_WHILE \
    }                \
    }

#endif
