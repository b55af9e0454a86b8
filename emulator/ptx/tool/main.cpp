//===-- emulator/ptx/tool/main.cpp - gpuexec-ptx --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text to a code object of an AMD GPU. libcuda runs it; see HELP.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/tool/compile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

constexpr StringRef HELP =
    R"(usage: gpuexec-ptx [OPTION...] -o OUT.co IN.ptx...
Compiles PTX to a code object of an AMD GPU. A file may be -.
  -o FILE            where the code object goes
  --processor NAME   the AMD GPU (gfx1100)
  -O0 -O1 -O2 -O3    how much is optimised (-O2)
  --host             a library for this machine's processor instead of a
                     code object (libcuda alone knows what is in it)
  --external-variables
                     variables that a file only declares are defined by
                     another code object (libcuda alone knows how)
  --emit-llvm        writes LLVM's IR as text instead
Status 1: "FILE:LINE: error: message" is on standard error.
)";

struct CommandLine {
  CompileSettings settings;
  std::string output;
  std::vector<std::string> inputs;
  bool emit_llvm = false, help = false;
};

int fail(const Twine &message) {
  errs() << message << '\n';
  return 1;
}

/// Returns what is wrong with the command line, or nothing.
std::string read(ArrayRef<char *> arguments, CommandLine &line) {
  while (!arguments.empty()) {
    const StringRef option = arguments.front();
    arguments = arguments.drop_front();
    const bool has_value = option == "-o" || option == "--processor";
    if (has_value && arguments.empty())
      return (option + " needs a value").str();
    if (has_value) {
      (option == "-o" ? line.output : line.settings.processor) =
          arguments.front();
      arguments = arguments.drop_front();
    } else if (option.size() == 3 && option.starts_with("-O") &&
               option[2] >= '0' && option[2] <= '3') {
      line.settings.level = option[2] - '0';
    } else if (option == "--host") {
      line.settings.is_host = true;
    } else if (option == "--external-variables") {
      line.settings.has_external_variables = true;
    } else if (option == "--emit-llvm") {
      line.emit_llvm = true;
    } else if (option == "--help") {
      line.help = true;
    } else if (option.size() > 1 && option.starts_with("-")) {
      return ("unknown option " + option + " (see --help)").str();
    } else {
      line.inputs.push_back(option.str());
    }
  }
  if (!line.help && (line.inputs.empty() || line.output.empty()))
    return "-o FILE and a PTX file are needed (see --help)";
  return "";
}

Error write(StringRef path, function_ref<void(raw_ostream &)> content) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (error)
    return createFileError(path, error);
  content(out);
  out.close();
  if (!out.has_error())
    return Error::success();
  error = out.error();
  out.clear_error();
  return createFileError(path, error);
}

Error run(const CommandLine &line) {
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
  std::vector<Input> inputs;
  for (const std::string &path : line.inputs) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
        MemoryBuffer::getFileOrSTDIN(path);
    if (!buffer)
      return createFileError(path, buffer.getError());
    inputs.push_back({(*buffer)->getBuffer(), path});
    buffers.push_back(std::move(*buffer));
  }
  if (line.emit_llvm) {
    LLVMContext context;
    Expected<std::unique_ptr<llvm::Module>> module =
        make_module(inputs, line.settings, context);
    if (!module)
      return module.takeError();
    return write(line.output,
                 [&](raw_ostream &out) { (*module)->print(out, nullptr); });
  }
  Expected<SmallVector<char, 0>> object = compile(inputs, line.settings);
  if (!object)
    return object.takeError();
  return write(line.output, [&](raw_ostream &out) {
    out.write(object->data(), object->size());
  });
}

int main(ArrayRef<char *> arguments) {
  CommandLine line;
  if (const std::string problem = read(arguments, line); !problem.empty())
    return fail("gpuexec-ptx: error: " + problem);
  if (line.help) {
    outs() << HELP;
    return 0;
  }
  if (Error error = run(line))
    return fail(toString(std::move(error)));
  return 0;
}

} // namespace

} // namespace gpuexec::ptx

int main(int argc, char **argv) {
  return gpuexec::ptx::main(ArrayRef(argv + 1, argc - 1));
}
