//===-- replay/recorder/handles.cpp - Names that the host gave ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/handles.h"
#include "rpc/protocol/protocol.h"

namespace gpuexec::record {

HandleMap::Kind HandleMap::kind_of(uint32_t opcode, std::string_view name,
                                   bool in_answer) {
  if (name == "descriptor" ||
      (in_answer && opcode == RPC_PIPE &&
       (name == "reading" || name == "writing")) ||
      (in_answer && opcode == RPC_SOCKETPAIR &&
       (name == "first" || name == "second")))
    return Kind::descriptor;
  if (name == "handle" || name == "stream")
    return Kind::handle;
  if (name == "directory" &&
      (in_answer || (opcode != RPC_UNLINK && opcode != RPC_MKSTEMP)))
    return Kind::directory;
  return name == "process" ? Kind::process : Kind::none;
}

bool is_name(const RecordedCall &call, const Item &item) {
  return item.is_number &&
         (item.name == "address" ||
          HandleMap::kind_of(call.opcode, item.name, /*in_answer=*/true) !=
              HandleMap::Kind::none);
}

bool name_alike(const Item &a, const Item &b) {
  constexpr uint64_t FAILED = UINT64_MAX;
  if (!a.is_number || !b.is_number || a.name != b.name || a.lane != b.lane)
    return false;
  const bool zero_is_none = a.name != "descriptor";
  auto is_none = [&](const Item &item) {
    return item.number == FAILED || (zero_is_none && !item.number);
  };
  return is_none(a) ? a.number == b.number : !is_none(b);
}

static bool closes(uint32_t opcode) {
  return opcode == RPC_CLOSE || opcode == RPC_CLOSE_FILE ||
         opcode == RPC_CLOSEDIR || opcode == RPC_STREAM_PCLOSE;
}

void HandleMap::given(const RecordedCall &then, const RecordedCall &now) {
  const Items before = answer_items(then), items = answer_items(now);
  for (size_t i = 0; i < std::min(before.size(), items.size()); ++i) {
    const Kind kind = kind_of(now.opcode, items[i].name, /*in_answer=*/true);
    if (kind == Kind::none || !name_alike(before[i], items[i]))
      continue;
    for (uint32_t wave : {now.caller, 0u})
      then_by_now[{wave, wave ? items[i].lane : 0, kind, items[i].number}] =
          before[i].number;
  }
  if (closes(now.opcode))
    for (const Item &item : request_items(now))
      then_by_now.erase({now.caller, item.lane,
                         kind_of(now.opcode, item.name, /*in_answer=*/false),
                         item.number});
}

std::string HandleMap::renamed(const RecordedCall &call) const {
  std::string request;
  for (Item &item : request_items(call)) {
    const Kind kind = kind_of(call.opcode, item.name, /*in_answer=*/false);
    if (kind != Kind::none && item.is_number) {
      auto found =
          then_by_now.find({call.caller, item.lane, kind, item.number});
      if (found == then_by_now.end())
        found = then_by_now.find({0, 0, kind, item.number});
      if (found != then_by_now.end())
        item.number = found->second;
    }
    if (item.name != DAMAGED)
      pack(request, item);
  }
  return request;
}

} // namespace gpuexec::record
