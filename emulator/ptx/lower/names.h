//===-- emulator/ptx/lower/names.h - Calls of host code --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions without a body that lowered code for the host calls.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_NAMES_H
#define GPUEXEC_EMULATOR_PTX_LOWER_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace gpuexec::ptx::host {

/// Sections of kernels, of .shared variables and of all other variables.
constexpr llvm::StringLiteral KERNEL_SECTION = "gpuexec.kernel";
constexpr llvm::StringLiteral SHARED_SECTION = "gpuexec.shared";
constexpr llvm::StringLiteral VARIABLE_SECTION = "gpuexec.variable";

/// All names begin so.
constexpr llvm::StringLiteral PREFIX = "__gpuexec_host_";

// Numbers, i32 unless it says i64.
constexpr llvm::StringLiteral TID[] = {
    "__gpuexec_host_tid_x", "__gpuexec_host_tid_y", "__gpuexec_host_tid_z"};
constexpr llvm::StringLiteral NTID[] = {
    "__gpuexec_host_ntid_x", "__gpuexec_host_ntid_y", "__gpuexec_host_ntid_z"};
constexpr llvm::StringLiteral CTAID[] = {"__gpuexec_host_ctaid_x",
                                         "__gpuexec_host_ctaid_y",
                                         "__gpuexec_host_ctaid_z"};
constexpr llvm::StringLiteral NCTAID[] = {"__gpuexec_host_nctaid_x",
                                          "__gpuexec_host_nctaid_y",
                                          "__gpuexec_host_nctaid_z"};
constexpr llvm::StringLiteral LANE = "__gpuexec_host_lane";
constexpr llvm::StringLiteral THREAD = "__gpuexec_host_thread"; ///< in a block
constexpr llvm::StringLiteral DYNAMIC_SHARED = "__gpuexec_host_dynamic_shared";
constexpr llvm::StringLiteral SHARED_BEGIN =
    "__gpuexec_host_shared_begin"; ///< i64, an address
constexpr llvm::StringLiteral SHARED_BYTES =
    "__gpuexec_host_shared_bytes"; ///< i64

// Pointers, which emulator/ptx/host/ puts in place of parameters and variables.
constexpr llvm::StringLiteral ARGUMENTS = "__gpuexec_host_arguments";
constexpr llvm::StringLiteral SHARED_BASE = "__gpuexec_host_shared_base";
constexpr llvm::StringLiteral VARIABLES = "__gpuexec_host_variables";

/// The name of a meeting continues with that of a MeetingKind.
constexpr llvm::StringLiteral MEETING = "__gpuexec_host_meet_";
/// The name continues with the reason.
constexpr llvm::StringLiteral UNFIT = "__gpuexec_host_unfit_";

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_LOWER_NAMES_H
