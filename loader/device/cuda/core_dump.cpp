//===-- loader/device/cuda/core_dump.cpp - Core dump of a fault -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/core_dump.h"
#include "loader/device/cuda/code_map.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <vector>

namespace gpuexec::cuda {

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace {

using Elf = object::ELF64LE;

/// Section types of cudacoredump.h.
enum Table : uint32_t {
  RELOCATED_IMAGE = ELF::SHT_LOUSER + 7,
  BACKTRACE = ELF::SHT_LOUSER + 8,
  MULTIPROCESSORS = ELF::SHT_LOUSER + 11,
  BLOCKS = ELF::SHT_LOUSER + 13,
  WARPS = ELF::SHT_LOUSER + 14,
  LANES = ELF::SHT_LOUSER + 15,
};

/// Offsets of fields in a row, and the size that a row needs to have them.
namespace multiprocessor_row {
enum { exception = 8, has_error_pc = 12, error_pc = 16, size = 24 };
}
namespace block_row {
enum { x = 8, y = 12, z = 16, size = 20 };
}
namespace warp_row {
enum {
  error_pc = 0,
  active = 16,
  is_broken = 20,
  has_error_pc = 24,
  size = 28
};
}
namespace lane_row {
enum { pc = 0, lane = 16, x = 20, y = 24, z = 28, exception = 32, size = 36 };
}
namespace call_row {
enum { return_address = 8, size = 16 };
}

/// The most places that are described, and callers of each.
constexpr size_t MOST_PLACES = 4, MOST_CALLERS = 16;
/// The most callers of a thread that are read; no stack has more.
constexpr uint64_t MAX_CALLERS = 1 << 16;

/// Names of the exceptions CUDA_EXCEPTION_n, from cuda-gdb's manual.
std::string name_of_exception(uint32_t number) {
  static const char *const names[] = {
      nullptr,
      "illegal address",
      "the thread's stack is full",
      "the hardware's stack is full",
      "illegal instruction",
      "address out of range",
      "misaligned address",
      "wrong address space",
      "invalid program counter",
      "the hardware's stack is full",
      "illegal address",
      "misaligned address",
      "assertion failed",
      "system call failed",
      "illegal address",
  };
  if (number == 0)
    return "trap";
  if (number < std::size(names))
    return names[number];
  return "exception " + std::to_string(number);
}

std::string triple(const uint8_t *row, unsigned x) {
  return "(" + std::to_string(read32le(row + x)) + "," +
         std::to_string(read32le(row + x + 4)) + "," +
         std::to_string(read32le(row + x + 8)) + ")";
}

/// A place in the code, its callers, and the threads that faulted there.
struct Place {
  uint32_t exception = 0;
  std::vector<uint64_t> pcs; ///< the fault's, then its callers'
  std::string first;         ///< the thread that is named
  uint64_t threads = 0;
};

class CoreDump {
public:
  explicit CoreDump(const object::ELFFile<Elf> &file,
                    object::ELFFile<Elf>::Elf_Shdr_Range sections)
      : file(file), sections(sections) {
    for (const auto &section : sections)
      if (section.sh_type == BACKTRACE)
        traces.emplace(std::make_pair(section.sh_link, section.sh_info),
                       &section);
  }

  std::string describe() {
    collect(/*exceptions=*/true);
    if (places.empty())
      collect(/*exceptions=*/false);
    if (places.empty())
      collect_from_multiprocessors();
    if (places.empty())
      return {};
    CodeMap code = names_of_places();
    std::string text;
    raw_string_ostream out(text);
    for (size_t i = 0; i < places.size() && i < MOST_PLACES; ++i)
      print(out, places[i], code);
    if (places.size() > MOST_PLACES)
      out << "  and at " << places.size() - MOST_PLACES << " other places\n";
    if (!code.trouble().empty())
      out << "  (no line numbers: " << code.trouble() << ")\n";
    return text;
  }

private:
  ArrayRef<uint8_t> bytes_of(const Elf::Shdr &section) {
    Expected<ArrayRef<uint8_t>> bytes = file.getSectionContents(section);
    if (bytes)
      return *bytes;
    consumeError(bytes.takeError());
    return {};
  }

  /// Row `index` of a table, or null when it has none that is `needed` long.
  const uint8_t *row(const Elf::Shdr &table, uint64_t index, size_t needed) {
    ArrayRef<uint8_t> bytes = bytes_of(table);
    uint64_t size = table.sh_entsize;
    if (size < needed || index >= bytes.size() / size)
      return nullptr;
    return bytes.data() + index * size;
  }

  /// The row of the parent table to which a table's rows belong.
  const uint8_t *parent(const Elf::Shdr &table, uint32_t type, size_t needed,
                        const Elf::Shdr *&above) {
    if (table.sh_link >= sections.size())
      return nullptr;
    above = &sections[table.sh_link];
    return above->sh_type == type ? row(*above, table.sh_info, needed)
                                  : nullptr;
  }

  /// Collects the threads with an exception; or, if not `exceptions`, those of
  /// stopped warps, because the driver does not report a trap as an exception.
  void collect(bool exceptions) {
    for (const auto &lanes : sections) {
      if (lanes.sh_type != LANES)
        continue;
      const Elf::Shdr *warps = nullptr, *blocks = nullptr;
      const uint8_t *warp = parent(lanes, WARPS, warp_row::size, warps);
      const uint8_t *block =
          warp ? parent(*warps, BLOCKS, block_row::size, blocks) : nullptr;
      if (!block || (!exceptions && !read32le(warp + warp_row::is_broken)))
        continue;
      for (uint64_t i = 0; const uint8_t *lane = row(lanes, i, lane_row::size);
           ++i)
        add(lane, warp, block, uint32_t(&lanes - sections.begin()), i,
            exceptions);
    }
  }

  /// Collects faults from the multiprocessors. A thread goes on, and may end,
  /// while its store is under way; then only the multiprocessor has the fault.
  void collect_from_multiprocessors() {
    for (const auto &section : sections) {
      if (section.sh_type != MULTIPROCESSORS)
        continue;
      for (uint64_t i = 0;
           const uint8_t *found = row(section, i, multiprocessor_row::size);
           ++i) {
        Place place;
        place.exception = read32le(found + multiprocessor_row::exception);
        if (!place.exception)
          continue;
        if (read32le(found + multiprocessor_row::has_error_pc))
          place.pcs.push_back(read64le(found + multiprocessor_row::error_pc));
        place.first = "a thread that has ended since";
        remember(std::move(place));
      }
    }
  }

  void add(const uint8_t *lane, const uint8_t *warp, const uint8_t *block,
           uint32_t table, uint64_t index, bool exceptions) {
    uint32_t exception = read32le(lane + lane_row::exception),
             number = read32le(lane + lane_row::lane),
             active = read32le(warp + warp_row::active);
    // The dump has an exception of a warp in all lanes, also inactive ones.
    if ((exceptions && !exception) || number > 31 || !(active >> number & 1))
      return;
    Place place;
    place.exception = exception;
    place.pcs.push_back(exception && read32le(warp + warp_row::has_error_pc)
                            ? read64le(warp + warp_row::error_pc)
                            : read64le(lane + lane_row::pc));
    for (uint64_t caller : callers(table, index))
      place.pcs.push_back(caller);
    place.first = "block " + triple(block, block_row::x) + ", thread " +
                  triple(lane, lane_row::x);
    remember(std::move(place));
  }

  void remember(Place place) {
    auto [entry, is_new] = known.emplace(
        std::make_pair(place.exception, place.pcs), places.size());
    if (is_new)
      places.push_back(std::move(place));
    ++places[entry->second].threads;
  }

  /// Return addresses of a lane, its caller's first.
  std::vector<uint64_t> callers(uint32_t table, uint64_t index) {
    std::vector<uint64_t> result;
    auto trace = traces.find({table, uint32_t(index)});
    if (trace != traces.end())
      for (uint64_t i = 0; i < MAX_CALLERS; ++i) {
        const uint8_t *call = row(*trace->second, i, call_row::size);
        if (!call)
          break;
        result.push_back(read64le(call + call_row::return_address));
      }
    return result;
  }

  /// The names of all places that print() shows.
  CodeMap names_of_places() {
    std::vector<StringRef> images;
    for (const auto &section : sections)
      if (section.sh_type == RELOCATED_IMAGE)
        images.push_back(toStringRef(bytes_of(section)));
    std::vector<uint64_t> named;
    for (size_t i = 0; i < places.size() && i < MOST_PLACES; ++i)
      for (size_t k = 0; k < places[i].pcs.size() && k <= MOST_CALLERS; ++k)
        named.push_back(CodeMap::place_of(places[i].pcs[k], k > 0));
    return CodeMap(images, named);
  }

  static void print(raw_ostream &out, const Place &place, const CodeMap &code) {
    out << "  " << place.first << ": " << name_of_exception(place.exception);
    if (place.threads > 1)
      out << ", and in " << place.threads - 1 << " more threads";
    out << '\n';
    for (size_t i = 0; i < place.pcs.size(); ++i) {
      if (i > MOST_CALLERS) {
        out << "  ... " << place.pcs.size() - i << " callers ...\n";
        break;
      }
      std::string name = code.name_of(place.pcs[i], /*is_return=*/i > 0);
      out << "  #" << i << " 0x" << utohexstr(place.pcs[i], /*LowerCase=*/true)
          << (name.empty() ? "" : " in ") << name << '\n';
    }
  }

  const object::ELFFile<Elf> &file;
  const object::ELFFile<Elf>::Elf_Shdr_Range sections;
  std::vector<Place> places;
  std::map<std::pair<uint32_t, std::vector<uint64_t>>, size_t> known;
  /// (table of lanes, row) -> its backtrace.
  std::map<std::pair<uint32_t, uint32_t>, const Elf::Shdr *> traces;
};

} // namespace

Expected<std::string> describe_core_dump(MemoryBufferRef dump) {
  Expected<object::ELFFile<Elf>> file =
      object::ELFFile<Elf>::create(dump.getBuffer());
  if (!file)
    return file.takeError();
  const Elf::Ehdr &header = file->getHeader();
  if (!header.checkMagic() || header.e_type != ELF::ET_CORE ||
      header.e_machine != ELF::EM_CUDA)
    return createStringError("it is no core dump of a GPU");
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  return CoreDump(*file, *sections).describe();
}

} // namespace gpuexec::cuda
