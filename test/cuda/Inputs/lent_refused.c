/* A function that is not forwarded, and one that is. */
#include <cuda.h>
#include <stdio.h>
int main(void) {
  CUgraph graph;
  size_t a, b;
  CUcontext context;
  CUresult error = cuInit(0);
  printf("cuInit: %d\n", error);
  if (error)
    return 0;
  cuCtxCreate(&context, 0, 0);
  printf("memory: %d\n", cuMemGetInfo(&a, &b));
  printf("graph: %d\n", cuGraphCreate(&graph, 0));
  return 0;
}
