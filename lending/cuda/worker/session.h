//===-- lending/cuda/worker/session.h - Calls of one client -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries out the calls of one CUDA program, one after the other, on one
// thread. What the client says is not trusted: handles are looked up, addresses
// of memory are compared with what the client was given, sizes are limited.
// Waiting is done by asking the driver again and again, so that one thread of
// the program can wait while others go on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_WORKER_SESSION_H
#define GPUEXEC_LENDING_CUDA_WORKER_SESSION_H

#include "lending/cuda/codec.h"
#include "lending/cuda/worker/lender.h"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace gpuexec::lent_cuda {

/// A reply, or the room for one where nobody waits for it.
struct Reply {
  uint32_t size = 0;
  alignas(16) std::byte bytes[LARGEST_REPLY];

  template <typename T> void put(const T &value) {
    put_bytes(&value, sizeof(value));
  }
  void put_bytes(const void *from, size_t count) {
    if (count > LARGEST_REPLY - size)
      return;
    std::memcpy(bytes + size, from, count);
    size += uint32_t(count);
  }
};

class Session {
public:
  /// `printed`: files for what the driver prints.
  Session(Lender &lender, int socket, const int (&printed)[2],
          uint64_t most_memory);
  ~Session();
  /// Returns when the client has gone or has said nonsense.
  void serve();
  /// Gives back what the client had. False: the process must end.
  bool clean_up();

private:
  struct Object {
    void *real = nullptr;
    uint32_t generation = 0;
    uint32_t context = 0;
    bool borrowed = false; ///< another object's, or the driver's own
  };
  struct Range {
    uint64_t size;
    enum { device, variable, pinned, ordered } use;
    uint32_t context;
  };
  struct Function {
    CUfunction real = nullptr;
    FunctionFacts facts{};
    std::vector<ParameterFacts> parameters;
    uint32_t size = 0; ///< of all parameters
  };
  struct Waiting {
    WaitFor what;
    void *real;
    uint16_t slot;
    CUcontext context;
  };
  struct Copying {
    CUevent event;
    uint32_t stage;
    uint32_t then; ///< StageState
  };
  struct HostCall {
    Session *session;
    uint64_t number;
  };

  // session.cpp: the ring.
  bool take_calls();
  bool take_call();
  void dispatch(Call call, Reader &from, Reply &reply,
                const CallHeader &header);
  void answer(uint16_t slot, CUresult result, const Reply &reply);
  void note(CUresult result) { note(result, current); }
  void note(CUresult result, uint32_t context);
  uint32_t number_of(CUcontext context) const;
  bool look_at_waiting();
  bool look_at_copies();
  bool client_is_there();
  void sleep();
  bool set_context(uint32_t context);
  void send_printed();

  // Handles and memory: tables.cpp.
  template <typename T> bool find(uint64_t handle, T &real);
  void *find_object(uint64_t handle, Kind kind);
  bool add_object(uint64_t handle, Kind kind, void *real,
                  bool borrowed = false);
  Object *object(uint64_t handle, Kind kind);
  void destroy_real(Kind kind, void *real);
  bool knows(uint64_t address, uint64_t size = 1) const;
  bool may_take(uint64_t size) const { return size <= most_memory - used; }
  void add_range(uint64_t begin, uint64_t size, decltype(Range::use) use);
  void free_ranges(uint32_t context, bool all);
  void free_objects(uint32_t context, bool all);
  CUresult unmap_pinned(uint64_t address);
  void give_back_freed();

  template <typename... A>
  CUresult forward(CUresult (*function)(A...), Reader &from, Reply &reply);
  template <typename T> struct Argument;

#define FORWARD(NAME, MODE, PARAMETERS, ARGUMENTS)
#define OWN(NAME) CUresult own_##NAME(Reader &from, Reply &reply);
#include "lending/cuda/calls.def"
  CUresult start_copy(CopyCall &call, CUstream stream);
  CUresult copy_directly(CopyCall &call);
  bool fill_side(CUmemorytype type, CUdeviceptr &device, void *host,
                 CUarray &array, const CopyCall &call, uint64_t first,
                 uint64_t last);
  static void call_host(void *data);

  Lender &lender;
  Driver &driver;
  Shared &shared;
  const int socket;
  const uint64_t most_memory;
  uint64_t used = 0;
  uint64_t tail = 0;
  uint16_t slot = NO_REPLY;   ///< of the call that is carried out
  bool replies_later = false; ///< and whether it is answered later
  bool nonsense = false;
  bool is_alone = false;         ///< CallHeader::alone
  bool may_have_printed = false; ///< a kernel was started since the last look
  bool limits_changed = false, broken = false;
  uint32_t current = 0; ///< index of the context; 0: the first
  std::vector<CUcontext> contexts;
  std::vector<Object> objects[KINDS];
  std::vector<std::unique_ptr<Function>> functions;
  std::map<uint64_t, Range> ranges;
  /// Device memory that the client has freed, by size: it often allocates as
  /// much again, and the driver takes long for both.
  std::multimap<uint64_t, uint64_t> freed;
  uint64_t freed_bytes = 0;
  std::set<std::pair<uint64_t, bool>> textures; ///< true: a surface
  std::vector<Waiting> waiting;
  std::deque<Copying> copying;
  std::vector<CUevent> free_events;
  uint64_t next_pinned = PINNED_BEGIN;
  std::chrono::steady_clock::time_point busy_since;
  // Of the driver's threads that call the client's functions:
  std::mutex callback_mutex;
  uint64_t callback_order = 0;
  std::atomic<bool> ended = false;
  std::deque<HostCall> host_calls;
  int printed[2]; ///< files that standard output and error go to
  uint64_t printed_freed[2] = {0, 0};
  alignas(16) std::byte call_bytes[LARGEST_CALL];
};

} // namespace gpuexec::lent_cuda

#endif
