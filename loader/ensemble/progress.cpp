//===-- loader/ensemble/progress.cpp - See progress.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/progress.h"
#include "loader/command_line/messages.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec::ensemble {
namespace {

constexpr std::chrono::milliseconds SHOWN_EVERY(200);

std::string as_clock(double seconds) {
  const auto whole = uint64_t(seconds + 0.5);
  const uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  return hours
             ? llvm::formatv("{0}:{1,0+2}:{2,0+2}", hours, minutes, whole % 60)
                   .str()
             : llvm::formatv("{0}:{1,0+2}", minutes, whole % 60).str();
}

} // namespace

std::string Progress::text(size_t running) const {
  const double seconds =
      std::chrono::duration<double>(Clock::now() - begin).count();
  std::string line = llvm::formatv("{0} of {1} have ended, {2} failed, {3} run",
                                   done, total, failed, running);
  if (done && seconds > 0)
    line +=
        llvm::formatv(", {0:f1}/s, about {1} left", double(done) / seconds,
                      as_clock(seconds / double(done) * double(total - done)))
            .str();
  return line;
}

void Progress::show(size_t running) {
  if (!is_shown || Clock::now() - last_shown < SHOWN_EVERY)
    return;
  show_progress(text(running));
  is_visible = true;
  last_shown = Clock::now();
}

void Progress::hide() {
  if (is_visible)
    show_progress("");
  is_visible = false;
}

} // namespace gpuexec::ensemble
