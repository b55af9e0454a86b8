//===-- loader/job/needed_services.cpp - See needed_services.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/job/needed_services.h"
#include "support/failure.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

namespace gpuexec {

namespace {

struct Service {
  llvm::StringLiteral name;
  bool shares_device, in_sandbox;
};
constexpr Service SERVICES[] = {
#define GPUEXEC_SERVICE(NAME, SHARES_DEVICE, IN_SANDBOX)                       \
  {#NAME, SHARES_DEVICE, IN_SANDBOX},
#include "services/services.def"
};

/// Has the image the mark of services/common/mark.h?
bool asks_for(const Image &image, const Service &service) {
  const Global *mark =
      image.find_global(("__gpuexec_service_" + service.name).str());
  return mark && mark->defined;
}

} // namespace

bool shares_device(const Image &image) {
  return image.format() != Image::Format::amdgpu &&
         llvm::any_of(SERVICES, [&](const Service &service) {
           return service.shares_device && asks_for(image, service);
         });
}

llvm::Error check_services_for_sandbox(const Image &image) {
  for (const Service &known : SERVICES)
    if (!known.in_sandbox && asks_for(image, known))
      return failure(Reason::failed,
                     "--sandbox: {0}: it calls the service '{1}', which works "
                     "with other processes and needs files of this machine; "
                     "run it without --sandbox",
                     image.name(), known.name);
  return llvm::Error::success();
}

std::string services_folder() {
  llvm::SmallString<128> program;
  llvm::sys::fs::real_path("/proc/self/exe", program);
  return (llvm::sys::path::parent_path(program) + "/../lib/gpuexec/services")
      .str();
}

llvm::Expected<std::vector<std::string>>
needed_services(const Image &image, llvm::ArrayRef<std::string> given,
                llvm::StringRef folder) {
  std::vector<std::string> needed;
  for (const Service &known : SERVICES) {
    const std::string library = ("libgpuexec-" + known.name + ".so").str();
    const bool is_given = llvm::any_of(given, [&](llvm::StringRef service) {
      return service.split(',').first.rsplit('/').second == library ||
             service.split(',').first == library;
    });
    if (!asks_for(image, known) || is_given)
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
