//===-- emulator/amdgpu/jit/hotness_profiler.cpp - Finds hot code ---------===//
#include "emulator/amdgpu/jit/hotness_profiler.h"

#include "emulator/amdgpu/jit/inline_cache.h"
#include "emulator/machine/environment.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace gpuexec::emulator::amdgpu::jit {

/// A slice is tens of microseconds, a compilation some ten milliseconds.
static constexpr unsigned HOT = 3;
/// What a wave of many lanes does with one of them is short, most often: such a
/// wave must have been found alone as many times in a row.
static constexpr unsigned PATIENCE = 16;
/// For tests (GPUEXEC_EMULATOR_JIT=eager): every sample is compiled, and the
/// wave waits for it, so that short programs run compiled code too.
static constexpr unsigned EAGER = 1;

/// Held while compiling. exit() takes it and keeps it, because LLVM must not be
/// torn down while a thread compiles.
static std::mutex &compiling() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

static const Exports *open_library() {
  // Beside the library that this function is in.
  Dl_info here;
  if (!dladdr(reinterpret_cast<void *>(&open_library), &here) ||
      !here.dli_fname)
    return nullptr;
  std::string path = here.dli_fname;
  path.resize(path.rfind('/') + 1);
  void *library = dlopen((path + LIBRARY).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr; // then everything is interpreted
  static const bool once = [] {
    std::atexit([] { compiling().lock(); });
    return true;
  }();
  (void)once;
  auto *exports = static_cast<const Exports *>(dlsym(library, ENTRY));
  if (exports && exports->layout == GPUEXEC_JIT_LAYOUT)
    return exports;
  // Its code would look for registers where they are not.
  std::fprintf(stderr,
               "gpuexec: warning: %s%s: of another build than the emulator; "
               "everything is interpreted\n",
               path.c_str(), LIBRARY);
  return nullptr;
}

/// The library that this code is in stays loaded, even if the client closes it.
static void keep_loaded() {
  Dl_info here;
  if (dladdr(reinterpret_cast<void *>(&keep_loaded), &here) && here.dli_fname)
    dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

/// What the profiler and its thread have in common. The one that ends last
/// frees it.
struct HotnessProfiler::Shared {
  struct Job {
    std::shared_ptr<Code> code;
    Request request;
    Shared *shared;
  };
  void work();
  void finished();
  Result compile(Job &job);

  std::mutex mutex; // of what follows
  std::condition_variable wake, done;
  std::map<const Inst *, unsigned> samples;
  std::set<const Inst *> covered; // compiled already
  std::vector<std::shared_ptr<Code>>
      keep; // compiled code jumps into its blocks
  std::deque<Job> jobs;
  unsigned unfinished = 0; // jobs in the queue and the one in work
  bool busy = false;       // a compilation is under way
  bool stopping = false;
  std::atomic<bool> enabled = true; // read without the mutex
  bool verbose = false, eager = false;

  std::mutex reading;  // held while the compiler reads the guest's code
  bool closed = false; // the guest's memory may be freed; under `reading`

  // The thread's.
  std::unique_ptr<State> constants; // only State::constants is used
  Jit *jit = nullptr;
  const Exports *exports = nullptr;
};

HotnessProfiler::HotnessProfiler(Compiling compiling)
    : shared(std::make_shared<Shared>()) {
  static const llvm::StringRef wanted = choice_from_environment(
      "GPUEXEC_EMULATOR_JIT", {"0", "off", "1", "on", "verbose", "eager"});
  shared->enabled = wanted != "0" && wanted != "off";
  shared->verbose = wanted == "verbose";
  shared->eager = wanted == "eager";
  if (compiling == Compiling::as_environment_says)
    return;
  shared->eager = shared->enabled = compiling == Compiling::eagerly;
}

HotnessProfiler::~HotnessProfiler() {
  bool busy;
  {
    std::lock_guard lock(shared->mutex);
    shared->stopping = true;
    shared->jobs.clear();
    busy = shared->busy;
    if (busy) {
      std::lock_guard reads(shared->reading);
      shared->closed = true;
    }
  }
  shared->wake.notify_all();
  if (!thread.joinable())
    return;
  if (!busy) {
    thread.join();
    return;
  }
  keep_loaded();
  thread.detach();
}

void HotnessProfiler::sample(State &state, const std::shared_ptr<Code> &code,
                             unsigned &alone) {
  alone = state.shape == ONE || state.shape == NONE ? alone + 1 : 0;
  bool began_alone = state.word_stride == 4;
  if (!shared->enabled ||
      alone < (began_alone || shared->eager ? 1 : PATIENCE) || state.counters ||
      !state.default_mode || state.dispatch->check_uninitialized)
    return;
  const Inst *head = state.resume;
  std::unique_lock lock(shared->mutex);
  if (!shared->enabled || shared->covered.count(head) ||
      ++shared->samples[head] != (shared->eager ? EAGER : HOT))
    return;
  Request request;
  request.head = head;
  request.lane = state.only_lane();
  request.on = state.shape == ONE;
  request.linear_scratch = state.word_stride == 4;
  request.code_base = state.code_base;
  request.epoch = state.dispatch->memory->epoch_counter();
  request.verbose = shared->verbose;
  request.forget_inline_caches = forget_inline_caches;
  request.fill_inline_cache = fill_inline_cache;
  if (!thread.joinable() && !thread.start([shared = shared] { shared->work(); },
                                          Thread::Signals::blocked)) {
    shared->enabled = false; // then everything is interpreted
    return;
  }
  shared->jobs.push_back({code, request, shared.get()});
  ++shared->unfinished;
  shared->wake.notify_one();
  if (shared->eager)
    shared->done.wait(lock, [&] {
      return shared->stopping || !shared->enabled || shared->unfinished == 0;
    });
}

void HotnessProfiler::Shared::finished() {
  --unfinished;
  done.notify_all();
}

/// A result without a handler if there is no compiler or nothing to gain.
Result HotnessProfiler::Shared::compile(Job &job) {
  if (!exports && (exports = open_library()))
    jit = exports->create();
  if (!jit)
    return {};
  job.request.constants = constants->constants;
  job.request.context = &job;
  job.request.find = [](void *context, u64 pc) -> const Inst * {
    auto *job = static_cast<Job *>(context);
    std::lock_guard lock(job->shared->reading);
    return job->shared->closed ? nullptr : job->code->look_at(pc);
  };
  job.request.visited = [](void *context, u64 pc) {
    return static_cast<Job *>(context)->code->visited(pc);
  };
  return exports->compile(jit, job.request);
}

void HotnessProfiler::Shared::work() {
  constants = std::make_unique<State>();
  fill_constants(*constants);
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock, [&] { return stopping || !jobs.empty(); });
    if (stopping)
      break;
    Job job = std::move(jobs.front());
    jobs.pop_front();
    if (covered.count(job.request.head)) {
      finished();
      continue;
    }
    busy = true;
    lock.unlock();
    Result result;
    {
      std::lock_guard one(compiling());
      result = compile(job);
    }
    lock.lock();
    busy = false;
    if (!jit) {
      enabled = false;
      done.notify_all();
      return;
    }
    covered.insert(job.request.head);
    if (result.handler && !stopping) {
      keep.push_back(job.code);
      covered.insert(result.covered.begin(), result.covered.end());
      // Readers load it plainly: a pointer is written in one piece, and either
      // handler is right.
      for (auto [inst, shape] : result.entries)
        __atomic_store_n(const_cast<Handler *>(&inst->fn[shape]),
                         result.handler, __ATOMIC_RELEASE);
    }
    finished();
  }
  lock.unlock();
  std::unique_lock one(compiling(), std::defer_lock);
  {
    // A thread that is joined must not wait for exit(), which may be waiting
    // for it: a client may close its device in a destructor that exit() runs.
    std::lock_guard reads(reading);
    if (closed)
      one.lock();
  }
  if (jit)
    exports->destroy(jit);
}

} // namespace gpuexec::emulator::amdgpu::jit
