//===-- loader/image/compatibility.cpp - Which device runs an image -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD: the same processor or a generic one that covers it, and no feature set
// against the device's (AMDGPUUsage, "Target ID", "Generic processors").
// NVIDIA: machine code runs within its major version on the same or a higher
// minor one, PTX on anything not older; suffix `a` ties either to one
// architecture, `f` PTX to its family (CUDA programming guide, "Compute
// Capabilities").

#include "gpu/amd_processor.h"
#include "loader/image/contents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuexec {

namespace {

/// Whether code for `target` is code for `device`, both without features.
bool covers(StringRef target, StringRef device) {
  const gpu::AmdProcessor *processor = gpu::find_amd_processor(device);
  return target == device ||
         (processor && StringRef(processor->generic) == target);
}

/// '+', '-' or 0 for a feature that the target id leaves open.
char feature(StringRef target_id, StringRef name) {
  SmallVector<StringRef> parts;
  target_id.split(parts, ':');
  for (StringRef part : drop_begin(parts))
    if (part.size() == name.size() + 1 && part.starts_with(name))
      return part.back();
  return 0;
}

struct NvidiaArch {
  unsigned number = 0; ///< 90 of sm_90
  char suffix = 0;     ///< 'a', 'f' or none
  unsigned major() const { return number / 10; }
};

std::optional<NvidiaArch> parse_nvidia(StringRef name) {
  NvidiaArch arch;
  if (!name.consume_front("sm_") || name.consumeInteger(10, arch.number) ||
      name.size() > 1)
    return std::nullopt;
  if (!name.empty())
    arch.suffix = name.front();
  return arch;
}

/// Empty when `device` runs code for `target`, else why not.
std::string amdgpu_mismatch(StringRef target, StringRef device) {
  StringRef processor = target.split(':').first,
            device_processor = device.split(':').first;
  if (!covers(processor, device_processor))
    return formatv("built for {0}, the device is {1}", target, device);
  for (StringRef name : {"sramecc", "xnack"}) {
    char wanted = feature(target, name), there = feature(device, name);
    if (wanted && there && wanted != there)
      return formatv(
          "built for {0}, the device is {1}: {2} is set the other way", target,
          device, name);
  }
  return "";
}

std::string nvidia_mismatch(bool ptx, StringRef target, StringRef device) {
  std::optional<NvidiaArch> wanted = parse_nvidia(target),
                            there = parse_nvidia(device);
  bool fits = wanted && there;
  if (fits && wanted->suffix == 'a')
    fits = wanted->number == there->number;
  else if (fits && (!ptx || wanted->suffix == 'f'))
    fits = wanted->major() == there->major() && wanted->number <= there->number;
  else if (fits)
    fits = wanted->number <= there->number;
  return fits ? ""
              : formatv("built for {0}{1}, the device is {2}", target,
                        ptx ? " (PTX)" : "", device)
                    .str();
}

/// How well an image that fits suits the device: more is better.
unsigned suitability(const Image &image, StringRef device) {
  unsigned score = 0;
  if (image.format() != Image::Format::ptx)
    score += 1 << 20;
  if (image.arch() == device.split(':').first)
    score += 1 << 18;
  if (std::optional<NvidiaArch> arch = parse_nvidia(image.arch()))
    score += (arch->number << 4) +
             (arch->suffix ? 1 : 0); // the newest that the device still runs
  for (StringRef name : {"sramecc", "xnack"})
    score += feature(image.target_id(), name) != 0;
  return score;
}

} // namespace

bool has_unified_registers(StringRef arch) {
  const gpu::AmdProcessor *processor = gpu::find_amd_processor(arch);
  return processor && processor->limits.unified_registers;
}

Error Image::runs_on(StringRef device) const {
  if (relocatable())
    return parsing::fail(ImageError::Reason::no_match, name(),
                         "an object file: link it first");
  std::string mismatch;
  bool nvidia_device = device.starts_with("sm_");
  if ((format() == Format::amdgpu) == nvidia_device)
    mismatch = formatv("built for {0}, the device is {1}", target_id(), device);
  else if (nvidia_device)
    mismatch = nvidia_mismatch(format() == Format::ptx, target_id(), device);
  else
    mismatch = amdgpu_mismatch(target_id(), device);
  if (mismatch.empty())
    return Error::success();
  return parsing::fail(ImageError::Reason::no_match, name(), mismatch);
}

Expected<const Image *> Image::choose(ArrayRef<Image> images,
                                      StringRef device) {
  const Image *best = nullptr;
  for (const Image &image : images) {
    if (Error error = image.runs_on(device)) {
      if (images.size() == 1)
        return std::move(error);
      consumeError(std::move(error));
      continue;
    }
    if (!best || suitability(image, device) > suitability(*best, device))
      best = &image;
  }
  if (best)
    return best;
  std::string targets;
  for (const Image &image : images)
    targets += (targets.empty() ? "" : ", ") + image.target_id().str() +
               (image.format() == Format::ptx ? " (PTX)" : "");
  StringRef file = images.empty() ? StringRef("no image")
                                  : images.front().name().split('(').first;
  return parsing::fail(
      ImageError::Reason::no_match, file,
      formatv("no image for {0} among {1}", device, targets).str());
}

} // namespace gpuexec
