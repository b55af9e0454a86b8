//===-- emulator/hsa/symbols.cpp - Names for program counters -------------===//
// Nothing is parsed before the first report: most programs never need one.
//===----------------------------------------------------------------------===//
#include "emulator/hsa/code_object.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

#include <algorithm>

namespace gpuexec::emulator {

namespace {
class ElfSymbols final : public SymbolSource {
public:
  ElfSymbols(std::shared_ptr<const CodeObjectBytes> bytes, uint64_t delta)
      : image(bytes->data, bytes->data + bytes->size), delta(delta) {}
  std::vector<Frame> frames(uint64_t pc) override;

private:
  void parse();
  struct Function {
    uint64_t begin, size;
    std::string name;
  };
  std::mutex lock;
  std::vector<char> image; // the client may free its own after loading
  uint64_t delta;
  bool parsed = false;
  std::unique_ptr<llvm::object::ObjectFile> file;
  std::unique_ptr<llvm::DWARFContext> dwarf;
  std::vector<Function> functions; // by address
};
} // namespace

void ElfSymbols::parse() {
  parsed = true;
  auto object =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(
          llvm::StringRef(image.data(), image.size()), "code object"));
  if (!object) {
    llvm::consumeError(object.takeError());
    return;
  }
  file = std::move(*object);
  for (const auto &symbol :
       llvm::object::ELFObjectFileBase::elf_symbol_iterator_range(
           llvm::cast<llvm::object::ELFObjectFileBase>(*file).symbols())) {
    auto name = symbol.getName();
    auto type = symbol.getType();
    auto address = symbol.getAddress();
    if (name && type && address &&
        *type == llvm::object::SymbolRef::ST_Function)
      functions.push_back({*address, symbol.getSize(), name->str()});
    for (auto *error : {&name})
      if (!*error)
        llvm::consumeError(error->takeError());
    if (!type)
      llvm::consumeError(type.takeError());
    if (!address)
      llvm::consumeError(address.takeError());
  }
  std::sort(functions.begin(), functions.end(),
            [](const auto &a, const auto &b) { return a.begin < b.begin; });
  // Bad debug information costs the line, not the report.
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  dwarf = llvm::DWARFContext::create(
      *file, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
      ignore, ignore);
}

std::vector<SymbolSource::Frame> ElfSymbols::frames(uint64_t pc) {
  std::lock_guard guard(lock);
  if (!parsed)
    parse();
  uint64_t address = pc - delta;
  std::vector<Frame> result;
  const Function *function = nullptr;
  auto after = std::upper_bound(functions.begin(), functions.end(), address,
                                [](uint64_t value, const Function &function) {
                                  return value < function.begin;
                                });
  if (after != functions.begin() &&
      address - std::prev(after)->begin <
          std::max<uint64_t>(std::prev(after)->size, 1))
    function = &*std::prev(after);
  if (dwarf) {
    llvm::DILineInfoSpecifier specifier(
        llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
        llvm::DILineInfoSpecifier::FunctionNameKind::ShortName);
    auto inlined = dwarf->getInliningInfoForAddress(
        {address, llvm::object::SectionedAddress::UndefSection}, specifier);
    for (uint32_t i = 0; i < inlined.getNumberOfFrames(); ++i) {
      const llvm::DILineInfo &line = inlined.getFrame(i);
      Frame frame;
      if (line.FunctionName != llvm::DILineInfo::BadString)
        frame.function = line.FunctionName;
      if (line.FileName != llvm::DILineInfo::BadString && line.Line)
        frame.file = line.FileName;
      frame.line = line.Line;
      frame.column = line.Column;
      result.push_back(std::move(frame));
    }
  }
  if (!result.empty() && (!result.back().file.empty() || !function)) {
    if (result.back().function.empty() && function)
      result.back().function = function->name;
    return result;
  }
  if (!function)
    return {};
  Frame frame;
  frame.function = function->name;
  frame.offset = address - function->begin;
  return {frame};
}

std::shared_ptr<SymbolSource>
make_symbol_source(std::shared_ptr<const CodeObjectBytes> bytes,
                   uint64_t delta) {
  return std::make_shared<ElfSymbols>(std::move(bytes), delta);
}

} // namespace gpuexec::emulator
