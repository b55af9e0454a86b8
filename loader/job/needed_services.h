//===-- loader/job/needed_services.h - Services of an image -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_JOB_NEEDED_SERVICES_H
#define GPUEXEC_LOADER_JOB_NEEDED_SERVICES_H

#include "loader/image/image.h"

namespace gpuexec {

/// Libraries of services that the image asks for, because gpucc has linked
/// -lcblas to it. The image is untrusted: it can ask for those in a list, which
/// come with gpuexec and are safe for any program, and for no other. Those are
/// left out that the user has named in `given`, in the form of --service.
/// `folder`: where gpuexec's services are. Errors: Failure when one is not
/// there.
llvm::Expected<std::vector<std::string>>
needed_services(const Image &image, llvm::ArrayRef<std::string> given,
                llvm::StringRef folder);

/// Where the services are of the gpuexec that runs.
std::string services_folder();

} // namespace gpuexec

#endif
