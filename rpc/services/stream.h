//===-- rpc/services/stream.h - An open file of the program -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffered stream over a descriptor, as C's FILE. Nothing here blocks on a
// terminal, a pipe or a socket: a function returns Progress::wait_read or
// wait_write when the file is not ready, and the caller repeats the call after
// poll(). Errors are errno values. Not thread-safe: hold `lock`.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_STREAM_H
#define GPUEXEC_RPC_SERVICES_STREAM_H

#include "rpc/server/journal.h"
#include "rpc/server/lock.h"
#include "rpc/services/child.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <sys/types.h>

namespace gpuexec::rpc {

enum class Progress { done, wait_read, wait_write };

/// How fopen's mode opens a file.
struct OpenMode {
  int flags = 0; ///< O_RDONLY ...
  bool readable = false, writable = false;
  /// False when `text` is no mode.
  static bool parse(llvm::StringRef text, OpenMode &mode);
};

/// What the program may do with a descriptor. In a sandbox the user's standard
/// streams, and copies of them, carry bytes in one direction and allow nothing
/// else: they may be a terminal, or a file that was not granted.
enum class Use { any, reading, writing };

/// The journal that is told of bytes written to a file (null: none), and the
/// number of the program's standard stream for which it counts them.
struct FileObserver {
  Journal *journal = nullptr;
  int stream = 0;
};

/// A descriptor that is read and written without waiting.
class HostFile {
public:
  HostFile(int fd, bool owned, Use use = Use::any)
      : fd(fd), owned(owned), allowed(use) {
    inspect();
  }
  ~HostFile();
  HostFile(const HostFile &) = delete;

  int descriptor() const { return fd; }
  bool is_interactive() const { return interactive; }
  /// Reading and writing never wait for anybody.
  bool is_regular() const { return regular; }
  Use use() const { return allowed; }
  /// Copies of the descriptor get the same observer.
  void observe(FileObserver by) { observer = by; }
  FileObserver observed_by() const { return observer; }
  /// As lseek(). ESPIPE for Use::writing: the program must not overwrite what
  /// the user's file already contains.
  off_t seek(off_t offset, int whence);
  /// As read() and write(), or at `offset` when it is not negative, but with
  /// EAGAIN where they would wait, and never EINTR. The open file may be shared
  /// with other processes, so O_NONBLOCK is left alone.
  ssize_t try_read(char *to, size_t size, int64_t offset = -1);
  ssize_t try_write(const char *from, size_t size, int64_t offset = -1);
  /// errno or 0. The descriptor is closed even after an error.
  int close();
  /// Closes the descriptor and takes `new_fd` in its place.
  void replace(int new_fd, bool new_owned, Use use = Use::any,
               FileObserver by = {});

private:
  void inspect();
  ssize_t write_now(const char *from, size_t size, int64_t offset);
  int fd;
  bool owned;
  Use allowed;
  FileObserver observer;
  bool regular = false;     // read() and write() never wait
  bool nowait = true;       // RWF_NOWAIT is understood
  bool interactive = false; // a terminal
  bool unconnected = false; // a FIFO that may have had no writer yet
};

class Stream {
public:
  enum class Buffering { full, line, none };
  static constexpr size_t BUFFER_SIZE = 64 << 10;

  /// Closes `fd` at the end if `owned`.
  Stream(int fd, bool owned, OpenMode mode, Buffering buffering,
         Use use = Use::any);
  Stream(const Stream &) = delete;

  /// Must be held while other members are used, except may_have_pending() and
  /// take_untold().
  ServiceLock lock;

  int descriptor() const { return file.descriptor(); }
  Use use() const { return file.use(); }
  HostFile &host_file() { return file; }
  bool at_end() const { return end_of_file; }
  int error() const { return error_flag; }
  void clear_error() {
    end_of_file = false;
    error_flag = 0;
  }
  /// The errno of a failed write of bytes that had been accepted, or 0.
  int lost_output() const { return lost; }
  void note_lost(int error) { error_flag = lost = untold = error; }
  /// Returns that errno once, for the first flush after the failed write; then
  /// 0.
  int take_untold() { return untold.exchange(0, std::memory_order_relaxed); }
  bool is_interactive() const { return file.is_interactive(); }
  Buffering buffering() const { return mode_of_buffer; }
  void set_buffering(Buffering buffering) { mode_of_buffer = buffering; }

  /// Makes the stream ready for writing. errno or 0.
  int begin_write();
  /// Accepts all of `text`; EFBIG or ENOMEM when it cannot be held.
  int append(llvm::StringRef text);
  /// Bytes accepted and not yet written out.
  size_t pending() const { return out.size() - out_done; }
  /// Whether pending() is not 0; for callers without the lock.
  bool may_have_pending() const {
    return dirty.load(std::memory_order_acquire);
  }
  /// Moves the position of a file back to what was not read by the program,
  /// so that a child process reads on there. A pipe's bytes cannot be given
  /// back: they stay for the program.
  void give_back();
  /// Whether the stream's buffering mode asks for flush() now.
  bool wants_flush() const;
  /// Writes out the pending bytes. After an error sets `error` and drops the
  /// rest.
  Progress flush(int &error);
  /// Bytes accepted, and written or dropped, since the stream was opened; after
  /// an error flush() leaves written() where it happened, until the next
  /// append.
  uint64_t accepted() const { return total_accepted; }
  uint64_t written() const { return total_written; }
  /// Writes `data` from byte `done` on without the buffer, which must be empty;
  /// adds to `done` the number of bytes written.
  Progress write_direct(llvm::StringRef data, uint64_t &done, int &error);

  /// Reads up to `size` bytes and appends them to `to`. If `greedy` reads until
  /// `size` or the end (as fread()), else returns as soon as it has some bytes
  /// (as read()).
  Progress read(Buffer &to, uint64_t size, uint64_t &done, bool greedy,
                int &error);
  /// The same into memory of `size` bytes.
  Progress read_into(char *to, uint64_t size, uint64_t &done, bool greedy,
                     int &error);
  /// Reads up to and including a newline, at most `size` bytes (as fgets(), but
  /// without the NUL).
  Progress read_line(Buffer &to, uint64_t size, int &error);
  int unget(int character); ///< the character or -1

  /// Nothing may be pending. errno or 0.
  int seek(int64_t offset, int whence);
  int64_t tell(int &error);

  /// Closes the descriptor; nothing may be pending. errno or 0.
  int close();
  /// Closes the descriptor and takes `new_fd` in its place (freopen()).
  void replace(int new_fd, bool new_owned, OpenMode mode);
  /// From now on reads and writes the open file of `source`, with its use and
  /// observer. As with C's buffers, pending bytes go there, and bytes that were
  /// read ahead are still read first. errno or 0.
  int follow(const HostFile &source);
  /// Takes the file away until follow(): reads that find nothing in the buffer
  /// fail with EBADF.
  void lose_file() { file.close(); }
  /// The child that popen() started for this stream.
  std::unique_ptr<Child> child;
  /// The program's descriptor for this stream: fileno()'s or fdopen()'s, or -1.
  int64_t number = -1;

private:
  Progress fill(int &error); // reads some bytes into `in`
  size_t available() const { return in.size() - in_done; }
  void drop_read_ahead();

  HostFile file;
  bool readable, writable;
  Buffering mode_of_buffer;
  std::string out, in;
  bool in_is_of_file = true; // false: of a file before follow()
  size_t out_done = 0, in_done = 0;
  uint64_t total_accepted = 0, total_written = 0;
  bool end_of_file = false;
  int error_flag = 0, lost = 0;
  std::atomic<int> untold = 0;
  bool saw_newline = false;
  std::atomic<bool> dirty = false;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_STREAM_H
