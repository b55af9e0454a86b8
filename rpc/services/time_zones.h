//===-- rpc/services/time_zones.h - Where time zones are kept ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A confined process must still be able to read these files (loader/sandbox).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_TIME_ZONES_H
#define GPUEXEC_RPC_SERVICES_TIME_ZONES_H

namespace gpuexec::rpc {

/// A folder of zones by name, "Europe/Berlin".
constexpr char ZONE_DATABASE[] = "/usr/share/zoneinfo";
/// The host's own zone, usually a link into the database.
constexpr char LOCAL_ZONE[] = "/etc/localtime";

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_TIME_ZONES_H
