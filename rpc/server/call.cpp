//===-- rpc/server/call.cpp - A request and its answer --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/call.h"
#include "rpc/server/trace.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuexec::rpc;

bool ReceiveRequest::advance() {
  for (const unsigned end = sequence.request_steps(); at < end; ++at) {
    const Step &step = sequence.steps[at];
    if (!step.by_client) { // the server sends an empty packet
      if (!port.try_own())
        return false;
      port.hand_over();
    } else if (step.is_stream()) {
      if (!stream)
        stream.emplace(port);
      if (!stream->advance())
        return false;
      *streams = stream->await_resume();
      stream.reset();
      if (port.notes())
        note_stream(port, *streams);
      if (port.is_traced())
        trace_stream(port, step, *streams);
      ++streams;
    } else {
      if (!port.try_receive(begun))
        return false;
      begun = false;
      uint64_t(*const first)[64] = words;
      for (unsigned i = 0; i < step.words(); ++i, ++words)
        port.for_each_lane(
            [&](unsigned lane) { (*words)[lane] = port.word(lane, i); });
      if (port.notes())
        note_words(port, step, first);
      if (port.is_traced())
        trace_words(port, step);
    }
  }
  return true;
}

//===-- The journal -------------------------------------------------------===//

void gpuexec::rpc::note_words(Port &port, const Step &step,
                              const uint64_t (*words)[64]) {
  CallNotes &notes = *port.notes();
  port.for_each_lane([&](unsigned lane) {
    for (unsigned i = 0; i < step.field_count; ++i) {
      const Field &field = step.fields[i];
      switch (field.role) {
      case Field::Role::number:
        pack_number(notes.request, words[field.word][lane]);
        break;
      case Field::Role::text: // bytes behind its NUL are undefined: not noted
        pack_bytes(notes.request,
                   text_of({false, field, 0}, [&](unsigned place) {
                     return words[field.word + place][lane];
                   }));
        break;
      case Field::Role::address:
        notes.addresses.push_back(words[field.word][lane]);
        break;
      case Field::Role::stream:
        pack_number(notes.request, noted_stream(words[field.word][lane]));
        break;
      case Field::Role::unused:
        break;
      }
    }
  });
}

void gpuexec::rpc::note_stream(Port &port, const LaneBytes &bytes) {
  port.for_each_lane(
      [&](unsigned lane) { pack_bytes(port.notes()->request, bytes[lane]); });
}

//===-- Tracing -----------------------------------------------------------===//

// The most bytes of a string that a trace shows.
static constexpr size_t SHOWN_BYTES = 256;

static std::string to_json(llvm::StringRef text) {
  text = text.substr(0, text.find('\0'));
  return Trace::quote(text.take_front(SHOWN_BYTES));
}

// JSON's readers keep 53 bits of a number.
static std::string to_json(uint64_t word) {
  const int64_t value = int64_t(word), limit = int64_t(1) << 53;
  return value > -limit && value < limit
             ? std::to_string(value)
             : '"' + ("0x" + llvm::utohexstr(word)) + '"';
}

static void note(Port &port, std::string_view name, const std::string &value) {
  port.trace_arguments += ",\"" + std::string(name) + "\":" + value;
}

void gpuexec::rpc::trace_words(Port &port, const Step &step) {
  const unsigned lane = unsigned(llvm::countr_zero(port.mask()));
  for (unsigned i = 0; i < step.field_count; ++i) {
    const Field &field = step.fields[i];
    if (field.name == "_")
      continue;
    if (!field.is_text) {
      note(port, field.name, to_json(port.word(lane, field.word)));
      continue;
    }
    uint64_t words[RPC_PACKET_WORDS];
    for (unsigned k = 0; k < field.words; ++k)
      words[k] = port.word(lane, field.word + k);
    note(port, field.name,
         to_json(llvm::StringRef(reinterpret_cast<const char *>(words),
                                 field.words * sizeof *words)));
  }
}

void gpuexec::rpc::trace_stream(Port &port, const Step &step,
                                const LaneBytes &bytes) {
  const unsigned lane = unsigned(llvm::countr_zero(port.mask()));
  note(port, step.name,
       step.kind == Step::Kind::text ? to_json(bytes[lane])
                                     : to_json(bytes.size(lane)));
}
