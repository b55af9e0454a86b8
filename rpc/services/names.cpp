//===-- rpc/services/names.cpp - Files by name: stat, mkdir, readdir ...
//----===//
// RPC_FEATURE_POSIX, opcodes 0x470003xx. Sequences: opcodes.def.
//===----------------------------------------------------------------------===//
#include "rpc/services/services.h"
#include "rpc/services/stat.h"
#include "rpc/services/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <random>
#include <sys/syscall.h>
#include <unistd.h>

using namespace gpuexec::rpc;

rpc_stat gpuexec::rpc::to_wire(const struct stat &status) {
  rpc_stat wire = {};
  wire.dev = status.st_dev;
  wire.ino = status.st_ino;
  wire.mode = status.st_mode;
  wire.nlink = uint32_t(status.st_nlink);
  wire.uid = status.st_uid;
  wire.gid = status.st_gid;
  wire.rdev = status.st_rdev;
  wire.size = status.st_size;
  wire.blocks = uint64_t(status.st_blocks);
  wire.blksize = uint64_t(status.st_blksize);
  wire.atime = status.st_atim.tv_sec;
  wire.mtime = status.st_mtim.tv_sec;
  wire.ctime = status.st_ctim.tv_sec;
  wire.atime_ns = uint32_t(status.st_atim.tv_nsec);
  wire.mtime_ns = uint32_t(status.st_mtim.tv_nsec);
  wire.ctime_ns = uint32_t(status.st_ctim.tv_nsec);
  return wire;
}

Task<> gpuexec::rpc::send_status(Port &port, const Results &results,
                                 const rpc_stat (&status)[64]) {
  co_await port.reply(results.values, results.errors);
  for (unsigned half = 0; half < 2; ++half)
    co_await port.send([&](unsigned lane, rpc_packet &packet) {
      memcpy(packet.bytes,
             reinterpret_cast<const char *>(&status[lane]) +
                 half * RPC_PACKET_BYTES,
             RPC_PACKET_BYTES);
    });
}

namespace {

// C bytes(path) · C {status or mode} · S ...
Task<> path_status(Services &services, Port &port) {
  LaneBytes paths = co_await port.receive_bytes();
  co_await port.receive();
  Results results;
  rpc_stat found[64] = {};
  port.for_each_lane([&](unsigned lane) {
    struct stat status;
    int error = paths.complete(lane)
                    ? services.files.status(c_string(paths[lane]),
                                            port.word(lane, 0) != 1, status)
                    : ENOMEM;
    if (!error)
      found[lane] = to_wire(status);
    results.set_error(lane, error);
  });
  co_await send_status(port, results, found);
}

// C bytes(path) · C {words} · S {0}
Task<> path_call(Services &services, Port &port) {
  LaneBytes paths = co_await port.receive_bytes();
  if (port.opcode() != RPC_CHDIR)
    co_await port.receive();
  Results results;
  port.for_each_lane([&](unsigned lane) {
    if (!paths.complete(lane))
      return results.set_error(lane, ENOMEM);
    FileSystem &files = services.files;
    std::string path = c_string(paths[lane]);
    uint64_t argument = port.opcode() == RPC_CHDIR ? 0 : port.word(lane, 0);
    int error = ENOSYS;
    switch (port.opcode()) {
    case RPC_ACCESS:
      error = argument <= 7 ? files.access(path, int(argument)) : EINVAL;
      break;
    case RPC_UNLINK:
      error = files.remove(path, argument == 1);
      break;
    case RPC_MKDIR:
      error = files.make_directory(path, mode_t(argument));
      break;
    case RPC_CHMOD:
      error = files.change_mode(path, mode_t(argument));
      break;
    case RPC_CHDIR:
      error = files.change_directory(path);
      break;
    case RPC_TRUNCATE:
      error = files.truncate(path, int64_t(argument));
      break;
    case RPC_CHOWN:
      error =
          files.change_owner(path, uid_t(argument), gid_t(port.word(lane, 1)),
                             port.word(lane, 2) != 1);
      break;
    case RPC_UTIMENS: {
      timespec times[2] = {
          {int64_t(argument), long(port.word(lane, 1))},
          {int64_t(port.word(lane, 2)), long(port.word(lane, 3))}};
      error = files.set_times(path, times);
      break;
    }
    }
    results.set_error(lane, error);
  });
  co_await port.reply(results.values, results.errors);
}

Task<> two_paths(Services &services, Port &port) {
  LaneBytes first = co_await port.receive_bytes();
  LaneBytes second = co_await port.receive_bytes();
  Results results;
  port.for_each_lane([&](unsigned lane) {
    if (!first.complete(lane) || !second.complete(lane))
      return results.set_error(lane, ENOMEM);
    std::string from = c_string(first[lane]), to = c_string(second[lane]);
    FileSystem &files = services.files;
    results.set_error(lane,
                      port.opcode() == RPC_RENAME_PATH ? files.rename(from, to)
                      : port.opcode() == RPC_LINK ? files.link(from, to)
                                                  : files.symlink(from, to));
  });
  co_await port.reply(results.values, results.errors);
}

// The answer is a text of at most P[0] bytes.
Task<> text_call(Services &services, Port &port) {
  LaneBytes paths;
  if (port.opcode() == RPC_READLINK)
    paths = co_await port.receive_bytes();
  co_await port.receive();
  std::string texts[64];
  llvm::StringRef views[64];
  Results results;
  port.for_each_lane([&](unsigned lane) {
    uint64_t capacity = port.word(lane, 0);
    int error = 0;
    if (port.opcode() == RPC_READLINK) {
      error = paths.complete(lane)
                  ? services.files.read_link(c_string(paths[lane]), texts[lane])
                  : ENOMEM;
      texts[lane].resize(std::min<uint64_t>(texts[lane].size(), capacity));
    } else if (port.opcode() == RPC_GETHOSTNAME) {
      char name[HOST_NAME_MAX + 1] = {};
      if (services.files.sandboxed())
        strcpy(name, "localhost"); // the machine's own is nobody's business
      else
        error = gethostname(name, sizeof name - 1) ? errno : 0;
      texts[lane] = name;
    } else {
      error = services.files.working_directory(texts[lane]);
      texts[lane].push_back('\0');
      if (!error && texts[lane].size() > capacity)
        error = ERANGE;
    }
    if (error)
      texts[lane].clear();
    views[lane] = texts[lane];
    results.set(lane,
                error                         ? -1
                : port.opcode() == RPC_GETCWD ? 0
                                              : int64_t(texts[lane].size()),
                error);
  });
  co_await port.send_bytes(views);
  co_await port.reply(results.values, results.errors);
}

// mkstemp and mkdtemp: a name for the six X at the end.
Task<> make_temporary(Services &services, Port &port) {
  LaneBytes templates = co_await port.receive_bytes();
  co_await port.receive();
  std::string names[64];
  llvm::StringRef views[64];
  Results results;
  port.for_each_lane([&](unsigned lane) {
    std::string &name = names[lane];
    name = c_string(templates[lane]);
    bool directory = port.word(lane, 0) == 1;
    int error = EINVAL, fd = -1;
    if (llvm::StringRef(name).ends_with("XXXXXX")) {
      std::random_device random;
      error = EEXIST;
      for (int tries = 0; tries < 1000 && error == EEXIST; ++tries) {
        static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
        for (size_t i = name.size() - 6; i < name.size(); ++i)
          name[i] = letters[random() % (sizeof letters - 1)];
        if (directory) {
          error = services.files.make_directory(name, 0700);
          continue;
        }
        fd = services.files.open(name, O_RDWR | O_CREAT | O_EXCL, 0600, error);
        if (fd >= 0)
          error = 0;
      }
    }
    if (error) {
      results.set_error(lane, error);
      return;
    }
    name.push_back('\0');
    views[lane] = name;
    int64_t number =
        directory
            ? 0
            : services.descriptors.add(std::make_shared<Descriptor>(fd, true));
    results.set(lane, number, number < 0 ? EMFILE : 0);
  });
  co_await port.send_bytes(views);
  co_await port.reply(results.values, results.errors);
}

Task<> open_directory(Services &services, Port &port) {
  LaneBytes paths = co_await port.receive_bytes();
  Results results;
  port.for_each_lane([&](unsigned lane) {
    int error = ENOMEM, fd = -1;
    if (paths.complete(lane))
      fd = services.files.open(c_string(paths[lane]), O_RDONLY | O_DIRECTORY, 0,
                               error);
    if (fd < 0)
      return results.set(lane, 0, error);
    results.set(lane, int64_t(services.directories.add(
                          std::make_shared<Directory>(fd))));
  });
  co_await port.reply(results.values, results.errors);
}

// Entries as getdents64 gives them, repacked until `capacity` is used up.
int read_entries(Directory &directory, uint64_t capacity, std::string &out) {
  struct Entry { // linux_dirent64
    uint64_t ino;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
  };
  std::lock_guard lock(directory.mutex);
  for (;;) {
    if (directory.at >= directory.entries.size()) {
      directory.entries.resize(32 << 10);
      directory.at = 0;
      long count = syscall(SYS_getdents64, directory.file.descriptor(),
                           directory.entries.data(), directory.entries.size());
      int error = count < 0 ? errno : 0;
      directory.entries.resize(count > 0 ? size_t(count) : 0);
      if (count <= 0)
        return out.empty() ? error : 0;
    }
    auto *entry =
        reinterpret_cast<Entry *>(directory.entries.data() + directory.at);
    size_t name = strlen(entry->name) + 1;
    rpc_dirent wire = {};
    wire.ino = entry->ino;
    wire.type = entry->type;
    wire.length = uint32_t((sizeof wire + name + 7) & ~size_t(7));
    if (out.size() + wire.length > capacity)
      return out.empty() ? EINVAL : 0;
    out.append(reinterpret_cast<char *>(&wire), sizeof wire);
    out.append(entry->name, name);
    out.resize((out.size() + 7) & ~size_t(7));
    directory.at += entry->length;
  }
}

Task<> directory_call(Services &services, Port &port) {
  co_await port.receive();
  std::string texts[64];
  llvm::StringRef views[64];
  Results results;
  port.for_each_lane([&](unsigned lane) {
    uint64_t handle = port.word(lane, 0);
    auto directory = port.opcode() == RPC_CLOSEDIR
                         ? services.directories.remove(handle)
                         : services.directories.find(handle);
    if (!directory)
      return results.set_error(lane, EBADF);
    if (port.opcode() == RPC_READDIR) {
      uint64_t capacity = std::min<uint64_t>(port.word(lane, 1), 256 << 10);
      int error = read_entries(*directory, capacity, texts[lane]);
      views[lane] = texts[lane];
      results.set(lane, error ? -1 : int64_t(texts[lane].size()), error);
    } else if (port.opcode() == RPC_REWINDDIR) {
      std::lock_guard lock(directory->mutex);
      directory->entries.clear();
      directory->at = 0;
      results.set_error(
          lane,
          lseek(directory->file.descriptor(), 0, SEEK_SET) < 0 ? errno : 0);
    }
  });
  if (port.opcode() == RPC_READDIR)
    co_await port.send_bytes(views);
  co_await port.reply(results.values, results.errors);
}

} // namespace

void gpuexec::rpc::add_name_services(Services &services) {
  RPC_SERVE(services, STAT, path_status);
  RPC_SERVE(services, ACCESS, path_call);
  RPC_SERVE(services, UNLINK, path_call);
  RPC_SERVE(services, RENAME_PATH, two_paths);
  RPC_SERVE(services, LINK, two_paths);
  RPC_SERVE(services, SYMLINK, two_paths);
  RPC_SERVE(services, READLINK, text_call);
  RPC_SERVE(services, MKDIR, path_call);
  RPC_SERVE(services, CHMOD, path_call);
  RPC_SERVE(services, CHOWN, path_call);
  RPC_SERVE(services, CHDIR, path_call);
  RPC_SERVE(services, GETCWD, text_call);
  RPC_SERVE(services, TRUNCATE, path_call);
  RPC_SERVE(services, UTIMENS, path_call);
  RPC_SERVE(services, MKSTEMP, make_temporary);
  RPC_SERVE(services, OPENDIR, open_directory);
  RPC_SERVE(services, READDIR, directory_call);
  RPC_SERVE(services, REWINDDIR, directory_call);
  RPC_SERVE(services, CLOSEDIR, directory_call);
  RPC_SERVE(services, GETHOSTNAME, text_call);
}
