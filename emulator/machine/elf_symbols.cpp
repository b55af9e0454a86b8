//===-- emulator/machine/elf_symbols.cpp - Names from an ELF image --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing is parsed before the first report: most programs never need one.
//===----------------------------------------------------------------------===//
#include "emulator/machine/elf_symbols.h"
#include "debug-info/demangle.h"
#include "debug-info/functions.h"
#include "debug-info/source_lines.h"

#include <map>
#include <mutex>
#include <optional>

namespace gpuexec::emulator {

namespace {
class ElfSymbols final : public SymbolSource {
public:
  ElfSymbols(llvm::StringRef image, uint64_t delta, bool prepare)
      : image(image.begin(), image.end()), delta(delta) {
    if (!prepare)
      return;
    prepared.emplace(text(), debug_info::Reading::inlining);
    demangler.emplace();
  }
  Names look_up(const std::vector<uint64_t> &pcs) override;
  uint64_t find(const std::string &name) override;

private:
  llvm::StringRef text() const { return {image.data(), image.size()}; }
  void read_functions();
  void read_lines(const std::vector<uint64_t> &pcs);
  std::vector<Frame> with_function(std::vector<Frame> frames,
                                   uint64_t address) const;
  void make_readable(std::vector<std::vector<Frame>> &all);
  std::mutex lock;
  std::vector<char> image; // the client may free its own after loading
  uint64_t delta;
  bool has_functions = false;
  debug_info::Functions functions;
  std::map<uint64_t, std::vector<Frame>> known; // pc -> frames, innermost first
  std::map<std::string, std::string> readable;  // mangled names of C++
  std::optional<debug_info::PreparedLines> prepared;
  std::optional<debug_info::PreparedDemangler> demangler;
  std::string trouble; // why the debug information could not be read, which
                       // is then not tried again; else empty
};
} // namespace

/// `known` is emptied when it holds more program counters.
static constexpr size_t MOST_KNOWN = 4096;

void ElfSymbols::read_functions() {
  has_functions = true;
  functions.add(text());
  functions.sort();
}

/// Reads the frames of those pcs that are not in `known`.
void ElfSymbols::read_lines(const std::vector<uint64_t> &pcs) {
  if (known.size() > MOST_KNOWN)
    known.clear();
  std::vector<uint64_t> wanted, addresses;
  for (uint64_t pc : pcs)
    if (known.try_emplace(pc).second) {
      wanted.push_back(pc);
      addresses.push_back(pc - delta);
    }
  if (wanted.empty() || !trouble.empty())
    return;
  debug_info::SourceLines lines =
      prepared ? prepared->read(addresses)
               : debug_info::read_source_lines(text(), addresses,
                                               debug_info::Reading::inlining);
  trouble = std::move(lines.trouble);
  for (size_t i = 0; i < wanted.size(); ++i)
    for (debug_info::SourceFrame &line : lines.frames[i]) {
      Frame frame;
      frame.function = std::move(line.function);
      frame.file = std::move(line.file);
      frame.line = line.line;
      frame.column = line.column;
      known[wanted[i]].push_back(std::move(frame));
    }
}

/// Frames from debug information, completed from the symbol table. The
/// outermost function may have no lines: it may be start-up code, without debug
/// information, into which others were inlined.
std::vector<SymbolSource::Frame>
ElfSymbols::with_function(std::vector<Frame> frames, uint64_t address) const {
  const debug_info::Functions::Function *function = functions.find(address);
  if (!function)
    return frames;
  if (frames.empty())
    frames.emplace_back();
  Frame &last = frames.back();
  if (last.file.empty() || last.function.empty())
    last.function = function->name;
  last.offset = address - function->begin;
  return frames;
}

/// Replaces C++'s mangled names of functions.
void ElfSymbols::make_readable(std::vector<std::vector<Frame>> &all) {
  if (readable.size() > MOST_KNOWN)
    readable.clear();
  std::vector<std::string> wanted;
  for (const std::vector<Frame> &frames : all)
    for (const Frame &frame : frames)
      if (debug_info::is_mangled(frame.function) &&
          readable.try_emplace(frame.function, frame.function).second)
        wanted.push_back(frame.function);
  const std::vector<std::string> names =
      demangler ? demangler->demangle(wanted) : debug_info::demangle(wanted);
  for (size_t i = 0; i < wanted.size(); ++i)
    readable[wanted[i]] = names[i];
  for (std::vector<Frame> &frames : all)
    for (Frame &frame : frames)
      if (auto found = readable.find(frame.function); found != readable.end())
        frame.function = found->second;
}

SymbolSource::Names ElfSymbols::look_up(const std::vector<uint64_t> &pcs) {
  std::lock_guard guard(lock);
  if (!has_functions)
    read_functions();
  read_lines(pcs);
  Names names;
  for (uint64_t pc : pcs)
    names.frames.push_back(with_function(known[pc], pc - delta));
  make_readable(names.frames);
  names.trouble = trouble;
  return names;
}

uint64_t ElfSymbols::find(const std::string &name) {
  std::lock_guard guard(lock);
  if (!has_functions)
    read_functions();
  const debug_info::Functions::Function *function = functions.named(name);
  return function ? function->begin + delta : 0;
}

std::shared_ptr<SymbolSource> make_elf_symbols(llvm::StringRef image,
                                               uint64_t delta, bool prepare) {
  return std::make_shared<ElfSymbols>(image, delta, prepare);
}

} // namespace gpuexec::emulator
