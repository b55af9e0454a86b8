//===-- lending/server/server.cpp - Keeps devices open and lends them -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/server.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gpuexec::serve {

using wire::Message;

namespace {

/// How long a worker may take to clean up once its client has gone.
constexpr std::chrono::seconds CLEAN_UP_TIMEOUT(5);
/// How long a worker may take to find out which devices there are.
constexpr std::chrono::seconds LIST_TIMEOUT(60);
/// A client that does not ask for a device within this time is disconnected.
constexpr std::chrono::seconds CLIENT_TIMEOUT(10);
/// A GPU serves the processes that use it in turns of a millisecond or two.
/// Programs of a few milliseconds end sooner when only MOST_SHORT_PROGRAMS have
/// the GPU at a time and others wait. A program counts as one of these for
/// SHORT_PROGRAM after its start. On an H100 16 clients started 330, 472, 575
/// and 507 programs a second with 1, 2, 3 and 4 at a time, and 120 with 8.
constexpr std::chrono::milliseconds SHORT_PROGRAM(4);
constexpr size_t MOST_SHORT_PROGRAMS = 3;
/// The most connections at a time that have no device.
constexpr size_t MOST_CLIENTS = 4096;
/// The most strangers of all machines together, and of one machine. A stranger
/// is a connection of another machine that has not shown yet that it has the
/// key; each has a relay process.
constexpr size_t MOST_STRANGERS = 32, MOST_STRANGERS_OF_HOST = 8;
/// A stranger that has the key shows it within some milliseconds and two round
/// trips. The oldest stranger makes room for one more after this time.
constexpr std::chrono::seconds STRANGER_TIMEOUT(1);
/// Relays that are started in one turn: each takes some milliseconds, in which
/// the server answers nobody.
constexpr unsigned RELAYS_AT_ONCE = 2;
/// How often to check whether a waiting connection may have a relay.
constexpr int LOOK_AGAIN_MS = 50;
/// The most connections of this machine that are accepted before the server
/// turns to its other sockets.
constexpr unsigned ACCEPTED_AT_ONCE = 64;

} // namespace

Server::Server(const Settings &settings, Listener listener, Network network,
               int signals, std::function<void()> ready)
    : settings(settings), listener(std::move(listener)),
      network(std::move(network)), signals(signals), ready(std::move(ready)) {}

/// The reason that a WorkerFailed gives.
static std::string why_failed(const Message &message) {
  std::optional<wire::WorkerFailed> failed =
      wire::decode<wire::WorkerFailed>(message.body);
  return failed ? failed->why : "the worker replies nonsense";
}

llvm::Error Server::find_devices() {
  std::vector<std::string> wanted = settings.devices;
  if (wanted.empty())
    wanted.push_back("auto");
  for (const std::string &device : wanted) {
    llvm::Expected<std::unique_ptr<WorkerProcess>> started =
        WorkerProcess::start();
    if (!started)
      return started.takeError();
    WorkerProcess &worker = **started;
    worker.say(wire::ListDevices{device});
    std::optional<Message> message = worker.receive(LIST_TIMEOUT);
    if (!message)
      return failure(Reason::failed, "{0}: the worker {1}", device,
                     worker.has_ended() ? "has ended" : "does not answer");
    if (message->kind != wire::DeviceList::KIND)
      return failure(Reason::failed, "{0}", why_failed(*message));
    std::optional<wire::DeviceList> list =
        wire::decode<wire::DeviceList>(message->body);
    if (!list)
      return failure(Reason::failed, "{0}: the worker replies nonsense",
                     device);
    for (DeviceInfo &info : list->devices)
      if (llvm::none_of(lent_devices, [&](const DeviceInfo &other) {
            return other.spec() == info.spec();
          }))
        lent_devices.push_back(std::move(info));
  }
  if (lent_devices.size() > wire::MOST_DEVICES)
    lent_devices.resize(wire::MOST_DEVICES);
  greeting = wire::encode(wire::Greeting{wire::MAGIC, wire::VERSION,
                                         wire::emulator_variables(environ),
                                         lent_devices});
  for (const DeviceInfo &info : lent_devices) {
    if (info.emulated && settings.together > 1)
      return failure(Reason::failed,
                     "--together: not for {0}: programs on emulated devices "
                     "run side by side without it (--workers)",
                     info.spec());
    pools.push_back(std::make_unique<Pool>(
        info, settings.most_workers(info.emulated), settings.together));
  }
  return llvm::Error::success();
}

void Server::accept_clients() {
  for (unsigned i = 0; i < ACCEPTED_AT_ONCE; ++i) {
    UniqueFd connection(
        ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection)
      return;
    lending::PeerIdentity who = lending::identity_of(connection.get());
    if (who.user != ::geteuid() && who.user != 0)
      continue; // the folder's mode keeps others out, too
    Client &client = clients.emplace_back(std::move(connection), who);
    if (clients.size() > MOST_CLIENTS) {
      refuse(client, "too many clients");
      clients.pop_back();
      continue;
    }
    greet(client);
  }
}

void Server::greet(Client &client) {
  client.channel.send(wire::Greeting::KIND, greeting);
}

bool Server::make_room_for(llvm::StringRef host) {
  auto is_stranger = [](const Client &client) {
    return client.is_far() && !client.wish;
  };
  auto is_of_host = [&](const Client &client) {
    return is_stranger(client) && host_of(client.address) == host;
  };
  auto oldest = clients.end();
  if (size_t(llvm::count_if(clients, is_of_host)) >= MOST_STRANGERS_OF_HOST)
    oldest = llvm::find_if(clients, is_of_host);
  else if (size_t(llvm::count_if(clients, is_stranger)) >= MOST_STRANGERS)
    oldest = llvm::find_if(clients, is_stranger);
  if (oldest == clients.end())
    return clients.size() < MOST_CLIENTS;
  if (Clock::now() - oldest->since < STRANGER_TIMEOUT)
    return false;
  clients.erase(oldest); // its relay ends
  ++turned_away;
  return true;
}

void Server::start_relays() {
  Arrivals &arrivals = network.arrivals();
  arrivals.look(Clock::now());
  turned_away += arrivals.count_forgotten();
  may_start_more = false;
  for (unsigned i = 0; i < RELAYS_AT_ONCE; ++i) {
    std::optional<Arrivals::Arrival> next = arrivals.take(
        [&](llvm::StringRef host) { return make_room_for(host); });
    if (!next)
      return;
    if (std::optional<lending::ServerRelay> relay =
            network.start_relay(std::move(next->connection)))
      greet(clients.emplace_back(std::move(*relay), std::move(next->address)));
  }
  may_start_more = true;
}

void Server::refuse(Client &client, llvm::StringRef why) {
  client.channel.send(wire::Refused{why.str(), /*again=*/false});
}

llvm::Error Server::take_wish(Client &client, llvm::StringRef body) {
  llvm::Expected<wire::Borrow> wish = wire::take_borrow(body);
  if (!wish)
    return wish.takeError();
  if (llvm::any_of(wish->devices,
                   [&](uint32_t index) { return index >= pools.size(); }))
    return failure(Reason::failed, "there is no such device");
  if (ending)
    return failure(Reason::failed, "it is about to end");
  client.wish = std::move(*wish);
  if (is_acquitted(*client.wish))
    client.wish->suspicion = 0;
  return llvm::Error::success();
}

bool Server::listen_to(Client &client) {
  if (client.wish)
    return false; // POLLRDHUP: the client has gone
  std::optional<Message> message =
      client.channel.receive(std::chrono::milliseconds(0));
  if (!message) {
    const bool stays = client.channel.has_timed_out();
    turned_away += client.is_far() && !stays;
    return stays;
  }
  // A client of another machine may borrow a device, and may not end the
  // server.
  if (client.is_far() && message->kind != wire::Borrow::KIND)
    return false;
  llvm::Error error = llvm::Error::success();
  switch (message->kind) {
  case wire::Borrow::KIND:
    error = take_wish(client, message->body);
    break;
  case wire::AskStatus::KIND:
    // One answer and no more: a client that does not read must not stop us.
    client.channel.send(wire::Status{status()});
    return false;
  case wire::Stop::KIND:
    if (std::optional<wire::Stop> stop =
            wire::decode<wire::Stop>(message->body)) {
      // The answer comes last: who has it may start another server here.
      begin_to_end(stop->at_once);
      client.channel.send(wire::Stopping{});
    }
    return false;
  default:
    return false;
  }
  if (!error)
    return true;
  refuse(client, llvm::toString(std::move(error)));
  return false;
}

void Server::listen_to_workers() {
  for (auto &pool : pools) {
    bool found_culprit = false;
    llvm::erase_if(pool->workers, [&](std::unique_ptr<WorkerProcess> &worker) {
      return !goes_on(*pool, *worker, found_culprit);
    });
    if (found_culprit)
      acquit(*pool);
    pool->retire_faulted();
  }
}

/// Takes a message of the worker. False when its process has ended, or is to
/// end. Sets found_culprit when a program under suspicion has faulted alone.
bool Server::goes_on(Pool &pool, WorkerProcess &worker, bool &found_culprit) {
  std::optional<Message> message = worker.receive();
  const bool was_lent = worker.state == WorkerProcess::State::lent;
  if (was_lent)
    last_used = Clock::now();
  if (message && message->kind == wire::Ready::KIND) {
    worker.is_ready();
    pool.has_worked();
    // Few clients ask for a worker that reports faults: it ends and makes room
    // for others.
    return !was_lent || !(worker.fault_report || worker.is_used_up);
  }
  if (message && message->kind == wire::ContextFaulted::KIND) {
    if (worker.service) {
      if (!std::exchange(worker.service->has_faulted, true))
        pool.last_fault = Clock::now();
    } else {
      found_culprit |= wire::is_suspect(worker.suspicion);
    }
    return false;
  }
  if (message && message->kind == wire::WorkerFailed::KIND) {
    pool.has_failed(why_failed(*message));
    return false;
  }
  if (!message && !worker.has_ended())
    return true;
  // A lent worker ends when its client's program breaks the device. Any other
  // end is a failure of the device.
  if (!was_lent)
    pool.has_lost_worker();
  return false;
}

void Server::end_overdue_leases() {
  const Clock::time_point now = Clock::now();
  for (auto &pool : pools)
    for (auto &worker : pool->workers) {
      if (worker->state != WorkerProcess::State::lent)
        continue;
      if (settings.time_limit && now - worker->since > *settings.time_limit)
        worker->kill(llvm::formatv("it lends a device for {0} s at most",
                                   settings.time_limit->count())
                         .str());
      else if (worker->client_has_gone &&
               now - worker->since > CLEAN_UP_TIMEOUT)
        worker->kill({});
    }
}

unsigned Server::leases_of(pid_t session) const {
  unsigned count = 0;
  for (auto &pool : pools)
    for (auto &worker : pool->workers)
      count += worker->state == WorkerProcess::State::lent &&
               worker->client_session == session;
  return count;
}

/// The client whose session has the fewest devices is next, of several the one
/// that came first.
Server::Clients::iterator Server::next_in_line() {
  auto best = clients.end();
  unsigned fewest = UINT_MAX;
  std::map<pid_t, unsigned> known;
  for (auto client = clients.begin(); client != clients.end(); ++client) {
    if (!client->wish)
      continue;
    auto [entry, added] = known.emplace(client->session, 0);
    if (added)
      entry->second = leases_of(client->session);
    if (settings.jobs && entry->second >= settings.jobs)
      continue;
    if (entry->second < fewest && idle_worker_for(*client)) {
      fewest = entry->second;
      best = client;
    }
  }
  return best;
}

/// An idle worker of the device that has the fewest clients, or null.
WorkerProcess *Server::idle_worker_for(const Client &client) {
  WorkerProcess *best = nullptr;
  size_t fewest = SIZE_MAX;
  for (uint32_t index : client.wish->devices) {
    Pool &pool = *pools[index];
    const Pool::Kind kind = kind_for(*client.wish);
    if (!pool.info.emulated && !kind.shared &&
        pool.lent_since(Clock::now() - SHORT_PROGRAM) >= MOST_SHORT_PROGRAMS)
      continue;
    WorkerProcess *idle = pool.idle(kind);
    size_t lent = pool.count(WorkerProcess::State::lent);
    if (idle && lent < fewest) {
      best = idle;
      fewest = lent;
    }
  }
  return best;
}

/// Starts one worker on the first of the client's devices that may have one
/// more.
void Server::start_worker_for(const Client &client) {
  for (uint32_t index : client.wish->devices) {
    Pool &pool = *pools[index];
    if (!pool.may_start(Clock::now()))
      continue;
    // In a full pool an idle worker, which this client cannot use, makes room.
    const Pool::Kind kind = kind_for(*client.wish);
    if (pool.is_full(kind) && !pool.retire_idle(kind.shared))
      continue;
    start_worker(pool, kind);
    return;
  }
}

void Server::hand_out() {
  for (auto next = next_in_line(); next != clients.end();
       next = next_in_line()) {
    WorkerProcess *worker = idle_worker_for(*next);
    if (worker->lend(next->connection, next->process, next->session,
                     next->address, next->wish->cuda)) {
      ++leases;
      // A program can change code and memory of the driver on the device. If
      // this client asks to be isolated, nobody gets the worker after it.
      worker->is_used_up = next->wish->isolate;
      worker->suspicion = next->wish->suspicion;
      clients.erase(next);
      continue;
    }
    for (auto &pool : pools) // the worker has ended: tries another
      pool->remove(*worker);
  }
  std::map<std::pair<uint32_t, Pool::Kind>, size_t> waiting;
  for (auto client = clients.begin(); client != clients.end();) {
    if (!client->wish) {
      ++client;
      continue;
    }
    const wire::Borrow &wish = *client->wish;
    std::string why = "none of the devices works";
    const bool hopeless = llvm::all_of(wish.devices, [&](uint32_t index) {
      if (!pools[index]->is_hopeless())
        return false;
      why = pools[index]->info.spec() + ": " + pools[index]->why_failed;
      return true;
    });
    if (hopeless) {
      refuse(*client, why);
      client = clients.erase(client);
      continue;
    }
    const Pool &pool = *pools[wish.devices.front()];
    const Pool::Kind kind = kind_for(wish);
    size_t &before = waiting[{wish.devices.front(), kind}];
    // While a worker is idle the client waits for it, some milliseconds
    // (SHORT_PROGRAM), and no worker is started.
    if (++before > pool.count_of(kind, WorkerProcess::State::starting) &&
        !pool.idle(kind))
      start_worker_for(*client);
    ++client;
  }
}

void Server::keep_spares() {
  for (auto &pool : pools) {
    const Pool::Kind kind = kind_for(wire::Borrow());
    const size_t wanted = settings.spare_workers();
    size_t starting = pool->count_of(kind, WorkerProcess::State::starting);
    size_t spare = pool->count_of(kind, WorkerProcess::State::idle) + starting;
    // The driver opens contexts one after the other: those that programs wait
    // for come first.
    while (!ending && spare < wanted &&
           !(kind.shared && (starting || any_waits())) &&
           !pool->is_full(kind) && pool->may_start(Clock::now()) &&
           start_worker(*pool, kind)) {
      ++spare;
      ++starting;
    }
    pool->retire_long_idle(wanted);
  }
}

void Server::take_signal() {
  int signal = 0;
  if (::read(signals, &signal, sizeof(signal)) == sizeof(signal))
    begin_to_end(/*at_once=*/ending || signal == SIGINT);
}

/// Takes no more clients. Running programs go on, unless `at_once`.
void Server::begin_to_end(bool at_once) {
  ending = true;
  listener.close();
  network.close();
  for (Client &client : clients)
    if (client.wish)
      refuse(client, "it is about to end");
  clients.remove_if(
      [](const Client &client) { return client.wish.has_value(); });
  for (auto &pool : pools)
    llvm::erase_if(pool->workers, [&](std::unique_ptr<WorkerProcess> &worker) {
      if (worker->state == WorkerProcess::State::lent && !at_once)
        return false;
      worker->kill("it was stopped");
      return true;
    });
}

bool Server::any_waits() const {
  return llvm::any_of(clients, [](auto &client) { return client.wish; });
}

bool Server::lends_nothing() const {
  return llvm::all_of(pools, [](auto &pool) {
    return !pool->count(WorkerProcess::State::lent);
  });
}

bool Server::has_ended() const {
  if (ending)
    return lends_nothing();
  return settings.idle_exit && clients.empty() && lends_nothing() &&
         Clock::now() - last_used > *settings.idle_exit;
}

bool Server::all_have_failed() const {
  return llvm::all_of(pools, [](auto &pool) { return pool->is_hopeless(); });
}

/// How long poll() may wait, in ms: some changes, such as timeouts, do not wake
/// it.
int Server::poll_timeout() {
  const bool relays_wait = network.arrivals().any_has_spoken();
  if (relays_wait && may_start_more)
    return 0;
  if (any_waits())
    return int(SHORT_PROGRAM.count()) / 2;
  if (relays_wait)
    return LOOK_AGAIN_MS;
  for (auto &pool : pools)
    if (pool->failures || pool->count(WorkerProcess::State::lent))
      return 200;
  return clients.empty() && !network.arrivals().size() && !settings.idle_exit
             ? 10000
             : 1000;
}

void Server::wait_for_events() {
  std::vector<pollfd> watched = {{listener.get(), POLLIN, 0},
                                 {signals, POLLIN, 0}};
  // Further bytes of a waiting client are for its worker: only its end is
  // watched.
  for (Client &client : clients)
    watched.push_back({client.connection.get(),
                       short(client.wish ? POLLRDHUP : POLLIN | POLLRDHUP), 0});
  std::vector<WorkerProcess *> lent;
  for (auto &pool : pools)
    for (auto &worker : pool->workers) {
      watched.push_back({worker->socket(), POLLIN, 0});
      if (worker->client && !worker->client_has_gone)
        lent.push_back(worker.get());
    }
  const size_t first_lent = watched.size();
  for (WorkerProcess *worker : lent)
    watched.push_back({worker->client.get(), POLLRDHUP, 0});
  const size_t first_network = watched.size();
  for (const UniqueFd &socket : network.sockets())
    watched.push_back({socket.get(), POLLIN, 0});
  const size_t first_arrival = watched.size();
  network.arrivals().watch(watched);
  if (::poll(watched.data(), watched.size(), poll_timeout()) <= 0)
    return;
  for (size_t i = 0; i < lent.size(); ++i)
    if (watched[first_lent + i].revents) {
      lent[i]->client_has_gone = true;
      lent[i]->since = Clock::now();
    }
  size_t at = 2;
  for (auto client = clients.begin(); client != clients.end(); ++at) {
    const bool keep = !watched[at].revents || listen_to(*client);
    client = keep ? std::next(client) : clients.erase(client);
    if (ending)
      return; // begin_to_end() has changed the list
  }
  if (watched[0].revents)
    accept_clients();
  for (size_t i = first_network; i < first_arrival; ++i)
    if (watched[i].revents)
      network.accept(watched[i].fd);
  if (watched[1].revents)
    take_signal();
}

llvm::Error Server::run() {
  keep_spares();
  while (!has_ended()) {
    wait_for_events();
    start_relays();
    reap_workers();
    listen_to_workers();
    const Clock::time_point now = Clock::now();
    clients.remove_if([&](const Client &client) {
      const bool goes = !client.wish && now - client.since > CLIENT_TIMEOUT;
      turned_away += goes && client.is_far();
      return goes;
    });
    hand_out();
    keep_spares();
    end_overdue_leases();
    if (!ready)
      continue;
    if (all_have_failed())
      return failure(Reason::failed, "{0}: {1}", pools[0]->info.spec(),
                     pools[0]->why_failed);
    if (llvm::all_of(pools, [](auto &pool) { return pool->is_known(); }))
      std::exchange(ready, nullptr)();
  }
  return llvm::Error::success();
}

} // namespace gpuexec::serve
