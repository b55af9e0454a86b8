//===-- lending/relay/relay.cpp - Carries a lent device -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/relay.h"
#include "loader/sandbox/sandbox.h"
#include <sys/prctl.h>
#include <thread>

namespace gpuexec::relay {

using namespace std::chrono_literals;

/// How long TLS's handshake and the first frame may take.
static constexpr auto HANDSHAKE_TIMEOUT = 10s;
/// A relay that has nothing else to send sends Ping this often.
static constexpr auto PING_INTERVAL = 4s;
/// The other relay is taken for lost when nothing has come from it for this
/// long.
static constexpr auto SILENCE_TIMEOUT = 15s;
/// While MOST_UNSENT bytes wait to be sent to the network, nothing is read from
/// local sockets; while MOST_QUEUED bytes wait to be sent to local sockets,
/// nothing is read from the network.
static constexpr size_t MOST_UNSENT = 2u << 20, MOST_QUEUED = 8u << 20;
/// How long the relay polls before it sleeps: the other side of a fast network
/// answers within this time.
static constexpr auto LOOK_FOR = 50us;
/// The same on a machine of few processors, which client, device and both
/// relays may have to share: there the relay polls only while it must look at
/// the mailbox.
static constexpr auto LOOK_FOR_ON_FEW = 20us;
static constexpr unsigned FEW_PROCESSORS = 4;
/// The most bytes that exchange() reads from the network and writes to it: the
/// next look at the mailbox must not come late.
static constexpr size_t MOST_READ = 512u << 10, MOST_WRITTEN = 512u << 10;

bool confine(Pump &pump) {
  ::prctl(PR_SET_TIMERSLACK, 1); // ns; by default sleeps are up to 50 us late
  sandbox::Grants grants;
  grants.calls = sandbox::Calls::relay;
  llvm::Expected<sandbox::Sandbox> prepared = sandbox::Sandbox::prepare(grants);
  if (!prepared)
    return llvm::consumeError(prepared.takeError()), false;
  auto confine_thread = [&] {
    return !llvm::errorToBool(prepared->confine_thread());
  };
  return pump.start(confine_thread) && confine_thread() &&
         !llvm::errorToBool(prepared->confine_process());
}

void Relay::end(std::string why) {
  if (ended)
    return;
  ended = true;
  why_ended = std::move(why);
}

bool Relay::wait_for(short events, Clock::time_point deadline) {
  auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  pollfd watched[] = {{network.get(), events, 0},
                      {control.get(), POLLRDHUP, 0}};
  return ::poll(watched, 2, int(std::max<int64_t>(left.count(), 0))) > 0 &&
         !watched[1].revents;
}

bool Relay::shake_hands() {
  const auto deadline = Clock::now() + HANDSHAKE_TIMEOUT;
  for (;;) {
    switch (tls->shake_hands()) {
    case Tls::Result::done:
      return true;
    case Tls::Result::wants_read:
    case Tls::Result::wants_write:
      if (wait_for(POLLIN, deadline))
        continue;
      end("it does not answer");
      return false;
    case Tls::Result::closed:
    case Tls::Result::failed:
      end("no secure connection: " + tls->error() + hint());
      return false;
    }
  }
}

/// Advice for the user, which follows the text of an error of TLS.
std::string Relay::hint() const {
  return with_certificate
             ? " (both sides' certificates must be valid and signed by the "
               "other's authority)"
             : " (is it gpuexec's, with the same key?)";
}

/// Before the other relay's Hello the error is told as one of the handshake: a
/// server that refuses a certificate says so after the client's handshake has
/// ended.
void Relay::lose_network() {
  end((greeted ? "the connection to the server was lost: "
               : "no secure connection: ") +
      tls->error() + (greeted ? std::string() : hint()));
}

bool Relay::begin(const lending::Credentials &credentials,
                  const std::string &host) {
  on_few = std::thread::hardware_concurrency() < FEW_PROCESSORS;
  with_certificate = credentials.has_certificate();
  pump.emplace(network.get(), /*has_threads=*/!on_few);
  llvm::Expected<std::unique_ptr<Tls>> created =
      Tls::create(role, *pump, credentials, host);
  if (!created) {
    end(llvm::toString(created.takeError()));
    return false;
  }
  tls = std::move(*created);
  if (!confine(*pump)) {
    end("the relay cannot be confined");
    return false;
  }
  if (!shake_hands())
    return false;
  heard = spoken = Clock::now();
  out.frame(wire::Hello{wire::MAGIC, wire::VERSION});
  return true;
}

bool Relay::carry(llvm::StringRef body) {
  std::optional<wire::Carry> what = wire::decode<wire::Carry>(body);
  if (!what || !memory.send_copied(out, what->address, what->size))
    end("memory is to be sent that is not there");
  return true;
}

bool Relay::take_copied(llvm::StringRef body) {
  std::optional<wire::CopiedBytes> copied =
      wire::decode<wire::CopiedBytes>(body);
  if (!copied)
    return false;
  const llvm::StringRef bytes = copied->bytes.bytes;
  char *to = memory.view_copies(copied->address, bytes.size());
  if (to)
    std::memcpy(to, bytes.data(), bytes.size());
  return to;
}

/// If the next frame is an incomplete CopiedBytes, writes its bytes directly to
/// the memory for copies, now and as more of them come.
void Relay::begin_copied() {
  std::optional<Inbox::Begun> begun =
      inbox.take_begun(wire::CopiedBytes::KIND, sizeof(DeviceAddress));
  if (!begun)
    return;
  const DeviceAddress address =
      wire::decode<wire::CopiedBytes>(begun->head)->address;
  const size_t size = begun->bytes.size() + begun->missing;
  char *to = memory.view_copies(address, size);
  if (!to)
    return end("it replies nonsense");
  std::memcpy(to, begun->bytes.data(), begun->bytes.size());
  sink = {to + begun->bytes.size(), begun->missing};
  if (sink.size() > Tls::READ_AHEAD_OF_THREADS)
    pump->expect(sink.size() - Tls::READ_AHEAD_OF_THREADS);
}

/// The first frame of the other side.
bool Relay::take_hello(const Frame &frame) {
  wire::Reader start(frame.body); // two fields that all versions have
  const auto magic = start.take<uint32_t>(), version = start.take<uint32_t>();
  greeted = frame.kind == wire::Hello::KIND && magic == wire::MAGIC;
  if (greeted && version != wire::VERSION)
    end("it is of another version of gpuexec");
  return greeted;
}

bool Relay::take_frames() {
  bool some = false;
  while (std::optional<Frame> frame = inbox.next()) {
    some = true;
    bool good = true;
    if (!greeted) {
      good = take_hello(*frame);
    } else if (frame->kind == wire::CopiedBytes::KIND) {
      good = take_copied(frame->body);
    } else if (frame->kind != wire::Ping::KIND) {
      good = take(*frame);
    }
    if (!good)
      end("it replies nonsense");
    if (ended)
      return true;
  }
  if (inbox.is_bad())
    end("it replies nonsense");
  else if (greeted)
    begin_copied();
  return some;
}

bool Relay::read_network() {
  size_t total = 0;
  while (network_ready && total < MOST_READ &&
         control.unsent() + launches.unsent() < MOST_QUEUED) {
    size_t size = 0;
    const bool is_direct = !sink.empty();
    switch (tls->read(is_direct ? sink : inbox.room(64u << 10), size)) {
    case Tls::Result::done:
      total += size;
      if (is_direct) {
        sink = sink.drop_front(size);
        continue;
      }
      inbox.arrived(size);
      take_frames();
      if (ended)
        return true;
      continue;
    case Tls::Result::wants_read:
    case Tls::Result::wants_write:
      network_ready = false;
      break;
    case Tls::Result::closed:
      end({});
      return true;
    case Tls::Result::failed:
      lose_network();
      return true;
    }
  }
  if (total)
    heard = Clock::now();
  return total != 0;
}

bool Relay::write_network() {
  size_t total = 0;
  network_events = POLLIN;
  Tls::Result result = Tls::Result::done;
  while (result == Tls::Result::done && !out.empty() && total < MOST_WRITTEN) {
    size_t size = 0;
    result = tls->write(out.unsent(), size);
    if (result != Tls::Result::done)
      break;
    out.sent(size);
    total += size;
  }
  if (result == Tls::Result::done)
    result = tls->flush();
  if (result == Tls::Result::failed || result == Tls::Result::closed) {
    lose_network();
    return true;
  }
  if (result != Tls::Result::done)
    network_events |= POLLOUT;
  if (total)
    spoken = Clock::now();
  return total != 0;
}

void Relay::send_control(LocalSocket::Piece piece) {
  if (!piece.whole)
    return out.frame(wire::ControlBytes::KIND, piece.bytes);
  const bool good = piece.kind == wire::Carry::KIND
                        ? carry(piece.body())
                        : take_message(std::move(piece));
  if (!good)
    end("a message that makes no sense");
}

bool Relay::read_control() {
  bool some = false;
  while (control && !ended && out.size() < MOST_UNSENT) {
    LocalSocket::Piece piece;
    switch (control.receive(piece)) {
    case LocalSocket::Got::piece:
      send_control(std::move(piece));
      some = true;
      continue;
    case LocalSocket::Got::nothing:
      return some;
    case LocalSocket::Got::end:
      control.close();
      end({});
      return true;
    }
  }
  return some;
}

bool Relay::read_launches() {
  bool some = false;
  while (launches && !ended && out.size() < MOST_UNSENT) {
    LocalSocket::Piece piece;
    switch (launches.receive(piece)) {
    case LocalSocket::Got::piece:
      if (piece.begins)
        begin_launch_message();
      out.frame(wire::LaunchBytes::KIND, piece.bytes);
      some = true;
      continue;
    case LocalSocket::Got::nothing:
      return some;
    case LocalSocket::Got::end:
      launches.close();
      if (!launches_have_ended())
        end({});
      return true;
    }
  }
  return some;
}

/// One turn of run(); true when something has happened.
bool Relay::exchange() {
  bool some = read_network();
  if (ended)
    return true;
  some |= look();
  // Messages that came over `control` before a launch are sent before it.
  if (control_ready || launches_ready)
    some |= read_control();
  if (launches_ready && out.size() < MOST_UNSENT)
    some |= read_launches();
  if (!control.flush() || (launches && !launches.flush()))
    end({});
  if (!out.empty() || tls->is_buffering())
    some |= write_network();
  return some;
}

void Relay::keep_alive(Clock::time_point now) {
  if (now - spoken > PING_INTERVAL && out.empty())
    out.frame(wire::Ping{});
  if (now - heard > SILENCE_TIMEOUT)
    end("the connection to the server was lost: no sign of life for " +
        std::to_string(std::chrono::seconds(SILENCE_TIMEOUT).count()) + " s");
}

void Relay::wait(Clock::duration quiet) {
  timespec time{};
  // Sleeps early and briefly, and never yields: on a busy machine a thread that
  // yields waits for all others, and a thread that wakes up runs soon.
  const bool looks = must_look() || pump->is_ahead();
  const auto look_for = !on_few       ? LOOK_FOR
                        : must_look() ? LOOK_FOR_ON_FEW
                                      : 0us;
  if (quiet >= look_for) {
    rest();
    std::chrono::nanoseconds length = 1s;
    if (looks)
      length = rpc::sleep_length(quiet, wake_cost.each());
    time.tv_sec = length / 1s;
    time.tv_nsec = (length % 1s).count();
  }
  const bool network_full = out.size() >= MOST_UNSENT;
  const short local_events = network_full ? 0 : POLLIN;
  auto events_of = [&](const LocalSocket &socket) {
    return short(local_events | (socket.unsent() ? POLLOUT : 0));
  };
  const bool local_full = control.unsent() + launches.unsent() >= MOST_QUEUED;
  pollfd watched[] = {
      {network.get(),
       short(local_full ? network_events & ~POLLIN : network_events), 0},
      {control.get(), events_of(control), 0},
      {launches.get(), events_of(launches), 0}};
  const int found = ::ppoll(watched, 3, &time, nullptr);
  network_ready |= (found > 0 && watched[0].revents) || pump->is_ahead();
  control_ready = found > 0 && watched[1].revents;
  launches_ready = found > 0 && watched[2].revents;
  if (time.tv_sec || time.tv_nsec) {
    found > 0 ? wake_cost.interrupted() : wake_cost.slept();
    keep_alive(Clock::now());
  }
}

void Relay::run() {
  Clock::time_point since = Clock::now(), checked = since;
  while (!ended) {
    const bool some = exchange();
    if (ended)
      break;
    const Clock::time_point now = Clock::now();
    if (some)
      since = now;
    if (now - checked > 1s) {
      checked = now;
      keep_alive(now);
    }
    if (some && network_ready)
      continue; // there may be more
    wait(now - since);
  }
  // Sends the remaining frames, if the other relay has ever said Hello.
  if (tls && greeted) {
    write_network();
    tls->close();
  }
  const auto deadline = Clock::now() + 1s;
  while (control && control.flush() && control.unsent() &&
         Clock::now() < deadline) {
    pollfd watched = {control.get(), POLLOUT, 0};
    ::poll(&watched, 1, 100);
  }
}

} // namespace gpuexec::relay
