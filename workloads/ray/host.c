/* host.c - ray: a picture of balls over a plane, by tracing rays.
 *
 * The check follows every ray on the CPU with the same operations in the same order: bytes
 * of the picture are exact. The seed moves the balls.
 */
#include "../workload.h"
#include "scene.h"

enum { WIDE = 16, HIGH = 8 };

static const float far_away = 10000.0f, close_by = 0.0001f;

struct ray {
    struct vec from, along;
};

static struct scene scene_make(struct workload_env *env, int side)
{
    struct rng rng = rng_start(env, 124);
    struct scene s = {
        .view = { .eye = { 0.0f, 5.0f, -5.0f },
                  .ahead = { 0.0f, -1.2f, 1.6f },
                  .right = { 1.0f, 0.0f, 0.0f },
                  .up = { 0.0f, 0.8f, 0.6f },
                  .pixel = 2.0f / (float)side },
        .light = { 10.0f, 10.0f, -10.0f },
        .bodies = { { { 0.0f, -1.0f, 0.0f }, 0.0f, { 0.3f, 0.3f, 0.4f }, 1 },
                    { { -1.5f, 0.2f, 0.0f }, 1.0f, { 1.0f, 0.2f, 0.2f }, 0 },
                    { { 1.2f, 0.0f, 0.5f }, 0.9f, { 0.2f, 1.0f, 0.2f }, 0 },
                    { { 0.2f, 1.8f, 1.5f }, 1.1f, { 0.3f, 0.3f, 1.0f }, 0 } },
    };

    for (int i = 1; i < BODIES; i++)
        s.bodies[i].centre.x += 0.25f * rng_unit(&rng);
    return s;
}

static float meet_body(const struct body *b, const struct ray *ray)
{
    struct vec to = vec_minus(b->centre, ray->from);
    float ahead = vec_dot(to, ray->along), distance2 = vec_dot(to, to);
    float radius2 = b->radius * b->radius, t;

    if (b->is_plane) {
        t = fabsf(ray->along.y) < 0.0001f ? 0.0f : to.y / ray->along.y;
        return t > 0.0f ? t : 0.0f;
    }
    t = radius2 - fmaf(-ahead, ahead, distance2);
    if ((ahead < 0.0f && distance2 > radius2) || t < 0.0f)
        return 0.0f;
    return distance2 > radius2 ? ahead - sqrtf(t) : ahead + sqrtf(t);
}

static const struct body *nearest_of(const struct scene *s, const struct ray *ray,
                                     float *t)
{
    const struct body *nearest = NULL;

    *t = far_away;
    for (int i = 0; i < BODIES; i++) {
        float at = meet_body(&s->bodies[i], ray);

        if (at > 0.0f && at < *t) {
            *t = at;
            nearest = &s->bodies[i];
        }
    }
    return nearest;
}

static bool is_lit(const struct scene *s, struct vec point, struct vec along,
                   float distance)
{
    struct ray ray = { vec_along(point, along, close_by), along };

    for (int i = 0; i < BODIES; i++) {
        float t = meet_body(&s->bodies[i], &ray);

        if (t > 0.0f && t <= distance)
            return false;
    }
    return true;
}

static float clamp(float x)
{
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static struct vec shade(const struct scene *s, const struct body *body,
                        struct vec point, struct vec normal, struct vec to_viewer)
{
    struct vec reach = vec_minus(s->light, point), to_light = vec_unit(reach);
    struct vec sum = vec_scale(body->colour, 0.05f);
    float facing = vec_dot(normal, to_light), x, x2, x16;

    if (facing <= 0.0f || !is_lit(s, point, to_light, sqrtf(vec_dot(reach, reach))))
        return sum;
    sum = vec_along(sum, body->colour, 0.3f * (facing < 1.0f ? facing : 1.0f));
    x = clamp(vec_dot(normal, vec_unit(vec_along(to_light, to_viewer, 1.0f))));
    x2 = x * x;
    x16 = x2 * x2;
    x16 *= x16;
    x16 *= x16;
    x = 0.8f * (x16 * x16 * x16 * x2);
    return (struct vec){ sum.x + x, sum.y + x, sum.z + x };
}

static struct vec reflect(const struct scene *s, struct ray *ray,
                          const struct body *body, float t)
{
    struct vec point = vec_along(ray->from, ray->along, t),
               normal = { 0.0f, 1.0f, 0.0f };
    struct vec to_viewer = vec_scale(ray->along, -1.0f), front, colour;
    float facing;

    if (!body->is_plane)
        normal = vec_unit(vec_minus(point, body->centre));
    facing = vec_dot(normal, to_viewer);
    front = facing < 0.0f ? vec_scale(normal, -1.0f) : normal;
    colour = shade(s, body, point, front, to_viewer);
    ray->along = vec_unit(vec_along(ray->along, normal, 2.0f * facing));
    ray->from = vec_along(point, ray->along, close_by);
    return colour;
}

/* From the last mirror to the first. */
static struct vec trace(const struct scene *s, struct ray ray, int bounces)
{
    float t;
    const struct body *body = bounces ? nearest_of(s, &ray, &t) : NULL;

    if (!body)
        return (struct vec){ 0.0f, 0.0f, 0.0f };

    struct vec own = reflect(s, &ray, body, t);

    return vec_along(own, trace(s, ray, bounces - 1), 0.8f);
}

static uint32_t pixel(const struct scene *s, int side, int x, int y)
{
    const struct view *v = &s->view;
    float dx = ((float)x - 0.5f * (float)side) * v->pixel;
    float dy = ((float)y - 0.5f * (float)side) * v->pixel;
    struct vec along = vec_along(vec_along(v->ahead, v->right, dx), v->up, dy);
    struct vec c = trace(s, (struct ray){ v->eye, vec_unit(along) }, BOUNCES);

    return 255u << 24 | (uint32_t)(clamp(c.z) * 255.0f) << 16 |
           (uint32_t)(clamp(c.y) * 255.0f) << 8 | (uint32_t)(clamp(c.x) * 255.0f);
}

static int ray_run(struct workload_env *env)
{
    static const int sides[N_WORKLOAD_SIZE] = { 24, 320, 320 };
    int side = sides[env->size];
    size_t n = (size_t)(side * side);
    struct launch l = { "render",
                        { div_up((unsigned)side, WIDE), div_up((unsigned)side, HIGH) },
                        { WIDE, HIGH },
                        0 };
    struct rig r = rig_begin(env);
    struct scene s = scene_make(env, side);
    uint32_t *want = rig_host(&r, n, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            want[y * side + x] = pixel(&s, side, x, y);

    CUdeviceptr picture = rig_alloc(&r, n * sizeof *want);
    rig_write(&r, rig_global(&r, "scene", sizeof s), &s, sizeof s);
    rig_launch(&r, &l, RIG_ARGS(RIG_ARG(picture), RIG_ARG(side), RIG_ARG(side)));
    rig_result(&r, "picture", picture, want, n);
    return rig_end(&r);
}

const struct workload workload_ray = {
    .name = "ray",
    .summary = "ray tracing of mirroring balls over a plane",
    .suite = "ISPASS",
    .theirs = "RAY",
    .papers = "ghost",
    .sizes = { "24x24", "320x320", "320x320" },
    .run = ray_run,
};
