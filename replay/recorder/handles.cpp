//===-- replay/recorder/handles.cpp - Handles that the host gave ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/handles.h"
#include "rpc/protocol/protocol.h"
#include "support/packed.h"
#include <algorithm>

namespace gpuexec::record {

static NameKind kind_of(uint32_t opcode, bytes item, bool in_answer) {
  const llvm::StringRef name = to_ref(item);
  if (name == "descriptor" ||
      (in_answer && opcode == RPC_PIPE &&
       (name == "reading" || name == "writing")) ||
      (in_answer && opcode == RPC_SOCKETPAIR &&
       (name == "first" || name == "second")))
    return NameKind::descriptor;
  if (name == "handle" || name == "stream")
    return NameKind::handle;
  if (name == "directory" &&
      (in_answer || (opcode != RPC_UNLINK && opcode != RPC_MKSTEMP)))
    return NameKind::directory;
  return name == "process" ? NameKind::process : NameKind::none;
}

/// Whether both values are names, or neither is.
static bool name_alike(const item &a, const item &b) {
  constexpr uint64_t FAILED = UINT64_MAX;
  if (!a.is_number || !b.is_number || a.lane != b.lane ||
      !same_bytes(a.name, b.name))
    return false;
  const bool zero_is_none = !is_text(a.name, "descriptor");
  auto is_none = [&](const item &item) {
    return item.number == FAILED || (zero_is_none && !item.number);
  };
  return is_none(a) ? a.number == b.number : !is_none(b);
}

static bool closes(uint32_t opcode) {
  return opcode == RPC_CLOSE || opcode == RPC_CLOSE_FILE ||
         opcode == RPC_CLOSEDIR || opcode == RPC_STREAM_PCLOSE;
}

std::string answer_difference(const recorded_call &expected,
                              const recorded_call &found) {
  Items then(answer_items, expected), now(answer_items, found);
  for (size_t i = 0; i < std::min(then.size(), now.size()); ++i)
    if (now[i].is_number && name_alike(then[i], now[i]) &&
        (is_text(now[i].name, "address") ||
         kind_of(found.opcode, now[i].name, /*in_answer=*/true) !=
             NameKind::none))
      now[i].number = then[i].number;
  Text text;
  describe_opcode(text, found.opcode);
  append_format(text, ": answer: ");
  return describe_items(text, then, now) ? text.printable() : std::string();
}

void HandleMap::given(const recorded_call &then, const recorded_call &now) {
  Items before(answer_items, then), items(answer_items, now);
  for (size_t i = 0; i < std::min(before.size(), items.size()); ++i) {
    const NameKind kind =
        kind_of(now.opcode, items[i].name, /*in_answer=*/true);
    if (kind == NameKind::none || !name_alike(before[i], items[i]))
      continue;
    for (uint32_t wave : {now.caller, 0u})
      then_by_now[{wave, wave ? items[i].lane : 0, kind, items[i].number}] =
          before[i].number;
  }
  if (closes(now.opcode))
    for (const item &item : Items(request_items, now))
      then_by_now.erase({now.caller, item.lane,
                         kind_of(now.opcode, item.name, /*in_answer=*/false),
                         item.number});
}

std::string HandleMap::renamed(const recorded_call &call) const {
  std::string request;
  for (const item &item : Items(request_items, call)) {
    const NameKind kind = kind_of(call.opcode, item.name, /*in_answer=*/false);
    auto found = then_by_now.end();
    if (kind != NameKind::none && item.is_number) {
      found = then_by_now.find({call.caller, item.lane, kind, item.number});
      if (found == then_by_now.end())
        found = then_by_now.find({0, 0, kind, item.number});
    }
    if (found != then_by_now.end())
      pack_number(request, found->second);
    else
      request += to_ref(item.packed);
  }
  return request;
}

} // namespace gpuexec::record
