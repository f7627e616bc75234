/* conv_shape.h - the shape of a convolution, for kernels and hosts. */
#ifndef CONV_SHAPE_H
#define CONV_SHAPE_H

struct conv {
    int n, h, w, c;  /* images, their height, width and channels */
    int k, r, s;     /* filters, their height and width */
    int pad, stride; /* in both directions */
    int p, q;        /* height and width of the result */
};

#endif
