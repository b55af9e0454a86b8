//===-- loader/job/needed_services.h - Services of an image -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_JOB_NEEDED_SERVICES_H
#define GPUEXEC_LOADER_JOB_NEEDED_SERVICES_H

#include "loader/image/image.h"

namespace gpuexec {

/// Libraries of the services that the image asks for, because it was linked
/// with the device's part of them. The image is untrusted: it can ask only for
/// those of services/services.def, which are safe for any program. Services
/// that the user has named in `given`, in the form of --service, are left out.
/// `folder`: where gpuexec's services are. Error: Failure when one is not
/// there.
llvm::Expected<std::vector<std::string>>
needed_services(const Image &image, llvm::ArrayRef<std::string> given,
                llvm::StringRef folder);

/// Fails for an image that asks for a service which --sandbox refuses.
llvm::Error check_services_for_sandbox(const Image &image);

/// True for a program on an NVIDIA GPU with a service that runs kernels of a
/// vendor's library there while the program's kernel waits.
bool shares_device(const Image &image);

/// The folder of the services that belong to the running gpuexec.
std::string services_folder();

} // namespace gpuexec

#endif
