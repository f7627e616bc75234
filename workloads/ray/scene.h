/* scene.h - what the kernel and its check share: vectors, bodies, the view. */
#ifndef RAY_SCENE_H
#define RAY_SCENE_H

#include <math.h>

#ifdef __CUDACC__
#define BOTH static __host__ __device__ inline
#else
#define BOTH static inline
#endif

enum { BODIES = 4, BOUNCES = 5 };

struct vec {
    float x, y, z;
};

struct body {
    struct vec centre;
    float radius;
    struct vec colour;
    int is_plane; /* horizontal, through the centre */
};

struct view {
    struct vec eye, ahead, right, up; /* ahead to the middle of the picture */
    float pixel;                      /* distance of neighbouring pixels */
};

struct scene {
    struct view view;
    struct vec light;
    struct body bodies[BODIES];
};

BOTH float vec_dot(struct vec a, struct vec b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

BOTH struct vec vec_minus(struct vec a, struct vec b)
{
    struct vec v = { a.x - b.x, a.y - b.y, a.z - b.z };

    return v;
}

/* a + t u */
BOTH struct vec vec_along(struct vec a, struct vec u, float t)
{
    struct vec v = { fmaf(u.x, t, a.x), fmaf(u.y, t, a.y), fmaf(u.z, t, a.z) };

    return v;
}

BOTH struct vec vec_scale(struct vec a, float by)
{
    struct vec v = { a.x * by, a.y * by, a.z * by };

    return v;
}

BOTH struct vec vec_unit(struct vec a)
{
    return vec_scale(a, 1.0f / sqrtf(vec_dot(a, a)));
}

#endif
