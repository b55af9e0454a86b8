// See ../pools.test.
#include <cstdio>
#include <cuda_runtime.h>
#include <new>

static void ok(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}
#define OK(CALL) ok(CALL, #CALL)

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual void deleted() = delete;
};
struct Square : Shape {
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
  __device__ void deleted() = delete;
  int side;
};
__device__ char place[sizeof(Square)];
__global__ void measure(int *result, int side) {
  Shape *shape = new (place) Square(side);
  *result = shape->area();
}

static unsigned long long used(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long bytes = 0;
  OK(cudaMemPoolGetAttribute(pool, attribute, &bytes));
  return bytes;
}

static void use_pools() {
  cudaMemPool_t pool, standard, current;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  OK(cudaMemPoolCreate(&pool, &properties));
  OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  int *a, *b;
  OK(cudaMallocFromPoolAsync(&a, 1000, pool, 0));
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaDeviceGetMemPool(&current, 0));
  OK(cudaMallocAsync(&b, 500, 0));
  printf("used %llu of it, %llu of the default one\n",
         used(pool, cudaMemPoolAttrUsedMemCurrent),
         used(standard, cudaMemPoolAttrUsedMemCurrent));
  OK(cudaFreeAsync(a, 0));
  OK(cudaDeviceSynchronize());
  printf("used %llu, at most %llu, %s\n",
         used(pool, cudaMemPoolAttrUsedMemCurrent),
         used(pool, cudaMemPoolAttrUsedMemHigh),
         current == pool ? "current" : "not current");
  unsigned long long threshold = 1 << 20;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                             &threshold));
  OK(cudaFree(b));
  OK(cudaMemPoolDestroy(pool));
  OK(cudaDeviceGetMemPool(&current, 0));
  printf("afterwards %s, threshold %llu\n",
         current == standard ? "the default one" : "another",
         used(standard, cudaMemPoolAttrReleaseThreshold));
  printf("destroyed: %s\n", cudaGetErrorName(cudaMemPoolDestroy(pool)));
}

static void use_attributes() {
  cudaStream_t stream, other;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreateWithPriority(&other, cudaStreamDefault, -2));
  cudaStreamAttrValue value = {}, found = {};
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5f;
  OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow,
                            &value));
  OK(cudaStreamCopyAttributes(other, stream));
  OK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow,
                            &found));
  printf("window %zu %g\n", found.accessPolicyWindow.num_bytes,
         found.accessPolicyWindow.hitRatio);
  OK(cudaStreamGetAttribute(other, cudaStreamAttributePriority, &found));
  printf("priority %d\n", found.priority);
}

int main() {
  int *result, area = 0;
  OK(cudaMalloc(&result, sizeof(int)));
  measure<<<1, 1>>>(result, 7);
  OK(cudaMemcpy(&area, result, sizeof(int), cudaMemcpyDeviceToHost));
  printf("area %d\n", area);
  use_pools();
  use_attributes();
}
