//===-- lending/isolated/peer.cpp - The device's own process --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/isolated/peer.h"
#include "lending/peer/peer.h"
#include "loader/device/hsa/runtime.h"
#include "loader/sandbox/sandbox.h"
#include "support/thread.h"
#include "llvm/Support/Path.h"

namespace gpuexec::isolated {

using wire::Channel;
using wire::Message;

namespace {

class IsolatedPeer final : public lending::Peer {
public:
  IsolatedPeer(llvm::ArrayRef<Image> images, const Opener &open,
               llvm::MutableArrayRef<std::byte> memory)
      : Peer(wire::ISOLATED), images(images), open(open), memory(memory) {}
  /// The kernel takes everything away from this process but what is open, its
  /// memory and its threads. When that fails no launch succeeds.
  void confine();

private:
  using Peer::serve;
  llvm::Error serve(const wire::Open &request, wire::Open::Reply &reply,
                    lending::Response &response) override;
  llvm::Error serve(const wire::Launch &request, wire::Launch::Reply &reply,
                    lending::Response &response) override;

  llvm::ArrayRef<Image> images;
  const Opener &open;
  const llvm::MutableArrayRef<std::byte> memory;
  std::unique_ptr<Device> opened;
  std::string unconfined = "not confined yet"; ///< why not; empty when it is
};

llvm::Error IsolatedPeer::serve(const wire::Open &request,
                                wire::Open::Reply &reply,
                                lending::Response &response) {
  llvm::Expected<OpenedDevice> made = open(memory);
  if (!made)
    return made.takeError();
  opened = std::move(made->device);
  device = opened.get();
  image = made->image;
  reply.facts = {device->info(), device->clock_frequency(),
                 /*all_is_shared=*/true};
  reply.image = uint32_t(image - images.data());
  return llvm::Error::success();
}

llvm::Error IsolatedPeer::serve(const wire::Launch &request,
                                wire::Launch::Reply &reply,
                                lending::Response &response) {
  if (!unconfined.empty())
    return failure(Reason::failed, "{0}", unconfined);
  return Peer::serve(request, reply, response);
}

void IsolatedPeer::confine() {
  sandbox::Grants grants;
  // Its compiler, when code gets hot: one file, which needs no other library.
  grants.readable = {
      llvm::sys::path::parent_path(hsa::emulator_library()).str()};
  grants.calls = sandbox::Calls::machine;
  llvm::Error error = sandbox::confine(grants);
  unconfined = error ? "--sandbox: " + llvm::toString(std::move(error)) : "";
}

} // namespace

void serve(Channel control, Channel launches, llvm::ArrayRef<Image> images,
           const Opener &open, llvm::MutableArrayRef<std::byte> memory) {
  IsolatedPeer peer(images, open, memory);
  Thread launcher;
  while (std::optional<Message> asked = control.receive()) {
    if (asked->kind != wire::Confine::KIND) {
      if (!peer.answer(*asked, control))
        break;
      continue;
    }
    // This is the only thread so far. No launch is served before.
    if (launcher.joinable())
      break;
    peer.confine();
    if (!launcher.start([&] {
          while (std::optional<Message> launch = launches.receive())
            if (!peer.answer(*launch, launches))
              return;
        }))
      break;
  }
  if (launcher.joinable())
    launcher.detach(); // a kernel may still run: the process ends with it
}

} // namespace gpuexec::isolated
