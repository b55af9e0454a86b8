//===-- rpc/services/serve.h - A function becomes a service -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RPC_SERVE(OPCODE, FUNCTION) makes FUNCTION the service of RPC_OPCODE. The
// function has one of these forms:
//
//     Result f(Services &, inputs...)
//     Task<Result> f(Services &, Port &, inputs...)
//         Called for each lane, in lane order; the second form may wait. The
//         inputs are those of the request in opcodes.def, in order:
//           integers, DeviceAddress   a word, converted
//           std::string               a string; ENOMEM if it was not received
//                                     whole
//           Bytes                     any bytes, NULs included; ENOMEM likewise
//           Descriptor &, Directory & the object of that handle, or EBADF
//           Stream &                  the stream of a tagged handle, locked, or
//                                     EBADF
//         A parameter of type Flushed takes no input: it says that the stream's
//         pending output is written before the call. The function may return
//         ResultWords or a similar type instead of Result, or void if the
//         opcode has no answer.
//     Task<> f(Services &, Port &)
//         Called once for the whole wave: receives and answers with
//         Call<OPCODE>.
//
// A function of the first form whose request and answer are one packet each
// runs without a coroutine: nothing is allocated.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_SERVE_H
#define GPUEXEC_RPC_SERVICES_SERVE_H

#include "rpc/server/call.h"
#include "rpc/services/services.h"
#include <errno.h>
#include <tuple>

namespace gpuexec::rpc {

/// The errno of writing out the stream's pending bytes before the call, or 0.
struct Flushed {
  int error = 0;
};

/// The bytes of one lane's stream.
struct Bytes : std::string {};

//===-- Parameters --------------------------------------------------------===//

/// How an input becomes a parameter: `Held` is the type that is stored during
/// the call, pass() makes the parameter from it.
template <typename T> struct Parameter {
  using Held = std::remove_cvref_t<T>;
  static T pass(Held &held) { return static_cast<T>(held); }
};
template <typename T> struct SharedParameter {
  using Held = std::shared_ptr<T>;
  static T &pass(Held &held) { return *held; }
};
template <> struct Parameter<Descriptor &> : SharedParameter<Descriptor> {};
template <> struct Parameter<Directory &> : SharedParameter<Directory> {};
template <> struct Parameter<Stream &> : SharedParameter<Stream> {};

/// Finds the object of a handle; null when there is none.
inline void look_up(Services &services, uint64_t word,
                    std::shared_ptr<Descriptor> &found) {
  found = services.descriptors.find(word);
}
inline void look_up(Services &services, uint64_t word,
                    std::shared_ptr<Directory> &found) {
  found = services.directories.find(word);
}
inline void look_up(Services &services, uint64_t word,
                    std::shared_ptr<Stream> &found) {
  found = services.tagged(word);
}

/// The inputs of one lane, as parameters P... of its service. `Source` has
/// word(), text() and complete() of an input and a lane, as Call has.
template <rpc_opcode CODE, typename... P> class Inputs {
  template <typename T>
  static constexpr bool HAS = (std::is_same_v<P, T> || ...);

public:
  static constexpr bool LOCKS = HAS<Stream &>, FLUSHES = HAS<Flushed>;
  static constexpr unsigned COUNT = sizeof...(P) - FLUSHES;
  static_assert(COUNT == sequence_of<CODE>.inputs(),
                "the service takes other inputs than opcodes.def says");

  /// Reads the inputs of a lane. errno or 0.
  template <typename Source>
  int decode(Services &services, const Source &source, unsigned lane) {
    return decode(services, source, lane,
                  std::make_index_sequence<sizeof...(P)>());
  }
  template <typename F, typename... Before> auto call(F f, Before &...before) {
    return std::apply(
        [&](auto &...each) {
          return f(before..., Parameter<P>::pass(each)...);
        },
        held);
  }
  Stream &stream() { return *std::get<std::shared_ptr<Stream>>(held); }
  Flushed &flushed() { return std::get<Flushed>(held); }

private:
  /// The input that parameter I takes: the number of inputs before it.
  template <size_t I> static consteval unsigned number() {
    constexpr bool takes[] = {!std::is_same_v<P, Flushed>..., true};
    unsigned before = 0;
    for (size_t i = 0; i < I; ++i)
      before += takes[i];
    return before;
  }
  template <typename Source, size_t... I>
  int decode(Services &services, const Source &source, unsigned lane,
             std::index_sequence<I...>) {
    int error = 0;
    ((error = error ? error : decode_one<I>(services, source, lane)), ...);
    return error;
  }
  template <size_t I, typename Source>
  int decode_one(Services &services, const Source &source, unsigned lane) {
    auto &into = std::get<I>(held);
    using T = std::remove_reference_t<decltype(into)>;
    if constexpr (std::is_same_v<T, Flushed>) {
      return 0;
    } else {
      constexpr InputOf<CODE> INPUT(number<I>());
      if constexpr (std::is_integral_v<T> || std::is_same_v<T, DeviceAddress>) {
        into = T(source.word(INPUT, lane));
        return 0;
      } else if constexpr (std::is_same_v<T, Bytes>) {
        into.assign(source.bytes(INPUT)[lane].str());
        return source.complete(INPUT, lane) ? 0 : ENOMEM;
      } else if constexpr (std::is_same_v<T, std::string>) {
        into = source.text(INPUT, lane);
        return source.complete(INPUT, lane) ? 0 : ENOMEM;
      } else {
        look_up(services, source.word(INPUT, lane), into);
        return into ? 0 : EBADF;
      }
    }
  }
  std::tuple<typename Parameter<P>::Held...> held;
};

//===-- The forms of a service --------------------------------------------===//

/// Reads the words of a request of one packet directly from that packet.
template <rpc_opcode CODE> struct PacketSource {
  Port &port;
  uint64_t word(InputOf<CODE> input, unsigned lane) const {
    return port.word(lane, input.input.place);
  }
  std::string text(InputOf<CODE> input, unsigned lane) const {
    return text_of(input.input,
                   [&](unsigned place) { return port.word(lane, place); });
  }
  bool complete(InputOf<CODE>, unsigned) const { return true; }
};

/// Serves a request of one packet and an answer of one packet or none, by a
/// function that does not wait.
template <rpc_opcode CODE, auto F, typename R, typename... P>
void serve_packet(void *context, Port &port) {
  constexpr const Sequence &sequence = sequence_of<CODE>;
  static_assert(std::is_void_v<R> == !sequence.has_answer());
  if constexpr (!std::is_void_v<R>)
    static_assert(holds_answer<CODE, R>(),
                  "the result's type lacks a part of the answer");
  Services &services = *static_cast<Services *>(context);
  bool begun = false;
  port.try_receive(begun); // succeeds: the packet is already there
  if (port.is_traced())
    trace_words(port, sequence.steps[0]);
  PacketSource<CODE> source{port};
  auto serve_lane = [&](unsigned lane) -> R {
    Inputs<CODE, P...> inputs;
    if (int error = inputs.decode(services, source, lane)) {
      if constexpr (std::is_void_v<R>)
        return;
      else
        return Result::failure(error);
    }
    return inputs.call(F, services);
  };
  uint64_t words[std::max(1u, sequence.request_words())][64];
  if (port.notes()) // save them: the answer overwrites the packet
    for (unsigned i = 0; i < sequence.request_words(); ++i)
      port.for_each_lane(
          [&](unsigned lane) { words[i][lane] = port.word(lane, i); });
  if constexpr (std::is_void_v<R>) {
    if (port.notes())
      note_words(port, sequence.steps[0], words);
    port.for_each_lane(serve_lane);
  } else if (port.notes()) {
    R results[64];
    port.for_each_lane(
        [&](unsigned lane) { results[lane] = serve_lane(lane); });
    SendAnswer<CODE, R>::send_and_note(
        port, results, [&] { note_words(port, sequence.steps[0], words); });
  } else {
    port.put([&](unsigned lane, rpc_packet &packet) {
      SendAnswer<CODE, R>::fill(serve_lane(lane), sequence.steps[1], packet);
    });
  }
}

/// Calls the function lane by lane; in a background thread if BACKGROUND.
template <rpc_opcode CODE, auto F, bool WAITS, bool BACKGROUND, typename R,
          typename... P>
Task<> serve_lanes(void *context, Port &port) {
  Services &services = *static_cast<Services *>(context);
  Call<CODE, R> call(port);
  co_await call.request();
  if constexpr (BACKGROUND)
    co_await port.background();
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    const unsigned lane = unsigned(llvm::countr_zero(left));
    Inputs<CODE, P...> inputs;
    if (int error = inputs.decode(services, call, lane)) {
      call.results[lane] = Result::failure(error);
      continue;
    }
    ServiceLock::Guard guard(nullptr);
    if constexpr (inputs.LOCKS)
      guard = co_await inputs.stream().lock.acquire(port);
    if constexpr (inputs.FLUSHES)
      if (inputs.stream().pending())
        inputs.flushed().error = co_await services.flush(port, inputs.stream());
    if constexpr (WAITS)
      call.results[lane] = co_await inputs.call(F, services, port);
    else
      call.results[lane] = inputs.call(F, services);
  }
  co_await call.answer();
}

template <rpc_opcode CODE, auto F, bool BACKGROUND> struct MakeService {
  template <typename R, typename... P>
  static constexpr Service of(R (*)(Services &, P...)) {
    constexpr const Sequence &sequence = sequence_of<CODE>;
    constexpr bool PACKETS =
        !BACKGROUND && !Inputs<CODE, P...>::LOCKS && sequence.is_plain() &&
        sequence.count <= 2 && sequence.request_streams() == 0 &&
        (sequence.count == 1 || (!sequence.steps[1].by_client &&
                                 sequence.steps[1].kind == Step::Kind::packet));
    if constexpr (PACKETS)
      return {nullptr, serve_packet<CODE, F, R, P...>};
    else
      return {serve_lanes<CODE, F, false, BACKGROUND, R, P...>, nullptr};
  }
  template <typename R, typename... P>
  static constexpr Service of(Task<R> (*)(Services &, Port &, P...)) {
    return {serve_lanes<CODE, F, true, BACKGROUND, R, P...>, nullptr};
  }
  static constexpr Service of(Task<> (*)(Services &, Port &)) {
    return {[](void *context, Port &port) {
              return F(*static_cast<Services *>(context), port);
            },
            nullptr};
  }
};

// Every opcode has a service; one that is missing does not link.
#define RPC_OPCODE(NAME, VALUE, FEATURE, SEQUENCE)                             \
  extern const Service SERVICE_##NAME;
#include "rpc/protocol/opcodes.def"

#define RPC_SERVE(NAME, ...)                                                   \
  constexpr gpuexec::rpc::Service gpuexec::rpc::SERVICE_##NAME =               \
      MakeService<RPC_##NAME, (__VA_ARGS__), false>::of(__VA_ARGS__);
/// For calls that may take long: they run in a background thread.
#define RPC_SERVE_IN_BACKGROUND(NAME, ...)                                     \
  constexpr gpuexec::rpc::Service gpuexec::rpc::SERVICE_##NAME =               \
      MakeService<RPC_##NAME, (__VA_ARGS__), true>::of(__VA_ARGS__);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_SERVE_H
