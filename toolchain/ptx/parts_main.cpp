//===-- toolchain/ptx/parts_main.cpp - gpucc-ptx-parts --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc-ptx-parts PTXAS TEXT OUT ARGUMENT...: compiles the PTX in TEXT, if it
// is large, in parts (parts.h) by several processes of ptxas, or takes parts
// from the user's cache. OUT becomes the part with the kernels, and the folder
// OUT.parts has the others. The ARGUMENTs are those of ptxas; TEXT and OUT
// among them are replaced. The status is 3 when TEXT is to be compiled as it
// is, and 1 after an error.
//
// Environment variables: GPUEXEC_LINK_CACHE and GPUEXEC_LINK_JOBS as for
// gpucc-ld (toolchain/link/main.cpp); GPUEXEC_PTX_PARTS, the least bytes of
// functions with which a program is divided (or `off`, which the script ptxas
// sees to); GPUEXEC_PTX_PART_SIZE, the bytes of a part.
//===----------------------------------------------------------------------===//
#include "support/cache_kinds.h"
#include "toolchain/link/store.h"
#include "toolchain/ptx/parts.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/WithColor.h"
#include <atomic>
#include <mutex>

using namespace llvm;

namespace gpuexec {

namespace {

/// Programs whose functions have at least this many bytes are divided.
constexpr size_t LEAST_SIZE = 3000000;
constexpr int NOT_DIVIDED = 3;

int fail(const Twine &message) {
  WithColor::error(errs(), "gpucc-ptx-parts") << message << '\n';
  return 1;
}

/// The number in an environment variable, or another one.
unsigned long number(const char *name, unsigned long otherwise) {
  const char *value = getenv(name);
  unsigned long long result = 0;
  return value && !StringRef(value).getAsInteger(10, result) ? result
                                                             : otherwise;
}

/// Compiles parts with ptxas, or takes them from the store. compile() is
/// thread-safe.
class Compiler {
public:
  Compiler(std::string ptxas, StringRef text, StringRef out,
           std::vector<std::string> arguments)
      : ptxas(std::move(ptxas)), text(text), out(out),
        arguments(std::move(arguments)),
        store(Store::open_named("gpucc-ptx-parts")) {
    sys::fs::file_status status;
    sys::fs::status(this->ptxas, status);
    settings =
        formatv("{0} {1} {2}", this->ptxas, status.getSize(),
                status.getLastModificationTime().time_since_epoch().count());
    for (const std::string &argument : this->arguments)
      if (argument != text && argument != out)
        settings += " " + argument;
  }

  /// Writes the object of a part to `object`. Returns an exit status.
  int compile(const std::string &part, const std::string &object) const {
    const std::string key = Store::key(part, settings);
    if (const std::optional<ObjectCode> kept = store.find(key))
      return write(object, kept->object.str()) ? 0 : 1;
    const std::string source = object + ".s", messages = object + ".txt";
    if (!write(source, part))
      return 1;
    std::vector<StringRef> command = {ptxas};
    for (const std::string &argument : arguments)
      command.push_back(argument == text  ? StringRef(source)
                        : argument == out ? StringRef(object)
                                          : StringRef(argument));
    std::string problem;
    const int status = sys::ExecuteAndWait(
        ptxas, command, std::nullopt,
        {std::nullopt, StringRef(messages), StringRef(messages)}, 0, 0,
        &problem);
    if (status < 0)
      fail(ptxas + ": " + problem);
    const bool silent = pass_on(messages);
    if (!status && silent)
      keep(key, object);
    sys::fs::remove(source);
    sys::fs::remove(messages);
    return status < 0 ? 1 : status;
  }

  void shrink() const { store.shrink(LINK_CACHE.largest); }

private:
  static bool write(const std::string &path, StringRef content) {
    std::error_code error;
    raw_fd_ostream file(path, error);
    if (!error) {
      file << content;
      file.close();
      error = file.error();
      file.clear_error();
    }
    if (error)
      fail(path + ": " + error.message());
    return !error;
  }

  /// Prints what ptxas said. Returns whether it said nothing.
  static bool pass_on(const std::string &path) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> said = MemoryBuffer::getFile(path);
    if (!said || (*said)->getBuffer().empty())
      return true;
    static std::mutex printing; // several threads compile
    const std::lock_guard lock(printing);
    errs() << (*said)->getBuffer();
    return false;
  }

  void keep(const std::string &key, const std::string &path) const {
    ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
    if (!file)
      return;
    ObjectCode code;
    code.object = (*file)->getBuffer();
    store.keep(key, code);
  }

  const std::string ptxas;
  const StringRef text, out;
  const std::vector<std::string> arguments;
  const Store store;
  std::string settings;
};

int compile_parts(int argc, char **argv) {
  if (argc < 4) {
    errs() << "usage: gpucc-ptx-parts PTXAS TEXT OUT ARGUMENT...\n";
    return 1;
  }
  const std::string out = argv[3], folder = out + ".parts";
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(argv[2]);
  if (!file)
    return fail(argv[2] + (": " + file.getError().message()));
  const std::vector<std::string> parts =
      ptx_parts((*file)->getBuffer(), number("GPUEXEC_PTX_PARTS", LEAST_SIZE),
                number("GPUEXEC_PTX_PART_SIZE", PTX_PART_SIZE));
  if (parts.empty())
    return NOT_DIVIDED;
  if (std::error_code error = sys::fs::create_directory(folder))
    return fail(folder + ": " + error.message());
  const Compiler compiler(argv[1], argv[2], argv[3], {argv + 4, argv + argc});
  std::atomic<int> status = 0;
  {
    DefaultThreadPool threads(
        hardware_concurrency(number("GPUEXEC_LINK_JOBS", 0)));
    for (size_t i = 0; i < parts.size(); ++i)
      threads.async([&, i] {
        const std::string object =
            i ? folder + formatv("/{0}.cubin", i).str() : out;
        if (const int failed = status ? 0 : compiler.compile(parts[i], object))
          status = failed;
      });
  } // waits for all
  compiler.shrink();
  if (status)
    sys::fs::remove_directories(folder);
  return status;
}

} // namespace
} // namespace gpuexec

int main(int argc, char **argv) { return gpuexec::compile_parts(argc, argv); }
