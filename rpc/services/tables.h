//===-- rpc/services/tables.h - Handles of the program ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle is a number that is looked up, never an address. It consists of a
// slot and the slot's generation: a handle that was closed never means the
// object that has its slot now.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_TABLES_H
#define GPUEXEC_RPC_SERVICES_TABLES_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace gpuexec::rpc {

/// Thread-safe. Handles are non-zero and have their two low bits clear (spec
/// section 3.2); their high 16 bits are `MAGIC`, which no address has.
template <typename T, uint16_t MAGIC> class HandleTable {
public:
  uint64_t add(std::shared_ptr<T> object) {
    std::lock_guard lock(mutex);
    if (free_slots.empty()) {
      free_slots.push_back(uint32_t(slots.size()));
      slots.emplace_back();
    }
    uint32_t index = free_slots.back();
    free_slots.pop_back();
    slots[index].object = std::move(object);
    return uint64_t(MAGIC) << 48 | uint64_t(slots[index].generation) << 32 |
           uint64_t(index) << 2;
  }
  std::shared_ptr<T> find(uint64_t handle) {
    std::lock_guard lock(mutex);
    Slot *slot = slot_of(handle);
    return slot ? slot->object : nullptr;
  }
  /// Removes the handle's object and returns it. Null when there is none.
  std::shared_ptr<T> remove(uint64_t handle) {
    std::lock_guard lock(mutex);
    Slot *slot = slot_of(handle);
    if (!slot)
      return nullptr;
    ++slot->generation;
    free_slots.push_back(uint32_t(slot - slots.data()));
    return std::move(slot->object);
  }
  std::vector<std::shared_ptr<T>> all() {
    std::lock_guard lock(mutex);
    std::vector<std::shared_ptr<T>> objects;
    for (Slot &slot : slots)
      if (slot.object)
        objects.push_back(slot.object);
    return objects;
  }

private:
  struct Slot {
    std::shared_ptr<T> object;
    uint16_t generation = 0;
  };
  Slot *slot_of(uint64_t handle) {
    uint64_t index = (handle & 0xFFFFFFFF) >> 2;
    if (handle >> 48 != MAGIC || (handle & 3) || index >= slots.size())
      return nullptr;
    Slot &slot = slots[index];
    bool same = slot.generation == uint16_t(handle >> 32) && slot.object;
    return same ? &slot : nullptr;
  }
  std::mutex mutex;
  std::vector<Slot> slots;
  std::vector<uint32_t> free_slots;
};

/// Descriptors: small numbers, the lowest free one first, as POSIX has it.
template <typename T> class NumberTable {
public:
  static constexpr int64_t LIMIT = 1 << 20;
  /// Adds an object at the lowest free number at or above `least`, and returns
  /// the number; -1 when the table is full.
  int64_t add(std::shared_ptr<T> object, int64_t least = 0) {
    std::lock_guard lock(mutex);
    int64_t number = least > first_free ? least : first_free;
    while (size_t(number) < objects.size() && objects[number])
      ++number;
    if (number >= most)
      return -1;
    if (size_t(number) >= objects.size())
      objects.resize(number + 1);
    objects[number] = std::move(object);
    if (least <= first_free)
      first_free = number + 1;
    return number;
  }
  /// How many numbers there are for new objects: RLIMIT_NOFILE.
  int64_t limit() {
    std::lock_guard lock(mutex);
    return most;
  }
  /// Objects that are there already stay. False if `value` is above LIMIT.
  bool set_limit(int64_t value) {
    std::lock_guard lock(mutex);
    if (value < 0 || value > LIMIT)
      return false;
    most = value;
    return true;
  }
  /// The numbers in use, in order, with their objects.
  std::vector<std::pair<int64_t, std::shared_ptr<T>>> all() {
    std::lock_guard lock(mutex);
    std::vector<std::pair<int64_t, std::shared_ptr<T>>> list;
    for (size_t number = 0; number < objects.size(); ++number)
      if (objects[number])
        list.emplace_back(int64_t(number), objects[number]);
    return list;
  }
  std::shared_ptr<T> find(uint64_t number) {
    std::lock_guard lock(mutex);
    return number < objects.size() ? objects[number] : nullptr;
  }
  std::shared_ptr<T> remove(uint64_t number) {
    std::lock_guard lock(mutex);
    if (number >= objects.size() || !objects[number])
      return nullptr;
    if (int64_t(number) < first_free)
      first_free = int64_t(number);
    return std::move(objects[number]);
  }
  /// Puts `object` at `number`, which must be below LIMIT; returns the object
  /// that was there, or null.
  std::shared_ptr<T> replace(uint64_t number, std::shared_ptr<T> object) {
    std::lock_guard lock(mutex);
    if (number >= objects.size())
      objects.resize(number + 1);
    std::swap(objects[number], object);
    return object;
  }
  /// Keeps a copy of the table, which keeps its objects alive. False when a
  /// copy is kept already.
  bool keep() {
    std::lock_guard lock(mutex);
    if (kept)
      return false;
    kept = objects;
    return true;
  }
  /// Replaces the table by the copy of keep(). False when there is none.
  bool restore() {
    std::vector<std::shared_ptr<T>> old; // destroyed after the lock is released
    std::lock_guard lock(mutex);
    if (!kept)
      return false;
    old = std::exchange(objects, std::move(*kept));
    kept.reset();
    first_free = 0;
    return true;
  }

private:
  std::mutex mutex;
  std::vector<std::shared_ptr<T>> objects;
  std::optional<std::vector<std::shared_ptr<T>>> kept;
  int64_t first_free = 0; // nothing below is free
  int64_t most = LIMIT;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_TABLES_H
