/* products.c - checks that registers are left alone in which products of a warpgroup are
 * accumulated, from the issue of a product until the warp has waited for its group.
 *
 * The other checks take a product's results as written some time after it issues, as those of
 * any other instruction. Other products may go on in the same registers: they are executed in
 * order.
 *
 * LIMIT: factors in registers are not checked.
 */
#include "core/stages.h"

static struct product_group *group_of(const struct sm *s, unsigned warp,
                                      uint32_t number)
{
    return &s->async->group[warp * ASYNC_GROUPS + number % ASYNC_GROUPS];
}

/* The oldest group of a warp that can be open: older ones have lost their place. */
static uint32_t first_open(const struct async_warp *a)
{
    uint32_t oldest =
        a->n_products + 1 > ASYNC_GROUPS ? a->n_products + 1 - ASYNC_GROUPS : 0;

    return oldest > a->n_waited ? oldest : a->n_waited;
}

void check_product(struct sm *s, const struct uop *u)
{
    const struct async_warp *a = &s->async->warp[u->warp];
    struct product_group *g = group_of(s, u->warp, a->n_products);

    if (!s->warp[u->warp].has_products)
        for (uint32_t k = 0; k < ASYNC_GROUPS; k++)
            *group_of(s, u->warp, k) = (struct product_group){ 0 };
    s->warp[u->warp].has_products = true;
    if (g->number != a->n_products)
        *g = (struct product_group){ .number = a->n_products };
    regset_join(&g->writes, &u->dyn.inst->writes);
    g->last = u->dyn.seq + 1;
}

void check_waited(struct sm *s, unsigned warp, uint32_t up_to)
{
    struct async_warp *a = &s->async->warp[warp];

    a->n_waited = up_to > a->n_waited ? up_to : a->n_waited;
}

static int report_product(const struct sm *s, const struct uop *u,
                          const struct product_group *g, struct err *err)
{
    const struct inst *i = u->dyn.inst;
    bool reads = regset_meets(&i->reads, &g->writes);
    struct violation v = { reads ? "RAW" : "WAW", u, g->last - 1,
                           " has been waited for", true };
    const struct regset *touched = reads ? &i->reads : &i->writes;
    unsigned r = 0;
    char name[REGID_NAME];

    while (!regset_has(touched, r) || !regset_has(&g->writes, r))
        r++;
    regid_name(r, name);
    return violation_report(s, &v, err, "%s %s before the group of",
                            reads ? "reads" : "writes", name);
}

int check_products(const struct sm *s, const struct uop *u, struct err *err)
{
    const struct async_warp *a = &s->async->warp[u->warp];

    if (u->dyn.inst->product)
        return 0;
    for (uint32_t k = first_open(a); k <= a->n_products; k++) {
        const struct product_group *g = group_of(s, u->warp, k);

        if (g->number == k && g->last && g->last <= u->dyn.seq &&
            regset_meets(&u->dyn.inst->touches, &g->writes))
            return report_product(s, u, g, err);
    }
    return 0;
}
