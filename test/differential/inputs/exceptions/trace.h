//===-- test/differential/inputs/exceptions/trace.h - What random programs share -===//
// A program logs what happens to it: objects that are made, copied and destroyed,
// handlers that are entered. Of the log only a checksum and its length are
// printed, or, when `shown` is set, every entry.
//===----------------------------------------------------------------------===//
#ifndef TRACE_H
#define TRACE_H

#include <exception>
#include <new>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <typeinfo>

enum Event { MADE = 1, COPIED, DESTROYED, UNCAUGHT, ENTERED, LEFT, THROWN, CAUGHT, VALUE, JUMPED, ALLOCATED, FREED, TYPE, NESTED };

extern bool shown;

struct State {
  unsigned long long random, sum = 0;
  int events = 0, budget = 80, live = 0;
  bool throwing_destructors = true;
  jmp_buf *jump = nullptr;
  std::exception_ptr kept[2];

  explicit State(unsigned seed) : random(seed * 2654435761ull + 12345) {}

  unsigned pick(unsigned below) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    return unsigned(random >> 33) % below;
  }
  /// Whether another function may be entered; bounds the time of a program.
  bool spend() { return budget-- > 0; }
  void log(Event event, long value) {
    sum = (sum ^ (unsigned long long)(event * 1000003 + value)) * 1099511628211ull;
    ++events;
    if (shown)
      printf("  %d %ld\n", event, value);
  }
  void log_type(const std::type_info &type) {
    long total = 0;
    for (const char *name = type.name(); *name; ++name)
      total = total * 31 % 1000000007 + *name;
    log(TYPE, total);
  }
};

/// An object whose life is logged. Its constructor throws an int once in `odds` times, its destructor too when nothing else is thrown.
template <int KIND> struct Tracked {
  State &state;
  int id;
  unsigned odds;
  Tracked(State &s, int number, unsigned chance = 0) : state(s), id(number), odds(chance) {
    if (odds && s.pick(odds) == 0) {
      s.log(THROWN, id);
      throw id + KIND;
    }
    ++s.live;
    s.log(MADE, id * 10 + KIND);
  }
  Tracked(const Tracked &other) : state(other.state), id(other.id + 1), odds(other.odds) {
    if (odds && state.pick(odds) == 0)
      throw long(id);
    ++state.live;
    state.log(COPIED, id * 10 + KIND);
  }
  ~Tracked() noexcept(false) {
    --state.live;
    state.log(DESTROYED, id * 10 + KIND);
    state.log(UNCAUGHT, std::uncaught_exceptions());
    if (KIND == 2 && odds && state.throwing_destructors && !std::uncaught_exceptions() && state.pick(odds * 2) == 0)
      throw short(id);
  }
  static void *operator new(size_t size) { return malloc(size); }
  static void operator delete(void *place) { free(place); }
  static void *operator new[](size_t size) { return malloc(size); }
  static void operator delete[](void *place) { free(place); }
};

/// What std::throw_with_nested puts around an exception.
struct Nested {
  int value;
};

template <typename CALL> int call_through(CALL call) { return call(); }

/// Throws again what is being handled, from another function than the handler's.
inline void throw_again() {
  if (std::current_exception())
    throw;
}

#endif
