//===-- rpc/server/back_off.cpp - How an idle thread polls ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/back_off.h"
#include <algorithm>
#include <time.h>

using namespace gpuexec::rpc;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

// A sleep takes 1/PART of the time since the last request. Early in a pause its
// lower bound is at most 1/FIRST_PART of that time, because the pauses within a
// burst of requests are short.
static constexpr int PART = 512, FIRST_PART = 16;
// Bounds of a sleep in wake-up costs: polling takes a fifth of a processor at
// most in the beginning, a fiftieth after a long pause.
static constexpr int SHORTEST = 5, LONGEST = 50;
// Limits of these bounds: polling more often than every 20 us gains nothing,
// and no request may wait for more than a millisecond.
static constexpr nanoseconds SHORTEST_SLEEP = 20us;
static constexpr nanoseconds LONG_SLEEP = 250us, LONGEST_SLEEP = 1ms;
static constexpr nanoseconds GUESSED_COST = 10us;

Idle gpuexec::rpc::idle_step(nanoseconds quiet, const Pauses &before) {
  if (quiet < LOOK_FOR)
    return Idle::look;
  return quiet < YIELD_UNTIL && !before.are_long() ? Idle::yield : Idle::sleep;
}

nanoseconds gpuexec::rpc::sleep_length(nanoseconds quiet,
                                       nanoseconds wake_cost) {
  nanoseconds most = std::clamp(LONGEST * wake_cost, LONG_SLEEP, LONGEST_SLEEP);
  nanoseconds least = std::clamp(SHORTEST * wake_cost, SHORTEST_SLEEP, most);
  least = std::clamp(quiet / FIRST_PART, SHORTEST_SLEEP, least);
  return std::clamp(quiet / PART, least, most);
}

static nanoseconds thread_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

void WakeCost::slept() {
  if (since.begun && ++since.sleeps < MEASURED_TOGETHER)
    return;
  nanoseconds now = thread_time();
  if (since.begun)
    add(since.sleeps, now - since.used);
  since = {true, 0, now};
}

void WakeCost::add(uint64_t more_sleeps, nanoseconds more) {
  sleeps += more_sleeps;
  used += more;
  if (sleeps > REMEMBERED) { // old measurements count half: load changes
    sleeps /= 2;
    used /= 2;
  }
}

nanoseconds WakeCost::each() const {
  return sleeps ? used / int64_t(sleeps) : GUESSED_COST;
}
