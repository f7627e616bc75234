/* mandelbrot.cu - how many steps each pixel's orbit stays bounded.
 *
 * One thread a pixel in blocks of 16x16: neighbouring lanes leave the loop at
 * different times. The view lies in constant memory.
 */
struct view {
    float x0, y0, dx, dy;
    int width, height, limit, pad;
};

__constant__ struct view view;

extern "C" __global__ void mandelbrot(int *steps)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;

    if (px >= view.width || py >= view.height)
        return;

    float cx = fmaf((float)px, view.dx, view.x0), cy = fmaf((float)py, view.dy, view.y0);
    float x = 0.0f, y = 0.0f;
    int n = 0;

    while (n < view.limit && fmaf(x, x, y * y) <= 4.0f) {
        float next = fmaf(-y, y, fmaf(x, x, cx));

        y = fmaf(x + x, y, cy);
        x = next;
        n++;
    }
    steps[py * view.width + px] = n;
}
