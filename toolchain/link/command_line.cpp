//===-- toolchain/link/command_line.cpp - See command_line.h --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/command_line.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace gpuexec {

namespace {

/// Options with which the link does not make one program of bitcode, or with
/// which ld.lld writes or prints intermediate results. "-OPTION=..." counts,
/// too, and "-OPTION-..." if the name has more than two letters; of the options
/// that only print, neither does: --version-script is another option.
constexpr StringRef UNDIVIDED[] = {"r",
                                   "relocatable",
                                   "whole-archive",
                                   "emit-llvm",
                                   "reproduce",
                                   "lto-emit-asm",
                                   "lto-emit-llvm",
                                   "save-temps",
                                   "thinlto",
                                   "lto-partitions",
                                   "lto-obj-path",
                                   "lto-sample-profile",
                                   "lto-cs-profile",
                                   "lto-basic-block",
                                   "opt-remarks",
                                   "lto-newpm",
                                   "no-lto"};
constexpr StringRef ONLY_PRINT[] = {"version", "help"};

class Parser {
public:
  explicit Parser(ArrayRef<const char *> arguments) : arguments(arguments) {}

  LinkCommand parse() {
    for (; at < arguments.size(); ++at)
      take(arguments[at]);
    const int level =
        codegen_level >= 0 ? codegen_level : std::clamp(level_of_lto, 2, 3);
    command.settings.level =
        CodeGenOpt::getLevel(level).value_or(CodeGenOptLevel::Default);
    if (!any_bitcode && command.undivided.empty())
      command.undivided = "no bitcode";
    return std::move(command);
  }

private:
  void keep(StringRef argument, bool bitcode = false) {
    command.arguments.push_back(argument.str());
    command.bitcode.push_back(bitcode);
  }

  void take(StringRef argument) {
    if (argument == "-o" && at + 1 < arguments.size()) {
      command.output = arguments[++at];
      return;
    }
    if (!argument.starts_with("-"))
      return take_file(argument);
    const StringRef name = argument.ltrim('-');
    command.verbose |= name == "verbose";
    for (StringRef option : UNDIVIDED)
      if (name == option || name.starts_with((option + "=").str()) ||
          (option.size() > 2 && name.starts_with((option + "-").str())))
        command.undivided = argument.str();
    if (is_contained(ONLY_PRINT, name))
      command.undivided = argument.str();
    keep(argument);
    if (name == "mllvm" || name == "plugin-opt") {
      if (at + 1 == arguments.size())
        return;
      keep(arguments[++at]);
      name == "mllvm" ? take_llvm(arguments[at]) : take_plugin(arguments[at]);
    } else if (name.starts_with("mllvm=")) {
      take_llvm(name.substr(strlen("mllvm=")));
    } else if (name.starts_with("plugin-opt=")) {
      take_plugin(name.substr(strlen("plugin-opt=")));
    } else if (name.starts_with("load-pass-plugin=")) {
      command.settings.plugins.push_back(
          name.substr(strlen("load-pass-plugin=")).str());
    } else if (name.starts_with("lto-O")) {
      name.substr(strlen("lto-O")).getAsInteger(10, level_of_lto);
    } else if (name.starts_with("lto-CGO")) {
      name.substr(strlen("lto-CGO")).getAsInteger(10, codegen_level);
    }
  }

  void take_llvm(StringRef option) {
    command.llvm_options.push_back(option.str());
  }

  /// Reads a value of -plugin-opt=, by which clang passes options for LLVM to a
  /// linker.
  void take_plugin(StringRef option) {
    if (option.consume_front("mcpu="))
      command.settings.processor = option.str();
    else if (option.consume_front("-mattr=") || option.consume_front("mattr="))
      for (StringRef rest = option; !rest.empty();) {
        auto [first, others] = rest.split(',');
        command.settings.attributes.push_back(first.str());
        rest = others;
      }
    else if (option.starts_with("-"))
      take_llvm(option);
    else if (option.consume_front("O"))
      option.getAsInteger(10, level_of_lto);
    else
      command.undivided = "-plugin-opt=" + option.str();
  }

  void take_file(StringRef path) {
    file_magic magic = file_magic::unknown;
    (void)identify_magic(path, magic);
    if (magic == file_magic::elf_relocatable)
      // Its symbols could have the names of the program's static functions,
      // which split() makes visible.
      command.undivided = path.str() + " has machine code";
    any_bitcode |= magic == file_magic::bitcode;
    keep(path, magic == file_magic::bitcode);
  }

  ArrayRef<const char *> arguments;
  size_t at = 0;
  int level_of_lto = 2, codegen_level = -1;
  bool any_bitcode = false;
  LinkCommand command;
};

} // namespace

LinkCommand parse_link_command(ArrayRef<const char *> arguments) {
  return Parser(arguments).parse();
}

} // namespace gpuexec
