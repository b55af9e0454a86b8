//===-- emulator/amdgpu/jit/jit.cpp - The library's door ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/jit.h"

#include "emulator/amdgpu/jit/region.h"
#include "support/out_of_memory.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <optional>
#include <set>

namespace gpuexec::emulator::amdgpu::jit {

/// How often a region is translated at most.
static constexpr unsigned TRANSLATIONS = 4;

class Jit {
public:
  Result compile(Request request) {
    if (!compiler) {
      auto made = Compiler::create();
      if (!made) {
        llvm::consumeError(made.takeError()); // LLVM compiles nothing
        return {};
      }
      compiler = std::move(*made);
    }
    auto began = std::chrono::steady_clock::now();
    auto &done = compiled[unsigned(request.tier)];
    // A loop's registers stay out of State in all of its rounds: what is dirty
    // at its end is known only after it was translated.
    Unwritten unwritten;
    std::optional<HotRegion> translation;
    bool worth = false;
    const unsigned times = request.tier == Tier::quick ? 1 : TRANSLATIONS;
    for (unsigned k = 0; k < times; ++k) {
      translation.emplace(*compiler, done, request, unwritten);
      worth = translation->build();
      while (translation->is_too_warm() && narrow(request)) {
        unwritten.clear();
        translation.emplace(*compiler, done, request, unwritten);
        worth = translation->build();
      }
      if (!worth || translation->instructions() > request.worth ||
          k + 1 == times || translation->found() == unwritten)
        break;
      unwritten = translation->found();
    }
    HotRegion &code = *translation;
    if (worth && code.instructions() > request.worth) {
      Result later;
      later.postponed = code.instructions();
      return later;
    }
    if (request.verbose)
      llvm::errs() << (request.tier == Tier::quick ? "jit (quick): " : "jit: ")
                   << llvm::format("pc 0x%llx lane %u: ",
                                   (unsigned long long)(request.code_base +
                                                        request.head->pc),
                                   request.lane)
                   << code.summary() << (worth ? "" : ", not worth it\n");
    if (!worth)
      return {};
    Result result = code.result();
    auto compiled_code =
        compiler->finish(code.take(), request.tier,
                         unsigned(result.entries.size()), code.take_pointers());
    if (request.verbose)
      llvm::errs() << llvm::format(", %.1f ms\n",
                                   std::chrono::duration<double, std::milli>(
                                       std::chrono::steady_clock::now() - began)
                                       .count());
    if (!compiled_code) {
      llvm::Error error = compiled_code.takeError();
      if (request.verbose)
        llvm::errs() << "jit: " << llvm::toString(std::move(error)) << "\n";
      else
        llvm::consumeError(std::move(error));
      return {};
    }
    result.code = std::move(*compiled_code);
    done.insert(result.entries.begin(), result.entries.end());
    return result;
  }

private:
  /// Leaves out what control came to less often; false when only code is left
  /// that is nearly as hot as the head.
  static bool narrow(Request &request) {
    auto head = request.warm->find(request.head);
    if (head == request.warm->end() || request.warm_from > head->second / 8)
      return false;
    request.warm_from *= 4;
    return true;
  }

  std::set<Entry> compiled[TIERS]; // where there is compiled code
  std::unique_ptr<Compiler> compiler;
};

} // namespace gpuexec::emulator::amdgpu::jit

using namespace gpuexec::emulator::amdgpu;

extern "C"
    [[gnu::visibility("default")]] const jit::Exports gpuexec_emulator_jit;
const jit::Exports gpuexec_emulator_jit = {
    GPUEXEC_JIT_LAYOUT,
    [] {
      gpuexec::catch_llvm_failures(); // this library has its own LLVM
      return new jit::Jit;
    },
    [](jit::Jit *jit) { delete jit; },
    [](jit::Jit *jit, const jit::Request &request) {
      return jit->compile(request);
    },
};
