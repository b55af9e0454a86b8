//===-- test/cxx/inputs/grid_on_host.cpp - Regions of the GPU, by threads of the host ---===//
// What pstl/parallel_backend_grid.h calls of the runtime, so that the thread
// sanitizer can watch the algorithms. THREADS: how many a region has.
//===----------------------------------------------------------------------===//
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {
struct Team {
  int size;
  void **arguments;
  std::mutex mutex;
  std::condition_variable changed;
  int arrived = 0, phase = 0;
};
thread_local Team *team;
thread_local int number;
int threads() {
  const char *text = getenv("THREADS");
  return text ? atoi(text) : 4;
}
} // namespace

extern "C" {
int omp_get_thread_num() noexcept { return team ? number : 0; }
int omp_get_num_threads() noexcept { return team ? team->size : 1; }
int omp_get_max_threads() noexcept { return threads(); }

void __kmpc_get_shared_variables(void ***arguments) {
  *arguments = team->arguments;
}

void __kmpc_barrier(const void *, int) {
  std::unique_lock<std::mutex> lock(team->mutex);
  const int phase = team->phase;
  if (++team->arrived == team->size) {
    team->arrived = 0;
    ++team->phase;
    team->changed.notify_all();
  } else {
    team->changed.wait(lock, [&] { return team->phase != phase; });
  }
}

void __kmpc_parallel_60(const void *, int, int, int wanted, int, void *,
                        void (*run)(unsigned short, unsigned), void **arguments,
                        long, int) {
  Team *const outer = team;
  const int outer_number = number;
  Team inner;
  inner.size = outer ? 1 : wanted;
  inner.arguments = arguments;
  std::vector<std::thread> others;
  for (int i = 1; i < inner.size; ++i)
    others.emplace_back([&, i] {
      team = &inner;
      number = i;
      run(0, i);
    });
  team = &inner;
  number = 0;
  run(0, 0);
  for (std::thread &thread : others)
    thread.join();
  team = outer;
  number = outer_number;
}
}
