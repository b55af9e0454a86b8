//===-- lending/isolated/peer.h - The device's own process ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the isolated process does: it holds the real device and does what it is
// asked for over its channels, until they are closed.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_ISOLATED_PEER_H
#define GPUEXEC_LENDING_ISOLATED_PEER_H

#include "lending/wire/channel.h"
#include "loader/device/device.h"

namespace gpuexec::isolated {

/// Opens a device. All its memory that the host reaches lies in `memory`.
using Opener = std::function<llvm::Expected<OpenedDevice>(
    llvm::MutableArrayRef<std::byte> memory)>;

/// Returns when nobody asks any more.
void serve(wire::Channel control, wire::Channel launches,
           llvm::ArrayRef<Image> images, const Opener &open,
           llvm::MutableArrayRef<std::byte> memory);

} // namespace gpuexec::isolated

#endif
