//===-- emulator/cuda/driver/kernel_texts.h - PTX by kernels ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module of a C++ program has many kernels of which a run launches few: those
// of Thrust and CUB. This divides PTX, so that each kernel is translated when
// it is first asked for, with the functions that it calls. Variables in memory
// are a text of their own, and .extern in those of the kernels.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_KERNEL_TEXTS_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_KERNEL_TEXTS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuexec::cuda {

class KernelTexts {
public:
  /// Divides a text. Null where its kernels must stay together, because one
  /// could meet another one's functions by their addresses; where it has
  /// directives that this does not know (textures, debug information); and
  /// where there is nothing to divide. The text is not checked otherwise.
  static std::unique_ptr<KernelTexts> divide(std::string ptx);

  /// The names of all kernels, in the order of the text.
  std::vector<std::string> kernels() const;
  /// A kernel with all that it needs; "": there is none of this name.
  std::string text_of(llvm::StringRef kernel) const;
  /// The variables in memory; "": there are none.
  std::string variables() const;

private:
  struct Item {
    enum Kind { heading, shared, variable, declaration, function, kernel };
    Kind kind = heading;
    llvm::StringRef text, name;
    llvm::SmallVector<size_t, 4> uses; ///< items that it names
  };

  explicit KernelTexts(std::string text) : ptx(std::move(text)) {}
  KernelTexts(const KernelTexts &) = delete;
  bool read();
  bool read_item(llvm::StringRef &rest);
  bool find_uses();
  bool find_uses_of(Item &item);

  const std::string ptx; ///< holds the texts of the items
  std::vector<Item> items;
  llvm::StringMap<llvm::SmallVector<size_t, 2>> by_name;
};

} // namespace gpuexec::cuda

#endif
