//===-- toolchain/link/program.cpp - See program.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/program.h"
#include "toolchain/link/split.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <mutex>

using namespace llvm;

namespace gpuexec {

namespace {

/// Text of everything but the bitcode on which machine code depends, for the
/// keys of the store.
std::string text_of(const CodeGenSettings &settings,
                    const std::vector<std::string> &llvm_options) {
  return formatv("{0} {1} {2} {3} {4} {5}", Store::identity(settings.plugins),
                 settings.processor, join(settings.attributes, ","),
                 int(settings.level), settings.one_thread,
                 join(llvm_options, " "));
}

std::string text_of(const Registers &registers) {
  return formatv(" {0} {1} {2}", registers.vector, registers.accumulation,
                 registers.scalar);
}

/// Compiles pieces, or takes them from the store. compile() is thread-safe.
class Compiler {
public:
  Compiler(const CodeGenSettings &settings,
           const std::vector<std::string> &llvm_options, const Store &store)
      : settings(settings), text(text_of(settings, llvm_options)),
        store(store) {}

  size_t found_in_store() const { return found; }

  Expected<ObjectCode> compile(StringRef bitcode, bool kernels,
                               const Registers &least) {
    const std::string key =
        Store::key(bitcode, kernels ? text + text_of(least) : text);
    if (std::optional<ObjectCode> kept = store.find(key)) {
      ++found;
      return std::move(*kept);
    }
    Expected<ObjectCode> code = gpuexec::compile(
        MemoryBufferRef(bitcode, "piece"), settings, kernels, least);
    if (code && code->silent)
      store.keep(key, *code);
    return code;
  }

private:
  const CodeGenSettings &settings;
  const std::string text;
  const Store &store;
  std::atomic<size_t> found = 0;
};

} // namespace

Expected<std::vector<NamedObject>>
compile_program(Module &module, const CodeGenSettings &settings,
                const std::vector<std::string> &llvm_options,
                const Store &store, unsigned jobs, Work &work,
                std::function<void(size_t, size_t)> progress) {
  std::vector<Piece> pieces = split(module);
  const Piece kernels = std::move(pieces.back());
  pieces.pop_back();
  // The most expensive first, so that no thread works alone at the end.
  std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
    return std::tie(b.cost, a.name) < std::tie(a.cost, b.name);
  });
  Compiler compiler(settings, llvm_options, store);
  std::vector<NamedObject> objects(pieces.size() + 1);
  Registers most;
  Error error = Error::success();
  size_t done = 0;
  std::mutex mutex; // of `most`, `error` and `done`
  {
    DefaultThreadPool threads(hardware_concurrency(jobs));
    for (size_t i = 0; i < pieces.size(); ++i) {
      NamedObject &object = objects[i + 1];
      object.name = pieces[i].name;
      threads.async([&, bitcode = extract(module, pieces[i])] {
        Expected<ObjectCode> code = compiler.compile(bitcode, false, {});
        const std::lock_guard lock(mutex);
        if (progress)
          progress(++done, objects.size());
        if (!code) {
          error = joinErrors(std::move(error), code.takeError());
          return;
        }
        most.raise_to(code->registers);
        object.object = std::move(code->object);
      });
    }
  } // waits for all
  if (error)
    return std::move(error);
  Expected<ObjectCode> code =
      compiler.compile(extract(module, kernels), true, most);
  if (!code)
    return code.takeError();
  objects[0] = {kernels.name, std::move(code->object)};
  work = {objects.size(), compiler.found_in_store()};
  return objects;
}

} // namespace gpuexec
