//===-- lending/cuda/client/session.h - A lent CUDA driver ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's side: a connection to a server's worker, calls that are written
// to the ring, and what is known here of handles and memory. CUDA's interface
// has no handle for the driver: a process has one session, which lives until
// the process ends. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_CLIENT_SESSION_H
#define GPUEXEC_LENDING_CUDA_CLIENT_SESSION_H

#include "lending/cuda/codec.h"
#include "lending/cuda/words.h"
#include "support/descriptor.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gpuexec::lent_cuda {

/// What the program has got memory for.
enum class Use { device, variable, pinned, managed, registered };
struct Memory {
  uint64_t begin = 0, size = 0;
  Use use = Use::device;
  unsigned flags = 0;
  uint64_t id = 0;
  CUcontext context = nullptr;
  /// Nothing else of this process is at the device's addresses.
  bool is_ours = false;
};

/// A kernel, as the worker has described it.
struct Function {
  std::string name;
  FunctionFacts facts{};
  std::vector<ParameterFacts> parameters;
  uint32_t size = 0; ///< bytes of all parameters
  CUmodule module = nullptr;
};

/// A function of the program that a stream is to call.
struct HostFunction {
  CUhostFn function = nullptr;
  CUstreamCallback callback = nullptr;
  CUstream stream = nullptr;
  void *data = nullptr;
};

class Session {
public:
  static Session &get();
  /// cuInit(). What fails is said once on standard error.
  CUresult open();
  bool ready() const { return is_ready.load(std::memory_order_acquire); }
  const DeviceFacts &facts() const { return device; }

  /// Writes a call; with a slot the worker replies there.
  CUresult post(Call call, Writer &writer, uint16_t slot = NO_REPLY);
  /// Writes a call and waits for its reply. `read`, if not null, gets it.
  CUresult ask(Call call, Writer &writer,
               void (*read)(Reader &, void *) = nullptr, void *data = nullptr);
  template <typename Read> CUresult ask(Call call, Writer &writer, Read read) {
    return ask(
        call, writer,
        [](Reader &from, void *data) { (*static_cast<Read *>(data))(from); },
        &read);
  }
  CUresult wait(WaitFor what, uint64_t handle);
  /// The first error of calls without a reply, once; else `result`.
  CUresult take_late(CUresult result = CUDA_SUCCESS);

  // Handles. Those of contexts have the worker's number as `number`.
  struct Object {
    uint32_t generation = 0;
    bool used = false;
    uint32_t context = 0, number = 0;
    std::shared_ptr<Function> function;
  };
  uint64_t add(Kind kind, uint32_t number = 0,
               std::shared_ptr<Function> function = nullptr);
  bool has(Kind kind, uint64_t handle) const;
  bool find(Kind kind, uint64_t handle, Object &object) const;
  Function *function(CUfunction handle) const;
  void remove(Kind kind, uint64_t handle);
  /// Forgets what belongs to a context.
  void forget(uint32_t context);
  /// Has the worker destroy the object, without waiting.
  CUresult destroy(Kind kind, uint64_t handle);

  // Memory.
  void add_memory(const Memory &memory);
  bool find_memory(uint64_t address, Memory &memory) const;
  bool take_memory(uint64_t begin, Memory &memory);

  /// Maps pinned memory that the worker has sent, and loads modules: what comes
  /// and goes over the socket.
  CUresult allocate_host(size_t size, uint64_t &address);
  CUresult free_host(uint64_t address, uint64_t size);
  CUresult load(Writer &writer, const void *image, uint64_t size,
                void (*read)(Reader &, void *), void *data);

  CUresult copy(const CUDA_MEMCPY3D &what, CUstream stream, bool waits);
  CUresult call_later(CUstream stream, const HostFunction &function);

  Shared &memory() { return *shared; }
  CUcontext primary() const { return primary_context; }
  /// Whether the program has retained the primary context.
  std::atomic<bool> has_primary = false;

private:
  Session() = default;
  CUresult connect(std::string &problem);
  bool goes_on();
  CUresult lost();
  void take_printed();
  void run_callbacks();
  uint32_t try_stage();
  uint32_t take_stage();
  CUresult copy_on_host(const CUDA_MEMCPY3D &what, CUstream stream);
  CUresult copy_from_stages(const CUDA_MEMCPY3D &what, CUstream stream);
  CUresult copy_to_stages(const CUDA_MEMCPY3D &what, CUstream stream);
  CUresult post_copy(const CUDA_MEMCPY3D &what, CUstream stream, uint32_t stage,
                     bool to_stage, bool waits = false);

  std::mutex opening;
  std::atomic<bool> is_ready = false, is_lost = false;
  CUresult failure = CUDA_SUCCESS;
  UniqueFd socket, printed[2];
  Shared *shared = nullptr;
  DeviceFacts device{};
  CUcontext primary_context = nullptr;
  std::mutex ring; ///< guards the next two and what is written to the ring
  uint64_t head = 0, known_tail = 0;
  std::mutex using_socket;
  std::mutex printing;
  mutable std::mutex handles;
  std::vector<Object> objects[KINDS];
  std::vector<uint32_t> unused[KINDS];
  mutable std::mutex ranges_mutex;
  std::map<uint64_t, Memory> ranges;
  uint64_t last_id = 0;
  bool reserve(uint64_t begin, uint64_t size);
  std::map<uint64_t, uint64_t> reserved; ///< begin, end
  std::mutex callbacks_mutex;
  std::map<uint64_t, HostFunction> callbacks;
  uint64_t last_callback = 0;
  bool has_thread = false;
  std::atomic<uint32_t> next_stage = 0;
};

/// The contexts that the calling thread has pushed; the last is current.
std::vector<CUcontext> &context_stack();
/// The calling thread's context, as the worker knows it. An error when it has
/// none, or when a fault has ended it.
CUresult current(uint32_t &number);
/// As current(), whatever the context's errors are.
CUresult current_or_failed(uint32_t &number);

/// Forwards a call of calls.def (codec.h).
template <Mode MODE, typename... A>
CUresult forward(Call call, A... arguments) {
  uint32_t context = 0;
  if (CUresult error = current(context))
    return error;
  Session &session = Session::get();
  Writer writer;
  CUresult wrong = CUDA_SUCCESS;
  auto write = [&]<typename T>(T &argument) {
    if constexpr (IS_HANDLE<T>) {
      const auto handle = reinterpret_cast<uint64_t>(argument);
      const bool fixed = KIND_OF<T> == Kind::stream && handle <= 2;
      if (!fixed && !session.has(KIND_OF<T>, handle))
        wrong = CUDA_ERROR_INVALID_HANDLE;
      writer.put(handle);
    } else if constexpr (std::is_pointer_v<T>) {
      using Target = std::remove_pointer_t<T>;
      if constexpr (std::is_const_v<Target>) {
        writer.put(argument ? *argument : Target{});
        writer.put(uint64_t(argument != nullptr));
        if (!argument)
          wrong = CUDA_ERROR_INVALID_VALUE;
      } else if constexpr (IS_HANDLE<Target>) {
        if (!argument) {
          wrong = CUDA_ERROR_INVALID_VALUE;
          return;
        }
        *argument = reinterpret_cast<Target>(session.add(KIND_OF<Target>));
        writer.put(reinterpret_cast<uint64_t>(*argument));
      } else {
        writer.put(uint64_t(argument != nullptr));
      }
    } else {
      writer.put(argument);
    }
  };
  (write(arguments), ...);
  auto give_up = [&]<typename T>(T &argument) {
    if constexpr (std::is_pointer_v<T> && !IS_HANDLE<T>)
      if constexpr (IS_HANDLE<std::remove_pointer_t<T>>)
        if (argument)
          session.remove(KIND_OF<std::remove_pointer_t<T>>,
                         reinterpret_cast<uint64_t>(*argument));
  };
  CUresult result = wrong;
  if (result == CUDA_SUCCESS) {
    if constexpr (MODE == Mode::LATER)
      return session.post(call, writer);
    result = session.ask(call, writer, [&](Reader &from) {
      auto read = [&]<typename T>(T &argument) {
        if constexpr (std::is_pointer_v<T> && !IS_HANDLE<T>) {
          using Target = std::remove_pointer_t<T>;
          if constexpr (!std::is_const_v<Target> && !IS_HANDLE<Target>) {
            const auto value = from.take<Target>();
            if (argument && from.ok)
              *argument = value;
          }
        }
      };
      (read(arguments), ...);
    });
  }
  if (result != CUDA_SUCCESS)
    (give_up(arguments), ...);
  return result;
}

} // namespace gpuexec::lent_cuda

/// Returns the error of a call, unless it is success.
#define GPUEXEC_TRY(CALL)                                                      \
  if (CUresult try_error = (CALL); try_error != CUDA_SUCCESS)                  \
  return try_error
/// Returns an error unless the condition holds.
#define GPUEXEC_REQUIRE(CONDITION, ERROR)                                      \
  if (!(CONDITION))                                                            \
  return CUDA_ERROR_##ERROR
/// For functions that need a context.
#define GPUEXEC_CURRENT(number)                                                \
  uint32_t number = 0;                                                         \
  GPUEXEC_TRY(gpuexec::lent_cuda::current(number))

#endif
