//===-- loader/info/places.h - Where a kernel needs most --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's number of registers or bytes of stack is the most that it or any
// function that it calls needs. This finds the function that needs most, and
// its source line.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_INFO_PLACES_H
#define GPUEXEC_LOADER_INFO_PLACES_H

#include "loader/info/report.h"

namespace gpuexec::info {

/// An instruction of an AMDGPU image.
struct Place {
  const Row *function = nullptr; ///< of the report
  uint64_t address = 0;
};

/// Where the kernel needs what `column` counts: the first instruction that uses
/// the highest register, or the stack; for other columns the kernel's begin.
/// Nothing for images that are not AMDGPU's.
std::optional<Place> find_place(const ImageReport &report, const Row &kernel,
                                Column column);

/// For each place the end of a message: ": most at wide.c:12 in wide" with
/// source lines; without them the function, or "" where it is the kernel
/// itself. Takes milliseconds: ask for many places at once.
std::vector<std::string> describe(const ImageReport &report,
                                  llvm::ArrayRef<Place> places);

} // namespace gpuexec::info

#endif
