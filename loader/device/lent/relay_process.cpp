//===-- loader/device/lent/relay_process.cpp - Starts a relay -------------===//
#include "loader/device/lent/relay_process.h"
#include "loader/device/error.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace gpuexec::lent {

llvm::Expected<Key> read_key(const std::string &path) {
  auto cannot = [&](llvm::StringRef why) {
    return failure(Reason::failed, "key {0}: {1}", path, why);
  };
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0)
    return cannot(std::strerror(errno));
  if (!S_ISREG(facts.st_mode))
    return cannot("not a regular file");
  if ((facts.st_uid != ::geteuid() && facts.st_uid != 0) ||
      (facts.st_mode & 077))
    return cannot("others can read it: chmod 600, and make a new one");
  char text[256];
  const ssize_t size = ::read(file.get(), text, sizeof(text));
  std::string bytes;
  llvm::StringRef digits =
      llvm::StringRef(text, size_t(std::max<ssize_t>(size, 0))).trim();
  Key key;
  if (digits.size() != 2 * key.size() || !llvm::tryGetFromHex(digits, bytes))
    return cannot("expected 64 hexadecimal digits (openssl rand -hex 32)");
  std::memcpy(key.data(), bytes.data(), key.size());
  return key;
}

std::string default_key_file() {
  if (const char *named = std::getenv("GPUEXEC_SERVER_KEY"); named && *named)
    return named;
  const char *folder = std::getenv("XDG_CONFIG_HOME");
  if (folder && *folder == '/')
    return std::string(folder) + "/gpuexec/key";
  const char *home = std::getenv("HOME");
  return std::string(home ? home : "") + "/.config/gpuexec/key";
}

llvm::Expected<std::string> relay_program() {
  char self[4096];
  const ssize_t size = ::readlink("/proc/self/exe", self, sizeof(self));
  llvm::StringRef folder(self, size_t(std::max<ssize_t>(size, 0)));
  folder = folder.rsplit('/').first;
  const std::string path = (folder + "/../lib/gpuexec/gpuexec-relay").str();
  if (::access(path.c_str(), X_OK) != 0)
    return failure(Reason::failed,
                   "no {0}: gpuexec was built without OpenSSL (libssl-dev), "
                   "and other machines are reached with TLS only",
                   path);
  return path;
}

namespace {

llvm::Error cannot_start() {
  return failure(Reason::failed, "cannot start a relay: {0}",
                 std::strerror(errno));
}

/// What fork() needs, made before it: the child of a process with threads may
/// do next to nothing.
struct Start {
  std::string program;
  UniqueFd ours, theirs;
  Pipe key;
  int network = -1;

  llvm::Error prepare(const Key &bytes) {
    llvm::Expected<std::string> found = relay_program();
    if (!found)
      return found.takeError();
    program = *found;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return cannot_start();
    ours = UniqueFd(ends[0]);
    theirs = UniqueFd(ends[1]);
    if (!key.make())
      return cannot_start();
    write_all(key.write.get(),
              {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    key.write.close();
    return llvm::Error::success();
  }

  /// In the new process.
  [[noreturn]] void execute(const char *role, const char *address) {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
      ::signal(signal, SIG_DFL);
    // Above all numbers that they are to have.
    constexpr int ABOVE = NETWORK_SOCKET + 1;
    const int local = ::fcntl(theirs.get(), F_DUPFD, ABOVE),
              secret = ::fcntl(key.read.get(), F_DUPFD, ABOVE),
              remote = network < 0 ? ::open("/dev/null", O_RDWR)
                                   : ::fcntl(network, F_DUPFD, ABOVE),
              null = ::open("/dev/null", O_RDWR);
    if (::dup2(local, LOCAL_SOCKET) < 0 || ::dup2(secret, KEY_PIPE) < 0 ||
        ::dup2(remote, NETWORK_SOCKET) < 0)
      ::_exit(125);
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(null, stream);
    ::syscall(SYS_close_range, ABOVE, ~0u, 0);
    char name[] = "gpuexec-relay";
    char *arguments[] = {name, const_cast<char *>(role),
                         const_cast<char *>(address), nullptr};
    char *nothing[] = {nullptr};
    ::execve(program.c_str(), arguments, nothing);
    ::_exit(125);
  }
};

} // namespace

llvm::Expected<UniqueFd> start_client_relay(const std::string &address,
                                            const Key &key) {
  Start start;
  if (llvm::Error error = start.prepare(key))
    return std::move(error);
  // Out of the terminal's reach, and no child that the program could wait for.
  const pid_t process = ::fork();
  if (process < 0)
    return cannot_start();
  if (process == 0) {
    ::setsid();
    if (::fork() != 0)
      ::_exit(0);
    start.execute("client", address.c_str());
  }
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR)
    ;
  return std::move(start.ours);
}

llvm::Expected<ServerRelay> start_server_relay(UniqueFd network,
                                               const Key &key) {
  Start start;
  if (llvm::Error error = start.prepare(key))
    return std::move(error);
  start.network = network.get();
  const pid_t server = ::getpid(), process = ::fork();
  if (process < 0)
    return cannot_start();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != server)
      ::_exit(125);
    ::setsid();
    start.execute("server", "");
  }
  return ServerRelay{process, std::move(start.ours)};
}

} // namespace gpuexec::lent
