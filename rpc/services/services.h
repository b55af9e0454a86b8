//===-- rpc/services/services.h - Host code behind the opcodes --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the services of one program share: its streams, descriptors, files and
// memory. Services themselves are functions, one file per family; serve.h says
// of which form.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_SERVICES_H
#define GPUEXEC_RPC_SERVICES_SERVICES_H

#include "rpc/server/call.h"
#include "rpc/server/device_memory.h"
#include "rpc/server/outcome.h"
#include "rpc/server/registry.h"
#include "rpc/services/alarm.h"
#include "rpc/services/child.h"
#include "rpc/services/command_output.h"
#include "rpc/services/files.h"
#include "rpc/services/format.h"
#include "rpc/services/heap.h"
#include "rpc/services/stream.h"
#include "rpc/services/tables.h"
#include "llvm/ADT/StringMap.h"

namespace gpuexec::rpc {

class Plugins;
struct ReplayedOperation;

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
  /// Adds them to `registry`, which must not be used after them.
  static llvm::Expected<std::unique_ptr<Services>>
  create(Registry &registry, OutcomeRecord &outcome, DeviceMemory &memory,
         ServerOptions options);
  ~Services();

  OutcomeRecord &outcome;
  DeviceMemory &memory;
  rpc_output *output = nullptr; ///< the program may have none
  DeviceAddress output_text;    ///< where the device has its text
  /// Of the texts that LLVM's own clients ask for: the version's loader's.
  Format::Style llvm_style = Format::Style::llvm;
  const ServerOptions options;
  FileSystem files;
  DeviceHeap heap;
  Alarm alarm;
  HandleTable<Stream, 0x6770> streams;
  HandleTable<Directory, 0x6764> directories;
  NumberTable<Descriptor> descriptors;
  std::shared_ptr<Stream> standard[3];
  CommandOutput commands;
  Children children; ///< end before the commands' output does
  ServiceLock long_strings; ///< held by a printf whose strings take much memory

  /// As DeviceMemory::host_view, and for output's text.
  void *host_view(DeviceAddress address, uint64_t size, bool writable);
  /// FREE: ends the program when nothing is allocated there.
  void free_memory(DeviceAddress address);
  /// What a tagged word (spec section 3.2) means; null when nothing.
  std::shared_ptr<Stream> tagged(uint64_t word);
  /// What a raw handle means. 1, 2 and 3 are taken for the standard streams.
  std::shared_ptr<Stream> raw(uint64_t handle);
  std::vector<std::shared_ptr<Stream>> all_streams();

  /// Gives the program a number for it, at or above `least`, or EMFILE.
  Result add_descriptor(std::shared_ptr<Descriptor> descriptor,
                        int64_t least = 0) {
    int64_t number = descriptors.add(std::move(descriptor), least);
    return number < 0 ? Result::failure(EMFILE) : Result(number);
  }
  Result add_descriptor(int fd) {
    return add_descriptor(std::make_shared<Descriptor>(fd, true));
  }
  /// As FileSystem::open(), but waits until a FIFO that is opened for writing
  /// has a reader, unless `flags` has O_NONBLOCK.
  Task<int> open_file(Port &port, std::string path, int flags, mode_t mode,
                      int &error);

  /// One lane's share of a write.
  struct Write {
    Stream *stream = nullptr; ///< null: EBADF. The caller keeps it alive
    llvm::StringRef text;
    bool newline = false; ///< after the text
  };
  /// All lanes' texts, each whole, in lane order; lanes of one stream together.
  /// results: bytes written.
  Task<> write_lanes(Port &port, Write (&writes)[64], Result (&results)[64]);
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
  std::shared_ptr<const Format> format(llvm::StringRef text,
                                       Format::Packing packing);
  /// Writing met EPIPE: ends the program as SIGPIPE would, unless it is
  /// ignored.
  void pipe_broke();
  std::atomic<bool> pipe_signal_ignored{false}; ///< or handled by the program

private:
  Services(OutcomeRecord &outcome, DeviceMemory &memory, ServerOptions options,
           FileSystem files);
  std::mutex formats_mutex;
  llvm::StringMap<std::shared_ptr<const Format>> formats[3]; // by Packing
  std::unique_ptr<Plugins> plugins;
  std::vector<std::unique_ptr<ReplayedOperation>> replayed;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_SERVICES_H
