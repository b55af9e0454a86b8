//===-- rpc/services/replay.cpp - Answers from a journal ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One service for all opcodes whose calls are a request and an answer; the
// opcode's sequence says what it receives and sends. Device memory is really
// allocated and freed, perhaps at other addresses than in the recorded run.
//===----------------------------------------------------------------------===//
#include "rpc/services/replay.h"
#include "rpc/services/serve.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;
using gpuexec::pack_bytes;
using gpuexec::pack_number;
using gpuexec::PackedReader;

bool gpuexec::rpc::has_own_replay(const OpcodeInfo &info) {
  return !info.sequence.is_plain() || info.opcode == RPC_EXIT ||
         info.opcode == RPC_ABORT;
}

void gpuexec::rpc::note_memory(Services &services, std::string &notes,
                               DeviceAddress address, uint64_t size) {
  if (!size || (size >> 46) ||
      (!services.host_view(address, size, false) &&
       !services.memory.holds(address, size, false)))
    return pack_bytes(notes, {});
  if (void *view = services.host_view(address, size, false))
    return pack_bytes(notes, {static_cast<char *>(view), size_t(size)});
  const size_t before = notes.size();
  pack_number(notes, size);
  const size_t begin = notes.size();
  notes.resize(begin + size);
  if (to_errno(services.memory.read(notes.data() + begin, address, size))) {
    notes.resize(before);
    pack_bytes(notes, {});
  }
}

namespace {

/// The index of a word that replaying needs, the same in all opcodes CODES.
template <rpc_opcode... CODES>
consteval unsigned place_of(std::string_view name) {
  unsigned place = ~0u;
  for (unsigned each : {sequence_of<CODES>.input(name).place...}) {
    if (place != ~0u && place != each)
      sequence_error("one place in all of these opcodes");
    place = each;
  }
  return place;
}
constexpr unsigned SIZE = place_of<RPC_MALLOC, RPC_ALLOCATE>("size"),
                   ALIGNMENT = place_of<RPC_ALLOCATE>("alignment"),
                   FREED = place_of<RPC_FREE>("address");
#define BULK                                                                   \
  RPC_BULK_WRITE_STREAM, RPC_BULK_READ_STREAM, RPC_BULK_WRITE, RPC_BULK_READ
constexpr unsigned BULK_ADDRESS = place_of<BULK>("address"),
                   BULK_LENGTH = place_of<BULK>("length");
#undef BULK

struct RequestWords {
  std::vector<std::array<uint64_t, 64>> words;
  uint64_t of(unsigned place, unsigned lane) const {
    return words[place][lane];
  }
};

bool is_bulk(uint32_t opcode) {
  return opcode >= RPC_BULK_WRITE_STREAM && opcode <= RPC_BULK_READ;
}
bool is_bulk_write(uint32_t opcode) {
  return opcode == RPC_BULK_WRITE_STREAM || opcode == RPC_BULK_WRITE;
}

/// Writes the recorded bytes of a BULK_READ... to the program's memory. errno
/// or 0.
int write_memory(Services &services, DeviceAddress address,
                 std::string_view bytes) {
  if (bytes.empty())
    return 0;
  if (void *view = services.host_view(address, bytes.size(), true)) {
    memcpy(view, bytes.data(), bytes.size());
    return 0;
  }
  return to_errno(services.memory.write(address, bytes.data(), bytes.size()));
}

/// Allocates memory for a MALLOC or ALLOCATE, and replaces the recorded
/// addresses of the answer by the new ones. False when there is no memory.
bool allocate_again(Services &services, Port &port, const RequestWords &request,
                    uint64_t (&addresses)[64]) {
  uint64_t sizes[64], alignments[64], wanted = 0;
  DeviceAddress found[64];
  port.for_each_lane([&](unsigned lane) {
    sizes[lane] = request.of(SIZE, lane);
    alignments[lane] = port.opcode() == RPC_ALLOCATE
                           ? request.of(ALIGNMENT, lane)
                           : services.options.malloc_alignment;
    // A recording may hold anything.
    if (addresses[lane] && !(sizes[lane] >> 46) &&
        llvm::isPowerOf2_64(alignments[lane]) && !(alignments[lane] >> 46))
      wanted |= uint64_t(1) << lane;
  });
  if (wanted)
    services.heap.allocate(wanted, sizes, alignments, found);
  bool all = true;
  port.for_each_lane([&](unsigned lane) {
    if (!addresses[lane])
      return;
    if (!found[lane])
      return (void)(all = false, addresses[lane] = 0);
    port.journal().allocated(DeviceAddress(addresses[lane]), found[lane],
                             sizes[lane]);
    addresses[lane] = found[lane].value;
  });
  return all;
}

/// One step of the recorded answer: words or bytes of each lane.
struct StepOfAnswer {
  uint64_t words[RPC_PACKET_WORDS][64] = {};
  llvm::StringRef bytes[64];

  void read(PackedReader &from, const Step &step, Port &port) {
    port.for_each_lane([&](unsigned lane) {
      if (step.kind != Step::Kind::packet)
        return (void)(bytes[lane] = from.bytes());
      for (unsigned word = 0; word < step.words(); ++word)
        words[word][lane] = from.number();
      words[RPC_ERRNO_WORD][lane] = from.number();
    });
    if (step.kind == Step::Kind::record) // another size: a damaged recording
      port.for_each_lane([&](unsigned lane) {
        if (bytes[lane].size() != 2 * RPC_PACKET_BYTES)
          bytes[lane] = {};
      });
  }
};

/// Sends a step of the answer.
Task<> send_step(Port &port, const Step &step, const StepOfAnswer &answer) {
  if (step.is_stream()) {
    co_await port.send_bytes(answer.bytes);
    co_return;
  }
  if (step.kind == Step::Kind::packet) {
    co_await port.send([&](unsigned lane, rpc_packet &packet) {
      for (unsigned word = 0; word < step.words(); ++word)
        packet.words[word] = answer.words[word][lane];
      packet.words[RPC_ERRNO_WORD] = answer.words[RPC_ERRNO_WORD][lane];
    });
    co_return;
  }
  for (unsigned half = 0; half < 2; ++half)
    co_await port.send([&](unsigned lane, rpc_packet &packet) {
      memset(packet.bytes, 0, RPC_PACKET_BYTES);
      if (!answer.bytes[lane].empty())
        memcpy(packet.bytes,
               answer.bytes[lane].data() + half * RPC_PACKET_BYTES,
               RPC_PACKET_BYTES);
    });
}

void release_memory(Services &services, Port &port,
                    const RequestWords &request) {
  port.for_each_lane([&](unsigned lane) {
    const DeviceAddress address(request.of(FREED, lane));
    if (address)
      port.journal().freed(address);
    services.free_memory(address);
  });
}

/// Repeats the effects of a bulk call on memory. errno or 0.
int move_memory(Services &services, Port &port, const RequestWords &request,
                PackedReader &answer) {
  int error = 0;
  port.for_each_lane([&](unsigned lane) {
    const DeviceAddress address(request.of(BULK_ADDRESS, lane));
    if (!is_bulk_write(port.opcode())) {
      const std::string_view bytes = answer.bytes();
      if (bytes.size() > request.of(BULK_LENGTH, lane))
        error = EFAULT;
      else if (int failed = write_memory(services, address, bytes))
        error = failed;
    } else if (services.output && address == services.output_text) {
      // As write_view() of bulk.cpp does: the program's buffer is written out.
      __atomic_store_n(&services.output->used, 0, __ATOMIC_RELAXED);
    }
  });
  return error;
}

} // namespace

Task<> gpuexec::rpc::replay_call(void *operation, Port &port) {
  auto &[services, info] = *static_cast<ReplayedOperation *>(operation);
  const Sequence &sequence = info.sequence;
  RequestWords request;
  request.words.resize(std::max(1u, sequence.request_words()));
  std::vector<LaneBytes> streams(sequence.request_streams());
  co_await ReceiveRequest(
      port, sequence, reinterpret_cast<uint64_t(*)[64]>(request.words.data()),
      streams.data());
  if (is_bulk_write(info.opcode))
    port.for_each_lane([&](unsigned lane) {
      note_memory(services, port.notes()->request,
                  DeviceAddress(request.of(BULK_ADDRESS, lane)),
                  request.of(BULK_LENGTH, lane));
    });
  std::optional<llvm::StringRef> text = co_await port.replayed_answer();
  if (!text)
    co_return;
  PackedReader answer(*text);
  int error = 0;
  if (is_bulk(info.opcode))
    error = move_memory(services, port, request, answer);
  if (info.opcode == RPC_FREE)
    release_memory(services, port, request);
  for (unsigned i = sequence.request_steps(); i < sequence.count; ++i) {
    const Step &step = sequence.steps[i];
    StepOfAnswer now;
    const bool allocates =
        info.opcode == RPC_MALLOC || info.opcode == RPC_ALLOCATE;
    if (allocates && text->empty()) {
      std::fill(std::begin(now.words[0]), std::end(now.words[0]), 1);
      allocate_again(services, port, request, now.words[0]);
      port.for_each_lane([&](unsigned lane) {
        now.words[RPC_ERRNO_WORD][lane] = now.words[0][lane] ? 0 : ENOMEM;
      });
    } else {
      now.read(answer, step, port);
      if (allocates && !allocate_again(services, port, request, now.words[0]))
        error = ENOMEM;
    }
    if (answer.failed() || error) {
      port.fail(answer.failed()
                    ? std::string("the recorded answer is damaged")
                    : llvm::formatv("cannot do what was recorded: {0}",
                                    strerror(error))
                          .str());
      co_return;
    }
    co_await send_step(port, step, now);
  }
}
