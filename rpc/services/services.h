//===-- rpc/services/services.h - Host code behind the opcodes --*- C++ -*-===//
// What the services of one program share: its streams, descriptors, files and
// memory. A service is a function from a port to a Task; one file per family,
// each with an add_...() that tells the engine its opcodes.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_SERVICES_H
#define GPUEXEC_RPC_SERVICES_SERVICES_H

#include "rpc/server/engine.h"
#include "rpc/services/files.h"
#include "rpc/services/format.h"
#include "rpc/services/heap.h"
#include "rpc/services/stream.h"
#include "rpc/services/tables.h"
#include "llvm/ADT/StringMap.h"

namespace gpuexec::rpc {

class Plugins;

/// A result per lane, and its errno.
struct Results {
  int64_t values[64] = {};
  int errors[64] = {};
  void set(unsigned lane, int64_t value, int error = 0) {
    values[lane] = value;
    errors[lane] = error;
  }
  /// 0, or -1 with the error.
  void set_error(unsigned lane, int error) { set(lane, error ? -1 : 0, error); }
};

/// An open descriptor of the program.
struct Descriptor {
  Descriptor(int fd, bool owned, Use use = Use::any) : file(fd, owned, use) {}
  HostFile file;
  std::atomic<bool> nonblocking = false; ///< O_NONBLOCK as the program sees it
};

/// An open directory and what was read of it.
struct Directory {
  explicit Directory(int fd) : file(fd, true) {}
  HostFile file;
  std::mutex mutex;
  std::string entries; // as getdents64 gives them
  size_t at = 0;
};

class Services {
public:
  static llvm::Expected<std::unique_ptr<Services>>
  create(Engine &engine, DeviceMemory &memory, ServerOptions options);
  ~Services();

  Engine &engine;
  DeviceMemory &memory;
  rpc_output *output = nullptr; ///< the program may have none
  DeviceAddress output_text;    ///< where the device has its text
  const ServerOptions options;
  FileSystem files;
  DeviceHeap heap;
  HandleTable<Stream, 0x6770> streams;
  HandleTable<Directory, 0x6764> directories;
  NumberTable<Descriptor> descriptors;
  std::shared_ptr<Stream> standard[3];
  ServiceLock long_strings; ///< held by a printf whose strings take much memory

  /// As DeviceMemory::host_view, and for output's text.
  void *host_view(DeviceAddress address, uint64_t size, bool writable);
  /// What a tagged word (spec section 3.2) means; null when nothing.
  std::shared_ptr<Stream> tagged(uint64_t word);
  /// What a raw handle means. 1, 2 and 3 are taken for the standard streams.
  std::shared_ptr<Stream> raw(uint64_t handle);
  std::vector<std::shared_ptr<Stream>> all_streams();

  /// One lane's share of a write.
  struct Write {
    Stream *stream = nullptr; ///< null: EBADF. The caller keeps it alive
    llvm::StringRef text;
    bool newline = false; ///< after the text
  };
  /// All lanes' texts, each whole, in lane order; lanes of one stream together.
  /// results: bytes written.
  Task<> write_lanes(Port &port, Write (&writes)[64], Results &results);
  /// Writes out what is pending. `stream.lock` is held. errno or 0.
  Task<int> flush(Port &port, Stream &stream);
  Task<int> flush_all(Port &port);
  /// Before a read of the standard input waits, its prompt must be seen.
  Task<> flush_prompt(Port &port, Stream &reading);
  /// The same for a thread that serves no port: waits until `deadline`.
  /// Null or the first error, which names the stream.
  llvm::Error flush_all_now(Poller::Clock::time_point deadline);
  bool has_pending_output();
  /// A parsed format, perhaps from an earlier call.
  std::shared_ptr<const Format> format(llvm::StringRef text, bool packed);
  /// Writing met EPIPE: ends the program as SIGPIPE would, unless it is
  /// ignored.
  void pipe_broke();

private:
  Services(Engine &engine, DeviceMemory &memory, ServerOptions options,
           FileSystem files);
  bool pipe_signal_ignored = false;
  std::mutex formats_mutex;
  llvm::StringMap<std::shared_ptr<const Format>> formats[2]; // aligned, packed
  std::unique_ptr<Plugins> plugins;
};

/// `run` for Engine::add from a function of services.
template <Task<> (*F)(Services &, Port &)>
Task<> call_service(void *context, Port &port) {
  return F(*static_cast<Services *>(context), port);
}
#define RPC_SERVE(services, NAME, function)                                    \
  (services).engine.add(RPC_##NAME, {#NAME, call_service<function>, &services})

void add_process_services(Services &services);
void add_memory_services(Services &services);
void add_write_services(Services &services);
void add_read_services(Services &services);
void add_stream_services(Services &services);
void add_printf_services(Services &services);
void add_test_services(Services &services);
void add_bulk_services(Services &services);
void add_descriptor_services(Services &services);
void add_name_services(Services &services);
void add_clock_services(Services &services);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_SERVICES_H
