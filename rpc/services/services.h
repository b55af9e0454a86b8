//===-- rpc/services/services.h - Host code behind the opcodes --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state that the services of one program share: its streams, descriptors,
// files and memory. The services are functions, one file per family of opcodes;
// serve.h describes their forms.
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
#include "rpc/services/named_semaphores.h"
#include "rpc/services/program_signals.h"
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
  std::atomic<bool> close_on_exec = false; ///< FD_CLOEXEC, likewise
};

/// An open directory, and its entries that have been read ahead.
struct Directory {
  explicit Directory(int fd) : file(fd, true) {}
  HostFile file;
  std::mutex mutex;
  std::string entries; // as getdents64 gives them
  size_t at = 0;
};

/// What format_records() found.
struct Records {
  /// What is wrong with the buffer, which begins the text up to there; "" for
  /// nothing.
  std::string damage;
  int error = 0;        ///< errno of the first printf that failed, or 0
  uint64_t printed = 0; ///< bytes of the last record's text
};

class Services {
public:
  /// Adds all services to `registry`, which must not be used after this object
  /// is destroyed. Fails as Server::create() does.
  /// `interrupt`: WorkerPool::interrupt_waits().
  static llvm::Expected<std::unique_ptr<Services>>
  create(Registry &registry, OutcomeRecord &outcome, DeviceMemory &memory,
         std::function<void()> interrupt, ServerOptions options);
  ~Services();

  OutcomeRecord &outcome;
  DeviceMemory &memory;
  rpc_output *output = nullptr; ///< null: the program has none
  DeviceAddress output_text;    ///< the device's address of output->text
  /// The style in which LLVM's clients expect a printf: that of the loader of
  /// their LLVM version.
  Format::Style llvm_style = Format::Style::llvm;
  const ServerOptions options;
  FileSystem files;
  DeviceHeap heap;
  Alarm alarm;
  ProgramSignals signals;
  HandleTable<Stream, 0x6770> streams;
  HandleTable<Directory, 0x6764> directories;
  NumberTable<Descriptor> descriptors;
  NamedSemaphores semaphores;
  std::shared_ptr<Stream> standard[3];
  CommandOutput commands;
  Children children;        ///< destroyed (killed) before `commands`
  ServiceLock long_strings; ///< held by a printf whose strings take much memory

  /// As DeviceMemory::host_view(); knows output->text, too.
  void *host_view(DeviceAddress address, uint64_t size, bool writable);
  /// FREE: ends the program when nothing is allocated there.
  void free_memory(DeviceAddress address);
  /// The stream of a tagged handle (spec section 3.2); null when there is none.
  std::shared_ptr<Stream> tagged(uint64_t word);
  /// The stream of a raw handle; 1, 2 and 3 are the standard streams. Null when
  /// there is none.
  std::shared_ptr<Stream> raw(uint64_t handle);
  std::vector<std::shared_ptr<Stream>> all_streams();

  /// Adds a descriptor to the program's table. The result is its number, at or
  /// above `least`, or EMFILE.
  Result add_descriptor(std::shared_ptr<Descriptor> descriptor,
                        int64_t least = 0) {
    int64_t number = descriptors.add(std::move(descriptor), least);
    return number < 0 ? Result::failure(EMFILE) : Result(number);
  }
  Result add_descriptor(int fd) {
    return add_descriptor(std::make_shared<Descriptor>(fd, true));
  }
  /// To be called when descriptor `number` has become another open file: the
  /// standard stream of that number, if there is one, goes on with it. errno or
  /// 0.
  Task<int> follow_descriptor(Port &port, uint64_t number);
  /// What a child gets for the program's descriptor `number`; -1 if that is
  /// closed. While a run is recorded, the pipe of a standard stream.
  int descriptor_for_child(uint64_t number);
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
  /// Writes the texts of `lanes` in lane order, each in one piece; neighbouring
  /// lanes with the same stream share a write. `results`: the numbers of bytes
  /// written.
  Task<> write_lanes(Port &port, uint64_t lanes, Write (&writes)[64],
                     Result (&results)[64]);
  /// Writes out the stream's pending bytes. `stream.lock` is held. errno or 0.
  Task<int> flush(Port &port, Stream &stream);
  /// Writes out all streams and the commands' output. The first errno, or 0.
  Task<int> flush_all(Port &port);
  /// Before a read of standard input waits, writes out standard output, which
  /// may hold a prompt. Does nothing if `reading` is another stream.
  Task<> flush_prompt(Port &port, Stream &reading);
  /// As flush_all(), for a thread that serves no port: waits until `deadline`.
  /// Success, or the first error, which names the stream.
  llvm::Error flush_all_now(Poller::Clock::time_point deadline);
  bool has_pending_output();
  /// Parses a format, or takes the parsed one from a cache.
  std::shared_ptr<const Format> format(llvm::StringRef text,
                                       Format::Packing packing);
  /// The texts of a buffer of output in their order. Appends to `text` what
  /// `bytes` holds; `last` is that of RPC_BUFFERED().
  Records format_records(llvm::StringRef bytes, uint32_t last, Buffer &text);
  /// RPC_FEATURE_* that the program does not get. A recording has each printf
  /// as a call of its own. A long request does not name its caller, which a
  /// recording needs.
  uint32_t withheld_features() const {
    return options.disabled_features |
           (options.journal ? RPC_FEATURE_RECORDS | RPC_FEATURE_LONG_REQUESTS
                            : 0);
  }
  /// Writing met EPIPE: ends the program as SIGPIPE would, unless it is
  /// ignored.
  void pipe_broke();
  /// True if SIGPIPE does not end the program: it is ignored or handled.
  std::atomic<bool> pipe_signal_ignored{false};
  struct {
    std::mutex mutex;
    unsigned asked = 0;
  } type_names; ///< of options.type_name

private:
  Services(OutcomeRecord &outcome, DeviceMemory &memory,
           std::function<void()> interrupt, ServerOptions options,
           FileSystem files);
  std::mutex formats_mutex;
  llvm::StringMap<std::shared_ptr<const Format>> formats[3]; // by Packing
  std::unique_ptr<Plugins> plugins;
  std::vector<std::unique_ptr<ReplayedOperation>> replayed;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_SERVICES_H
