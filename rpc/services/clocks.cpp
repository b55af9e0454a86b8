//===-- rpc/services/clocks.cpp - Time and process of the host
//--------------===//
// RPC_FEATURE_POSIX, opcodes 0x470004xx. Sequences: opcodes.def.
//===----------------------------------------------------------------------===//
#include "rpc/services/services.h"
#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

Task<> clock_call(Services &, Port &port) {
  co_await port.receive();
  static constexpr clockid_t CLOCKS[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,
                                         CLOCK_PROCESS_CPUTIME_ID};
  timespec times[64] = {};
  Results results;
  port.for_each_lane([&](unsigned lane) {
    uint64_t clock = port.word(lane, 0);
    if (clock >= std::size(CLOCKS))
      return results.set_error(lane, EINVAL);
    int failed = port.opcode() == RPC_CLOCK_GETRES
                     ? clock_getres(CLOCKS[clock], &times[lane])
                     : clock_gettime(CLOCKS[clock], &times[lane]);
    results.set_error(lane, failed ? errno : 0);
  });
  co_await port.send([&](unsigned lane, rpc_packet &packet) {
    packet.words[0] = uint64_t(results.values[lane]);
    packet.words[1] = uint64_t(times[lane].tv_sec);
    packet.words[2] = uint64_t(times[lane].tv_nsec);
    packet.words[RPC_ERRNO_WORD] = uint64_t(results.errors[lane]);
  });
}

Task<> process_ids(Services &, Port &port) {
  co_await port.receive();
  co_await port.send([&](unsigned, rpc_packet &packet) {
    packet.words[0] = 0;
    packet.words[1] = uint64_t(getpid());
    packet.words[2] = uint64_t(getppid());
    packet.words[3] = getuid();
    packet.words[4] = getgid();
    packet.words[RPC_ERRNO_WORD] = 0;
  });
}

Task<> set_umask(Services &, Port &port) {
  co_await port.receive();
  Results results;
  port.for_each_lane([&](unsigned lane) {
    results.set(lane, umask(mode_t(port.word(lane, 0)) & 0777));
  });
  co_await port.reply(results.values, results.errors);
}

Task<> local_time(Services &, Port &port) {
  co_await port.receive();
  struct Zone {
    int64_t offset = 0, summer = 0;
    char name[32] = {};
    int error = 0;
  } zones[64];
  port.for_each_lane([&](unsigned lane) {
    time_t seconds = time_t(port.word(lane, 0));
    tm local = {};
    Zone &zone = zones[lane];
    if (!localtime_r(&seconds, &local)) {
      zone.error = EOVERFLOW;
      return;
    }
    zone.offset = local.tm_gmtoff;
    zone.summer = local.tm_isdst > 0;
    if (local.tm_zone)
      strncpy(zone.name, local.tm_zone, sizeof zone.name - 1);
  });
  co_await port.send([&](unsigned lane, rpc_packet &packet) {
    const Zone &zone = zones[lane];
    packet.words[0] = zone.error ? ~uint64_t(0) : 0;
    packet.words[1] = uint64_t(zone.offset);
    packet.words[2] = uint64_t(zone.summer);
    memcpy(packet.bytes + 24, zone.name, sizeof zone.name);
    packet.words[RPC_ERRNO_WORD] = uint64_t(zone.error);
  });
}

} // namespace

void gpuexec::rpc::add_clock_services(Services &services) {
  RPC_SERVE(services, CLOCK_GETTIME, clock_call);
  RPC_SERVE(services, CLOCK_GETRES, clock_call);
  RPC_SERVE(services, GETPID, process_ids);
  RPC_SERVE(services, LOCALTIME_OFFSET, local_time);
  RPC_SERVE(services, UMASK, set_umask);
}
