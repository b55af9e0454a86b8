//===-- lending/cuda/worker/session.cpp - The ring of calls ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/worker/session.h"
#include "lending/cuda/words.h"
#include "lending/cuda/worker/arguments.h"
#include "lending/wire/channel.h"

#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>

namespace gpuexec::lent_cuda {

using Clock = std::chrono::steady_clock;

namespace {

/// How long the worker looks at the ring before it sleeps; on a machine with
/// few processors the client needs this one.
std::chrono::microseconds look_for() {
  return std::chrono::microseconds(wire::has_processors_to_poll() ? 200 : 20);
}
/// A wait of this length asks the driver less often.
constexpr std::chrono::milliseconds LONG_WAIT(2);

/// Errors that end a context, as CUDA documents them.
bool is_sticky(CUresult result) {
  switch (result) {
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
    return true;
  default:
    return false;
  }
}

} // namespace

Session::Session(Lender &lender, int socket, const int (&files)[2],
                 uint64_t most_memory)
    : lender(lender), driver(lender.driver), shared(*lender.shared),
      socket(socket),
      most_memory(most_memory), contexts{lender.context}, printed{files[0],
                                                                  files[1]} {
  ::prctl(PR_SET_TIMERSLACK, 1); // ns; by default sleeps are up to 50 us late
}

Session::~Session() { ended = true; }

bool Session::client_is_there() {
  pollfd watched{socket, POLLRDHUP, 0};
  return ::poll(&watched, 1, 0) == 0 ||
         !(watched.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

void Session::serve() {
  unsigned idle = 0;
  Clock::time_point last = Clock::now();
  while (!nonsense) {
    bool did = take_calls();
    if (!copying.empty())
      did |= look_at_copies();
    if (!waiting.empty())
      did |= look_at_waiting();
    if (did) {
      idle = 0;
      continue;
    }
    if (++idle % 64) {
      pause_processor();
      continue;
    }
    if (idle == 64)
      last = Clock::now();
    const auto since = Clock::now() - last;
    if (waiting.empty() && copying.empty()) {
      if (since > look_for()) {
        sleep();
        if (!client_is_there())
          return;
        idle = 0;
      }
    } else if (since > LONG_WAIT) {
      ::usleep(20);
      if (idle % 65536 == 0 && !client_is_there())
        return;
    } else if (!wire::has_processors_to_poll()) {
      ::sched_yield();
    }
  }
}

/// Sleeps until the client has written a call, or for a while.
void Session::sleep() {
  shared.asleep.store(1, std::memory_order_seq_cst);
  if (shared.head.load(std::memory_order_seq_cst) == tail)
    futex_wait(shared.asleep, 1, std::chrono::milliseconds(200));
  shared.asleep.store(0, std::memory_order_relaxed);
}

/// Carries out what is in the ring. False when there is nothing.
bool Session::take_calls() {
  bool did = false;
  // Copies and waits are to be looked at from time to time.
  for (unsigned i = 0; i < 64 && !nonsense; ++i) {
    if (!take_call())
      break;
    did = true;
    if (!copying.empty())
      break;
  }
  return did;
}

bool Session::take_call() {
  const uint64_t head = shared.head.load(std::memory_order_acquire);
  const uint64_t there = head - tail;
  if (!there)
    return false;
  const uint32_t place = uint32_t(tail) & (RING_SIZE - 1);
  CallHeader header;
  std::memcpy(&header, shared.ring + place, sizeof(header));
  const uint32_t size = header.size;
  nonsense = there > RING_SIZE || there % CALL_STEP ||
             size < sizeof(CallHeader) || size % CALL_STEP || size > there ||
             size > RING_SIZE - place ||
             (header.call != uint16_t(Call::none) && size > LARGEST_CALL) ||
             (header.slot != NO_REPLY && header.slot >= REPLY_SLOTS);
  if (nonsense)
    return false;
  if (header.call != uint16_t(Call::none))
    std::memcpy(call_bytes, shared.ring + place, size);
  tail += size;
  shared.tail.store(tail, std::memory_order_release);
  if (header.call == uint16_t(Call::none))
    return true;
  Reader from{call_bytes + sizeof(header), call_bytes + size};
  static thread_local Reply reply;
  reply.size = 0;
  dispatch(Call(header.call), from, reply, header);
  return true;
}

void Session::dispatch(Call call, Reader &from, Reply &reply,
                       const CallHeader &header) {
  slot = header.slot;
  is_alone = header.alone != 0;
  replies_later = false;
  CUresult result = CUDA_ERROR_INVALID_CONTEXT;
  if (call == Call::cuMemGetInfo_v2)
    give_back_freed();
  if (set_context(header.context)) {
    switch (call) {
#define FORWARD(NAME, MODE, PARAMETERS, ARGUMENTS)                             \
  case Call::NAME:                                                             \
    result = forward(driver.NAME, from, reply);                                \
    break;
#define OWN(NAME)                                                              \
  case Call::NAME:                                                             \
    result = own_##NAME(from, reply);                                          \
    break;
#include "lending/cuda/calls.def"
    default:
      nonsense = true;
      return;
    }
  }
  if (!from.ok) {
    nonsense = true;
    return;
  }
  if (replies_later)
    return;
  if (is_sticky(result))
    note(result);
  if (slot != NO_REPLY)
    answer(slot, result, reply);
  else if (result != CUDA_SUCCESS)
    note(result);
}

bool Session::set_context(uint32_t context) {
  if (context == current)
    return true;
  if (context >= contexts.size() || !contexts[context])
    return false;
  current = context;
  return driver.cuCtxSetCurrent(contexts[context]) == CUDA_SUCCESS;
}

/// An error that nobody waits for.
void Session::note(CUresult result, uint32_t context) {
  int32_t none = 0;
  shared.late_error.compare_exchange_strong(none, result);
  if (is_sticky(result)) {
    shared.sticky_context.store(context);
    shared.sticky.store(result, std::memory_order_release);
    broken |= context == 0;
  }
}

uint32_t Session::number_of(CUcontext context) const {
  for (uint32_t i = 0; i < contexts.size(); ++i)
    if (contexts[i] == context)
      return i;
  return 0;
}

void Session::answer(uint16_t to, CUresult result, const Reply &reply) {
  ReplySlot &place = shared.replies[to];
  place.result = result;
  place.size = reply.size;
  std::memcpy(place.bytes, reply.bytes, reply.size);
  set_word(place.state, REPLY_THERE);
}

/// Looks whether what clients wait for has come. False: nothing has.
bool Session::look_at_waiting() {
  bool did = false;
  static const Reply nothing{};
  for (size_t i = 0; i < waiting.size();) {
    const Waiting each = waiting[i];
    if (each.context != contexts[current])
      driver.cuCtxSetCurrent(each.context);
    CUresult result = CUDA_SUCCESS;
    if (each.what == WaitFor::event) {
      result = driver.cuEventQuery(CUevent(each.real));
    } else if (each.what != WaitFor::context) {
      result = driver.cuStreamQuery(CUstream(each.real));
    } else {
      result = driver.cuStreamQuery(nullptr);
      for (const Object &stream : objects[uint32_t(Kind::stream)])
        if (result == CUDA_SUCCESS && stream.real &&
            contexts[stream.context] == each.context)
          result = driver.cuStreamQuery(CUstream(stream.real));
    }
    if (result == CUDA_ERROR_NOT_READY) {
      if (each.context != contexts[current])
        driver.cuCtxSetCurrent(contexts[current]);
      ++i;
      continue;
    }
    // Only a wait makes the driver print what kernels have printed.
    if (each.what == WaitFor::copy)
      ;
    else if (each.what == WaitFor::stream)
      result = driver.cuStreamSynchronize(CUstream(each.real));
    else if (each.what == WaitFor::context)
      result = driver.cuCtxSynchronize();
    else
      result = driver.cuEventSynchronize(CUevent(each.real));
    if (each.context != contexts[current])
      driver.cuCtxSetCurrent(contexts[current]);
    if (is_sticky(result))
      note(result, number_of(each.context));
    send_printed();
    answer(each.slot, result, nothing);
    waiting.erase(waiting.begin() + long(i));
    did = true;
  }
  return did;
}

bool Session::look_at_copies() {
  bool did = false;
  for (size_t i = 0; i < copying.size() && i < 4;) {
    const Copying each = copying[i];
    const CUresult result = driver.cuEventQuery(each.event);
    if (result == CUDA_ERROR_NOT_READY) {
      ++i;
      continue;
    }
    if (result != CUDA_SUCCESS)
      note(result);
    set_word(shared.stages[each.stage].state, each.then);
    free_events.push_back(each.event);
    copying.erase(copying.begin() + long(i));
    did = true;
  }
  return did;
}

/// Tells the client of what the driver has printed, and gives the memory of
/// what the client has taken back.
void Session::send_printed() {
  if (!std::exchange(may_have_printed, false))
    return;
  for (int i : {0, 1}) {
    std::fflush(i ? stderr : stdout);
    const off_t size = ::lseek(printed[i], 0, SEEK_END);
    if (size <= 0 || uint64_t(size) == shared.printed[i].load())
      continue;
    shared.printed[i].store(uint64_t(size), std::memory_order_release);
    const uint64_t taken = shared.taken[i].load() / 4096 * 4096;
    if (taken > printed_freed[i] && taken <= uint64_t(size)) {
      ::fallocate(printed[i], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  off_t(printed_freed[i]), off_t(taken - printed_freed[i]));
      printed_freed[i] = taken;
    }
  }
}

} // namespace gpuexec::lent_cuda
