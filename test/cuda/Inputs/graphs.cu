// Graphs; graphs.test says what is printed.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void add(int *to, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += value;
}
__global__ void multiply(int *to, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] *= value;
}
__global__ void sum(int *to, const int *a, const int *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = a[i] + b[i];
}
__device__ int variable[4];

static int *a, *b, *c;
static int *pinned;
constexpr int N = 1000, BLOCKS = 8, THREADS = 128;

static void check(const char *what, cudaError_t error) {
  if (error)
    printf("%s: %d %s\n", what, error, cudaGetErrorName(error));
}
#define CHECK(CALL) check(#CALL, CALL)

static int at(const int *from, int i) {
  int value = -1;
  CHECK(cudaMemcpy(&value, from + i, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

static void counted(void *data) { ++*static_cast<int *>(data); }

static cudaGraph_t captured(cudaStream_t s, cudaStream_t other, cudaEvent_t fork, cudaEvent_t join, int value) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMemsetAsync(a, 0, N * sizeof(int), s));
  CHECK(cudaEventRecord(fork, s));
  CHECK(cudaStreamWaitEvent(other, fork, 0));
  add<<<BLOCKS, THREADS, 0, s>>>(a, value, N);
  CHECK(cudaMemsetAsync(b, 0, N * sizeof(int), other));
  add<<<BLOCKS, THREADS, 0, other>>>(b, 10 * value, N);
  CHECK(cudaEventRecord(join, other));
  CHECK(cudaStreamWaitEvent(s, join, 0));
  sum<<<BLOCKS, THREADS, 0, s>>>(c, a, b, N);
  CHECK(cudaMemcpyAsync(pinned, c, N * sizeof(int), cudaMemcpyDeviceToHost, s));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(other, &status));
  printf("other captured: %d\n", status);
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamIsCapturing(other, &status));
  printf("after: %d\n", status);
  return graph;
}

static void show(const char *name, cudaGraph_t graph) {
  size_t nodes = 0, roots = 0, edges = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  printf("%s: %zu nodes, %zu roots, %zu edges, types", name, nodes, roots, edges);
  std::vector<cudaGraphNode_t> all(nodes);
  CHECK(cudaGraphGetNodes(graph, all.data(), &nodes));
  int types[14] = {};
  for (cudaGraphNode_t node : all) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    ++types[type];
  }
  for (int type : types)
    printf(" %d", type);
  printf("\n");
}

static void capture() {
  cudaStream_t s, other;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  cudaGraph_t graph = captured(s, other, fork, join, 3), next;
  show("captured", graph);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  pinned[N - 1] = -7;
  printf("before: %d\n", pinned[N - 1]);
  for (int i = 0; i < 3; ++i)
    CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  printf("launched: %d %d\n", pinned[0], pinned[N - 1]);
  next = captured(s, other, fork, join, 5);
  cudaGraphExecUpdateResultInfo info;
  printf("updated: %d ", cudaGraphExecUpdate(exec, next, &info));
  printf("%d\n", info.result);
  CHECK(cudaGraphDestroy(graph)); // what can be launched stays
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  printf("launched: %d\n", pinned[N - 1]);
  cudaGraph_t small;
  CHECK(cudaGraphCreate(&small, 0));
  printf("other topology: %d ", cudaGraphExecUpdate(exec, small, &info));
  printf("%d\n", info.result);
  CHECK(cudaGraphDestroy(small));
  CHECK(cudaGraphDestroy(next));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  printf("launched while captured: %d ", cudaGraphLaunch(exec, s));
  printf("%d\n", cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphExecDestroy(exec));
  printf("destroyed: %d\n", cudaStreamQuery(s) ? -1 : 400);
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaStreamDestroy(other));
}

static cudaKernelNodeParams call(void *function, void **arguments) {
  cudaKernelNodeParams result = {};
  result.func = function;
  result.gridDim = dim3(BLOCKS);
  result.blockDim = dim3(THREADS);
  result.kernelParams = arguments;
  return result;
}

static void nodes() {
  cudaGraph_t graph;
  cudaGraphNode_t zero, adds, doubles, back, host, to_symbol, empty;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill = {};
  fill.dst = a;
  fill.value = 7;
  fill.elementSize = 4;
  fill.width = N;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &fill));
  int five = 5, two = 2, n = N, calls = 0;
  void *add_arguments[] = {&a, &five, &n}, *double_arguments[] = {&a, &two, &n};
  cudaKernelNodeParams kernel = call((void *)add, add_arguments);
  CHECK(cudaGraphAddKernelNode(&adds, graph, &zero, 1, &kernel));
  kernel = call((void *)multiply, double_arguments);
  CHECK(cudaGraphAddKernelNode(&doubles, graph, nullptr, 0, &kernel));
  CHECK(cudaGraphAddDependencies(graph, &adds, &doubles, 1));
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &doubles, 1, pinned, a, N * sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams on_host = {counted, &calls};
  CHECK(cudaGraphAddHostNode(&host, graph, &back, 1, &on_host));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, graph, &doubles, 1, variable, a, 4 * sizeof(int), 0, cudaMemcpyDeviceToDevice));
  cudaGraphNode_t ends[] = {host, to_symbol};
  CHECK(cudaGraphAddEmptyNode(&empty, graph, ends, 2));
  show("made", graph);
  five = 50; // arguments are copied when the node is made
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  int in_variable[4];
  CHECK(cudaMemcpyFromSymbol(in_variable, variable, sizeof in_variable));
  printf("nodes: %d %d, host %d\n", pinned[N - 1], in_variable[3], calls);
  // Parameters: those of the node and of its copy that is launched.
  cudaKernelNodeParams known;
  CHECK(cudaGraphKernelNodeGetParams(adds, &known));
  printf("known: %d %u %u %d\n", known.func == (void *)add, known.gridDim.x, known.blockDim.x, *(int *)known.kernelParams[1]);
  kernel = call((void *)add, add_arguments);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, adds, &kernel));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  printf("changed: %d\n", pinned[N - 1]);
  CHECK(cudaGraphNodeSetEnabled(exec, doubles, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  printf("without a node: %d\n", pinned[N - 1]);
  // A copy, its nodes, and the original as a child of another graph.
  cudaGraph_t copy, outer;
  cudaGraphNode_t found, child, after;
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphNodeFindInClone(&found, adds, copy));
  size_t count = 0, dependents = 0;
  CHECK(cudaGraphNodeGetDependencies(found, nullptr, &count));
  CHECK(cudaGraphNodeGetDependentNodes(found, nullptr, &dependents));
  printf("clone: %d %zu %zu\n", found != adds, count, dependents);
  CHECK(cudaGraphDestroyNode(empty));
  CHECK(cudaGraphCreate(&outer, 0));
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  kernel = call((void *)multiply, double_arguments);
  CHECK(cudaGraphAddKernelNode(&after, outer, &child, 1, &kernel));
  cudaGraphExec_t outer_exec;
  CHECK(cudaGraphInstantiate(&outer_exec, outer, 0));
  CHECK(cudaGraphLaunch(outer_exec, s));
  CHECK(cudaStreamSynchronize(s));
  printf("child: %d %d\n", pinned[N - 1], at(a, N - 1));
  // Nodes in a circle cannot be launched.
  CHECK(cudaGraphAddDependencies(copy, &found, &found, 0));
  cudaGraphNode_t first;
  CHECK(cudaGraphNodeFindInClone(&first, zero, copy));
  cudaGraphNode_t last;
  CHECK(cudaGraphNodeFindInClone(&last, doubles, copy));
  cudaGraphExec_t none = nullptr;
  const cudaError_t edge = cudaGraphAddDependencies(copy, &last, &first, 1);
  printf("circle: %d\n", edge ? edge : cudaGraphInstantiate(&none, copy, 0));
  CHECK(cudaGraphDestroy(copy));
  CHECK(cudaGraphDestroy(outer));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphExecDestroy(outer_exec));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaStreamDestroy(s));
}

static void events() {
  cudaStream_t s;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  cudaGraph_t graph;
  cudaGraphNode_t first, kernel, last;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddEventRecordNode(&first, graph, nullptr, 0, begin));
  int one = 1, n = N;
  void *arguments[] = {&a, &one, &n};
  cudaKernelNodeParams parameters = call((void *)add, arguments);
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &first, 1, &parameters));
  CHECK(cudaGraphAddEventRecordNode(&last, graph, &kernel, 1, end));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  printf("time: %d\n", milliseconds >= 0 && milliseconds < 10000);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(s));
}

static void memory() {
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int *p = nullptr;
  // Memory of a launch alone.
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&p, N * sizeof(int), s));
  CHECK(cudaMemsetAsync(p, 0, N * sizeof(int), s));
  add<<<BLOCKS, THREADS, 0, s>>>(p, 6, N);
  CHECK(cudaMemcpyAsync(pinned, p, N * sizeof(int), cudaMemcpyDeviceToHost, s));
  CHECK(cudaFreeAsync(p, s));
  CHECK(cudaStreamEndCapture(s, &graph));
  show("memory", graph);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  printf("memory: %d\n", pinned[N - 1]);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  // A stream that joined the capture may be destroyed before its end.
  cudaStream_t other;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, s));
  CHECK(cudaStreamWaitEvent(other, fork, 0));
  CHECK(cudaMemsetAsync(a, 0, 4, other));
  CHECK(cudaEventRecord(join, other));
  CHECK(cudaStreamWaitEvent(s, join, 0));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamEndCapture(s, &graph));
  show("joined and destroyed", graph);
  CHECK(cudaGraphDestroy(graph));
  // Memory that the program has when the graphs are gone.
  cudaMemAllocNodeParams wanted = {};
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location.type = cudaMemLocationTypeDevice;
  wanted.bytesize = N * sizeof(int);
  cudaGraphNode_t made, zeros, adds;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &wanted));
  int nothing = 0, nine = 9, n = N;
  void *zero_arguments[] = {&wanted.dptr, &nothing, &n}, *add_arguments[] = {&wanted.dptr, &nine, &n};
  cudaKernelNodeParams kernel = call((void *)multiply, zero_arguments);
  CHECK(cudaGraphAddKernelNode(&zeros, graph, &made, 1, &kernel));
  kernel = call((void *)add, add_arguments);
  CHECK(cudaGraphAddKernelNode(&adds, graph, &zeros, 1, &kernel));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaStreamSynchronize(s));
  printf("kept: %d ", at(static_cast<int *>(wanted.dptr), N - 1));
  printf("%d ", cudaFree(wanted.dptr));
  printf("%d\n", cudaFree(wanted.dptr));
  (void)cudaGetLastError();
  CHECK(cudaStreamDestroy(s));
}

/// What a call answers during a capture in a mode, and how the capture ends.
template <typename Call> static void during(const char *name, Call call) {
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  printf("%s:", name);
  for (cudaStreamCaptureMode mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(s, mode));
    add<<<1, 1, 0, s>>>(a, 0, 1);
    const int answer = call(s);
    (void)cudaGetLastError();
    printf(" %d, end %d;", answer, cudaStreamEndCapture(s, &graph));
    (void)cudaGetLastError();
    if (graph)
      CHECK(cudaGraphDestroy(graph));
  }
  printf("\n");
  CHECK(cudaStreamDestroy(s));
}

static void calls() {
  cudaStream_t other;
  cudaEvent_t event;
  CHECK(cudaStreamCreate(&other));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event, other));
  int value;
  during("malloc", [](cudaStream_t) { void *p = nullptr; return cudaMalloc(&p, 64); });
  during("free", [](cudaStream_t) { return cudaFree(nullptr); });
  during("malloc host", [](cudaStream_t) { void *p = nullptr; return cudaMallocHost(&p, 64); });
  during("copy", [&](cudaStream_t) { return cudaMemcpy(&value, a, 4, cudaMemcpyDeviceToHost); });
  during("all", [](cudaStream_t) { return cudaDeviceSynchronize(); });
  during("other stream", [&](cudaStream_t) { return cudaStreamSynchronize(other); });
  during("query", [](cudaStream_t s) { return cudaStreamQuery(s); });
  during("event", [&](cudaStream_t) { return cudaEventQuery(event); });
  during("nothing", [](cudaStream_t s) { return cudaMemsetAsync(a, 0, 0, s); });
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(other));
}

static void errors() {
  cudaStream_t s, other;
  cudaEvent_t event;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&other));
  CHECK(cudaEventCreate(&event));
  printf("legacy: %d\n", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  printf("none: %d\n", cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  printf("twice: %d\n", cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  printf("synchronize: %d\n", cudaStreamSynchronize(s));
  printf("invalid: %d ", cudaStreamEndCapture(s, &graph));
  printf("%d\n", graph == nullptr);
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  printf("implicit: %d\n", cudaMemsetAsync(a, 0, 4, nullptr));
  printf("invalid: %d\n", cudaStreamEndCapture(s, &graph));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CHECK(cudaMemsetAsync(a, 0, 4, s));
  CHECK(cudaEventRecord(event, s));
  printf("captured event: %d\n", cudaEventQuery(event));
  (void)cudaStreamEndCapture(s, &graph);
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CHECK(cudaMemsetAsync(a, 0, 4, s));
  CHECK(cudaEventRecord(event, s));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  CHECK(cudaMemsetAsync(b, 0, 4, other));
  printf("unmatched: %d\n", cudaStreamEndCapture(other, &graph));
  printf("then: %d\n", cudaStreamEndCapture(s, &graph));
  // A stream that is destroyed ends the capture that began in it: the default stream has nothing to wait for.
  cudaStream_t gone;
  CHECK(cudaStreamCreate(&gone));
  CHECK(cudaStreamBeginCapture(gone, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(a, 0, 4, gone));
  printf("destroyed origin: %d ", cudaStreamDestroy(gone));
  printf("%d\n", cudaMemset(a, 0, 4));
  (void)cudaGetLastError();
  for (int work = 0; work < 2; ++work) {
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    CHECK(cudaMemsetAsync(a, 0, 4, s));
    CHECK(cudaEventRecord(event, s));
    CHECK(cudaStreamWaitEvent(other, event, 0));
    if (work)
      CHECK(cudaMemsetAsync(b, 0, 4, other));
    printf("unjoined with work %d: %d\n", work, cudaStreamEndCapture(s, &graph));
  }
  CHECK(cudaEventRecord(event, other));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  printf("isolation: %d\n", cudaStreamWaitEvent(s, event, 0));
  (void)cudaStreamEndCapture(s, &graph);
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CHECK(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed));
  CHECK(cudaMemsetAsync(a, 0, 4, s));
  CHECK(cudaEventRecord(event, s));
  printf("merge: %d\n", cudaStreamWaitEvent(other, event, 0));
  (void)cudaStreamEndCapture(s, &graph);
  (void)cudaStreamEndCapture(other, &graph);
  (void)cudaGetLastError();
  CHECK(cudaDeviceSynchronize());
  printf("null: %d ", cudaGraphLaunch(nullptr, s));
  printf("%d ", cudaGraphDestroy(nullptr));
  printf("%d\n", cudaGraphInstantiate(nullptr, nullptr, 0));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaStreamDestroy(other));
}

int main() {
  CHECK(cudaMalloc(&a, N * sizeof(int)));
  CHECK(cudaMalloc(&b, N * sizeof(int)));
  CHECK(cudaMalloc(&c, N * sizeof(int)));
  CHECK(cudaMallocHost(&pinned, N * sizeof(int)));
  capture();
  nodes();
  events();
  memory();
  calls();
  errors();
  printf("end: %d\n", cudaDeviceSynchronize());
}
