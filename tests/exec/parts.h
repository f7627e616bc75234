/* parts.h - what the two files of the program parts share. */
extern __device__ int shared_counter;
extern __constant__ int offsets[4];
__device__ int from_other_file(int x);
void launch_other(int *data, int n);
