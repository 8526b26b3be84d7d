// A program that behaves in one of the ways that a profiler has to cope with.
//
// Build: nvcc -O2 -lineinfo -arch=native behave.cu -o behave
// Run:   ./behave repeat N   two kernels, each N times at each of two shapes
//        ./behave fail       one kernel, then exit code 3
//        ./behave crash      one kernel, then a null pointer on the host
//        ./behave none       CUDA is used, but no kernel launched
//        ./behave children   two child processes launch the kernels
//        ./behave forever    kernels without end
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime.h>

// Kernels with C linkage, as those of Triton and of many code generators are.
extern "C" __global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 0.5f;
}
__global__ void shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + 1.0f;
}

static float *x;
static const int N = 1 << 20;

static void repeat(int times) {
  cudaMalloc(&x, N * sizeof(float));
  for (int t = 0; t < times; ++t) {
    scale<<<N / 256, 256>>>(x, N);
    shift<<<N / 256, 256>>>(x, N);
    scale<<<N / 128, 128>>>(x, N);
    shift<<<N / 128, 128>>>(x, N);
  }
  cudaDeviceSynchronize();
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "repeat";
  if (!strcmp(how, "repeat")) repeat(argc > 2 ? atoi(argv[2]) : 10);
  if (!strcmp(how, "fail")) {
    repeat(1);
    return 3;
  }
  if (!strcmp(how, "crash")) {
    repeat(1);
    *(volatile int *)nullptr = 1;
  }
  if (!strcmp(how, "none")) cudaFree(nullptr);
  if (!strcmp(how, "children")) {
    for (int c = 0; c < 2; ++c)
      if (fork() == 0) execl("/proc/self/exe", argv[0], "repeat", "2", nullptr);
    while (wait(nullptr) > 0) {
    }
  }
  if (!strcmp(how, "forever"))
    for (;;) repeat(1);
  puts("done");
  return 0;
}
