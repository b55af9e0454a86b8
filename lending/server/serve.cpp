//===-- lending/server/serve.cpp - gpuexec serve --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command `gpuexec serve`, and what belongs to the whole process: signals,
// the terminal, limits.
//===----------------------------------------------------------------------===//
#include "lending/server/serve.h"
#include "lending/server/listener.h"
#include "lending/server/server.h"
#include "lending/server/worker.h"
#include "lending/transport/socket.h"
#include "lending/wire/channel.h"
#include "loader/command_line/messages.h"
#include "support/child_process.h"
#include "support/own_file.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gpuexec::serve {
namespace {

using wire::Channel;
using wire::Message;

/// How long a running server may take to answer.
constexpr std::chrono::seconds ANSWER_TIMEOUT(5);

int signal_pipe[2] = {-1, -1};
void on_signal(int number) {
  [[maybe_unused]] ssize_t written =
      ::write(signal_pipe[1], &number, sizeof(number));
}

void catch_signals() {
  if (::pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
    return; // signals still end this process
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    ::sigaction(number, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

/// Tells systemd the state, if it has started this process and asks for it.
void notify(const char *state) {
  const char *path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address;
  if (!path || !lending::fill_address(path, address))
    return;
  if (address.sun_path[0] == '@')
    address.sun_path[0] = '\0';
  UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const socklen_t size =
      socklen_t(offsetof(sockaddr_un, sun_path) + std::strlen(path));
  ::sendto(socket.get(), state, std::strlen(state), MSG_NOSIGNAL,
           reinterpret_cast<sockaddr *>(&address), size);
}

/// What a server in the background tells the process that has started it.
struct Starter {
  UniqueFd pipe; ///< none: the server is in the foreground
  /// The server works. `lends`: its devices, and where it lends them.
  void tell_ready(const std::string &lends) { tell("+" + lends); }
  void tell_error(const std::string &error) { tell("-" + error); }

private:
  void tell(const std::string &text) {
    if (pipe)
      write_all(pipe.get(), text);
    pipe.close();
  }
};

/// The file beside the socket for messages of workers and drivers.
std::string log_of(const std::string &socket) { return socket + ".log"; }

/// Reads what the server in the background writes to the pipe, until it closes
/// its end. If that takes long, a line at a terminal shows the seconds.
std::string wait_for_news(int pipe) {
  using namespace std::chrono;
  constexpr milliseconds SILENT_TIME = 2s; // a shorter wait is not shown
  const steady_clock::time_point begin = steady_clock::now();
  bool shown = false;
  std::string text(4096, '\0');
  size_t size = 0;
  for (ssize_t got = 1; size < text.size() && got != 0;) {
    pollfd readable = {pipe, POLLIN, 0};
    const milliseconds next = shown ? milliseconds(1s) : SILENT_TIME;
    if (::poll(&readable, 1, int(next.count())) == 0) {
      const auto passed = duration_cast<seconds>(steady_clock::now() - begin);
      show_progress(llvm::formatv("gpuexec serve: opening the devices, {0} s",
                                  passed.count())
                        .str());
      shown = true;
      continue;
    }
    got = ::read(pipe, text.data() + size, text.size() - size);
    size += size_t(std::max<ssize_t>(got, 0));
  }
  if (shown)
    show_progress("");
  text.resize(size);
  return text;
}

/// Forks the server, a process without a terminal, and returns true there. The
/// first process waits until the server works, says so and returns false;
/// Failure there when the server does not start.
llvm::Expected<bool> go_to_background(Starter &starter,
                                      const std::string &log) {
  auto cannot = [] {
    return failure(Reason::failed, "cannot start the server: {0}",
                   std::strerror(errno));
  };
  Pipe news;
  if (!news.make())
    return cannot();
  ChildSettings settings;
  settings.closes_others = false;
  settings.leaves_session = true;
  settings.unblocks_signals = false;
  const pid_t process = fork_child(settings);
  if (process < 0)
    return cannot();
  if (process == 0) {
    news.read.close();
    starter.pipe = std::move(news.write);
    return true;
  }
  news.write.close();
  const std::string text = wait_for_news(news.read.get());
  if (llvm::StringRef(text).starts_with("+")) {
    say(llvm::formatv("gpuexec serve: lends {0} (process {1}, log {2})\n",
                      llvm::StringRef(text).substr(1), process, log)
            .str());
    return false;
  }
  return failure(Reason::failed, "{0}",
                 text.empty() ? "the server has ended at once"
                              : text.substr(1));
}

/// Opens the log. An empty descriptor when its folder does not exist, because
/// systemd has made the socket elsewhere. Errors: Failure when the file is not
/// this user's alone.
llvm::Expected<UniqueFd> open_log(const std::string &log) {
  std::string problem;
  UniqueFd file = open_own_file(AT_FDCWD, log, O_WRONLY | O_CREAT, problem);
  if (!file && errno != ENOENT)
    return failure(Reason::failed,
                   "cannot write its messages: {0}{1} (remove it, or choose "
                   "another --socket)",
                   log, problem);
  return std::move(file);
}

/// From now on standard error goes to the log, if there is one, and the other
/// standard streams to /dev/null.
void leave_terminal(const UniqueFd &file) {
  UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  [[maybe_unused]] int failed = file ? ::ftruncate(file.get(), 0) : 0;
  ::dup2(null.get(), STDIN_FILENO);
  ::dup2(null.get(), STDOUT_FILENO);
  ::dup2(file ? file.get() : null.get(), STDERR_FILENO);
}

/// Listens and serves. `log`, if not null, gets the log file first, and with
/// that standard error. `ready` is called once the devices work, with their
/// names and where they are lent.
llvm::Error listen_and_serve(const Settings &settings, UniqueFd *log,
                             std::function<void(const std::string &)> ready) {
  // Raises the limit of descriptors: each client takes one or two.
  if (rlimit limit; ::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  llvm::Expected<Listener> listener = Listener::open(settings.socket);
  if (!listener)
    return listener.takeError();
  if (log) {
    llvm::Expected<UniqueFd> opened = open_log(log_of(settings.socket));
    if (!opened)
      return opened.takeError();
    *log = std::move(*opened);
    // Before workers start: one that had the starter's standard error would
    // keep a pipeline waiting for the server's end.
    leave_terminal(*log);
  }
  llvm::Expected<Network> network = Network::open(settings);
  if (!network)
    return network.takeError();
  std::string places = listener->path();
  for (const std::string &name : network->names())
    places += " and " + name;
  std::string devices;
  Server server(settings, std::move(*listener), std::move(*network),
                signal_pipe[0], [&] { ready(devices + " at " + places); });
  if (llvm::Error error = server.find_devices())
    return error;
  for (const DeviceInfo &info : server.devices())
    devices += (devices.empty() ? "" : ", ") + info.spec();
  return server.run();
}

llvm::Error serve(const Settings &settings) {
  Starter starter;
  if (!settings.foreground) {
    llvm::Expected<bool> in_background =
        go_to_background(starter, log_of(settings.socket));
    if (!in_background)
      return in_background.takeError();
    if (!*in_background)
      return llvm::Error::success();
  }
  catch_signals();
  UniqueFd log;
  llvm::Error error =
      listen_and_serve(settings, settings.foreground ? nullptr : &log,
                       [&](const std::string &names) {
                         if (settings.foreground)
                           say_error("gpuexec: serve: lends " + names + "\n");
                         starter.tell_ready(names);
                         notify("READY=1");
                       });
  if (!error)
    return error;
  std::string why = "serve: " + llvm::toString(std::move(error));
  if (!starter.pipe)
    return failure(Reason::failed, "{0}", why);
  starter.tell_error(why);
  return llvm::Error::success();
}

/// Asks a running server. The answer is of type T.
template <typename T, typename Question>
llvm::Expected<T> ask(const Settings &settings, const Question &question) {
  std::string problem;
  UniqueFd connection = lending::connect_to(settings.socket, problem);
  if (!connection)
    return failure(Reason::failed, "serve: no server at {0}: {1}",
                   settings.socket, problem);
  Channel channel(connection.get());
  std::optional<Message> greeting = channel.receive(ANSWER_TIMEOUT);
  std::optional<Message> message;
  if (greeting && channel.send(question))
    message = channel.receive(ANSWER_TIMEOUT);
  std::optional<T> answer;
  if (message && message->kind == T::KIND)
    answer = wire::decode<T>(message->body);
  if (!answer)
    return failure(Reason::failed, "serve: the server at {0} does not answer",
                   settings.socket);
  return std::move(*answer);
}

llvm::Error print_status(const Settings &settings) {
  auto status = ask<wire::Status>(settings, wire::AskStatus{});
  if (!status)
    return status.takeError();
  say(status->text);
  return llvm::Error::success();
}

llvm::Error stop(const Settings &settings) {
  auto stopping = ask<wire::Stopping>(settings, wire::Stop{settings.now});
  if (!stopping)
    return stopping.takeError();
  say("gpuexec serve: the server at " + settings.socket +
      (settings.now ? " ends, and the programs that it runs\n"
                    : " ends when its programs have ended\n"));
  return llvm::Error::success();
}

/// Runs a worker. Signals from the terminal do not end it, since the server
/// decides when it ends; nor does a write to a client that has gone (SIGPIPE).
void work() {
  for (int signal : {SIGINT, SIGHUP, SIGPIPE})
    ::signal(signal, SIG_IGN);
  run_worker();
}

} // namespace

llvm::Error run(const Settings &settings) {
  switch (settings.action) {
  case Settings::Action::status:
    return print_status(settings);
  case Settings::Action::stop:
    return stop(settings);
  case Settings::Action::work:
    work();
    break;
  case Settings::Action::serve:
    return serve(settings);
  }
  return llvm::Error::success();
}

} // namespace gpuexec::serve
