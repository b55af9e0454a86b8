//===-- loader/ensemble/device.cpp - See device.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/device.h"
#include "lending/open.h"
#include "loader/command_line/messages.h"
#include "loader/ensemble/output.h"
#include "support/failure.h"
#include "support/find_program.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>

namespace gpuexec::ensemble {
namespace {

constexpr uint64_t LARGEST_ANSWER = 64 * 1024;
/// How long the driver of a device may take to open.
constexpr int START_TIMEOUT_MS = 60'000;
constexpr int LOOK_INTERVAL_MS = 5;
/// Programs that a server runs side by side at most (gpuexec serve --together).
constexpr unsigned MOST_TOGETHER = 48;

/// In a process of its own: prints the device that suits the job.
ExitResult print_device(const Job &job, llvm::StringRef command) {
  llvm::Expected<std::vector<Image>> images =
      Image::parse_all(job.bytes->getMemBufferRef());
  if (!images)
    return own_failure(command, images.takeError());
  lending::DeviceSettings settings = job.device_settings;
  settings.server = "off";
  llvm::Expected<OpenedDevice> opened =
      lending::open_device(job.device, settings, *images);
  if (!opened)
    return own_failure(command, opened.takeError());
  const DeviceInfo &info = opened->device->info();
  say((info.emulated ? "e" : "g") + info.spec());
  return {0, 0, /*clean=*/true};
}

/// Makes a folder of this user's for the server's socket.
llvm::Expected<std::string> make_folder() {
  const char *runtime = std::getenv("XDG_RUNTIME_DIR");
  std::string path = std::string(runtime && *runtime ? runtime : "/tmp") +
                     "/gpuexec-ensemble-XXXXXX";
  if (!::mkdtemp(path.data()))
    return failure(Reason::failed, "{0}: {1}", path, std::strerror(errno));
  return path;
}

ExitResult exec_server(llvm::ArrayRef<std::string> words) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv("/proc/self/exe", arguments.data());
  return {status::Failed, 0, /*clean=*/true};
}

/// Waits until the server says in `log` that its devices work. False when it
/// has ended, or says nothing for too long.
bool wait_for_server(const InstanceProcess &server, int log) {
  for (int waited = 0; waited < START_TIMEOUT_MS; waited += LOOK_INTERVAL_MS) {
    pollfd ended{server.descriptor(), POLLIN, 0};
    if (::poll(&ended, 1, LOOK_INTERVAL_MS) != 0)
      return false;
    if (llvm::StringRef(read_all(log, LARGEST_ANSWER)).contains("serve: lends"))
      return true;
  }
  return false;
}

} // namespace

std::variant<FoundDevice, ExitResult> find_device(const Job &job,
                                                  llvm::StringRef command) {
  llvm::Expected<Output> answer = Output::make_temporary();
  if (!answer)
    return own_failure(command, answer.takeError());
  llvm::Expected<InstanceProcess> process =
      InstanceProcess::start(STDIN_FILENO, answer->descriptor(), STDERR_FILENO,
                             {}, [&] { return print_device(job, command); });
  if (!process)
    return own_failure(command, process.takeError());
  const int status = process->wait();
  const std::string text = read_all(answer->descriptor(), LARGEST_ANSWER);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && text.size() > 1)
    return FoundDevice{text[0] == 'e', text.substr(1)};
  return ExitResult{WIFEXITED(status) && WEXITSTATUS(status)
                        ? WEXITSTATUS(status)
                        : int(status::Failed),
                    0, /*clean=*/true, /*ours=*/true};
}

llvm::Expected<std::unique_ptr<PrivateServer>>
PrivateServer::start(const FoundDevice &device, unsigned jobs) {
  llvm::Expected<std::string> folder = make_folder();
  if (!folder)
    return folder.takeError();
  std::unique_ptr<PrivateServer> server(new PrivateServer);
  server->folder = *folder;
  server->shared = jobs > 1 &&
                   llvm::StringRef(device.spec).starts_with("cuda") &&
                   bool(find_our_program("nvidia-cuda-mps-control"));
  std::vector<std::string> words = {"gpuexec",
                                    "serve",
                                    "--foreground",
                                    "--socket=" + server->socket(),
                                    "--device=" + device.spec,
                                    "--workers=" + std::to_string(jobs)};
  if (server->shared)
    words.push_back("--together=" +
                    std::to_string(std::min(jobs, MOST_TOGETHER)));
  llvm::Expected<Output> log = Output::make_temporary();
  UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!log)
    return log.takeError();
  llvm::Expected<InstanceProcess> process =
      InstanceProcess::start(null.get(), null.get(), log->descriptor(), {},
                             [&] { return exec_server(words); });
  if (!process)
    return process.takeError();
  server->process.emplace(std::move(*process));
  if (!wait_for_server(*server->process, log->descriptor()))
    return failure(
        Reason::failed, "the server of {0} does not start: {1}", device.spec,
        llvm::StringRef(read_all(log->descriptor(), LARGEST_ANSWER)).trim());
  return std::move(server);
}

PrivateServer::~PrivateServer() {
  if (process) {
    process->signal(SIGTERM);
    process->wait();
  }
  llvm::sys::fs::remove_directories(folder);
}

} // namespace gpuexec::ensemble
