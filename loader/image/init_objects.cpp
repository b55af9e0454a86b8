//===-- loader/image/init_objects.cpp - NVIDIA constructors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's toolchain has no .init_array: clang leaves one symbol per
// constructor, with its priority in the name, and the loader builds the tables.

#include "loader/image/contents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuexec::parsing {

Error note_init_object(ImageContents &image, StringRef symbol,
                       StringRef label) {
  bool constructor = symbol.starts_with("__init_array_object_");
  if (!constructor && !symbol.starts_with("__fini_array_object_"))
    return Error::success();
  InitObject object;
  object.symbol = symbol.str();
  if (symbol.rsplit('_').second.getAsInteger(10, object.priority))
    return malformed(
        label,
        "'{0}': the priority after the last underscore is no 16-bit number",
        symbol);
  (constructor ? image.constructors : image.destructors)
      .push_back(std::move(object));
  return Error::success();
}

static void sort_by_priority(std::vector<InitObject> &objects) {
  std::vector<std::pair<uint16_t, size_t>> order;
  for (const auto &[index, object] : enumerate(objects))
    order.emplace_back(object.priority, index);
  sort(order); // the index keeps ties in symbol order
  std::vector<InitObject> sorted;
  for (const auto &[priority, index] : order)
    sorted.push_back(std::move(objects[index]));
  objects = std::move(sorted);
}

void sort_init_objects(ImageContents &image) {
  sort_by_priority(image.constructors);
  sort_by_priority(image.destructors);
}

} // namespace gpuexec::parsing
