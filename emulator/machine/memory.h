//===-- emulator/machine/memory.h - What memory the device can see --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulator runs in the client's process: a device address is a host
// address. The device may touch live regions and nothing else, and each access
// is looked up in the AddressSpace before it is made.
//
// Rules that everybody relies on:
//  - A lookup takes no lock: at most four loads through a radix tree over pages
//    of 4 KiB.
//  - After remove() no lookup finds the region and epoch() has changed. The
//    Region object and its memory stay in place until every Reader that could
//    have found it has left.
//  - Each memory instruction first calls RegionCache::refresh(), which drops
//    all entries when epoch() has changed: a cached entry is never a freed
//    region's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_MEMORY_H
#define GPUEXEC_EMULATOR_MACHINE_MEMORY_H

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::emulator {

enum class MemoryKind : uint8_t {
  device,      ///< the device's own memory
  fine_host,   ///< host memory that both sides see at once
  coarse_host, ///< host memory; other devices see it after the kernel
  arguments,   ///< host memory for kernel arguments
  locked_host, ///< the client's own memory, made visible by locking it
  code,        ///< a loaded segment of an image
  runtime,     ///< what the API publishes: queues, signals
};

/// For reports: "device memory".
const char *name_of(MemoryKind kind);

/// Memory that the device may touch. Constant while the region can be found,
/// but for the bytes of `shadow` and what AddressSpace::allow_writes does.
struct Region {
  uint64_t begin = 0;
  // Each end is one past the last byte of ...
  uint64_t end = 0;        ///< what the device may touch; see REGION_ALIGNMENT
  uint64_t asked_end = 0;  ///< what the client asked for; 0: the same as `end`
  uint64_t mapped_end = 0; ///< what the emulator may read: it widens some loads
  uint64_t code_end = 0;   ///< instructions; 0: the region has none
  bool writable = true;    ///< read it with may_write(): other threads set it
  MemoryKind kind = MemoryKind::device;
  uint64_t id = 0;  ///< counts regions from 1, in the order of their creation
  std::string name; ///< "segment 1 of the code object"; may be empty
  /// --check=uninit: a byte for each byte from `begin`; each bit that is set
  /// says that the same bit of memory is defined. Null: all are defined.
  uint8_t *shadow = nullptr;
  bool may_write() const {
    return __atomic_load_n(&writable, __ATOMIC_RELAXED);
  }
  uint64_t size() const { return end - begin; }
  uint64_t asked_size() const { return (asked_end ? asked_end : end) - begin; }
};

/// Device code reads strings in aligned words of up to this many bytes: regions
/// end at a multiple of it.
inline constexpr uint64_t REGION_ALIGNMENT = 16;

/// A region that was removed, for reports.
struct FreedRegion {
  uint64_t begin, end, id;
  MemoryKind kind;
  std::string name;
};

class AddressSpace {
public:
  static constexpr unsigned PAGE_BITS = 12;
  static constexpr uint64_t PAGE_SIZE = uint64_t(1) << PAGE_BITS;
  static constexpr unsigned ADDRESS_BITS = 47;
  /// Lower addresses are "the null page".
  static constexpr uint64_t NULL_PAGE_END = 0x10000;

  AddressSpace();
  ~AddressSpace();
  AddressSpace(const AddressSpace &) = delete;
  AddressSpace &operator=(const AddressSpace &) = delete;

  /// The live region that contains `address`, or null. Thread-safe, takes no
  /// lock. The caller must be inside a Reader while it uses the result.
  const Region *find(uint64_t address) const {
    if (address >> ADDRESS_BITS)
      return nullptr;
    uintptr_t entry = reinterpret_cast<uintptr_t>(&root);
    for (unsigned shift = ROOT_SHIFT;; shift -= TABLE_BITS) {
      const Table *table = reinterpret_cast<const Table *>(entry);
      entry = table->slots[(address >> shift) & (TABLE_SIZE - 1)].load(
          std::memory_order_acquire);
      if (entry & IS_TABLE) {
        entry &= ~uintptr_t(TAGS);
        continue;
      }
      if (entry & IS_LIST) [[unlikely]]
        return find_in_list(entry & ~uintptr_t(TAGS), address);
      const Region *region = reinterpret_cast<const Region *>(entry);
      return region && address - region->begin < region->end - region->begin
                 ? region
                 : nullptr;
    }
  }

  /// Changes when a region is removed or replaced. A cached region is valid
  /// only in the epoch in which it was found.
  uint64_t epoch() const {
    return current_epoch.load(std::memory_order_acquire);
  }

  /// True if the device may make this access: all of its bytes belong to live
  /// regions, which it may write to if it writes. From one region into the next
  /// an access may go only where a page begins, as on hardware, which maps
  /// whole pages. Slow; for what RegionCache::find() does not find in one
  /// region.
  bool may_access(uint64_t address, uint32_t size, bool write) const;

  /// What epoch() reads, for compiled code.
  const std::atomic<uint64_t> *epoch_counter() const { return &current_epoch; }

  /// Makes `region` visible to the device; fills in its id. Fails (null) when
  /// it is empty, wraps, lies outside the 47-bit space or overlaps a live
  /// region by a byte. The object belongs to the address space.
  const Region *add(Region region);

  /// Gives memory back once no reader can touch it.
  using Release = void (*)(void *context, uint64_t begin, uint64_t mapped_end);

  /// Removes the region that begins at `begin` from lookups. Any thread calls
  /// `release` later, when every Reader that was inside has left. False when no
  /// region begins there.
  bool remove(uint64_t begin, Release release = nullptr,
              void *context = nullptr);

  /// From now on the device may write to the region that contains `address`,
  /// unless it holds code. Nothing happens where there is none.
  void allow_writes(uint64_t address);

  /// Registers one thread that runs waves or touches device memory. Cheap to
  /// enter and leave; not reentrant.
  class Reader {
  public:
    explicit Reader(AddressSpace &space);
    ~Reader();
    Reader(const Reader &) = delete;
    void enter();
    void leave();

  private:
    friend class AddressSpace;
    AddressSpace &space;
    std::atomic<uint64_t> inside_since{OUTSIDE}; // epoch seen on entering
  };

  /// Calls the releases that are due. The scheduler does so between slices;
  /// remove() does too.
  void collect();
  bool has_retired() const {
    return retired_count.load(std::memory_order_relaxed) != 0;
  }

  /// For reports: these take a lock and return copies.
  struct Nearest {
    Region region;
    uint64_t distance; ///< bytes to the region's nearest byte; 0: inside
    bool before;       ///< the address lies before the region
  };
  std::optional<Nearest> nearest(uint64_t address) const;
  /// Where the first region above `address` begins, or ~0.
  uint64_t next_begin(uint64_t address) const;
  /// The last removed region that contained `address`.
  std::optional<FreedRegion> freed(uint64_t address) const;
  std::vector<Region> regions() const; ///< all live ones, by address
  uint64_t live_bytes() const;

private:
  static constexpr unsigned TABLE_BITS = 9;
  static constexpr unsigned TABLE_SIZE = 1u << TABLE_BITS;
  static constexpr unsigned ROOT_SHIFT =
      PAGE_BITS + 3 * TABLE_BITS; // 39: 512 GiB per slot of the root
  static constexpr uintptr_t IS_TABLE = 1, IS_LIST = 2, TAGS = 3;
  static constexpr uint64_t OUTSIDE = ~uint64_t(0);

  // A slot is null, a Region that covers all live bytes of the slot's range, a
  // Table one level down (IS_TABLE), or on the page level a list of several
  // regions that share the page (IS_LIST).
  struct alignas(64) Table {
    std::atomic<uintptr_t> slots[TABLE_SIZE] = {};
  };
  struct Retired;
  struct Books;

  static const Region *find_in_list(uintptr_t list, uint64_t address);
  void set_range(Table &table, unsigned shift, uint64_t first, uint64_t last,
                 const Region *region, bool insert);

  Table root;
  std::atomic<uint64_t> current_epoch{1};
  std::atomic<uint32_t> retired_count{0};
  std::unique_ptr<Books> books; // under its lock: regions by address, freed
                                // ones, readers, retired ones
};

/// Writable regions that follow each other without a gap and meet where pages
/// begin. The device may make any access that lies in the span: it may go from
/// one region into the next (AddressSpace::may_access).
struct MemorySpan {
  uint64_t begin = 0, length = 0; // empty: 0
};

/// The last regions that a wave or a thread found. Not thread-safe.
class RegionCache {
public:
  explicit RegionCache(const AddressSpace &space) : space(&space) {}

  /// To be called before each instruction: drops all entries when a region was
  /// removed since.
  [[gnu::always_inline]] void refresh() {
    uint64_t now = space->epoch();
    if (now != epoch) [[unlikely]] {
      epoch = now;
      for (Entry &entry : entries)
        entry = {};
      for (MemorySpan &span : spans)
        span = {};
      span_tries = 0;
    }
  }

  /// False if refresh() would drop something.
  [[gnu::always_inline]] bool is_fresh() const {
    return space->epoch() == epoch;
  }

  /// The region that holds all of [address, address + size). Null if no single
  /// one does: then AddressSpace::may_access() says whether several do.
  [[gnu::always_inline]] const Region *find(uint64_t address, uint32_t size) {
    for (Entry &entry : entries)
      if (address - entry.begin < entry.length) {
        return size <= entry.length - (address - entry.begin) ? entry.region
                                                              : nullptr;
      }
    return miss(address, size);
  }

  static constexpr unsigned SPANS = 2;
  /// The spans found last, the newest first.
  const MemorySpan &span(unsigned k) const { return spans[k]; }
  /// True if an access lies in the newest span.
  [[gnu::always_inline]] bool last_span_holds(uint64_t address,
                                              uint32_t size) const {
    const uint64_t offset = address - spans[0].begin;
    return offset < spans[0].length && size <= spans[0].length - offset;
  }
  /// Looks for a span that holds [begin, end), and keeps it. False if there is
  /// none. This is slow: after many calls in an epoch, most calls return false
  /// without looking.
  bool find_span(uint64_t begin, uint64_t end);

private:
  struct Entry {
    uint64_t begin = 0, length = 0;
    const Region *region = nullptr;
  };
  const Region *miss(uint64_t address, uint32_t size);

  const AddressSpace *space;
  uint64_t epoch = 0;
  unsigned next = 0;
  Entry entries[4];
  MemorySpan spans[SPANS];
  unsigned span_tries = 0; // calls of find_span() in this epoch
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_MEMORY_H
