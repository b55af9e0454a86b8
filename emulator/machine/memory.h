//===-- emulator/machine/memory.h - What memory the device can see --------===//
// The emulator runs in the client's process: a device address is a host
// address. An AddressSpace knows every live allocation and nothing else is
// there for the device, so each access is looked up before it is made.
//
// Rules that everybody relies on:
//  - Looking up takes no lock: at most four loads through a radix table over 4
//  KiB pages.
//  - A Region object and the memory it names stay in place while a Reader that
//  could have found it is still inside
//    (see Reader); after remove() no lookup finds the region any more and
//    epoch() has changed.
//  - A RegionCache must compare epochs before each instruction (refresh()), so
//  that it never hits a freed region.
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
  device,      // the device's own memory
  fine_host,   // host memory that both sides see at once
  coarse_host, // host memory, visible at kernel boundaries (here: at once as
               // well)
  kernarg,     // kernel arguments
  locked_host, // the client's own memory, made visible by locking it
  code,        // a loaded segment of a code object
  runtime,     // queues, signals: the runtime's own
};

/// A word for reports, "device memory" for instance.
const char *name_of(MemoryKind kind);

/// One live allocation. Everything but `shadow`'s bytes is constant while the
/// region can be found.
struct Region {
  uint64_t begin = 0;
  // One past the last byte that the device may touch: whole words are read to a
  // string's end.
  uint64_t end = 0;
  uint64_t asked_end = 0;  // one past the last byte that was asked for, for
                           // reports; 0: the same as end
  uint64_t mapped_end = 0; // one past the last readable byte: scalar loads may
                           // be widened up to here
  uint64_t code_end = 0;   // one past the last byte that may be an instruction;
                           // 0: none may
  bool writable = true;
  MemoryKind kind = MemoryKind::device;
  uint64_t id = 0; // counts allocations from 1, in the order of their creation
  std::string
      name; // what is there ("segment 1 of code object hello"), may be empty
  uint8_t *shadow = nullptr; // --check=uninit: one byte per byte from begin, a
                             // bit set = defined; null: all of it is
  uint64_t size() const { return end - begin; }
  uint64_t asked_size() const { return (asked_end ? asked_end : end) - begin; }
};

/// The device reads strings and the like in aligned words of up to this many
/// bytes: regions end at a multiple of it.
inline constexpr uint64_t REGION_ALIGNMENT = 16;

/// A region that is no more, for reports.
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
  /// Addresses below are "the null page".
  static constexpr uint64_t NULL_PAGE_END = 0x10000;

  AddressSpace();
  ~AddressSpace();
  AddressSpace(const AddressSpace &) = delete;
  AddressSpace &operator=(const AddressSpace &) = delete;

  /// The live region that contains `address`, or null. Thread-safe, takes no
  /// lock. The caller must be inside a Reader for as long as it uses the
  /// result.
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

  /// Changes whenever a region is removed or replaced. A cached region is good
  /// only for the epoch in which it was found.
  uint64_t epoch() const {
    return current_epoch.load(std::memory_order_acquire);
  }

  /// What epoch() reads, for code that is generated.
  const std::atomic<uint64_t> *epoch_counter() const { return &current_epoch; }

  /// Makes `region` visible to the device; fills in its id. Fails (null) when
  /// it is empty, wraps, lies outside the 47-bit space or overlaps a live
  /// region by a byte. The object belongs to the address space.
  const Region *add(Region region);

  /// What to do with the memory once no reader can touch it any more.
  using Release = void (*)(void *context, uint64_t begin, uint64_t mapped_end);

  /// Takes the region that begins at `begin` away. At once for lookups;
  /// `release` is called later, by any thread, when every Reader that was
  /// inside has left. False when no region begins there.
  bool remove(uint64_t begin, Release release = nullptr,
              void *context = nullptr);

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

  /// For reports. Both take a lock; copies, so that the answer stays good.
  struct Nearest {
    Region region;
    uint64_t distance; // bytes from the address to the region's nearest byte, 0
                       // when inside
    bool before;       // the address lies before the region
  };
  std::optional<Nearest> nearest(uint64_t address) const;
  uint64_t next_begin(uint64_t address)
      const; // of the first region that begins above the address, or ~0
  std::optional<FreedRegion> freed(uint64_t address)
      const; // the latest freed region that contained the address
  std::vector<Region> regions() const; // all live ones, by address
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

/// A wave's (or a thread's) memory of the last regions it met. Not thread-safe:
/// one per wave.
class RegionCache {
public:
  explicit RegionCache(const AddressSpace &space) : space(&space) {}

  /// Once before each instruction (or uninterrupted run of accesses): forgets
  /// everything when memory was freed since.
  [[gnu::always_inline]] void refresh() {
    uint64_t now = space->epoch();
    if (now != epoch) [[unlikely]] {
      epoch = now;
      for (Entry &entry : entries)
        entry = {};
    }
  }

  /// The region that holds all of [address, address + size), or null (then
  /// report() the fault, see fault.h).
  [[gnu::always_inline]] const Region *find(uint64_t address, uint32_t size) {
    for (Entry &entry : entries)
      if (address - entry.begin < entry.length) {
        return size <= entry.length - (address - entry.begin) ? entry.region
                                                              : nullptr;
      }
    return miss(address, size);
  }

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
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_MEMORY_H
