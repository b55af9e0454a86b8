//===-- emulator/machine/memory.cpp - What memory the device can see ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See memory.h for the rules. Writers hold Books::lock; readers only load
// slots. A slot is published last, after all that it leads to is complete.
// Tables are never given back before the address space itself.
//===----------------------------------------------------------------------===//
#include "emulator/machine/memory.h"

#include <algorithm>
#include <map>

namespace gpuexec::emulator {

namespace {
constexpr size_t FREED_HISTORY = 16384;

struct RegionList {
  uint32_t count;
  const Region *regions[1]; // `count` of them
  static RegionList *make(const std::vector<const Region *> &regions) {
    void *memory =
        ::operator new(sizeof(RegionList) + sizeof(Region *) * regions.size());
    auto *list = static_cast<RegionList *>(memory);
    list->count = uint32_t(regions.size());
    std::copy(regions.begin(), regions.end(), list->regions);
    return list;
  }
  std::vector<const Region *> members() const {
    return {regions, regions + count};
  }
};
} // namespace

const char *name_of(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::device:
    return "device memory";
  case MemoryKind::fine_host:
    return "fine-grained host memory";
  case MemoryKind::coarse_host:
    return "coarse-grained host memory";
  case MemoryKind::arguments:
    return "kernel argument memory";
  case MemoryKind::locked_host:
    return "locked host memory";
  case MemoryKind::code:
    return "code object memory";
  case MemoryKind::runtime:
    return "runtime memory";
  }
  return "memory";
}

struct AddressSpace::Retired {
  uint64_t
      epoch; // readers that entered before it may still hold what is retired
  const Region *region = nullptr;
  RegionList *list = nullptr;
  Release release = nullptr;
  void *context = nullptr;
};

struct AddressSpace::Books {
  mutable std::mutex lock;
  std::map<uint64_t, Region *> regions;
  std::deque<FreedRegion> freed;
  std::vector<Reader *> readers;
  std::deque<Retired> retired;
  std::vector<std::unique_ptr<Table>> tables;
  std::vector<RegionList *> replaced_lists; // in the current add() or remove()
  uint64_t next_id = 1;
  uint64_t live_bytes = 0;
};

AddressSpace::AddressSpace() : books(std::make_unique<Books>()) {}

AddressSpace::~AddressSpace() {
  while (!books->regions.empty())
    remove(books->regions.begin()->first);
  collect();
  for (Retired &retired :
       books->retired) { // a Reader is still inside, against the rules
    delete retired.region;
    ::operator delete(retired.list);
  }
}

const Region *AddressSpace::find_in_list(uintptr_t entry, uint64_t address) {
  const RegionList *list = reinterpret_cast<const RegionList *>(entry);
  for (uint32_t i = 0; i < list->count; ++i)
    if (address - list->regions[i]->begin < list->regions[i]->size())
      return list->regions[i];
  return nullptr;
}

// Enters (or takes out) `region` in all slots of `table` that hold bytes of
// [first, last]; both lie in the table's range.
void AddressSpace::set_range(Table &table, unsigned shift, uint64_t first,
                             uint64_t last, const Region *region, bool insert) {
  uint64_t slot_size = uint64_t(1) << shift;
  for (uint64_t begin = first & ~(slot_size - 1); begin <= last;
       begin += slot_size) {
    uint64_t end = begin + (slot_size - 1); // inclusive
    std::atomic<uintptr_t> &slot =
        table.slots[(begin >> shift) & (TABLE_SIZE - 1)];
    uintptr_t entry = slot.load(std::memory_order_relaxed);
    uintptr_t mine = reinterpret_cast<uintptr_t>(region);
    if (shift == PAGE_BITS) {
      std::vector<const Region *> members;
      if (entry & IS_LIST) {
        auto *list = reinterpret_cast<RegionList *>(entry & ~TAGS);
        members = list->members();
        books->replaced_lists.push_back(list);
      } else if (entry) {
        members.push_back(reinterpret_cast<const Region *>(entry));
      }
      if (insert)
        members.push_back(region);
      else
        std::erase(members, region);
      if (members.empty())
        entry = 0;
      else if (members.size() == 1)
        entry = reinterpret_cast<uintptr_t>(members[0]);
      else
        entry =
            reinterpret_cast<uintptr_t>(RegionList::make(members)) | IS_LIST;
      slot.store(entry, std::memory_order_release);
      continue;
    }
    if (first <= begin && end <= last && !(entry & IS_TABLE)) {
      slot.store(insert ? mine : 0,
                 std::memory_order_release); // it covers the whole slot:
                                             // nothing else is here
      continue;
    }
    if (!(entry & IS_TABLE)) {
      books->tables.push_back(std::make_unique<Table>());
      entry =
          reinterpret_cast<uintptr_t>(books->tables.back().get()) | IS_TABLE;
      slot.store(entry, std::memory_order_release);
    }
    set_range(*reinterpret_cast<Table *>(entry & ~TAGS), shift - TABLE_BITS,
              std::max(first, begin), std::min(last, end), region, insert);
  }
}

// Not inlined: the thread sanitizer must see that the region was published, and
// the handlers, which call this, are compiled without the sanitizer.
bool AddressSpace::may_access(uint64_t address, uint32_t size,
                              bool write) const {
  const Region *region = find(address);
  while (region && (!write || region->may_write())) {
    if (size <= region->end - address)
      return true;
    size -= uint32_t(region->end - address);
    address = region->end;
    if (address % PAGE_SIZE)
      return false;
    region = find(address);
  }
  return false;
}

const Region *RegionCache::miss(uint64_t address, uint32_t size) {
  const Region *region = space->find(address);
  if (!region)
    return nullptr;
  entries[next] = {region->begin, region->end - region->begin, region};
  next = (next + 1) % (sizeof(entries) / sizeof(entries[0]));
  return size <= region->end - address ? region : nullptr;
}

// Two regions of a span meet where a page begins. The other ends of the span
// may lie anywhere.
bool RegionCache::find_span(uint64_t begin, uint64_t end) {
  constexpr unsigned MOST_REGIONS = 1024, ALWAYS = 64, SELDOM = 64;
  // A program whose lanes use distant memory must not pay for this each time:
  // after the first ALWAYS calls of an epoch, one call in SELDOM looks.
  if (span_tries >= ALWAYS && span_tries++ % SELDOM)
    return false;
  ++span_tries;
  const Region *first = space->find(begin);
  if (!first || !first->may_write())
    return false;
  const Region *last = first;
  for (unsigned k = 0; k < MOST_REGIONS; ++k) {
    if (last->end % AddressSpace::PAGE_SIZE)
      break;
    const Region *after = space->find(last->end);
    if (!after || !after->may_write() || after->begin != last->end)
      break;
    last = after;
  }
  if (end > last->end)
    return false;
  for (unsigned k = 0; k < MOST_REGIONS; ++k) {
    if (first->begin % AddressSpace::PAGE_SIZE)
      break;
    const Region *before = space->find(first->begin - 1);
    if (!before || !before->may_write())
      break;
    first = before;
  }
  // The new span is put first. If it contains the one that was first, it
  // replaces that; else the others move up.
  for (unsigned k = SPANS - 1; k > 0; --k)
    if (spans[0].begin < first->begin || spans[0].begin >= last->end)
      spans[k] = spans[k - 1];
  spans[0] = {first->begin, last->end - first->begin};
  return true;
}

const Region *AddressSpace::add(Region description) {
  if (description.begin >= description.end ||
      description.end > uint64_t(1) << ADDRESS_BITS)
    return nullptr;
  description.mapped_end = std::max(description.mapped_end, description.end);
  std::lock_guard guard(books->lock);
  auto after = books->regions.upper_bound(description.begin);
  if (after != books->regions.end() && after->first < description.end)
    return nullptr;
  if (after != books->regions.begin() &&
      std::prev(after)->second->end > description.begin)
    return nullptr;
  auto *region = new Region(std::move(description));
  region->id = books->next_id++;
  books->live_bytes += region->size();
  books->regions.emplace_hint(after, region->begin, region);
  set_range(root, ROOT_SHIFT, region->begin, region->end - 1, region, true);
  // Lists that were replaced may still be looked at; they go with the next
  // epoch.
  if (!books->replaced_lists.empty()) {
    uint64_t epoch = current_epoch.fetch_add(1, std::memory_order_acq_rel) + 1;
    for (RegionList *list : books->replaced_lists)
      books->retired.push_back({epoch, nullptr, list, nullptr, nullptr});
    books->replaced_lists.clear();
    retired_count.store(uint32_t(books->retired.size()),
                        std::memory_order_relaxed);
  }
  return region;
}

bool AddressSpace::remove(uint64_t begin, Release release, void *context) {
  {
    std::lock_guard guard(books->lock);
    auto found = books->regions.find(begin);
    if (found == books->regions.end())
      return false;
    Region *region = found->second;
    books->regions.erase(found);
    books->live_bytes -= region->size();
    set_range(root, ROOT_SHIFT, region->begin, region->end - 1, region, false);
    uint64_t epoch = current_epoch.fetch_add(1, std::memory_order_acq_rel) + 1;
    books->retired.push_back({epoch, region, nullptr, release, context});
    for (RegionList *list : books->replaced_lists)
      books->retired.push_back({epoch, nullptr, list, nullptr, nullptr});
    books->replaced_lists.clear();
    books->freed.push_back(
        {region->begin, region->end, region->id, region->kind, region->name});
    if (books->freed.size() > FREED_HISTORY)
      books->freed.pop_front();
    retired_count.store(uint32_t(books->retired.size()),
                        std::memory_order_relaxed);
  }
  collect();
  return true;
}

void AddressSpace::allow_writes(uint64_t address) {
  std::lock_guard guard(books->lock);
  auto next = books->regions.upper_bound(address);
  if (next == books->regions.begin())
    return;
  Region *region = std::prev(next)->second;
  if (address < region->end && !region->code_end)
    __atomic_store_n(&region->writable, true, __ATOMIC_RELAXED);
}

void AddressSpace::collect() {
  std::vector<Retired> due;
  {
    std::lock_guard guard(books->lock);
    if (books->retired.empty())
      return;
    uint64_t oldest = OUTSIDE;
    // A read-modify-write, so that a reader that enters after our look also
    // sees the slots that we cleared before it.
    for (Reader *reader : books->readers)
      oldest = std::min(
          oldest, reader->inside_since.fetch_add(0, std::memory_order_acq_rel));
    while (!books->retired.empty() && books->retired.front().epoch <= oldest) {
      due.push_back(books->retired.front());
      books->retired.pop_front();
    }
    retired_count.store(uint32_t(books->retired.size()),
                        std::memory_order_relaxed);
  }
  for (Retired &retired : due) {
    if (retired.release)
      retired.release(retired.context, retired.region->begin,
                      retired.region->mapped_end);
    delete retired.region;
    ::operator delete(retired.list);
  }
}

AddressSpace::Reader::Reader(AddressSpace &space) : space(space) {
  std::lock_guard guard(space.books->lock);
  space.books->readers.push_back(this);
}

AddressSpace::Reader::~Reader() {
  std::lock_guard guard(space.books->lock);
  std::erase(space.books->readers, this);
}

void AddressSpace::Reader::enter() {
  inside_since.exchange(space.current_epoch.load(std::memory_order_acquire),
                        std::memory_order_acq_rel);
}

void AddressSpace::Reader::leave() {
  inside_since.store(OUTSIDE, std::memory_order_release);
}

std::optional<AddressSpace::Nearest>
AddressSpace::nearest(uint64_t address) const {
  std::lock_guard guard(books->lock);
  auto after = books->regions.upper_bound(address);
  std::optional<Nearest> best;
  if (after != books->regions.begin()) {
    const Region &region = *std::prev(after)->second;
    best = Nearest{region, address < region.end ? 0 : address - region.end + 1,
                   false};
  }
  if (after != books->regions.end() &&
      (!best || after->first - address < best->distance))
    best = {*after->second, after->first - address, true};
  return best;
}

uint64_t AddressSpace::next_begin(uint64_t address) const {
  std::lock_guard guard(books->lock);
  auto after = books->regions.upper_bound(address);
  return after == books->regions.end() ? ~uint64_t(0) : after->first;
}

std::optional<FreedRegion> AddressSpace::freed(uint64_t address) const {
  std::lock_guard guard(books->lock);
  for (auto region = books->freed.rbegin(); region != books->freed.rend();
       ++region)
    if (address - region->begin < region->end - region->begin)
      return *region;
  return std::nullopt;
}

std::vector<Region> AddressSpace::regions() const {
  std::lock_guard guard(books->lock);
  std::vector<Region> all;
  for (auto &[begin, region] : books->regions)
    all.push_back(*region);
  return all;
}

uint64_t AddressSpace::live_bytes() const {
  std::lock_guard guard(books->lock);
  return books->live_bytes;
}

} // namespace gpuexec::emulator
