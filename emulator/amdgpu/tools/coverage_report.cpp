//===-- emulator/amdgpu/tools/coverage_report.cpp - Opcode coverage -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// emulator-coverage [--cpu=NAME] [--floor=FILE] [EXECUTED-FILE...]
// Prints a report in Markdown: which opcodes of the processor the emulator
// knows, and which of those the files (GPUEXEC_EMULATOR_COVERAGE) say were
// executed. With --floor, mnemonics in FILE that are not known are listed and
// make the exit status 1.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tools/opcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
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

/// Groups of opcodes that the emulator does not know, because clang emits them
/// for no C or C++. They have no row in the table of instructions, so LLVM's
/// name of the opcode decides the group: the first pattern that matches.
struct Family {
  const char *pattern; // a regular expression for the name
  const char *why;
};
constexpr Family FAMILIES[] = {
    {"^image_|^tbuffer_|_format_", "images and formatted buffers (graphics)"},
    {"^v_interp_|^exp|^s_vskip", "graphics"},
    {"gws|ordered_count|_lds_|_lds$", "global wave sync, direct loads to LDS"},
    {"^s_(buffer_)?(atomic|store)|^s_scratch|^s_dcache_discard|^s_atc",
     "scalar stores and atomics (clang emits none)"},
    {".", "other"},
};
static const char *family(llvm::StringRef name) {
  return llvm::find_if(FAMILIES,
                       [&](const Family &family) {
                         return llvm::Regex(family.pattern).match(name);
                       })
      ->why;
}

namespace {
struct Sums {
  unsigned all = 0, known = 0, executed = 0;
  void operator+=(const Sums &o) {
    all += o.all;
    known += o.known;
    executed += o.executed;
  }
};
struct Report {
  Report(const std::vector<amdgpu::Opcode> &opcodes,
         const llvm::StringSet<> &executed);
  void print_table() const;

  using Lists = std::map<std::string, std::vector<std::string>>;
  std::map<std::string, Sums> formats;
  llvm::StringSet<> known;
  Lists unknown; // by family
  Lists never;   // known and not executed, by format
};
} // namespace

Report::Report(const std::vector<amdgpu::Opcode> &opcodes,
               const llvm::StringSet<> &executed) {
  for (const amdgpu::Opcode &opcode : opcodes) {
    std::string key = opcode.mnemonic;
    if (opcode.format == "SDWA" || opcode.format == "DPP")
      key += " " + opcode.format;
    bool was_executed = opcode.known && executed.contains(key);
    formats[opcode.format] += {1, opcode.known, was_executed};
    if (opcode.known)
      known.insert(opcode.mnemonic);
    if (!opcode.known)
      unknown[family(opcode.mnemonic)].push_back(opcode.mnemonic);
    else if (!was_executed)
      never[opcode.format].push_back(opcode.mnemonic);
  }
}

void Report::print_table() const {
  llvm::outs() << "Opcodes of the processor as LLVM's disassembler knows them, "
                  "by encoding.\n\n"
               << "| encoding | opcodes | known to the emulator | executed by "
                  "the tests |\n| --- | --- | --- | --- |\n";
  auto row = [](llvm::StringRef name, const Sums &sums) {
    llvm::outs() << "| " << name << " | " << sums.all << " | " << sums.known
                 << " | " << sums.executed << " |\n";
  };
  Sums total;
  for (auto &[format, sums] : formats) {
    row(format, sums);
    total += sums;
  }
  row("**all**", total);
  llvm::outs() << "\n";
}

static void print_names(std::vector<std::string> names) {
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
}

static void print_lists(const char *title, const Report::Lists &lists) {
  llvm::outs() << "## " << title << "\n\n";
  for (auto &[name, names] : lists) {
    llvm::outs() << "### " << name << "\n\n";
    print_names(names);
  }
}

/// Mnemonics in `text` that are not known. Every word that begins like a
/// mnemonic ("v_") counts as one; tests/floor.txt is such a text.
static std::vector<std::string> missing_from(const llvm::StringSet<> &known,
                                             llvm::StringRef text) {
  llvm::Regex mnemonic("^(s|v|ds|flat|global|scratch|buffer)_");
  llvm::SmallVector<llvm::StringRef, 0> words;
  llvm::SplitString(text, words, " ,\n|`()");
  std::vector<std::string> missing;
  for (llvm::StringRef word : words) {
    if (!mnemonic.match(word))
      continue;
    for (llvm::StringRef suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
      word.consume_back(suffix);
    if (!known.contains(word))
      missing.push_back(word.str());
  }
  return missing;
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
  const Report report(*opcodes, executed);
  llvm::outs() << "# Instruction coverage: " << cpu << "\n\n";
  report.print_table();
  print_lists("Not known: meeting one is a fault that names it",
              report.unknown);
  if (!files.empty())
    print_lists("Known, executed by no test", report.never);
  if (floor.empty())
    return 0;
  auto missing = missing_from(report.known, text_of(floor));
  llvm::outs() << "## Missing from the floor\n\n";
  print_names(missing);
  return missing.empty() ? 0 : 1;
}
