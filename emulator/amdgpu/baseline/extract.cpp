//===-- emulator/amdgpu/baseline/extract.cpp - Stencils out of an object --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: baseline-extract STENCILS.o OUTPUT.inc
// Reads the table baseline_stencils of an object file that stencils.cpp was
// compiled to, and writes the functions that it names as arrays of C++: their
// machine code, and the places that depend on the micro-op. A function that
// needs more than holes, its own constants and the emulator's functions is left
// out, and counted: the interpreter executes what it is for.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/baseline/stencil.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <map>
#include <optional>
#include <vector>

using namespace llvm;
using namespace gpuexec::emulator::amdgpu;
using namespace gpuexec::emulator::amdgpu::baseline;

namespace {

using File = object::ELFObjectFile<object::ELF64LE>;

const std::map<StringRef, Hole> HOLES = {
#define X(name) {"hole_" #name, Hole::name},
    X(dst) X(src0) X(src1) X(src2) X(sdst) X(scond) X(cache) X(offset) X(length)
        X(cache_number) X(executions) X(room) X(next) X(cold) X(again) X(taken)
            X(now_on) X(now_off) X(dispatch) X(leave) X(imm) X(keep0) X(keep1)
                X(keep2) X(flip0) X(flip1) X(flip2) X(inst) X(handler) X(target)
                    X(target_handler) X(epoch) X(passes)
#undef X
};
const std::map<StringRef, Function> FUNCTIONS = {
    {"baseline_fill", Function::fill},
    {"baseline_forget", Function::forget},
    {"baseline_find", Function::find},
};

class Extractor {
public:
  explicit Extractor(const File &file) : file(file) {
    for (const object::SectionRef &section : file.sections()) {
      auto relocated = section.getRelocatedSection();
      if (relocated && *relocated != file.section_end())
        relocations[(*relocated)->getIndex()] = section;
    }
  }

  Error run() {
    for (const object::ELFSymbolRef symbol : file.symbols()) {
      Expected<StringRef> name = symbol.getName();
      if (!name)
        return name.takeError();
      if (*name == "baseline_stencils")
        return table(symbol);
    }
    return createStringError("no table baseline_stencils");
  }

  void write(raw_ostream &out) const {
    auto bytes = [&](const char *name, ArrayRef<uint8_t> array) {
      out << "alignas(64) constexpr unsigned char " << name << "[] = {";
      for (size_t k = 0; k < array.size(); ++k)
        out << (k % 32 ? "" : "\n") << unsigned(array[k]) << ",";
      out << "};\n";
    };
    bytes("STENCIL_CODE", code);
    bytes("STENCIL_CONSTANTS", constants);
    out << "constexpr Patch STENCIL_PATCHES[] = {\n";
    for (const Patch &p : patches)
      out << "{" << p.at << ",Hole(" << unsigned(p.hole) << "),"
          << unsigned(p.relative) << "," << unsigned(p.zero_extended) << ","
          << unsigned(p.function) << "," << p.addend << "},\n";
    out << "};\nconstexpr Stencil STENCILS[] = {\n";
    auto piece = [&](const Piece &p) {
      out << "{" << p.code << "," << p.size << "," << p.patches << ","
          << p.count << "}";
    };
    for (const Stencil &s : stencils) {
      out << "{{" << s.key.operation << "," << unsigned(s.key.kind) << ","
          << unsigned(s.key.variant) << ",{" << unsigned(s.key.source[0]) << ","
          << unsigned(s.key.source[1]) << "," << unsigned(s.key.source[2])
          << "}," << unsigned(s.key.modified) << "," << unsigned(s.key.special)
          << "," << unsigned(s.key.lanes) << "},";
      piece(s.hot);
      out << ",";
      piece(s.cold);
      out << "},\n";
    }
    out << "};\n// " << stencils.size() << " stencils; left out: " << left_out
        << "\n";
  }

private:
  struct Place {
    object::SectionRef section;
    uint64_t offset;
    uint64_t size;
  };

  /// The rows, in the order of their keys.
  Error table(const object::ELFSymbolRef &symbol) {
    auto section = symbol.getSection();
    if (!section)
      return section.takeError();
    auto contents = (*section)->getContents();
    if (!contents)
      return contents.takeError();
    const uint64_t begin = cantFail(symbol.getAddress()),
                   size = symbol.getSize();
    std::map<uint64_t, object::ELFRelocationRef> pointers;
    auto found = relocations.find((*section)->getIndex());
    if (found == relocations.end())
      return createStringError("the table names no function");
    for (const object::ELFRelocationRef r : found->second.relocations())
      pointers.insert({r.getOffset(), r});
    std::map<Key, Stencil> sorted;
    for (uint64_t at = begin; at + sizeof(Row) <= begin + size;
         at += sizeof(Row)) {
      Row row;
      std::memcpy(&row, contents->data() + at, sizeof(row));
      auto pointer = [&](uint64_t offset) {
        auto it = pointers.find(offset);
        return it == pointers.end() ? std::nullopt : function(it->second);
      };
      std::optional<Place> hot = pointer(at + offsetof(Row, code)),
                           cold = pointer(at + offsetof(Row, cold));
      if (!hot)
        continue;
      Stencil stencil{row.key, {}, {}};
      if (!take(*hot, stencil.hot) || (cold && !take(*cold, stencil.cold))) {
        ++left_out;
        continue;
      }
      sorted.insert({row.key, stencil});
    }
    for (auto &[key, stencil] : sorted)
      stencils.push_back(stencil);
    return Error::success();
  }

  /// What a pointer in the table points to.
  std::optional<Place> function(const object::ELFRelocationRef &r) const {
    auto symbol = r.getSymbol();
    if (symbol == file.symbol_end())
      return std::nullopt;
    auto section = cantFail(symbol->getSection());
    if (section == file.section_end())
      return std::nullopt;
    uint64_t offset =
        cantFail(symbol->getAddress()) + uint64_t(cantFail(r.getAddend()));
    // -ffunction-sections: a section is a function.
    return Place{*section, offset, section->getSize() - offset};
  }

  /// Copies a function's code once; false if it is not a stencil.
  bool take(const Place &place, Piece &piece) {
    auto [it, is_new] = taken.insert({place.section.getIndex(), std::nullopt});
    if (is_new)
      it->second = copy(place);
    if (it->second)
      piece = *it->second;
    return it->second.has_value();
  }

  std::optional<Piece> copy(const Place &place) {
    StringRef contents = cantFail(place.section.getContents());
    std::vector<Patch> mine;
    uint64_t size = place.size;
    auto found = relocations.find(place.section.getIndex());
    if (found != relocations.end())
      for (const object::ELFRelocationRef r : found->second.relocations()) {
        std::optional<Patch> p = patch(r);
        if (!p)
          return std::nullopt;
        mine.push_back(*p);
      }
    // What ends with a jump to the next micro-op falls through to it.
    if (!mine.empty() && mine.back().hole == Hole::next &&
        mine.back().at + 4 == size && uint8_t(contents[size - 5]) == 0xe9) {
      mine.pop_back();
      size -= 5;
    }
    Piece piece{u32(code.size()), u32(size), u32(patches.size()),
                u32(mine.size())};
    code.insert(code.end(), contents.bytes_begin(),
                contents.bytes_begin() + size);
    patches.insert(patches.end(), mine.begin(), mine.end());
    return piece;
  }

  std::optional<Patch> patch(const object::ELFRelocationRef &r) {
    auto symbol = r.getSymbol();
    if (symbol == file.symbol_end())
      return std::nullopt;
    StringRef name = cantFail(symbol->getName());
    Patch p;
    p.at = u32(r.getOffset());
    p.addend = i32(cantFail(r.getAddend()));
    switch (r.getType()) {
    case ELF::R_X86_64_32:
      p.zero_extended = 1;
      break;
    case ELF::R_X86_64_32S:
      break;
    case ELF::R_X86_64_PC32:
    case ELF::R_X86_64_PLT32:
    case ELF::R_X86_64_GOTPCREL:
    case ELF::R_X86_64_GOTPCRELX:
    case ELF::R_X86_64_REX_GOTPCRELX:
      p.relative = 1;
      break;
    default:
      return std::nullopt;
    }
    if (auto hole = HOLES.find(name); hole != HOLES.end()) {
      p.hole = hole->second;
      const bool is_number = p.hole < Hole::next;
      if (is_number == bool(p.relative))
        return std::nullopt;
      return p;
    }
    if (auto function = FUNCTIONS.find(name); function != FUNCTIONS.end()) {
      if (r.getType() != ELF::R_X86_64_GOTPCREL &&
          r.getType() != ELF::R_X86_64_GOTPCRELX &&
          r.getType() != ELF::R_X86_64_REX_GOTPCRELX)
        return std::nullopt;
      p.hole = Hole::function;
      p.function = u8(function->second);
      return p;
    }
    return p.relative ? constant(*symbol, p) : std::nullopt;
  }

  /// A reference to one of clang's pools of constants.
  std::optional<Patch> constant(const object::SymbolRef &symbol, Patch p) {
    auto section = cantFail(symbol.getSection());
    if (section == file.section_end() ||
        !cantFail(section->getName()).starts_with(".rodata.cst"))
      return std::nullopt;
    auto [it, is_new] = pools.insert({section->getIndex(), 0});
    if (is_new) {
      constants.resize(alignTo(constants.size(), 64));
      it->second = constants.size();
      StringRef bytes = cantFail(section->getContents());
      constants.insert(constants.end(), bytes.bytes_begin(), bytes.bytes_end());
    }
    p.hole = Hole::constant;
    p.addend += i32(it->second + cantFail(symbol.getAddress()));
    return p;
  }

  const File &file;
  std::map<uint64_t, object::SectionRef> relocations; // by section's number
  std::map<uint64_t, std::optional<Piece>> taken;
  std::map<uint64_t, uint64_t> pools; // section -> offset in constants
  std::vector<uint8_t> code, constants;
  std::vector<Patch> patches;
  std::vector<Stencil> stencils;
  unsigned left_out = 0;
};

} // namespace

int main(int argc, char **argv) {
  ExitOnError exit_on_error("baseline-extract: ");
  if (argc != 3) {
    errs() << "usage: baseline-extract STENCILS.o OUTPUT.inc\n";
    return 2;
  }
  auto buffer =
      exit_on_error(errorOrToExpected(MemoryBuffer::getFile(argv[1])));
  auto file = exit_on_error(File::create(*buffer));
  Extractor extractor(file);
  exit_on_error(extractor.run());
  std::error_code error;
  raw_fd_ostream out(argv[2], error);
  if (error)
    exit_on_error(errorCodeToError(error));
  extractor.write(out);
  return 0;
}
