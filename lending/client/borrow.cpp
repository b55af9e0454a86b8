//===-- lending/client/borrow.cpp - A device that a server lends ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/client/borrow.h"
#include "lending/client/device.h"
#include "lending/client/lent_link.h"
#include "lending/transport/address.h"
#include "lending/transport/relay_process.h"
#include "lending/transport/socket.h"
#include "lending/wire/session.h"
#include "loader/device/backend.h"
#include "loader/device/range_allocator.h"
#include <sys/socket.h>
#include <unistd.h>

namespace gpuexec::lending {

using wire::Message;

namespace {

/// Bytes of an image in one message.
constexpr size_t LARGEST_PIECE = 1u << 20;
/// How long a server of this machine may take to send its greeting.
constexpr std::chrono::seconds GREETING_TIMEOUT(5);
/// How long a server of another machine may take to send its greeting. The
/// relay has shorter limits of its own, and tells when they are over.
constexpr std::chrono::seconds RELAY_TIMEOUT(30);
/// Members of LentDevice that its base class RemoteDevice needs: they are in a
/// base class of their own, which is constructed first.
struct Parts {
  std::unique_ptr<LentLink> lent_link;
  const Image *sent = nullptr; ///< the image that the worker has already
  /// The worker loads that image with these settings since; nothing: it does
  /// not.
  std::optional<LaunchSettings> loading;
  std::unique_ptr<wire::SharedMemory> shared;
  RangeAllocator mailboxes; ///< in the Part of Lent; empty if all is shared
  /// Always empty. Where host memory is a copy, the heap looks up the program's
  /// addresses here: none of that memory is shared.
  std::unique_ptr<wire::SharedMemory> nothing =
      std::make_unique<wire::SharedMemory>();
};

class LentDevice final : private Parts, public lending::RemoteDevice {
public:
  LentDevice(Parts parts, wire::Facts facts)
      : Parts(std::move(parts)),
        RemoteDevice(*lent_link, *shared,
                     lent_link->shares_memory() ? *shared : *nothing,
                     std::move(facts)) {}
  using RemoteDevice::load_request;
  llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) override;
  llvm::Expected<HostBuffer> allocate_host(uint64_t size) override;
  bool host_memory_is_copy() const override {
    return !lent_link->shares_memory();
  }
  llvm::Error carry_mailbox(const rpc::Layout &layout,
                            const HostBuffer &mailbox, uint32_t lanes) override;
};

llvm::Error LentDevice::carry_mailbox(const rpc::Layout &layout,
                                      const HostBuffer &mailbox,
                                      uint32_t lanes) {
  if (host_memory_is_copy())
    lent_link->notify(wire::SetMailbox{
        {mailbox.address, layout.first_version, layout.client_size,
         layout.ports, uint16_t(layout.lanes), uint16_t(lanes)}});
  return llvm::Error::success();
}

llvm::Expected<HostBuffer> LentDevice::allocate_host(uint64_t size) {
  // First allocates in the Part that came with Lent, which is all zeros, unless
  // all memory is shared.
  constexpr uint64_t PAGE = 4096;
  if (DeviceAddress address(mailboxes.allocate(size, PAGE)); address)
    return HostBuffer{shared->view(address, size), address, size};
  return RemoteDevice::allocate_host(size);
}

/// On one machine the worker maps the image; the bytes would be copied five
/// times on their way through a socket.
llvm::Error send_image(LentLink &link, const Image &image) {
  if (link.shares_memory()) {
    const llvm::StringRef bytes = image.bytes();
    if (UniqueFd file = wire::sealed_file("gpuexec-image", bytes))
      return link
          .post_with_file(wire::SendImage{image.name(), bytes.size(), {}},
                          file.get())
          .takeError();
  }
  llvm::StringRef rest(reinterpret_cast<const char *>(image.bytes().data()),
                       image.bytes().size());
  auto next = [&] {
    llvm::StringRef piece = rest.take_front(LARGEST_PIECE);
    rest = rest.drop_front(piece.size());
    return piece;
  };
  const uint64_t size = rest.size();
  llvm::Error error =
      link.post(wire::SendImage{image.name(), size, next()}).takeError();
  while (!error && !rest.empty())
    error = link.post(wire::ImageBytes{next()}).takeError();
  return error;
}

llvm::Expected<std::unique_ptr<Module>>
LentDevice::load(const Image &image, const LaunchSettings &settings) {
  if (sent != &image)
    if (llvm::Error error = send_image(*lent_link, image))
      return std::move(error);
  if (!loading)
    return RemoteDevice::load(image, settings);
  if (sent != &image || std::exchange(loading, std::nullopt) != settings)
    return failure(Reason::failed, "another image was to be loaded");
  return take_loaded(image, load_request(image, settings),
                     lent_link->take_loaded());
}

struct Suitable {
  std::vector<uint32_t> devices; ///< indices in Greeting, in its order
  /// The server has a suitable emulated device, but this process must have an
  /// emulator of its own: a program to be isolated gets none that another
  /// program has used, and with other GPUEXEC_EMULATOR_ variables an emulator
  /// works differently.
  bool own_emulator = false;
};

Suitable suitable_devices(const wire::Greeting &greeting,
                          const DeviceRequest &request,
                          const lending::DeviceSettings &settings,
                          llvm::ArrayRef<Image> images) {
  Suitable found;
  const bool same_emulator =
      greeting.variables == wire::emulator_variables(environ);
  for (uint32_t i = 0; i < greeting.devices.size(); ++i) {
    const DeviceInfo &info = greeting.devices[i];
    if (!*info.backend || !request.matches(info) || !any_runs_on(images, info))
      continue;
    if (info.emulated && (settings.isolate || !same_emulator))
      found.own_emulator = true;
    else
      found.devices.push_back(i);
  }
  return found;
}

/// Checks the worker's Lent, and makes a device from it.
llvm::Expected<OpenedDevice> take_device(Parts parts, Message message,
                                         llvm::ArrayRef<Image> images) {
  std::optional<wire::Lent> lent = wire::decode<wire::Lent>(message.body);
  std::optional<wire::SharedPart> part = parts.lent_link->take_part();
  if (!lent || !part || !part->place.begin || part->place.offset ||
      !*lent->facts.info.backend ||
      (lent->facts.all_is_shared && !parts.lent_link->shares_memory()) ||
      message.descriptors.size() != 1)
    return invalid_reply();
  wire::Facts facts = std::move(lent->facts);
  facts.info.lent = true;
  facts.info.is_shared = facts.is_shared;
  llvm::Expected<const Image *> image = choose_image(images, facts.info);
  if (!image)
    return image.takeError();
  parts.lent_link->set_launches(std::move(message.descriptors[0]));
  const wire::Part &place = part->place;
  if (llvm::Error error =
          parts.shared->map(place.begin, place.size, part->file))
    return std::move(error);
  if (!facts.all_is_shared)
    parts.mailboxes = RangeAllocator(place.begin.value, place.size);
  return OpenedDevice{
      std::make_unique<LentDevice>(std::move(parts), std::move(facts)), *image};
}

/// A connection to a server of another machine.
llvm::Expected<UniqueFd> connect_far(const std::string &address,
                                     const CredentialFiles &files) {
  if (llvm::Error error = Address::parse(address).takeError())
    return std::move(error);
  if (!files.key.empty() && !files.certificate.empty())
    return failure(Reason::failed, "either with a key or with a certificate");
  llvm::Expected<Credentials> credentials =
      read_credentials(with_environment(files));
  if (!credentials)
    return credentials.takeError();
  return start_client_relay(address, *credentials);
}

/// Finds out why a connection to another machine ended at once: an error when
/// no relay can work here with these files, else success.
llvm::Error check_relay(const CredentialFiles &files) {
  llvm::Expected<Credentials> credentials =
      read_credentials(with_environment(files));
  return credentials ? check_credentials(*credentials)
                     : credentials.takeError();
}

/// Sends the request and waits for a device. `lost` is set when the connection
/// ended before a device was lent.
llvm::Expected<OpenedDevice> borrow(std::unique_ptr<LentLink> link,
                                    const wire::Borrow &wish,
                                    llvm::ArrayRef<Image> images,
                                    std::optional<LaunchSettings> loading,
                                    bool &lost) {
  link->send(wish); // if it fails, no reply comes
  // Sends the image ahead: the worker finds it in the connection and reads it
  // while this process is still being woken up.
  const Image *sent = images.size() == 1 ? &images.front() : nullptr;
  if (sent)
    if (llvm::Error error = send_image(*link, *sent))
      return std::move(error);
  if (!sent)
    loading.reset();
  if (loading)
    link->send_load(LentDevice::load_request(*sent, *loading));
  llvm::Expected<Message> lent = link->receive(wire::Lent::KIND, std::nullopt);
  if (!lent) {
    lost = link->has_ended();
    return lent.takeError();
  }
  return take_device({std::move(link),
                      sent,
                      loading,
                      std::make_unique<wire::SharedMemory>(),
                      {}},
                     std::move(*lent), images);
}

llvm::Expected<std::optional<OpenedDevice>>
try_to_borrow(const DeviceRequest &request,
              const lending::DeviceSettings &settings,
              llvm::ArrayRef<Image> images, bool &lost) {
  const bool named = !settings.server.empty();
  const std::string path = named ? settings.server : default_socket();
  auto in_context = [&](llvm::Error error) {
    // A device that is taken back before the program has it: it may ask again.
    Reason reason = Reason::failed;
    llvm::visitErrors(error, [&](const llvm::ErrorInfoBase &each) {
      if (each.isA<Failure>() &&
          static_cast<const Failure &>(each).reason() == Reason::group_ended)
        reason = Reason::group_ended;
    });
    return failure(reason, "the server at {0}: {1}", path,
                   llvm::toString(std::move(error)));
  };
  const bool is_far = named && Address::is_one(path);
  UniqueFd connection;
  if (is_far) {
    llvm::Expected<UniqueFd> relay = connect_far(path, settings.credentials);
    if (!relay)
      return in_context(relay.takeError());
    connection = std::move(*relay);
  } else {
    std::string problem;
    connection = connect_to(path, problem);
    if (!connection && !named)
      return std::nullopt; // most users have no server
    if (!connection)
      return failure(Reason::failed, "no server at {0}: {1}", path, problem);
  }
  auto link = std::make_unique<LentLink>(std::move(connection), is_far);
  llvm::Expected<Message> greeted = link->receive(
      wire::Greeting::KIND, is_far ? RELAY_TIMEOUT : GREETING_TIMEOUT);
  llvm::Expected<wire::Greeting> greeting =
      greeted ? wire::take_greeting(greeted->body) : greeted.takeError();
  if (!greeting) {
    if (is_far)
      if (llvm::Error own_side = check_relay(settings.credentials)) {
        llvm::consumeError(greeting.takeError());
        return in_context(std::move(own_side));
      }
    if (named)
      return in_context(greeting.takeError());
    llvm::consumeError(greeting.takeError()); // not a server for this program
    return std::nullopt;
  }
  Suitable found = suitable_devices(*greeting, request, settings, images);
  const wire::Borrow wish{
      wire::VERSION,    settings.fault_report,
      settings.isolate, settings.alone ? wire::RUNS_ALONE : settings.suspicion,
      /*cuda=*/false,   std::move(found.devices)};
  if (wish.devices.empty()) {
    if (!named || found.own_emulator)
      return std::nullopt;
    return in_context(failure(Reason::failed,
                              "it lends no device that suits (--device {0})",
                              request.text));
  }
  // An emulated device may have to be told of options first.
  const bool loads_ahead = llvm::none_of(wish.devices, [&](uint32_t index) {
    return greeting->devices[index].emulated;
  });
  llvm::Expected<OpenedDevice> opened =
      borrow(std::move(link), wish, images,
             loads_ahead ? settings.launch : std::nullopt, lost);
  if (!opened)
    return in_context(opened.takeError());
  return std::optional<OpenedDevice>(std::move(*opened));
}

} // namespace

llvm::Expected<std::optional<OpenedDevice>>
borrow_device(const DeviceRequest &request,
              const lending::DeviceSettings &settings,
              llvm::ArrayRef<Image> images) {
  // The server may lend an idle worker that was killed, before it notices that.
  // The program has not begun then: it may ask for another worker.
  constexpr unsigned TRIES = 3;
  for (unsigned left = TRIES - 1;; --left) {
    bool lost = false;
    llvm::Expected<std::optional<OpenedDevice>> opened =
        try_to_borrow(request, settings, images, lost);
    if (opened || !lost || !left)
      return opened;
    llvm::consumeError(opened.takeError());
  }
}

} // namespace gpuexec::lending
