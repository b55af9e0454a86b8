// A kernel that does not end.
#include <cstdio>
__global__ void hang(volatile int *word) {
  while (!*word)
    ;
}
int main() {
  int *word;
  cudaMalloc(&word, sizeof(*word));
  cudaMemset(word, 0, sizeof(*word));
  hang<<<1, 1>>>(word);
  std::puts("started");
  std::fflush(stdout);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
