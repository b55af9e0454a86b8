//===-- lending/wire/facts.cpp - A device's facts as bytes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/facts.h"
#include "lending/wire/link.h"
#include "loader/device/backend.h"
#include "support/printable.h"

namespace gpuexec::remote {

void put(Writer &to, const DeviceInfo &info) {
  to.text(info.backend).put(uint8_t(info.emulated)).put(info.index);
  to.text(info.name).text(info.target_id);
  to.put(info.memory).put(info.units).put(info.waves_per_unit);
  to.put(uint8_t(info.reaches_host_memory));
  to.put(uint8_t(info.writes_core_dumps));
  to.text(info.units_name);
}

/// The name among those that this program knows, so that it lives as long.
static const char *known_backend(llvm::StringRef name) {
  for (const Backend *backend : backends())
    if (name == backend->name)
      return backend->name;
  return "";
}

DeviceInfo take_info(Reader &from) {
  DeviceInfo info;
  info.backend = known_backend(from.text());
  info.emulated = from.take_flag();
  info.index = from.take<uint32_t>();
  info.name = printable_lines(from.text());
  info.target_id = printable_lines(from.text());
  info.memory = from.take<uint64_t>();
  info.units = from.take<uint32_t>();
  info.waves_per_unit = from.take<uint32_t>();
  info.reaches_host_memory = from.take_flag();
  info.writes_core_dumps = from.take_flag();
  static constexpr char MULTIPROCESSORS[] = "multiprocessors";
  if (from.text() == MULTIPROCESSORS)
    info.units_name = MULTIPROCESSORS;
  return info;
}

void put(Writer &to, const MemoryRange &range) {
  to.put(range.begin).put(range.size).put(uint8_t(range.writable));
}

MemoryRange take_range(Reader &from) {
  MemoryRange range;
  range.begin = from.take<DeviceAddress>();
  range.size = from.take<uint64_t>();
  range.writable = from.take_flag();
  return range;
}

void put(Writer &to, const LaunchSettings &settings) {
  put_optional(to, settings.stack_size);
  put_optional(to, settings.heap_size);
  put_optional(to, settings.recursion_size);
}

LaunchSettings take_settings(Reader &from) {
  LaunchSettings settings;
  settings.stack_size = take_optional<uint64_t>(from);
  settings.heap_size = take_optional<uint64_t>(from);
  settings.recursion_size = take_optional<uint64_t>(from);
  return settings;
}

void put(Writer &to, const Facts &facts) {
  put(to, facts.info);
  to.put(facts.hertz).put(uint8_t(facts.all_is_shared));
}

Facts take_facts(Reader &from) {
  Facts facts;
  facts.info = take_info(from);
  facts.hertz = from.take<uint64_t>();
  facts.all_is_shared = from.take_flag();
  return facts;
}

Reply put_error(Writer &to, llvm::Error error) {
  Reply kind = Reply::failure;
  auto put_failure = [&](Reason reason, const std::string &text) {
    to.put(int32_t(reason)).text(shortened(text));
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceFault &fault) {
        kind = Reply::fault;
        to.text(shortened(fault.message())).text(shortened(fault.report()));
        to.put(int32_t(fault.signal()));
      },
      [&](const Failure &failed) {
        put_failure(failed.reason(), failed.message());
      },
      [&](const ImageError &bad) {
        put_failure(Reason::not_runnable, bad.message());
      },
      [&](const llvm::ErrorInfoBase &other) {
        put_failure(Reason::failed, other.message());
      });
  return kind;
}

} // namespace gpuexec::remote
