//===-- rpc/services/accounts.cpp - Users, groups and the machine ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes ACCOUNT, CRYPT, UNAME, SYSLOG, SYNC and those about the process's
// group, priority and user groups. In a sandbox the names of the machine, its
// users and groups are not revealed.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include <crypt.h>
#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <unistd.h>
#include <vector>

using namespace gpuexec::rpc;

namespace {

void add_field(std::string &fields, const char *text) {
  fields += text ? text : "";
  fields += '\0';
}

/// Calls `call` with a buffer; doubles the buffer, up to 1 MiB, while `call`
/// returns ERANGE because it is too small. Returns the last errno, or 0.
template <typename F> int with_buffer(F call) {
  std::vector<char> buffer(1024);
  int error;
  while ((error = call(buffer.data(), buffer.size())) == ERANGE &&
         buffer.size() < size_t(1) << 20)
    buffer.resize(2 * buffer.size());
  return error;
}

/// Looks a user up by `*uid`, or by name if `uid` is null. Returns errno or 0;
/// adds no fields when there is no such user.
int find_user(const std::string &name, const uint64_t *uid,
              std::string &fields) {
  return with_buffer([&](char *buffer, size_t size) {
    passwd entry, *found = nullptr;
    int error = uid ? getpwuid_r(uid_t(*uid), &entry, buffer, size, &found)
                    : getpwnam_r(name.c_str(), &entry, buffer, size, &found);
    if (!error && found) {
      add_field(fields, found->pw_name);
      add_field(fields, found->pw_passwd);
      add_field(fields, std::to_string(found->pw_uid).c_str());
      add_field(fields, std::to_string(found->pw_gid).c_str());
      add_field(fields, found->pw_gecos);
      add_field(fields, found->pw_dir);
      add_field(fields, found->pw_shell);
    }
    return error;
  });
}

int find_group(const std::string &name, const uint64_t *gid,
               std::string &fields) {
  return with_buffer([&](char *buffer, size_t size) {
    group entry, *found = nullptr;
    int error = gid ? getgrgid_r(gid_t(*gid), &entry, buffer, size, &found)
                    : getgrnam_r(name.c_str(), &entry, buffer, size, &found);
    if (!error && found) {
      add_field(fields, found->gr_name);
      add_field(fields, found->gr_passwd);
      add_field(fields, std::to_string(found->gr_gid).c_str());
      for (char **member = found->gr_mem; *member; ++member)
        add_field(fields, *member);
    }
    return error;
  });
}

/// Whether `error` is one by which the C library reports a missing entry.
bool means_none(int error) {
  return error == ENOENT || error == ESRCH || error == EBADF || error == EPERM;
}

ResultBytes<> find_account(Services &services, const std::string &name,
                           uint64_t kind, uint64_t id) {
  if (kind > RPC_GROUP_BY_ID)
    return Result::failure(EINVAL);
  if (services.files.sandboxed())
    return {0, ""};
  const bool by_id = kind == RPC_USER_BY_ID || kind == RPC_GROUP_BY_ID;
  std::string fields;
  const auto find = kind == RPC_USER_BY_NAME || kind == RPC_USER_BY_ID
                        ? find_user
                        : find_group;
  int error = find(name, by_id ? &id : nullptr, fields);
  if (error && !means_none(error))
    return Result::failure(error);
  return {!fields.empty(), fields};
}

/// crypt(). Refused in a sandbox, because a setting can ask for hours of work
/// and gigabytes of memory.
ResultBytes<> hash_phrase(Services &services, const std::string &phrase,
                          const std::string &setting) {
  if (services.files.sandboxed())
    return Result::failure(EPERM);
  auto data = std::make_unique<crypt_data>();
  errno = 0;
  const char *hash = crypt_r(phrase.c_str(), setting.c_str(), data.get());
  const bool failed = !hash || *hash == '*';
  return {failed ? errno ? errno : EINVAL : 0, hash ? hash : "*0"};
}

ResultBytes<> machine_name(Services &services) {
  std::string fields;
  utsname names = {};
  const bool sandboxed = services.files.sandboxed();
  if (!sandboxed && uname(&names))
    return Result::failure(errno);
  add_field(fields, sandboxed ? "Linux" : names.sysname);
  add_field(fields, sandboxed ? "localhost" : names.nodename);
  add_field(fields, sandboxed ? "0.0.0" : names.release);
  add_field(fields, sandboxed ? "" : names.version);
  add_field(fields, sandboxed ? "x86_64" : names.machine);
  return {0, fields};
}

//===-- The process -------------------------------------------------------===//

ResultWords<2> process_group(Services &, pid_t process) {
  const pid_t group = getpgid(process);
  const pid_t session = group < 0 ? -1 : getsid(process);
  if (session < 0)
    return Result::failure(errno);
  return {0, group, session};
}

ResultWords<1> priority(Services &services, uint64_t change, int value) {
  if (change == 1 && services.files.sandboxed())
    return Result::failure(EPERM);
  // getpid(), because on Linux 0 would mean the calling thread.
  const auto process = id_t(getpid());
  if (change == 1 && setpriority(PRIO_PROCESS, process, value))
    return Result::failure(errno);
  errno = 0;
  const int now = getpriority(PRIO_PROCESS, process);
  if (now == -1 && errno)
    return Result::failure(errno);
  return {0, int64_t(now)};
}

ResultBytes<> groups(Services &services) {
  if (services.files.sandboxed())
    return {0, ""};
  std::vector<gid_t> list(size_t(std::max(0, getgroups(0, nullptr))));
  const int count = getgroups(int(list.size()), list.data());
  if (count < 0)
    return Result::failure(errno);
  return {count, std::string(reinterpret_cast<const char *>(list.data()),
                             size_t(count) * sizeof(gid_t))};
}

Result synchronize_all(Services &services) {
  if (services.files.sandboxed())
    return Result::failure(EPERM);
  sync();
  return 0;
}

Result write_log(Services &services, const std::string &name,
                 const std::string &text, int priority, int options) {
  if (services.files.sandboxed())
    return Result::failure(EPERM);
  static std::mutex one_at_a_time; // openlog() acts on the whole process
  std::lock_guard lock(one_at_a_time);
  openlog(name.empty() ? nullptr : name.c_str(), options & LOG_PID, LOG_USER);
  syslog(priority & (LOG_PRIMASK | LOG_FACMASK), "%s", text.c_str());
  closelog(); // `name` is gone after this
  return 0;
}

} // namespace

// The C library may ask other machines for an account.
RPC_SERVE_IN_BACKGROUND(ACCOUNT, find_account)
RPC_SERVE_IN_BACKGROUND(CRYPT, hash_phrase)
RPC_SERVE(UNAME, machine_name)
RPC_SERVE(PROCESS_GROUP, process_group)
RPC_SERVE(PRIORITY, priority)
RPC_SERVE(GETGROUPS, groups)
RPC_SERVE_IN_BACKGROUND(SYNC, synchronize_all)
RPC_SERVE_IN_BACKGROUND(SYSLOG, write_log)
