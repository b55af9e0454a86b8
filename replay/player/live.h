//===-- replay/player/live.h - Calls served for real ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves the calls that a command-line tool needs: stdio, files, exit, memory,
// clocks. One lane is served at a time; while a call waits, for a terminal
// perhaps, all other calls wait.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_LIVE_H
#define GPUEXEC_REPLAY_PLAYER_LIVE_H

#include "replay/player/call.h"
#include "replay/player/print.h"

struct live;
struct live *make_live(struct host *host);

/// Serves a call: appends its answer, packed as in a recording. False:
/// gpu-replay does not serve this opcode.
bool serve_live(struct live *live, struct call *call, struct buffer *answer);

/// Serves a printf, whose texts have been made.
void print_live(struct live *live, struct call *call, struct buffer *answer);

/// Writes out the buffers of the program's streams. False after an error.
bool flush_live(struct live *live);

//===-- For the files live*.c ---------------------------------------------===//

/// One lane's request and answer.
struct lane_values {
  const uint64_t *in;        ///< words of all packets of the request
  const struct bytes *bytes; ///< its streams
  const char *const *text;   ///< the streams as strings, up to their NUL
  int64_t value;
  int error;                            ///< errno or 0
  bool failed;                          ///< send the opcode's error value
  uint64_t words[RPC_PACKET_WORDS - 1]; ///< of the reply behind the value
  struct buffer out;                    ///< a stream of the answer
  uint8_t record[2 * RPC_PACKET_BYTES];
};
typedef void live_service(struct live *live, struct lane_values *lane);

/// The service of an opcode, NULL for none.
live_service *stream_service(uint32_t opcode);
live_service *file_service(uint32_t opcode);
live_service *process_service(uint32_t opcode);

struct stream {
  int fd;
  bool readable, writable, at_end;
  enum { FULL, LINE, UNBUFFERED } buffering;
  int error;
  int64_t number; ///< the descriptor that fileno() gave out, -1 for none
  struct buffer out, in;
  size_t in_done;
};

/// The handles of streams are 1, 2, 3 and multiples of this, with tag bits 0.
enum { HANDLE_UNIT = 16 };
enum { MOST_FILES = 1024 };
struct live {
  struct host *host;
  struct stream *streams[MOST_FILES]; ///< the first three: the standard ones
  int files[MOST_FILES];              ///< by descriptor; -1: none
  void *directories[MOST_FILES];      ///< DIR, by handle
};

/// The lane's call has failed with an errno.
void set_error(struct lane_values *lane, int error);
/// The result of a function of the C library: -1 is an error.
void set_result(struct lane_values *lane, int64_t result);

/// The stream of a handle, raw or tagged; NULL: none.
struct stream *raw_stream(struct live *live, uint64_t handle);
struct stream *tagged_stream(struct live *live, uint64_t word);
/// Writes out what a stream holds. errno or 0.
int flush_stream(struct stream *stream);
/// Writes to a stream's buffer. Returns the number of bytes accepted; sets
/// `*error` to errno or 0.
uint64_t write_stream(struct stream *stream, struct bytes bytes, int *error);
/// Reads until it has `size` bytes if `all`, else until it has any.
uint64_t read_stream(struct live *live, struct stream *stream, void *to,
                     uint64_t size, bool all, int *error);

/// Empties the read buffer and moves the file's position back to the first byte
/// that the program has not read.
void drop_read_ahead(struct stream *stream);
/// Writes without the buffer. Returns the number of bytes written; sets
/// `*error` to errno or 0.
uint64_t write_direct(struct stream *stream, struct bytes bytes, int *error);
/// Reads up to and including a newline, at most `size` bytes. errno or 0.
int read_line(struct live *live, struct stream *stream, struct buffer *to,
              uint64_t size);

/// The host's descriptor for a descriptor of the program; -1: none.
int host_file(struct live *live, uint64_t descriptor);
/// Gives the program a descriptor for the host's `fd`; -1: there are too many.
int64_t add_file(struct live *live, int fd);

#endif // GPUEXEC_REPLAY_PLAYER_LIVE_H
