/* vendor.cu - libraries of the vendor's are refused by name: cuRAND's host interface. */
#include <curand.h>

#include "check.h"

int main()
{
    curandGenerator_t g;

    CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS);
    printf("vendor: good\n");
    return 0;
}
