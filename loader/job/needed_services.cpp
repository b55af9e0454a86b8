//===-- loader/job/needed_services.cpp - See needed_services.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/job/needed_services.h"
#include "loader/device/own_grid.h"
#include "support/failure.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

namespace gpuexec {

std::string services_folder() {
  llvm::SmallString<128> program;
  llvm::sys::fs::real_path("/proc/self/exe", program);
  return (llvm::sys::path::parent_path(program) + "/../lib/gpuexec/services")
      .str();
}

llvm::Expected<std::vector<std::string>>
needed_services(const Image &image, llvm::ArrayRef<std::string> given,
                llvm::StringRef folder) {
  constexpr struct {
    const char *variable, *library;
  } known[] = {{BLAS_SERVICE, "libgpuexec-blas.so"},
               {"__gpuexec_service_fft", "libgpuexec-fft.so"}};
  std::vector<std::string> needed;
  for (const auto &[variable, library] : known) {
    const Global *asked = image.find_global(variable);
    const bool is_given = llvm::any_of(given, [&](llvm::StringRef service) {
      return service.split(',').first.rsplit('/').second == library ||
             service.split(',').first == library;
    });
    if (!asked || !asked->defined || is_given)
      continue;
    const std::string path = (folder + "/" + library).str();
    if (::access(path.c_str(), R_OK) != 0)
      return failure(Reason::failed,
                     "{0}: it calls a service that is not there: {1}",
                     image.name(), path);
    needed.push_back(path);
  }
  return needed;
}

} // namespace gpuexec
