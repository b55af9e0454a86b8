//===-- emulator/amdgpu/coverage_report.cpp - Opcode coverage ---*- C++ -*-===//
// emulator-coverage [--cpu=NAME] [--floor=FILE] [EXECUTED-FILE...]
// Prints a report in Markdown: which opcodes of the processor the emulator
// knows, and which of those the files (GPUEXEC_EMULATOR_COVERAGE) say were
// executed. With --floor, mnemonics in FILE that are not known are listed and
// make the exit status 1.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/isa.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace gpuexec::emulator;

static std::string text_of(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    llvm::errs() << "emulator-coverage: " << path << ": "
                 << buffer.getError().message() << "\n";
    std::exit(125);
  }
  return (*buffer)->getBuffer().str();
}

/// Why an opcode that is not known is none that clang emits for C or C++.
static const char *family(llvm::StringRef name) {
  if (name.contains("mfma") || name.contains("smfmac"))
    return "matrix instructions (out of scope)";
  if (name.starts_with("image_") || name.starts_with("tbuffer_") ||
      name.contains("_format_"))
    return "images and formatted buffers (graphics)";
  if (name.starts_with("v_interp_") || name.starts_with("exp") ||
      name.starts_with("s_vskip"))
    return "graphics";
  if (name.contains("gws") || name.contains("ordered_count") ||
      name.contains("_lds_") || name.ends_with("_lds"))
    return "global wave sync, direct loads to LDS";
  if (name.starts_with("s_atomic") || name.starts_with("s_buffer_atomic") ||
      name.starts_with("s_store") || name.starts_with("s_buffer_store") ||
      name.starts_with("s_scratch") || name.starts_with("s_dcache_discard") ||
      name.starts_with("s_atc"))
    return "scalar stores and atomics (clang emits none)";
  return "other";
}

int main(int argc, char **argv) {
  llvm::cl::opt<std::string> cpu("cpu", llvm::cl::init("gfx942"),
                                 llvm::cl::desc("processor"));
  llvm::cl::opt<std::string> floor(
      "floor", llvm::cl::desc("file with mnemonics that must be known"));
  llvm::cl::list<std::string> files(llvm::cl::Positional,
                                    llvm::cl::desc("executed files"));
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Instruction coverage of the emulator\n");

  auto opcodes = amdgpu::list_opcodes(cpu);
  if (!opcodes) {
    llvm::errs() << "emulator-coverage: " << llvm::toString(opcodes.takeError())
                 << "\n";
    return 125;
  }
  llvm::StringSet<> executed;
  for (const std::string &path : files) {
    std::string text = text_of(path);
    llvm::SmallVector<llvm::StringRef, 0> lines;
    llvm::StringRef(text).split(lines, '\n', -1, false);
    for (llvm::StringRef line : lines)
      executed.insert(line);
  }
  llvm::StringSet<> known;
  std::map<std::string, std::vector<std::string>> unknown, never;
  struct Sums {
    unsigned all = 0, known = 0, executed = 0;
  };
  std::map<std::string, Sums> formats;
  for (const amdgpu::Opcode &opcode : *opcodes) {
    Sums &sums = formats[opcode.format];
    ++sums.all;
    sums.known += opcode.known;
    std::string key = opcode.mnemonic;
    if (opcode.format == "SDWA" || opcode.format == "DPP")
      key += " " + opcode.format;
    if (opcode.known) {
      known.insert(opcode.mnemonic);
      if (executed.contains(key))
        ++sums.executed;
      else
        never[opcode.format].push_back(opcode.mnemonic);
    } else
      unknown[family(opcode.mnemonic)].push_back(opcode.mnemonic);
  }
  auto list = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string line;
    for (const std::string &name : names) {
      if (line.size() + name.size() > 110) {
        llvm::outs() << line << "\n";
        line.clear();
      }
      line += (line.empty() ? "" : " ") + name;
    }
    llvm::outs() << line << "\n\n";
  };
  llvm::outs() << "# Instruction coverage: " << cpu << "\n\n"
               << "Opcodes of the processor as LLVM's disassembler knows them, "
                  "by encoding.\n\n"
               << "| encoding | opcodes | known to the emulator | executed by "
                  "the tests |\n| --- | --- | --- | --- |\n";
  Sums total;
  for (auto &[format, sums] : formats) {
    llvm::outs() << "| " << format << " | " << sums.all << " | " << sums.known
                 << " | " << sums.executed << " |\n";
    total.all += sums.all;
    total.known += sums.known;
    total.executed += sums.executed;
  }
  llvm::outs() << "| **all** | " << total.all << " | " << total.known << " | "
               << total.executed << " |\n\n";
  llvm::outs() << "## Not known: meeting one is a fault that names it\n\n";
  for (auto &[why, names] : unknown) {
    llvm::outs() << "### " << why << "\n\n";
    list(names);
  }
  if (!files.empty()) {
    llvm::outs() << "## Known, executed by no test\n\n";
    for (auto &[format, names] : never) {
      llvm::outs() << "### " << format << "\n\n";
      list(names);
    }
  }
  if (floor.empty())
    return 0;
  // Every word that looks like a mnemonic (tests/floor.txt).
  std::string text = text_of(floor);
  llvm::SmallVector<llvm::StringRef, 0> words;
  llvm::SplitString(text, words, " ,\n|`()");
  std::vector<std::string> missing;
  for (llvm::StringRef word : words) {
    bool mnemonic = word.starts_with("s_") || word.starts_with("v_") ||
                    word.starts_with("ds_") || word.starts_with("flat_") ||
                    word.starts_with("global_") ||
                    word.starts_with("scratch_") || word.starts_with("buffer_");
    if (!mnemonic)
      continue;
    std::string name = word.str();
    for (llvm::StringRef suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
      if (llvm::StringRef(name).ends_with(suffix))
        name.resize(name.size() - suffix.size());
    if (!known.contains(name))
      missing.push_back(name);
  }
  llvm::outs() << "## Missing from the floor\n\n";
  list(missing);
  return missing.empty() ? 0 : 1;
}
