//===-- loader/info/exact.cpp - Resources of compiled PTX -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/exact.h"
#include "loader/device/device.h"
#include "support/find_program.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace gpuexec::info {

namespace {

/// After this many seconds ptxas, which takes milliseconds, is taken to hang.
constexpr unsigned PTXAS_SECONDS = 60;

// Nothing when no CUDA device accepts the image.
std::optional<ExactResources> ask_driver(const Image &image) {
  Expected<DeviceRequest> request = DeviceRequest::parse("cuda");
  if (!request) {
    consumeError(request.takeError());
    return std::nullopt;
  }
  Expected<OpenedDevice> opened =
      open_device(*request, OpenSettings(), ArrayRef<Image>(&image, 1));
  if (!opened) {
    consumeError(opened.takeError());
    return std::nullopt;
  }
  Expected<std::unique_ptr<Module>> module = opened->device->load(image, {});
  if (!module) {
    consumeError(module.takeError());
    return std::nullopt;
  }
  ExactResources exact;
  exact.source = "the CUDA driver for " + opened->device->info().target_id;
  for (const Kernel &kernel : image.kernels())
    exact.kernels[kernel.name] = (*module)->resources(kernel);
  return exact;
}

// Reads spills, which a cubin does not contain, from `ptxas -v`: "Function
// properties for NAME", then "8 bytes stack frame, 8 bytes spill stores, 4
// bytes spill loads".
void note_spills(StringRef report, std::map<std::string, Resources> &kernels) {
  SmallVector<StringRef> lines;
  report.split(lines, '\n');
  Resources *current = nullptr;
  for (StringRef line : lines) {
    auto [before, name] = line.split("Function properties for ");
    if (!name.empty()) {
      auto found = kernels.find(name.trim().str());
      current = found == kernels.end() ? nullptr : &found->second;
      continue;
    }
    size_t end = line.find(" bytes spill stores");
    uint64_t bytes = 0;
    if (!current || end == StringRef::npos)
      continue;
    StringRef number = line.take_front(end).rsplit(' ').second;
    if (!number.getAsInteger(10, bytes))
      current->vgpr_spills = (bytes + 3) / 4; // registers of 4 bytes
    current = nullptr;
  }
}

/// Looks where gpucc looks (toolchain/gpucc/tools.h).
ErrorOr<std::string> find_ptxas() {
  for (const char *name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *value = getenv(name); value && *value)
      if (auto found =
              sys::findProgramByName("ptxas", {std::string(value) + "/bin"}))
        return found;
  if (auto found = find_our_program("ptxas"))
    return found;
  return sys::findProgramByName("ptxas",
                                {"/usr/local/cuda/bin", "/opt/cuda/bin"});
}

Expected<ExactResources> ask_ptxas(const Image &image, StringRef arch) {
  ErrorOr<std::string> ptxas = find_ptxas();
  if (!ptxas)
    return createStringError("no CUDA driver, and no ptxas (part of the CUDA "
                             "toolkit): cannot compile PTX");
  SmallString<128> input, output, report;
  scope_exit clean([&] {
    for (StringRef path :
         {StringRef(input), StringRef(output), StringRef(report)})
      if (!path.empty()) {
        sys::fs::remove(path);
        sys::DontRemoveFileOnSignal(path);
      }
  });
  int descriptor = -1;
  if (std::error_code code = sys::fs::createTemporaryFile("gpuexec-info", "ptx",
                                                          descriptor, input))
    return createStringError(code, "no temporary file");
  sys::RemoveFileOnSignal(input);
  raw_fd_ostream(descriptor, true) << image.bytes();
  if (std::error_code code =
          sys::fs::createTemporaryFile("gpuexec-info", "cubin", output))
    return createStringError(code, "no temporary file");
  sys::RemoveFileOnSignal(output);
  if (std::error_code code =
          sys::fs::createTemporaryFile("gpuexec-info", "txt", report))
    return createStringError(code, "no temporary file");
  sys::RemoveFileOnSignal(report);
  std::string target = arch.empty() ? image.arch().str() : arch.str();
  std::string option = "-arch=" + target, message;
  StringRef arguments[] = {*ptxas, "-v", option, input, "-o", output};
  std::optional<StringRef> redirects[] = {"", StringRef(report),
                                          StringRef(report)};
  int status = sys::ExecuteAndWait(*ptxas, arguments, std::nullopt, redirects,
                                   PTXAS_SECONDS, 0, &message);
  auto text = MemoryBuffer::getFile(report);
  if (status != 0) {
    StringRef reason = text ? (*text)->getBuffer().split('\n').first.trim()
                            : StringRef(message);
    // "ptxas FILE, line 2; error : REASON": FILE is our temporary copy, whose
    // name says nothing to the user.
    std::string text = reason.str();
    if (size_t at = text.find(input.str()); at != std::string::npos)
      text.replace(at, input.size(), image.name().str());
    return createStringError("%s: %s", ptxas->c_str(), text.c_str());
  }
  auto cubin = Image::read_file(output);
  if (!cubin)
    return cubin.takeError();
  Expected<Image> compiled = Image::parse((*cubin)->getMemBufferRef());
  if (!compiled)
    return compiled.takeError();
  ExactResources exact;
  exact.source = "ptxas for " + target;
  for (const Kernel &kernel : compiled->kernels())
    exact.kernels[kernel.name] = kernel.resources;
  if (text)
    note_spills((*text)->getBuffer(), exact.kernels);
  return exact;
}

} // namespace

Expected<ExactResources> compile_ptx(const Image &image, StringRef arch) {
  if (arch.empty())
    if (std::optional<ExactResources> exact = ask_driver(image))
      return std::move(*exact);
  return ask_ptxas(image, arch);
}

} // namespace gpuexec::info
