//===-- lending/wire/mailbox_place.h - Where a mailbox is -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LENDING_WIRE_MAILBOX_PLACE_H
#define GPUEXEC_LENDING_WIRE_MAILBOX_PLACE_H

#include "support/device_address.h"
#include <cstdint>

namespace gpuexec::lent {

/// What a relay has to know of a mailbox, whose content it carries.
struct MailboxPlace {
  DeviceAddress address;
  uint32_t first_version = 0; ///< rpc::Layout's, as the next three
  uint32_t client_size = 0;
  uint32_t ports = 0;
  uint16_t lanes = 0;  ///< that there is room for
  uint16_t stride = 0; ///< lanes of the next kernel's waves
  bool operator==(const MailboxPlace &) const = default;
};
static_assert(sizeof(MailboxPlace) == 24, "sent as it is");

} // namespace gpuexec::lent

#endif
