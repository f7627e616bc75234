/* ray.cu - a picture of balls over a plane, by tracing rays.
 *
 * One thread per pixel in blocks of 16x8. A ray is followed through up to five mirrors in a
 * loop; what each contributes waits on a small stack until the end. Lanes branch on what
 * they hit, on shadows, and leave after different numbers of mirrors. The scene lies in
 * constant memory.
 */
#include "ray/scene.h"

struct ray {
    struct vec from, along;
};

static const float far_away = 10000.0f, close_by = 0.0001f;

__constant__ struct scene scene;

/* Distance along the ray, 0 if it misses. */
static __device__ float meet_ball(struct ray ray, struct vec centre, float radius)
{
    struct vec to = vec_minus(centre, ray.from);
    float ahead = vec_dot(to, ray.along), distance2 = vec_dot(to, to);
    float radius2 = radius * radius, miss2, half;

    if (ahead < 0.0f && distance2 > radius2)
        return 0.0f;
    miss2 = fmaf(-ahead, ahead, distance2);
    if (miss2 > radius2)
        return 0.0f;
    half = sqrtf(radius2 - miss2);
    return distance2 > radius2 ? ahead - half : ahead + half;
}

static __device__ float meet_plane(struct ray ray, float height)
{
    float t;

    if (fabsf(ray.along.y) < 0.0001f)
        return 0.0f;
    t = (height - ray.from.y) / ray.along.y;
    return t > 0.0f ? t : 0.0f;
}

static __device__ float meet_body(struct ray ray, int body)
{
    const struct body *b = &scene.bodies[body];

    return b->is_plane ? meet_plane(ray, b->centre.y)
                       : meet_ball(ray, b->centre, b->radius);
}

/* The nearest body that a ray meets; far_away if there is none. */
static __device__ float meet_nearest(struct ray ray, int *body)
{
    float nearest = far_away;

    for (int i = 0; i < BODIES; i++) {
        float t = meet_body(ray, i);

        if (t > 0.0f && t < nearest) {
            nearest = t;
            *body = i;
        }
    }
    return nearest;
}

/* Whether nothing lies between a point and the light in the given direction. */
static __device__ bool is_lit(struct vec point, struct vec along, float distance)
{
    struct ray ray = { vec_along(point, along, close_by), along };
    bool lit = true;

    for (int i = 0; i < BODIES && lit; i++) {
        float t = meet_body(ray, i);

        lit = t <= 0.0f || t > distance;
    }
    return lit;
}

/* The fiftieth power. */
static __device__ float sharpen(float x)
{
    float x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, x16 = x8 * x8;

    return x16 * x16 * x16 * x2;
}

/* Light that a point of a body sends towards the viewer, mirrors apart. */
static __device__ struct vec shade(const struct body *body, struct vec point,
                                   struct vec normal, struct vec to_viewer)
{
    struct vec reach = vec_minus(scene.light, point), to_light = vec_unit(reach);
    struct vec sum = vec_scale(body->colour, 0.05f);
    float facing = vec_dot(normal, to_light), bright;

    if (facing <= 0.0f || !is_lit(point, to_light, sqrtf(vec_dot(reach, reach))))
        return sum;
    sum = vec_along(sum, body->colour, 0.3f * fminf(facing, 1.0f));
    bright = vec_dot(normal, vec_unit(vec_along(to_light, to_viewer, 1.0f)));
    bright = 0.8f * sharpen(fminf(fmaxf(bright, 0.0f), 1.0f));
    sum.x += bright;
    sum.y += bright;
    sum.z += bright;
    return sum;
}

/* Shades where the ray hits a body, and turns it into its reflection. */
static __device__ struct vec reflect(struct ray *ray, const struct body *body, float t)
{
    struct vec up = { 0.0f, 1.0f, 0.0f };
    struct vec point = vec_along(ray->from, ray->along, t);
    struct vec normal = body->is_plane ? up : vec_unit(vec_minus(point, body->centre));
    struct vec to_viewer = vec_scale(ray->along, -1.0f), colour;
    float facing = vec_dot(normal, to_viewer);

    colour = shade(body, point, facing < 0.0f ? vec_scale(normal, -1.0f) : normal,
                   to_viewer);
    ray->along = vec_unit(vec_along(ray->along, normal, 2.0f * facing));
    ray->from = vec_along(point, ray->along, close_by);
    return colour;
}

static __device__ struct vec trace(struct ray ray)
{
    struct vec stack[BOUNCES], none = { 0.0f, 0.0f, 0.0f };
    int n = 0;

    while (n < BOUNCES) {
        int body = 0;
        float t = meet_nearest(ray, &body);

        if (t >= far_away)
            break;
        stack[n++] = reflect(&ray, &scene.bodies[body], t);
    }
    for (int i = n - 1; i > 0; i--)
        stack[i - 1] = vec_along(stack[i - 1], stack[i], 0.8f);
    return n ? stack[0] : none;
}

static __device__ unsigned colour_byte(float x)
{
    return (unsigned)(fminf(fmaxf(x, 0.0f), 1.0f) * 255.0f);
}

extern "C" __global__ void __launch_bounds__(128, 8)
    render(unsigned *picture, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    const struct view *v = &scene.view;
    struct vec colour, along;
    struct ray ray;

    if (x >= width || y >= height)
        return;
    along = vec_along(v->ahead, v->right, ((float)x - 0.5f * (float)width) * v->pixel);
    along = vec_along(along, v->up, ((float)y - 0.5f * (float)height) * v->pixel);
    ray.from = v->eye;
    ray.along = vec_unit(along);
    colour = trace(ray);
    picture[y * width + x] = 255u << 24 | colour_byte(colour.z) << 16 |
                             colour_byte(colour.y) << 8 | colour_byte(colour.x);
}
