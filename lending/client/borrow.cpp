//===-- lending/client/borrow.cpp - A device that a server lends ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/client/borrow.h"
#include "lending/client/device.h"
#include "lending/transport/address.h"
#include "lending/transport/relay_process.h"
#include "lending/transport/socket.h"
#include "lending/wire/session.h"
#include "loader/device/backend.h"
#include "loader/device/range_allocator.h"
#include <sys/socket.h>
#include <unistd.h>

namespace gpuexec::lending {

using wire::Answer;
using wire::Message;

namespace {

/// Bytes of an image in one message.
constexpr size_t LARGEST_PIECE = 1u << 20;
/// How long a server of this machine may take to send its greeting.
constexpr std::chrono::seconds GREETING_TIMEOUT(5);
/// How long a server of another machine may take to send its greeting. The
/// relay has shorter limits of its own, and tells when they are over.
constexpr std::chrono::seconds RELAY_TIMEOUT(30);
/// How long to wait for the reason once the socket for launches is closed. The
/// server sends the reason before it closes that socket.
constexpr std::chrono::milliseconds REASON_TIMEOUT(200);

class LentLink final : public wire::Link {
public:
  /// `is_far`: a relay is at the other end.
  LentLink(UniqueFd connection, bool is_far)
      : is_far(is_far), connection(std::move(connection)),
        control(this->connection.get(), is_far) {}

  llvm::Error settle(uint64_t number) override;
  /// Closes both connections: the worker sees that, and ends if it runs a
  /// kernel for this process.
  void kill() override {
    ::shutdown(connection.get(), SHUT_RDWR);
    if (launch_socket)
      ::shutdown(launch_socket.get(), SHUT_RDWR);
  }
  bool shares_memory() const override { return !is_far; }
  uint32_t largest_copy() const override { return wire::LARGEST_SOCKET_COPY; }
  const char *name() const override { return "the server"; }
  /// Receives the next message while there is no device yet; it must be of this
  /// kind. Errors: Failure when the server has gone or refuses.
  llvm::Expected<Message> receive(uint32_t kind, Limit limit);
  template <typename T> bool send(const T &message) {
    return control.send(message);
  }
  /// Takes the Part that came before the last message, if one did.
  std::optional<wire::SharedPart> take_part() {
    return std::exchange(part, std::nullopt);
  }
  /// The other side closed the connection before it lent a device.
  bool has_ended() const { return ended; }
  void set_launches(UniqueFd socket) {
    launch_socket = std::move(socket);
    launches.emplace(launch_socket.get());
    launches->take_no_descriptors();
  }

private:
  llvm::Expected<Answer> exchange(uint32_t kind, llvm::StringRef body,
                                  Limit limit) override;
  llvm::Expected<Answer> exchange_launch(llvm::StringRef body) override;
  llvm::Expected<uint64_t> post_bytes(uint32_t kind,
                                      llvm::StringRef body) override;
  void notify_bytes(uint32_t kind, llvm::StringRef body) override {
    std::lock_guard lock(mutex);
    control.send(kind, body); // if it fails, so does the next ask()
  }
  llvm::Error taken_back();
  std::optional<Message> next_message(Limit limit);
  llvm::Expected<Answer> next_answer(Limit limit);
  llvm::Error read_until(uint64_t number, Limit limit);

  const bool is_far;
  const UniqueFd connection;
  UniqueFd launch_socket;
  bool ended = false;
  std::timed_mutex mutex; // guards what follows
  wire::Channel control;
  uint64_t asked = 0;                   ///< requests sent that have a reply
  uint64_t read = 0;                    ///< replies to them received
  bool posts_failed = false;            ///< a post(), since the last settle()
  std::optional<wire::SharedPart> part; ///< for take_part()
  std::optional<wire::Channel> launches;
};

llvm::Error nonsense() {
  return failure(Reason::failed, "it replies nonsense");
}

llvm::Error refused(const Message &message) {
  std::optional<wire::Refused> refused =
      wire::decode<wire::Refused>(message.body);
  if (!refused)
    return nonsense();
  return failure(refused->again ? Reason::group_ended : Reason::failed, "{0}",
                 refused->why);
}

llvm::Error has_gone() {
  return failure(Reason::failed, "the server has taken the device back: its "
                                 "worker has ended");
}

llvm::Error no_answer() {
  return failure(Reason::failed, "the server does not answer");
}

/// Receives the next message. A Part that comes before it is kept for
/// take_part(). A second Part is returned as the message, which the caller
/// refuses.
std::optional<Message> LentLink::next_message(Limit limit) {
  std::optional<Message> message = control.receive(limit);
  if (!message || message->kind != wire::Part::KIND || part)
    return message;
  std::optional<wire::Part> place = wire::decode<wire::Part>(message->body);
  if (!place || message->descriptors.size() != 1)
    return message;
  part = wire::SharedPart{*place, std::move(message->descriptors.front())};
  return control.receive(limit);
}

llvm::Expected<Message> LentLink::receive(uint32_t kind, Limit limit) {
  std::optional<Message> message = next_message(limit);
  if (!message) {
    ended = !control.has_timed_out();
    return failure(Reason::failed, ended ? "it has ended the connection"
                                         : "it does not answer");
  }
  if (message->kind == wire::Refused::KIND)
    return refused(*message);
  if (message->kind != kind)
    return lending::nonsense();
  return std::move(*message);
}

/// The error after the socket for launches was closed. The server may have sent
/// the reason over the other connection.
llvm::Error LentLink::taken_back() {
  std::unique_lock lock(mutex, REASON_TIMEOUT);
  if (lock)
    if (std::optional<Message> last = control.receive(REASON_TIMEOUT))
      if (last->kind == wire::Refused::KIND)
        return refused(*last);
  return has_gone();
}

/// Receives the reply to the oldest request that has none yet. The caller holds
/// the mutex.
llvm::Expected<Answer> LentLink::next_answer(Limit limit) {
  std::optional<Message> message = next_message(limit);
  if (!message && control.has_timed_out())
    return no_answer(); // the reply may still come
  ++read;
  std::optional<wire::SharedPart> its_part = take_part();
  if (!message)
    return has_gone();
  if (message->kind == wire::Refused::KIND)
    return refused(*message);
  if (llvm::Error error = wire::error_of(*message, name()))
    return std::move(error);
  return Answer{std::move(message->body), std::move(its_part)};
}

/// Receives the replies to all requests up to this number; returns the first
/// error. The caller holds the mutex.
llvm::Error LentLink::read_until(uint64_t number, Limit limit) {
  llvm::Error first = llvm::Error::success();
  for (bool in_time = true; in_time && read < number;) {
    const uint64_t before = read;
    llvm::Error error = next_answer(limit).takeError();
    posts_failed |= bool(error);
    if (first)
      llvm::consumeError(std::move(error)); // usually caused by the first
    else
      first = std::move(error);
    in_time = read != before;
  }
  return first;
}

llvm::Expected<uint64_t> LentLink::post_bytes(uint32_t kind,
                                              llvm::StringRef body) {
  // Replies that nobody reads must not fill the socket.
  constexpr unsigned MOST_UNREAD = 64;
  std::lock_guard lock(mutex);
  control.send(kind, body); // if it fails, no reply comes
  if (++asked - read > MOST_UNREAD)
    if (llvm::Error error = read_until(asked, std::nullopt))
      return std::move(error);
  return asked;
}

llvm::Error LentLink::settle(uint64_t number) {
  std::lock_guard lock(mutex);
  llvm::Error error = read_until(std::min(number, asked), std::nullopt);
  if (!std::exchange(posts_failed, false) || error)
    return error;
  return failure(Reason::failed, "a request before has failed");
}

llvm::Expected<Answer> LentLink::exchange(uint32_t kind, llvm::StringRef body,
                                          Limit limit) {
  std::unique_lock lock(mutex, std::defer_lock);
  if (!limit)
    lock.lock();
  else if (!lock.try_lock_for(*limit))
    return no_answer();
  control.send(kind, body); // if it fails, no reply comes
  const uint64_t number = ++asked;
  llvm::Error before = read_until(number - 1, limit);
  if (!before)
    return next_answer(limit);
  llvm::consumeError(read_until(number, limit)); // caused by `before`
  return std::move(before);
}

llvm::Expected<Answer> LentLink::exchange_launch(llvm::StringRef body) {
  {
    std::lock_guard lock(mutex);
    if (llvm::Error error = read_until(asked, std::nullopt))
      return std::move(error);
  }
  launches->send(wire::Launch::KIND, body); // if it fails, no reply comes
  std::optional<Message> message = launches->receive();
  if (!message)
    return taken_back();
  if (llvm::Error error = wire::error_of(*message, name()))
    return std::move(error);
  return Answer{std::move(message->body), std::nullopt};
}

/// Members of LentDevice that its base class RemoteDevice needs: they are in a
/// base class of their own, which is constructed first.
struct Parts {
  std::unique_ptr<LentLink> lent_link;
  const Image *sent = nullptr; ///< the image that the worker has already
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

llvm::Error send_image(LentLink &link, const Image &image) {
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
  return RemoteDevice::load(image, settings);
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
    return nonsense();
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
                                    llvm::ArrayRef<Image> images, bool &lost) {
  link->send(wish); // if it fails, no reply comes
  // Sends the image ahead: the worker finds it in the connection and reads it
  // while this process is still being woken up.
  const Image *sent = images.size() == 1 ? &images.front() : nullptr;
  if (sent)
    if (llvm::Error error = send_image(*link, *sent))
      return std::move(error);
  llvm::Expected<Message> lent = link->receive(wire::Lent::KIND, std::nullopt);
  if (!lent) {
    lost = link->has_ended();
    return lent.takeError();
  }
  return take_device(
      {std::move(link), sent, std::make_unique<wire::SharedMemory>(), {}},
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
      if (each.isA<Failure>() && static_cast<const Failure &>(each).reason() ==
                                     Reason::group_ended)
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
      wire::VERSION, settings.fault_report, settings.isolate,
      settings.alone ? wire::RUNS_ALONE : settings.suspicion,
      std::move(found.devices)};
  if (wish.devices.empty()) {
    if (!named || found.own_emulator)
      return std::nullopt;
    return in_context(failure(Reason::failed,
                              "it lends no device that suits (--device {0})",
                              request.text));
  }
  llvm::Expected<OpenedDevice> opened =
      borrow(std::move(link), wish, images, lost);
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
