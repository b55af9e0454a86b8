//===-- rpc/server/server.h - The host's side of the mailbox ----*- C++ -*-===//
// Answers what a program on a device asks of its host, from threads of its own
// that watch a mailbox in memory both sides see. Knows nothing of devices: the
// embedder gives it that memory and a DeviceMemory. Everything the device sends
// is checked; nothing here ends the process. Protocol: rpc/protocol/.
//
//     auto layout = exit_on_err(Layout::from_client_size(552, ports, lanes));
//     void *buffer = ...;                  // layout.buffer_size(), zeroed
//     auto server = exit_on_err(Server::create(layout, buffer, address, memory,
//     options)); copy server->client_object() over __llvm_rpc_client
//     server->start();
//     for each kernel: server->set_lanes(its wave size); launch and wait, also
//     for
//                      outcome(); server->drain();
//     server->stop();                      // or abandon() after a kill
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_SERVER_H
#define GPUEXEC_RPC_SERVER_SERVER_H

#include "support/device_address.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::rpc {

class Trace;

/// Host memory that the device's copy engine reaches by itself, in two halves:
/// while one is on its way, the other can be used. Whoever has it is alone with
/// it; destroying it waits for what is on its way and gives it back.
class CopyBuffer {
public:
  virtual ~CopyBuffer();
  /// Bytes of a half.
  virtual size_t size() const = 0;
  virtual char *data(unsigned half) = 0;
  /// Begins to copy [from, from + size) of the device to data(half) + offset.
  /// The range comes from the device and may be nonsense.
  virtual llvm::Error start_read(unsigned half, size_t offset,
                                 DeviceAddress from, uint64_t size) = 0;
  /// The reverse: data(half) to [to, to + size) of the device.
  virtual llvm::Error start_write(unsigned half, DeviceAddress to,
                                  uint64_t size) = 0;
  /// Nothing follows soon what was begun with the half: to be told before
  /// finish(), where its end may be awaited in a way that keeps back what
  /// follows.
  virtual void no_more(unsigned half) {}
  /// Waits for all that was begun with the half.
  virtual llvm::Error finish(unsigned half) = 0;
};

/// How the server reaches memory of the device. Called from several server
/// threads at once, while a kernel runs: never wait for the kernel in here.
class DeviceMemory {
public:
  virtual ~DeviceMemory();
  /// Memory that the running program can use; no address when there is none.
  /// `alignment` is a power of two.
  virtual DeviceAddress allocate(uint64_t size, uint64_t alignment) = 0;
  /// What allocate() gave. The server never passes anything else, and frees
  /// what is left when it is destroyed.
  virtual void free(DeviceAddress address) = 0;
  /// Copies between host memory and [from, from + size) of the device. The
  /// range comes from the device and may be nonsense: an error then, no crash.
  virtual llvm::Error read(void *to, DeviceAddress from, uint64_t size) = 0;
  virtual llvm::Error write(DeviceAddress to, const void *from,
                            uint64_t size) = 0;
  /// True when the range, of a byte or more, lies in one allocation that the
  /// device can read (and write): what read() and write() would not refuse.
  /// Asked before input is taken from a file for it. Without an answer: true.
  virtual bool holds(DeviceAddress address, uint64_t size, bool writable) {
    return true;
  }
  /// Where the host can read (and write) the range at once, without copying, or
  /// null. Used for BULK_*; the memory must stay mapped while the program runs.
  virtual void *host_view(DeviceAddress address, uint64_t size, bool writable) {
    return nullptr;
  }
  /// For large copies; null when there is none or somebody has it: read() and
  /// write() do as well.
  virtual std::unique_ptr<CopyBuffer> copy_buffer() { return nullptr; }
};

/// Offsets and sizes of one mailbox, spec section 1.
struct Layout {
  uint32_t first_version = 22; ///< LLVM's, the oldest that has this layout
  uint32_t last_version = 22;
  uint32_t ports = 1;
  uint32_t lanes = 32; ///< slots per port the buffer has room for
  uint32_t doorbell_size = 0;
  uint32_t client_size = 552;
  uint32_t max_ports = 4096;

  /// From the size of the image's symbol __llvm_rpc_client. `lanes` is the
  /// widest wave of the image's kernels: 1, 32 or 64. `ports` is lowered to
  /// what the version can hold. Errors name what was found.
  static llvm::Expected<Layout>
  from_client_size(uint64_t st_size, uint32_t ports, uint32_t lanes);
  /// For an image that has LLVM 19's symbol instead.
  static llvm::Error refuse_version_19();

  size_t inbox_offset() const; ///< client's inbox: the server writes
  size_t outbox_offset() const;
  size_t headers_offset() const;
  size_t packets_offset() const;
  size_t express_offset() const; ///< ours, behind LLVM's
  size_t output_offset() const;  ///< rpc_output
  size_t buffer_size() const;
};

/// How the program wants to end, or why it must.
struct Outcome {
  enum class Kind {
    exit,        ///< EXIT: `status` is the program's, 32 bits
    abort,       ///< ABORT: end as if by SIGABRT
    closed_pipe, ///< standard output's reader is gone: end as if by SIGPIPE
    error,       ///< the device broke the protocol: `message` says how
  };
  Kind kind;
  int status =
      0; ///< what the process should end with: 0..255 / 134 / 141 / 125
  std::string message;
};

struct SandboxDirectory {
  std::string path;
  bool writable = false;
};

struct ServerOptions {
  /// The image's path, for messages.
  std::string program_name;
  /// Standard streams of the program; the server does not close them.
  int stdin_fd = 0, stdout_fd = 1, stderr_fd = 2;
  /// The program's working directory; the server does not close it. -1: the
  /// process's own.
  int working_directory = -1;
  /// Files only below `directories`, no system() and popen().
  bool sandbox = false;
  std::vector<SandboxDirectory> directories;
  /// Shared libraries that serve opcodes of their own, gpuexec_service.h.
  std::vector<std::string> services;
  /// Events per request go here; not owned, null for none.
  Trace *trace = nullptr;
  /// Count and time every request, for stats_table().
  bool stats = false;
  /// At most so many threads; 0: as many as the machine sensibly gives.
  unsigned max_threads = 0;
  /// Alignment of MALLOC's answers, spec section 3.5.
  uint64_t malloc_alignment = 2u << 20;
  /// HOST_CALL is refused unless this says yes to the address.
  std::function<bool(uint64_t address)> allow_host_call;
  /// From how many bytes BULK_* beats packets; what device code is told.
  uint64_t bulk_threshold = 1024;
  /// RPC_FEATURE_* withheld from the program.
  uint32_t disabled_features = 0;
};

class Server {
public:
  /// `buffer`: layout.buffer_size() zeroed bytes, 64-aligned, that stay valid
  /// until the server is destroyed; `device_address` is the device's name for
  /// them. Fails when a service cannot be loaded or a directory of the sandbox
  /// opened.
  static llvm::Expected<std::unique_ptr<Server>>
  create(const Layout &layout, void *buffer, DeviceAddress device_address,
         DeviceMemory &memory, ServerOptions options);
  /// Ends as abandon() does if still running; closes files, frees device
  /// memory.
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  /// Bytes for __llvm_rpc_client (layout.client_size of them).
  std::vector<std::byte> client_object() const;
  /// Bytes for __gpuexec_rpc_extensions; skip when the image lacks the symbol.
  std::vector<std::byte> extensions_object() const;

  /// Wave size of the kernel that is launched next. Only between kernels.
  void set_lanes(uint32_t lanes);
  void start();
  /// A kernel is done: returns when all it asked for is served and written out.
  void drain();
  /// The last kernel is done: as drain(), then ends the threads. Idempotent.
  void stop();
  /// The device is dead or must be ignored: ends the threads without serving
  /// the rest, waking those that wait. Output already accepted is written out.
  void abandon();

  /// Set once, when the program asked to end or cannot go on. After it no
  /// further request is served (the device may still run). Thread-safe.
  std::optional<Outcome> outcome() const;
  /// Called once from a server thread when outcome() is set. Before start().
  void set_notifier(std::function<void()> notifier);

  /// Writes out everything buffered for the program's streams, waiting for
  /// their readers. Errors are kept for stop().
  void flush();

  /// What the program has written to its standard output and holds back in the
  /// buffer that it was given: for when it can no longer send it itself, that
  /// is after abandon(). Whole also when the device is dead.
  std::string unwritten_output() const;

  /// The table of --rpc-stats. Meaningful after stop().
  std::string stats_table() const;

  /// For a report of what a program waits for: a line for every port that is in
  /// the middle of an exchange or asks for one. From any thread, at any time.
  std::string open_ports() const;

private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_SERVER_H
