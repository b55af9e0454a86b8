//===-- loader/program/mailbox.cpp - The mailbox of a program -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/start_up.h"
#include "loader/device/own_grid.h"
#include "loader/program/program.h"
#include "rpc/protocol/protocol.h"
#include "llvm/Support/MathExtras.h"

namespace gpuexec {

static_assert(std::string_view(RPC_CLIENT_SYMBOL) == GPUEXEC_RPC_CLIENT &&
              std::string_view(RPC_CLIENT_SYMBOL_19) == GPUEXEC_RPC_CLIENT_19);

uint32_t port_count(uint64_t waves, uint64_t resident) {
  // EACH: while the server has not yet seen a wave's FREE, the wave uses a
  // second port. LINE: with 16 ports per wave the mailbox words of each wave
  // have their own cache line (rpc_extensions::port_lines); up to CHEAP ports,
  // whose memory is small.
  constexpr uint64_t EACH = 2, LINE = 16, CHEAP = 512;
  uint64_t running =
      std::clamp<uint64_t>(std::min(waves, resident), 1, UINT16_MAX);
  uint64_t ports = std::max(running * EACH, std::min(running * LINE, CHEAP));
  return uint32_t(std::min<uint64_t>(llvm::PowerOf2Ceil(ports), UINT16_MAX));
}

llvm::Error Program::fill_in_client(const RpcClient &client,
                                    llvm::ArrayRef<std::byte> bytes) {
  llvm::Expected<std::optional<DeviceAddress>> address =
      find_global(client.symbol);
  if (!address || !*address)
    return address.takeError();
  if (client.symbol != RPC_CLIENT_SYMBOL_19)
    return device.queue().copy_to_device(**address, bytes);
  uint64_t object = 0;
  if (llvm::Error error = device.queue().copy_from_device(
          {reinterpret_cast<std::byte *>(&object), sizeof(object)}, **address))
    return error;
  // The address comes from the image and may be anything: write through the
  // heap, which checks that it is memory of the device.
  if (llvm::Error error = device.heap().write(DeviceAddress(object),
                                              bytes.data(), bytes.size()))
    return failure(Reason::not_runnable, "{0}: the client object of '{1}': {2}",
                   image.name(), client.symbol,
                   llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error Program::fill_in_extensions(llvm::ArrayRef<std::byte> bytes) {
  const Global *extensions = image.find_global(RPC_EXTENSIONS_SYMBOL);
  if (!extensions || !extensions->defined)
    return llvm::Error::success();
  if (extensions->size && extensions->size < bytes.size())
    return failure(
        Reason::not_runnable, "{0}: '{1}' has {2} bytes where {3} are expected",
        image.name(), RPC_EXTENSIONS_SYMBOL, extensions->size, bytes.size());
  llvm::Expected<std::optional<DeviceAddress>> address =
      find_global(RPC_EXTENSIONS_SYMBOL);
  if (!address || !*address)
    return address.takeError();
  return device.queue().copy_to_device(**address, bytes);
}

llvm::Expected<rpc::Layout>
Program::lay_out_mailbox(const RpcClient &client) const {
  const bool version_19 = client.symbol == RPC_CLIENT_SYMBOL_19;
  if (version_19 && client.size != sizeof(uint64_t))
    return failure(Reason::not_runnable,
                   "{0}: symbol '{1}' of LLVM 19 has {2} bytes, expected {3}",
                   image.name(), client.symbol, client.size, sizeof(uint64_t));
  uint32_t lanes = 1, narrowest = UINT32_MAX;
  for (const Kernel *kernel : startup.launches()) {
    lanes = std::max(lanes, kernel->wave_size);
    narrowest = std::min(narrowest, kernel->wave_size);
  }
  const uint32_t ports =
      std::min(most_ports, port_count(grid.waves(narrowest),
                                      device.info().resident_waves()));
  llvm::Expected<rpc::Layout> layout =
      version_19 ? rpc::Layout::for_version_19(ports, lanes)
                 : rpc::Layout::from_client_size(client.size, ports, lanes);
  if (layout)
    return layout;
  return llvm::handleErrors(
      layout.takeError(), [&](const llvm::ErrorInfoBase &error) -> llvm::Error {
        return failure(Reason::not_runnable, "{0}: {1}", image.name(),
                       error.message());
      });
}

llvm::Error Program::set_up_mailbox() {
  std::optional<RpcClient> client = image.rpc_client();
  if (!client)
    return llvm::Error::success();
  llvm::Expected<rpc::Layout> layout = lay_out_mailbox(*client);
  if (!layout)
    return layout.takeError();
  llvm::Expected<HostBuffer> memory =
      device.allocate_host(layout->buffer_size());
  if (!memory)
    return memory.takeError();
  mailbox = *memory;
  mailbox_layout = *layout;
  rpc::ServerOptions server_options = options.server;
  server_options.program_name = options.image;
  server_options.vendor_library = leaves_room(grid, device.info());
  server_options.device_name = device.info().name;
  if (device.info().lent) // a relay does not carry them
    server_options.disabled_features |= RPC_FEATURE_LONG_REQUESTS;
  llvm::Expected<std::unique_ptr<rpc::Server>> created =
      rpc::Server::create(*layout, mailbox.host, mailbox.address, device.heap(),
                          std::move(server_options));
  if (!created)
    return created.takeError();
  mailbox_server = std::move(*created);
  if (llvm::Error error =
          fill_in_client(*client, mailbox_server->client_object()))
    return error;
  return fill_in_extensions(mailbox_server->extensions_object());
}

} // namespace gpuexec
